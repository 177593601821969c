"""How the registry describes an algorithm or a heuristic."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from anytimebn.base.choices import Choice, Parameter

if TYPE_CHECKING:
    from collections.abc import Callable

    from anytimebn import _native
    from anytimebn.result.certificates import Certificate
    from anytimebn.solver.linear.lead import Lead
    from anytimebn.solver.linear.loop import CuttingPlaneLoop
    from anytimebn.solver.settings import SearchSettings

    Told = Callable[[Lead], None]
    """Hears what to begin with after a crash, while a search goes on.

    What it proves is to be computed again.
    """

    Runner = Callable[
        [_native.SearchRun, SearchSettings, Told | None, CuttingPlaneLoop | None],
        Certificate | None,
    ]
    """Contributes to a prepared run; returns a certificate of its bound, if it has one.

    An earlier run may have left a linear program that has begun.

    Where somebody wants to hear on the way what to begin with after a crash, it tells them.
    """


@dataclass(frozen=True)
class Algorithm(Choice):
    """A registered algorithm."""

    uses_heuristic: bool
    proves: bool
    parameters: tuple[Parameter, ...]
    rests_on: str | None = None  # what its bounds need to hold, where they are not exact
    from_data: bool = False  # can work on a table, without parent sets and their limit
    runner: Runner | None = None  # where it is written in Python
    needs: tuple[str, str] | None = None  # a module that may be missing, and what installs it


@dataclass(frozen=True)
class Heuristic(Choice):
    """A registered heuristic; all are admissible."""

    consistent: bool
    parameters: tuple[Parameter, ...]
