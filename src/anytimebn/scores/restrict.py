"""Scores with fewer parent sets: those that knowledge allows, or one where all is fixed."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from anytimebn.base.errors import ConstraintError, InputError
from anytimebn.scores.provenance import Provenance
from anytimebn.scores.store import LocalScores

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

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
    return _only(scores, keep, replace(scores.provenance, constraints=knowledge))


def fixed_outside(scores: LocalScores, free: Sequence[int], chosen: Sequence[int]) -> LocalScores:
    """Keep all parent sets of some variables, and one of each other variable.

    Parameters
    ----------
    scores
        The sets to choose from.
    free
        Numbers of the variables that keep all of theirs.
    chosen
        Number of a parent set of each variable, such as those of a network.

    Returns
    -------
    LocalScores
        Of the same variables. They say nothing of which sets were considered: that is no longer so.

    Examples
    --------
    >>> import numpy as np
    >>> import anytimebn as ab
    >>> table = np.array([[0, 0, 1], [1, 1, 0], [0, 0, 0], [1, 1, 1]] * 10)
    >>> scores = ab.score(table, "mdl")
    >>> fewer = fixed_outside(scores, free=[0], chosen=scores.first_set[:-1])
    >>> [len(list(fewer.parent_sets(name))) for name in fewer.names]
    [2, 1, 1]
    """
    is_free = np.zeros(scores.variables, dtype=bool)
    is_free[list(free)] = True
    keep = np.repeat(is_free, np.diff(scores.first_set))
    keep[np.asarray(chosen, dtype=np.int64)] = True
    return _only(scores, keep, Provenance(constraints=scores.provenance.constraints))


def _only(scores: LocalScores, keep: NDArray[np.bool_], provenance: Provenance) -> LocalScores:
    """Keep the parent sets that a mask says, at least one of each variable."""
    sizes = np.diff(scores.first_member)
    kept_before = np.concatenate([[0], np.cumsum(keep)])
    return LocalScores(
        names=scores.names,
        first_set=kept_before[scores.first_set].astype(np.int64),
        costs=scores.costs[keep],
        first_member=np.concatenate([[0], np.cumsum(sizes[keep])]).astype(np.int64),
        members=scores.members[np.repeat(keep, sizes)],
        score_name=scores.score_name,
        arities=scores.arities,
        provenance=provenance,
    )
