"""The first sheet of an ``.xlsx`` workbook."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from anytimebn.base.errors import InputError
from anytimebn.base.optional import optional
from anytimebn.data.columns import BLANKS, MISSING_TEXT, Column, object_column
from anytimebn.data.files.room import Room

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

LOG = logging.getLogger(__name__)


def read_excel(path: Path, header: bool) -> tuple[list[Column], list[int]]:
    """Read the columns, and the number of each row in the sheet.

    Cells are what the sheet says that they are, numbers or text; rows and columns without any value
    are left out.
    """
    openpyxl = optional(
        "openpyxl", needed_for="a table in an .xlsx file", install="'anytimebn[excel]'"
    )
    try:
        # A file that is open here is closed in any case; a path that is damaged need not be.
        with path.open("rb") as file:
            book = openpyxl.load_workbook(file, read_only=True, data_only=True)
            rows = list(_rows(path, book))
    except InputError:
        raise
    except Exception as error:  # it raises whatever fails in a damaged file
        raise InputError(f"{path}: not an .xlsx workbook that can be read: {error}") from error
    if not rows:
        raise InputError(f"{path}: the first sheet is empty")
    used = [number for number in range(max(len(cells) for _, cells in rows)) if _used(number, rows)]
    names = [f"X{number}" for number in range(len(used))]
    if header:
        line, first = rows.pop(0)
        if not rows:
            raise InputError(f"{path}: no rows of data after row {line}")
        named = [_cell(first, number) for number in used]
        names = ["" if name is None else str(name).strip(BLANKS) for name in named]
    columns = [
        object_column(name, [_cell(cells, number) for _, cells in rows])
        for name, number in zip(names, used, strict=True)
    ]
    return columns, [line for line, _ in rows]


def _rows(path: Path, book: Any) -> Iterator[tuple[int, tuple[Any, ...]]]:
    """Give the number and the cells of each row that has any."""
    room = Room(path)
    sheet = book.worksheets[0]
    if len(book.sheetnames) > 1:
        LOG.info("%s: the first of %s sheets is read", path, len(book.sheetnames))
    for number, cells in enumerate(sheet.iter_rows(values_only=True), start=1):
        room.check(number, len(cells))
        if any(cell is not None for cell in cells):
            yield number, cells


def _used(number: int, rows: list[tuple[int, tuple[Any, ...]]]) -> bool:
    return any(_cell(cells, number) is not None for _, cells in rows)


def _cell(cells: tuple[Any, ...], number: int) -> Any:
    """Give a cell as it is, but for text that means that it is missing."""
    cell = cells[number] if number < len(cells) else None
    if isinstance(cell, str):
        cell = cell.strip(BLANKS)
        return None if cell in MISSING_TEXT else cell
    return cell
