"""Learning by one thread, by one thread with a worker beside it, and by two threads.

All have the same time. What counts is how soon the others have found a network as good as the one
that one thread ends with, by the events of their results. The worker is a process of a pool that
has been started, and imports what it needs once it is asked, as a worker elsewhere does.
"""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import TYPE_CHECKING, Any

import anytimebn as ab
from anytimebn.network.random import generate
from benchmarks.suite import Case, Column, Suite

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from concurrent.futures import Executor

SECONDS = 20.0
ALONE, WITH_WORKER, TWO_THREADS = "one thread", "with a worker", "two threads"


def measure(variables: int, parents: int, rows: int, time_limit: float) -> dict[str, Any]:
    """Learn in all ways, one after the other."""
    _, data = generate(variables, parents, rows, seed=1)
    found = {ALONE: _learn(data, 1, time_limit, None)}
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        pool.submit(int).result()
        found[WITH_WORKER] = _learn(data, 1, time_limit, pool)
    found[TWO_THREADS] = _learn(data, 2, time_limit, None)
    goal = found[ALONE].cost
    return {
        "seconds": sum(result.seconds["total"] for result in found.values()),
        **{
            way: {"cost": result.cost, "claim": result.claim, "as_good_after": _when(result, goal)}
            for way, result in found.items()
        },
    }


def _learn(data: ab.Dataset, jobs: int, time_limit: float, executor: Executor | None) -> ab.Result:
    return ab.learn(
        data, jobs=jobs, time_limit=time_limit, progress=False, executor=executor, seed=1
    )


def _when(result: ab.Result, goal: float) -> float | None:
    """Seconds after which a network was as good as that; None if none was."""
    rounding = 1e-6 * len(result.network.names)
    return next((e.seconds for e in result.events if e.cost <= goal + rounding), None)


def _told(way: str) -> Callable[[Mapping[str, Any]], str]:
    def text(results: Mapping[str, Any]) -> str:
        own = results[way]
        after = own["as_good_after"]
        return f"{own['cost']:,.1f}, {'never' if after is None else f'{after:.1f} s'}"

    return text


SUITE = Suite(
    name="helped",
    summary="Cost in the end, and when it was as good as that of one thread",
    cases=[
        Case(
            f"{variables}.{parents}.{rows // 1000}k",
            {"variables": variables, "parents": parents, "rows": rows, "time_limit": SECONDS},
        )
        for variables, parents, rows in (
            (100, 5, 20_000),
            (200, 3, 5_000),
            (200, 5, 20_000),
            (500, 3, 5_000),
        )
    ],
    measure=measure,
    columns=[Column(way, _told(way)) for way in (ALONE, WITH_WORKER, TWO_THREADS)],
)
