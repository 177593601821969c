"""Prove the lower bound of a result again: by its certificate, or by a search of our own.

Each kind of certificate is explained and checked in a module of its own: see `CHECKERS`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from anytimebn.base.errors import InputError
from anytimebn.checker.clusters import LARGEST_GROUP, cluster_bound
from anytimebn.checker.counting import problem_of_costs
from anytimebn.checker.coverage import not_covered
from anytimebn.checker.families import next_cost, problem_of
from anytimebn.checker.orders import least_cost
from anytimebn.checker.report import Check
from anytimebn.checker.rows import row_bound
from anytimebn.result.certificates import Clusters, Rows, certificate_from_json
from anytimebn.scores.store import UNITS_PER_NAT

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from anytimebn.checker.claim import Claim
    from anytimebn.checker.counting import Costs
    from anytimebn.checker.families import Problem
    from anytimebn.result.certificates import Certificate
    from anytimebn.scores.store import LocalScores

CHECKERS: dict[type[Certificate], Callable[[Any, Problem], int]] = {
    Clusters: cluster_bound,
    Rows: row_bound,
}
"""What computes the bound of a certificate again, in units of 1e-6 nat, by its kind."""

CERTIFICATE, ORDERS = "certificate", "search of all orders"


def checks_of_bound(
    claim: Claim,
    content: Mapping[str, Any] | None,
    scores: LocalScores | None,
    counted: list[Costs] | None,
) -> list[Check]:
    """Prove the lower bound again, as far as possible; the last check is whole if all of it is.

    Parameters
    ----------
    claim
        What is claimed, without contradictions so far.
    content
        The certificate, as a result file has it.
    scores
        What it is proven of.
    counted
        Families that were counted again, the neighbourhood or all that the claim is about: without
        scores, what it is proven of.
    """
    bound = claim.lower_bound
    if scores is None and counted is None:
        if bound is None and content is None:
            return [Check(CERTIFICATE, True, "nothing was proven, and nothing is claimed")]
        needed = "the local scores" + (" or the data" if claim.claims_neighbourhood else "")
        there = "there is none; " if content is None else ""
        detail = f"{there}the lower bound {bound!r} is not proven again: that needs {needed}"
        return [Check(CERTIFICATE, True, detail, whole=False)]
    try:
        ground = _Ground.of(claim, scores, counted)
        proven = None if content is None else _bound_of_certificate(content, claim, ground.problem)
    except InputError as error:
        return [Check(CERTIFICATE, False, str(error))]
    by_certificate = _check_of_certificate(claim, proven, ground)
    if by_certificate.whole or ground.lacking or bound is None:
        return [by_certificate]
    return [by_certificate, _search_of_orders(claim, bound, ground)]


@dataclass(frozen=True)
class _Ground:
    """What a bound is proven of: families and their costs."""

    problem: Problem
    words: str  # which these are, after the bound
    lacking: str  # what may be missing there of the claimed space; empty if nothing
    inside: bool  # whether all of it is in the claimed space, so that it can refute the claim

    @classmethod
    def of(cls, claim: Claim, scores: LocalScores | None, counted: list[Costs] | None) -> _Ground:
        grown = claim.space.grown
        if scores is None:
            wider = grown is not None and grown.all_up_to > 0
            lacking = "wider spaces need the local scores" if wider else ""
            which = "the neighbourhood, which was" if grown else "all families, which were"
            about = f" over {which} counted again"
            return cls(problem_of_costs(claim, counted or []), about, lacking, inside=True)
        reasons = []
        if counted is None and claim.claims_neighbourhood:
            reasons.append("whether the scores have the whole neighbourhood only the data can tell")
        if reason := not_covered(claim, scores):
            reasons.append(reason)
        return cls(problem_of(claim, scores), "", "; ".join(reasons), inside=grown is None)


def _bound_of_certificate(content: Mapping[str, Any], claim: Claim, problem: Problem) -> float:
    """Compute it again, and refuse a certificate that does not prove what it says itself."""
    certificate = certificate_from_json(content, claim.names)
    units = CHECKERS[type(certificate)](certificate, problem)
    proven = _nats(next_cost(problem, units))
    if proven > claim.cost + claim.tolerance:
        raise InputError(
            f"with these scores it proves {proven!r}, more than the cost {claim.cost!r}: they are "
            "not the scores of this result"
        )
    own = certificate.lower_bound
    if own is not None and own > proven + claim.tolerance:
        raise InputError(f"it claims {own!r} but proves only {proven!r}")
    return proven


def _check_of_certificate(claim: Claim, proven: float | None, ground: _Ground) -> Check:
    bound = claim.lower_bound
    if proven is None:
        if bound is None:
            return Check(CERTIFICATE, True, "nothing was proven, and nothing is claimed")
        detail = f"there is none; the lower bound {bound!r} is said to be proven by search"
        return Check(CERTIFICATE, True, detail, whole=False)
    if bound is None or bound <= proven + claim.tolerance:
        rest = ground.lacking and f"; {ground.lacking}"
        detail = f"it proves the lower bound {proven!r}{ground.words}: no search needed{rest}"
        return Check(CERTIFICATE, True, detail, whole=not ground.lacking)
    return Check(
        CERTIFICATE,
        True,
        f"it proves the lower bound {proven!r}{ground.words} before search; the rest up to "
        f"{bound!r} is said to be proven by search",
        whole=False,
    )


def _search_of_orders(claim: Claim, bound: float, ground: _Ground) -> Check:
    """Search again ourselves, where few enough variables depend on each other."""
    try:
        units = least_cost(ground.problem)
    except InputError as error:
        return Check(ORDERS, False, str(error))
    if units is None:
        many = f"more than {LARGEST_GROUP} variables depend on each other"
        return Check(ORDERS, True, f"not repeated: {many}", whole=False)
    least = _nats(units)
    detail = f"the best network{ground.words} costs {least!r}"
    if bound <= least + claim.tolerance:
        return Check(ORDERS, True, f"repeated: {detail}")
    if ground.inside:
        return Check(ORDERS, False, f"{detail}, less than the lower bound {bound!r}")
    more = "the scores have more families than the claim is about"
    return Check(ORDERS, True, f"{detail}; {more}", whole=False)


def _nats(units: int) -> float:
    """Give a bound in nats; beyond what floating-point numbers hold it is infinite."""
    try:
        return units / UNITS_PER_NAT
    except OverflowError:
        return math.inf if units > 0 else -math.inf
