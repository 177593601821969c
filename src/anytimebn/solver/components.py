"""Components of a problem by turns: which one a worker has, and what their rows prove together.

The variables of a component depend on each other; parents from other components all come before it,
whatever is chosen there. So a worker may hold everything outside a component as it is, and what it
finds and proves inside is true of the whole problem.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from anytimebn.result.certificates import Rows, Stage, ZeroHalfRow

if TYPE_CHECKING:
    from collections.abc import Iterable

    from anytimebn import _native

Variables: TypeAlias = tuple[int, ...]


class Turn(NamedTuple):
    """A component, its variables, and how often it was given before.

    There are none where no other component is worth leaving out.
    """

    component: int
    free: Variables | None
    before: int


class ComponentTurns:
    """Gives the components of a run that are not solved by turns.

    Parameters
    ----------
    run
        A prepared one.
    """

    def __init__(self, run: _native.SearchRun) -> None:
        self._run = run
        self._given: Counter[int] = Counter()
        self._component_of: list[int] = []  # by variable, once it is known

    def next(self) -> Turn | None:
        """Give the one that had the fewest turns, of these the one with the largest gap.

        None if all are solved, or the run is to end.
        """
        costs, bounds = self._run.component_costs, self._run.component_bounds
        gaps = {
            component: cost - bound
            for component, (cost, bound) in enumerate(zip(costs, bounds, strict=True))
            if cost > bound
        }
        if not gaps:
            return None
        chosen = min(gaps, key=lambda component: (self._given[component], -gaps[component]))
        free = None
        if sum(size > 1 for size in self._run.component_sizes) > 1:
            component_of = self._components()
            if component_of is None:
                return None
            free = tuple(v for v, component in enumerate(component_of) if component == chosen)
        turn = Turn(chosen, free, self._given[chosen])
        self._given[chosen] += 1
        return turn

    def of_rows(self, rows: Rows) -> set[int]:
        """Give the components that have variables of these rows; all where nobody knows yet."""
        if not self._component_of:
            return set(range(len(self._run.component_sizes)))
        return {self._component_of[v] for cluster in rows.clusters for v in cluster}

    def _components(self) -> list[int] | None:
        """Give the component of each variable; None if the run is to end."""
        from anytimebn import _native

        if not self._component_of:
            try:
                self._component_of = _native.CuttingPlanes(self._run, 0).component_of
            except _native.WorkStopped:
                return None
        return self._component_of


def joined_rows(parts: Iterable[Rows]) -> Rows:
    """Make one certificate of several, of rows that have no variables in common.

    Its stages are theirs, one after the other: the best bound of each component counts, whichever
    stage it is of. What it proves is to be computed.

    Examples
    --------
    >>> first = Rows(clusters=((0, 1),), zero_half=(), stages=(Stage((0,), (4,), 1),))
    >>> second = Rows(clusters=((2, 3),), zero_half=(), stages=(Stage((0,), (5,), 2),))
    >>> both = joined_rows([first, second])
    >>> both.clusters
    ((0, 1), (2, 3))
    >>> both.stages[1]
    Stage(rows=(1,), multipliers=(5,), denominator=2)
    """
    parts = list(parts)
    clusters = tuple(cluster for part in parts for cluster in part.clusters)
    zero_half: list[ZeroHalfRow] = []
    stages: list[Stage] = []
    earlier = 0
    for part in parts:
        # Clusters are numbered first, then all other rows.
        moved = [earlier + number for number in range(len(part.clusters))]
        moved += [len(clusters) + len(zero_half) + number for number in range(len(part.zero_half))]
        zero_half += [
            ZeroHalfRow(tuple(moved[number] for number in row.rows), row.variables)
            for row in part.zero_half
        ]
        stages += [
            Stage(tuple(moved[row] for row in stage.rows), stage.multipliers, stage.denominator)
            for stage in part.stages
        ]
        earlier += len(part.clusters)
    return Rows(clusters=clusters, zero_half=tuple(zero_half), stages=tuple(stages))
