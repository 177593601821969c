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
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from anytimebn import _native
    from anytimebn.result.certificates import Certificate
    from anytimebn.solver.settings import SearchSettings

LOG = logging.getLogger(__name__)

INSTANT = 26  # variables that the order graph proves in no time
LARGE = 38  # variables from which the order graph needs help
LARGEST = 64  # variables that the strong bounds of the order graph can take
FEW_SETS = 150  # of a variable: the linear program may be the faster route
HEAD_START = 0.25  # seconds for the order graph, before a linear program is set up
SHARE = 0.5  # of the time that is left, for the linear program alone at most
FIRST_LOOK = 5.0  # seconds before the linear program is judged
SLOW = 0.75  # of a gap that is still there when the time has grown by half


def run_auto(run: _native.SearchRun, settings: SearchSettings) -> Certificate | None:
    """Work on a prepared run; return the certificate of the linear program, if there was one."""
    largest, sets = max(zip(run.component_sizes, run.component_sets, strict=True), default=(0, 0))
    # With limited work results must repeat, which a race does not.
    repeatable = settings.max_expansions is not None or settings.stop_at_check > 0
    if repeatable or largest <= INSTANT or (largest <= LARGE and sets > FEW_SETS * largest):
        LOG.info("the order graph alone: at most %s variables, %s sets", largest, sets)
        run.search()
        return None
    return _race(run, settings, largest)


def _race(run: _native.SearchRun, settings: SearchSettings, largest: int) -> Certificate | None:
    from anytimebn.solver.linear.loop import raise_bound_of

    failure: list[BaseException] = []
    linear_program_ended = threading.Event()

    def search() -> None:
        try:
            if largest > LARGEST:
                linear_program_ended.wait()
            elif largest > LARGE:
                _wait_for_slow_progress(run, linear_program_ended)
            if not run.solved() and not run.stop_requested:
                LOG.info("the order graph starts")
                run.search()
        except BaseException as error:  # raised below, in the thread that is waited for
            failure.append(error)

    order_graph = threading.Thread(target=search, name="order graph")
    order_graph.start()
    if largest <= LARGE:
        order_graph.join(HEAD_START)
    try:
        if not order_graph.is_alive():
            return None
        LOG.info("the linear program starts")
        return raise_bound_of(run, seed=settings.seed, rounds=10**6, seconds=run.seconds_left)
    except BaseException:
        run.stop()
        raise
    finally:
        linear_program_ended.set()
        order_graph.join()
        if failure:
            raise failure[0]


def _wait_for_slow_progress(run: _native.SearchRun, ended: threading.Event) -> None:
    """Wait until the linear program ends or hardly closes the gap any further."""
    begin = time.monotonic()
    longest = SHARE * run.seconds_left
    gaps: list[tuple[float, int]] = []  # at each time
    while not ended.wait(0.1):
        elapsed = time.monotonic() - begin
        now = run.snapshot()
        gaps.append((elapsed, now.cost - now.lower_bound))
        earlier = next(gap for seconds, gap in gaps if seconds >= elapsed / 1.5)
        slow = elapsed > FIRST_LOOK and gaps[-1][1] > SLOW * earlier
        if slow or elapsed > longest or run.solved() or run.stop_requested:
            return
