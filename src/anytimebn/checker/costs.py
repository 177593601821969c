"""Checks of the cost: computed again from the table, or summed again from the local scores."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from anytimebn.checker.formulas import SCORE_NAMES, local_cost
from anytimebn.checker.report import Check

if TYPE_CHECKING:
    from anytimebn.checker.claim import Claim
    from anytimebn.data.dataset import Dataset
    from anytimebn.scores.store import LocalScores

LEAST_ESS, MOST_ESS = 1e-100, 1e6
"""Beyond these equivalent sample sizes sums of logarithms lose their digits."""


def cost_from_data(claim: Claim, dataset: Dataset) -> Check:
    """Score the claimed network again, by the plain formulas."""
    name = "cost from the data"
    absent = [variable for variable in claim.names if variable not in dataset.names]
    if absent:
        return Check(name, False, f"the data have no column {absent[0]!r}")
    if claim.score_name not in SCORE_NAMES:
        known = ", ".join(SCORE_NAMES)
        return Check(name, False, f"the score is {claim.score_name!r}; computable are {known}")
    if not LEAST_ESS <= claim.ess <= MOST_ESS:
        allowed = f"between {LEAST_ESS:g} and {MOST_ESS:g}"
        return Check(name, False, f"ess is {claim.ess!r}; it must be {allowed}")
    column = {variable: position for position, variable in enumerate(dataset.names)}
    cost = math.fsum(
        local_cost(
            dataset,
            column[child],
            [column[parent] for parent in claim.parents[child]],
            claim.score_name,
            claim.ess,
        )
        for child in claim.names
    )
    passed = claim.agree(cost, claim.cost)
    return Check(name, passed, f"recomputed {cost!r}, claimed {claim.cost!r}")


def checks_with_scores(claim: Claim, scores: LocalScores) -> list[Check]:
    """Look up what the claimed parents cost, and what the cheapest ones would."""
    name = "cost from the scores"
    if set(scores.names) != set(claim.names):
        odd = sorted(set(scores.names) ^ set(claim.names))
        return [Check(name, False, f"scores and result differ in the variable {odd[0]!r}")]
    total, cheapest, missing = 0.0, 0.0, []
    for child in claim.names:
        wanted = frozenset(claim.parents[child])
        own_cost = least = math.inf
        for cost, parents in scores.parent_sets(child):
            least = min(least, cost)
            if frozenset(parents) == wanted:
                own_cost = min(own_cost, cost)
        total += own_cost
        cheapest += least
        if math.isinf(own_cost):
            listed = ", ".join(sorted(wanted))
            missing.append(f"the parent set {{{listed}}} of {child!r} is not in the scores")
    if missing:
        cost_check = Check(name, False, "; ".join(missing))
    else:
        passed = claim.agree(total, claim.cost)
        cost_check = Check(name, passed, f"summed {total!r}, claimed {claim.cost!r}")
    bound = "no lower bound is claimed" if claim.lower_bound is None else f"{claim.lower_bound!r}"
    detail = f"cheapest parent sets alone give {cheapest!r}; claimed: {bound}"
    return [cost_check, Check("trivial bound", True, detail)]
