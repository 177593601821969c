"""The network that resampled ones agree on most: exactly, by the search for networks itself.

Pairs of variables count that are adjacent often enough. Of all networks with arcs between these
only, and only arcs that some replicate has, the one is wanted whose arcs are the most frequent in
sum. An order of the variables decides everything: each pair is joined by the arc that points along
it. So what is asked for is the order that loses least, where a pair that points against the more
frequent of its two arcs loses the difference of the frequencies. The more frequent arcs form a
graph; only cycles in it force a loss, so that each strongly connected part of it is a problem of
its own, and most are single variables.

A part is a problem of parent sets: a variable may have any of the more frequent arcs into it, and
each that it does without costs the difference. A variable with k of them has 2^k sets. To keep
this small, the arcs into a variable are dealt to helpers, which have a few of them each: the only
parents that the variable may have are all its helpers, so that a helper is always before it, and an
arc that a helper has is an arc of the variable. A cycle among variables is a cycle among variables
and helpers, and the other way round, so that costs and networks are the same.

Costs are whole numbers of replicates, so that the search, which counts in millionths, is exact.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from anytimebn.base.errors import DataWarning
from anytimebn.base.graphs import strong_parts
from anytimebn.base.warn import warn_caller
from anytimebn.network.network import Network
from anytimebn.scores.store import LocalScores
from anytimebn.solver.search import search

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

Arc = tuple[int, int]

MOST_ARCS_TOGETHER = 8
"""Arcs into a variable that it has without helpers, and that a helper has: 256 parent sets."""


def consensus(
    names: Sequence[str],
    counts: Mapping[Arc, int],
    preferred: Sequence[int],
    **settings: Any,
) -> Network:
    """Find the acyclic network with the largest sum of counts.

    Parameters
    ----------
    names
        The variables.
    counts
        How often each arc ``(parent, child)`` was found; arcs that are not here cannot be chosen.
    preferred
        An order of the variables, which decides where the sum is the same.
    **settings
        Of the search, as in `anytimebn.search`.

    Examples
    --------
    >>> counts = {(0, 1): 7, (1, 2): 6, (2, 0): 5, (0, 2): 2}
    >>> consensus(("a", "b", "c"), counts, [0, 1, 2]).arcs
    (('a', 'b'), ('a', 'c'), ('b', 'c'))
    """
    gains = {
        (parent, child): count - counts.get((child, parent), 0)
        for (parent, child), count in counts.items()
        if count > counts.get((child, parent), 0)
    }
    kept = set(gains)
    for part in strong_parts(len(names), gains):
        if len(part) > 1:
            kept -= _arcs_to_turn(part, gains, settings)
    order = _ordered(kept, preferred)
    place = {variable: position for position, variable in enumerate(order)}
    parents: list[list[int]] = [[] for _ in names]
    for (parent, child), count in sorted(counts.items()):
        if count > 0 and place[parent] < place[child]:
            parents[child].append(parent)
    return Network(tuple(names), tuple(map(tuple, parents)))


def _arcs_to_turn(
    part: Sequence[int], gains: Mapping[Arc, int], settings: Mapping[str, Any]
) -> set[Arc]:
    """Choose the cheapest arcs of a part without which it has no cycle."""
    inside = set(part)
    problem = _Problem.of({arc: gains[arc] for arc in gains if inside.issuperset(arc)})
    found = search(problem.scores(), **settings)
    if found.status != "optimal":
        warn_caller(
            f"the average network may not be the best: the search ended with the status "
            f"{found.status!r}, with a sum of frequencies that is proven to be within "
            f"{found.cost - (found.lower_bound or 0):g} replicates",
            DataWarning,
        )
    return problem.arcs - problem.chosen(found.network)


@dataclass(frozen=True)
class _Problem:
    """Parent sets of variables and of their helpers.

    Attributes
    ----------
    gains
        What each arc is worth.
    groups
        The arcs that each one has to choose from, by its number: variables of the part come first,
        then helpers.
    must_have
        For variables with helpers, the numbers of these.
    """

    members: list[int]
    gains: Mapping[Arc, int]
    groups: list[list[Arc]]
    must_have: dict[int, list[int]]

    @classmethod
    def of(cls, gains: Mapping[Arc, int]) -> _Problem:
        members = sorted(set(itertools.chain(*gains)))
        groups: list[list[Arc]] = []
        helpers: list[list[Arc]] = []
        must_have = {}
        for number, child in enumerate(members):
            into = sorted(arc for arc in gains if arc[1] == child)
            if len(into) <= MOST_ARCS_TOGETHER:
                groups.append(into)
                continue
            groups.append([])
            dealt = [
                into[start : start + MOST_ARCS_TOGETHER]
                for start in range(0, len(into), MOST_ARCS_TOGETHER)
            ]
            first = len(members) + len(helpers)
            must_have[number] = list(range(first, first + len(dealt)))
            helpers += dealt
        return cls(members, gains, groups + helpers, must_have)

    @property
    def arcs(self) -> set[Arc]:
        return set(self.gains)

    def scores(self) -> LocalScores:
        """Give all parent sets, cheapest first."""
        number_of = {variable: number for number, variable in enumerate(self.members)}
        first_set, costs, first_member, members = [0], [], [0], []
        for number, group in enumerate(self.groups):
            total = sum(self.gains[arc] for arc in group)
            required = self.must_have.get(number, [])
            sets = [
                (
                    total - sum(self.gains[arc] for arc in chosen),
                    sorted([number_of[parent] for parent, _ in chosen] + required),
                )
                for size in range(len(group) + 1)
                for chosen in itertools.combinations(group, size)
            ]
            for cost, own in sorted(sets):
                costs.append(float(cost))
                members += own
                first_member.append(len(members))
            first_set.append(len(costs))
        return LocalScores(
            tuple(f"{number}" for number in range(len(self.groups))),
            np.array(first_set, dtype=np.int64),
            np.array(costs),
            np.array(first_member, dtype=np.int64),
            np.array(members, dtype=np.int32),
        )

    def chosen(self, network: Network) -> set[Arc]:
        """Give the arcs that variables and their helpers have in a network over both."""
        return {
            arc
            for number, group in enumerate(self.groups)
            for arc in group
            if self.members.index(arc[0]) in network.parents[number]
        }


def _ordered(arcs: Collection[Arc], preferred: Sequence[int]) -> list[int]:
    """Order the variables along the arcs; of those that may come next, the preferred one."""
    waiting = {
        variable: {parent for parent, child in arcs if child == variable} for variable in preferred
    }
    order: list[int] = []
    while waiting:
        ready = next(variable for variable, before in waiting.items() if not before)
        del waiting[ready]
        for before in waiting.values():
            before.discard(ready)
        order.append(ready)
    return order
