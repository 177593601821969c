"""The certificate of a cutting-plane loop: what proves its bound again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from anytimebn.scores.store import UNITS_PER_NAT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from anytimebn import _native
    from anytimebn.solver.linear.loop import CuttingPlaneLoop


LONGEST_CERTIFICATE = 32  # stages


@dataclass(frozen=True)
class Stage:
    """Rows and their multipliers, in units of costs over 2 ** shift."""

    rows: list[int]
    multipliers: NDArray[np.int64]
    shift: int


def rule_out(cuts: _native.CuttingPlanes, costs: list[int], incumbent: list[int]) -> int:
    """Rule out sets that no better network uses, but not the incumbent's: how many."""
    regrets = [cost - base for cost, base in zip(costs, cuts.base, strict=True)]
    return cuts.rule_out(regrets, cuts.sets_of(incumbent))


def certificate(
    run: _native.SearchRun,
    cuts: _native.CuttingPlanes,
    loop: CuttingPlaneLoop,
    names: Sequence[str],
) -> dict[str, Any]:
    """Make what proves the bound again: see `anytimebn.checker.rows`.

    With the final incumbent the last multipliers often rule out, by themselves, what took the loop
    many steps. So the shortest tail of the stages that proves the bound is taken; among a few dozen
    at most, or else whatever proves most.
    """
    number_of = _RowNumbers(loop.cuts, cuts)
    tail = [
        Stage([number_of(row) for row in stage.rows], stage.multipliers, stage.shift)
        for stage in loop.stages[-LONGEST_CERTIFICATE:]
    ]
    costs, incumbent = run.component_costs, run.chosen_sets()
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
    return _as_json(cuts, best, names, proven)


def _proven_by(
    cuts: _native.CuttingPlanes, stages: list[Stage], costs: list[int], incumbent: list[int]
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


def _as_json(
    cuts: _native.CuttingPlanes, stages: list[Stage], names: Sequence[str], proven: int
) -> dict[str, Any]:
    used: dict[int, None] = {}

    def use(row: int) -> None:
        for parent in cuts.origin(row)[1]:
            use(parent)
        used[row] = None

    for stage in stages:
        for row in stage.rows:
            use(row)
    clusters = [row for row in used if cuts.origin(row)[3] == 0]
    zero_half = [row for row in used if cuts.origin(row)[3] > 0]
    number = {row: i for i, row in enumerate([*clusters, *zero_half])}
    return {
        "kind": "rows",
        "clusters": [[names[v] for v in cuts.origin(row)[0]] for row in clusters],
        "zero_half": [
            {
                "rows": [number[parent] for parent in cuts.origin(row)[1]],
                "variables": [names[v] for v in cuts.origin(row)[2]],
            }
            for row in zero_half
        ],
        "stages": [
            {
                "rows": [number[row] for row in stage.rows],
                "multipliers": stage.multipliers.tolist(),
                "denominator": 2**stage.shift,
            }
            for stage in stages
        ],
        "lower_bound": proven / UNITS_PER_NAT,
    }
