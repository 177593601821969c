"""Lines and rows of text files, with the numbers of their lines."""

from __future__ import annotations

import gzip
import re
import zlib
from contextlib import suppress
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from anytimebn.base.errors import InputError
from anytimebn.data.files.room import Room, is_packed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from numpy.typing import NDArray

_ROWS_AT_A_TIME = 20_000


def text_lines(path: Path, encoding: str | None = None) -> Iterator[str]:
    """Yield the lines of a file with their line ends, without a byte order mark.

    It is UTF-8 unless another encoding is given.
    """
    packed = is_packed(path)
    opener: Any = gzip.open if packed else open
    room, characters = Room(path), 0
    longest = room.longest_line()
    try:
        most = room.most_unpacked()
        # What is cut off is refused, so that nobody gets half a line.
        longest = min(longest, int(most) + 1) if packed else longest
        with opener(path, "rt", encoding=python_name(encoding), newline="") as file:
            for number, line in enumerate(iter(partial(file.readline, longest), ""), start=1):
                if len(line) >= longest:
                    room.check_line(number, len(line) + 1)
                if packed and (characters := characters + len(line)) > most:
                    room.check_unpacked(characters)  # no character takes less than a byte
                yield line
    except UnicodeError:  # or what is no text in an encoding that begins with a mark
        raise not_text(path, encoding) from None
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"{path}: cannot be read: {error}") from error


def python_name(encoding: str | None) -> str:
    """Name an encoding as Python does, one of UTF-8 with or without its mark."""
    return "utf-8-sig" if encoding in (None, "utf-8") else str(encoding)


def not_text(path: Path, encoding: str | None) -> InputError:
    """Return the error for a file that is not in its encoding: the line, and a likely encoding."""
    opener: Any = gzip.open if is_packed(path) else open
    if encoding not in (None, "utf-8", "utf-8-sig"):
        return InputError(
            f"{path}: not text in the encoding {encoding}; give another with --encoding "
            "(encoding=... in Python), or leave it out for UTF-8"
        )
    number, line = 1, b""
    # A damaged archive may end here, but what was read last was no text before that.
    with opener(path, "rb") as file, suppress(OSError, EOFError, zlib.error):
        for number, line in enumerate(file, start=1):  # noqa: B007
            try:
                line.decode()
            except UnicodeDecodeError:
                break
    likely = likely_encoding(line)
    return InputError(
        f"{path}: line {number} is not UTF-8 text; it is likely {likely}: try --encoding {likely} "
        f"(encoding={likely!r} in Python), or save the file as UTF-8"
    )


def likely_encoding(line: bytes) -> str:
    """Guess the encoding of a line that is not UTF-8.

    Examples
    --------
    >>> likely_encoding("größe".encode("cp1252")), likely_encoding("возраст".encode("cp1251"))
    ('cp1252', 'cp1251')
    >>> likely_encoding("a,b".encode("utf-16"))
    'utf-16'
    """
    if line[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return "utf-16"
    if line.count(0) > len(line) // 4:
        return "utf-16-le" if line[1::2].count(0) > line[::2].count(0) else "utf-16-be"
    # Western words have single letters beyond ASCII, Cyrillic ones hardly any within.
    runs = re.findall(rb"[\xc0-\xff]{3,}", line)
    beyond = sum(byte > 127 for byte in line)
    return "cp1251" if 2 * sum(map(len, runs)) > beyond else "cp1252"


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
