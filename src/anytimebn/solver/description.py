"""How the registry describes an algorithm or a heuristic."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from anytimebn.base.choices import Choice, Parameter

if TYPE_CHECKING:
    from collections.abc import Callable

    from anytimebn import _native
    from anytimebn.result.certificates import Certificate
    from anytimebn.solver.settings import SearchSettings

    Runner = Callable[[_native.SearchRun, SearchSettings], Certificate | None]
    """Contributes to a prepared run; returns a certificate of its bound, if it has one."""


@dataclass(frozen=True)
class Algorithm(Choice):
    """A registered algorithm."""

    uses_heuristic: bool
    proves: bool
    parameters: tuple[Parameter, ...]
    rests_on: str | None = None  # what its bounds need to hold, where they are not exact
    from_data: bool = False  # can work on a table, without parent sets and their limit
    runner: Runner | None = None  # where it is written in Python


@dataclass(frozen=True)
class Heuristic(Choice):
    """A registered heuristic; all are admissible."""

    consistent: bool
    parameters: tuple[Parameter, ...]
