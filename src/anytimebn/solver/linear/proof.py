"""The certificate of a cutting-plane loop: what proves its bound again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from anytimebn.result import certificates
from anytimebn.scores.store import UNITS_PER_NAT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from anytimebn import _native
    from anytimebn.solver.linear.loop import CuttingPlaneLoop


LONGEST_CERTIFICATE = 32  # stages
MOST_SETS_LATE = 2_000_000  # with more, certificates take too long when the time is over


@dataclass(frozen=True)
class Stage:
    """Rows and their multipliers, in units of costs over 2 ** shift."""

    rows: list[int]
    multipliers: NDArray[np.int64]
    shift: int


def rule_out(
    cuts: _native.CuttingPlanes, costs: list[int], incumbent: Sequence[Sequence[int]]
) -> int:
    """Rule out sets that no better network uses, but not the incumbent's: how many."""
    regrets = [cost - base for cost, base in zip(costs, cuts.base, strict=True)]
    return cuts.rule_out(regrets, cuts.sets_of(incumbent))


def certificate(run: _native.SearchRun, loop: CuttingPlaneLoop) -> certificates.Rows | None:
    """Make what proves the bound again: see `anytimebn.checker.rows`.

    When the run is to end, there is only a moment for it: None if that is not enough.

    With the final incumbent the last multipliers often rule out, by themselves, what took the loop
    many steps. So the shortest tail of the stages that proves the bound is taken; among a few dozen
    at most, or else whatever proves most.
    """
    from anytimebn import _native

    if run.seconds_left <= 0 and loop.cuts.sets > MOST_SETS_LATE:
        return None
    try:
        return _shortest_proof(run, loop.cuts.without_rows(run), loop)
    except _native.WorkStopped:
        return None


def _shortest_proof(
    run: _native.SearchRun, cuts: _native.CuttingPlanes, loop: CuttingPlaneLoop
) -> certificates.Rows:
    number_of = _RowNumbers(loop.cuts, cuts)
    tail = [
        Stage([number_of(row) for row in stage.rows], stage.multipliers, stage.shift)
        for stage in loop.stages[-LONGEST_CERTIFICATE:]
    ]
    costs, incumbent = run.component_costs, run.parents()
    best: list[Stage] = []
    proven = _proven_by(cuts, best, costs, incumbent)
    length = 1
    while proven < sum(loop.bounds) and length <= 2 * LONGEST_CERTIFICATE:
        # The last one twice: first to rule out sets, then for the bound of those that are left.
        stages = [*tail[-length:], *tail[-1:]]
        bound = _proven_by(cuts, stages, costs, incumbent)
        if bound > proven:
            best, proven = stages, bound
        length *= 2
    return _rows_of(cuts, best, proven)


def _proven_by(
    cuts: _native.CuttingPlanes,
    stages: list[Stage],
    costs: list[int],
    incumbent: Sequence[Sequence[int]],
) -> int:
    cuts.allow_all()
    bounds = list(cuts.base)
    for stage in [Stage([], np.zeros(0, dtype=np.int64), 0), *stages]:
        if not cuts.evaluate(stage.rows, stage.multipliers, stage.shift):
            continue
        for component, base in enumerate(cuts.base):
            bound = min(base + cuts.bounds[component], costs[component])
            bounds[component] = max(bounds[component], bound)
        rule_out(cuts, costs, incumbent)
    return sum(bounds)


class _RowNumbers:
    """Rows of one collection put into another, each with what it is made of."""

    def __init__(self, source: _native.CuttingPlanes, target: _native.CuttingPlanes) -> None:
        self._source = source
        self._target = target
        self._known: dict[int, int] = {}

    def __call__(self, row: int) -> int:
        if row not in self._known:
            members, parents, children, rank = self._source.origin(row)
            self._known[row] = (
                self._target.add_zero_half([self(parent) for parent in parents], children)
                if rank
                else self._target.add_cluster(members)
            )
        return self._known[row]


def _rows_of(cuts: _native.CuttingPlanes, stages: list[Stage], proven: int) -> certificates.Rows:
    """Take the rows that the stages use, and those that these are made of, and number them."""
    clusters: dict[int, tuple[int, ...]] = {}
    zero_half: dict[int, certificates.ZeroHalfRow] = {}

    def use(row: int) -> None:
        if row in clusters or row in zero_half:
            return
        members, parents, children, rank = cuts.origin(row)
        for parent in parents:
            use(parent)
        if rank:
            zero_half[row] = certificates.ZeroHalfRow(tuple(parents), tuple(children))
        else:
            clusters[row] = tuple(members)

    for stage in stages:
        for row in stage.rows:
            use(row)
    number = {row: i for i, row in enumerate([*clusters, *zero_half])}
    return certificates.Rows(
        clusters=tuple(clusters.values()),
        zero_half=tuple(
            certificates.ZeroHalfRow(tuple(number[parent] for parent in row.rows), row.variables)
            for row in zero_half.values()
        ),
        stages=tuple(
            certificates.Stage(
                rows=tuple(number[row] for row in stage.rows),
                multipliers=tuple(stage.multipliers.tolist()),
                denominator=2**stage.shift,
            )
            for stage in stages
        ),
        lower_bound=proven / UNITS_PER_NAT,
    )
