"""The members of an equivalence class that obey what is known about arcs.

What is known directs some of the edges that the class leaves open. Each edge that is directed can
direct others, because no cycle and no new v-structure may arise: these are the four rules of Meek
(1995), after which every edge that is still open can have either direction. Where it is asked which
parents a variable can have, its open edges are directed one way or the other in turn, and the rules
tell whether a member is like that (Perkovic, Kalisch and Maathuis 2017, semi-local IDA).
"""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING

from anytimebn.base.errors import ConstraintError, InputError
from anytimebn.network.members import cliques, undirected_neighbours

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from anytimebn.knowledge.constraints import Knowledge
    from anytimebn.network.members import Parents
    from anytimebn.network.structure import Structure


class Contradiction(Exception):
    """An edge would have to be directed both ways."""


class PartlyDirected:
    """A graph whose edges are directed or not, closed under the rules of Meek.

    Parameters
    ----------
    parents, beside
        Of each variable: those from which an arc leads to it, and those with which it has an edge
        that is not directed.
    """

    def __init__(self, parents: Iterable[set[int]], beside: Iterable[set[int]]) -> None:
        self.parents = [set(own) for own in parents]
        self.beside = [set(own) for own in beside]
        around = zip(self.parents, self._children(), self.beside, strict=True)
        self.adjacent = [own | below | open_ends for own, below, open_ends in around]

    def copy(self) -> PartlyDirected:
        """Make one that can be directed further by itself."""
        return PartlyDirected(self.parents, self.beside)

    def direct(self, parent: int, child: int) -> None:
        """Direct an edge, and all that follows from it."""
        if parent in self.parents[child]:
            return
        if parent not in self.beside[child]:
            raise Contradiction
        self._turn(parent, child)
        changed = True
        while changed:
            changed = False
            for one, own in enumerate(self.beside):
                for other in sorted(own):
                    if other in self.beside[one] and self._leads(one, other):
                        self._turn(one, other)
                        changed = True

    def _turn(self, parent: int, child: int) -> None:
        self.beside[child].discard(parent)
        self.beside[parent].discard(child)
        self.parents[child].add(parent)

    def _leads(self, one: int, other: int) -> bool:
        """Whether an open edge must lead from one to the other, by one of the rules."""
        into, towards = self.parents[one], self.parents[other]
        if any(before not in self.adjacent[other] for before in into):
            return True  # the other way round would be a new v-structure
        if any(one in self.parents[between] for between in towards):
            return True  # the other way round would be a cycle
        around = self.beside[one] & towards
        if any(second not in self.adjacent[first] for first, second in permutations(around, 2)):
            return True
        return any(
            first in self.beside[one] and first not in self.adjacent[other]
            for between in towards & self.adjacent[one]
            for first in self.parents[between]
        )

    def possibly_after(self, starts: Iterable[int]) -> set[int]:
        """Give what follows in some member from one of these, and these themselves."""
        return self._reached(starts, self._children())

    def possibly_before(self, ends: Iterable[int]) -> set[int]:
        """Give what one of these follows from in some member, and these themselves."""
        return self._reached(ends, self.parents)

    def _children(self) -> list[set[int]]:
        children: list[set[int]] = [set() for _ in self.parents]
        for child, own in enumerate(self.parents):
            for parent in own:
                children[parent].add(child)
        return children

    def _reached(self, starts: Iterable[int], ahead: Sequence[set[int]]) -> set[int]:
        """Go along arcs and open edges, never by two that a third one makes a triangle of.

        Whatever can be reached in a member can be reached on such a way, on which all open edges
        can be directed ahead at once (Perkovic, Kalisch and Maathuis 2017, section 3).
        """
        found = set(starts)
        steps = {(start, after) for start in found for after in ahead[start] | self.beside[start]}
        waiting = list(steps)
        while waiting:
            before, at = waiting.pop()
            found.add(at)
            for after in (ahead[at] | self.beside[at]) - self.adjacent[before] - {before}:
                if (at, after) not in steps:
                    steps.add((at, after))
                    waiting.append((at, after))
        return found

    def member(self) -> Parents:
        """Direct all that is open in some way: give the parents of one member."""
        whole = self.copy()
        for child, own in enumerate(whole.beside):
            for parent in sorted(own):
                if parent in whole.beside[child]:
                    whole.direct(parent, child)
        return tuple(tuple(sorted(own)) for own in whole.parents)


def class_within(network: Structure, knowledge: Knowledge) -> PartlyDirected:
    """Direct what knowledge directs in the equivalence class of a network.

    Raises
    ------
    ConstraintError
        If no member obeys it.
    """
    knowledge.check(network.names)
    if knowledge.max_parents:
        raise InputError(
            "limits on parents say nothing about directions: leave max_parents out of knowledge "
            "that is about an effect"
        )
    found = PartlyDirected(*undirected_neighbours(network))
    place = {name: position for position, name in enumerate(network.names)}
    tier_of = {name: number for number, tier in enumerate(knowledge.tiers) for name in tier}
    backward = {
        (later, earlier)
        for later, number in tier_of.items()
        for earlier, other in tier_of.items()
        if other < number and place[later] in found.adjacent[place[earlier]]
    }
    for parent, child in sorted(knowledge.required):
        if place[parent] not in found.adjacent[place[child]]:
            raise ConstraintError(
                f"the network has no arc between {parent!r} and {child!r}, and {parent} -> {child} "
                "is required; learn the network with the same knowledge"
            )
    known = [(arc, f"{arc[0]} -> {arc[1]} is required") for arc in sorted(knowledge.required)]
    for parent, child in sorted(knowledge.forbidden | backward):
        if place[parent] in found.adjacent[place[child]]:
            known.append(((child, parent), f"{parent} -> {child} is not allowed"))
    for (parent, child), told in known:
        try:
            found.direct(place[parent], place[child])
        except Contradiction:
            raise ConstraintError(
                f"no network of the equivalence class obeys the knowledge: {told}, and all others "
                f"have {child} -> {parent}; learn the network with the same knowledge"
            ) from None
    return found


def members_within(network: Structure, variable: int, knowledge: Knowledge) -> Iterator[Parents]:
    """Give one member for each set of parents that a variable has in members that obey knowledge.

    The parents that it has in the network come first, if they are among them.
    """
    found = class_within(network, knowledge)
    own = set(network.parents[variable])
    open_ends = found.beside[variable]
    groups = sorted(
        cliques(found.adjacent, open_ends),
        key=lambda group: (found.parents[variable] | group != own, len(group), sorted(group)),
    )
    for group in groups:
        directed = found.copy()
        try:
            for other in sorted(open_ends):
                if other in group:
                    directed.direct(other, variable)
                else:
                    directed.direct(variable, other)
        except Contradiction:
            continue
        yield directed.member()
