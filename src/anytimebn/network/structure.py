"""The structure of a Bayesian network: named variables, their parents, and what follows from these.

Nothing here needs values or probabilities; `anytimebn.network.model` adds them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from anytimebn.base.errors import InputError
from anytimebn.base.text import did_you_mean, listed_names, shown
from anytimebn.network.checks import check_names, check_parents, topological_order

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from anytimebn.knowledge.constraints import Knowledge
    from anytimebn.network.equivalence import Cpdag


@dataclass(frozen=True, eq=False, repr=False)
class Structure:
    """A directed acyclic graph over named variables: what a `Network` is without its numbers.

    Parameters
    ----------
    names, parents
        As in `Network`.
    """

    names: tuple[str, ...]
    parents: tuple[tuple[int, ...], ...]

    def __post_init__(self) -> None:
        check_names(self.names)
        check_parents(self.names, self.parents)
        topological_order(self.names, self.parents)
        # Lists are taken too, but values that compare and hash are tuples.
        object.__setattr__(self, "names", tuple(self.names))
        object.__setattr__(self, "parents", tuple(map(tuple, self.parents)))

    @cached_property
    def _index(self) -> dict[str, int]:
        return {name: position for position, name in enumerate(self.names)}

    def index_of(self, name: str) -> int:
        """Give the position of a variable in `names`.

        Examples
        --------
        >>> from anytimebn import Network
        >>> Network.from_parents({"a": [], "b": []}).index_of("b")
        1
        """
        try:
            return self._index[name]
        except (KeyError, TypeError):  # the latter for what cannot even be looked up
            hint = did_you_mean(name, self.names)
            raise InputError(
                f"the network has no variable {shown(name)}{hint}; it has "
                f"{listed_names(self.names)}"
            ) from None

    @property
    def arcs(self) -> tuple[tuple[str, str], ...]:
        """All arcs as pairs (parent, child), child by child in the order of `names`."""
        return tuple(
            (self.names[parent], self.names[child])
            for child, members in enumerate(self.parents)
            for parent in members
        )

    @cached_property
    def topological_order(self) -> tuple[str, ...]:
        """The names, every variable after its parents; the first of several by position."""
        order = topological_order(self.names, self.parents)
        return tuple(self.names[variable] for variable in order)

    def parents_of(self, name: str) -> tuple[str, ...]:
        """Give the names of a variable's parents.

        Examples
        --------
        >>> from anytimebn import Network
        >>> Network.from_parents({"a": [], "b": ["a"]}).parents_of("b")
        ('a',)
        """
        return tuple(self.names[parent] for parent in self.parents[self.index_of(name)])

    def children_of(self, name: str) -> tuple[str, ...]:
        """Give the names of a variable's children, in the order of `names`.

        Examples
        --------
        >>> from anytimebn import Network
        >>> Network.from_parents({"a": [], "b": ["a"], "c": ["a"]}).children_of("a")
        ('b', 'c')
        """
        from anytimebn.network.separation import children_lists

        return self._named(children_lists(self.parents)[self.index_of(name)])

    def ancestors_of(self, name: str) -> tuple[str, ...]:
        """Give the names of a variable's parents, their parents and so on, in the order of `names`.

        Examples
        --------
        >>> from anytimebn import Network
        >>> Network.from_parents({"a": [], "b": ["a"], "c": ["b"]}).ancestors_of("c")
        ('a', 'b')
        """
        from anytimebn.network.separation import reachable

        own = self.index_of(name)
        return self._named(reachable([own], self.parents) - {own})

    def descendants_of(self, name: str) -> tuple[str, ...]:
        """Give the names of a variable's children, their children and so on.

        Examples
        --------
        >>> from anytimebn import Network
        >>> Network.from_parents({"a": [], "b": ["a"], "c": ["b"]}).descendants_of("a")
        ('b', 'c')
        """
        from anytimebn.network.separation import children_lists, reachable

        own = self.index_of(name)
        return self._named(reachable([own], children_lists(self.parents)) - {own})

    def _named(self, variables: Iterable[int]) -> tuple[str, ...]:
        return tuple(self.names[variable] for variable in sorted(variables))

    def markov_blanket(self, name: str) -> tuple[str, ...]:
        """Give a variable's parents, children and the children's other parents.

        Given these it is independent of all others.

        Examples
        --------
        >>> from anytimebn import Network
        >>> network = Network.from_parents({"a": [], "b": [], "c": ["a", "b"], "d": ["c"]})
        >>> network.markov_blanket("a")
        ('b', 'c')
        """
        from anytimebn.network.equivalence import markov_blanket

        return markov_blanket(self, name)

    def cpdag(self) -> Cpdag:
        """Find the equivalence class: which arcs data can direct, and which they cannot.

        Examples
        --------
        >>> from anytimebn import Network
        >>> Network.from_parents({"a": [], "b": ["a"]}).cpdag().undirected
        frozenset({('a', 'b')})
        """
        from anytimebn.network.equivalence import cpdag_of

        return cpdag_of(self)

    def is_separated(
        self,
        one: str | Sequence[str],
        other: str | Sequence[str],
        given: str | Sequence[str] = (),
    ) -> bool:
        """Tell whether variables are independent given others, whatever the probabilities are.

        They are if others separate them in the graph (d-separation). If not, they can still be
        independent by the numbers.

        Parameters
        ----------
        one, other
            A variable, or several, on each side.
        given
            What is known: a variable, several, or none.

        Examples
        --------
        >>> from anytimebn import Network
        >>> network = Network.from_parents({"rain": [], "hose": [], "wet": ["rain", "hose"]})
        >>> network.is_separated("rain", "hose"), network.is_separated("rain", "hose", "wet")
        (True, False)
        """
        from anytimebn.network.separation import are_separated

        sides = (
            [names] if isinstance(names, str) else list(names) for names in (one, other, given)
        )
        return are_separated(self, *sides)

    def adjustment_sets(
        self,
        *,
        of: str,
        on: str,
        most: int = 100,
        equivalence: bool = False,
        knowledge: Knowledge | str | Path | None = None,
    ) -> tuple[tuple[str, ...], ...]:
        """List the minimal sets of variables to adjust for, to estimate an effect from data.

        Given one of these, what `of` and `on` have in common is the effect alone: they block all
        other paths (back doors) and none that the effect takes.

        Parameters
        ----------
        of, on
            The cause and the result.
        most
            There may be very many: stop at so many, which are then not all the smallest.
        equivalence
            By default the arcs are taken as they are. With True, a set must serve in every network
            that the same data would support as well.
        knowledge
            Required arcs, forbidden arcs and tiers, or the path of a file with these: a set must
            serve in every network of the equivalence class that obeys them.

        Returns
        -------
        tuple of tuple of str
            The smallest first; ``((),)`` if nothing need be adjusted for, and ``()`` if nothing
            helps: because `on` is a cause of `of`, or because networks that have to be considered
            differ in a first arc of the effect.

        Examples
        --------
        >>> from anytimebn import Network
        >>> network = Network.from_parents({"a": [], "b": ["a"], "x": ["a"], "y": ["b", "x"]})
        >>> network.adjustment_sets(of="x", on="y")
        (('a',), ('b',))
        >>> network.adjustment_sets(of="x", on="y", equivalence=True)  # or does x cause a, and b?
        ()
        >>> import anytimebn as ab
        >>> known = ab.Knowledge(forbidden=[("x", "a")])
        >>> network.adjustment_sets(of="x", on="y", knowledge=known)
        (('a',), ('b',))
        """
        from anytimebn.network.adjustment import adjustment_sets

        return adjustment_sets(
            self, of, on, most=most, equivalence=equivalence, knowledge=knowledge
        )

    def structural_hamming_distance(
        self, other: Structure, *, of: Literal["classes", "networks"] = "classes"
    ) -> int:
        """Count the pairs of variables between which two networks differ.

        Parameters
        ----------
        other
            A network over the same variables, in any order.
        of
            ``"classes"`` compares the equivalence classes (CPDAGs), as Tsamardinos, Brown and
            Aliferis (2006) do: networks that no data can tell apart have the distance 0.
            ``"networks"`` compares the arcs as they are. Either way a pair of variables counts once
            if an edge is missing, added, or directed differently.

        Examples
        --------
        >>> from anytimebn import Network
        >>> forth = Network.from_parents({"a": [], "b": ["a"]})
        >>> back = Network.from_parents({"a": ["b"], "b": []})
        >>> forth.structural_hamming_distance(back)
        0
        >>> forth.structural_hamming_distance(back, of="networks")
        1
        """
        from anytimebn.network.equivalence import hamming_distance_of_arcs

        if not isinstance(other, Structure):
            raise InputError(f"a network can only be compared with a Network, not {shown(other)}")
        if of == "networks":
            return hamming_distance_of_arcs(self, other)
        if of != "classes":
            raise InputError(f"of is {of!r}; choose 'classes' or 'networks'")
        return self.cpdag().structural_hamming_distance(other.cpdag())

    def plot(
        self,
        path: str | Path | None = None,
        *,
        title: str | None = None,
        weights: Mapping[tuple[str, str], float] | None = None,
        around: str | Sequence[str] | None = None,
        hops: int = 1,
        equivalence: bool = False,
        **options: Any,
    ) -> Any:
        """Draw the network in layers, parents above children.

        Parameters
        ----------
        path
            A ``.png``, ``.svg`` or ``.pdf`` file to write.
        title
            A line above the drawing.
        weights
            Makes arcs as wide as they matter, such as `arc_strengths` gives it.
        around, hops
            Draw only this variable, or several, and what is within so many arcs of it.
        equivalence
            Whether arcs that data cannot direct have no arrowhead, as in the drawing of `cpdag`.
        **options
            Further options of `anytimebn.draw.graph.draw_network`: ``direction``,
            ``longest_label``, ``most_arcs`` (of a dense network with weights only the strongest
            arcs are drawn; None draws all), ...

        Returns
        -------
        matplotlib.figure.Figure
        """
        from anytimebn.draw.graph import draw_network

        if equivalence:
            from anytimebn.network.equivalence import class_marks

            options = class_marks(self.names, self.parents, self.cpdag()) | options
        return draw_network(
            self.names,
            self.parents,
            path,
            title=title,
            weights=weights,
            around=around,
            hops=hops,
            **options,
        )
