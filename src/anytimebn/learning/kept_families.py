"""Scores that have more than what can be optimal: for questions about all good networks."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING

from anytimebn.base.errors import InputError
from anytimebn.scores.scoring import score
from anytimebn.scores.store import LocalScores

if TYPE_CHECKING:
    from anytimebn.base.clock import Deadline
    from anytimebn.base.report import Sink
    from anytimebn.learning.task import LearnTask


def families_within(
    task: LearnTask, factor: float, deadline: Deadline, progress: Sink | None
) -> LocalScores:
    """Give the parent sets that are at most a factor worse than the best of their subsets.

    Those of a table are counted; scores must have them, as far as they tell.
    """
    data = task.read(deadline)
    if isinstance(data, LocalScores):
        refuse_pruned(data, factor)
        return data
    return score(
        data,
        task.scoring.score,
        max_parents=task.scoring.max_parents,
        ess=task.scoring.ess,
        factor=factor,
        knowledge=task.knowledge,
        jobs=task.settings.jobs,
        memory_limit=task.settings.memory_limit,
        time_limit=deadline.limit,
        progress=progress,
    )


def were_pruned(scores: LocalScores, factor: float) -> bool | None:
    """Whether scores lack sets within a factor of their best subset; None if they do not tell."""
    told = scores.provenance
    if told.factor is not None:
        return told.factor < factor
    return True if told.sets_counted is not None or told.space is not None else None


def refuse_pruned(scores: LocalScores, factor: float) -> None:
    """Refuse scores that lack sets which matter; all sets matter if the factor is infinite."""
    pruned = were_pruned(scores, factor)
    if pruned is False and math.isinf(factor):
        _check_counts(scores)
    if pruned is False or (pruned is None and not math.isinf(factor)):
        return
    wanted, in_python = ("all", "math.inf") if math.isinf(factor) else [f"{factor:g}"] * 2
    if pruned is None:
        what = "these scores do not say that they have all parent sets"
    elif scores.provenance.factor is None:
        what = "these scores leave out parent sets that cannot be optimal, but that others need"
    else:
        what = (
            "these scores have only the parent sets within a factor of "
            f"{scores.provenance.factor:g} of their best subset"
        )
    raise InputError(
        f"{what}: give the table instead, or score it with --factor {wanted}, in Python "
        f"factor={in_python}"
    )


def _check_counts(scores: LocalScores) -> None:
    """Refuse scores that say they have all parent sets and do not; constraints may leave some out.

    Then each variable has at least one, and nobody knows how many.
    """
    others, most = scores.variables - 1, scores.max_parents or 0
    expected = sum(math.comb(others, size) for size in range(min(others, most) + 1))
    if scores.provenance.constraints is not None:
        return
    for name, (begin, end) in zip(scores.names, pairwise(scores.first_set.tolist()), strict=True):
        if end - begin != expected:
            raise InputError(
                f"these scores say that they have all sets of up to {most} parents, but {name!r} "
                f"has {end - begin} of {expected}: score the table again with --factor all"
            )
