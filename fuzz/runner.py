"""Run a campaign in several processes, until enough cases are done or the time is over."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field
from multiprocessing.connection import wait
from typing import TYPE_CHECKING

from fuzz.campaigns import load
from fuzz.worker import Outcome, Worker

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

WAIT_SECONDS = 1.0


@dataclass
class Tally:
    """What a campaign came to."""

    cases: int = 0
    checks: Counter[str] = field(default_factory=Counter)
    failures: list[Outcome] = field(default_factory=list)
    slowest: tuple[float, int | None] = (0.0, None)  # seconds and seed


def run(
    name: str,
    seeds: Iterator[int],
    *,
    seconds: float = float("inf"),
    jobs: int = 1,
    hear: Callable[[Outcome], None] | None = None,
) -> Tally:
    """Run the cases of seeds; no new one is begun when the time is over."""
    patience = load(name).patience
    end = time.monotonic() + seconds
    tally = Tally()
    workers = [Worker(name) for _ in range(jobs)]
    begun: dict[Worker, float] = {}
    waited: dict[Worker, float] = {}

    def go_on(worker: Worker) -> None:
        seed = None if time.monotonic() >= end else next(seeds, None)
        if seed is not None:
            worker.begin(seed)
            begun[worker], waited[worker] = time.monotonic(), 0.0

    def take(worker: Worker, outcome: Outcome) -> None:
        spent = time.monotonic() - begun.pop(worker)
        if spent > tally.slowest[0]:
            tally.slowest = (spent, outcome.seed)
        tally.cases += 1
        tally.checks += outcome.checks
        if outcome.failure is not None:
            tally.failures.append(outcome)
            if hear is not None:
                hear(outcome)
        if not worker.alive:
            workers[workers.index(worker)] = worker = Worker(name)
        go_on(worker)

    for worker in workers:
        go_on(worker)
    while begun:
        ready = wait([worker.connection for worker in begun], timeout=WAIT_SECONDS)
        for worker in list(begun):
            if worker.connection in ready:
                take(worker, worker.outcome())
            elif not ready:
                # Not by the clock: a machine that slept in between hangs nowhere.
                waited[worker] += WAIT_SECONDS
                if waited[worker] > patience:
                    take(worker, worker.give_up())
    for worker in workers:
        worker.end()
    return tally


def run_again(name: str, seed: int | None, case: dict[str, object] | None) -> Outcome:
    """Run one case, in a process of its own."""
    worker = Worker(name)
    worker.begin(seed, case)
    outcome = worker.outcome() if worker.connection.poll(load(name).patience) else worker.give_up()
    worker.end()
    return outcome
