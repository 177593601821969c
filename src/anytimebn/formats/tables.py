"""Data tables in files: ``.csv``, ``.tsv``, ``.parquet``, ``.arff`` and ``.dat``.

Cells of text files are values as they are written: nothing is taken for a date, a truth value or
a number, and only blanks around a cell are stripped.
"""

from __future__ import annotations

import csv
import re
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from anytimebn.argument_checks import as_path, writing
from anytimebn.data import (
    BLANKS,
    MISSING_TEXT,
    BinMethod,
    Bins,
    Column,
    Dataset,
    MissingMethod,
    encode,
    find_values,
)
from anytimebn.errors import InputError
from anytimebn.formats.arff import read_arff
from anytimebn.formats.dat import read_dat
from anytimebn.formats.text_rows import ragged, text_lines

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

TABLE_SUFFIXES = (".csv", ".tsv", ".parquet", ".arff", ".dat", ".csv.gz", ".tsv.gz")
"""How the names of files that `read_table` reads can end."""

WRITABLE_SUFFIXES = (".csv", ".tsv", ".parquet")
"""How the names of files that `write_table` writes can end."""

_SEPARATORS = {".csv": ",", ".tsv": "\t"}
_ROWS_AT_A_TIME = 50_000


def read_table(
    path: str | os.PathLike[str],
    *,
    header: bool = True,
    exclude: Sequence[str] = (),
    bins: Bins = None,
    bin_method: BinMethod = "quantile",
    missing: MissingMethod = "error",
    names: Sequence[str] | None = None,
) -> Dataset:
    r"""Read a data table.

    Parameters
    ----------
    path : path
        A file with one of `TABLE_SUFFIXES`; text must be UTF-8.
    header : bool
        Whether the first line of a ``.csv`` or ``.tsv`` file has the names; if not, the columns
        are called X0, X1 and so on.
    exclude, bins, bin_method, missing, names
        As for `anytimebn.data.to_dataset`.

    Returns
    -------
    Dataset
        The data, encoded.

    Raises
    ------
    InputError
        If the file cannot be used; the message names the file and the line.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "weather.csv")
    ...     _ = file.write_text("rain,wet\nyes,yes\nno,yes\n")
    ...     data = read_table(file)
    >>> data
    Dataset(2 variables, 2 rows: rain (2 values), wet (1 value))
    """
    columns, place = read_columns(path, header=header)
    return encode(
        columns,
        source=str(path),
        place=place,
        exclude=exclude,
        bins=bins,
        bin_method=bin_method,
        missing=missing,
        names=names,
    )


def read_columns(
    path: str | os.PathLike[str], *, header: bool = True
) -> tuple[list[Column], Callable[[int], str]]:
    """Read the columns of a table, not yet encoded, and a way to say where a row is in the file."""
    file = as_path(path)
    suffix = table_suffix(file)
    if suffix is None:
        raise InputError(
            f"{file}: not a table that can be read; its name must end in one of "
            f"{', '.join(TABLE_SUFFIXES)}"
        )
    _check_is_file(file)
    if suffix == ".parquet":
        columns = _read_parquet(file)
        place: Callable[[int], str] = "row {} (counted from 0)".format
    elif suffix in (".arff", ".dat"):
        columns, lines = (read_arff if suffix == ".arff" else read_dat)(file)
        place = _places(lines)
    else:
        columns, place = _read_delimited(file, _SEPARATORS[suffix.removesuffix(".gz")], header)
    return columns, place


def write_table(dataset: Dataset, path: str | os.PathLike[str]) -> None:
    r"""Write the data with its value names as text.

    Values that never occur, and the order of values, are not written.

    Parameters
    ----------
    dataset : Dataset
        What to write.
    path : path
        A file with one of `WRITABLE_SUFFIXES`.

    Raises
    ------
    InputError
        If the file cannot be written, or would not read back as it was: text files cannot have
        values such as ``NA`` or with blanks around them, but ``.parquet`` can.

    Examples
    --------
    >>> import tempfile
    >>> data = Dataset(("rain", "wet"), (("no", "yes"),) * 2, np.array([[0, 1], [1, 1]]))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "weather.csv")
    ...     write_table(data, file)
    ...     file.read_text()
    'rain,wet\nno,yes\nyes,yes\n'
    """
    file = as_path(path)
    suffix = table_suffix(file)
    if suffix not in WRITABLE_SUFFIXES:
        raise InputError(
            f"{file}: not a table that can be written; its name must end in one of "
            f"{', '.join(WRITABLE_SUFFIXES)}"
        )
    with writing(file):
        if suffix == ".parquet":
            _write_parquet(dataset, file)
        else:
            _write_delimited(dataset, file, _SEPARATORS[suffix])


def table_suffix(path: str | os.PathLike[str]) -> str | None:
    """Return which of `TABLE_SUFFIXES` the name of the file ends in, if any.

    Examples
    --------
    >>> table_suffix("Survey.CSV.gz")
    '.csv.gz'
    """
    name = Path(path).name.lower()
    return next((suffix for suffix in TABLE_SUFFIXES if name.endswith(suffix)), None)


def _check_is_file(path: Path) -> None:
    try:
        if path.is_file():
            if path.stat().st_size == 0:
                raise InputError(f"{path}: the file is empty")
            return
        if path.is_dir():
            raise InputError(f"{path}: this is a directory; give a file")
        reason = "not a regular file" if path.exists() else "no such file"
    except OSError as error:
        reason = f"cannot be read: {error.strerror or error}"
    raise InputError(f"{path}: {reason}")


def _places(lines: NDArray[np.int64]) -> Callable[[int], str]:
    return lambda row: f"line {lines[row]}"


# --- .csv and .tsv ---


def _read_delimited(
    path: Path, separator: str, header: bool
) -> tuple[list[Column], Callable[[int], str]]:
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


def _write_delimited(dataset: Dataset, path: Path, separator: str) -> None:
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


# --- .parquet ---


def _read_parquet(path: Path) -> list[Column]:
    import pyarrow as pa
    import pyarrow.parquet

    try:
        with pyarrow.parquet.ParquetFile(path) as file:
            table = file.read()
    except (pa.ArrowException, OSError) as error:
        raise InputError(f"{path}: not a parquet file that can be read: {error}") from error
    try:
        return [
            find_values(name, cells)
            for name, cells in zip(table.column_names, table.columns, strict=True)
            if not re.fullmatch(r"__index_level_\d+__", name)  # the row labels of pandas
        ]
    except InputError as error:
        raise InputError(f"{path}: {error}") from error


def _write_parquet(dataset: Dataset, path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet

    columns: list[Any] = [
        pa.DictionaryArray.from_arrays(pa.array(row), pa.array(states, pa.string()))
        for row, states in zip(dataset.codes, dataset.states, strict=True)
    ]
    pyarrow.parquet.write_table(pa.table(columns, names=list(dataset.names)), path)
