"""What ``auto`` does: two routes to a proof, which share the cores.

The order graph (``native/solve/auto.cpp``: A*, cluster bounds, sweeps) proves problems with up to
some forty variables, however many parent sets they have. The linear program
(`anytimebn.solver.linear`) proves problems of hundreds of variables with few parent sets each, and
rules out most parent sets of others. Which one is faster cannot be seen beforehand: both work on
the same run, with one network, one bound, and one list of parent sets that are ruled out, and
`anytimebn.solver.judging` says from what is measured who may go on.

With two cores and more both work at the same time; with one, by turns. The order graph begins: easy
problems, which its plain A* proves, need no linear program, and give the same result every time.
Nor is there one in the first turn, which is about as long as setting up a linear program takes.
"""

from __future__ import annotations

import logging
import threading
from contextlib import suppress
from typing import TYPE_CHECKING

from anytimebn.base.clock import SYSTEM_CLOCK, Clock, Stopwatch
from anytimebn.base.threads import NativeThread, NoThread
from anytimebn.solver.judging import BOTH, LINEAR_PROGRAM, ORDER_GRAPH, Judge, Look, Turns

if TYPE_CHECKING:
    from anytimebn import _native
    from anytimebn.result.certificates import Certificate
    from anytimebn.solver.description import Told
    from anytimebn.solver.linear.loop import CuttingPlaneLoop
    from anytimebn.solver.settings import SearchSettings

LOG = logging.getLogger(__name__)

TURN_SECONDS = 0.05  # from one look at the routes to the next
EASY = ("unknown", "nodes")  # stages of the order graph until its plain A* is given up

DOING = {
    BOTH: "order graph and linear program",
    ORDER_GRAPH: "order graph",
    LINEAR_PROGRAM: "linear program",
}


def run_auto(
    run: _native.SearchRun,
    settings: SearchSettings,
    told: Told | None = None,
    begun: CuttingPlaneLoop | None = None,
    *,
    at_once: bool = False,
    clock: Clock = SYSTEM_CLOCK,
) -> Certificate | None:
    """Work on a prepared run; return the certificate of the linear program, if there was one.

    Parameters
    ----------
    run
        To contribute to.
    settings
        How to search.
    told
        Hears on the way what a linear program would begin with after a crash.
    begun
        A linear program that has begun with what an earlier run has left.
    at_once
        Whether to begin with both routes, however easy the problem may be.
    clock
        By which the routes are judged.
    """
    _tell(run, ORDER_GRAPH)
    # With limited work results must repeat, which those of two threads do not.
    if settings.max_expansions is not None or settings.stop_at_check > 0:
        LOG.info("the order graph alone: work is limited, and results must repeat")
        run.search()
        return None
    try:
        order_graph = NativeThread(run.search, run)
    except NoThread:
        LOG.info("the order graph alone: there is no memory for another thread")
        run.search()
        return None
    try:
        contributor = run.contributor() if begun is None else begun.contributor
        # The order graph may also have run out of memory: then all is left to the linear program.
        at_once = at_once or bool(settings.proofs)  # it was not easy before
        if not at_once and _is_easy(run, order_graph) and contributor.stopped():
            LOG.info("the order graph ended before a linear program was set up")
            return None
        return SharedCores(run, settings, order_graph, contributor, clock).work(told, begun)
    except BaseException:
        run.stop()
        raise
    finally:
        run.go_on()
        order_graph.join()


def _is_easy(run: _native.SearchRun, order_graph: NativeThread[None]) -> bool:
    """Whether the order graph ends before it is worth while to set up a linear program."""
    ended = order_graph.wait(TURN_SECONDS)
    while not ended and run.snapshot().stage in EASY:
        ended = order_graph.wait(TURN_SECONDS / 10)
    return ended


def _tell(run: _native.SearchRun, turns: Turns) -> None:
    run.tell(DOING[turns])


class SharedCores:
    """The two routes at work, and who may use the cores."""

    def __init__(
        self,
        run: _native.SearchRun,
        settings: SearchSettings,
        order_graph: NativeThread[None],
        contributor: _native.Contributor,
        clock: Clock,
    ) -> None:
        self._run = run
        self._settings = settings
        self._order_graph = order_graph
        self._contributor = contributor
        self._by_turns = run.jobs == 1
        self._sets = sum(run.component_sets)
        self._judge = Judge()
        self._decided = ORDER_GRAPH
        self._turns = BOTH
        self._watch = Stopwatch.started(clock)

    def work(
        self, told: Told | None = None, begun: CuttingPlaneLoop | None = None
    ) -> Certificate | None:
        """Solve the linear program in this thread; return its certificate."""
        from anytimebn.solver.linear.loop import raise_bound_of

        LOG.info("the linear program starts")
        ended = threading.Event()
        judging = None
        with suppress(NoThread):  # then both go on side by side
            judging = NativeThread(lambda: self._share_until(ended), self._run)
        try:
            return raise_bound_of(
                self._run,
                seed=self._settings.seed,
                rounds=10**6,
                contributor=self._contributor,
                known=self._settings.known_rows,
                told=told,
                begun=begun,
            )
        finally:
            ended.set()
            if judging is not None:
                judging.join()
            self._give(ORDER_GRAPH)
            LOG.info("the linear program ended")
            _tell(self._run, ORDER_GRAPH)

    def _share_until(self, linear_program_ended: threading.Event) -> None:
        """Look at both routes until one of them ends; then the other has all."""
        while not linear_program_ended.wait(TURN_SECONDS):
            if self._order_graph.wait(0):
                LOG.info("the order graph ended")
                self._give(LINEAR_PROGRAM)
                _tell(self._run, LINEAR_PROGRAM)
                return
            self._decide()

    def _decide(self) -> None:
        decided = self._judge.decide(self._look())
        if decided != self._decided:
            LOG.info("at work: %s", DOING[decided])
            _tell(self._run, decided)
            self._decided = decided
        if decided == BOTH and self._by_turns:
            self._give(LINEAR_PROGRAM if self._turns == ORDER_GRAPH else ORDER_GRAPH)
        else:
            self._give(decided)

    def _look(self) -> Look:
        now = self._run.snapshot()
        return Look(
            seconds=self._watch.elapsed(),
            seconds_left=self._run.seconds_left,
            stage=now.stage,
            nodes=now.expanded,
            expected=now.expected_nodes,
            planned=now.planned_seconds,
            gap_of_order_graph=now.cost - now.algorithm_bound,
            gap_of_linear_program=now.cost - now.contributed_bound,
            possible=self._sets - now.ruled_out,
        )

    def _give(self, turns: Turns) -> None:
        """Let those go on whose turn it is, and hold the others."""
        self._turns = turns
        for may_work, worker in (
            (turns.order_graph, self._run),
            (turns.linear_program, self._contributor),
        ):
            if may_work:
                worker.go_on()
            else:
                worker.hold()
