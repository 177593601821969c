"""The result of a run that had come to its end, from its checkpoint."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from anytimebn.base.errors import InputError
from anytimebn.learning.checkpoint_file import ADVICE
from anytimebn.learning.kept_scores import path_beside, read_scores
from anytimebn.result.result import Result
from anytimebn.scores.store import UNITS_PER_NAT, LocalScores

if TYPE_CHECKING:
    from pathlib import Path

    from anytimebn.learning.checkpoint_file import Saved
    from anytimebn.learning.task import LearnTask


def finished_result(path: Path, task: LearnTask, saved: Saved) -> Result:
    """Give the result, if it still holds what can be checked without a search.

    These are its form, its cost by the data as they are now, and the bound of its certificate where
    the scores are at hand.
    """
    from anytimebn.checker.verify import verify

    content = saved.result
    result = Result.from_json(content, str(path))
    found = task.read()
    saved.check_data(found)
    scores: LocalScores | None
    if isinstance(found, LocalScores):
        scores = found
        checks = [*verify(content or {}).checks]
        fitted = result
    else:
        from anytimebn.checker.claim import Claim
        from anytimebn.checker.costs import cost_from_data

        kept = read_scores(path_beside(path), saved.scores)
        scores = None if kept is None else kept.scores
        checks = [*verify(content or {}).checks, cost_from_data(Claim.of(content or {}), found)]
        network = replace(result.network, states=found.states).fit(found)
        fitted = replace(result, network=network)
    for check in checks:
        if not check.passed:
            raise InputError(f"{path}: its result is wrong: {check.name}: {check.detail}; {ADVICE}")
    if scores is not None:
        _check_proof(path, result, scores)
    return fitted


def _check_proof(path: Path, result: Result, scores: LocalScores) -> None:
    """Compute what the certificate proves, and compare it with what it claims."""
    from anytimebn.base.clock import SYSTEM_CLOCK
    from anytimebn.solver.proving_again import prove_again
    from anytimebn.solver.run import ParentSetRun
    from anytimebn.solver.settings import SearchSettings

    proof = result.proof
    if proof is None or proof.lower_bound is None:
        return
    run = ParentSetRun(scores, SearchSettings(local_search=False), result.network, SYSTEM_CLOCK)
    run.native.prepare()
    prove_again(run.native, (proof,), seed=0)
    proven = sum(run.native.component_bounds) / UNITS_PER_NAT
    if proven < proof.lower_bound - len(scores.names) / UNITS_PER_NAT:
        raise InputError(
            f"{path}: its certificate claims {proof.lower_bound!r} but proves only {proven!r}; "
            f"{ADVICE}"
        )
