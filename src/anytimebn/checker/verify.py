"""Verify a result without the solver: plain Python and numpy over what the result file says.

Structure, constraints, arithmetic and history are always checked, and the form of the tables; the
cost too, when the data or the local scores are given, and with the data every probability. A lower
bound is proven again from these by the result's certificate, or by a search of all orders where few
variables depend on each other; without the scores, of the neighbourhood or of few variables, whose
families are counted again from the data. What was not proven again is said to be so, not passed
over.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from anytimebn.base.checks import as_path, check_options
from anytimebn.base.errors import InputError
from anytimebn.base.json_text import read_json
from anytimebn.base.text import shown
from anytimebn.checker.checks import checks_of_claim
from anytimebn.checker.claim import Claim
from anytimebn.checker.costs import checks_with_scores, cost_from_data
from anytimebn.checker.neighbourhood import neighbourhood_costs, none_is_missing, single_changes
from anytimebn.checker.proof import checks_of_bound
from anytimebn.checker.report import Check, Verification
from anytimebn.checker.table import table_of
from anytimebn.checker.tables import checks_of_tables
from anytimebn.checker.whole_space import costs_of_space
from anytimebn.data.options import TABLE_KEYWORDS, takes_table_keywords
from anytimebn.network.files.networks import WITH_PROBABILITIES
from anytimebn.result.result import Result
from anytimebn.result.schema import schema_problems
from anytimebn.result.words import completed_in_words
from anytimebn.scores.store import LocalScores

if TYPE_CHECKING:
    from pathlib import Path

    from anytimebn.data.dataset import Dataset
    from anytimebn.data.read import TableLike


@takes_table_keywords(*TABLE_KEYWORDS)
def verify(
    result: Result | Mapping[str, Any] | str | os.PathLike[str],
    *,
    data: TableLike | None = None,
    scores: LocalScores | str | os.PathLike[str] | None = None,
    **options: Any,
) -> Verification:
    """Check what a result claims, with plain code that shares nothing with the search.

    Parameters
    ----------
    result
        A `Result`, the path of RESULT.json, or its content.
    data
        The table that the network was learned from, or its path: the network is scored again, and
        so are the families of its neighbourhood, if the lower bound is about that, or all families
        of few variables; rows, states and probabilities are counted again. It is read as it was for
        the result, which tells how.
    scores
        The local scores it was learned from, or their file: the cost is looked up again, and the
        lower bound is proven again, by the certificate of the result or by a search of all orders.
    **options
        Fields of `TableOptions`, which win over what the result tells.

    Returns
    -------
    Verification
        ``ok`` says whether every check holds, ``proven`` whether optimality is claimed and was
        proven again; printed, it has a line for each check. A wrong claim raises nothing.

    Raises
    ------
    InputError
        If a file cannot be read, or is no result at all.

    Examples
    --------
    >>> import numpy as np
    >>> import anytimebn as ab
    >>> table = np.array([[0, 0, 1], [1, 1, 0], [0, 0, 0], [1, 1, 1]] * 10)
    >>> result = ab.learn(table)
    >>> ab.verify(result).verdict
    'consistent: every check holds; that no network costs less is claimed, not proven again'
    >>> found = ab.verify(result, data=table)
    >>> found.ok, found.proven
    (True, True)
    >>> wrong = {**result.to_json(), "lower_bound": 2.0}
    >>> ab.verify(wrong).failures[0].name
    'error bound'
    """
    check_options("verify", options, TABLE_KEYWORDS)
    if options and data is None:
        raise InputError(f"{', '.join(options)}: how to read a table matters only with data")
    content = _content(result)
    if problems := list(schema_problems(content)):
        return Verification((Check("schema", False, "; ".join(problems)),))
    dataset = None if data is None else table_of(content, data, options)
    return _verified(content, dataset, _scores(scores))


def _content(result: Any) -> Mapping[str, Any]:
    """Take a result as JSON has it; a file must hold one."""
    if isinstance(result, Result):
        return result.to_json()
    if isinstance(result, Mapping):
        return result
    if not isinstance(result, str | os.PathLike):
        raise InputError(f"a Result, or the path of RESULT.json, is needed, not {shown(result)}")
    path = as_path(result)
    if path.suffix.lower() in WITH_PROBABILITIES:
        raise InputError(_of_a_network(path))
    content = read_json(path, "the file that learn --json wrote")
    if not isinstance(content, dict):
        raise InputError(f"{path}: not a result: expected a JSON object, as learn --json writes it")
    for problem in schema_problems(content):
        if "parents" in content and "status" not in content:
            raise InputError(_of_a_network(path))
        raise InputError(f"{path}: not a result: {problem}")
    return content


def _of_a_network(path: Path) -> str:
    """Say what to do with a network that comes without a claim."""
    return (
        f"{path}: a network alone, which claims nothing that could be checked; give the file that "
        f"learn --json (Result.save in Python) wrote. To learn whether another network is better "
        f"than this one: anytimebn learn DATA --start {path} --json RESULT.json"
    )


def _scores(given: Any) -> LocalScores | None:
    if given is None or isinstance(given, LocalScores):
        return given
    return LocalScores.load(as_path(given))


def _verified(
    result: Mapping[str, Any], dataset: Dataset | None, scores: LocalScores | None
) -> Verification:
    claim = Claim.of(result)
    if claim.space.knowledge is None:
        told = f"'constraints' cannot be understood: {result['constraints']!r}"
        return Verification((Check("schema", False, told),))
    checks = [Check("schema", True, "complete"), *checks_of_claim(claim)]
    checks += checks_of_tables(claim, result, dataset)
    if dataset is not None:
        checks.append(cost_from_data(claim, dataset))
    if scores is not None:
        checks += checks_with_scores(claim, scores)
    if dataset is None and scores is None:
        detail = f"{claim.cost!r} is not computed again: that needs the data or the local scores"
        checks.append(Check("cost", True, detail, whole=False))
    sound = all(check.passed for check in checks)
    counted = None
    if dataset is not None and sound and claim.claims_neighbourhood:
        counted = neighbourhood_costs(claim, dataset)
        if claim.status == "optimal":
            checks.append(single_changes(claim, counted))
        if scores is not None:
            checks.append(none_is_missing(claim, counted, scores))
    elif dataset is not None and sound and scores is None and claim.lower_bound is not None:
        counted = costs_of_space(claim, dataset)
    # What contradicts itself, or its data, is not worth a proof.
    of_bound = checks_of_bound(claim, result["certificate"], scores, counted) if sound else []
    return Verification(
        (*checks, *of_bound),
        claim=claim.space.claim if claim.status == "optimal" else None,
        about=claim.space.condition + completed_in_words(result),
        bound_proven=claim.lower_bound is not None and bool(of_bound) and of_bound[-1].whole,
    )
