"""Learn Bayesian network structures from discrete data: anytime, and with proof.

>>> import anytimebn as ab
>>> ab.learn  # doctest: +ELLIPSIS
<function learn at ...>
"""

# The command line has to import this before it can hear signals: so even what Python itself brings
# along is imported when it is first used.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    __version__: str

    from anytimebn.base.errors import (
        AnytimebnError,
        CheckpointWarning,
        ConstraintError,
        DataWarning,
        InputError,
        LimitReached,
        MissingPackage,
        WorkerWarning,
    )
    from anytimebn.base.report import BootstrapProgress, Report, SearchProgress
    from anytimebn.checker.report import Verification
    from anytimebn.checker.verify import verify
    from anytimebn.data.dataset import Dataset
    from anytimebn.data.options import TableOptions
    from anytimebn.data.read import to_dataset
    from anytimebn.knowledge.constraints import Knowledge
    from anytimebn.learning.estimator import BayesianNetworkLearner as BayesianNetworkLearner
    from anytimebn.learning.learn import learn
    from anytimebn.learning.networks_within import networks_within
    from anytimebn.learning.pgmpy_search import AnytimeSearch as AnytimeSearch
    from anytimebn.learning.posterior import Posterior, posterior
    from anytimebn.learning.resampling import Bootstrap, bootstrap
    from anytimebn.learning.resume import resume
    from anytimebn.learning.stream import stream
    from anytimebn.network.compare import Comparison
    from anytimebn.network.distribution import Distribution
    from anytimebn.network.effects import Effect
    from anytimebn.network.equivalence import Cpdag
    from anytimebn.network.network import Network
    from anytimebn.network.random import generate
    from anytimebn.result.event import Event
    from anytimebn.result.result import Result
    from anytimebn.scores.scoring import score
    from anytimebn.scores.store import LocalScores
    from anytimebn.solver.good_networks import GoodNetworks
    from anytimebn.solver.search import search
    from anytimebn.solver.settings import SearchSettings
    from anytimebn.solver.stream import Stream

# Loaded when first used: a command that fails early, or shows its help, should not wait for numpy.
# No room has the name of a function here: importing it would put the package in its place.
_HOME = {
    "AnytimeSearch": "learning.pgmpy_search",
    "AnytimebnError": "base.errors",
    "BayesianNetworkLearner": "learning.estimator",
    "Bootstrap": "learning.resampling",
    "BootstrapProgress": "base.report",
    "CheckpointWarning": "base.errors",
    "Comparison": "network.compare",
    "ConstraintError": "base.errors",
    "Cpdag": "network.equivalence",
    "DataWarning": "base.errors",
    "Dataset": "data.dataset",
    "Distribution": "network.distribution",
    "Effect": "network.effects",
    "Event": "result.event",
    "GoodNetworks": "solver.good_networks",
    "InputError": "base.errors",
    "Knowledge": "knowledge.constraints",
    "LimitReached": "base.errors",
    "LocalScores": "scores.store",
    "MissingPackage": "base.errors",
    "Network": "network.network",
    "Posterior": "learning.posterior",
    "Report": "base.report",
    "Result": "result.result",
    "SearchProgress": "base.report",
    "SearchSettings": "solver.settings",
    "Stream": "solver.stream",
    "TableOptions": "data.options",
    "Verification": "checker.report",
    "WorkerWarning": "base.errors",
    "bootstrap": "learning.resampling",
    "generate": "network.random",
    "learn": "learning.learn",
    "networks_within": "learning.networks_within",
    "posterior": "learning.posterior",
    "resume": "learning.resume",
    "score": "scores.scoring",
    "search": "solver.search",
    "stream": "learning.stream",
    "to_dataset": "data.read",
    "verify": "checker.verify",
}

# Without the estimators: `from anytimebn import *` should work without scikit-learn and pgmpy.
__all__ = [
    "AnytimebnError",
    "Bootstrap",
    "BootstrapProgress",
    "CheckpointWarning",
    "Comparison",
    "ConstraintError",
    "Cpdag",
    "DataWarning",
    "Dataset",
    "Distribution",
    "Effect",
    "Event",
    "GoodNetworks",
    "InputError",
    "Knowledge",
    "LimitReached",
    "LocalScores",
    "MissingPackage",
    "Network",
    "Posterior",
    "Report",
    "Result",
    "SearchProgress",
    "SearchSettings",
    "Stream",
    "TableOptions",
    "Verification",
    "WorkerWarning",
    "__version__",
    "bootstrap",
    "generate",
    "learn",
    "networks_within",
    "posterior",
    "resume",
    "score",
    "search",
    "stream",
    "to_dataset",
    "verify",
]


def __getattr__(name: str) -> "Any":
    from importlib import import_module

    if name == "__version__":
        from importlib.metadata import version

        value: object = version("anytimebn")
    elif name in _HOME:
        value = getattr(import_module(f"anytimebn.{_HOME[name]}"), name)
    else:
        raise AttributeError(f"module 'anytimebn' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    from importlib.util import find_spec

    # ``help(anytimebn)`` looks at all that is listed, and must not end at a missing scikit-learn.
    return [*__all__, *(["BayesianNetworkLearner"] if find_spec("sklearn") else [])]
