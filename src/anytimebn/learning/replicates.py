"""Replicates of a bootstrap: how their rows are drawn, and who learns them.

A replicate depends on its number, and on nothing else: not on the others, nor on who learns it.
"""

from __future__ import annotations

from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal, cast

import numpy as np

from anytimebn.base.errors import LimitReached
from anytimebn.base.executors import Tasks
from anytimebn.base.resources import available_cores, memory_to_use, resident_bytes

if TYPE_CHECKING:
    from collections.abc import Callable

    from anytimebn.base.report import Sink
    from anytimebn.data.dataset import Dataset
    from anytimebn.learning.task import LearnTask
    from anytimebn.network.network import Network

Method = Literal["bootstrap", "jackknife"]
POLL_SECONDS = 0.1


@dataclass(frozen=True)
class Replicate:
    """One network learned from resampled data, and how good it is."""

    number: int
    network: Network
    status: str
    cost: float
    lower_bound: float | None


@dataclass(frozen=True, eq=False)
class Sampling:
    """What is resampled, and how; it can be pickled.

    Attributes
    ----------
    task
        That of all data, which has been read.
    replicates, method, seed
        How many there are, and how their rows are drawn.
    """

    task: LearnTask
    replicates: int
    method: Method
    seed: int

    @property
    def memory_limit(self) -> int | str | None:
        """What people allowed."""
        return self.task.settings.memory_limit

    def learn(self, number: int, memory_bytes: int, progress: Sink | None = None) -> Replicate:
        """Learn a replicate on one thread."""
        dataset = cast("Dataset", self.task.data)
        rows = rows_of(dataset.rows, number, self.replicates, self.method, self.seed)
        settings = replace(self.task.settings, jobs=1, memory_limit=memory_bytes)
        task = replace(self.task, data=dataset.take(rows), settings=settings)
        own = task.run(progress=progress)
        return Replicate(number, own.network, own.status, own.cost, own.lower_bound)


class _Stopped(Exception):
    """Raised inside a replicate that is no longer wanted."""


def learn_here(sampling: Sampling, workers: int, tell: Callable[[int], None]) -> list[Replicate]:
    """Learn replicates, several at a time, until all are done or Ctrl-C is pressed.

    Parameters
    ----------
    sampling
        What is learned.
    workers
        How many are learned at the same time.
    tell
        Called a few times a second with the number of those that are done.
    """
    replicates = sampling.replicates
    memory_bytes = resident_bytes() + memory_to_use(sampling.memory_limit) // workers
    stopping = False

    def go_on(_: object) -> None:
        if stopping:
            raise _Stopped

    def begin(number: int) -> Replicate:
        go_on(None)
        return sampling.learn(number, memory_bytes, go_on)

    executor = ThreadPoolExecutor(workers, thread_name_prefix="bootstrap")
    numbers = iter(range(replicates))
    waiting: set[Future[Replicate]] = set()
    learned: list[Replicate] = []
    try:
        tell(0)
        while len(learned) < replicates:
            for number in islice(numbers, 2 * workers - len(waiting)):
                waiting.add(executor.submit(begin, number))
            ended, waiting = wait(waiting, POLL_SECONDS, FIRST_COMPLETED)
            learned += [future.result() for future in ended]
            tell(len(learned))
    except KeyboardInterrupt:
        if not learned:
            raise LimitReached("interrupted before any replicate was learned") from None
    finally:
        stopping = True
        executor.shutdown(cancel_futures=True)
    return sorted(learned, key=lambda replicate: replicate.number)


def learn_elsewhere(
    sampling: Sampling, executor: Executor, at_once: int, tell: Callable[[int], None]
) -> list[Replicate]:
    """Have replicates learned by an executor, until all are or Ctrl-C is pressed.

    Parameters
    ----------
    sampling
        What is learned.
    executor
        Who learns.
    at_once
        How many are handed over before one has come back.
    tell
        Called a few times a second with the number of those that are done.
    """
    numbers = iter(range(sampling.replicates))
    learned: list[Replicate] = []
    try:
        with Tasks[int, Replicate](_learn_on_worker, sampling, executor) as tasks:
            tell(0)
            for number in islice(numbers, at_once):
                tasks.begin(number, number)
            for found in tasks.come_back():
                learned += [replicate for _, replicate in found]
                for number in islice(numbers, at_once - len(tasks)):
                    tasks.begin(number, number)
                tell(len(learned))
    except KeyboardInterrupt:
        if not learned:
            raise LimitReached("interrupted before any replicate was learned") from None
    return sorted(learned, key=lambda replicate: replicate.number)


def _learn_on_worker(sampling: Sampling, number: int) -> Replicate:
    """Learn a replicate in whatever process this is."""
    if sampling.memory_limit is None:  # others may be learned beside it
        share = memory_to_use(None) // available_cores()
    else:
        share = memory_to_use(sampling.memory_limit)
    return sampling.learn(number, resident_bytes() + share)


def rows_of(rows: int, number: int, replicates: int, method: Method, seed: int) -> Any:
    """Choose the rows of a replicate; they do not depend on the other replicates."""
    if method == "bootstrap":
        return np.sort(np.random.default_rng([seed, number]).integers(0, rows, rows))
    part = np.random.default_rng(seed).permutation(rows) % replicates
    return np.flatnonzero(part != number)
