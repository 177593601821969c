"""Check a certificate of kind ``rows``: the bound of a linear relaxation, in whole numbers.

Every row says that a weighted number of chosen parent sets is at most a right-hand side, and holds
for every acyclic graph:

* the row of a cluster of k variables: at most k - 1 of them have a parent in the cluster;
* the zero-half row of some earlier rows and some variables: half of the sum of these rows, and of
  the rows "each of these variables has one parent set", everything rounded down.

A stage gives rows multipliers, whole numbers over a common denominator in units of 1e-6 nat. No
network costs less than: for each variable the least, over its parent sets, of the cost plus the
multipliers times the weights of the set, minus the multipliers times the right-hand sides. A parent
set with which this bound would reach the cost of the claimed network is in no better network and
left out from the next stage on. All of it holds for each part of the problem on its own, because
variables depend on each other only within strongly connected components of the graph of candidate
parents.

The first stage, without any rows, is not listed. All numbers are Python's own integers, which do
not overflow.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from anytimebn.base.errors import InputError
from anytimebn.base.graphs import joined, strong_parts
from anytimebn.result.certificates import Stage

if TYPE_CHECKING:
    from anytimebn.checker.families import Problem
    from anytimebn.result.certificates import Rows

NO_ROWS = Stage(rows=(), multipliers=(), denominator=1)


def row_bound(certificate: Rows, problem: Problem) -> int:
    """Compute the bound of a certificate, in units of 1e-6 nat and without rounding.

    Raises
    ------
    InputError
        If the claimed network is not in the problem: what costs as much as it is left out.

    Examples
    --------
    Each of two variables would like the other as its parent; one of them must do without.

    >>> from anytimebn.checker.families import Family, Problem
    >>> from anytimebn.result.certificates import Rows
    >>> nobody, first, second = frozenset(), frozenset({0}), frozenset({1})
    >>> families = ((Family(second, 1), Family(nobody, 5)), (Family(first, 1), Family(nobody, 9)))
    >>> problem = Problem(families, network=(5, 1))
    >>> row_bound(Rows(((0, 1),), (), (Stage((0,), (4,), 1),)), problem)
    6
    """
    if problem.network is None:
        raise InputError("the parents of some variable are not in the scores")
    rows = _rows(certificate, problem)
    parts = [_Part(members, problem, problem.network) for members in _parts(rows, problem)]
    part_of = {variable: part for part in parts for variable in part.variables}
    for stage in [NO_ROWS, *certificate.stages]:
        for part in parts:
            part.begin(stage.denominator)
        for number, multiplier in zip(stage.rows, stage.multipliers, strict=True):
            row = rows[number]
            if multiplier and row.weights:
                part_of[next(iter(row.weights))].add(row, multiplier)
        for part in parts:
            part.end()
    return sum(part.bound for part in parts)


@dataclass(frozen=True)
class _Row:
    """By variable: the weights of its parent sets, in their order."""

    weights: dict[int, list[int]]
    right_hand_side: int


def _rows(certificate: Rows, problem: Problem) -> list[_Row]:
    rows = [_cluster_row(frozenset(members), problem) for members in certificate.clusters]
    for row in certificate.zero_half:
        rows.append(_zero_half_row([rows[number] for number in row.rows], row.variables, problem))
    return rows


def _cluster_row(cluster: frozenset[int], problem: Problem) -> _Row:
    weights = {
        variable: [int(not cluster.isdisjoint(own.parents)) for own in problem.families[variable]]
        for variable in cluster
    }
    return _Row(weights, len(cluster) - 1)


def _zero_half_row(parents: list[_Row], variables: tuple[int, ...], problem: Problem) -> _Row:
    sums: dict[int, list[int]] = {}
    for parent in parents:
        for variable, weights in parent.weights.items():
            before = sums.get(variable, [0] * len(weights))
            sums[variable] = [a + b for a, b in zip(before, weights, strict=True)]
    for variable in variables:
        before = sums.get(variable, [0] * len(problem.families[variable]))
        sums[variable] = [weight + 1 for weight in before]
    total = len(variables) + sum(parent.right_hand_side for parent in parents)
    halved = {variable: [weight // 2 for weight in own] for variable, own in sums.items()}
    return _Row(halved, total // 2)


def _parts(rows: list[_Row], problem: Problem) -> list[frozenset[int]]:
    """Strongly connected components, joined where a row reaches from one into another."""
    variables = len(problem.families)
    candidates = {
        (parent, variable)
        for variable, families in enumerate(problem.families)
        for own in families
        for parent in own.parents
    }
    groups = [*strong_parts(variables, candidates), *(list(row.weights) for row in rows)]
    return [frozenset(part) for part in joined(variables, groups)]


class _Part:
    """Variables that are bounded on their own: the parent sets that are left, and the bound."""

    def __init__(
        self, variables: frozenset[int], problem: Problem, network: tuple[int, ...]
    ) -> None:
        self.variables = variables
        self.costs = {v: [own.cost for own in problem.families[v]] for v in variables}
        self.left = {v: list(range(len(problem.families[v]))) for v in variables}
        self.incumbent = sum(network[v] for v in variables)
        self.bound = sum(min(costs) for costs in self.costs.values())

    def begin(self, denominator: int) -> None:
        """Begin a stage, in which all numbers are multiplied by a denominator."""
        self.denominator = denominator
        self.adjusted = {
            variable: [denominator * cost for cost in costs]
            for variable, costs in self.costs.items()
        }
        self.constant = 0

    def add(self, row: _Row, multiplier: int) -> None:
        """Add a row to the costs that are left."""
        self.constant -= multiplier * row.right_hand_side
        for variable, weights in row.weights.items():
            adjusted = self.adjusted[variable]
            for number in self.left[variable]:
                adjusted[number] += multiplier * weights[number]

    def end(self) -> None:
        """Take the bound of this stage, and leave out what no better network uses."""
        if not all(self.left.values()):  # nothing can be better than the network
            self.bound = self.incumbent
            return
        least = {
            variable: min(self.adjusted[variable][number] for number in left)
            for variable, left in self.left.items()
        }
        exact = self.constant + sum(least.values())
        # Costs are whole, so that the bound may be rounded up.
        bound = -(-exact // self.denominator)
        self.bound = max(self.bound, min(bound, self.incumbent))
        better = (self.incumbent - 1) * self.denominator
        for variable, left in self.left.items():
            room = better - exact + least[variable]
            adjusted = self.adjusted[variable]
            self.left[variable] = [number for number in left if adjusted[number] <= room]
