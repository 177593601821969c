"""What can be chosen by name: the native registries, and the algorithms written in Python.

An algorithm that is written in Python is an `Algorithm` with a runner, listed in `IN_PYTHON`. A
runner in `EXTENDED` takes the place of the native algorithm of that name, and uses it.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from anytimebn.base.choices import Parameter, find_choice
from anytimebn.base.errors import InputError
from anytimebn.solver.description import Algorithm, Heuristic
from anytimebn.solver.linear.algorithms import ILP, RELAXATION
from anytimebn.solver.no_memory import importing_late

if TYPE_CHECKING:
    from anytimebn import _native
    from anytimebn.result.certificates import Certificate
    from anytimebn.solver.description import Told
    from anytimebn.solver.linear.loop import CuttingPlaneLoop
    from anytimebn.solver.settings import SearchSettings


def _run_auto(
    run: _native.SearchRun,
    settings: SearchSettings,
    told: Told | None = None,
    begun: CuttingPlaneLoop | None = None,
) -> Certificate | None:
    """Do what `anytimebn.solver.routes.run_auto` does, which help need not load."""
    with importing_late():
        from anytimebn.solver.routes import run_auto

    return run_auto(run, settings, told, begun)


IN_PYTHON = (ILP, RELAXATION)
EXTENDED = {"auto": _run_auto}


@cache
def algorithms() -> tuple[Algorithm, ...]:
    """All algorithms, by name."""
    from anytimebn import _native

    native = [
        Algorithm(*entry[:5], tuple(Parameter(*p) for p in entry[5]), from_data=entry[6])
        for entry in _native.registered_algorithms()
    ]
    known = [
        replace(choice, runner=EXTENDED[choice.name]) if choice.name in EXTENDED else choice
        for choice in native
    ]
    return in_order((*known, *IN_PYTHON))


def in_order(choices: tuple[Algorithm, ...]) -> tuple[Algorithm, ...]:
    """Sort algorithms by name, and refuse two of one name."""
    names = [choice.name for choice in choices]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise InputError(f"two algorithms are registered as {twice[0]!r}; names must differ")
    return tuple(sorted(choices, key=lambda choice: choice.name))


@cache
def heuristics() -> tuple[Heuristic, ...]:
    """All heuristics, by name."""
    from anytimebn import _native

    return tuple(
        Heuristic(*entry[:4], tuple(Parameter(*p) for p in entry[4]))
        for entry in _native.registered_heuristics()
    )


def algorithm(name: str) -> Algorithm:
    """Look an algorithm up."""
    return find_choice("algorithm", name, algorithms())


def heuristic(name: str) -> Heuristic:
    """Look a heuristic up."""
    return find_choice("heuristic", name, heuristics())
