"""Whether there is room for a table: a compressed file can hold far more than its size tells."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from anytimebn.base.errors import InputError
from anytimebn.base.memory_units import format_memory
from anytimebn.base.resources import memory_to_use

if TYPE_CHECKING:
    from pathlib import Path

BYTES_OF_CELL = 2 * np.dtype(np.int32).itemsize + np.dtype(np.uint16).itemsize
"""At least: the number of its value, as Arrow and as a `Column` has it, and the code it gets."""

BYTES_OF_COLUMN = 16_000
"""What Arrow takes for a column of a text file, however short it is."""

FEW_COLUMNS = 1000
FEW_BYTES = 2**20

TABLES_OF_TEXTS = 4
"""How many times the size of a text its tables have at most (``native/tables/plain_cells.cpp``)."""

MOST_UNASKED_BYTES = 128 * 2**20
"""Text that a compressed file may hold however small it is."""

MOST_UNASKED_TIMES = 200
"""How many times its size that may be beyond. Tables of real cells seldom become a hundred times
smaller; what is all the same becomes a thousand times smaller, and is an accident or an attack."""


class Room:
    """The memory that is free when a file is opened."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._bytes = memory_to_use(None)

    def check(self, rows: int, columns: int) -> None:
        """Refuse a table of so many rows, or more, if it cannot fit."""
        needed = rows * columns * BYTES_OF_CELL
        if needed > self._bytes:
            raise InputError(
                f"{self._path}: {rows:,} rows of {columns:,} columns, or more, take at least "
                f"{format_memory(needed)}; {format_memory(self._bytes)} can be used. Take a sample "
                "of the rows, leave columns out, or use a machine with more memory"
            )

    def is_enough(self, size: int) -> bool:
        """Tell whether a text of so many bytes can be read as a whole.

        That takes the text, its cells, of two bytes each, and the tables in which they are found.
        """
        needed = size + size // 2 * BYTES_OF_CELL + 2 * TABLES_OF_TEXTS * size
        return size <= FEW_BYTES or needed <= self._bytes

    def check_columns(self, columns: int) -> None:
        """Refuse a text file of so many columns if Arrow cannot read it.

        It has to be known before: threads of Arrow that get no memory end the whole process.
        """
        needed = columns * BYTES_OF_COLUMN
        # A few find their place in what was once taken from the system and not given back.
        if columns > FEW_COLUMNS and needed > self._bytes:
            raise InputError(
                f"{self._path}: {columns:,} columns take at least {format_memory(needed)} to read; "
                f"{format_memory(self._bytes)} can be used. Leave columns out, write .parquet, or "
                "use a machine with more memory"
            )

    def check_line(self, number: int, length: int) -> None:
        """Refuse a line so long, or longer, if it cannot fit: as text, and as its cells."""
        needed = 2 * length
        if needed > self._bytes:
            raise InputError(
                f"{self._path}: line {number} is longer than {format_memory(length)}, and does not "
                f"fit into the {format_memory(self._bytes)} that can be used. Is this a text file?"
            )

    def most_unpacked(self) -> float:
        """Give how much a file may hold without being asked for: any, if it is not compressed."""
        if not is_packed(self._path):
            return math.inf
        return max(MOST_UNASKED_BYTES, MOST_UNASKED_TIMES * self._path.stat().st_size)

    def check_unpacked(self, size: int) -> None:
        """Refuse a compressed file that holds so many bytes, or more, if nobody has asked for them.

        What the file itself tells is not believed: it is about the last of its parts only, and may
        be wrong.
        """
        if size > self.most_unpacked():
            packed = self._path.stat().st_size
            raise InputError(
                f"{self._path}: {format_memory(packed)} that unpack to {format_memory(size)} or "
                f"more, over {MOST_UNASKED_TIMES} times as much. If that is what you want, unpack "
                "the file first (with gunzip -k), and give what comes out"
            )

    def longest_line(self) -> int:
        """Give how many characters a line can have that `check_line` does not refuse."""
        return self._bytes // 2


def is_packed(path: Path) -> bool:
    """Whether, by its name, a file is compressed.

    Examples
    --------
    >>> from pathlib import Path
    >>> is_packed(Path("a.csv.GZ")), is_packed(Path("a.csv"))
    (True, False)
    """
    return path.suffix.lower() == ".gz"
