"""Data tables in files: ``.csv``, ``.tsv``, ``.parquet``, ``.arff`` and ``.dat``.

Cells of text files are values as they are written: nothing is taken for a date, a truth value or
a number, and only blanks around a cell are stripped.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from anytimebn.base.checks import as_path
from anytimebn.base.errors import InputError
from anytimebn.base.files import replacing
from anytimebn.data.files.arff import read_arff
from anytimebn.data.files.dat import read_dat
from anytimebn.data.files.delimited import SEPARATORS, read_delimited, write_delimited
from anytimebn.data.files.parquet import read_parquet, write_parquet

if TYPE_CHECKING:
    import os
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    from anytimebn.data.columns import Column
    from anytimebn.data.dataset import Dataset

TABLE_SUFFIXES = (".csv", ".tsv", ".parquet", ".arff", ".dat", ".csv.gz", ".tsv.gz")
"""How the names of files that `read_columns` reads can end."""

WRITABLE_SUFFIXES = (".csv", ".tsv", ".parquet")
"""How the names of files that `write_table` writes can end."""


def read_columns(
    path: str | os.PathLike[str], *, header: bool = True
) -> tuple[list[Column], Callable[[int], str]]:
    r"""Read the columns of a table, not yet encoded, and a way to say where a row is in the file.

    Parameters
    ----------
    path : path
        A file with one of `TABLE_SUFFIXES`; text must be UTF-8.
    header : bool
        Whether the first line of a ``.csv`` or ``.tsv`` file has the names; if not, the columns
        are called X0, X1 and so on.

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
    if suffix == ".parquet":
        columns = read_parquet(file)
        place: Callable[[int], str] = "row {} (counted from 0)".format
    elif suffix in (".arff", ".dat"):
        columns, lines = (read_arff if suffix == ".arff" else read_dat)(file)
        place = _places(lines)
    else:
        columns, place = read_delimited(file, SEPARATORS[suffix.removesuffix(".gz")], header)
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
            write_delimited(dataset, passing, SEPARATORS[suffix])


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
