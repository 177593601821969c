"""Searching for the best network, given local scores."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from anytimebn.base.checks import check_options, check_progress
from anytimebn.base.clock import SYSTEM_CLOCK, Clock
from anytimebn.base.signatures import shows
from anytimebn.base.threads import run_native
from anytimebn.solver.outcome import events_of, last_event_of, report_of, result_of
from anytimebn.solver.run import start_run
from anytimebn.solver.settings import SETTINGS, SHOWN_SETTINGS, SearchSettings

if TYPE_CHECKING:
    from collections.abc import Callable

    from anytimebn.base.report import Sink
    from anytimebn.result.event import Event
    from anytimebn.result.result import Result
    from anytimebn.scores.on_demand import CountedScores
    from anytimebn.scores.store import LocalScores
    from anytimebn.solver.run import Parents, Run
    from anytimebn.solver.start import Start


@shows(SHOWN_SETTINGS)
def search(
    scores: LocalScores | CountedScores,
    *,
    start: Start = None,
    progress: Sink | Literal[False] | None = None,
    clock: Clock = SYSTEM_CLOCK,
    **settings: Any,
) -> Result:
    """Find the cheapest network over the given parent sets.

    Ctrl-C keeps the best network and the bound so far: the result then has the status
    ``interrupted``.

    Parameters
    ----------
    scores
        From `score`, or a score file by `LocalScores.load`; or `CountedScores` for algorithms
        that work on data.
    start
        A network, or a file with one, to begin with. Parents that are not among the parent sets are
        reduced to the cheapest subset that is.
    progress
        Called a few times a second with a `Report`.
    clock
        By which the result tells how long the search took; the core has its own for `time_limit`.
    **settings
        The fields of `SearchSettings`: ``algorithm``, ``heuristic``, ``time_limit``, ...

    Examples
    --------
    >>> import numpy as np
    >>> import anytimebn as ab
    >>> table = np.array([[0, 0, 1], [1, 1, 0], [0, 0, 0], [1, 1, 1]] * 10)
    >>> ab.search(ab.score(table, "mdl")).status
    'optimal'
    """
    sink = check_progress("progress", progress)
    check_options("search", settings, SETTINGS)
    return search_with(scores, SearchSettings(**settings), start=start, progress=sink, clock=clock)


def search_with(
    scores: LocalScores | CountedScores,
    settings: SearchSettings,
    *,
    start: Start = None,
    progress: Sink | None = None,
    heard: Callable[[Event, Parents], None] | None = None,
    began: Callable[[Run], None] | None = None,
    clock: Clock = SYSTEM_CLOCK,
) -> Result:
    """Search as `search` does, with settings that are made and checked already.

    With `heard`, a function that is called with each event, and the parents of each variable in the
    best network of the moment; with `began`, one that gets the run, to ask it for more meanwhile.
    """
    run = start_run(scores, settings, start, clock=clock)
    if began is not None:
        began(run)
    events: list[Event] = []

    def take(event: Event) -> None:
        events.append(event)
        if heard is not None:
            heard(event, run.parents() or ())

    def take_events() -> None:
        for event in events_of(run):
            take(event)

    def report() -> None:
        take_events()
        if progress is not None:
            progress(report_of(run))

    run_native(run, run, report, keep_on_interrupt=True)
    take_events()
    # If Ctrl-C came while events were taken, the last of them may be missing.
    last = last_event_of(run)
    if last is not None and (not events or last.cost < events[-1].cost):
        take(last)
    return result_of(run, events)
