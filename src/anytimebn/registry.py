"""What can be chosen by name: read from the native registries and the list of modules here.

An algorithm that is written in Python is a module with its description as ``ALGORITHM`` and the
function ``run_<name>(run, settings, names)``, listed in `PYTHON_ALGORITHMS`: it contributes to a
prepared `_native.SearchRun` and may return a certificate of its bound. Without a description of its
own it extends the native algorithm of the same name.
"""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar

from anytimebn.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from anytimebn import _native
    from anytimebn.searching import SearchSettings

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


def unknown_name(kind: str, name: str, known: Iterable[str]) -> str:
    """Message for a name that is not known: what is, and what may have been meant.

    Examples
    --------
    >>> unknown_name("score", "BIC", ["bdeu", "bic"])
    "unknown score 'BIC' (did you mean 'bic'?): choose one of bdeu, bic"
    """
    known = list(known)
    folded = {choice.casefold(): choice for choice in known}
    close = difflib.get_close_matches(name.casefold(), folded, n=1)
    hint = f" (did you mean {folded[close[0]]!r}?)" if close else ""
    shown = ", ".join(known[:20]) + (", ..." if len(known) > 20 else "")
    return f"unknown {kind} {name!r}{hint}: choose one of {shown}"
