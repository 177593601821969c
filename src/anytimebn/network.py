"""Bayesian networks: a directed acyclic graph and, once fitted, its probability tables."""

from __future__ import annotations

import heapq
import itertools
import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from anytimebn.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from anytimebn.data import Dataset
    from anytimebn.equivalence import Cpdag


@dataclass(frozen=True, eq=False, repr=False)
class Network:
    """A Bayesian network over named discrete variables.

    Parameters
    ----------
    names
        The variables; all different.
    parents
        For each variable the indices of its parents, ascending.
    states
        For each variable the names of its values, or None for a structure without values.
    probabilities
        For each variable its conditional probability table, or None for a structure that was not
        fitted. The table of variable ``v`` has one axis for each parent, in the order of
        ``parents[v]``, and a last axis for ``v`` itself, along which it sums to one.

    Examples
    --------
    >>> network = Network.from_parents({"rain": [], "sprinkler": ["rain"], "wet": ["rain"]})
    >>> network.arcs
    (('rain', 'sprinkler'), ('rain', 'wet'))
    >>> network
    Network(3 variables, 2 arcs, structure only)
    """

    names: tuple[str, ...]
    parents: tuple[tuple[int, ...], ...]
    states: tuple[tuple[str, ...], ...] | None = None
    probabilities: tuple[NDArray[np.float64], ...] | None = None

    def __post_init__(self) -> None:
        _check_names(self.names)
        _check_parents(self.names, self.parents)
        _topological_order(self.names, self.parents)
        if self.states is not None:
            _check_states(self.names, self.states)
        if self.probabilities is not None:
            if self.states is None:
                raise InputError("probabilities were given without states: name the values too")
            _check_probabilities(self)

    @classmethod
    def from_parents(
        cls,
        parents: Mapping[str, Sequence[str]],
        *,
        states: Mapping[str, Sequence[str]] | None = None,
    ) -> Network:
        """Build a network from the names of each variable's parents.

        Parameters
        ----------
        parents
            Variable to its parents. Every variable is a key, also one without parents.
        states
            Variable to the names of its values, if known.

        Examples
        --------
        >>> Network.from_parents({"a": ["b"], "b": []}).topological_order
        ('b', 'a')
        """
        names = tuple(parents)
        index = {name: position for position, name in enumerate(names)}
        indices = []
        for child, members in parents.items():
            if isinstance(members, str):
                raise InputError(
                    f"the parents of {child!r} are the string {members!r}: give a list of names"
                )
            unknown = [member for member in members if member not in index]
            if unknown:
                raise InputError(
                    f"{child!r} has the unknown parent {unknown[0]!r}; the variables are "
                    f"{_listed(names)}"
                )
            indices.append(tuple(sorted(index[member] for member in members)))
        if states is None:
            return cls(names, tuple(indices))
        without = [name for name in names if name not in states]
        if without:
            raise InputError(f"{without[0]!r} has no states; every variable needs its value names")
        return cls(names, tuple(indices), tuple(tuple(states[name]) for name in names))

    @cached_property
    def _index(self) -> dict[str, int]:
        return {name: position for position, name in enumerate(self.names)}

    def index_of(self, name: str) -> int:
        """Give the position of a variable in `names`.

        Examples
        --------
        >>> Network.from_parents({"a": [], "b": []}).index_of("b")
        1
        """
        try:
            return self._index[name]
        except KeyError:
            raise InputError(
                f"the network has no variable {name!r}; it has {_listed(self.names)}"
            ) from None

    def parents_of(self, name: str) -> tuple[str, ...]:
        """Give the names of a variable's parents.

        Examples
        --------
        >>> Network.from_parents({"a": [], "b": ["a"]}).parents_of("b")
        ('a',)
        """
        return tuple(self.names[parent] for parent in self.parents[self.index_of(name)])

    @property
    def arcs(self) -> tuple[tuple[str, str], ...]:
        """All arcs as pairs (parent, child), child by child in the order of `names`."""
        return tuple(
            (self.names[parent], self.names[child])
            for child, members in enumerate(self.parents)
            for parent in members
        )

    @property
    def arities(self) -> tuple[int, ...] | None:
        """The number of values of each variable, or None where the values are not known."""
        return None if self.states is None else tuple(map(len, self.states))

    @cached_property
    def topological_order(self) -> tuple[str, ...]:
        """The names, every variable after its parents; the first of several by position."""
        order = _topological_order(self.names, self.parents)
        return tuple(self.names[variable] for variable in order)

    def cpdag(self) -> Cpdag:
        """Find the equivalence class: which arcs data can direct, and which they cannot.

        Examples
        --------
        >>> Network.from_parents({"a": [], "b": ["a"]}).cpdag().undirected
        frozenset({('a', 'b')})
        """
        from anytimebn.equivalence import cpdag_of

        return cpdag_of(self)

    def markov_blanket(self, name: str) -> tuple[str, ...]:
        """Give a variable's parents, children and the children's other parents.

        Given these it is independent of all others.

        Examples
        --------
        >>> network = Network.from_parents({"a": [], "b": [], "c": ["a", "b"], "d": ["c"]})
        >>> network.markov_blanket("a")
        ('b', 'c')
        """
        from anytimebn.equivalence import markov_blanket

        return markov_blanket(self, name)

    def structural_hamming_distance(
        self, other: Network, *, of: Literal["classes", "networks"] = "classes"
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
        >>> forth = Network.from_parents({"a": [], "b": ["a"]})
        >>> back = Network.from_parents({"a": ["b"], "b": []})
        >>> forth.structural_hamming_distance(back)
        0
        >>> forth.structural_hamming_distance(back, of="networks")
        1
        """
        from anytimebn.equivalence import hamming_distance_of_arcs

        if of == "networks":
            return hamming_distance_of_arcs(self, other)
        if of != "classes":
            raise InputError(f"of is {of!r}; choose 'classes' or 'networks'")
        return self.cpdag().structural_hamming_distance(other.cpdag())

    def to_networkx(self) -> Any:
        """Convert to a `networkx.DiGraph`; states and tables become node attributes.

        Examples
        --------
        >>> graph = Network.from_parents({"a": [], "b": ["a"]}).to_networkx()
        >>> sorted(graph.edges)
        [('a', 'b')]
        """
        import networkx as nx

        graph = nx.DiGraph()
        for variable, name in enumerate(self.names):
            attributes: dict[str, Any] = {}
            if self.states is not None:
                attributes["states"] = self.states[variable]
            if self.probabilities is not None:
                attributes["probabilities"] = self.probabilities[variable]
            graph.add_node(name, **attributes)
        graph.add_edges_from(self.arcs)
        return graph

    def fit(self, dataset: Dataset, equivalent_sample_size: float = 1.0) -> Network:
        """Estimate the probability tables from data.

        Parameters
        ----------
        dataset
            Data with a column for every variable of the network, in any order.
        equivalent_sample_size
            Weight, in rows, of a uniform Dirichlet prior that each table spreads evenly over its
            cells, as BDeu does. 0 gives maximum likelihood, with the uniform distribution for
            parent configurations that the data never show.

        Returns
        -------
        Network
            The same structure with states and probabilities.
        """
        if not (math.isfinite(equivalent_sample_size) and equivalent_sample_size >= 0):
            raise InputError(
                f"equivalent_sample_size is {equivalent_sample_size}; a number of at least 0 is "
                "needed"
            )
        column = {name: position for position, name in enumerate(dataset.names)}
        absent = [name for name in self.names if name not in column]
        if absent:
            raise InputError(
                f"the data have no column {absent[0]!r}; their columns are {_listed(dataset.names)}"
            )
        columns = [column[name] for name in self.names]
        states = tuple(dataset.states[position] for position in columns)
        tables = []
        for child, members in enumerate(self.parents):
            shape = tuple(len(states[variable]) for variable in (*members, child))
            codes = [dataset.codes[columns[variable]] for variable in (*members, child)]
            cells = np.ravel_multi_index(tuple(code.astype(np.intp) for code in codes), shape)
            size = math.prod(shape)
            counts = np.bincount(cells, minlength=size).reshape(shape).astype(np.float64)
            counts += equivalent_sample_size / size
            totals = counts.sum(axis=-1, keepdims=True)
            uniform = np.full(shape, 1.0 / shape[-1])
            tables.append(np.divide(counts, totals, out=uniform, where=totals > 0))
        return Network(self.names, self.parents, states, tuple(tables))

    def sample(self, rows: int, seed: int | np.random.Generator) -> Dataset:
        """Draw rows from the network by logic sampling: parents first, then their children.

        Parameters
        ----------
        rows
            How many rows to draw.
        seed
            Seed of the random numbers (the same seed gives the same rows), or a generator of them.

        Returns
        -------
        Dataset
            Its states are those of the network, also where a value was never drawn.
        """
        if self.states is None or self.probabilities is None:
            raise InputError("the network has no probabilities to sample from; fit it to data")
        if rows < 1:
            raise InputError(f"rows is {rows}; at least 1 is needed")
        from anytimebn.data import Dataset

        random = np.random.default_rng(seed)
        codes = np.zeros((len(self.names), rows), dtype=np.uint16)
        for variable in _topological_order(self.names, self.parents):
            table = self.probabilities[variable]
            cumulative = np.cumsum(table, axis=-1)
            # The last value takes what rounding leaves, so that no draw falls past the end.
            cumulative = cumulative[..., :-1]
            given = tuple(codes[parent].astype(np.intp) for parent in self.parents[variable])
            draws = random.random(rows)
            codes[variable] = (draws[:, None] >= cumulative[given]).sum(axis=-1)
        return Dataset(self.names, self.states, codes)

    def plot(self, path: str | Path | None = None, *, title: str | None = None) -> Any:
        """Draw the network; see `anytimebn.plot.draw_network`."""
        from anytimebn.plot import draw_network

        return draw_network(self, path, title=title)

    def __repr__(self) -> str:
        arcs = sum(map(len, self.parents))
        if self.probabilities is not None:
            kind = "fitted"
        elif self.states is not None:
            kind = "structure and states"
        else:
            kind = "structure only"
        return f"Network({_counted(len(self.names), 'variable')}, {_counted(arcs, 'arc')}, {kind})"


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _listed(names: Sequence[str], limit: int = 12) -> str:
    """List names for an error message, the first few of many."""
    shown = ", ".join(repr(name) for name in names[:limit])
    return shown if len(names) <= limit else f"{shown} and {len(names) - limit} more"


def _check_names(names: Sequence[str]) -> None:
    seen: set[str] = set()
    for position, name in enumerate(names):
        if not name:
            raise InputError(f"variable {position} is named {name!r}; a non-empty string is needed")
        if name in seen:
            raise InputError(f"two variables are named {name!r}; names must differ")
        seen.add(name)


def _check_parents(names: Sequence[str], parents: Sequence[Sequence[int]]) -> None:
    if len(parents) != len(names):
        raise InputError(
            f"there are {len(names)} names but {len(parents)} parent sets; give one for each name"
        )
    for child, members in enumerate(parents):
        for member in members:
            if not 0 <= member < len(names):
                raise InputError(
                    f"{names[child]!r} has the parent index {member}; indices run from 0 to "
                    f"{len(names) - 1}"
                )
        if any(one >= other for one, other in itertools.pairwise(members)):
            raise InputError(
                f"the parents of {names[child]!r} are {tuple(members)}; give each index once, "
                "ascending"
            )
        if child in members:
            raise InputError(f"{names[child]!r} is its own parent; a network has no cycles")


def _topological_order(names: Sequence[str], parents: Sequence[Sequence[int]]) -> list[int]:
    """Order the variables parents first; raise where a cycle makes that impossible."""
    children: list[list[int]] = [[] for _ in parents]
    waiting = [len(members) for members in parents]
    for child, members in enumerate(parents):
        for parent in members:
            children[parent].append(child)
    ready = [variable for variable, count in enumerate(waiting) if count == 0]
    order = []
    while ready:
        variable = heapq.heappop(ready)
        order.append(variable)
        for child in children[variable]:
            waiting[child] -= 1
            if waiting[child] == 0:
                heapq.heappush(ready, child)
    if len(order) < len(parents):
        cycle = _some_cycle(parents, waiting)
        chain = " -> ".join(repr(names[variable]) for variable in cycle)
        raise InputError(f"the arcs form the cycle {chain}; a network has no cycles")
    return order


def _some_cycle(parents: Sequence[Sequence[int]], waiting: Sequence[int]) -> list[int]:
    """Walk from a stuck variable to stuck parents until one repeats; list it along the arcs."""
    walk = [next(variable for variable, count in enumerate(waiting) if count > 0)]
    while walk[-1] not in walk[:-1]:
        walk.append(next(parent for parent in parents[walk[-1]] if waiting[parent] > 0))
    return walk[walk.index(walk[-1]) :][::-1]


def _check_states(names: Sequence[str], states: Sequence[Sequence[str]]) -> None:
    if len(states) != len(names):
        raise InputError(
            f"there are {len(names)} names but states for {len(states)} variables; give the value "
            "names of every variable"
        )
    for name, values in zip(names, states, strict=True):
        if not values:
            raise InputError(f"{name!r} has no values; at least one is needed")
        if len(set(values)) != len(values):
            twice = next(value for value in values if list(values).count(value) > 1)
            raise InputError(f"{name!r} has the value {twice!r} twice; values must differ")


def _check_probabilities(network: Network) -> None:
    assert network.states is not None
    assert network.probabilities is not None
    if len(network.probabilities) != len(network.names):
        raise InputError(
            f"there are {len(network.names)} variables but {len(network.probabilities)} "
            "probability tables; give one for each variable"
        )
    for child, table in enumerate(network.probabilities):
        name = network.names[child]
        shape = tuple(len(network.states[v]) for v in (*network.parents[child], child))
        if table.shape != shape:
            raise InputError(
                f"the probability table of {name!r} has the shape {table.shape}; its parents and "
                f"values need {shape}"
            )
        if not (np.isfinite(table).all() and (table >= 0).all()):
            raise InputError(f"the probability table of {name!r} holds negative or infinite values")
        worst = float(np.abs(table.sum(axis=-1) - 1.0).max())
        # Files of other programs round to as few as three digits a cell.
        if worst > 1e-2:
            raise InputError(
                f"a row of the probability table of {name!r} sums to 1 only within {worst:.3g}; "
                "each row must sum to 1"
            )
