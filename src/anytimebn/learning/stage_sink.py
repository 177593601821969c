"""What hears of one stage while it works, and may end it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from anytimebn.base.report import ORDERS

if TYPE_CHECKING:
    from collections.abc import Callable

    from anytimebn.base.report import Report, Sink


class StageOver(KeyboardInterrupt):
    """Ends a stage as Ctrl-C does, with what it has found."""


class StageSink:
    """Hands on reports, and ends a stage that has done enough, or when all is to end.

    Parameters
    ----------
    progress
        Whom to hand reports on to.
    space
        What is searched, or that these are orders.
    enough
        Whether the stage has done enough.
    stopped
        Not empty when all is to end.
    """

    def __init__(
        self,
        progress: Sink | None,
        space: str | None,
        enough: Callable[[Report], bool] | None,
        stopped: list[bool],
    ) -> None:
        self._progress = progress
        self._space = space
        self._enough = enough
        self._stopped = stopped
        self.has_enough = False

    def __call__(self, report: Report) -> None:
        """Hear of where the stage stands."""
        if self._stopped:
            raise StageOver
        if self._progress is not None:
            self._progress(self._told(report))
        if self._enough is not None and self._enough(report):
            self.has_enough = True
            raise StageOver

    def _told(self, report: Report) -> Report:
        if self._space is None:
            return report
        if self._space == ORDERS:
            return replace(report, phase=ORDERS)
        return replace(report, space=self._space)
