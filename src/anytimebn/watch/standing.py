"""Where work stands, in words that all views share."""

from __future__ import annotations

import math
from collections import deque
from typing import TYPE_CHECKING, NamedTuple

from anytimebn.base.memory_units import format_memory
from anytimebn.base.text import format_seconds, percent
from anytimebn.result.event import bound_in_words, error_bound

if TYPE_CHECKING:
    from anytimebn.base.clock import Stopwatch
    from anytimebn.base.report import Report

RATE_SECONDS = 3.0


class _Work(NamedTuple):
    """How much was done when."""

    seconds: float
    expanded: int


class Standing:
    """Tells where a search stands, and how fast it has been of late.

    Parameters
    ----------
    watch
        Tells what has passed: the time in a report stands still while an algorithm has nothing to
        report.
    time_limit
        When it will end in any case, in seconds.
    """

    def __init__(self, watch: Stopwatch, time_limit: float | None = None) -> None:
        self._watch = watch
        self._time_limit = math.inf if time_limit is None else time_limit
        self._work: deque[_Work] = deque()

    def rows(self, now: Report) -> dict[str, str]:
        """Names and what to say of each: of time and memory, of the network, of the nodes."""
        seconds = self._watch.elapsed()
        rate = self._rate(_Work(seconds, now.expanded))
        bound = None if now.cost is None else error_bound(now.cost, now.lower_bound)
        lower_bound = bound_in_words(now.lower_bound, now.cost, 3)
        if now.bound_space is not None:
            lower_bound += f" ({now.bound_space})"
        expected = ""
        seconds_left = math.inf
        # More nodes than were expected: nobody knows how many more there will be.
        if now.expected is not None and now.expected > now.expanded:
            expected = f"about {now.expected:,}"
            if rate > 0:
                seconds_left = (now.expected - now.expanded) / rate
        return {
            "elapsed": format_seconds(seconds),
            "memory": format_memory(now.memory_bytes),
            "left": self._left(seconds, seconds_left),
            "cost": "none yet" if now.cost is None else f"{now.cost:,.3f}",
            "lower bound": lower_bound,
            "above best": "unknown" if bound is None else f"at most {percent(bound - 1)}",
            "nodes": f"{now.expanded:,}",
            "nodes/s": f"{rate:,.0f}",
            "expected": expected,
        }

    def _left(self, seconds: float, expected: float) -> str:
        """Say how long it will take, by what is expected or by the limit."""
        allowed = max(0.0, self._time_limit - seconds)
        if not math.isfinite(min(allowed, expected)):
            return ""
        if expected <= allowed:
            return f"about {format_seconds(expected)}"
        return f"at most {format_seconds(allowed)}"

    def _rate(self, now: _Work) -> float:
        """Nodes per second over the last few seconds."""
        work = self._work
        work.append(now)
        while len(work) > 2 and now.seconds - work[1].seconds > RATE_SECONDS:
            work.popleft()
        before = work[0]
        elapsed = now.seconds - before.seconds
        return (now.expanded - before.expanded) / elapsed if elapsed > 0 else 0.0


def title_of(now: Report) -> str:
    """What is being done, in which space, and by what."""
    where = f" {now.space}" if now.space else ""
    return f"{now.phase}{where}" + (f" by {now.doing}" if now.doing else "")


def share_done(now: Report) -> str:
    """How much is done of work whose amount is known."""
    if now.replicates:
        return f"{now.done} of {now.replicates}"
    return f"{100 * (now.fraction or 0.0):.0f} %"
