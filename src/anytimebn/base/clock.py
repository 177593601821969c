"""Where time is read: one clock, handed down to all that have to end in time.

Nothing else in the package asks the system for the time, so that tests can hand down a clock of
their own and move it. The native core has a steady clock of its own.
"""

from __future__ import annotations

import math
import threading
import time
from dataclasses import dataclass
from typing import Protocol


class Clock(Protocol):
    """Seconds that never go back, from some moment in the past."""

    def seconds(self) -> float:
        """Read the time."""


class SystemClock:
    """The monotonic clock of the system."""

    def seconds(self) -> float:
        """Read the time."""
        return time.monotonic()


class ProcessClock:
    """Seconds of processors that this process has used, all of its threads together."""

    def seconds(self) -> float:
        """Read the time."""
        return time.process_time()


class ThreadClock:
    """Seconds of a processor that the thread has used which asks."""

    def seconds(self) -> float:
        """Read the time."""
        return time.thread_time()


SYSTEM_CLOCK: Clock = SystemClock()
PROCESS_CLOCK: Clock = ProcessClock()
THREAD_CLOCK: Clock = ThreadClock()


class ManualClock:
    """A clock that stands still until it is moved, for tests.

    Parameters
    ----------
    tick
        Seconds that pass with each reading, for code that only a later reading can end.

    Examples
    --------
    >>> clock = ManualClock()
    >>> deadline = Deadline.after(10, clock)
    >>> clock.advance(4)
    >>> deadline.left(), deadline.passed()
    (6.0, False)
    """

    def __init__(self, tick: float = 0.0) -> None:
        self._now = 0.0
        self._tick = tick
        self._lock = threading.Lock()

    def seconds(self) -> float:
        """Read the time."""
        with self._lock:
            now = self._now
            self._now += self._tick
            return now

    def advance(self, seconds: float) -> None:
        """Let time pass."""
        with self._lock:
            self._now += seconds


@dataclass(frozen=True)
class Stopwatch:
    """How long something has taken.

    Examples
    --------
    >>> clock = ManualClock()
    >>> watch = Stopwatch.started(clock)
    >>> clock.advance(2.5)
    >>> watch.elapsed()
    2.5
    """

    clock: Clock
    start: float

    @classmethod
    def started(cls, clock: Clock = SYSTEM_CLOCK) -> Stopwatch:
        """Start now."""
        return cls(clock, clock.seconds())

    def elapsed(self) -> float:
        """Seconds since the start."""
        return self.clock.seconds() - self.start


@dataclass(frozen=True)
class Deadline:
    """The moment by which something has to end; infinitely late if it may take any time.

    Examples
    --------
    >>> clock = ManualClock()
    >>> soon, never = Deadline.after(1, clock), Deadline.after(None, clock)
    >>> clock.advance(1)
    >>> soon.passed(), never.passed(), soon.earlier_of(never) is soon
    (True, False, True)
    """

    clock: Clock
    end: float

    @classmethod
    def after(cls, seconds: float | None, clock: Clock = SYSTEM_CLOCK) -> Deadline:
        """End so many seconds from now; None for never."""
        return cls(clock, math.inf if seconds is None else clock.seconds() + seconds)

    def left(self) -> float:
        """Seconds until the end; none when it has come."""
        return max(0.0, self.end - self.clock.seconds())

    def passed(self) -> bool:
        """Whether the end has come."""
        return self.left() <= 0

    def earlier_of(self, other: Deadline) -> Deadline:
        """The one of two on the same clock that comes first."""
        return self if self.end <= other.end else other

    @property
    def limit(self) -> float | None:
        """What is left as a time limit: None if there is none."""
        return None if math.isinf(self.end) else self.left()
