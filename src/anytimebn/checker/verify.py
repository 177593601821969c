"""Verify a result without the solver: plain Python and numpy over what the result file says.

Structure, constraints, arithmetic and history are always checked; the cost too, when the data or
the local scores are given. A lower bound is proven again when the result carries a certificate and
the scores are given. What only a search can prove is said to be so, not passed over.

Each kind of certificate is explained and checked in a module of its own: see `CHECKERS`.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from anytimebn.base.errors import InputError
from anytimebn.checker.checks import checks_of_claim
from anytimebn.checker.claim import Claim
from anytimebn.checker.clusters import cluster_bound
from anytimebn.checker.costs import checks_with_scores, cost_from_data
from anytimebn.checker.coverage import not_covered
from anytimebn.checker.families import problem_of
from anytimebn.checker.formulas import local_cost
from anytimebn.checker.neighbourhood import (
    neighbourhood_costs,
    none_is_missing,
    problem_of_costs,
    single_changes,
)
from anytimebn.checker.report import Check, Verification
from anytimebn.checker.rows import row_bound
from anytimebn.result.certificates import Clusters, Rows, certificate_from_json
from anytimebn.result.schema import schema_problems
from anytimebn.scores.store import UNITS_PER_NAT

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from anytimebn.checker.families import Problem
    from anytimebn.checker.neighbourhood import Costs
    from anytimebn.data.dataset import Dataset
    from anytimebn.result.certificates import Certificate
    from anytimebn.scores.store import LocalScores

__all__ = ["Check", "Verification", "local_cost", "verify"]

CHECKERS: dict[type[Certificate], Callable[[Any, Problem], int]] = {
    Clusters: cluster_bound,
    Rows: row_bound,
}
"""What computes the bound of a certificate again, in units of 1e-6 nat, by its kind."""


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
        The data that the network was learned from: the network is scored again, and so are the
        families of its neighbourhood, if the lower bound is about that.
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
    if problems := list(schema_problems(result)):
        return Verification((Check("schema", False, "; ".join(problems)),))
    claim = Claim.of(result)
    if claim.space.knowledge is None:
        told = f"'constraints' cannot be understood: {result['constraints']!r}"
        return Verification((Check("schema", False, told),))
    checks = [Check("schema", True, "complete"), *checks_of_claim(claim)]
    if dataset is not None:
        checks.append(cost_from_data(claim, dataset))
    if scores is not None:
        checks += checks_with_scores(claim, scores)
    sound = all(check.passed for check in checks)
    near = None
    if dataset is not None and sound and claim.claims_neighbourhood:
        near = neighbourhood_costs(claim, dataset)
        if claim.status == "optimal":
            checks.append(single_changes(claim, near))
        if scores is not None:
            checks.append(none_is_missing(claim, near, scores))
    checks.append(_certificate(claim, result["certificate"], scores, near))
    return Verification(tuple(checks))


def _certificate(
    claim: Claim,
    content: Mapping[str, Any] | None,
    scores: LocalScores | None,
    near: list[Costs] | None,
) -> Check:
    """Prove the lower bound again, as far as the certificate does.

    Without the scores, a neighbourhood that was counted again is what it is proven of.
    """
    name = "certificate"
    bound = claim.lower_bound
    if content is None:
        if bound is None:
            return Check(name, True, "nothing was proven, and nothing is claimed")
        detail = f"there is none; the lower bound {bound!r} is not re-proved here"
        return Check(name, True, detail, whole=False)
    if scores is None and near is None:
        needed = "the local scores" + (" or the data" if claim.claims_neighbourhood else "")
        return Check(name, True, f"not re-proved here: that needs {needed}", whole=False)
    about = "" if scores is not None else " over the neighbourhood, which was counted again"
    try:
        certificate = certificate_from_json(content, claim.names)
        check = CHECKERS[type(certificate)]
        problem = (
            problem_of(claim, scores) if scores is not None else problem_of_costs(claim, near or [])
        )
        proven = _nats(check(certificate, problem))
    except InputError as error:
        return Check(name, False, str(error))
    if proven > claim.cost + claim.tolerance:
        return Check(
            name,
            False,
            f"with these scores it proves {proven!r}, more than the cost {claim.cost!r}: they are "
            "not the scores of this result",
        )
    own = certificate.lower_bound
    if own is not None and own > proven + claim.tolerance:
        return Check(name, False, f"it claims {own!r} but proves only {proven!r}")
    if bound is None or bound <= proven + claim.tolerance:
        wider = scores is None and claim.space.grown is not None and claim.space.grown.all_up_to > 0
        unseen = near is None and claim.claims_neighbourhood
        lacking = "" if scores is None else not_covered(claim, scores)
        rest = "; wider spaces need the local scores" if wider else ""
        if unseen:
            rest = "; whether the scores have the whole neighbourhood only the data can tell"
        if lacking:
            rest += f"; {lacking}"
        detail = f"it proves the lower bound {proven!r}{about}: no search needed{rest}"
        return Check(name, True, detail, whole=not (wider or unseen or lacking))
    return Check(
        name,
        True,
        f"it proves the lower bound {proven!r}{about} before search; the rest up to {bound!r} is "
        "said to be proven by search, and is not re-proved here",
        whole=False,
    )


def _nats(units: int) -> float:
    """Give a bound in nats; beyond what floating-point numbers hold it is infinite."""
    try:
        return units / UNITS_PER_NAT
    except OverflowError:
        return math.inf if units > 0 else -math.inf
