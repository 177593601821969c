"""What can be chosen by name: read from the native registries and the list of modules here.

An algorithm that is written in Python is a module with its description as ``ALGORITHM`` and the
function ``run_<name>(run, settings, names)``, listed in `PYTHON_ALGORITHMS`: it contributes to a
prepared `_native.SearchRun` and may return a certificate of its bound. Without a description of its
own it extends the native algorithm of the same name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar

from anytimebn.argument_checks import did_you_mean, is_number, shown, unknown_name
from anytimebn.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from anytimebn import _native
    from anytimebn.search_settings import SearchSettings

    Runner = Callable[[_native.SearchRun, SearchSettings, Sequence[str]], dict[str, Any] | None]

PYTHON_ALGORITHMS = {
    "auto": "anytimebn.automatic",
    "ilp": "anytimebn.ilp",
    "relaxation": "anytimebn.relaxation",
}


@dataclass(frozen=True)
class Choice:
    """One registered score, heuristic or algorithm."""

    name: str
    summary: str
    paper: str


@dataclass(frozen=True)
class Parameter:
    """A number that an algorithm or a heuristic takes."""

    name: str
    default: float
    lowest: float
    highest: float
    summary: str
    whole: bool


@dataclass(frozen=True)
class Algorithm(Choice):
    """A registered algorithm."""

    uses_heuristic: bool
    proves: bool
    parameters: tuple[Parameter, ...]
    rests_on: str | None = None  # what its bounds need to hold, where they are not exact
    from_data: bool = False  # can work on a table, without parent sets and their limit


@dataclass(frozen=True)
class Heuristic(Choice):
    """A registered heuristic; all are admissible."""

    consistent: bool
    parameters: tuple[Parameter, ...]


Found = TypeVar("Found", bound=Choice)


@cache
def scores() -> tuple[Choice, ...]:
    """All scores, by name.

    Examples
    --------
    >>> [choice.name for choice in scores()]
    ['aic', 'bdeu', 'bic', 'fnml', 'mdl', 'qnml']
    """
    from anytimebn import _native

    return tuple(Choice(*entry) for entry in _native.registered_scores())


@cache
def algorithms() -> tuple[Algorithm, ...]:
    """All algorithms, by name."""
    from anytimebn import _native

    native = [
        Algorithm(*entry[:5], tuple(Parameter(*p) for p in entry[5]), from_data=entry[6])
        for entry in _native.registered_algorithms()
    ]
    modules = [import_module(module) for module in PYTHON_ALGORITHMS.values()]
    python = [module.ALGORITHM for module in modules if hasattr(module, "ALGORITHM")]
    return tuple(sorted(native + python, key=lambda choice: choice.name))


def python_runner(name: str) -> Runner | None:
    """The function that runs an algorithm, if it is written in Python."""
    if name not in PYTHON_ALGORITHMS:
        return None
    runner: Runner = getattr(import_module(PYTHON_ALGORITHMS[name]), f"run_{name}")
    return runner


@cache
def heuristics() -> tuple[Heuristic, ...]:
    """All heuristics, by name."""
    from anytimebn import _native

    return tuple(
        Heuristic(*entry[:4], tuple(Parameter(*p) for p in entry[4]))
        for entry in _native.registered_heuristics()
    )


def score_names() -> tuple[str, ...]:
    """Names of all scores."""
    return tuple(choice.name for choice in scores())


def algorithm(name: str) -> Algorithm:
    """Look an algorithm up."""
    return _find("algorithm", name, algorithms())


def heuristic(name: str) -> Heuristic:
    """Look a heuristic up."""
    return _find("heuristic", name, heuristics())


def _find(kind: str, name: str, choices: tuple[Found, ...]) -> Found:
    for choice in choices:
        if choice.name == name:
            return choice
    raise InputError(unknown_name(kind, name, [choice.name for choice in choices]))


def check_parameters(
    owner: str, given: Mapping[str, float], parameters: Iterable[Parameter]
) -> None:
    """Refuse values for parameters that an algorithm or a heuristic does not have or take."""
    if not isinstance(given, Mapping):
        raise InputError(
            f"parameters must be numbers by name, such as {{'weight': 1.5}}, not {shown(given)}"
        )
    known = {parameter.name: parameter for parameter in parameters}
    for name, value in given.items():
        if name not in known:
            options = ", ".join(sorted(known)) or "none"
            hint = did_you_mean(name, known)
            raise InputError(f"{owner} has no parameter {name!r}{hint}; it has: {options}")
        own = known[name]
        kind = "a whole number" if own.whole else "a number"
        if not (
            is_number(value)
            and own.lowest <= value <= own.highest
            and (not own.whole or value == int(value))
        ):
            raise InputError(
                f"parameter {name} must be {kind} between {own.lowest:g} and {own.highest:g}, "
                f"not {shown(value)}"
            )
