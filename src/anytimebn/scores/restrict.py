"""Scores under background knowledge: the parent sets that it allows."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from anytimebn.base.errors import ConstraintError, InputError
from anytimebn.scores.store import LocalScores

if TYPE_CHECKING:
    from anytimebn.knowledge.constraints import Knowledge


def restrict(scores: LocalScores, knowledge: Knowledge) -> LocalScores:
    """Drop the parent sets that background knowledge rules out.

    Required arcs cannot be handled so: a set without the required parent may have been the reason
    to leave out one that has it.
    """
    if knowledge.is_empty:
        return scores
    knowledge.check(scores.names)
    if knowledge.required:
        raise InputError(
            "arcs can be required only when learning from data: a score file leaves out the "
            "parent sets that are beaten by a subset, which the required arc may rule out"
        )
    resolved = knowledge.resolve(scores.names, scores.variables)
    sizes = np.diff(scores.first_member)
    owner = np.repeat(np.arange(scores.variables), np.diff(scores.first_set))
    allowed = np.zeros((scores.variables, scores.variables), dtype=bool)
    for child, parents in enumerate(resolved.allowed):
        allowed[child, list(parents)] = True
    bad_member = ~allowed[np.repeat(owner, sizes), scores.members]
    bad_members = np.add.reduceat(np.append(bad_member, False), scores.first_member[:-1])
    keep = (np.where(sizes > 0, bad_members, 0) == 0) & (sizes <= np.array(resolved.limits)[owner])
    left = np.bincount(owner[keep], minlength=scores.variables)
    if not left.all():
        name = scores.names[int(np.argmin(left))]
        raise ConstraintError(f"the constraints leave no parent set for {name!r}")
    return LocalScores(
        names=scores.names,
        first_set=np.concatenate([[0], np.cumsum(left)]).astype(np.int64),
        costs=scores.costs[keep],
        first_member=np.concatenate([[0], np.cumsum(sizes[keep])]).astype(np.int64),
        members=scores.members[np.repeat(keep, sizes)],
        score_name=scores.score_name,
        arities=scores.arities,
        provenance=replace(scores.provenance, constraints=knowledge),
    )
