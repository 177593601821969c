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
from anytimebn.checker.families import problem_of
from anytimebn.checker.formulas import local_cost
from anytimebn.checker.report import Check, Verification
from anytimebn.checker.rows import row_bound
from anytimebn.result.certificates import Clusters, Rows, certificate_from_json
from anytimebn.result.schema import schema_problems
from anytimebn.scores.store import UNITS_PER_NAT

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from anytimebn.checker.families import Problem
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
    checks.append(_certificate(claim, result["certificate"], scores))
    return Verification(tuple(checks))


def _certificate(
    claim: Claim, content: Mapping[str, Any] | None, scores: LocalScores | None
) -> Check:
    """Prove the lower bound again, as far as the certificate does."""
    name = "certificate"
    bound = claim.lower_bound
    if content is None:
        if bound is None:
            return Check(name, True, "nothing was proven, and nothing is claimed")
        detail = f"there is none; the lower bound {bound!r} is not re-proved here"
        return Check(name, True, detail, whole=False)
    if scores is None:
        return Check(name, True, "not re-proved here: that needs the local scores", whole=False)
    try:
        certificate = certificate_from_json(content, claim.names)
        check = CHECKERS[type(certificate)]
        proven = _nats(check(certificate, problem_of(claim, scores)))
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
        return Check(name, True, f"it proves the lower bound {proven!r}: no search needed")
    return Check(
        name,
        True,
        f"it proves the lower bound {proven!r} before search; the rest up to {bound!r} was proven "
        "by search and is not re-proved here",
        whole=False,
    )


def _nats(units: int) -> float:
    """Give a bound in nats; beyond what floating-point numbers hold it is infinite."""
    try:
        return units / UNITS_PER_NAT
    except OverflowError:
        return math.inf if units > 0 else -math.inf
