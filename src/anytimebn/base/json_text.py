"""JSON that people and other programs write: what is wrong with it, and on which line."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from anytimebn.base.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path


def read_json(path: Path, what: str) -> Any:
    """Read a file, or say that this is not what was expected there."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}; give {what}") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: expected UTF-8 text, found other bytes; give {what}") from error
    return parse_json(path, text, what)


def parse_json(path: Path, text: str, what: str = "") -> Any:
    """Parse the text of a file; messages end with what to give instead, if that is said."""
    remedy = what and f"; give {what}"
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise InputError(f"{path}, line {error.lineno}: not JSON: {error.msg}{remedy}") from error
    except (RecursionError, ValueError) as error:  # lists in lists, or numbers of many digits
        raise InputError(f"{path}: not JSON that can be read: {error}{remedy}") from error
