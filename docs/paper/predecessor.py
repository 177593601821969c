"""The study before the paper's (Malone & Yuan, PGM 2012): what its abstract claims, on our runs.

It compared weighted A* with hill climbing, optimal reinsertion, and branch and bound. Its figures
are not at hand; its two claims are.
"""

from __future__ import annotations

import math
import statistics
from dataclasses import dataclass
from typing import TYPE_CHECKING

from docs.findings import item, table, verdict, wrapped
from docs.paper.finding import of
from docs.paper.parts import ASTAR, RIVALS, WEIGHTED_ONCE, WEIGHTS

from anytimebn.evaluation import rendering
from anytimebn.evaluation.tables import state_at
from anytimebn.result.event import error_bound

if TYPE_CHECKING:
    from collections.abc import Sequence

    from anytimebn.evaluation.data_sets import DataSetRuns
    from anytimebn.evaluation.report import Report

SAME = 1e-6  # of a cost: kept in millionths of a nat
SMALL_ERROR = 1.05
MUCH_LESS = 100  # times fewer nodes
SOURCE = (
    "B. Malone and C. Yuan, *A bounded error, anytime, parallel algorithm for exact Bayesian "
    "network structure learning* (PGM 2012)"
)


@dataclass(frozen=True)
class Ended:
    """How one search ended."""

    cost: float
    bound: float  # cost over lower bound
    expanded: int
    seconds: float  # of the search


def sections(report: Report) -> list[str]:
    """Write the section about the earlier study; nothing without runs."""
    data_sets = [data for data in report.data_sets if _ended(data, WEIGHTED_ONCE[-1]) is not None]
    if not data_sets:
        return []
    return [
        "## The study before: weighted A\\* and a bounded error",
        wrapped(
            f"The paper builds on {SOURCE}, which compared weighted A\\* with hill climbing, "
            "optimal reinsertion, and branch and bound. These are its claims, on data of the "
            "paper's kind, with a thread each and without a local search before A\\* and branch "
            "and bound."
        ),
        "\n".join((_better_sooner(data_sets), _error_saves(data_sets))),
        "Cost over the best known, in brackets what is proven about it, and seconds:",
        _table(data_sets),
    ]


def _ended(data: DataSetRuns, label: str) -> Ended | None:
    run = data.searches.get(label)
    if run is None or run.result is None:
        return None
    cost, lower = float(run.result["cost"]), float(run.result["lower_bound"])
    return Ended(
        cost,
        error_bound(cost, lower) or math.inf,
        int(run.result["expanded"]),
        float(run.result["seconds"]["search"]),
    )


def _better_sooner(data_sets: Sequence[DataSetRuns]) -> str:
    """Compare networks at the moment at which weighted A* ends, for each weight."""
    told, holds = [], False
    for weight, label in zip(WEIGHTS, WEIGHTED_ONCE, strict=True):
        own = [data for data in data_sets if _ended(data, label) is not None]
        counts = {title: _won_and_lost(own, label, rival) for rival, title in RIVALS.items()}
        if not own:
            continue
        against = (
            f"{title}'s on {cheaper} and dearer on {dearer} of {len(own)}"
            for title, (cheaper, dearer) in counts.items()
        )
        told.append(f"With weight {weight} it is cheaper than {'; than '.join(against)}.")
        holds |= sum(won - lost for won, lost in counts.values()) > 0
    return item(
        "**It often finds better networks more quickly than others (for some weight, more often "
        f"better than worse): {verdict(holds)}.** This is its network when it ends, beside what "
        f"the others have by then. {' '.join(told)}"
    )


def _won_and_lost(data_sets: Sequence[DataSetRuns], label: str, rival: str) -> tuple[int, int]:
    """On how many data sets a search ends with a cheaper, or dearer, network than a rival has."""
    cheaper = dearer = 0
    for data in data_sets:
        own, other = data.searches[label], data.searches.get(rival)
        if other is None or not own.events or not other.events:
            continue
        there = own.events[-1]
        met = state_at(other.events, there.seconds)
        cost = math.inf if met is None else met.cost
        cheaper += there.cost < cost * (1 - SAME)
        dearer += there.cost > cost * (1 + SAME)
    return cheaper, dearer


def _error_saves(data_sets: Sequence[DataSetRuns]) -> str:
    """Compare nodes of A* and of weighted A*, whose network may cost a little more."""
    told, enough = [], set()
    known = [(data, exact) for data in data_sets if (exact := _ended(data, ASTAR)) is not None]
    for weight, label in zip(WEIGHTS, WEIGHTED_ONCE, strict=True):
        savings, bounds, costs = [], [], []
        for data, exact in known:
            ended = _ended(data, label)
            if ended is None:
                continue
            saving = exact.expanded / max(1, ended.expanded)
            savings.append(saving)
            bounds.append(ended.bound)
            costs.append(data.ratio(ended.cost) or math.inf)
            if ended.bound <= SMALL_ERROR and saving >= MUCH_LESS:
                enough.add(data.name)
        if savings:
            told.append(
                f"With weight {weight} A\\* expands {_times(statistics.median(savings))} as many "
                f"nodes (median; at most {_times(max(savings))}), and networks cost at most "
                f"{_per_cent(max(costs))} more than the best, of which at most "
                f"{_per_cent(max(bounds))} had to be feared."
            )
    unfinished = sum(exact.bound > 1 for _, exact in known)
    rest = f" A\\* did not end on {unfinished} of them, and counts as far as it came."
    return item(
        "**A small, bounded error saves several orders of magnitude: "
        f"{verdict(2 * len(enough) > len(known))}.** At most {_per_cent(SMALL_ERROR)} with a "
        f"{MUCH_LESS}th of the nodes: {of(len(enough), len(known))} data sets. "
        f"{' '.join(told)}{rest if unfinished else ''}"
    )


def _times(factor: float) -> str:
    return f"{factor:,.0f} times" if factor >= 10 else f"{factor:.1f} times"


def _per_cent(ratio: float) -> str:
    return f"{100 * (ratio - 1):.2f} %"


def _table(data_sets: Sequence[DataSetRuns]) -> str:
    shown = {
        ASTAR: "A\\*",
        **{label: f"weight {w}" for label, w in zip(WEIGHTED_ONCE, WEIGHTS, strict=True)},
        **RIVALS,
    }
    lines = []
    for data in data_sets:
        cells = []
        for label in shown:
            ended = _ended(data, label)
            ratio = None if ended is None else data.ratio(ended.cost)
            if ended is None or ratio is None:
                cells.append(rendering.ABSENT)
                continue
            bound = rendering.ABSENT if math.isinf(ended.bound) else f"{ended.bound:.4f}"
            cells.append(f"{ratio:.4f} ({bound}) {ended.seconds:.2f} s")
        lines.append([data.name, rendering.number_text(data.pops), *cells])
    return table(["data set", "POPS", *shown.values()], lines)
