"""The families of a network's neighbourhood, counted again from the table.

They are every family of the network with one parent added, removed, or exchanged for another, as
far as the constraints allow. What the search kept of them is not asked: a bound over these families
is about the neighbourhood and nothing else.
"""

from __future__ import annotations

import math
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from anytimebn.base.errors import InputError
from anytimebn.checker.families import Family, Problem, units_of
from anytimebn.checker.formulas import CountTable, cost_of_counts
from anytimebn.checker.report import Check

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from anytimebn.checker.claim import Claim
    from anytimebn.data.dataset import Dataset
    from anytimebn.scores.store import LocalScores

    Costs = dict[frozenset[int], float]  # of parent sets, in nats


def neighbourhood_costs(claim: Claim, dataset: Dataset) -> list[Costs]:
    """Count and score each family of the neighbourhood; variables have the result's numbers.

    Examples
    --------
    >>> from anytimebn.checker.claim import Claim
    >>> from anytimebn.data.dataset import Dataset
    >>> codes = np.array([[0, 0, 1, 1], [0, 0, 1, 1], [0, 1, 0, 1]], dtype=np.uint16)
    >>> data = Dataset(("a", "b", "c"), (("0", "1"),) * 3, codes)
    >>> claim = Claim.of({
    ...     "status": "finished", "cost": 0.0, "score": 0.0, "lower_bound": None,
    ...     "error_bound": None, "variables": ["a", "b", "c"], "score_name": "aic",
    ...     "parents": {"a": [], "b": ["a"], "c": []}, "constraints": None, "events": [],
    ... })
    >>> costs = neighbourhood_costs(claim, data)
    >>> sorted(map(sorted, costs[1]))
    [[], [0], [0, 2], [2]]
    >>> costs[1][frozenset({0})]
    2.0
    """
    absent = [name for name in claim.names if name not in dataset.names]
    if absent:
        raise InputError(f"the data have no column {absent[0]!r}")
    counter = _Counter(claim, dataset)
    number_of = {name: number for number, name in enumerate(claim.names)}
    return [
        counter.near(child, frozenset(number_of[parent] for parent in claim.parents[name]))
        for child, name in enumerate(claim.names)
    ]


def problem_of_costs(claim: Claim, costs: list[Costs]) -> Problem:
    """Take the families that no smaller one beats, in whole numbers."""
    number_of = {name: number for number, name in enumerate(claim.names)}
    families, network = [], []
    for child, name in enumerate(claim.names):
        units = {parents: units_of(cost, name) for parents, cost in costs[child].items()}
        wanted = frozenset(number_of[parent] for parent in claim.parents[name])
        network.append(units[wanted])
        kept: list[Family] = []
        for parents, cost in sorted(units.items(), key=lambda own: (own[1], len(own[0]))):
            beaten = any(smaller.parents <= parents for smaller in kept)
            if parents == wanted or not beaten:
                kept.append(Family(parents, cost))
        families.append(tuple(kept))
    return Problem(tuple(families), tuple(network))


def none_is_missing(claim: Claim, costs: list[Costs], scores: LocalScores) -> Check:
    """Compare the neighbourhood with the families that were searched.

    One that is not there must be beaten by one that is, with some of its parents.
    """
    name = "neighbourhood"
    number_of = {name: number for number, name in enumerate(claim.names)}
    for child, variable in enumerate(claim.names):
        known = {
            frozenset(number_of[parent] for parent in parents): cost
            for cost, parents in scores.parent_sets(variable)
        }
        for parents, cost in costs[child].items():
            if parents in known:
                if not claim.agree(known[parents], cost):
                    told = f"costs {cost!r}, in the scores {known[parents]!r}"
                    return Check(name, False, f"{_shown(claim, child, parents)} {told}")
            elif not any(
                own <= cost + claim.tolerance and smaller < parents
                for smaller, own in known.items()
            ):
                missing = f"{_shown(claim, child, parents)} is missing in the scores"
                return Check(name, False, f"{missing}, and costs less than its subsets there")
    count = sum(map(len, costs))
    return Check(name, True, f"none of its {count:,} families is missing in the scores")


def single_changes(claim: Claim, costs: list[Costs]) -> Check:
    """Look for one family that is cheaper and closes no cycle: with it the claim would be false.

    That there is none is far from what is claimed, where all families may change at once.
    """
    name = "single changes"
    number_of = {variable: number for number, variable in enumerate(claim.names)}
    parents = [frozenset(number_of[p] for p in claim.parents[child]) for child in claim.names]
    for child, own in enumerate(parents):
        below = _descendants(child, parents)
        for other, cost in costs[child].items():
            if cost < costs[child][own] - claim.tolerance and below.isdisjoint(other):
                better = f"{_shown(claim, child, other)} alone makes the network cheaper"
                return Check(name, False, better)
    return Check(name, True, "no family alone makes the network cheaper")


def _descendants(variable: int, parents: list[frozenset[int]]) -> set[int]:
    found = {variable}
    grew = True
    while grew:
        reached = {child for child, own in enumerate(parents) if not found.isdisjoint(own)}
        grew = not reached <= found
        found |= reached
    return found


def _shown(claim: Claim, child: int, parents: frozenset[int]) -> str:
    members = ", ".join(claim.names[parent] for parent in sorted(parents))
    return f"the parent set {{{members}}} of {claim.names[child]!r}"


class _Counter:
    """Counts a family with each further parent in turn, all at once."""

    def __init__(self, claim: Claim, dataset: Dataset) -> None:
        self._claim = claim
        column = {name: position for position, name in enumerate(dataset.names)}
        columns = [column[name] for name in claim.names]
        self._codes = [dataset.codes[position].astype(np.int64) for position in columns]
        self._values = [len(dataset.states[position]) for position in columns]
        self._rows = dataset.codes.shape[1]
        # A line for each value of each variable: which rows have it.
        self._first = np.concatenate([[0], np.cumsum(self._values)])
        self._shows = np.concatenate(
            [
                codes[None, :] == np.arange(values)[:, None]
                for codes, values in zip(self._codes, self._values, strict=True)
            ]
        ).astype(np.uint8)

    @cached_property
    def _below(self) -> list[set[int]]:
        """Of each variable what can never be its parent: where required arcs lead from it."""
        number_of = {name: number for number, name in enumerate(self._claim.names)}
        required: list[frozenset[int]] = [frozenset()] * len(number_of)
        for parent, child in self._claim.space.required:
            if parent in number_of and child in number_of:
                required[number_of[child]] |= {number_of[parent]}
        return [_descendants(variable, required) for variable in range(len(required))]

    def near(self, child: int, own: frozenset[int]) -> Costs:
        costs: Costs = {}
        for base in [own, *(own - {parent} for parent in sorted(own))]:
            self._add(child, base, costs)
        return costs

    def _allows(self, child: int, parents: frozenset[int]) -> bool:
        if not self._below[child].isdisjoint(parents):
            return False
        names = self._claim.names
        return self._claim.space.allows(names[child], [names[parent] for parent in parents])

    def _add(self, child: int, base: frozenset[int], costs: Costs) -> None:
        """Score a parent set, and that with one more."""
        values = self._values[child]
        configurations = math.prod(self._values[parent] for parent in base)
        seen, of_row = self._seen(base)
        cells = of_row * values + self._codes[child]
        if self._allows(child, base):
            family = np.bincount(cells, minlength=seen * values)
            costs[base] = self._cost(family.reshape(seen, values), configurations, values)
        more = [
            parent
            for parent in range(len(self._values))
            if parent != child
            and parent not in base
            and (wider := base | {parent}) not in costs
            and self._allows(child, wider)
        ]
        if not more:
            return
        order = np.argsort(cells, kind="stable")
        shown, begins = np.unique(cells[order], return_index=True)
        lines = np.concatenate(
            [np.arange(self._first[parent], self._first[parent + 1]) for parent in more]
        )
        counted = np.add.reduceat(self._shows[lines][:, order], begins, axis=1, dtype=np.int64)
        tables = np.zeros((len(lines), seen * values), dtype=np.int64)
        tables[:, shown] = counted
        place = 0
        for parent in more:
            width = self._values[parent]
            table = tables[place : place + width].reshape(width * seen, values)
            place += width
            costs[base | {parent}] = self._cost(table, configurations * width, values)

    def _seen(self, parents: frozenset[int]) -> tuple[int, NDArray[np.int64]]:
        """Number the configurations of the parents that the data show; the number of each row."""
        numbers = np.zeros(self._rows, dtype=np.int64)
        for parent in sorted(parents):
            combined = numbers * self._values[parent] + self._codes[parent]
            numbers = np.unique(combined, return_inverse=True)[1].astype(np.int64)
        return int(numbers.max(initial=0)) + 1, numbers

    def _cost(self, family: NDArray[np.int64], configurations: int, values: int) -> float:
        table = CountTable(
            given=family.sum(axis=1),
            family=family.ravel(),
            rows=self._rows,
            configurations=configurations,
            values=values,
        )
        return cost_of_counts(table, self._claim.score_name, self._claim.ess)
