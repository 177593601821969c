"""Background knowledge, combined from all the ways to state it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from anytimebn.base.errors import InputError
from anytimebn.base.text import shown
from anytimebn.knowledge.constraints import Knowledge
from anytimebn.knowledge.written import ArcLike, as_arcs, as_limits, as_tiers

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def as_knowledge(
    require: Sequence[ArcLike] = (),
    forbid: Sequence[ArcLike] = (),
    tiers: Sequence[Sequence[str]] | str | os.PathLike[str] = (),
    parent_limits: Mapping[str, int] | None = None,
    knowledge: Knowledge | str | os.PathLike[str] | None = None,
) -> Knowledge:
    """Background knowledge, combined from all the ways to state it.

    Examples
    --------
    >>> as_knowledge(forbid=["rain->sprinkler"]).forbidden
    frozenset({('rain', 'sprinkler')})
    """
    from anytimebn.knowledge.files import read_knowledge, read_tiers

    if isinstance(tiers, str | os.PathLike):
        tiers = read_tiers(tiers)
    if isinstance(knowledge, str | os.PathLike):
        knowledge = read_knowledge(knowledge)
    if knowledge is not None and not isinstance(knowledge, Knowledge):
        raise InputError(
            f"knowledge must be a Knowledge, or the path of a file, not {shown(knowledge)}"
        )
    before = knowledge or Knowledge()
    tiers = as_tiers(tiers)
    if before.tiers and tiers:
        raise InputError("tiers are given twice: in the knowledge and separately; give one")
    return Knowledge(
        required=before.required | as_arcs("require", require),
        forbidden=before.forbidden | as_arcs("forbid", forbid),
        tiers=before.tiers or tiers,
        max_parents={**before.max_parents, **as_limits("parent_limits", parent_limits or {})},
    )
