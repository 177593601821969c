"""Bayesian networks: made, fitted, kept, compared and handed to other packages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from anytimebn.base.errors import InputError
from anytimebn.base.text import shown
from anytimebn.data.options import TABLE_KEYWORDS, gather_table_options, takes_table_keywords
from anytimebn.network.model import Model
from anytimebn.network.written import parents_by_index, states_in_order

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from anytimebn.data.dataset import Dataset
    from anytimebn.data.options import TableOptions
    from anytimebn.data.read import TableLike
    from anytimebn.network.compare import Comparison
    from anytimebn.scores.store import LocalScores


@dataclass(frozen=True, eq=False, repr=False)
class Network(Model):
    """A Bayesian network over named discrete variables.

    What it says without numbers (relatives, separation, pictures) is in `Structure`, and what it
    answers with them (queries, predictions, effects) in `Model`.

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

    @takes_table_keywords(*TABLE_KEYWORDS)
    def fit(
        self,
        data: TableLike,
        equivalent_sample_size: float = 1.0,
        *,
        table_options: TableOptions | None = None,
        **options: Any,
    ) -> Network:
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
        table_options, **options
            How the table is read, as one value or as keywords, as in `anytimebn.to_dataset`. Where
            the network has states, these tell how numbers are cut and what is a value.

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

        chosen = gather_table_options("fit", table_options, options)
        return fitted(self, data, equivalent_sample_size, chosen)

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
