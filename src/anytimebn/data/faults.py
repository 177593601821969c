"""All that is wrong with a table, told at once: nobody wants to mend it one column at a time."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from anytimebn.base.errors import InputError
from anytimebn.base.text import LISTED_IN_A_MESSAGE

if TYPE_CHECKING:
    from collections.abc import Iterator


class Faults:
    """What is wrong with a table, so far.

    Parameters
    ----------
    source
        What messages call the table.

    Examples
    --------
    >>> faults = Faults("t.csv")
    >>> for name in "ab":
    ...     with faults.gathered():
    ...         raise InputError(f"column {name!r} has no value at all")
    >>> faults.tell()
    Traceback (most recent call last):
    anytimebn.InputError: t.csv: 2 faults:
    - column 'a' has no value at all
    - column 'b' has no value at all
    """

    def __init__(self, source: str) -> None:
        self._source = source
        self._found: list[str] = []

    @contextmanager
    def gathered(self) -> Iterator[None]:
        """Take what is raised here as one fault, and go on."""
        try:
            yield
        except InputError as error:
            self._found.append(str(error))

    def __len__(self) -> int:
        return len(self._found)

    def tell(self, hint: str = "") -> None:
        """Refuse the table if anything is wrong with it; of many faults the first are told.

        Parameters
        ----------
        hint
            What does away with all of them, told in a line of its own.
        """
        found = self._found
        if not found:
            return
        last = [hint] if hint else []
        if len(found) == 1:
            raise InputError("\n".join([f"{self._source}: {found[0]}", *last]))
        shown = found[:LISTED_IN_A_MESSAGE]
        rest = len(found) - len(shown)
        lines = [f"- {fault}" for fault in shown] + ([f"- and {rest} more"] if rest else [])
        raise InputError("\n".join([f"{self._source}: {len(found)} faults:", *lines, *last]))
