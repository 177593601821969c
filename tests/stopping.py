"""Stopping a search from outside, and counting what it still does then.

How soon a search ends is told in work, not in seconds: those depend on what else the machine does.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from anytimebn.solver.run import Run

GUARD = 600  # seconds until something that hangs is given up; nothing takes nearly as long


def search_threads() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "anytimebn"]


class Told:
    """Stops a run, and notes how much it had done when it was told to."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.expanded: int | None = None

    def stop(self) -> None:
        self.run.stop()
        if self.expanded is None:
            # Not before: until it is told, a search may do as much as it likes.
            self.expanded = self.run.native.snapshot().expanded

    @property
    def expanded_after(self) -> int:
        """Nodes after it was told, and those before that it had not reported yet."""
        assert self.expanded is not None
        return self.run.native.snapshot().expanded - self.expanded
