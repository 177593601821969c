"""Which networks a bound is about: the parent sets that were looked at, and the knowledge."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from anytimebn.base.checks import is_whole
from anytimebn.base.errors import AnytimebnError
from anytimebn.knowledge.constraints import Knowledge

if TYPE_CHECKING:
    from collections.abc import Collection

    from anytimebn.knowledge.written import Arc
    from anytimebn.scores.on_demand import CountedScores
    from anytimebn.scores.store import LocalScores


@dataclass(frozen=True)
class Space:
    """The families that a search looks at: all within the limits that obey the knowledge.

    Parameters
    ----------
    max_parents
        The most parents of any variable; None for no limit. Single variables may have less by
        ``knowledge.max_parents``.
    larger_ruled_out
        Whether no larger parent set can be optimal, so that the limit takes nothing away; None
        where that is not known, as with most score files.
    knowledge
        Constraints on the networks; None if there are some, but a score file says them in words of
        its own.

    Examples
    --------
    >>> space = Space(2, False, Knowledge(forbidden=frozenset({("wet", "rain")})))
    >>> space.allows("rain", {"wind"}), space.allows("rain", {"wet"})
    (True, False)
    >>> space.limits_matter, space.constrained
    (True, True)
    """

    max_parents: int | None = None
    larger_ruled_out: bool | None = None
    knowledge: Knowledge | None = field(default_factory=Knowledge)

    @classmethod
    def of_scores(cls, scores: LocalScores | CountedScores) -> Space:
        """Tell what scores cover.

        Examples
        --------
        >>> import numpy as np
        >>> import anytimebn as ab
        >>> scores = ab.score(np.array([[0, 0, 1], [1, 1, 0]] * 20), max_parents=1)
        >>> Space.of_scores(scores).max_parents
        1
        """
        return cls.from_json({**scores.provenance.to_json(), "max_parents": scores.max_parents})

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> Space:
        """Read it from a result, or from what a score file says.

        Of these keys each may be absent: ``max_parents``, ``max_parents_exact``, ``constraints``.

        Examples
        --------
        >>> Space.from_json({"max_parents": 3, "max_parents_exact": True}).limits_matter
        False
        """
        exact = content.get("max_parents_exact")
        return cls(
            max_parents=content.get("max_parents"),
            larger_ruled_out=exact if isinstance(exact, bool) else None,
            knowledge=_knowledge(content.get("constraints")),
        )

    @property
    def limits_matter(self) -> bool:
        """Whether the limit on all variables may leave out parent sets that could be optimal."""
        return self.max_parents is not None and not self.larger_ruled_out

    @property
    def constrained(self) -> bool:
        """Whether knowledge leaves out networks."""
        return self.knowledge is None or not self.knowledge.is_empty

    def limit(self, child: str) -> int | None:
        """Give the most parents of a variable, by the limit on all and by its own."""
        own = None if self.knowledge is None else self.knowledge.max_parents.get(child)
        limits = [limit for limit in (self.max_parents, own) if limit is not None]
        return min(limits, default=None)

    @cached_property
    def required(self) -> frozenset[Arc]:
        """Arcs that every network has."""
        return frozenset() if self.knowledge is None else self.knowledge.required

    @cached_property
    def forbidden(self) -> frozenset[Arc]:
        """Arcs that no network has: forbidden by name, or because they lead to an earlier tier."""
        if self.knowledge is None:
            return frozenset()
        earlier: set[str] = set()
        backward: set[Arc] = set()
        for tier in self.knowledge.tiers:
            backward.update((parent, child) for parent in tier for child in earlier)
            earlier.update(tier)
        return self.knowledge.forbidden | backward

    def allows(self, child: str, parents: Collection[str]) -> bool:
        """Tell whether a variable may have these parents.

        Cycles with required arcs are not looked for: no network has them anyway.
        """
        limit = self.limit(child)
        return (
            (limit is None or len(parents) <= limit)
            and self._required_parents.get(child, frozenset()).issubset(parents)
            and self._forbidden_parents.get(child, frozenset()).isdisjoint(parents)
        )

    @cached_property
    def _required_parents(self) -> dict[str, set[str]]:
        return _by_child(self.required)

    @cached_property
    def _forbidden_parents(self) -> dict[str, set[str]]:
        return _by_child(self.forbidden)


def _by_child(arcs: frozenset[Arc]) -> dict[str, set[str]]:
    parents: dict[str, set[str]] = {}
    for parent, child in arcs:
        parents.setdefault(child, set()).add(parent)
    return parents


def _knowledge(constraints: object) -> Knowledge | None:
    """Read constraints; None for those that are not as `Knowledge.to_json` has them."""
    if not constraints:
        return Knowledge()
    if not isinstance(constraints, Mapping):
        return None
    # Other programs may write null for what there is none of.
    given = {key: value for key, value in constraints.items() if value is not None}
    try:
        knowledge = Knowledge.from_json(given)
    except AnytimebnError:
        return None
    return knowledge if all(map(is_whole, knowledge.max_parents.values())) else None
