"""The problem that a certificate is about, in whole numbers: families and their costs."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from anytimebn.base.errors import InputError
from anytimebn.scores.store import UNITS_PER_NAT

if TYPE_CHECKING:
    from anytimebn.checker.claim import Claim
    from anytimebn.scores.store import LocalScores


@dataclass(frozen=True)
class Family:
    """A parent set that a variable may have, and what it costs then in units of 1e-6 nat."""

    parents: frozenset[int]
    cost: int


@dataclass(frozen=True)
class Problem:
    """All families, and those of the claimed network.

    Parameters
    ----------
    families
        Of each variable, by its number.
    network
        What each variable costs in the claimed network; None if some family of it is not there.
    """

    families: tuple[tuple[Family, ...], ...]
    network: tuple[int, ...] | None


def problem_of(claim: Claim, scores: LocalScores) -> Problem:
    """Take the families of some scores that the claimed space allows; numbers are the result's.

    Raises
    ------
    InputError
        If the scores are of other variables, or no numbers.
    """
    if set(scores.names) != set(claim.names):
        raise InputError("the scores are of other variables")
    number_of = {name: number for number, name in enumerate(claim.names)}
    # Where larger sets are said to be ruled out, those that the scores have count as well.
    space = replace(claim.space, max_parents=None) if claim.space.complete else claim.space
    families, network = [], []
    for child in claim.names:
        own = [
            Family(frozenset(number_of[parent] for parent in parents), units_of(cost, child))
            for cost, parents in scores.parent_sets(child)
            if space.allows(child, parents)
        ]
        wanted = frozenset(number_of[parent] for parent in claim.parents[child])
        families.append(tuple(own))
        network.append(
            min((family.cost for family in own if family.parents == wanted), default=None)
        )
    known = tuple(cost for cost in network if cost is not None)
    return Problem(tuple(families), known if len(known) == len(network) else None)


def units_of(cost: float, child: str) -> int:
    """Round a cost in nats as all searches do."""
    units = cost * UNITS_PER_NAT
    if not math.isfinite(units):
        raise InputError(f"a parent set of {child!r} costs {cost!r}; a finite number is needed")
    return round(units)


def next_cost(problem: Problem, bound: int) -> int:
    """Round a bound up to what a network can cost: whole steps above the cheapest families.

    All families of a variable differ from its cheapest by multiples of one number, the greatest
    common divisor of all such differences; so do sums of them.

    Examples
    --------
    >>> none, one = frozenset[int](), frozenset({0})
    >>> next_cost(Problem(((Family(none, 7),), (Family(none, 30), Family(one, 10))), None), 18)
    37
    """
    cheapest = [min((family.cost for family in own), default=0) for own in problem.families]
    step = 0
    for own, least in zip(problem.families, cheapest, strict=True):
        for family in own:
            step = math.gcd(step, family.cost - least)
    above = bound - sum(cheapest)
    return bound if step == 0 or above <= 0 else sum(cheapest) + -(-above // step) * step
