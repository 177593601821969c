"""Markov equivalence: what data alone can tell about the directions of arcs.

Networks with the same skeleton and the same v-structures (a -> c <- b with a and b not adjacent)
represent the same independences, and most scores cannot tell them apart. Their class is drawn as a
completed partially directed acyclic graph (CPDAG): an arc is directed there if it has the same
direction in all networks of the class, and undirected otherwise.
"""

from __future__ import annotations

import html
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from anytimebn.base.errors import InputError
from anytimebn.draw.marks import ArcMark

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from anytimebn.network.structure import Structure

Pair = tuple[str, str]


@dataclass(frozen=True, repr=False)
class Cpdag:
    """An equivalence class of networks.

    Parameters
    ----------
    names
        The variables.
    directed
        Arcs ``(parent, child)`` that all networks of the class have.
    undirected
        Pairs of names, the smaller first, that are adjacent in all networks of the class, with
        either direction in some.

    Examples
    --------
    >>> from anytimebn import Network
    >>> chain = Network.from_parents({"a": [], "b": ["a"], "c": ["b"]})
    >>> fork = Network.from_parents({"a": ["b"], "b": [], "c": ["b"]})
    >>> chain.cpdag() == fork.cpdag()
    True
    >>> chain.cpdag()
    Cpdag(3 variables, 0 directed and 2 undirected edges)
    >>> sorted(Network.from_parents({"a": [], "b": [], "c": ["a", "b"]}).cpdag().directed)
    [('a', 'c'), ('b', 'c')]
    """

    names: frozenset[str]
    directed: frozenset[Pair]
    undirected: frozenset[Pair]

    def __repr__(self) -> str:
        return (
            f"Cpdag({len(self.names)} variables, {len(self.directed)} directed and "
            f"{len(self.undirected)} undirected edges)"
        )

    @property
    def skeleton(self) -> frozenset[Pair]:
        """Adjacent pairs of names, the smaller first."""
        return frozenset(map(_ordered, self.directed)) | self.undirected

    def plot(
        self, path: str | Path | None = None, *, title: str | None = None, **options: Any
    ) -> Any:
        """Draw the class: edges that data cannot direct have no arrowhead.

        Parameters
        ----------
        path, title, **options
            As in `Network.plot`.

        Returns
        -------
        matplotlib.figure.Figure
        """
        from anytimebn.draw.graph import draw_network
        from anytimebn.network.members import extension

        names = sorted(self.names)
        parents = extension(names, sorted(self.directed), sorted(self.undirected))
        return draw_network(
            names, parents, path, title=title, **class_marks(names, parents, self), **options
        )

    def _repr_html_(self) -> str:
        from anytimebn.draw.embed import embedded_image
        from anytimebn.network.html import MOST_DRAWN

        words = f"<div>{html.escape(repr(self))}</div>"
        drawn = 0 < len(self.names) <= MOST_DRAWN
        return f"<div>{embedded_image(self.plot, repr(self)) if drawn else ''}{words}</div>"

    def structural_hamming_distance(self, other: Cpdag) -> int:
        """Count the pairs of variables between which the two classes differ.

        A pair counts once if one class has an edge there and the other none, or if they differ in
        its direction: a directed against an undirected edge counts, too (Tsamardinos, Brown and
        Aliferis 2006).

        Examples
        --------
        >>> from anytimebn import Network
        >>> chain = Network.from_parents({"a": [], "b": ["a"], "c": ["b"]})
        >>> collider = Network.from_parents({"a": [], "b": ["a", "c"], "c": []})
        >>> chain.cpdag().structural_hamming_distance(collider.cpdag())
        2
        """
        check_same_variables(self.names, other.names)
        return _differing_pairs(
            (self.directed ^ other.directed) | (self.undirected ^ other.undirected)
        )


NOTE_ON_HEADS = "without an arrowhead: data cannot tell the direction"


def class_marks(
    names: Sequence[str], parents: Sequence[Sequence[int]], of_class: Cpdag
) -> dict[str, Any]:
    """Give the options of a drawing of one member that make it a drawing of its whole class."""
    open_arcs = {
        (names[parent], names[child]): ArcMark(head="none")
        for child, members in enumerate(parents)
        for parent in members
        if _ordered((names[parent], names[child])) in of_class.undirected
    }
    below = {child for _, child in of_class.directed} | set().union(*of_class.undirected)
    roots = {place for place, name in enumerate(names) if name not in below}
    return {"marks": open_arcs, "note": NOTE_ON_HEADS if open_arcs else "", "roots": roots}


def cpdag_of(network: Structure) -> Cpdag:
    """Find the equivalence class of a network.

    Examples
    --------
    >>> from anytimebn import Network
    >>> cpdag_of(Network.from_parents({"a": [], "b": ["a"]})).undirected
    frozenset({('a', 'b')})
    """
    names = network.names
    order = [network.index_of(name) for name in network.topological_order]
    compelled = compelled_arcs(network.parents, order)
    return Cpdag(
        frozenset(names),
        frozenset((names[parent], names[child]) for parent, child in compelled),
        frozenset(
            _ordered((names[parent], names[child]))
            for child, members in enumerate(network.parents)
            for parent in members
            if (parent, child) not in compelled
        ),
    )


def compelled_arcs(
    parents: Sequence[Sequence[int]], topological_order: Sequence[int]
) -> set[tuple[int, int]]:
    """Find the arcs that all equivalent networks have (Chickering 1995, "Label-Edges").

    The arcs are labelled child by child in topological order. Those into y are settled by the one
    from its latest parent x: all are compelled if a compelled w -> x has no w -> y beside it, or if
    another parent of y is not a parent of x (a v-structure); else only those from such w are.
    """
    position = {variable: place for place, variable in enumerate(topological_order)}
    compelled_parents: list[set[int]] = [set() for _ in parents]
    for y in topological_order:
        own = set(parents[y])
        if not own:
            continue
        x = max(own, key=position.__getitem__)
        into_x = compelled_parents[x]
        is_compelled = not into_x <= own or not own - {x} <= set(parents[x])
        compelled_parents[y] = own if is_compelled else set(into_x)
    return {(parent, child) for child, own in enumerate(compelled_parents) for parent in own}


def hamming_distance_of_arcs(one: Structure, other: Structure) -> int:
    """Count the pairs of variables between which two networks differ.

    A missing, an added and a reversed arc each count once.

    Examples
    --------
    >>> from anytimebn import Network
    >>> forth = Network.from_parents({"a": [], "b": ["a"]})
    >>> back = Network.from_parents({"a": ["b"], "b": []})
    >>> hamming_distance_of_arcs(forth, back)
    1
    """
    check_same_variables(one.names, other.names)
    return _differing_pairs(set(one.arcs) ^ set(other.arcs))


def markov_blanket(network: Structure, name: str) -> tuple[str, ...]:
    """Give the parents, the children and the other parents of the children of a variable.

    Given these it is independent of all others. They come in the order of the network's names.
    """
    own = network.index_of(name)
    found = set(network.parents[own])
    for child, members in enumerate(network.parents):
        if own in members:
            found.update((child, *members))
    return tuple(network.names[variable] for variable in sorted(found - {own}))


def check_same_variables(one: Iterable[str], other: Iterable[str]) -> None:
    """Refuse to compare networks over different variables."""
    only_one = sorted(set(one) ^ set(other))
    if only_one:
        raise InputError(
            f"networks over different variables cannot be compared: only one of them has "
            f"{only_one[0]!r}"
        )


def _ordered(pair: Pair) -> Pair:
    return pair if pair[0] < pair[1] else (pair[1], pair[0])


def _differing_pairs(edges: Iterable[Pair]) -> int:
    return len({_ordered(edge) for edge in edges})
