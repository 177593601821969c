"""Tables that Arrow has read from a file."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from anytimebn.base.errors import InputError
from anytimebn.data.columns import Column, find_values

if TYPE_CHECKING:
    from pathlib import Path

ROW_LABELS = re.compile(r"__index_level_\d+__")
"""What pandas calls the row labels that it writes beside the columns."""


def name_that_is_no_text(path: Path) -> InputError:
    """Return the error for a name that Arrow cannot read."""
    return InputError(
        f"{path}: the name of a column is not UTF-8 text; rename it and write the file again"
    )


def columns_of_table(path: Path, table: Any) -> list[Column]:
    """Find the values of each column, without the row labels of pandas."""
    try:
        names = table.column_names  # which need not be text
        return [
            find_values(name, cells)
            for name, cells in zip(names, table.columns, strict=True)
            if not ROW_LABELS.fullmatch(name)
        ]
    except UnicodeDecodeError as error:
        raise name_that_is_no_text(path) from error
    except InputError as error:
        raise InputError(f"{path}: {error}") from error
