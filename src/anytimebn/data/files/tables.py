"""Data tables in files.

Cells of text files are values as they are written: nothing is taken for a date, a truth value or
a number, and only blanks around a cell are stripped.
"""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from anytimebn.base.checks import as_path
from anytimebn.base.errors import DataWarning, InputError
from anytimebn.base.files import replacing
from anytimebn.base.text import did_you_mean, listed
from anytimebn.base.warn import warn_caller
from anytimebn.data.arrow_arrays import text_array
from anytimebn.data.columns import Column, as_numbers, duplicates, is_text
from anytimebn.data.files.arff import read_arff
from anytimebn.data.files.arrow import read_arrow
from anytimebn.data.files.dat import read_dat
from anytimebn.data.files.delimited import Layout, read_delimited, write_delimited
from anytimebn.data.files.excel import read_excel
from anytimebn.data.files.parquet import read_parquet, write_parquet
from anytimebn.data.files.separators import USUAL, find_separator
from anytimebn.data.options import TableOptions

if TYPE_CHECKING:
    import os
    from collections.abc import Callable

    from anytimebn.data.dataset import Dataset

TABLE_SUFFIXES = (
    ".csv",
    ".tsv",
    ".parquet",
    ".txt",
    ".feather",
    ".arrow",
    ".xlsx",
    ".arff",
    ".dat",
    ".csv.gz",
    ".tsv.gz",
    ".txt.gz",
)
"""How the names of files that `read_columns` reads can end."""

WRITABLE_SUFFIXES = (".csv", ".tsv", ".parquet")
"""How the names of files that `write_table` writes can end."""


def read_columns(
    path: str | os.PathLike[str], options: TableOptions | None = None
) -> tuple[list[Column], Callable[[int], str]]:
    r"""Read the columns of a table, not yet encoded, and a way to say where a row is in the file.

    Parameters
    ----------
    path : path
        A file with one of `TABLE_SUFFIXES`.
    options : TableOptions, optional
        Header, separator and encoding of a text file.

    Raises
    ------
    InputError
        If the file cannot be read; the message names the file and the line.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "weather.csv")
    ...     _ = file.write_text("rain,wet\nyes,yes\nno,yes\n")
    ...     columns, place = read_columns(file)
    ...     place(1)
    'line 3'
    >>> [column.name for column in columns]
    ['rain', 'wet']
    """
    file = as_path(path)
    suffix = table_suffix(file)
    if suffix is None:
        raise InputError(
            f"{file}: not a table that can be read; its name must end in one of "
            f"{', '.join(TABLE_SUFFIXES)}"
        )
    _check_is_file(file)
    options = options or TableOptions()
    if suffix in _READ_BY_ARROW:
        return _READ_BY_ARROW[suffix](file), "row {} (counted from 0)".format
    if suffix == ".xlsx":
        columns, numbers = read_excel(file, options.header)
        _look_at_header(file, columns, options)
        return columns, lambda row: f"row {numbers[row]}"
    if suffix in _READ_BY_LINES:
        columns, lines = _READ_BY_LINES[suffix](file, options.encoding)
        return columns, lambda row: f"line {lines[row]}"
    plain = suffix.removesuffix(".gz")
    separator = options.separator or find_separator(file, plain, options.encoding)
    columns, place = read_delimited(Layout(file, separator, options.encoding, options.header))
    _look_at_header(file, columns, options)
    return columns, place


_READ_BY_ARROW = {".parquet": read_parquet, ".feather": read_arrow, ".arrow": read_arrow}
_READ_BY_LINES = {".arff": read_arff, ".dat": read_dat}


def write_table(dataset: Dataset, path: str | os.PathLike[str]) -> None:
    r"""Write the data with its value names as text.

    Text files do not tell the order of values, nor those that never occur.

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
    >>> import numpy as np
    >>> from anytimebn.data.dataset import Dataset
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
    with replacing(file) as passing:
        if suffix == ".parquet":
            write_parquet(dataset, passing)
        else:
            write_delimited(dataset, passing, USUAL[suffix])


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
        reason = "not a regular file"
        if not path.exists():
            reason = f"no such file{did_you_mean(path.name, _names_beside(path))}"
    except OSError as error:
        reason = f"cannot be read: {error.strerror or error}"
    raise InputError(f"{path}: {reason}")


def _names_beside(path: Path) -> list[str]:
    """Give names in the folder where a file was looked for: the first of very many."""
    try:
        return [entry.name for entry in islice(path.parent.iterdir(), 1000)]
    except OSError:
        return []


def _look_at_header(path: Path, columns: list[Column], options: TableOptions) -> None:
    """Say so if the first line looks like data rather than names."""
    if not options.header or options.names is not None:
        return
    names = [column.name for column in columns]
    how = "use --no-header (header=False in Python)"
    if len(set(names)) < len(names):
        raise InputError(f"{path}: {duplicates(names)}; if the first line is data, {how}")
    numbered = names[-1] in (str(len(names) - 1), str(len(names)))  # as pandas names columns
    if not numbered and all(map(_looks_like_a_value, columns)):
        warn_caller(
            f"{path}: the first line, {listed([repr(name) for name in names])}, has the names of "
            f"the columns, and looks like data; if it is, {how}",
            DataWarning,
        )


def _looks_like_a_value(column: Column) -> bool:
    """Whether the name of a column is a number above numbers, or one of its values."""
    import pyarrow.compute as pc

    name = text_array([column.name])
    if as_numbers(name) is not None:
        return as_numbers(column.values) is not None
    values = column.values
    return is_text(values.type) and pc.index(values, name[0].cast(values.type)).as_py() >= 0
