"""Which networks a bound is about: the parent sets that were looked at, and the knowledge."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from anytimebn.base.checks import is_whole
from anytimebn.base.errors import AnytimebnError
from anytimebn.base.text import how_many
from anytimebn.knowledge.constraints import Knowledge

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from anytimebn.knowledge.written import Arc
    from anytimebn.scores.on_demand import CountedScores
    from anytimebn.scores.store import LocalScores


@dataclass(frozen=True, kw_only=True)
class Grown:
    """Families that are not all up to a size, but grew around networks.

    Parameters
    ----------
    neighbourhood
        Whether they have the whole neighbourhood of the network that was found: every family of it
        with one parent added, removed, or exchanged for another.
    all_up_to
        Every parent set of up to this size is there; -1 if some without parents are not.
    families
        How many others there are, that might be of use.
    largest
        Parents of the largest family.
    """

    neighbourhood: bool
    all_up_to: int
    families: int
    largest: int

    @classmethod
    def around(
        cls,
        scores: LocalScores,
        network: Sequence[Sequence[int]],
        *,
        neighbourhood: bool,
        all_up_to: int,
    ) -> Grown:
        """Say what scores cover, seen from the parents of each variable in a network."""
        others = 0
        largest = 0
        for child, own in enumerate(network):
            members = frozenset(own)
            for number in range(scores.first_set[child], scores.first_set[child + 1]):
                parents = frozenset(scores.parents(number))
                largest = max(largest, len(parents))
                near = neighbourhood and is_near(members, parents)
                others += len(parents) > all_up_to and not near
        return cls(
            neighbourhood=neighbourhood, all_up_to=all_up_to, families=others, largest=largest
        )

    @property
    def levels_in_words(self) -> str:
        """Up to how many parents all sets are there; empty if those of one are not."""
        return how_many(self.all_up_to, "parent") if self.all_up_to > 0 else ""

    def to_json(self) -> dict[str, Any]:
        """All of it as JSON values."""
        return {
            "complete": False,
            "all_up_to": None if self.all_up_to < 0 else self.all_up_to,
            "neighbourhood": self.neighbourhood,
            "grown": self.families,
            "largest": self.largest,
        }

    @classmethod
    def from_json(cls, content: object) -> Grown | None:
        """Read it from a result or a score file; None if it is not there, or something else."""
        if not isinstance(content, Mapping) or "neighbourhood" not in content:
            return None
        numbers: list[Any] = [content.get(key) for key in ("all_up_to", "grown", "largest")]
        up_to, families, largest = numbers
        up_to = -1 if up_to is None else up_to
        if not all(map(is_whole, (up_to, families, largest))):
            return None
        if up_to < -1 or families < 0 or largest < 0:
            return None
        return cls(
            neighbourhood=content["neighbourhood"] is True,
            all_up_to=int(up_to),
            families=int(families),
            largest=int(largest),
        )


def is_near(own: frozenset[int], parents: frozenset[int]) -> bool:
    """Whether two parent sets differ by one that is added, removed, or exchanged, or not at all.

    Examples
    --------
    >>> own = frozenset({1, 2})
    >>> [is_near(own, frozenset(other)) for other in ({1, 2, 3}, {2}, {1, 3}, {3}, {1, 3, 4})]
    [True, True, True, False, False]
    """
    return len(own - parents) <= 1 and len(parents - own) <= 1


@dataclass(frozen=True)
class Space:
    """The families that a search looks at, which obey the knowledge: all within the limits, or few.

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
    grown
        Which families there are, where these are not all within the limit.

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
    grown: Grown | None = None

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

        Of these keys each may be absent: ``max_parents``, ``max_parents_exact``, ``constraints``,
        ``space``.

        Examples
        --------
        >>> Space.from_json({"max_parents": 3, "max_parents_exact": True}).limits_matter
        False
        """
        exact = content.get("max_parents_exact")
        told = content.get("space")
        return cls(
            max_parents=content.get("max_parents"),
            larger_ruled_out=exact if isinstance(exact, bool) else None,
            knowledge=_knowledge(content.get("constraints")),
            grown=Grown.from_json(told) if _is_grown(told, content.get("max_parents")) else None,
        )

    def to_json(self) -> dict[str, Any]:
        """Which families there are, as results tell it; constraints are told apart.

        Examples
        --------
        >>> Space(3, False).to_json()
        {'complete': False, 'all_up_to': 3, 'neighbourhood': False, 'grown': 0, 'largest': 3}
        """
        if self.grown is None:
            known = self.larger_ruled_out is not None
            return {
                "complete": self.complete,
                "all_up_to": self.max_parents if known else None,
                "neighbourhood": False,
                "grown": 0,
                "largest": self.max_parents,
            }
        return self.grown.to_json()

    @property
    def complete(self) -> bool | None:
        """Whether it has all families that can be optimal; None where that is not known."""
        if self.grown is not None:
            return False
        return self.larger_ruled_out

    @property
    def name(self) -> str:
        """What it is called: the same words wherever something is said about it.

        Examples
        --------
        >>> Space(3, True).name, Space(3, False).name, Space(3).name
        ('all networks', 'networks of up to 3 parents', 'networks of the given parent sets')
        """
        if self.grown is not None:
            if not self.grown.neighbourhood:
                return "networks of the families searched"
            levels = self.grown.levels_in_words
            return f"the neighbourhood and up to {levels}" if levels else "the neighbourhood"
        if self.complete:
            return "all networks"
        if self.complete is None:
            return "networks of the given parent sets"
        return f"networks of up to {self.limit_in_words}"

    @property
    def claim(self) -> str:
        """What the best network of this space is called: optimal alone only if it is that of all.

        Examples
        --------
        >>> Space(3, True).claim, Space(3, False).claim, Space(3).claim
        ('optimal', 'optimal up to 3 parents', 'optimal among the given parent sets')
        """
        if self.grown is not None:
            if not self.grown.neighbourhood:
                return "optimal among the families searched"
            levels = self.grown.levels_in_words
            return f"neighbourhood-optimal, up to {levels}" if levels else "neighbourhood-optimal"
        if self.complete:
            return "optimal"
        if self.complete is None:
            return "optimal among the given parent sets"
        return f"optimal up to {self.limit_in_words}"

    @property
    def condition(self) -> str:
        """Which networks are in it, as words that follow "network"; empty if all are.

        Examples
        --------
        >>> f"no network{Space(3, False).condition} costs less"
        'no network with at most 3 parents a variable costs less'
        """
        conditions = []
        if self.grown is not None:
            conditions.append(_grown_condition(self.grown))
            if self.max_parents is not None:
                conditions.append(f"with at most {self.limit_in_words} a variable")
        elif self.complete is None:
            conditions.append("of the given parent sets")
        elif not self.complete:
            conditions.append(f"with at most {self.limit_in_words} a variable")
        if self.constrained:
            conditions.append("within the constraints")
        return " " + " and ".join(conditions) if conditions else ""

    @property
    def limit_in_words(self) -> str:
        """The limit on all variables, as words that follow "up to"."""
        most = self.max_parents
        return "any number of parents" if most is None else how_many(most, "parent")

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


def _grown_condition(grown: Grown) -> str:
    if not grown.neighbourhood:
        return "of the families that were searched"
    near = "whose families each differ from these by at most one parent"
    return near if grown.all_up_to < 1 else f"{near}, or have at most {grown.all_up_to},"


def _is_grown(told: object, max_parents: object) -> bool:
    """Whether a space is told that is not all sets up to a size, which other keys tell."""
    if not isinstance(told, Mapping):
        return False
    few = max_parents is None and told.get("complete") is False
    return few or told.get("neighbourhood") is True or bool(told.get("grown"))


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
