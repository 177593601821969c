"""The learner as a scikit-learn estimator: for pipelines, cross-validation and grid search."""

from __future__ import annotations

from dataclasses import fields, replace
from types import MethodType
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from anytimebn.base.checks import check_options
from anytimebn.base.errors import InputError
from anytimebn.base.optional import optional
from anytimebn.data.columns import find_values, value_names
from anytimebn.data.frames import typed_values
from anytimebn.data.options import TableOptions, takes_table_keywords
from anytimebn.data.read import to_dataset
from anytimebn.learning.task import make_task

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from anytimebn.data.dataset import Dataset
    from anytimebn.data.read import TableLike
    from anytimebn.knowledge.constraints import Knowledge
    from anytimebn.knowledge.written import ArcLike
    from anytimebn.network.network import Network
    from anytimebn.result.result import Result
    from anytimebn.solver.start import Start

_NEEDS = {"needed_for": "BayesianNetworkLearner", "install": "'anytimebn[sklearn]'"}
_base = optional("sklearn.base", **_NEEDS)
_validation = optional("sklearn.utils.validation", **_NEEDS)

TABLE_PARAMETERS = tuple(
    option
    for option in fields(TableOptions)
    if option.name not in ("header", "exclude", "names")  # columns are chosen with scikit-learn
)


class _ParameterAndMethod:
    """A name that is a parameter when it is set, and a method when it is read.

    People expect the parameter ``score="mdl"``, as `learn` has it; scikit-learn needs the method
    ``score(X)``. `get_params` reads the parameter where it is kept, in the instance's own dict.
    """

    def __init__(self, method: Any) -> None:
        self._method = method
        self.__doc__ = method.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, instance: Any, owner: type) -> Any:
        return self._method if instance is None else MethodType(self._method, instance)

    def __set__(self, instance: Any, value: Any) -> None:
        vars(instance)[self._name] = value


class BayesianNetworkLearner(_base.DensityMixin, _base.BaseEstimator):  # type: ignore[misc, name-defined]
    """Learn a Bayesian network with a proof of how good it is.

    The constructor's ``score`` names the score that is optimised; the method `score` is the mean
    log-likelihood, as scikit-learn has it.

    Parameters
    ----------
    score, max_parents, ess
        What is optimised, as in `anytimebn.learn`.
    algorithm, heuristic, parameters, time_limit, memory_limit, gap, max_expansions, seed, jobs
        How it is searched for, as in `anytimebn.SearchSettings`.
    require, forbid, tiers, parent_limits, knowledge, start
        Background knowledge, and a network to begin with, as in `anytimebn.learn`.
    equivalent_sample_size
        Smoothing of the probabilities, as in `Network.fit`.
    **table
        How the table is read: those fields of `anytimebn.TableOptions` that are about values, such
        as ``bins`` and ``missing``.

    Attributes
    ----------
    network_ : Network
        The learned network with its probabilities. A column of a categorical type has all its
        categories as states, also those that `X` does not show.
    result_ : Result
        The network with status, claim, cost, lower bound and events.
    adjacency_matrix_ : ndarray or pandas.DataFrame of shape (n_features, n_features)
        1 where the row's variable is a parent of the column's, else 0; a data frame if `X` is one
        of pandas.
    n_features_in_ : int
    feature_names_in_ : ndarray of str
        Only if `X` has column names.

    Examples
    --------
    >>> import numpy as np
    >>> table = np.array([[0, 0, 1], [1, 1, 0], [0, 0, 0], [1, 1, 1]] * 10)
    >>> learner = BayesianNetworkLearner(score="bdeu").fit(table)
    >>> learner.result_.status, learner.network_.arcs
    ('optimal', (('X1', 'X0'),))
    >>> round(learner.score(table), 3)
    -1.399
    """

    missing: str

    @takes_table_keywords(*(option.name for option in TABLE_PARAMETERS))
    def __init__(
        self,
        *,
        score: str = "mdl",
        max_parents: int | Literal["auto"] = "auto",
        ess: float = 1.0,
        algorithm: str = "auto",
        heuristic: str = "static-pd",
        parameters: Mapping[str, float] | None = None,
        time_limit: float | None = None,
        memory_limit: int | str | None = None,
        gap: float = 0.0,
        max_expansions: int | None = None,
        seed: int = 0,
        jobs: int | None = None,
        require: Sequence[ArcLike] = (),
        forbid: Sequence[ArcLike] = (),
        tiers: Sequence[Sequence[str]] | str | os.PathLike[str] = (),
        parent_limits: Mapping[str, int] | None = None,
        knowledge: Knowledge | str | os.PathLike[str] | None = None,
        start: Start = None,
        equivalent_sample_size: float = 1.0,
        **table: Any,
    ) -> None:
        check_options(type(self).__name__, table, [option.name for option in TABLE_PARAMETERS])
        for option in TABLE_PARAMETERS:
            setattr(self, option.name, table.get(option.name, option.default))
        self.score = score
        self.max_parents = max_parents
        self.ess = ess
        self.algorithm = algorithm
        self.heuristic = heuristic
        self.parameters = parameters
        self.time_limit = time_limit
        self.memory_limit = memory_limit
        self.gap = gap
        self.max_expansions = max_expansions
        self.seed = seed
        self.jobs = jobs
        self.require = require
        self.forbid = forbid
        self.tiers = tiers
        self.parent_limits = parent_limits
        self.knowledge = knowledge
        self.start = start
        self.equivalent_sample_size = equivalent_sample_size

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Give the parameters of the constructor, by name."""
        params: dict[str, Any] = super().get_params(deep)
        return params | {"score": vars(self)["score"]}

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        tags.input_tags.allow_nan = self.missing != "error"
        return tags

    def fit(self, X: TableLike, y: Any = None) -> BayesianNetworkLearner:  # noqa: ARG002
        """Learn the structure, and estimate its probabilities.

        Parameters
        ----------
        X
            A data frame, or a 2-D array whose columns are called X0, X1 and so on.
        y
            Not used.
        """
        options = self.get_params(deep=False)
        table = {option.name: options.pop(option.name) for option in TABLE_PARAMETERS}
        sample_size = options.pop("equivalent_sample_size")
        options["parameters"] = options["parameters"] or {}
        X = self._checked(X, reset=True)
        dataset = to_dataset(X, **table)
        result = make_task(type(self).__name__, dataset, options).run()
        structure = replace(result.network, states=_with_categories(X, dataset), probabilities=None)
        self.network_: Network = structure.fit(dataset, sample_size)
        self.result_: Result = replace(result, network=self.network_)
        self.adjacency_matrix_ = _adjacency(self.network_, X)
        self._frame_type = type(X)
        return self

    def score_samples(self, X: TableLike) -> NDArray[np.float64]:
        """Give the log-likelihood of each row, in nats."""
        _validation.check_is_fitted(self)
        X = self._checked(X, reset=False)
        if not hasattr(self, "feature_names_in_"):
            X = np.asarray(X)
        return self.network_.row_log_likelihoods(X)

    @_ParameterAndMethod
    def score(self, X: TableLike, y: Any = None) -> float:  # noqa: ARG002
        """Give the mean log-likelihood of the rows, in nats; larger is better.

        A value that the network does not know raises `InputError`. To allow values that only other
        rows show, give the column a categorical type with all its categories before you `fit`.
        """
        return float(self.score_samples(X).mean())

    def sample(self, n_samples: int = 1, *, seed: int | None = None) -> Any:
        """Draw rows, as a frame or array like that of `fit`; by default with the learner's seed."""
        _validation.check_is_fitted(self)
        drawn = self.network_.sample(n_samples, self.seed if seed is None else seed)
        kind = self._frame_type.__module__.split(".")[0]
        if kind in ("pandas", "polars", "pyarrow"):
            return getattr(drawn, f"to_{kind.removeprefix('py')}")()
        columns = [
            (np.array(states, dtype=object) if values is None else values)[codes]
            for states, values, codes in zip(
                drawn.states, map(typed_values, drawn.states), drawn.codes, strict=True
            )
        ]
        return np.stack(columns, axis=1)

    def _checked(self, X: TableLike, *, reset: bool) -> Any:
        """Check the shape, and set or compare the features; arrays must hold proper values."""
        if _is_frame(X):
            _validation.validate_data(self, X, reset=reset, skip_check_array=True)
            if len(X) == 0:
                raise InputError("the table: no rows of data; found array with 0 sample(s)")
        else:
            finite = "allow-nan" if self.missing != "error" else True
            X = _validation.validate_data(
                self, X, reset=reset, dtype=None, ensure_all_finite=finite
            )
        if self.n_features_in_ < 2:
            raise InputError("the table has 1 feature(s): at least two columns are needed")
        return X


def _is_frame(table: Any) -> bool:
    import narwhals as nw

    return isinstance(nw.from_native(table, pass_through=True), nw.DataFrame)


def _with_categories(table: Any, dataset: Dataset) -> tuple[tuple[str, ...], ...]:
    """Add the categories that a frame declares and that no row shows to the states."""
    import narwhals as nw

    if not _is_frame(table):
        return dataset.states
    frame = nw.from_native(table)
    # A Categorical of polars declares nothing: its list grows with values, also of other columns.
    declaring = (nw.Enum,) if frame.implementation.is_polars() else (nw.Enum, nw.Categorical)
    states = []
    for own, column in zip(dataset.states, frame.iter_columns(), strict=True):
        declared: list[str] = []
        if isinstance(column.dtype, declaring):
            declared = value_names(find_values(column.name, column.to_arrow()).values)
        states.append(own + tuple(value for value in declared if value not in own))
    return tuple(states)


def _adjacency(network: Network, table: Any) -> Any:
    matrix = np.zeros((len(network.names),) * 2, dtype=np.int64)
    for child, members in enumerate(network.parents):
        matrix[list(members), child] = 1
    if type(table).__module__.split(".")[0] != "pandas":
        return matrix
    import pandas as pd

    return pd.DataFrame(matrix, index=list(network.names), columns=list(network.names))
