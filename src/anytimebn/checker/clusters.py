"""Check a certificate of kind ``clusters``: the bound of cluster constraints, in whole numbers.

It holds a partition of the variables into ``groups``, ``clusters`` (sets of variables) and one
integer multiplier a cluster, in units of 1e-6 nat. In an acyclic graph each cluster has a member
whose parents all lie outside of it, so each multiplier may be added once if it is taken from the
cost of every parent set that avoids the cluster. What remains is bounded by solving each group on
its own, where parents in other groups are always allowed.

Whoever wrote a certificate has chosen its multipliers, and may have chosen them to overflow. Sums
are in 64 bits only where these provably hold them, and in Python's own integers otherwise.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from anytimebn.base.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from anytimebn.checker.families import Problem
    from anytimebn.result.certificates import Clusters

    Integers = NDArray[Any]  # of numpy's 64 bits, or of Python's own

LARGEST_GROUP = 22
"""Variables; a group takes time and memory in proportion to two to the power of its size."""

SMALL = 2**60
"""Costs whose sum stays below this are added in 64 bits: `_cheapest_order` says why they can."""


def cluster_bound(certificate: Clusters, problem: Problem) -> int:
    """Compute the bound of a certificate, in units of 1e-6 nat and without rounding.

    Raises
    ------
    InputError
        If a group is too large to be solved, or there is no network at all.

    Examples
    --------
    Each of two variables would like the other as its parent; one of them must do without.

    >>> from anytimebn.checker.families import Family, Problem
    >>> from anytimebn.result.certificates import Clusters
    >>> nobody, first, second = frozenset(), frozenset({0}), frozenset({1})
    >>> families = ((Family(second, 1), Family(nobody, 5)), (Family(first, 1), Family(nobody, 9)))
    >>> problem = Problem(families, network=(5, 1))
    >>> cluster_bound(Clusters(((0,), (1,)), ((0, 1),), (4,)), problem)
    6
    >>> cluster_bound(Clusters(((0,), (1,)), (), ()), problem)
    2
    """
    if max(map(len, certificate.groups), default=0) > LARGEST_GROUP:
        raise InputError(f"a group has more than {LARGEST_GROUP} variables, too many to check")
    return sum(certificate.multipliers) + sum(
        _cheapest_order([_reduced_costs(child, group, certificate, problem) for child in group])
        for group in certificate.groups
    )


def _reduced_costs(
    child: int, group: tuple[int, ...], certificate: Clusters, problem: Problem
) -> dict[int, int]:
    """Give the least cost by the parents in the group, as bits, less the clusters avoided."""
    bit_of = {member: 1 << place for place, member in enumerate(group)}
    around = [
        (frozenset(cluster), multiplier)
        for cluster, multiplier in zip(certificate.clusters, certificate.multipliers, strict=True)
        if child in cluster
    ]
    least: dict[int, int] = {}
    for family in problem.families[child]:
        avoided = sum(
            multiplier for cluster, multiplier in around if cluster.isdisjoint(family.parents)
        )
        inside = sum(bit_of[parent] for parent in family.parents if parent in bit_of)
        cost = family.cost - avoided
        least[inside] = min(least.get(inside, cost), cost)
    return least


def _cheapest_order(reduced: list[dict[int, int]]) -> int:
    """Place the members of a group one by one, each with parents among those placed before it.

    No sum of costs that can be had, one of each member, is further from 0 than ``spread``. What
    cannot be had counts as ``unreachable``, more than twice that: with all others at their least it
    is still dearer than everything that can be had. The largest number that occurs is twice
    ``unreachable``, and fits into 64 bits where ``spread`` is small.
    """
    size = len(reduced)
    spread = sum(max(map(abs, costs.values()), default=0) for costs in reduced)
    unreachable = 2 * max(spread + 1, SMALL)
    integers = np.dtype(np.int64 if spread < SMALL else object)

    within = []  # of each member: the least cost with parents in a set, by the bits of the set
    for costs_of in reduced:
        table = np.full(1 << size, unreachable, dtype=integers)
        for inside, cost in costs_of.items():
            table[inside] = cost
        within.append(_least_of_subsets(table, size))

    sets = np.arange(1 << size)
    placed = sum((sets >> bit & 1 for bit in range(size)), start=np.zeros_like(sets))
    costs = np.full(1 << size, unreachable, dtype=integers)
    costs[0] = 0
    for count in range(1, size + 1):
        layer = sets[placed == count]
        for member in range(size):
            after = layer[(layer >> member & 1) == 1]
            before = after ^ (1 << member)
            step = np.minimum(costs[before] + within[member][before], unreachable)
            costs[after] = np.minimum(costs[after], step)
    cheapest = int(costs[-1])
    if cheapest > spread:
        raise InputError("no acyclic network has all its parent sets in these scores")
    return cheapest


def _least_of_subsets(table: Integers, size: int) -> Integers:
    """Replace each entry by the least one over subsets of its index."""
    for bit in range(size):
        pairs = table.reshape(-1, 2, 1 << bit)
        np.minimum(pairs[:, 1], pairs[:, 0], out=pairs[:, 1])
    return table
