"""Replicates of a bootstrap on processes of Dask, in processor seconds.

Seconds on the clock say little on a machine that others use, too; and so do processor seconds of
one process beside those of two, where two cores share caches, memory and perhaps one core's units.
So there are two figures:

- beside one thread: its processor seconds, divided by N times those of the busiest worker: what N
  processes reach here, whatever keeps them from N times the speed;
- beside N plain processes that know of no cluster, each with its share of the replicates from the
  beginning: what is lost by the cluster itself, by handing over, unpacking and waiting at the end.

Starting processes and importing the package are in neither. Workers of Dask use the processor
while they wait, too, by the seconds on the clock: where others take most of the machine's time, a
run takes many times its processor seconds, and so does that. What an idle worker uses a second is
measured, and counted for as many seconds as the worker would need on a core of its own.
"""

from __future__ import annotations

import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

from anytimebn.learning.replicates import Sampling, learn_elsewhere, learn_here
from anytimebn.learning.task import LearnTask
from anytimebn.network.random import generate
from anytimebn.solver.settings import SearchSettings
from benchmarks.suite import Case, Column, Suite

IDLE_SECONDS = 10


def measure(variables: int, rows: int, replicates: int, workers: int) -> dict[str, Any]:
    """Learn replicates on one thread, then by so many workers."""
    from distributed import Client, LocalCluster

    _, data = generate(variables, 3, rows, seed=1)
    task = LearnTask(data=data, settings=SearchSettings(gap=0.001, seed=1))
    sampling = Sampling(task, replicates, "bootstrap", 1)
    began = time.process_time()
    here = learn_here(sampling, 1, lambda _: None)
    alone = time.process_time() - began
    plain = _plain_processes(sampling, workers)
    options = {"n_workers": workers, "threads_per_worker": 1, "dashboard_address": ":0"}
    with LocalCluster(**options) as cluster, Client(cluster) as client:
        client.run(_warm)
        idle = _idle_share(client)
        before = client.run(time.process_time)
        began, clock = time.process_time(), time.perf_counter()
        there = learn_elsewhere(sampling, client.get_executor(), replicates, lambda _: None)
        seconds, own = time.perf_counter() - clock, time.process_time() - began
        after = client.run(time.process_time)
    raw = [after[worker] - before[worker] for worker in after]
    used = [max(0.0, own - idle * seconds) / (1 - idle) for own in raw]
    return {
        "seconds": seconds,
        "cpu_alone": alone,
        "cpu_workers": used,
        "cpu_workers_as_measured": raw,
        "idle_share": idle,
        "cpu_here": own,
        "cpu_plain": plain,
        "beside_one_thread": alone / (workers * max(used)),
        "beside_plain_processes": max(plain) / max(used),
        "same": [(r.network, r.cost) for r in here] == [(r.network, r.cost) for r in there],
    }


def _idle_share(client: Any) -> float:
    """Processor seconds that a worker uses a second while it has nothing to do."""
    before = client.run(time.process_time)
    time.sleep(IDLE_SECONDS)
    after = client.run(time.process_time)
    return sum(after[worker] - before[worker] for worker in after) / len(after) / IDLE_SECONDS


def _plain_processes(sampling: Sampling, workers: int) -> list[float]:
    """Processor seconds of processes that each learn their share."""
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        shares = [range(first, sampling.replicates, workers) for first in range(workers)]
        return list(pool.map(_learn_share, [sampling] * workers, shares))


def _learn_share(sampling: Sampling, numbers: range) -> float:
    _warm()
    began = time.process_time()
    for number in numbers:
        sampling.learn(number, 2**33)
    return time.process_time() - began


def _warm() -> None:
    """Import what learning needs: a worker does that once in its life."""
    import numpy as np

    import anytimebn as ab

    ab.learn(np.array([[0, 1], [1, 0], [1, 1]] * 5), progress=False)


SUITE = Suite(
    name="cluster",
    summary="Bootstrap replicates on processes of Dask, in processor seconds",
    cases=[
        Case(
            f"{variables} x {rows}, {workers} workers",
            {"variables": variables, "rows": rows, "replicates": 40, "workers": workers},
        )
        for variables, rows in ((20, 1000), (29, 2000))
        for workers in (1, 2)
    ],
    measure=measure,
    columns=[
        Column("one thread", lambda m: f"{m['cpu_alone']:.1f} s"),
        Column("on the clock", lambda m: f"{m['seconds']:.1f} s"),
        Column("idle", lambda m: f"{m['idle_share']:.1%}"),
        Column("workers", lambda m: ", ".join(f"{own:.1f} s" for own in m["cpu_workers"])),
        Column("coordinator", lambda m: f"{m['cpu_here']:.2f} s"),
        Column("plain", lambda m: ", ".join(f"{own:.1f} s" for own in m["cpu_plain"])),
        Column("beside one thread", lambda m: f"{m['beside_one_thread']:.2f}"),
        Column("beside plain ones", lambda m: f"{m['beside_plain_processes']:.2f}"),
        Column("same result", lambda m: "yes" if m["same"] else "NO"),
    ],
)
