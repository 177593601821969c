"""Values of a file that nobody should have changed: taken out with their types, or refused."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from anytimebn.base.checks import is_number, is_whole
from anytimebn.base.errors import InputError
from anytimebn.base.text import shown

if TYPE_CHECKING:
    from collections.abc import Callable

Value = TypeVar("Value")


class Fields:
    """The entries of a JSON object; each question names what it expects.

    Parameters
    ----------
    content
        What should be an object.
    place
        Where it is, for messages.

    Examples
    --------
    >>> fields = Fields({"seconds": 2.5, "stages": "none"}, "the state")
    >>> fields.number("seconds")
    2.5
    >>> fields.items("stages")
    Traceback (most recent call last):
    anytimebn.InputError: 'stages' of the state must be a list, not 'none'
    """

    def __init__(self, content: object, place: str) -> None:
        if not isinstance(content, Mapping):
            raise InputError(f"{place} must be an object, not {shown(content)}")
        self._content = content
        self._place = place

    def refuse(self, name: str, wanted: str) -> InputError:
        """Say what is wrong with an entry."""
        given = self._content.get(name)
        return InputError(f"{name!r} of {self._place} must be {wanted}, not {shown(given)}")

    def number(self, name: str) -> float:
        """A finite number."""
        value: Any = self._content.get(name)
        if not (is_number(value) and abs(value) <= sys.float_info.max):
            raise self.refuse(name, "a finite number")
        return float(value)

    def count(self, name: str) -> int:
        """A whole number of at least 0."""
        value: Any = self._content.get(name)
        if not (is_whole(value) and value >= 0):
            raise self.refuse(name, "a whole number of at least 0")
        return int(value)

    def text(self, name: str) -> str:
        """A text."""
        value = self._content.get(name)
        if not isinstance(value, str):
            raise self.refuse(name, "a text")
        return value

    def truth(self, name: str) -> bool:
        """True or false."""
        value = self._content.get(name)
        if not isinstance(value, bool):
            raise self.refuse(name, "true or false")
        return value

    def items(self, name: str) -> list[Any]:
        """A list."""
        value = self._content.get(name)
        if not isinstance(value, list):
            raise self.refuse(name, "a list")
        return value

    def entries(self, name: str) -> dict[str, Any]:
        """An object."""
        value = self._content.get(name)
        if not isinstance(value, dict):
            raise self.refuse(name, "an object")
        return value

    def part(self, name: str) -> Fields:
        """The entries of an object."""
        return Fields(self.entries(name), name)

    def maybe(self, name: str, take: Callable[[str], Value]) -> Value | None:
        """One of the above, or None where there is nothing."""
        return None if self._content.get(name) is None else take(name)
