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
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from anytimebn.data.dataset import Dataset
    from anytimebn.data.options import TableOptions
    from anytimebn.data.read import TableLike
    from anytimebn.knowledge.constraints import Knowledge
    from anytimebn.network.compare import Comparison
    from anytimebn.network.distribution import Distribution
    from anytimebn.network.effects import Effect
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

    def children_of(self, name: str) -> tuple[str, ...]:
        """Give the names of a variable's children, in the order of `names`.

        Examples
        --------
        >>> Network.from_parents({"a": [], "b": ["a"], "c": ["a"]}).children_of("a")
        ('b', 'c')
        """
        from anytimebn.network.separation import children_lists

        return self._named(children_lists(self.parents)[self.index_of(name)])

    def ancestors_of(self, name: str) -> tuple[str, ...]:
        """Give the names of a variable's parents, their parents and so on, in the order of `names`.

        Examples
        --------
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
        >>> Network.from_parents({"a": [], "b": ["a"], "c": ["b"]}).descendants_of("a")
        ('b', 'c')
        """
        from anytimebn.network.separation import children_lists, reachable

        own = self.index_of(name)
        return self._named(reachable([own], children_lists(self.parents)) - {own})

    def _named(self, variables: Iterable[int]) -> tuple[str, ...]:
        return tuple(self.names[variable] for variable in sorted(variables))

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

    @property
    def cut_points(self) -> dict[str, tuple[float, ...]]:
        """Where numbers were cut, by the names of the variables that are intervals.

        New data are cut at the same points wherever a network takes them.
        """
        from anytimebn.data.align import cut_points

        found = zip(self.names, map(cut_points, self.states or ()), strict=False)
        return {name: cuts for name, cuts in found if cuts}

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
        >>> network = Network.from_parents({"rain": [], "hose": [], "wet": ["rain", "hose"]})
        >>> network.is_separated("rain", "hose"), network.is_separated("rain", "hose", "wet")
        (True, False)
        """
        from anytimebn.network.separation import are_separated

        sides = (
            [names] if isinstance(names, str) else list(names) for names in (one, other, given)
        )
        return are_separated(self, *sides)

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

    def compare(
        self, other: Network, *, of: Literal["networks", "classes"] = "networks"
    ) -> Comparison:
        """Tell which arcs another network has more, has not, or has the other way round.

        Parameters
        ----------
        other
            A network over the same variables, in any order: what this one became.
        of
            ``"networks"`` compares the arcs as they are, ``"classes"`` those of the equivalence
            classes, so that only what data can tell apart is a difference.

        Returns
        -------
        Comparison
            Print it, plot it, or turn it into a frame.

        Examples
        --------
        >>> one = Network.from_parents({"a": [], "b": ["a"], "c": []})
        >>> one.compare(Network.from_parents({"a": [], "b": ["a"], "c": ["b"]})).added
        (('b', 'c'),)
        """
        from anytimebn.network.compare import compare

        if not isinstance(other, Network):
            raise InputError(f"a network can only be compared with a Network, not {shown(other)}")
        return compare(self, other, of)

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

    def query(
        self,
        target: str | Sequence[str],
        evidence: Mapping[str, Any] | None = None,
        *,
        method: Literal["exact", "sampling"] = "exact",
        samples: int = 100_000,
        seed: int | np.random.Generator = 0,
        memory_limit: int | str | None = None,
    ) -> Distribution:
        """Ask how probable the values of a variable are, given those of others.

        Parameters
        ----------
        target
            A variable; several have a joint distribution.
        evidence
            What is known, by variable: a value as tables have it (a number also within the interval
            of a column that was cut), or a list of values if it is one of these.
        method
            ``"exact"``, or ``"sampling"`` for an estimate with standard errors where the exact
            answer needs too much memory (`LimitReached` says so).
        samples, seed
            How many rows are drawn, for sampling; the same seed gives the same estimate.
        memory_limit
            Bytes, or text such as ``"8GiB"``; by default what is free.

        Returns
        -------
        Distribution
            Look up values in it, print it, or turn it into a frame or a dict.

        Examples
        --------
        >>> import numpy as np
        >>> table = np.array([[0, 0], [0, 1], [1, 1], [1, 1]])
        >>> network = Network.from_parents({"a": [], "b": ["a"]}).fit(table, 0)
        >>> network.query("a", evidence={"b": 1})
        P(a | b = 1)
          0  0.3333
          1  0.6667
        >>> network.query(["a", "b"])[0, 1]
        0.25
        """
        from anytimebn.network.inference import query

        return query(
            self,
            target,
            evidence,
            method=method,
            samples=samples,
            seed=seed,
            memory_limit=memory_limit,
        )

    def probability(
        self, evidence: Mapping[str, Any], *, memory_limit: int | str | None = None
    ) -> float:
        """Give the probability that all of this is so.

        Parameters
        ----------
        evidence, memory_limit
            As in `query`.

        Examples
        --------
        >>> import numpy as np
        >>> table = np.array([[0, 0], [0, 1], [1, 1], [1, 1]])
        >>> network = Network.from_parents({"a": [], "b": ["a"]}).fit(table, 0)
        >>> network.probability({"b": 1})
        0.75
        """
        from anytimebn.network.inference import probability

        return probability(self, evidence, memory_limit)

    def table_of(self, name: str) -> Distribution:
        """Give the conditional probability table of a variable, to print or to turn into a frame.

        Examples
        --------
        >>> import numpy as np
        >>> table = np.array([[0, 0], [0, 1], [1, 1], [1, 1]])
        >>> network = Network.from_parents({"a": [], "b": ["a"]}).fit(table, 0)
        >>> network.table_of("b")
        P(b | a)
          a  0       1
          0  0.5000  0.5000
          1  0.0000  1.0000
        """
        from anytimebn.network.inference import table_of

        return table_of(self, name)

    def predict_proba(
        self,
        data: TableLike,
        target: str,
        *,
        unknown: Literal["missing", "error"] = "missing",
        memory_limit: int | str | None = None,
        table_options: TableOptions | None = None,
    ) -> Any:
        """Give the probabilities of a variable's values in each row, given the rest of the row.

        Parameters
        ----------
        data
            A table as `fit` takes it. Cells may be missing, and columns too: they are summed over.
            A column of the target is not looked at, and arrays may lack it.
        target
            The variable.
        unknown
            A value that the network does not know counts as missing, with a `DataWarning`, or is an
            ``"error"``.
        memory_limit
            Bytes, or text such as ``"8GiB"``; by default what is free.
        table_options
            How a text file is read, if the data are one: `header`, `separator`, `encoding`.

        Returns
        -------
        data frame or ndarray
            A column for each state, in the order of `states`, named like them. A frame of the same
            kind as the data, with their index; an array for arrays, paths and datasets.

        Examples
        --------
        >>> import numpy as np
        >>> table = np.array([[0, 0], [0, 1], [1, 1], [1, 1]])
        >>> network = Network.from_parents({"a": [], "b": ["a"]}).fit(table, 0)
        >>> network.predict_proba(np.array([[0], [1]]), "b")
        array([[0.5, 0.5],
               [0. , 1. ]])
        """
        from anytimebn.network.predicted_frames import predict_proba

        return predict_proba(
            self,
            data,
            target,
            unknown=unknown,
            memory_limit=memory_limit,
            table_options=table_options,
        )

    def predict(
        self,
        data: TableLike,
        target: str,
        *,
        unknown: Literal["missing", "error"] = "missing",
        memory_limit: int | str | None = None,
        table_options: TableOptions | None = None,
    ) -> Any:
        """Give the most probable value of a variable in each row, given the rest of the row.

        Parameters
        ----------
        data, target, unknown, memory_limit, table_options
            As in `predict_proba`.

        Returns
        -------
        series or ndarray
            A series of pandas or polars for such frames, else an array; numbers if all states are
            numbers.

        Examples
        --------
        >>> import numpy as np
        >>> table = np.array([[0, 0], [0, 1], [1, 1], [1, 1]])
        >>> network = Network.from_parents({"a": [], "b": ["a"]}).fit(table, 0)
        >>> network.predict(table, "a")
        array([0, 1, 1, 1])
        """
        from anytimebn.network.predicted_frames import predict

        return predict(
            self,
            data,
            target,
            unknown=unknown,
            memory_limit=memory_limit,
            table_options=table_options,
        )

    def impute(
        self,
        data: TableLike,
        *,
        method: Literal["mode", "sample"] = "mode",
        seed: int | np.random.Generator = 0,
        unknown: Literal["missing", "error"] = "missing",
        memory_limit: int | str | None = None,
    ) -> Any:
        """Fill the missing cells of a table.

        Parameters
        ----------
        data
            A data frame, an array, or the path of a table.
        method
            ``"mode"`` gives each cell its most probable value given what the row tells;
            ``"sample"`` draws all missing cells of a row from their joint distribution, which keeps
            the spread of the data and how they hang together: for multiple imputation.
        seed
            Of the draws.
        unknown
            A value that the network does not know is replaced like a missing one, with a
            `DataWarning`, or is an ``"error"``.
        memory_limit
            Bytes, or text such as ``"8GiB"``; by default what is free.

        Returns
        -------
        data frame or ndarray
            Of the same kind, with the same columns in the same order (for a path, a
            `pyarrow.Table`). Columns that the network does not have stay as they are. A column that
            was cut gets the median of its own numbers in the interval.

        Examples
        --------
        >>> import numpy as np
        >>> table = np.array([[0, 0], [0, 1], [1, 1], [1, 1]])
        >>> network = Network.from_parents({"a": [], "b": ["a"]}).fit(table)
        >>> network.impute(np.array([[1, np.nan], [np.nan, 0]]))
        array([[1., 1.],
               [0., 0.]])
        """
        from anytimebn.network.predicted_frames import impute

        return impute(
            self, data, method=method, seed=seed, unknown=unknown, memory_limit=memory_limit
        )

    def effect(
        self,
        *,
        of: str,
        on: str,
        equivalence: bool = True,
        knowledge: Knowledge | str | Path | None = None,
        memory_limit: int | str | None = None,
    ) -> Effect:
        """Compute how one variable would change another if it were set from outside.

        It takes arcs for causes, and presumes that no common cause of two variables is missing from
        the table. Even so, data leave the directions of some arcs open, and with them the effect.

        Parameters
        ----------
        of, on
            The variable that is set, and the one that is looked at.
        equivalence
            Whether to consider all networks that the same data would support as well: the effect
            then has one possibility for each set of causes of `of`. With False the arcs of this
            network are taken as they are.
        knowledge
            Required arcs, forbidden arcs and tiers that all considered networks obey, or the path
            of a file with these: the fewer directions are open, the fewer possibilities there are.
        memory_limit
            Bytes, or text such as ``"8GiB"``; by default what is free.

        Examples
        --------
        >>> import numpy as np
        >>> table = np.array([[0, 0], [0, 1], [1, 1], [1, 1]])
        >>> network = Network.from_parents({"rain": [], "wet": ["rain"]}).fit(table, 0)
        >>> network.effect(of="rain", on="wet")
        P(wet | do(rain))
          if rain is caused by nothing:
             0       1
          0  0.5000  0.5000
          1  0.0000  1.0000
          if rain is caused by wet:
             0       1
          0  0.2500  0.7500
          1  0.2500  0.7500
        data cannot tell these 2 possibilities apart
        """
        from anytimebn.network.effects import effect

        return effect(
            self,
            of,
            on,
            equivalence=equivalence,
            knowledge=knowledge,
            memory_limit=memory_limit,
        )

    def adjustment_sets(self, *, of: str, on: str, most: int = 100) -> tuple[tuple[str, ...], ...]:
        """List the minimal sets of variables to adjust for, to estimate an effect from data.

        Given one of these, what `of` and `on` have in common is the effect alone: they block all
        other paths (back doors) and none that the effect takes. All are about the arcs as they are.

        Parameters
        ----------
        of, on
            The cause and the result.
        most
            There may be very many: stop at so many, which are then not all the smallest.

        Returns
        -------
        tuple of tuple of str
            The smallest first; ``((),)`` if nothing need be adjusted for, and ``()`` if nothing
            helps, because `on` is a cause of `of`.

        Examples
        --------
        >>> network = Network.from_parents({"a": [], "b": ["a"], "x": ["a"], "y": ["b", "x"]})
        >>> network.adjustment_sets(of="x", on="y")
        (('a',), ('b',))
        """
        from anytimebn.network.adjustment import adjustment_sets

        return adjustment_sets(self, of, on, most)

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
        """Write the network in the format that the suffix names; pictures draw it."""
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
            ``longest_label``, ...

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
