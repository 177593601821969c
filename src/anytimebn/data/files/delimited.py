"""Tables in text files, cells separated by a character: ``.csv``, ``.tsv`` and ``.txt``."""

from __future__ import annotations

import codecs
import csv
import re
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from anytimebn.base.errors import InputError
from anytimebn.data.arrow_arrays import plain_cells, text_dictionaries
from anytimebn.data.columns import BLANKS, MISSING_TEXT, Column, find_values
from anytimebn.data.files.room import Room, is_packed
from anytimebn.data.files.text_rows import columns_of_rows, ragged, text_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from anytimebn.data.dataset import Dataset


_ROWS_AT_A_TIME = 50_000
_BYTES_AT_A_TIME = 2**20
# A block has a piece of every column, of which there may be thousands.
_BYTES_OF_BLOCK = 4 * 2**20
DECIMAL_COMMA = r"[+-]?[0-9]+(,[0-9]+)?([eE][+-]?[0-9]+)?"
"""A number, perhaps with a decimal comma."""


@dataclass(frozen=True)
class Layout:
    """How a text file is written."""

    path: Path
    separator: str
    encoding: str | None = None
    header: bool = True


def read_delimited(layout: Layout) -> tuple[list[Column], Callable[[int], str]]:
    """Read the columns, and a way to say on which line of the file a row is."""
    path, separator, header = layout.path, layout.separator, layout.header
    records = _records(layout)
    first = next(records, None)
    if first is None:
        raise InputError(f"{path}: the file is empty")
    line, last_line, cells = first
    names = [cell.strip(BLANKS) for cell in cells]
    if len(cells) < 2:
        raise InputError(
            f"{path}: line {line} has only one column, {names[0]!r}; at least two are needed, "
            f"with cells separated by commas in .csv files and by tabs in .tsv files, or as "
            f"--separator says (separator=... in Python)"
        )
    if header:
        second = next(records, None)
        if second is None:
            raise InputError(f"{path}: no rows of data after line {last_line}")
        if has_labels := len(second[2]) == len(names) + 1 and bool(second[2][-1].strip(BLANKS)):
            names = ["", *names]  # R does not name the labels of rows
    else:
        names, has_labels = [f"X{i}" for i in range(len(cells))], False
    skipped = last_line if header else line - 1
    if separator == " ":
        told = ((begin, cells) for begin, _, cells in _records(layout) if begin > skipped)
        arrays, lines = columns_of_rows(path, len(names), told)
        place: Callable[[int], str] = lambda row: f"line {lines[row]}"  # noqa: E731
    else:
        Room(path).check_columns(len(names))
        plain = read_plain(layout, len(names), skipped)
        arrays = read_by_arrow(layout, len(names), skipped) if plain is None else plain
        place = lambda row: f"line {_line_of_row(layout, row + header)}"  # noqa: E731
    columns = [
        find_values(name, cells, from_text=True) for name, cells in zip(names, arrays, strict=True)
    ]
    if separator != ",":
        columns = [_with_points(column) for column in columns]
    if has_labels and len(columns[0].values) < len(columns[0].codes):  # these label nothing
        raise InputError(
            f"{path}: the rows have {len(names)} cells, expected {len(names) - 1} as in line {line}"
        )
    return columns, place


def read_plain(layout: Layout, width: int, skipped: int) -> list[Any] | None:
    """Read the columns as dictionaries of text, faster than Arrow can.

    None where Arrow has to: for what is quoted in more than the plainest way, in another encoding
    or compressed, for what may be wrong, where most cells differ, and for what there is no room for
    as a whole.
    """
    path = layout.path
    if layout.encoding is not None or is_packed(path) or not layout.separator.isascii():
        return None
    try:
        if not Room(path).is_enough(path.stat().st_size):
            return None
        return plain_cells(np.fromfile(path, np.uint8), layout.separator, skipped, width)
    except (OSError, MemoryError):  # Arrow tells what is wrong, or manages with less
        return None


def read_by_arrow(layout: Layout, width: int, skipped: int) -> list[Any]:
    """Read the columns as dictionaries of text."""
    import pyarrow as pa

    path = layout.path
    try:
        try:
            table = _table_by_arrow(layout, width, skipped)
        except pa.ArrowInvalid:  # a line of blanks, perhaps
            table = _table_by_arrow(layout, width, skipped, skip_blanks=True)
    except (pa.ArrowException, OSError, UnicodeError) as error:
        _find_fault(layout, width)
        raise InputError(f"{path}: cannot be read: {error}") from error
    if table.num_rows and re.search("[\r\n]", table.column(width - 1)[-1].as_py()):
        # Arrow lets a quote that is never closed run to the end of the file.
        _find_fault(layout, width)
    return text_dictionaries(table.columns)


def _table_by_arrow(layout: Layout, width: int, skipped: int, *, skip_blanks: bool = False) -> Any:
    """Read the table.

    Threads of Arrow may let go of what they were given long after it has been read. If that is an
    object of Python, and the program ends meanwhile, they abort it
    (https://github.com/apache/arrow/issues/45017): so they get none.
    """
    import pyarrow as pa
    import pyarrow.csv

    labels = [str(i) for i in range(width)]  # names may be duplicate, which is told later
    skip = {"invalid_row_handler": _skip_blanks} if skip_blanks else {}
    with _utf8_stream(layout, width) as stream:
        return pyarrow.csv.read_csv(
            stream,
            read_options=pyarrow.csv.ReadOptions(
                column_names=labels,
                skip_rows=skipped,
                use_threads=not skip_blanks,
                block_size=_BYTES_OF_BLOCK,
            ),
            parse_options=pyarrow.csv.ParseOptions(
                delimiter=layout.separator, newlines_in_values=True, **skip
            ),
            convert_options=pyarrow.csv.ConvertOptions(
                column_types=dict.fromkeys(labels, pa.string()), strings_can_be_null=False
            ),
        )


def _skip_blanks(row: Any) -> str:
    return "error" if row.text.strip(BLANKS) else "skip"


def _utf8_stream(layout: Layout, width: int) -> Any:
    """Open a file; one that is compressed, or in another encoding, if it has room as a table."""
    import pyarrow as pa

    path = str(layout.path)
    compression = "gzip" if is_packed(layout.path) else None
    if compression is None and layout.encoding is None:
        return pa.input_stream(path, compression=None)
    decoder = codecs.getincrementaldecoder(layout.encoding or "utf-8")()
    decoded = None if layout.encoding is None else pa.BufferOutputStream()
    room, size, rows, ended = Room(layout.path), 0, 0, False
    with pa.input_stream(path, compression=compression) as stream:
        while not ended:
            content = stream.read(_BYTES_AT_A_TIME)
            ended = not content
            size += len(content)
            room.check_unpacked(size)
            rows += content.count(b"\n")
            room.check(rows, width)
            if decoded is not None:
                decoded.write(decoder.decode(content, final=ended).encode())
    if decoded is not None:
        return pa.BufferReader(decoded.getvalue())
    return pa.input_stream(path, compression=compression)


def _with_points(column: Column) -> Column:
    """Write numbers with decimal commas, which other separators allow, with points."""
    import pyarrow.compute as pc

    values = column.values
    if not pc.any(pc.match_substring(values, ",")).as_py():
        return column
    if not pc.all(pc.match_substring_regex(values, f"^{DECIMAL_COMMA}$")).as_py():
        return column
    return replace(column, values=pc.replace_substring(values, ",", "."))


def _has_decimal_commas(values: Sequence[str]) -> bool:
    """Whether `_with_points` would change these."""
    plain = re.compile(DECIMAL_COMMA)
    return any("," in value for value in values) and all(map(plain.fullmatch, values))


def _records(layout: Layout) -> Iterator[tuple[int, int, list[str]]]:
    """Yield the first line, the last line and the cells of each record that is not blank.

    Slow, but knows its lines, which Arrow does not: used for the header and to tell what is wrong.
    """
    path = layout.path
    last_line = 0

    def lines() -> Iterator[str]:
        nonlocal last_line
        for line in text_lines(path, layout.encoding):
            last_line += 1
            yield line
        # Closes a quote that is still open; otherwise it is one more blank record.
        yield '"'

    # Blanks separate cells by any number of them, also at the beginning of a line.
    blanks = layout.separator == " "
    reader = csv.reader(lines(), delimiter=layout.separator, skipinitialspace=blanks)
    start = 1
    try:
        for cells in reader:
            if start <= last_line < reader.line_num:
                raise InputError(f"{path}: line {start}: a quote is opened and never closed")
            if blanks and cells and not cells[-1]:
                cells.pop()  # behind the last blank of the line
            if len(cells) > 1 or any(cell.strip(BLANKS) for cell in cells):
                yield start, reader.line_num, cells
            start = reader.line_num + 1
    except csv.Error as error:
        raise InputError(f"{path}: line {start}: {error}; is a quote never closed?") from error


def _find_fault(layout: Layout, width: int) -> None:
    """Raise an error that names the first line at fault in a file, if there is one."""
    for number, (line, _, cells) in enumerate(_records(layout)):
        labelled = number == 0 and layout.header and len(cells) == width - 1
        if len(cells) != width and not labelled:
            raise ragged(layout.path, line, width, len(cells))


def _line_of_row(layout: Layout, row: int) -> int:
    line, _, _ = next(islice(_records(layout), row, None))
    return line


def write_delimited(dataset: Dataset, path: Path, separator: str) -> None:
    """Write names and values, quoted where they must be."""
    for text in [*dataset.names, *(state for states in dataset.states for state in states)]:
        if text in MISSING_TEXT or text != text.strip(BLANKS) or text.startswith("\ufeff"):
            raise InputError(
                f"{path}: the name {text!r} would not read back from a text file; write .parquet"
            )
    for name, own, row in zip(dataset.names, dataset.states, dataset.codes, strict=True):
        shown = [own[code] for code in np.unique(row)]
        if separator != "," and _has_decimal_commas(shown):
            raise InputError(
                f"{path}: the values of {name!r} would be read back with decimal points; write "
                f".csv or .parquet"
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
