"""Whether scores have all the families that a claim is about, as far as the scores tell."""

from __future__ import annotations

from typing import TYPE_CHECKING

from anytimebn.base.text import how_many
from anytimebn.scores.space import Space

if TYPE_CHECKING:
    from anytimebn.checker.claim import Claim
    from anytimebn.scores.store import LocalScores


def not_covered(claim: Claim, scores: LocalScores) -> str:
    """Say which of the claimed families the scores may lack; empty if none.

    A bound over few families is none over many: a certificate proves no more than what the scores
    that it is checked with have.
    """
    claimed, there = claim.space, Space.of_scores(scores)
    if not _permits_all(there, claimed):
        return "the scores were made under constraints that are not claimed"
    if claimed.complete:
        if there.complete:
            return ""
        return "whether larger parent sets are ruled out the scores do not tell"
    if claimed.grown is None:
        most = None if claimed.complete is None else claimed.max_parents
    else:
        most = claimed.grown.all_up_to if claimed.grown.neighbourhood else None
    if most is None or most < 1 or there.complete or _all_up_to(there) >= most:
        return ""
    return f"whether the scores have all sets of up to {how_many(most, 'parent')} they do not tell"


def _permits_all(there: Space, claimed: Space) -> bool:
    """Whether every family that is claimed obeys the constraints of the scores."""
    if there.knowledge is None or claimed.knowledge is None:
        return False
    own = claimed.knowledge.max_parents
    return (
        there.required <= claimed.required
        and there.forbidden <= claimed.forbidden
        and all(name in own and own[name] <= m for name, m in there.knowledge.max_parents.items())
    )


def _all_up_to(space: Space) -> int:
    if space.grown is not None:
        return space.grown.all_up_to
    known = space.larger_ruled_out is not None and space.max_parents is not None
    return (space.max_parents or 0) if known else -1
