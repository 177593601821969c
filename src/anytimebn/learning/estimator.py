"""The learner as a scikit-learn estimator: for pipelines, cross-validation and grid search."""

from __future__ import annotations

from dataclasses import fields, replace
from types import MethodType
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from anytimebn.base.checks import check_options
from anytimebn.base.errors import InputError
from anytimebn.base.optional import optional
from anytimebn.data.dataset import Dataset
from anytimebn.data.frames import typed_values
from anytimebn.data.options import MissingMethod, TableOptions, takes_table_keywords
from anytimebn.data.read import to_dataset
from anytimebn.learning.on_page import run_with_page
from anytimebn.learning.target import TargetColumn, classes_of_states, target_column
from anytimebn.learning.task import make_task
from anytimebn.network.predicted_frames import target_probabilities
from anytimebn.network.unseen import open_log_likelihoods, open_network
from anytimebn.watch.page.serving import check_live

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from anytimebn.data.read import TableLike
    from anytimebn.knowledge.constraints import Knowledge
    from anytimebn.knowledge.written import ArcLike
    from anytimebn.network.network import Network
    from anytimebn.result.result import Result
    from anytimebn.solver.start import Start

_NEEDS = {"needed_for": "BayesianNetworkLearner", "install": "'anytimebn[sklearn]'"}
_base = optional("sklearn.base", **_NEEDS)
_validation = optional("sklearn.utils.validation", **_NEEDS)
_utils = optional("sklearn.utils", **_NEEDS)
_available_if = optional("sklearn.utils.metaestimators", **_NEEDS).available_if

TABLE_PARAMETERS = tuple(
    option
    for option in fields(TableOptions)
    # What is no file has no header; columns are chosen, and rows weighted, by scikit-learn.
    if option.name not in ("header", "separator", "encoding", "exclude", "names", "weights")
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


def _has_target(learner: BayesianNetworkLearner) -> bool:
    """Tell whether there is something to predict."""
    return learner.target is not None or "target_" in vars(learner)


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
    live
        Whether `fit` serves a page that shows the search, as in `anytimebn.learn`.
    target
        The column that `predict` and `predict_proba` are about, if it is one of `X`; arrays call
        their columns X0, X1 and so on. A `y` that is given to `fit` is the target, too, and needs
        no name here.
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
    target_ : str
        The variable that `predict` is about: `target`, or the name of `y` (``"y"`` if it has none).
        Only with a target.
    classes_ : ndarray
        The values that `predict` gives. Only with a target.
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

    With a target it predicts:

    >>> learner = BayesianNetworkLearner().fit(table[:, 1:], y=table[:, 0])
    >>> learner.predict(table[:4, 1:]), learner.score(table[:, 1:], table[:, 0])
    (array([0, 1, 0, 1]), 1.0)
    """

    missing: MissingMethod
    target_: str
    classes_: NDArray[Any]

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
        live: bool | int = False,
        target: str | None = None,
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
        self.live = live
        self.target = target

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Give the parameters of the constructor, by name."""
        params: dict[str, Any] = super().get_params(deep)
        return params | {"score": vars(self)["score"]}

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        tags.input_tags.allow_nan = self.missing != "error"
        if _has_target(self):  # so that scores of probabilities, such as log loss, are possible
            tags.estimator_type = "classifier"
            tags.classifier_tags = _utils.ClassifierTags()
        return tags

    def fit(self, X: TableLike, y: Any = None) -> BayesianNetworkLearner:
        """Learn the structure, and estimate its probabilities.

        Parameters
        ----------
        X
            A data frame, or a 2-D array whose columns are called X0, X1 and so on.
        y
            A further column that is to be predicted: a variable of the network like the others.
        """
        options = self.get_params(deep=False)
        table = {option.name: options.pop(option.name) for option in TABLE_PARAMETERS}
        sample_size = options.pop("equivalent_sample_size")
        live = options.pop("live")
        check_live(live)
        del options["target"]
        options["parameters"] = options["parameters"] or {}
        X = self._checked(X, reset=True)
        column = None if y is None else self._target_column(X, y)
        read = to_dataset(X, **table) if column is None else column.joined(X, table)
        task = make_task(type(self).__name__, read, options)
        dataset = task.read()
        assert isinstance(dataset, Dataset)
        result = run_with_page(replace(task, data=dataset), live)
        structure = replace(result.network, probabilities=None)
        self.network_: Network = structure.fit(dataset, sample_size)
        self._open_network = open_network(structure, dataset, sample_size)
        self.result_: Result = replace(result, network=self.network_)
        self.adjacency_matrix_ = _adjacency(self.network_, X)
        self._frame_type = type(X)
        self._keep_target(column)
        return self

    def _target_column(self, X: TableLike, y: Any) -> TargetColumn:
        _validation.check_consistent_length(X, y)
        names = getattr(self, "feature_names_in_", [f"X{n}" for n in range(self.n_features_in_)])
        return target_column(y, self.target, [str(name) for name in names])

    def _keep_target(self, column: TargetColumn | None) -> None:
        """Set what the estimator has only with a target, which was given as `y` or is in `X`."""
        self._target_apart = column is not None
        for name in ("target_", "classes_"):
            if name in vars(self):
                delattr(self, name)
        target = self.target if column is None else column.name
        if target is None:
            return
        states = self.network_.states
        assert states is not None
        own = states[self.network_.index_of(target)]
        self.target_ = target
        self.classes_ = classes_of_states(own) if column is None else column.classes(own)

    @_available_if(_has_target)  # type: ignore[untyped-decorator]
    def predict(self, X: TableLike) -> NDArray[Any]:
        """Give the most probable value of the target in each row.

        It takes all that a row tells, also of rows that lack values, and needs no column of the
        target. A value that `fit` has not seen counts as missing, with a `DataWarning`.
        """
        probabilities = self.predict_proba(X)
        found: NDArray[Any] = self.classes_[probabilities.argmax(axis=1)]
        return found

    @_available_if(_has_target)  # type: ignore[untyped-decorator]
    def predict_proba(self, X: TableLike) -> NDArray[np.float64]:
        """Give the probabilities of the target's values in each row, in the order of `classes_`."""
        _validation.check_is_fitted(self)
        X = self._checked(X, reset=False, may_lack=self.target_)
        if not hasattr(self, "feature_names_in_"):
            X = np.asarray(X)
        return target_probabilities(self.network_, X, self.target_)

    def score_samples(self, X: TableLike) -> NDArray[np.float64]:
        """Give the log-likelihood of each row, in nats; whatever `y` is, if `fit` was given one."""
        _validation.check_is_fitted(self)
        X = self._checked(X, reset=False)
        if not hasattr(self, "feature_names_in_"):
            X = np.asarray(X)
        target = self.target_ if self._target_apart else None
        return open_log_likelihoods(
            self.network_, self._open_network, X, self.missing, without=target
        )

    @_ParameterAndMethod
    def score(self, X: TableLike, y: Any = None) -> float:
        """Give the mean log-likelihood of the rows, in nats; larger is better.

        With a target and `y`, give the share of rows whose `y` is predicted, as classifiers do.

        A value that `fit` has not seen is as likely as one that could have been there and was not:
        so rare values that only one fold of a cross-validation has are no error. Give the column a
        categorical type with all its categories to have them known from the beginning. With
        ``missing="drop"`` and ``"em"``, rows that lack values are judged by what they show.
        """
        if y is not None and _has_target(self):
            return float(np.mean(self.predict(X) == np.asarray(y).reshape(-1)))
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

    def _checked(self, X: TableLike, *, reset: bool, may_lack: str | None = None) -> Any:
        """Check the shape, and set or compare the features; arrays must hold proper values."""
        lacks = may_lack is not None and not self._has_column(X, may_lack)
        if lacks and not self._target_apart:
            return X if _is_frame(X) else np.asarray(X)
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

    def _has_column(self, X: TableLike, name: str) -> bool:
        """Tell whether a table has a column of what `fit` was given."""
        if _is_frame(X) and hasattr(self, "feature_names_in_"):
            return name in getattr(X, "column_names", X.columns)
        return bool(np.shape(X)[1:] != (self.n_features_in_ - 1,))


def _is_frame(table: Any) -> bool:
    import narwhals as nw

    return isinstance(nw.from_native(table, pass_through=True), nw.DataFrame)


def _adjacency(network: Network, table: Any) -> Any:
    matrix = np.zeros((len(network.names),) * 2, dtype=np.int64)
    for child, members in enumerate(network.parents):
        matrix[list(members), child] = 1
    if type(table).__module__.split(".")[0] != "pandas":
        return matrix
    import pandas as pd

    return pd.DataFrame(matrix, index=list(network.names), columns=list(network.names))
