"""Repeat a search in the plainest way: over all orders of the variables, by dynamic programming.

Variables depend on each other only within strongly connected components of the graph of candidate
parents, so that each of these has its own orders. Without multipliers, the bound of a cluster
certificate whose groups are the components is the cost of the best network, no less.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from anytimebn.base.graphs import strong_parts
from anytimebn.checker.clusters import LARGEST_GROUP, cluster_bound
from anytimebn.result.certificates import Clusters

if TYPE_CHECKING:
    from anytimebn.checker.families import Problem


def least_cost(problem: Problem) -> int | None:
    """Compute what the best network costs, in units of 1e-6 nat; None if that takes too long.

    Raises
    ------
    InputError
        If there is no network at all.

    Examples
    --------
    Each of two variables would like the other as its parent; one of them must do without.

    >>> from anytimebn.checker.families import Family, Problem
    >>> nobody, first, second = frozenset(), frozenset({0}), frozenset({1})
    >>> families = ((Family(second, 1), Family(nobody, 5)), (Family(first, 1), Family(nobody, 9)))
    >>> least_cost(Problem(families, network=(5, 1)))
    6
    """
    candidates = {
        (parent, child)
        for child, families in enumerate(problem.families)
        for own in families
        for parent in own.parents
    }
    groups = tuple(map(tuple, strong_parts(len(problem.families), candidates)))
    if max(map(len, groups), default=0) > LARGEST_GROUP:
        return None
    return cluster_bound(Clusters(groups, clusters=(), multipliers=()), problem)
