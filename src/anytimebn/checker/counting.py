"""Families counted again from the table, many at once, with code that the search does not use."""

from __future__ import annotations

import math
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from anytimebn.base.errors import InputError
from anytimebn.checker.families import Family, Problem, units_of
from anytimebn.checker.formulas import CountTable, cost_of_counts, least_cost_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from anytimebn.checker.claim import Claim
    from anytimebn.data.dataset import Dataset

    Costs = dict[frozenset[int], float]  # of parent sets, in nats


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


def descendants(variable: int, parents: list[frozenset[int]]) -> set[int]:
    """Give a variable and all that have it among their parents, or their parents' parents."""
    found = {variable}
    grew = True
    while grew:
        reached = {child for child, own in enumerate(parents) if not found.isdisjoint(own)}
        grew = not reached <= found
        found |= reached
    return found


class FamilyCounter:
    """Counts a family with each further parent in turn, all at once.

    Variables have the numbers of the result.
    """

    def __init__(self, claim: Claim, dataset: Dataset) -> None:
        absent = [name for name in claim.names if name not in dataset.names]
        if absent:
            raise InputError(f"the data have no column {absent[0]!r}")
        self._claim = claim
        column = {name: position for position, name in enumerate(dataset.names)}
        columns = [column[name] for name in claim.names]
        self._codes = [dataset.codes[position] for position in columns]
        self._values = [len(dataset.states[position]) for position in columns]
        self._rows = dataset.codes.shape[1]
        self._first = np.concatenate([[0], np.cumsum(self._values)])

    @cached_property
    def _shows(self) -> NDArray[np.uint8]:
        """A line for each value of each variable: which rows have it."""
        return np.concatenate(
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
        return [descendants(variable, required) for variable in range(len(required))]

    def near(self, child: int, own: frozenset[int]) -> Costs:
        """Score a family, and all that the space allows and differ from it by one parent."""
        costs: Costs = {}
        for base in [own, *(own - {parent} for parent in sorted(own))]:
            self._add(child, base, costs)
        return costs

    def up_to(self, child: int, limit: int, most: int) -> Costs | None:
        """Score every family of up to so many parents that the space allows and that can be best.

        Left out are parents that cost more than some of them, whatever the counts are: so do all
        that contain them, and a best network does without. The family of the network is there in
        any case. None if there are more than `most`.
        """
        costs: Costs = {}
        others = [parent for parent in range(len(self._values)) if parent != child]
        # Parent sets to be counted with one more each, and the least that their subsets cost.
        bases: Costs = {frozenset(): math.inf}
        for _ in range(max(1, limit)):
            for base, least in bases.items():
                self._add(child, base, costs, least)
                if len(costs) > most:
                    return None
            bases = self._one_larger(child, bases, others, costs)
        names = self._claim.names
        own = frozenset(map(names.index, self._claim.parents[names[child]]))
        if own not in costs:
            self._add(child, own, costs)
        return {parents: cost for parents, cost in costs.items() if len(parents) <= limit}

    def _one_larger(self, child: int, bases: Costs, others: list[int], costs: Costs) -> Costs:
        """Join parents to sets, unless one that is there costs less than any with these would."""
        larger: Costs = {}
        for base in bases:
            for parent in others:
                if parent <= max(base, default=-1):
                    continue
                wider = base | {parent}
                subsets = [wider - {one} for one in wider]
                if not all(subset in bases for subset in subsets):
                    continue
                least = min(min(bases[one], costs.get(one, math.inf)) for one in subsets)
                if self._least(wider, child) <= least:
                    larger[wider] = least
        return larger

    def _least(self, parents: frozenset[int], child: int) -> float:
        """What these parents, and any more, cost at least."""
        configurations = math.prod(self._values[parent] for parent in parents)
        values, name = self._values[child], self._claim.score_name
        return least_cost_of(configurations, values, self._rows, name)

    def _allows(self, child: int, parents: frozenset[int]) -> bool:
        if not self._below[child].isdisjoint(parents):
            return False
        names = self._claim.names
        return self._claim.space.allows(names[child], [names[parent] for parent in parents])

    def _add(
        self, child: int, base: frozenset[int], costs: Costs, enough: float = math.inf
    ) -> None:
        """Score a parent set, and those with one more that need not cost more than `enough`."""
        values = self._values[child]
        configurations = math.prod(self._values[parent] for parent in base)
        seen, of_row = self._seen(base)
        cells = of_row * values + self._codes[child]
        if base not in costs and self._allows(child, base):
            family = np.bincount(cells, minlength=seen * values)
            costs[base] = self._cost(family.reshape(seen, values), configurations, values)
        more = [
            parent
            for parent in range(len(self._values))
            if parent != child
            and parent not in base
            and (wider := base | {parent}) not in costs
            and self._least(wider, child) <= enough
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
