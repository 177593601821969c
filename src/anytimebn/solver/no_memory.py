"""When the system itself has no memory left: what was found by then stays."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from anytimebn import _native

MORE_THAN_THERE_IS = 2**64 - 1  # bytes, which no limit allows
NO_ROOM_FOR_LIBRARY = ("failed to map segment", "annot allocate memory")
"""What the system says of a library that does not fit into memory any more."""


def end_for_want_of_memory(contributor: _native.Contributor) -> None:
    """End a contribution to a run as a limit on memory would."""
    contributor.use_memory(0, MORE_THAN_THERE_IS)


@contextmanager
def importing_late() -> Iterator[None]:
    """Import here what is needed only when a search is under way, and much memory may be in use.

    Raises
    ------
    MemoryError
        If there is none left for it.
    """
    try:
        yield
    except ImportError as error:
        if any(told in str(error) for told in NO_ROOM_FOR_LIBRARY):
            raise MemoryError(str(error)) from error
        raise
