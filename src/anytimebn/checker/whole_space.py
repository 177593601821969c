"""All families of a space that small tables have, counted again from the table."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from anytimebn.checker.counting import FamilyCounter

if TYPE_CHECKING:
    from anytimebn.checker.claim import Claim
    from anytimebn.checker.counting import Costs
    from anytimebn.data.dataset import Dataset

MOST_FAMILIES = 20_000
"""More are not counted again: plain Python takes up to a millisecond for one. A number, not a time,
so that what is proven again does not depend on the machine."""


def costs_of_space(claim: Claim, dataset: Dataset) -> list[Costs] | None:
    """Count and score every family that a claim is about; None if they are many or not known.

    Variables have the result's numbers. That larger parent sets are ruled out is not believed:
    where this is claimed, sets of all sizes are looked at. Those whose penalty alone is more than
    what the variable costs with fewer parents need not be counted.
    """
    space = claim.space
    if space.grown is not None or space.complete is None:
        return None
    variables = len(claim.names)
    limit = variables if space.complete or space.max_parents is None else space.max_parents
    limit = min(limit, variables - 1)
    if variables * (variables if limit else 1) > MOST_FAMILIES:  # of up to one parent alone
        return None
    counter = FamilyCounter(replace(claim, space=replace(space, max_parents=limit)), dataset)
    found: list[Costs] = []
    for child in range(variables):
        costs = counter.up_to(child, limit, MOST_FAMILIES - sum(map(len, found)))
        if costs is None:
            return None
        found.append(costs)
    return found
