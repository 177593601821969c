"""Tables in ``.csv`` and ``.tsv`` files."""

from __future__ import annotations

import csv
import re
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from anytimebn.base.errors import InputError
from anytimebn.data.columns import BLANKS, MISSING_TEXT, Column, find_values
from anytimebn.data.files.text_rows import ragged, text_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from anytimebn.data.dataset import Dataset


SEPARATORS = {".csv": ",", ".tsv": "\t"}
_ROWS_AT_A_TIME = 50_000


def read_delimited(
    path: Path, separator: str, header: bool
) -> tuple[list[Column], Callable[[int], str]]:
    """Read the columns, and a way to say on which line of the file a row is."""
    import pyarrow as pa
    import pyarrow.csv

    records = _records(path, separator)
    first = next(records, None)
    if first is None:
        raise InputError(f"{path}: the file is empty")
    line, last_line, cells = first
    width = len(cells)
    names = [cell.strip(BLANKS) for cell in cells] if header else [f"X{i}" for i in range(width)]
    if width < 2:
        raise InputError(
            f"{path}: line {line} has only one column, {names[0]!r}; at least two are needed, "
            f"with cells separated by commas in .csv files and by tabs in .tsv files"
        )
    if header and next(records, None) is None:
        raise InputError(f"{path}: no rows of data after line {last_line}")
    labels = [str(i) for i in range(width)]  # names may be duplicate, which is told later
    text = pa.dictionary(pa.int32(), pa.string())
    compression = "gzip" if path.suffix.lower() == ".gz" else None
    try:
        with pa.input_stream(str(path), compression=compression) as stream:
            table = pyarrow.csv.read_csv(
                stream,
                read_options=pyarrow.csv.ReadOptions(
                    column_names=labels, skip_rows=last_line if header else line - 1
                ),
                parse_options=pyarrow.csv.ParseOptions(
                    delimiter=separator,
                    newlines_in_values=True,
                    invalid_row_handler=lambda row: "error" if row.text.strip(BLANKS) else "skip",
                ),
                convert_options=pyarrow.csv.ConvertOptions(
                    column_types=dict.fromkeys(labels, text), strings_can_be_null=False
                ),
            )
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        _find_fault(path, separator, width)
        raise InputError(f"{path}: cannot be read: {error}") from error
    if table.num_rows and re.search("[\r\n]", table.column(width - 1)[-1].as_py()):
        # Arrow lets a quote that is never closed run to the end of the file.
        _find_fault(path, separator, width)
    columns = [
        find_values(name, cells, from_text=True)
        for name, cells in zip(names, table.columns, strict=True)
    ]
    return columns, lambda row: f"line {_line_of_row(path, separator, row + header)}"


def _records(path: Path, separator: str) -> Iterator[tuple[int, int, list[str]]]:
    """Yield the first line, the last line and the cells of each record that is not blank.

    Slow, but knows its lines, which Arrow does not: used for the header and to tell what is wrong.
    """
    last_line = 0

    def lines() -> Iterator[str]:
        nonlocal last_line
        for line in text_lines(path):
            last_line += 1
            yield line
        # Closes a quote that is still open; otherwise it is one more blank record.
        yield '"'

    reader = csv.reader(lines(), delimiter=separator)
    start = 1
    try:
        for cells in reader:
            if start <= last_line < reader.line_num:
                raise InputError(f"{path}: line {start}: a quote is opened and never closed")
            if len(cells) > 1 or any(cell.strip(BLANKS) for cell in cells):
                yield start, reader.line_num, cells
            start = reader.line_num + 1
    except csv.Error as error:
        raise InputError(f"{path}: line {start}: {error}; is a quote never closed?") from error


def _find_fault(path: Path, separator: str, width: int) -> None:
    """Raise an error that names the first line at fault in a file, if there is one."""
    for line, _, cells in _records(path, separator):
        if len(cells) != width:
            raise ragged(path, line, width, len(cells))


def _line_of_row(path: Path, separator: str, row: int) -> int:
    line, _, _ = next(islice(_records(path, separator), row, None))
    return line


def write_delimited(dataset: Dataset, path: Path, separator: str) -> None:
    """Write names and values, quoted where they must be."""
    for text in [*dataset.names, *(state for states in dataset.states for state in states)]:
        if text in MISSING_TEXT or text != text.strip(BLANKS) or text.startswith("\ufeff"):
            raise InputError(
                f"{path}: the name {text!r} would not read back from a text file; write .parquet"
            )
    special = re.compile(f'["\r\n{separator}]')

    def quoted(texts: Sequence[str]) -> list[str]:
        return [
            '"' + text.replace('"', '""') + '"' if special.search(text) else text for text in texts
        ]

    states = [np.array(quoted(names), dtype=object) for names in dataset.states]
    with path.open("w", encoding="utf-8", newline="") as file:
        file.write(separator.join(quoted(dataset.names)) + "\n")
        for start in range(0, dataset.rows, _ROWS_AT_A_TIME):
            codes = dataset.codes[:, start : start + _ROWS_AT_A_TIME]
            cells = [names[row].tolist() for names, row in zip(states, codes, strict=True)]
            file.writelines(separator.join(row) + "\n" for row in zip(*cells, strict=True))
