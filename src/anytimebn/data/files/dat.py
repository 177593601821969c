"""The ``.dat`` tables of GOBNILP: names, numbers of values, then rows, all separated by blanks.

Lines that start with ``#`` are comments. The second line declares how many values each variable
has; those that never occur are states all the same, under names of our making.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from anytimebn.base.errors import InputError
from anytimebn.base.text import shown
from anytimebn.data.columns import Column, as_numbers, find_values
from anytimebn.data.dataset import MAX_STATES
from anytimebn.data.files.text_rows import columns_of_rows, ragged, text_lines

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from numpy.typing import NDArray


def read_dat(path: Path, encoding: str | None = None) -> tuple[list[Column], NDArray[np.int64]]:
    """Read a ``.dat`` file: its variables, with their declared number of values.

    Gives the number of the line of each row, too.
    """
    rows = _rows(path, encoding)
    header = next(rows, None)
    if header is None:
        raise InputError(f"{path}: the file is empty")
    names = header[1]
    second = next(rows, None)
    if second is None:
        raise InputError(f"{path}: line {header[0] + 1}: the numbers of values are not there")
    line, cells = second
    if len(cells) != len(names):
        raise ragged(path, line, len(names), len(cells))
    for name, cell in zip(names, cells, strict=True):
        is_count = cell.isascii() and cell.isdigit() and len(cell) <= len(str(MAX_STATES))
        if not (is_count and 1 <= int(cell) <= MAX_STATES):
            raise InputError(
                f"{path}: line {line}: the number of values of {name!r} is {shown(cell)}; it must "
                f"be a whole number from 1 to {MAX_STATES}"
            )
    found, lines = columns_of_rows(path, len(names), rows)
    columns = []
    for name, cell, data in zip(names, cells, found, strict=True):
        arity = int(cell)
        column = find_values(name, data, from_text=True)
        if len(column.values) > arity:
            # Values come in order of first appearance, so this is the first one too many.
            row = int((column.codes == arity).argmax())
            raise InputError(
                f"{path}: line {lines[row]}: {column.values[arity].as_py()!r} is one value more "
                f"than the {arity} that line {line} declares for {name!r}"
            )
        columns.append(_declare(column, arity))
    return columns, lines


def _rows(path: Path, encoding: str | None) -> Iterator[tuple[int, list[str]]]:
    for number, line in enumerate(text_lines(path, encoding), start=1):
        cells = line.split()
        if cells and not cells[0].startswith("#"):
            yield number, cells


def _declare(column: Column, arity: int) -> Column:
    """Give the column as many values as were declared, in order."""
    import pyarrow as pa

    seen: list[str] = column.values.to_pylist()
    numbers = as_numbers(column.values) if seen else np.empty(0)
    if numbers is None:
        unused = (f"unused{i}" for i in range(1, 2 * MAX_STATES))
    else:
        # Codes start at 0, or at 1 where only that makes what was seen a part of 1 to arity.
        start = int(0 not in numbers and max(numbers, default=0) >= arity)
        known = set(numbers.tolist())
        unused = (str(i) for i in range(start, 2 * MAX_STATES) if i not in known)
    taken = set(seen)
    invented: list[str] = []
    while len(seen) + len(invented) < arity:
        name = next(unused)
        if name not in taken:
            invented.append(name)
    if numbers is None:
        states = sorted(seen) + invented
    else:
        states = sorted(seen + invented, key=lambda text: (float(text), text))
    place = {state: i for i, state in enumerate(states)}
    codes = np.array([*(place[value] for value in seen), -1], dtype=np.int32)[column.codes]
    return replace(column, codes=codes, values=pa.array(states, pa.string()), declared=True)
