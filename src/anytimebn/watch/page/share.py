"""How much a page takes of the work that it shows, in seconds of processors."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

from anytimebn.base.clock import PROCESS_CLOCK, THREAD_CLOCK, Clock, Stopwatch

if TYPE_CHECKING:
    from collections.abc import Iterator

SHARE = 0.008
"""Of the work may go into a page; with what nobody counts that is less than a hundredth."""


FIRST_SECONDS = 0.1
"""To begin with: pages are opened when little work has been done yet."""


class Share:
    """Counts what the threads of a page take, and says when that is enough.

    Parameters
    ----------
    working, own
        Tell how long the whole process has worked, and the thread that asks.

    Examples
    --------
    >>> from anytimebn.base.clock import ManualClock
    >>> working, own = ManualClock(), ManualClock()
    >>> share = Share(working, own)
    >>> with share.counted():
    ...     own.advance(0.5)
    >>> share.seconds, share.allows(0.0)
    (0.5, False)
    >>> working.advance(100.0)
    >>> share.allows(0.3), share.allows(0.5)
    (True, False)
    """

    def __init__(self, working: Clock = PROCESS_CLOCK, own: Clock = THREAD_CLOCK) -> None:
        self._working = Stopwatch.started(working)
        self._own = own
        self._lock = threading.Lock()
        self.seconds = 0.0

    @contextmanager
    def counted(self) -> Iterator[Stopwatch]:
        """Count what this thread does in the block; the watch tells how much that is."""
        watch = Stopwatch.started(self._own)
        try:
            yield watch
        finally:
            with self._lock:
                self.seconds += watch.elapsed()

    def allows(self, more: float) -> bool:
        """Whether so many seconds more would still be within the share."""
        return self.seconds + more <= FIRST_SECONDS + SHARE * self._working.elapsed()

    @property
    def part(self) -> float:
        """What was taken so far, of all that the process has done since."""
        worked = self._working.elapsed()
        return self.seconds / worked if worked > 0 else 0.0
