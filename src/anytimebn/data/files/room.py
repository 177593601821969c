"""Whether there is room for a table: a compressed file can hold far more than its size tells."""

from __future__ import annotations

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

    def longest_line(self) -> int:
        """Give how many characters a line can have that `check_line` does not refuse."""
        return self._bytes // 2
