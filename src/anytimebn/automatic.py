"""What `learn` does when it is not told how: two routes to a proof.

The order graph (``native/search/auto.cpp``: A*, cluster bounds, sweeps) proves problems of up to
about 38 variables, however many parent sets they have. The linear program (`anytimebn.relaxation`)
proves problems of hundreds of variables with few parent sets each. In between the two race in
threads of their own, with one network, one bound, and one list of parent sets that are ruled out;
beyond, the program comes first and the order graph gets what it leaves.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from anytimebn import _native
    from anytimebn.searching import SearchSettings

INSTANT = 26  # variables that the order graph proves in no time
LARGE = 38  # variables from which the order graph needs help
FEW_SETS = 150  # of a variable: the linear program may be the faster route
HEAD_START = 0.25  # seconds for the order graph, before a linear program is set up
SHARE = 0.5  # of the time that is left, for the linear program when the order graph comes after it


def run_auto(
    run: _native.SearchRun, settings: SearchSettings, names: Sequence[str]
) -> dict[str, Any] | None:
    """Work on a prepared run; return the certificate of the linear program, if there was one."""
    largest, sets = max(zip(run.component_sizes, run.component_sets, strict=True), default=(0, 0))
    # With limited work results must repeat, which a race does not.
    repeatable = settings.max_expansions is not None or settings.stop_at_check > 0
    if repeatable or largest <= INSTANT or (largest <= LARGE and sets > FEW_SETS * largest):
        run.search()
        return None
    if largest <= LARGE:
        return _race(run, settings, names)
    certificate = _linear_program(run, settings, names)
    if not run.solved() and not run.stopped():
        run.search()
    return certificate


def _linear_program(
    run: _native.SearchRun, settings: SearchSettings, names: Sequence[str]
) -> dict[str, Any]:
    from anytimebn.cutting_plane_loop import raise_bound_of

    seconds = run.seconds_left * SHARE if max(run.component_sizes) <= 64 else run.seconds_left
    return raise_bound_of(run, names, seed=settings.seed, rounds=10**6, seconds=seconds)


def _race(
    run: _native.SearchRun, settings: SearchSettings, names: Sequence[str]
) -> dict[str, Any] | None:
    failure: list[BaseException] = []

    def search() -> None:
        try:
            run.search()
        except BaseException as error:  # raised below, in the thread that is waited for
            failure.append(error)

    order_graph = threading.Thread(target=search, name="order graph")
    order_graph.start()
    order_graph.join(HEAD_START)
    try:
        return _linear_program(run, settings, names) if order_graph.is_alive() else None
    except BaseException:
        run.stop()
        raise
    finally:
        order_graph.join()
        if failure:
            raise failure[0]
