"""Checks that need nothing but the result itself: structure, arithmetic and history."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from anytimebn.checker.claim import ROUNDING_NATS
from anytimebn.checker.report import Check

if TYPE_CHECKING:
    from anytimebn.checker.claim import Claim
    from anytimebn.scores.space import Space


def checks_of_claim(claim: Claim) -> list[Check]:
    """Check whether what a result says can be true, and fits together."""
    return [
        _acyclic(claim),
        _parent_limits(claim),
        _constraints(claim),
        _score(claim),
        _bound_below_cost(claim),
        _error_bound(claim),
        _status(claim),
        _space(claim),
        _events(claim),
    ]


def _acyclic(claim: Claim) -> Check:
    placed: set[str] = set()
    left = list(claim.names)
    while left:
        ready = [name for name in left if placed.issuperset(claim.parents[name])]
        if not ready:
            return Check("acyclic", False, f"there is a cycle among {', '.join(map(repr, left))}")
        placed.update(ready)
        left = [name for name in left if name not in placed]
    arcs = sum(map(len, claim.parents.values()))
    return Check("acyclic", True, f"{len(claim.names)} variables, {arcs} arcs")


def _parent_limits(claim: Claim) -> Check:
    over = []
    for name in claim.names:
        count, limit = len(claim.parents[name]), claim.space.limit(name)
        if limit is not None and count > limit:
            over.append(f"{name!r} has {count} parents, more than {limit}")
    largest = max(map(len, claim.parents.values()), default=0)
    limit = claim.space.max_parents
    allowed = "no limit is claimed" if limit is None else f"at most {limit} are considered"
    own = {} if claim.space.knowledge is None else claim.space.knowledge.max_parents
    single = "".join(f", {most} for {name!r}" for name, most in sorted(own.items()))
    found = f"the largest set has {largest}; {allowed}{single}"
    return Check("parent limits", not over, "; ".join(over) or found)


def _constraints(claim: Claim) -> Check:
    arcs = {(parent, child) for child in claim.names for parent in claim.parents[child]}
    required, forbidden = claim.space.required, claim.space.forbidden
    broken = [f"{a!r} -> {b!r} is required but absent" for a, b in sorted(required - arcs)]
    broken += [f"{a!r} -> {b!r} is forbidden" for a, b in sorted(forbidden & arcs)]
    count = f"{len(required)} required and {len(forbidden)} forbidden arcs"
    return Check("constraints", not broken, "; ".join(broken) or count)


def _score(claim: Claim) -> Check:
    passed = claim.agree(claim.score, -claim.cost)
    return Check("score", passed, f"score {claim.score!r}, cost {claim.cost!r}")


def _bound_below_cost(claim: Claim) -> Check:
    if claim.lower_bound is None or math.isinf(claim.lower_bound):
        passed = claim.lower_bound != math.inf
        return Check("lower bound", passed, "no lower bound is claimed" if passed else "infinite")
    passed = claim.lower_bound <= claim.cost + claim.tolerance
    return Check("lower bound", passed, f"lower bound {claim.lower_bound!r}, cost {claim.cost!r}")


def _error_bound(claim: Claim) -> Check:
    """Compare with cost / lower_bound, which says something for positive bounds only."""
    found, bound = claim.error_bound, claim.lower_bound
    if bound is not None and claim.agree(claim.cost, bound):
        # The ratio of two numbers that agree is as far from 1 as they are from each other.
        most = claim.tolerance / max(abs(bound), ROUNDING_NATS)
        passed = found is not None and abs(found - 1.0) <= most
        # Of numbers as small as what rounding hides, it may be anything, but it is theirs.
        passed |= found is not None and bound > 0 and math.isclose(found, claim.cost / bound)
        # They may differ by rounding, and be negative: then there is no ratio.
        passed |= found is None and bound < claim.cost and bound <= 0
        return Check("error bound", passed, f"error bound {found!r}; cost equals lower bound")
    if bound is None or bound <= 0 or math.isinf(claim.cost / bound):
        passed = found is None or math.isinf(found)
        return Check(
            "error bound",
            passed,
            f"error bound {found!r}; without a positive lower bound it must be null or infinite",
        )
    passed = found is not None and math.isfinite(found) and claim.agree(found * bound, claim.cost)
    return Check(
        "error bound",
        passed,
        f"error bound {found!r}, cost / lower bound is {claim.cost / bound!r}",
    )


def _status(claim: Claim) -> Check:
    if claim.status != "optimal":
        return Check("status", True, f"{claim.status!r}: optimality is not claimed")
    if claim.lower_bound is None or not claim.agree(claim.cost, claim.lower_bound):
        detail = f"'optimal' with cost {claim.cost!r} and lower bound {claim.lower_bound!r}"
        return Check("status", False, detail)
    return Check("status", True, "'optimal' in its space: lower bound and cost are equal")


def _space(claim: Claim) -> Check:
    """Compare what is claimed in short with the space that the bound is about."""
    space = claim.space
    should = space.claim if claim.status == "optimal" else None
    if claim.told is not None and claim.told != should:
        wrong = f"{claim.told!r} is claimed; the status {claim.status!r} and the space"
        return Check("space", False, f"{wrong} make it {should!r}")
    if claim.told_space is not None:
        for key, value in space.to_json().items():
            if claim.told_space.get(key) != value:
                wrong = f"{key!r} is {claim.told_space.get(key)!r}; by all else that is told it is"
                return Check("space", False, f"{wrong} {value!r}")
    if claim.lower_bound is None:
        return Check("space", True, "no lower bound is claimed, of any space")
    proven = f"{should}: " if should else ""
    return Check("space", True, f"{proven}the lower bound is about networks{_those(space)}")


def _those(space: Space) -> str:
    return space.condition or ", all of them: larger parent sets are said to be ruled out"


def _events(claim: Claim) -> Check:
    problems = []
    seconds, cost, bound = -math.inf, math.inf, -math.inf
    for position, event in enumerate(claim.events):
        new_cost = math.inf if event.cost is None else event.cost
        new_bound = -math.inf if event.lower_bound is None else event.lower_bound
        if event.seconds < seconds:
            problems.append(f"event {position} is earlier than the one before")
        if new_cost > cost + claim.tolerance:
            problems.append(f"event {position} has a higher cost than the one before")
        if event.space is None and new_bound < bound - claim.tolerance:
            problems.append(f"event {position} has a lower bound below the one before")
        if new_bound > new_cost + claim.tolerance:
            problems.append(f"event {position} has a lower bound above its cost")
        seconds, cost, bound = event.seconds, new_cost, new_bound
    if claim.events:
        if not claim.agree(cost, claim.cost):
            problems.append(f"the last event has the cost {cost!r}, the result {claim.cost!r}")
        final = -math.inf if claim.lower_bound is None else claim.lower_bound
        one_space = all(event.space is None for event in claim.events)
        if one_space and bound > final + claim.tolerance:
            problems.append(
                f"the last event has the lower bound {bound!r}, the result {claim.lower_bound!r}"
            )
    count = f"{len(claim.events)} events in order"
    return Check("events", not problems, "; ".join(problems) or count)
