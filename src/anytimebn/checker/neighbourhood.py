"""The families of a network's neighbourhood, counted again from the table.

They are every family of the network with one parent added, removed, or exchanged for another, as
far as the constraints allow. What the search kept of them is not asked: a bound over these families
is about the neighbourhood and nothing else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from anytimebn.checker.counting import FamilyCounter, descendants
from anytimebn.checker.report import Check

if TYPE_CHECKING:
    from anytimebn.checker.claim import Claim
    from anytimebn.checker.counting import Costs
    from anytimebn.data.dataset import Dataset
    from anytimebn.scores.store import LocalScores


def neighbourhood_costs(claim: Claim, dataset: Dataset) -> list[Costs]:
    """Count and score each family of the neighbourhood; variables have the result's numbers.

    Examples
    --------
    >>> from anytimebn.checker.claim import Claim
    >>> from anytimebn.data.dataset import Dataset
    >>> import numpy as np
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
    counter = FamilyCounter(claim, dataset)
    number_of = {name: number for number, name in enumerate(claim.names)}
    return [
        counter.near(child, frozenset(number_of[parent] for parent in claim.parents[name]))
        for child, name in enumerate(claim.names)
    ]


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
        below = descendants(child, parents)
        for other, cost in costs[child].items():
            if cost < costs[child][own] - claim.tolerance and below.isdisjoint(other):
                better = f"{_shown(claim, child, other)} alone makes the network cheaper"
                return Check(name, False, better)
    return Check(name, True, "no family alone makes the network cheaper")


def _shown(claim: Claim, child: int, parents: frozenset[int]) -> str:
    members = ", ".join(claim.names[parent] for parent in sorted(parents))
    return f"the parent set {{{members}}} of {claim.names[child]!r}"
