"""Lines and rows of text files, with the numbers of their lines."""

from __future__ import annotations

import gzip
import zlib
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from anytimebn.base.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from numpy.typing import NDArray

_ROWS_AT_A_TIME = 20_000


def text_lines(path: Path) -> Iterator[str]:
    """Yield the lines of a UTF-8 file with their line ends, without a byte order mark."""
    opener: Any = gzip.open if path.suffix.lower() == ".gz" else open
    try:
        with opener(path, "rt", encoding="utf-8-sig", newline="") as file:
            yield from file
    except UnicodeDecodeError:
        raise _not_utf8(path) from None
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"{path}: cannot be read: {error}") from error


def _not_utf8(path: Path) -> InputError:
    """Return the error for a file that is not UTF-8, naming the first line that is not."""
    opener: Any = gzip.open if path.suffix.lower() == ".gz" else open
    number = 1
    # A damaged archive may end here, but what was read last was no text before that.
    with opener(path, "rb") as file, suppress(OSError, EOFError, zlib.error):
        for number, line in enumerate(file, start=1):  # noqa: B007
            try:
                line.decode()
            except UnicodeDecodeError:
                break
    return InputError(f"{path}: line {number} is not UTF-8 text; save the file as UTF-8")


def columns_of_rows(
    path: Path, width: int, rows: Iterable[tuple[int, list[str]]]
) -> tuple[list[Any], NDArray[np.int64]]:
    """Turn rows into columns.

    Parameters
    ----------
    path : Path
        The file, for messages.
    width : int
        Cells that every row must have.
    rows : iterable of (int, list of str)
        The number of its line and the cells of each row.

    Returns
    -------
    columns : list of pyarrow.ChunkedArray
        Dictionaries of text.
    lines : ndarray of int64
        The number of the line of each row.
    """
    import pyarrow as pa

    chunks: list[list[Any]] = [[] for _ in range(width)]
    lines: list[NDArray[np.int64]] = []
    remaining = iter(rows)
    while block := list(islice(remaining, _ROWS_AT_A_TIME)):
        for number, cells in block:
            if len(cells) != width:
                raise ragged(path, number, width, len(cells))
        lines.append(np.array([number for number, _ in block]))
        columns = zip(*(cells for _, cells in block), strict=True)
        for chunk, column in zip(chunks, columns, strict=True):
            chunk.append(pa.array(column, pa.string()).dictionary_encode())
    kind = pa.dictionary(pa.int32(), pa.string())
    return (
        [pa.chunked_array(chunk, kind) for chunk in chunks],
        np.concatenate(lines) if lines else np.empty(0, np.int64),
    )


def ragged(path: Path, line: int, expected: int, found: int) -> InputError:
    """Return the error for a row with more or fewer cells than there are columns."""
    return InputError(
        f"{path}: line {line} has {found} cell{'s' * (found != 1)}, expected {expected}"
    )
