"""What hears of one stage while it works, and may end it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from anytimebn.base.report import ORDERS

if TYPE_CHECKING:
    from collections.abc import Callable

    from anytimebn.base.report import BestNetwork, Report, Sink


class StageOver(KeyboardInterrupt):
    """Ends a stage as Ctrl-C does, with what it has found."""


class SoFar(NamedTuple):
    """The cost of the best network of all stages, and what is proven of it, in which space."""

    cost: float | None
    lower_bound: float | None = None
    space: str | None = None
    rounding: float = 0.0  # nats by which the costs of one network may differ


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
    known, network
        Give what all stages know at this moment: people who watch hear of that, too.
    """

    def __init__(
        self,
        progress: Sink | None,
        space: str | None,
        enough: Callable[[Report], bool] | None,
        stopped: list[bool],
        known: Callable[[], SoFar],
        network: Callable[[], BestNetwork | None] = lambda: None,
    ) -> None:
        self._progress = progress
        self._space = space
        self._enough = enough
        self._stopped = stopped
        self._known = known
        self._network = network
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
        report = replace(report, network=self._network())
        if self._space is None:
            return report
        if self._space == ORDERS:
            report = replace(report, phase=ORDERS)
        else:
            report = replace(report, space=self._space)
        return _with_what_is_known(report, self._known())


def _with_what_is_known(report: Report, known: SoFar) -> Report:
    """Tell the best cost of all stages, and the bound of an earlier one until this has its own.

    A stage begins with networks of its own and without a bound; nothing is lost by that.
    """
    cost, bound = report.cost, report.lower_bound
    if known.cost is not None and (cost is None or known.cost < cost):
        cost = known.cost
    if bound is not None:
        return replace(report, cost=cost, lower_bound=bound if cost is None else min(bound, cost))
    if known.cost is None or known.lower_bound is None or cost is None:
        return replace(report, cost=cost)
    if cost < known.cost - known.rounding:  # the bound is about a network that was improved
        return replace(report, cost=cost)
    return replace(report, cost=cost, lower_bound=known.lower_bound, bound_space=known.space)
