"""What ``auto`` does: two routes to a proof.

The order graph (``native/solve/auto.cpp``: A*, cluster bounds, sweeps) proves problems of up to
about 38 variables, however many parent sets they have. The linear program
(`anytimebn.solver.linear`) proves problems of hundreds of variables with few parent sets each, and
rules out most parent sets of others. In between the two race in threads of their own, with one
network, one bound, and one list of parent sets that are ruled out. Up to 38 variables the order
graph is off first; up to 64 the linear program, until its bound rises slowly.
"""

from __future__ import annotations

import logging
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING

from anytimebn.base.clock import SYSTEM_CLOCK, Clock, Stopwatch
from anytimebn.base.threads import NativeThread

if TYPE_CHECKING:
    from anytimebn import _native
    from anytimebn.result.certificates import Certificate
    from anytimebn.solver.settings import SearchSettings

LOG = logging.getLogger(__name__)

POLL_SECONDS = 0.1


@dataclass(frozen=True, kw_only=True)
class Routes:
    """When which route is taken."""

    instant: int = 26  # variables that the order graph proves in no time
    large: int = 38  # variables from which the order graph needs help
    largest: int = 64  # variables that the strong bounds of the order graph can take
    few_sets: int = 150  # of a variable: the linear program may be the faster route
    head_start: float = 0.25  # seconds for the order graph, before a linear program is set up
    share: float = 0.5  # of the time that is left, for the linear program alone at most
    first_look: float = 5.0  # seconds before the linear program is judged
    slow: float = 0.75  # of a gap that is still there when the time has grown by half

    def need_no_linear_program(self, variables: int, sets: int) -> bool:
        """Whether the order graph is the faster route for a component of this size."""
        return variables <= self.instant or (
            variables <= self.large and sets > self.few_sets * variables
        )


USUAL_ROUTES = Routes()


def run_auto(
    run: _native.SearchRun,
    settings: SearchSettings,
    routes: Routes = USUAL_ROUTES,
    clock: Clock = SYSTEM_CLOCK,
) -> Certificate | None:
    """Work on a prepared run; return the certificate of the linear program, if there was one."""
    largest, sets = max(zip(run.component_sizes, run.component_sets, strict=True), default=(0, 0))
    # With limited work results must repeat, which a race does not.
    repeatable = settings.max_expansions is not None or settings.stop_at_check > 0
    if repeatable or routes.need_no_linear_program(largest, sets):
        LOG.info("the order graph alone: at most %s variables, %s sets", largest, sets)
        run.search()
        return None
    return _race(run, settings, largest, routes, clock)


def _race(
    run: _native.SearchRun,
    settings: SearchSettings,
    largest: int,
    routes: Routes,
    clock: Clock,
) -> Certificate | None:
    from anytimebn.solver.linear.loop import raise_bound_of

    linear_program_ended = threading.Event()

    def search() -> None:
        if largest > routes.largest:
            linear_program_ended.wait()
        elif largest > routes.large:
            wait_for_slow_progress(run, linear_program_ended, routes, clock)
        if not run.solved() and not run.stop_requested:
            LOG.info("the order graph starts")
            run.search()

    order_graph = NativeThread(search, run)
    try:
        if largest <= routes.large and order_graph.wait(routes.head_start):
            return None
        LOG.info("the linear program starts")
        return raise_bound_of(run, seed=settings.seed, rounds=10**6, known=settings.known_rows)
    except BaseException:
        run.stop()
        raise
    finally:
        linear_program_ended.set()
        order_graph.join()


def wait_for_slow_progress(
    run: _native.SearchRun, ended: threading.Event, routes: Routes, clock: Clock
) -> None:
    """Wait until the linear program ends or hardly closes the gap any further."""
    watch = Stopwatch.started(clock)
    longest = routes.share * run.seconds_left
    gaps: list[tuple[float, int]] = []  # at each time
    while not ended.wait(POLL_SECONDS):
        elapsed = watch.elapsed()
        now = run.snapshot()
        gaps.append((elapsed, now.cost - now.lower_bound))
        earlier = next(gap for seconds, gap in gaps if seconds >= elapsed / 1.5)
        slow = elapsed > routes.first_look and gaps[-1][1] > routes.slow * earlier
        if slow or elapsed > longest or run.solved() or run.stop_requested:
            return
