"""Verify a result without the solver: plain Python and numpy over what the result file says.

Structure, constraints, arithmetic and history are always checked; the cost too, when the data or
the local scores are given. A lower bound is proven again when the result carries a certificate and
the scores are given. What only a search can prove is said to be so, not passed over.

There are two kinds of certificates, explained and checked in `anytimebn.checker.clusters` and
`anytimebn.checker.rows`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from anytimebn.checker.clusters import cluster_bound, cluster_certificate_problem
from anytimebn.checker.formulas import SCORE_NAMES, local_cost
from anytimebn.checker.rows import row_bound, row_certificate_problem
from anytimebn.result.schema import is_number, schema_problems

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from anytimebn.data.dataset import Dataset
    from anytimebn.scores.store import LocalScores

__all__ = ["Check", "Verification", "local_cost", "verify"]

UNITS_PER_NAT = 1_000_000


@dataclass(frozen=True)
class Check:
    """One thing that was checked: its name, whether it holds, and what was found."""

    name: str
    passed: bool
    detail: str
    whole: bool = True  # False: part of what is claimed could not be checked


@dataclass(frozen=True)
class Verification:
    """All checks of a result."""

    checks: tuple[Check, ...]

    @property
    def passed(self) -> bool:
        """Whether every check holds."""
        return all(check.passed for check in self.checks)

    @property
    def failures(self) -> tuple[Check, ...]:
        """The checks that do not hold."""
        return tuple(check for check in self.checks if not check.passed)


def verify(
    result: Mapping[str, Any],
    *,
    dataset: Dataset | None = None,
    scores: LocalScores | None = None,
) -> Verification:
    """Check what a result claims.

    Parameters
    ----------
    result
        The content of a result file, as ``json.load`` gives it.
    dataset
        The data that the network was learned from: the network is scored again.
    scores
        The local scores it was learned from: the cost is looked up again, and a certificate of the
        lower bound is recomputed.

    Returns
    -------
    Verification
        Nothing is raised for a wrong result; each check says what is wrong.

    Examples
    --------
    >>> result = {
    ...     "status": "optimal", "cost": 3.0, "score": -3.0, "lower_bound": 3.0,
    ...     "error_bound": 1.0, "variables": ["a", "b"], "parents": {"a": [], "b": ["a"]},
    ...     "score_name": "mdl", "ess": 1.0, "max_parents": 1, "constraints": {}, "events": [],
    ...     "certificate": None,
    ... }
    >>> verify(result).passed
    True
    >>> verify({**result, "lower_bound": 2.0}).failures[0].name
    'error bound'
    """
    problems = list(schema_problems(result))
    checks = [Check("schema", not problems, "; ".join(problems) or "complete")]
    if problems:
        return Verification(tuple(checks))
    claim = _Claim.of(result)
    checks += [
        _acyclic(claim),
        _parent_limits(claim),
        _constraints(claim),
        _score(claim),
        _bound_below_cost(claim),
        _error_bound(claim),
        _status(claim),
        _events(claim, result["events"]),
    ]
    if dataset is not None:
        checks.append(_cost_from_data(claim, dataset))
    if scores is not None:
        checks += _checks_with_scores(claim, scores)
    checks.append(_certificate(claim, result["certificate"], scores))
    return Verification(tuple(checks))


@dataclass(frozen=True)
class _Claim:
    """The parts of a result that passed the schema, with constraints by child."""

    status: str
    cost: float
    score: float
    lower_bound: float | None
    error_bound: float | None
    names: tuple[str, ...]
    parents: dict[str, tuple[str, ...]]
    score_name: str
    ess: float
    max_parents: int | None
    required: frozenset[tuple[str, str]]
    forbidden: frozenset[tuple[str, str]]
    limits: dict[str, int]

    @classmethod
    def of(cls, result: Mapping[str, Any]) -> _Claim:
        constraints = result["constraints"] or {}
        lower_bound, error_bound = result["lower_bound"], result["error_bound"]
        tier_of = {
            name: tier
            for tier, members in enumerate(constraints.get("tiers") or [])
            for name in members
        }
        # A variable must not have a parent of a later tier; that is one more kind of forbidden arc.
        later = {
            (parent, child)
            for parent, tier in tier_of.items()
            for child, own in tier_of.items()
            if tier > own
        }
        return cls(
            status=result["status"],
            cost=float(result["cost"]),
            score=float(result["score"]),
            lower_bound=None if lower_bound is None else float(lower_bound),
            error_bound=None if error_bound is None else float(error_bound),
            names=tuple(result["variables"]),
            parents={name: tuple(result["parents"][name]) for name in result["variables"]},
            score_name=result["score_name"],
            ess=1.0 if result.get("ess") is None else float(result["ess"]),
            max_parents=result["max_parents"],
            required=frozenset((a, b) for a, b in constraints.get("require") or []),
            forbidden=frozenset((a, b) for a, b in constraints.get("forbid") or []) | later,
            limits=dict(constraints.get("max_parents") or {}),
        )

    @property
    def tolerance(self) -> float:
        """Nats by which sums may differ: costs are rounded to 1e-6, once a variable."""
        return 1e-6 * len(self.names) + 1e-11 * abs(self.cost)

    def agree(self, one: float, other: float) -> bool:
        return abs(one - other) <= self.tolerance

    def allows(self, child: str, parents: Sequence[str]) -> bool:
        """Tell whether the constraints let a variable have these parents."""
        return (
            all(parent in parents for parent, own in self.required if own == child)
            and not any((parent, child) in self.forbidden for parent in parents)
            and len(parents) <= self.limit(child)
        )

    def limit(self, child: str) -> int:
        limits = [self.max_parents, self.limits.get(child)]
        return min((limit for limit in limits if limit is not None), default=len(self.names))


def _acyclic(claim: _Claim) -> Check:
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


def _parent_limits(claim: _Claim) -> Check:
    over = [
        f"{name!r} has {len(claim.parents[name])} parents, more than {claim.limit(name)}"
        for name in claim.names
        if len(claim.parents[name]) > claim.limit(name)
    ]
    largest = max((len(members) for members in claim.parents.values()), default=0)
    return Check("parent limits", not over, "; ".join(over) or f"at most {largest} parents")


def _constraints(claim: _Claim) -> Check:
    arcs = {(parent, child) for child in claim.names for parent in claim.parents[child]}
    broken = [f"{a!r} -> {b!r} is required but absent" for a, b in sorted(claim.required - arcs)]
    broken += [f"{a!r} -> {b!r} is forbidden" for a, b in sorted(claim.forbidden & arcs)]
    count = f"{len(claim.required)} required and {len(claim.forbidden)} forbidden arcs"
    return Check("constraints", not broken, "; ".join(broken) or count)


def _score(claim: _Claim) -> Check:
    passed = claim.agree(claim.score, -claim.cost)
    return Check("score", passed, f"score {claim.score!r}, cost {claim.cost!r}")


def _bound_below_cost(claim: _Claim) -> Check:
    if claim.lower_bound is None or math.isinf(claim.lower_bound):
        passed = claim.lower_bound != math.inf
        return Check("lower bound", passed, "no lower bound is claimed" if passed else "infinite")
    passed = claim.lower_bound <= claim.cost + claim.tolerance
    return Check("lower bound", passed, f"lower bound {claim.lower_bound!r}, cost {claim.cost!r}")


def _error_bound(claim: _Claim) -> Check:
    """Compare with cost / lower_bound, which says something for positive bounds only."""
    found, bound = claim.error_bound, claim.lower_bound
    if bound is not None and claim.agree(claim.cost, bound):
        passed = found is not None and abs(found - 1.0) <= claim.tolerance / max(abs(bound), 1e-6)
        return Check("error bound", passed, f"error bound {found!r}; cost equals lower bound")
    if bound is None or bound <= 0:
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


def _status(claim: _Claim) -> Check:
    if claim.status != "optimal":
        return Check("status", True, f"{claim.status!r}: optimality is not claimed")
    if claim.lower_bound is None or not claim.agree(claim.cost, claim.lower_bound):
        detail = f"'optimal' with cost {claim.cost!r} and lower bound {claim.lower_bound!r}"
        return Check("status", False, detail)
    return Check("status", True, "'optimal': lower bound and cost are equal")


def _events(claim: _Claim, events: Sequence[Mapping[str, Any]]) -> Check:
    problems = []
    seconds, cost, bound = -math.inf, math.inf, -math.inf
    for position, event in enumerate(events):
        new_cost = math.inf if event.get("cost") is None else float(event["cost"])
        new_bound = -math.inf if event.get("lower_bound") is None else float(event["lower_bound"])
        if event["seconds"] < seconds:
            problems.append(f"event {position} is earlier than the one before")
        if new_cost > cost + claim.tolerance:
            problems.append(f"event {position} has a higher cost than the one before")
        if new_bound < bound - claim.tolerance:
            problems.append(f"event {position} has a lower bound below the one before")
        if new_bound > new_cost + claim.tolerance:
            problems.append(f"event {position} has a lower bound above its cost")
        seconds, cost, bound = event["seconds"], new_cost, new_bound
    if events:
        if not claim.agree(cost, claim.cost):
            problems.append(f"the last event has the cost {cost!r}, the result {claim.cost!r}")
        final = -math.inf if claim.lower_bound is None else claim.lower_bound
        if bound > final + claim.tolerance:
            problems.append(
                f"the last event has the lower bound {bound!r}, the result {claim.lower_bound!r}"
            )
    return Check("events", not problems, "; ".join(problems) or f"{len(events)} events in order")


def _cost_from_data(claim: _Claim, dataset: Dataset) -> Check:
    name = "cost from the data"
    absent = [variable for variable in claim.names if variable not in dataset.names]
    if absent:
        return Check(name, False, f"the data have no column {absent[0]!r}")
    if claim.score_name not in SCORE_NAMES:
        known = ", ".join(SCORE_NAMES)
        return Check(name, False, f"the score is {claim.score_name!r}; computable are {known}")
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
    return Check(
        name, claim.agree(cost, claim.cost), f"recomputed {cost!r}, claimed {claim.cost!r}"
    )


def _checks_with_scores(claim: _Claim, scores: LocalScores) -> list[Check]:
    name = "cost from the scores"
    if set(scores.names) != set(claim.names):
        odd = sorted(set(scores.names) ^ set(claim.names))
        return [Check(name, False, f"scores and result differ in the variable {odd[0]!r}")]
    total, cheapest, missing = 0.0, 0.0, []
    for child in claim.names:
        sets = _parent_sets(scores, child)
        wanted = frozenset(claim.parents[child])
        found = [cost for members, cost in sets if members == wanted]
        if found:
            total += min(found)
        else:
            listed = ", ".join(sorted(wanted))
            missing.append(f"the parent set {{{listed}}} of {child!r} is not in the scores")
        cheapest += min((cost for _, cost in sets), default=math.inf)
    if missing:
        cost_check = Check(name, False, "; ".join(missing))
    else:
        passed = claim.agree(total, claim.cost)
        cost_check = Check(name, passed, f"summed {total!r}, claimed {claim.cost!r}")
    bound = "no lower bound is claimed" if claim.lower_bound is None else f"{claim.lower_bound!r}"
    detail = f"cheapest parent sets alone give {cheapest!r}; claimed: {bound}"
    return [cost_check, Check("trivial bound", True, detail)]


def _parent_sets(scores: LocalScores, child: str) -> list[tuple[frozenset[str], float]]:
    variable = scores.names.index(child)
    sets = []
    for number in range(int(scores.first_set[variable]), int(scores.first_set[variable + 1])):
        members = scores.members[scores.first_member[number] : scores.first_member[number + 1]]
        sets.append(
            (frozenset(scores.names[member] for member in members), float(scores.costs[number]))
        )
    return sets


def _certificate(
    claim: _Claim, certificate: Mapping[str, Any] | None, scores: LocalScores | None
) -> Check:
    name = "certificate"
    bound = claim.lower_bound
    if certificate is None:
        if bound is None:
            return Check(name, True, "nothing was proven, and nothing is claimed")
        detail = f"there is none; the lower bound {bound!r} is not re-proved here"
        return Check(name, True, detail, whole=False)
    if scores is None:
        return Check(name, True, "not re-proved here: that needs the local scores", whole=False)
    problem = _certificate_problem(claim, certificate, scores)
    if problem:
        return Check(name, False, problem)
    sets, own_costs = _whole_costs(claim, scores)
    if certificate["kind"] == "rows":
        units = row_bound(certificate, sets, own_costs)
    else:
        units = cluster_bound(certificate, sets)
    proven = units / UNITS_PER_NAT
    if proven > claim.cost + claim.tolerance:
        return Check(
            name,
            False,
            f"with these scores it proves {proven!r}, more than the cost {claim.cost!r}: they are "
            "not the scores of this result",
        )
    root = certificate.get("lower_bound")
    if root is not None and root > proven + claim.tolerance:
        return Check(name, False, f"it claims {root!r} but proves only {proven!r}")
    if bound is None or bound <= proven + claim.tolerance:
        return Check(name, True, f"it proves the lower bound {proven!r}: no search needed")
    return Check(
        name,
        True,
        f"it proves the lower bound {proven!r} before search; the rest up to {bound!r} was proven "
        "by search and is not re-proved here",
        whole=False,
    )


def _certificate_problem(
    claim: _Claim, certificate: Mapping[str, Any], scores: LocalScores
) -> str | None:
    kind = certificate.get("kind")
    if kind not in ("clusters", "rows"):
        return f"its kind is {kind!r}; only 'clusters' and 'rows' can be checked"
    root = certificate.get("lower_bound")
    if not (root is None or is_number(root)):
        return f"its lower bound is {root!r}; a number is needed"
    if set(scores.names) != set(claim.names):
        return "the scores are of other variables"
    if kind == "clusters":
        return cluster_certificate_problem(certificate, claim.names)
    sets, own_costs = _whole_costs(claim, scores)
    if len(own_costs) < len(sets):
        return "the parents of some variable are not in the scores"
    return row_certificate_problem(certificate, claim.names)


def _whole_costs(
    claim: _Claim, scores: LocalScores
) -> tuple[dict[str, list[tuple[frozenset[str], int]]], dict[str, int]]:
    """Allowed parent sets of each variable in units of 1e-6 nat, and what the claimed ones cost."""
    sets = {
        child: [
            (members, round(cost * UNITS_PER_NAT))
            for members, cost in _parent_sets(scores, child)
            if claim.allows(child, tuple(members))
        ]
        for child in claim.names
    }
    chosen = {}
    for child, own in sets.items():
        wanted = frozenset(claim.parents[child])
        costs = [cost for members, cost in own if members == wanted]
        if costs:
            chosen[child] = min(costs)
    return sets, chosen
