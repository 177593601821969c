"""Bayesian networks: a directed acyclic graph and, once fitted, its probability tables."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from anytimebn.base.errors import InputError
from anytimebn.base.text import did_you_mean, listed_names, shown
from anytimebn.network.checks import (
    check_names,
    check_parents,
    check_probabilities,
    check_states,
    topological_order,
)
from anytimebn.network.written import parents_by_index, states_in_order

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from anytimebn.data.dataset import Dataset
    from anytimebn.data.read import TableLike
    from anytimebn.network.equivalence import Cpdag
    from anytimebn.scores.store import LocalScores


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
        check_names(self.names)
        check_parents(self.names, self.parents)
        topological_order(self.names, self.parents)
        if self.states is not None:
            check_states(self.names, self.states)
        if self.probabilities is not None:
            if self.states is None:
                raise InputError("probabilities were given without states: name the values too")
            check_probabilities(self)
        # Lists are taken too, but values that compare and hash are tuples.
        object.__setattr__(self, "names", tuple(self.names))
        object.__setattr__(self, "parents", tuple(map(tuple, self.parents)))
        if self.states is not None:
            object.__setattr__(self, "states", tuple(map(tuple, self.states)))

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
        names, indices = parents_by_index(parents)
        return cls(names, indices, None if states is None else states_in_order(states, names))

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
        except (KeyError, TypeError):  # the latter for what cannot even be looked up
            hint = did_you_mean(name, self.names)
            raise InputError(
                f"the network has no variable {shown(name)}{hint}; it has "
                f"{listed_names(self.names)}"
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
        order = topological_order(self.names, self.parents)
        return tuple(self.names[variable] for variable in order)

    def cpdag(self) -> Cpdag:
        """Find the equivalence class: which arcs data can direct, and which they cannot.

        Examples
        --------
        >>> Network.from_parents({"a": [], "b": ["a"]}).cpdag().undirected
        frozenset({('a', 'b')})
        """
        from anytimebn.network.equivalence import cpdag_of

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
        from anytimebn.network.equivalence import markov_blanket

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
        from anytimebn.network.equivalence import hamming_distance_of_arcs

        if not isinstance(other, Network):
            raise InputError(f"a network can only be compared with a Network, not {shown(other)}")
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
        from anytimebn.network.interchange import to_networkx

        return to_networkx(self)

    @classmethod
    def from_networkx(cls, graph: Any) -> Network:
        """Convert from a `networkx.DiGraph`, with states and tables where the nodes have them.

        Examples
        --------
        >>> import networkx
        >>> Network.from_networkx(networkx.DiGraph([("a", "b"), ("b", "c")])).arcs
        (('a', 'b'), ('b', 'c'))
        """
        from anytimebn.network.interchange import from_networkx

        return from_networkx(graph)

    def to_pgmpy(self) -> Any:
        """Convert to pgmpy's ``DiscreteBayesianNetwork``, with tables if the network has them."""
        from anytimebn.network.interchange import to_pgmpy

        return to_pgmpy(self)

    @classmethod
    def from_pgmpy(cls, model: Any) -> Network:
        """Convert from a ``DiscreteBayesianNetwork`` or a ``DAG`` of pgmpy."""
        from anytimebn.network.interchange import from_pgmpy

        return from_pgmpy(model)

    def to_pyagrum(self) -> Any:
        """Convert to pyAgrum's ``BayesNet``; the network must have states."""
        from anytimebn.network.interchange import to_pyagrum

        return to_pyagrum(self)

    @classmethod
    def from_pyagrum(cls, model: Any) -> Network:
        """Convert from a ``BayesNet`` of pyAgrum."""
        from anytimebn.network.interchange import from_pyagrum

        return from_pyagrum(model)

    def fit(self, data: TableLike, equivalent_sample_size: float = 1.0) -> Network:
        """Estimate the probability tables from data.

        Parameters
        ----------
        data
            A table with a column for every variable of the network, in any order: a `Dataset`, a
            data frame, the path of a table, or an array with the columns in the order of `names`.
            A network with states keeps them; the data then may not have others.
        equivalent_sample_size
            Weight, in rows, of a uniform Dirichlet prior that each table spreads evenly over its
            cells, as BDeu does. 0 gives maximum likelihood, with the uniform distribution for
            parent configurations that the data never show.

        Returns
        -------
        Network
            The same structure with states and probabilities.

        Examples
        --------
        >>> import numpy as np
        >>> table = np.array([[0, 0], [0, 1], [1, 1], [1, 1]])
        >>> network = Network.from_parents({"a": [], "b": ["a"]}).fit(table, 0)
        >>> network.probabilities[1]
        array([[0.5, 0.5],
               [0. , 1. ]])
        """
        from anytimebn.network.probabilities import fitted

        return fitted(self, data, equivalent_sample_size)

    def log_likelihood(self, data: TableLike) -> float:
        """Give the natural logarithm of the probability of all rows of a table.

        Parameters
        ----------
        data
            A table as `fit` takes it. Numbers are put into the intervals of columns that were cut
            into bins. A value that the network does not know raises `InputError`.

        Returns
        -------
        float
            Minus infinity if the network rules a row out, as maximum likelihood can.

        Examples
        --------
        >>> import numpy as np
        >>> table = np.array([[0, 0], [0, 1], [1, 1], [1, 1]])
        >>> network = Network.from_parents({"a": [], "b": ["a"]}).fit(table, 0)
        >>> round(network.log_likelihood(table), 4)
        -4.1589
        """
        return float(self.row_log_likelihoods(data).sum())

    def row_log_likelihoods(self, data: TableLike) -> NDArray[np.float64]:
        """Give the natural logarithm of the probability of each row of a table."""
        from anytimebn.network.probabilities import row_log_likelihoods

        return row_log_likelihoods(self, data)

    def sample(self, rows: int, seed: int | np.random.Generator = 0) -> Dataset:
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
            Its states are those of the network, also where a value was never drawn. `to_pandas` and
            `to_polars` make a data frame of it.

        Examples
        --------
        >>> import numpy as np
        >>> table = np.array([[0, 0], [0, 1], [1, 1], [1, 1]])
        >>> network = Network.from_parents({"a": [], "b": ["a"]}).fit(table)
        >>> network.sample(3, seed=1).to_pandas()
           a  b
        0  1  1
        1  1  1
        2  0  0
        """
        from anytimebn.network.probabilities import sampled

        return sampled(self, rows, seed)

    @classmethod
    def load(cls, path: str | Path) -> Network:
        """Read a network from a ``.bif``, ``.xmlbif``, ``.net`` or ``.json`` file."""
        from anytimebn.network.files.networks import read_network

        return read_network(path)

    def save(self, path: str | Path) -> None:
        """Write the network in the format that the suffix names; ``.png`` and ``.svg`` draw it."""
        from anytimebn.network.files.networks import write_network

        write_network(self, path)

    def arc_strengths(
        self, data: TableLike | LocalScores, *, score: str = "mdl", ess: float = 1.0
    ) -> dict[tuple[str, str], float]:
        """Give the score, in nats, that is lost when an arc is removed, by arc.

        Parameters
        ----------
        data
            `LocalScores`, or a table and the name of a `score` (with `ess` for ``bdeu``).
        score, ess
            As in `anytimebn.score`; not used when `data` are scores already.

        Returns
        -------
        dict
            By arc ``(parent, child)``. The child keeps the best of its other parents.
        """
        from anytimebn.network.strengths import arc_strengths

        return arc_strengths(self, data, score_name=score, ess=ess)

    def plot(
        self,
        path: str | Path | None = None,
        *,
        title: str | None = None,
        weights: Mapping[tuple[str, str], float] | None = None,
        **options: Any,
    ) -> Any:
        """Draw the network in layers, parents above children.

        Parameters
        ----------
        path
            A ``.png`` or ``.svg`` file to write.
        title
            A line above the drawing.
        weights
            Makes arcs as wide as they matter, such as `arc_strengths` gives it.
        **options
            Further options of `anytimebn.draw.graph.draw_network`.

        Returns
        -------
        matplotlib.figure.Figure
        """
        from anytimebn.draw.graph import draw_network

        return draw_network(self.names, self.parents, path, title=title, weights=weights, **options)

    def _repr_html_(self) -> str:
        from anytimebn.network.html import network_html

        return network_html(self)

    def __eq__(self, other: object) -> bool:
        # Written out because arrays compare element by element.
        if not isinstance(other, Network):
            return NotImplemented
        mine, theirs = self.probabilities, other.probabilities
        return (self.names, self.parents, self.states) == (
            other.names,
            other.parents,
            other.states,
        ) and (
            mine is theirs
            if mine is None or theirs is None
            else all(map(np.array_equal, mine, theirs))
        )

    def __hash__(self) -> int:
        return hash((self.names, self.parents, self.states))

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
