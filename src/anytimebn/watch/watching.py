"""Who listens while something is learned: a function, a notebook, a terminal; and the log."""

from __future__ import annotations

import logging
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Literal

from anytimebn.base.checks import check_progress
from anytimebn.base.clock import SYSTEM_CLOCK, Clock, Stopwatch
from anytimebn.base.report import Report, Sink, fan_out
from anytimebn.watch.line import StatusLine, in_terminal
from anytimebn.watch.notebook import LiveView, in_notebook
from anytimebn.watch.standing import Standing, share_done, title_of

if TYPE_CHECKING:
    from collections.abc import Iterator

LOG = logging.getLogger(__name__)
LOG_SECONDS = 60.0  # between lines; work that takes less has none


Progress = Sink | Literal["auto"] | bool | None
"""What may be said of who listens: a function, what fits the place (the same as True), nobody."""


def check_watched(progress: Progress) -> None:
    """Refuse what is none of these."""
    if progress != "auto" and not isinstance(progress, bool):
        check_progress("progress", progress)


@contextmanager
def watching(progress: Progress, time_limit: float | None = None) -> Iterator[Sink | None]:
    """Give the sink of all who listen: what was passed or, by default, a view that fits the place.

    That is a live view in a notebook, a line in a terminal, and nothing elsewhere. It goes when
    the block is left: what was found shows itself.
    """
    log = LogLines().show if LOG.isEnabledFor(logging.INFO) else None
    view: LiveView | StatusLine | None = None
    if progress is True or progress == "auto":
        if in_notebook():
            view = LiveView(time_limit=time_limit)
        elif in_terminal():
            view = StatusLine(time_limit=time_limit)
    elif callable(progress):
        yield fan_out(progress, log)
        return
    if view is None:
        yield log
        return
    with closing(view):
        yield fan_out(view.show, log)


class LogLines:
    """Writes to the log now and then, for those who look at it while work goes on."""

    def __init__(self, clock: Clock = SYSTEM_CLOCK) -> None:
        self._watch = Stopwatch.started(clock)
        self._standing = Standing(self._watch)
        self._next = LOG_SECONDS

    def show(self, now: Report) -> None:
        """Write where the work stands, if it is time for that."""
        if self._watch.elapsed() < self._next:
            return
        self._next = self._watch.elapsed() + LOG_SECONDS
        if now.fraction is None:
            rows = self._standing.rows(now).items()
            told = ", ".join(f"{name} {said}" for name, said in rows if said)
        else:
            told = f"{share_done(now)} done"
        LOG.info("%s: %s", title_of(now), told)
