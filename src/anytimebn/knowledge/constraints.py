"""What is known about a network before it is learned: arcs, tiers, and limits on parents.

Contradictions are found here, before any search, and explained in the user's own names. When
``Knowledge.check`` passes, a network exists: the required arcs alone are one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from graphlib import CycleError, TopologicalSorter
from typing import TYPE_CHECKING, Any, Protocol

from anytimebn.base.checks import check_whole
from anytimebn.base.errors import ConstraintError, InputError
from anytimebn.base.text import did_you_mean, listed_names, shown
from anytimebn.knowledge.written import as_arcs, as_limits, as_tiers

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from anytimebn.knowledge.written import Arc


class Graph(Protocol):
    """What has to be known of a network to check it against constraints."""

    @property
    def names(self) -> tuple[str, ...]:
        """The variables."""

    @property
    def arcs(self) -> tuple[Arc, ...]:
        """All arcs, as parent and child."""

    def parents_of(self, name: str) -> tuple[str, ...]:
        """Names of a variable's parents."""


@dataclass(frozen=True)
class ResolvedKnowledge:
    """Knowledge by variable number: what scoring and search need of it."""

    required: tuple[tuple[int, ...], ...]  # parents that each variable must have, ascending
    refused: tuple[tuple[int, ...], ...]  # what is no parent of it: ascending, itself included
    limits: tuple[int, ...]  # how many parents it may have

    @cached_property
    def allowed(self) -> tuple[tuple[int, ...], ...]:
        """Parents that each variable may have, required ones included."""
        every = range(len(self.refused))
        return tuple(
            tuple(other for other in every if other not in own) for own in map(set, self.refused)
        )


@dataclass(frozen=True)
class Knowledge:
    """Constraints on the network, by names.

    Parameters
    ----------
    required
        Arcs ``(parent, child)`` that the network must have.
    forbidden
        Arcs that it must not have.
    tiers
        Groups of names, earliest first: a variable may have parents in its own and in earlier
        tiers. Variables in no tier are unrestricted.
    max_parents
        Largest number of parents of single variables, besides the limit that holds for all.

    Examples
    --------
    >>> known = Knowledge(required=frozenset({("season", "rain")}), tiers=(("season",), ("rain",)))
    >>> known.check(["rain", "season", "wet"])
    >>> known.resolve(["rain", "season", "wet"], max_parents=2).allowed
    ((1, 2), (2,), (0, 1))
    """

    required: frozenset[Arc] = frozenset()
    forbidden: frozenset[Arc] = frozenset()
    tiers: tuple[tuple[str, ...], ...] = ()
    max_parents: Mapping[str, int] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        # Lists and sets from callers are taken too, but copied: what is frozen stays as it is.
        object.__setattr__(self, "required", as_arcs("required", self.required))
        object.__setattr__(self, "forbidden", as_arcs("forbidden", self.forbidden))
        object.__setattr__(self, "tiers", as_tiers(self.tiers))
        object.__setattr__(self, "max_parents", as_limits("max_parents", self.max_parents))

    @property
    def is_empty(self) -> bool:
        """Whether nothing is known.

        Examples
        --------
        >>> Knowledge().is_empty
        True
        """
        return not (self.required or self.forbidden or self.tiers or self.max_parents)

    def check(self, names: Sequence[str], *, max_parents: int | None = None) -> None:
        """Find what is wrong with the constraints, before any search.

        Parameters
        ----------
        names
            The variables that there are.
        max_parents
            The most parents of any variable, if there is such a limit.

        Raises
        ------
        InputError
            If a name is unknown, an arc goes from a variable to itself, or a limit is not a number.
        ConstraintError
            If no network satisfies all constraints.

        Examples
        --------
        >>> Knowledge(required=frozenset({("A", "B"), ("B", "A")})).check(["A", "B"])
        Traceback (most recent call last):
            ...
        anytimebn.ConstraintError: the required arcs form a cycle: A -> B -> A; ...
        """
        self._check_names(names)
        for name, limit in sorted(self.max_parents.items()):
            if type(limit) is not int or limit < 0:
                raise InputError(
                    f"the limit on the parents of {name!r} is {limit!r}; "
                    "expected a whole number from 0"
                )
        if max_parents is not None:
            check_whole("max_parents", max_parents, 0)
        tier_of = self._tier_of()
        for parent, child in sorted(self.required & self.forbidden):
            raise ConstraintError(f"the arc {parent} -> {child} is both required and forbidden")
        for parent, child in sorted(self.required):
            if parent in tier_of and child in tier_of and tier_of[parent] > tier_of[child]:
                raise ConstraintError(
                    f"the required arc {parent} -> {child} goes back from tier "
                    f"{tier_of[parent] + 1} to tier {tier_of[child] + 1}; parents must be in the "
                    "same or an earlier tier"
                )
        self._required_order()
        self._check_limits(max_parents)

    def resolve(self, names: Sequence[str], max_parents: int) -> ResolvedKnowledge:
        """Check the constraints and turn them into variable numbers.

        Arcs that would close a cycle with required ones are not allowed either: with A -> B -> C
        required, neither B nor C may be a parent of A.

        Parameters
        ----------
        names
            The variables, in the order of their numbers.
        max_parents
            The most parents of any variable; a variable with a limit of its own has the smaller.

        Returns
        -------
        ResolvedKnowledge
            Required parents, refused and allowed ones, and limit of each variable.

        Examples
        --------
        >>> known = Knowledge(required=frozenset({("A", "B"), ("B", "C")}), max_parents={"C": 1})
        >>> resolved = known.resolve(["A", "B", "C"], max_parents=3)
        >>> resolved.required
        ((), (0,), (1,))
        >>> resolved.allowed
        ((), (0,), (0, 1))
        >>> resolved.limits
        (3, 3, 1)
        """
        self.check(names, max_parents=max_parents)
        number_of = {name: number for number, name in enumerate(names)}
        tier_of = self._tier_of()
        refused: dict[str, set[str]] = {name: {name} for name in names}
        for parent, child in self.forbidden:
            refused[child].add(parent)
        for name, descendants in self._required_descendants().items():
            refused[name] |= descendants
        later: list[set[str]] = [set() for _ in self.tiers]
        for tier in range(len(self.tiers) - 1, 0, -1):
            later[tier - 1] = later[tier].union(self.tiers[tier])
        for name, tier in tier_of.items():
            refused[name] |= later[tier]

        required: list[list[int]] = [[] for _ in names]
        for parent, child in self.required:
            required[number_of[child]].append(number_of[parent])
        return ResolvedKnowledge(
            required=tuple(tuple(sorted(parents)) for parents in required),
            refused=tuple(tuple(sorted(number_of[other] for other in refused[n])) for n in names),
            limits=tuple(min(max_parents, self.max_parents.get(n, max_parents)) for n in names),
        )

    def to_json(self) -> dict[str, Any]:
        """Return the constraints as JSON values, sorted; tiers keep their order.

        Examples
        --------
        >>> Knowledge(forbidden=frozenset({("wet", "rain")})).to_json()
        {'require': [], 'forbid': [['wet', 'rain']], 'tiers': [], 'max_parents': {}}
        """
        return {
            "require": [list(arc) for arc in sorted(self.required)],
            "forbid": [list(arc) for arc in sorted(self.forbidden)],
            "tiers": [sorted(tier) for tier in self.tiers],
            "max_parents": dict(sorted(self.max_parents.items())),
        }

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> Knowledge:
        """Read what `to_json` gave.

        Examples
        --------
        >>> known = Knowledge(forbidden=frozenset({("wet", "rain")}), max_parents={"wet": 1})
        >>> Knowledge.from_json(known.to_json()) == known
        True
        """
        if not isinstance(content, Mapping):
            raise InputError(
                f"constraints must be what Knowledge.to_json gives, not {shown(content)}"
            )
        return cls(
            required=as_arcs("require", content.get("require", ())),
            forbidden=as_arcs("forbid", content.get("forbid", ())),
            tiers=content.get("tiers", ()),
            max_parents=content.get("max_parents", {}),
        )

    def violations(self, network: Graph) -> list[str]:
        """List how a network violates the constraints.

        Examples
        --------
        >>> from anytimebn import Network
        >>> network = Network.from_parents({"rain": ["wet"], "wet": []})
        >>> Knowledge(forbidden=frozenset({("wet", "rain")})).violations(network)
        ['it has the forbidden arc wet -> rain']
        """
        tier_of = self._tier_of()
        arcs = set(network.arcs)
        found = [f"it lacks the required arc {a} -> {b}" for a, b in sorted(self.required - arcs)]
        found += [f"it has the forbidden arc {a} -> {b}" for a, b in sorted(self.forbidden & arcs)]
        found += [
            f"its arc {a} -> {b} goes back from tier {tier_of[a] + 1} to tier {tier_of[b] + 1}"
            for a, b in network.arcs
            if a in tier_of and b in tier_of and tier_of[a] > tier_of[b]
        ]
        for name, limit in sorted(self.max_parents.items()):
            own = network.parents_of(name) if name in network.names else ()
            if len(own) > limit:
                found.append(f"{name!r} has {len(own)} parents in it, and may have {limit}")
        return found

    def _mentions(self) -> Iterator[tuple[str, str]]:
        """Give each name that the constraints mention, and where they do."""
        for kind, arcs in (("required", self.required), ("forbidden", self.forbidden)):
            for arc in sorted(arcs):
                for name in arc:
                    yield name, f"{kind} arc '{arc[0]}->{arc[1]}'"
        for number, tier in enumerate(self.tiers, 1):
            for name in tier:
                yield name, f"tier {number}"
        for name in sorted(self.max_parents):
            yield name, "limit on parents"

    def _check_names(self, names: Sequence[str]) -> None:
        known = set(names)
        for name, where in self._mentions():
            if name not in known:
                raise InputError(
                    f"{where}: no variable is named {name!r}{did_you_mean(name, names)}; the "
                    f"variables are {listed_names(names)}"
                )
        for kind, arcs in (("required", self.required), ("forbidden", self.forbidden)):
            for parent, child in sorted(arcs):
                if parent == child:
                    raise InputError(
                        f"{kind} arc '{parent}->{child}': expected two different variables"
                    )

    def _tier_of(self) -> dict[str, int]:
        tier_of: dict[str, int] = {}
        for number, tier in enumerate(self.tiers):
            for name in tier:
                if tier_of.setdefault(name, number) != number:
                    raise ConstraintError(
                        f"{name!r} is in tier {tier_of[name] + 1} and in tier {number + 1}; "
                        "expected each variable in one tier at most"
                    )
        return tier_of

    def _required_order(self) -> list[str]:
        """Return the ends of required arcs, parents first; refuse a cycle and name it."""
        sorter: TopologicalSorter[str] = TopologicalSorter()
        for parent, child in sorted(self.required):
            sorter.add(child, parent)
        try:
            return list(sorter.static_order())
        except CycleError as error:
            cycle: list[str] = error.args[1][:-1]
            start = cycle.index(min(cycle))
            cycle = [*cycle[start:], *cycle[: start + 1]]
            raise ConstraintError(
                f"the required arcs form a cycle: {' -> '.join(cycle)}; "
                "a network has none, so at least one of them cannot be required"
            ) from None

    def _required_descendants(self) -> dict[str, set[str]]:
        children: dict[str, list[str]] = {}
        for parent, child in self.required:
            children.setdefault(parent, []).append(child)
        descendants: dict[str, set[str]] = {}
        for name in reversed(self._required_order()):
            own = children.get(name, [])
            descendants[name] = set(own).union(*(descendants[child] for child in own))
        return descendants

    def _check_limits(self, max_parents: int | None) -> None:
        parents: dict[str, list[str]] = {}
        for parent, child in sorted(self.required):
            parents.setdefault(child, []).append(parent)
        for child, own in sorted(parents.items()):
            limits = [self.max_parents.get(child), max_parents]
            limit = min((k for k in limits if k is not None), default=None)
            if limit is not None and len(own) > limit:
                raise ConstraintError(
                    f"{child!r} has {len(own)} required parents ({listed_names(own)}), but may "
                    f"have {limit} at most; raise the limit or require fewer"
                )
