"""Learn Bayesian network structures from discrete data: anytime, and with proof.

>>> import anytimebn as ab
>>> ab.learn  # doctest: +ELLIPSIS
<function learn at ...>
"""

from __future__ import annotations

import logging as _logging
from importlib import import_module
from importlib.metadata import version as _version
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from anytimebn.base.errors import (
        AnytimebnError,
        ConstraintError,
        DataWarning,
        InputError,
        LimitReached,
        MissingPackage,
    )
    from anytimebn.data.dataset import Dataset
    from anytimebn.data.options import TableOptions
    from anytimebn.data.read import to_dataset
    from anytimebn.knowledge.constraints import Knowledge
    from anytimebn.learning.estimator import BayesianNetworkLearner as BayesianNetworkLearner
    from anytimebn.learning.learn import learn
    from anytimebn.learning.resampling import Bootstrap, BootstrapProgress, bootstrap
    from anytimebn.learning.stream import stream
    from anytimebn.network.equivalence import Cpdag
    from anytimebn.network.network import Network
    from anytimebn.result.event import Event
    from anytimebn.result.result import Result
    from anytimebn.scores.scoring import score
    from anytimebn.scores.store import LocalScores
    from anytimebn.solver.outcome import SearchProgress
    from anytimebn.solver.search import search
    from anytimebn.solver.settings import SearchSettings
    from anytimebn.solver.stream import Stream

# Nothing is shown unless the program that imports this asks for it.
_logging.getLogger("anytimebn").addHandler(_logging.NullHandler())

__version__ = _version("anytimebn")

# Loaded when first used: a command that fails early, or shows its help, should not wait for numpy.
# No room has the name of a function here: importing it would put the package in its place.
_HOME = {
    "AnytimebnError": "base.errors",
    "BayesianNetworkLearner": "learning.estimator",
    "Bootstrap": "learning.resampling",
    "BootstrapProgress": "learning.resampling",
    "ConstraintError": "base.errors",
    "Cpdag": "network.equivalence",
    "DataWarning": "base.errors",
    "Dataset": "data.dataset",
    "Event": "result.event",
    "InputError": "base.errors",
    "Knowledge": "knowledge.constraints",
    "LimitReached": "base.errors",
    "LocalScores": "scores.store",
    "MissingPackage": "base.errors",
    "Network": "network.network",
    "Result": "result.result",
    "SearchProgress": "solver.outcome",
    "SearchSettings": "solver.settings",
    "Stream": "solver.stream",
    "TableOptions": "data.options",
    "bootstrap": "learning.resampling",
    "learn": "learning.learn",
    "score": "scores.scoring",
    "search": "solver.search",
    "stream": "learning.stream",
    "to_dataset": "data.read",
}

# Without the estimator: `from anytimebn import *` should work without scikit-learn.
__all__ = [
    "AnytimebnError",
    "Bootstrap",
    "BootstrapProgress",
    "ConstraintError",
    "Cpdag",
    "DataWarning",
    "Dataset",
    "Event",
    "InputError",
    "Knowledge",
    "LimitReached",
    "LocalScores",
    "MissingPackage",
    "Network",
    "Result",
    "SearchProgress",
    "SearchSettings",
    "Stream",
    "TableOptions",
    "__version__",
    "bootstrap",
    "learn",
    "score",
    "search",
    "stream",
    "to_dataset",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'anytimebn' has no attribute {name!r}")
    value = getattr(import_module(f"anytimebn.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    # ``help(anytimebn)`` looks at all that is listed, and must not end at a missing scikit-learn.
    return [*__all__, *(["BayesianNetworkLearner"] if find_spec("sklearn") else [])]
