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
    from anytimebn.data import Dataset, to_dataset
    from anytimebn.equivalence import Cpdag
    from anytimebn.errors import (
        AnytimebnError,
        ConstraintError,
        DataWarning,
        InputError,
        LimitReached,
        MissingPackage,
    )
    from anytimebn.estimator import BayesianNetworkLearner as BayesianNetworkLearner
    from anytimebn.knowledge import Knowledge
    from anytimebn.learning import learn, stream
    from anytimebn.network import Network
    from anytimebn.resampling import Bootstrap, BootstrapProgress, bootstrap
    from anytimebn.result import Event, Result
    from anytimebn.scores import LocalScores, score
    from anytimebn.search_settings import SearchSettings
    from anytimebn.searching import SearchProgress, Stream, search

# Nothing is shown unless the program that imports this asks for it.
_logging.getLogger("anytimebn").addHandler(_logging.NullHandler())

__version__ = _version("anytimebn")

# Loaded when first used: a command that fails early, or shows its help, should not wait for numpy.
# No module has the name of a function here: importing it would put the module in its place.
_HOME = {
    "AnytimebnError": "errors",
    "BayesianNetworkLearner": "estimator",
    "Bootstrap": "resampling",
    "BootstrapProgress": "resampling",
    "ConstraintError": "errors",
    "Cpdag": "equivalence",
    "DataWarning": "errors",
    "Dataset": "data",
    "Event": "result",
    "InputError": "errors",
    "Knowledge": "knowledge",
    "LimitReached": "errors",
    "LocalScores": "scores",
    "MissingPackage": "errors",
    "Network": "network",
    "Result": "result",
    "SearchProgress": "searching",
    "SearchSettings": "search_settings",
    "Stream": "searching",
    "bootstrap": "resampling",
    "learn": "learning",
    "score": "scores",
    "search": "searching",
    "stream": "learning",
    "to_dataset": "data",
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
