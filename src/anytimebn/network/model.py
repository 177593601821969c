"""A network with values and probabilities, as what it is there for: to answer questions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from anytimebn.base.checks import check_options
from anytimebn.base.errors import InputError
from anytimebn.data.options import TABLE_KEYWORDS, gather_table_options, takes_table_keywords
from anytimebn.network.checks import check_probabilities, check_states
from anytimebn.network.structure import Structure

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from anytimebn.data.options import TableOptions
    from anytimebn.data.read import TableLike
    from anytimebn.knowledge.constraints import Knowledge
    from anytimebn.network.distribution import Distribution
    from anytimebn.network.effects import Effect

OF_TEXT_FILES = ("header", "separator", "encoding", "names")
"""What there is to say about a table whose values a network knows already."""


@dataclass(frozen=True, eq=False, repr=False)
class Model(Structure):
    """A structure with values and probability tables, where they are known.

    Parameters
    ----------
    names, parents, states, probabilities
        As in `Network`.
    """

    states: tuple[tuple[str, ...], ...] | None = None
    probabilities: tuple[NDArray[np.float64], ...] | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.states is not None:
            check_states(self.names, self.states)
        if self.probabilities is not None:
            if self.states is None:
                raise InputError("probabilities were given without states: name the values too")
            check_probabilities(self)
        if self.states is not None:
            object.__setattr__(self, "states", tuple(map(tuple, self.states)))

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
        >>> from anytimebn import Network
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
        >>> from anytimebn import Network
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
        >>> from anytimebn import Network
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

    @takes_table_keywords(*OF_TEXT_FILES)
    def predict_proba(
        self,
        data: TableLike,
        target: str,
        *,
        unknown: Literal["missing", "error"] = "missing",
        memory_limit: int | str | None = None,
        table_options: TableOptions | None = None,
        **options: Any,
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
        table_options, **options
            How a text file is read, if the data are one, as one value or as keywords: `header`,
            `separator`, `encoding`, `names`. Other options of a `TableOptions` are not looked at,
            so that the one of a `Result` can be given.

        Returns
        -------
        data frame or ndarray
            A column for each state, in the order of `states`, named like them. A frame of the same
            kind as the data, with their index; an array for arrays, paths and datasets.

        Examples
        --------
        >>> from anytimebn import Network
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
            table_options=reading_options("predict_proba", table_options, options),
        )

    @takes_table_keywords(*OF_TEXT_FILES)
    def predict(
        self,
        data: TableLike,
        target: str,
        *,
        unknown: Literal["missing", "error"] = "missing",
        memory_limit: int | str | None = None,
        table_options: TableOptions | None = None,
        **options: Any,
    ) -> Any:
        """Give the most probable value of a variable in each row, given the rest of the row.

        Parameters
        ----------
        data, target, unknown, memory_limit, table_options, **options
            As in `predict_proba`.

        Returns
        -------
        series or ndarray
            A series of pandas or polars for such frames, else an array; numbers if all states are
            numbers.

        Examples
        --------
        >>> from anytimebn import Network
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
            table_options=reading_options("predict", table_options, options),
        )

    @takes_table_keywords(*OF_TEXT_FILES)
    def impute(
        self,
        data: TableLike,
        *,
        method: Literal["mode", "sample"] = "mode",
        seed: int | np.random.Generator = 0,
        unknown: Literal["missing", "error"] = "missing",
        memory_limit: int | str | None = None,
        table_options: TableOptions | None = None,
        **options: Any,
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
        table_options, **options
            As in `predict_proba`.

        Returns
        -------
        data frame or ndarray
            Of the same kind, with the same columns in the same order (for a path, a
            `pyarrow.Table`). Columns that the network does not have stay as they are. A column that
            was cut gets the median of its own numbers in the interval.

        Examples
        --------
        >>> from anytimebn import Network
        >>> import numpy as np
        >>> table = np.array([[0, 0], [0, 1], [1, 1], [1, 1]])
        >>> network = Network.from_parents({"a": [], "b": ["a"]}).fit(table)
        >>> network.impute(np.array([[1, np.nan], [np.nan, 0]]))
        array([[1., 1.],
               [0., 0.]])
        """
        from anytimebn.network.predicted_frames import impute

        return impute(
            self,
            data,
            method=method,
            seed=seed,
            unknown=unknown,
            memory_limit=memory_limit,
            table_options=reading_options("impute", table_options, options),
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
        >>> from anytimebn import Network
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

    @takes_table_keywords(*TABLE_KEYWORDS)
    def log_likelihood(
        self, data: TableLike, *, table_options: TableOptions | None = None, **options: Any
    ) -> float:
        """Give the natural logarithm of the probability of all rows of a table.

        Parameters
        ----------
        data
            A table as `fit` takes it. Numbers are put into the intervals of columns that were cut
            into bins. A value that the network does not know raises `InputError`.
        table_options, **options
            How the table is read, as in `fit`.

        Returns
        -------
        float
            Minus infinity if the network rules a row out, as maximum likelihood can.

        Examples
        --------
        >>> from anytimebn import Network
        >>> import numpy as np
        >>> table = np.array([[0, 0], [0, 1], [1, 1], [1, 1]])
        >>> network = Network.from_parents({"a": [], "b": ["a"]}).fit(table, 0)
        >>> round(network.log_likelihood(table), 4)
        -4.1589
        """
        chosen = gather_table_options("log_likelihood", table_options, options)
        return float(self.row_log_likelihoods(data, table_options=chosen).sum())

    @takes_table_keywords(*TABLE_KEYWORDS)
    def row_log_likelihoods(
        self, data: TableLike, *, table_options: TableOptions | None = None, **options: Any
    ) -> NDArray[np.float64]:
        """Give the natural logarithm of the probability of each row of a table.

        Parameters
        ----------
        data, table_options, **options
            As in `log_likelihood`. Rows that these leave out have no number here, and those that
            count several times have several.
        """
        from anytimebn.network.probabilities import row_log_likelihoods

        chosen = gather_table_options("row_log_likelihoods", table_options, options)
        return row_log_likelihoods(self, data, chosen)


def reading_options(
    function: str, given: TableOptions | None, keywords: Mapping[str, Any]
) -> TableOptions:
    """Put together how a table is read that is not encoded anew."""
    check_options(function, keywords, OF_TEXT_FILES)
    return gather_table_options(function, given, keywords)
