"""Results in plain words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from anytimebn.base.memory_units import format_memory
from anytimebn.base.text import format_seconds, percent
from anytimebn.result.schema import is_count

if TYPE_CHECKING:
    from anytimebn.result.result import Result
    from anytimebn.scores.space import Space

ENDED_BY = {
    "gap": "the requested gap is reached",
    "time": "time limit reached",
    "memory": "memory limit reached",
    "expansions": "limit on nodes reached",
    "interrupted": "interrupted",
    "finished": "finished, without a proof of optimality",
}


def status_line(result: Result) -> str:
    """Say how the search ended, and what that means for the network."""
    if result.status == "optimal":
        return f"optimal: proven, no network{_considered(result.space)} costs less"
    ended = ENDED_BY.get(result.status, result.status)
    if result.lower_bound is None:
        return f"{ended}: {_no_bound(result)}"
    gap = result.gap
    if gap is None:
        return f"{ended}: no relative bound, because the lower bound is not positive"
    return f"{ended}: at most {percent(gap)} above the optimum{_considered(result.space)}"


def _no_bound(result: Result) -> str:
    """Say why no bound is known for the network, and what is known of others."""
    within = result.details.get("within_limit")
    if result.details.get("ended_in") == "scoring":
        return "no lower bound, because not all parent sets had been scored"
    if not isinstance(within, dict):
        return f"{result.algorithm} on data has no lower bound"
    return (
        "no lower bound, because it has larger parent sets than were searched with proof; it is "
        f"cheaper than the best network found with at most {within['max_parents']} parents a "
        "variable"
    )


def summary_of(result: Result) -> dict[str, str]:
    """Summarise a result: short names and what to say of each."""
    used = result.algorithm + (f" with {result.heuristic}" if result.heuristic else "")
    rows = {
        **_table(result),
        "cost": f"{result.cost:.6f} nats",
        "score": f"{result.score:.6f} ({result.score_name})",
        "lower bound": "none" if result.lower_bound is None else f"{result.lower_bound:.6f}",
        "error bound": _error_bound(result),
        "parents": _parent_limit(result),
        "parent sets": "counted when needed, not kept"
        if result.pops is None
        else f"{result.pops:,} that can be optimal",
        "search": f"{used}; {result.expanded:,} nodes, {format_memory(result.peak_memory_bytes)}",
        "time": _times(result.seconds),
    }
    within = result.details.get("within_limit")
    if isinstance(within, dict):
        rows["within limit"] = (
            f"networks with at most {within['max_parents']} parents a variable cost at least "
            f"{within['lower_bound']:.6f}; the best one found costs {within['cost']:.6f}"
        )
    if "bound_rests_on" in result.details:
        rows["proof"] = f"by {result.details['bound_rests_on']}"
    return rows


def _considered(space: Space) -> str:
    """Say which networks were considered."""
    limits = []
    if space.limits_matter:
        limits.append(f"with at most {space.max_parents} parents a variable")
    if space.constrained:
        limits.append("within the constraints")
    return " " + " and ".join(limits) if limits else ""


def _table(result: Result) -> dict[str, str]:
    """What was made of the table."""
    # A score file need not say, and may say anything.
    count, dropped, bins = (result.details.get(key) for key in ("rows", "rows_dropped", "bins"))
    if not is_count(count):
        return {}
    told = [f"{count:,} rows"]
    if is_count(dropped):
        told.append(f"{dropped:,} more dropped for missing values")
    if isinstance(bins, dict):
        told.append(f"cut into intervals: {', '.join(bins)}")
    rows = {"table": "; ".join(told)}
    states = dict(zip(result.network.names, result.network.states or (), strict=False))
    if constant := [name for name, values in states.items() if len(values) == 1]:
        rows["one value"] = ", ".join(constant)
    return rows


def _error_bound(result: Result) -> str:
    bound = result.error_bound
    return "unknown" if bound is None else f"{bound:.6f}"


def _parent_limit(result: Result) -> str:
    space = result.space
    if space.max_parents is None:
        return "no limit"
    if result.lower_bound is None:
        return f"up to {space.max_parents}"
    if space.larger_ruled_out is None:
        return f"up to {space.max_parents}, as in the score file; optimality is relative to it"
    if space.larger_ruled_out:
        return f"up to {space.max_parents} considered; larger sets are ruled out"
    return f"up to {space.max_parents} considered; optimality is relative to this limit"


def _times(seconds: dict[str, float]) -> str:
    stages = [
        f"{stage} {format_seconds(spent)}"
        for stage, spent in seconds.items()
        if stage != "total" and spent > 0
    ]
    return f"{format_seconds(seconds['total'])} ({', '.join(stages)})"
