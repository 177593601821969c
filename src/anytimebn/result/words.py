"""Results in plain words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from anytimebn.base.memory_units import format_memory
from anytimebn.base.text import format_seconds, how_many, listed, percent
from anytimebn.data.completion import Completion
from anytimebn.result.event import bound_in_words
from anytimebn.result.schema import are_names, is_count

if TYPE_CHECKING:
    from collections.abc import Mapping

    from anytimebn.result.result import Result

ENDED_BY = {
    "gap": "the requested gap is reached",
    "time": "time limit reached",
    "memory": "memory limit reached",
    "disk": "memory and disk are full",
    "expansions": "limit on nodes reached",
    "interrupted": "interrupted",
    "finished": "finished, without a proof of optimality",
}


def status_line(result: Result) -> str:
    """Say how the search ended, and what that means for the network."""
    space = result.space
    about = space.condition + completed_in_words(result.details)
    if result.claim is not None:
        return f"{result.claim}: proven, no network{about} costs less{_cut_short(result)}"
    ended = ENDED_BY.get(result.status, result.status) + _cut_short(result)
    if result.lower_bound is None:
        return f"{ended}: {_no_bound(result)}"
    gap = result.gap
    if gap is None:
        return f"{ended}: no relative bound, because the lower bound is not positive"
    best = "the optimum" if space.grown is None else "the best network"
    return f"{ended}: at most {percent(gap)} above {best}{about}"


def _cut_short(result: Result) -> str:
    """Say what ended the search for a network beyond the space that something is proven of."""
    ended_by = result.details.get("ended_by")
    if not isinstance(ended_by, str) or ended_by not in ENDED_BY:
        return ""
    return f"; {ENDED_BY[ended_by]} while searching further"


def completed_in_words(told: Mapping[str, Any]) -> str:
    """Say of which table something is proven, where what was missing has been completed."""
    return " for the completed table" if told.get("completion") is not None else ""


def _no_bound(result: Result) -> str:
    """Say why no bound is known for the network."""
    if result.details.get("ended_in") == "scoring":
        return "no lower bound, because not all parent sets had been scored"
    if any("families" in stage for stage in _stages(result)):
        return "no lower bound, because there was no time to search the neighbourhood of this one"
    if result.algorithm == "auto":
        return "no lower bound, because there was no time to prove one"
    return f"{result.algorithm} on data has no lower bound"


def _stages(result: Result) -> list[dict[str, Any]]:
    stages = result.details.get("stages")
    known = isinstance(stages, list) and all(isinstance(stage, dict) for stage in stages)
    return stages if known and stages else []


def summary_of(result: Result) -> dict[str, str]:
    """Summarise a result: short names and what to say of each."""
    used = result.algorithm + (f" with {result.heuristic}" if result.heuristic else "")
    rows = {
        **_table(result),
        "cost": f"{result.cost:.6f} nats",
        "score": f"{result.score:.6f} ({result.score_name})",
        "lower bound": bound_in_words(result.lower_bound, result.cost, 6).replace(",", ""),
        "gap": gap_in_words(result),
        "space": _space(result),
        "parent sets": "counted when needed, not kept"
        if result.pops is None
        else f"{result.pops:,} that can be of use",
        "search": f"{used}; {result.expanded:,} nodes, {format_memory(result.peak_memory_bytes)}",
        "time": _times(result.seconds),
    }
    if "bound_rests_on" in result.details:
        rows["proof"] = f"by {result.details['bound_rests_on']}"
    return rows


def _table(result: Result) -> dict[str, str]:
    """What was made of the table."""
    # A score file need not say, and may say anything.
    count, dropped, bins = (result.details.get(key) for key in ("rows", "rows_dropped", "bins"))
    if not is_count(count):
        return {}
    told = [f"{count:,} rows"]
    if is_count(dropped):
        told.append(f"{dropped:,} more dropped for missing values")
    if completion := Completion.from_json(result.details.get("completion")):
        told.append(f"{how_many(completion.values, 'missing value')} completed")
    if isinstance(bins, dict):
        told.append(f"cut into intervals: {listed(list(bins))}")
    rows = {"table": "; ".join(told)}
    states = dict(zip(result.network.names, result.network.states or (), strict=False))
    if constant := [name for name, values in states.items() if len(values) == 1]:
        rows["one value"] = listed(constant)
    return rows


def gap_in_words(result: Result) -> str:
    """Say how far the cost can be above the best of its space."""
    if result.claim is not None:
        return f"0 %: {result.claim}"
    return "unknown" if result.gap is None else f"at most {percent(result.gap)} above the best"


def _space(result: Result) -> str:
    """Say which families the bound is about."""
    space = result.space
    if result.lower_bound is None:
        return "no limit" if space.max_parents is None else f"up to {space.limit_in_words}"
    if space.grown is not None:
        grown = space.grown
        parts = ["every family of the network with one parent more, less, or exchanged"]
        if not grown.neighbourhood:
            parts = []
        if grown.levels_in_words:
            larger = _ruled_out(result)
            parts.append(f"all of up to {grown.levels_in_words}{larger and f' ({larger})'}")
        if grown.families:
            parts.append(f"{grown.families:,} {'others' if parts else 'families'}")
        return f"{'; '.join(parts)}; the largest has {how_many(grown.largest, 'parent')}"
    limit = space.limit_in_words
    if space.complete is None:
        return f"the given parent sets, of up to {limit}; larger ones may be better"
    if space.complete:
        return f"complete: all sets of up to {limit}; larger sets are ruled out"
    return f"all sets of up to {limit}; {_ruled_out(result) or 'larger ones may be better'}"


def _ruled_out(result: Result) -> str:
    """Say for how many variables larger sets than all that there are can be no better, if any."""
    names = result.network.names
    complete = result.details.get("complete_variables")
    if not are_names(complete) or not complete:
        return ""
    count = how_many(len(names), "variable")
    return f"larger ones are ruled out for {len(complete):,} of {count}"


def _times(seconds: dict[str, float]) -> str:
    stages = [
        f"{stage} {format_seconds(spent)}"
        for stage, spent in seconds.items()
        if stage != "total" and spent > 0
    ]
    return f"{format_seconds(seconds['total'])} ({', '.join(stages)})"
