"""What the suites that search for a proof measure and print alike."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import anytimebn as ab
from benchmarks.suite import Column

if TYPE_CHECKING:
    from collections.abc import Sequence

    from anytimebn.result.event import Event
    from anytimebn.result.result import Result

MEMORY = "8GiB"


def timed_search(scores: ab.LocalScores, **settings: Any) -> tuple[Result, dict[str, Any]]:
    """Search, and tell how long it took and how far it came."""
    start = time.perf_counter()
    result = ab.search(scores, **settings)
    return result, {
        "seconds": time.perf_counter() - start,
        "status": result.status,
        "cost": result.cost,
        "lower_bound": result.lower_bound,
        "gap_percent": 100 * (result.cost - result.lower_bound) / result.cost,
        "expanded": result.expanded,
        "engine_memory_bytes": result.peak_memory_bytes,
        "variables": scores.variables,
        "pops": scores.pops,
    }


def gap_after(events: Sequence[Event], seconds: float) -> float:
    """Percent of the cost that is not proven at this time."""
    last = [event for event in events if event.seconds <= seconds][-1:]
    return 100 * (last[0].cost - last[0].lower_bound) / last[0].cost if last else 100.0


def gap_columns(*seconds: int) -> list[Column]:
    """The gap at these times, as `gaps` stores them, and in the end."""
    return [
        *(_percent_column(f"after {s} s", f"gap_percent_after_{s}_seconds") for s in seconds),
        _percent_column("end", "gap_percent"),
    ]


def gaps(events: Sequence[Event], *seconds: int) -> dict[str, float]:
    """The gap at these times."""
    return {f"gap_percent_after_{s}_seconds": gap_after(events, s) for s in seconds}


def _percent_column(title: str, key: str) -> Column:
    return Column(title, lambda r: percent(r[key]))


def percent(value: float | None) -> str:
    """For a column of the table."""
    return "" if value is None else f"{value:.3f} %"
