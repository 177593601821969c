"""What people do with the library in a program, for a process of its own.

``python -m fuzz.scenarios NAME SEED`` plays one in a Python that starts and ends.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np

import anytimebn as ab

if TYPE_CHECKING:
    from collections.abc import Callable

AT_ONCE = 10
STATUS = 7
"""With which scenarios end that leave on purpose."""


def _table(seed: int) -> Any:
    random = np.random.default_rng(seed)
    rows, columns = 100, int(random.integers(4, 16))
    table = random.integers(0, 2, (rows, columns))
    for column in range(1, columns):
        copied = random.random(rows) < 0.8
        table[:, column] = np.where(copied, table[:, random.integers(0, column)], table[:, column])
    return table


def _large(seed: int) -> Any:
    """A table that takes longer than anybody waits here."""
    random = np.random.default_rng(seed)
    table = random.integers(0, 2, (500, 60))
    for column in range(3, 60):
        parents = random.choice(column, 3, replace=False)
        exact = random.random(500) < 0.8
        table[:, column] = np.where(exact, table[:, parents].sum(axis=1) % 2, table[:, column])
    return table


def _learned(seed: int) -> tuple[float, str]:
    result = ab.learn(_table(seed), max_parents=2, jobs=1 + seed % 3, progress=None)
    return round(result.cost, 6), result.status


def _check(found: list[tuple[float, str]], seeds: list[int]) -> None:
    for seed, one in zip(seeds, found, strict=True):
        alone = _learned(seed)
        assert one == alone, f"{one} at once, {alone} alone"


def in_threads(random: Random) -> None:
    """Learn in many threads at once."""
    seeds = [random.randrange(5) for _ in range(AT_ONCE)]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        _check(list(pool.map(_learned, seeds)), seeds)


def in_copies(random: Random) -> None:
    """Learn here, then in copies of this process."""
    _learned(0)
    seeds = [random.randrange(5) for _ in range(AT_ONCE)]
    with multiprocessing.get_context("fork").Pool(3) as pool:
        _check(pool.map(_learned, seeds), seeds)


def in_fresh_processes(random: Random) -> None:
    """Learn in processes that are started afresh."""
    seeds = [random.randrange(5) for _ in range(4)]
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        _check(pool.map(_learned, seeds), seeds)


def with_joblib(random: Random) -> None:
    """Learn as joblib has it done, if it is there."""
    try:
        import joblib  # type: ignore[import-untyped]
    except ImportError:
        return
    seeds = [random.randrange(5) for _ in range(AT_ONCE)]
    backend = random.choice(["threading", "loky"])
    tasks = [joblib.delayed(_learned)(seed) for seed in seeds]
    _check(joblib.Parallel(n_jobs=3, backend=backend)(tasks), seeds)


def leave_a_stream(random: Random) -> None:
    """Leave streams half-way, in all ways."""
    for _ in range(3):
        stream = ab.stream(_large(random.randrange(100)), jobs=random.choice([1, 2]))
        for count, _ in enumerate(stream):
            if count >= random.randrange(3):
                break
        way = random.randrange(3)
        if way == 0:
            assert stream.close().network is not None
        elif way == 1:
            del stream


def raise_in_progress(random: Random) -> None:
    """Raise in a function that is told of the progress; then learn again."""
    left = random.randrange(4)
    kind = random.choice([ValueError, SystemExit, RuntimeError])

    def progress(_: object) -> None:
        nonlocal left
        left -= 1
        if left < 0:
            raise kind("enough")

    try:
        ab.learn(_large(1), progress=progress, time_limit=30)
    except kind:
        pass
    else:
        raise AssertionError("what was raised is lost")
    _check([_learned(1)], [1])


def interrupt_in_progress(random: Random) -> None:
    """Press Ctrl-C while a network is there: it is kept."""
    left = random.randrange(3)

    def progress(report: Any) -> None:
        nonlocal left
        left -= report.cost is not None
        if left < 0:
            raise KeyboardInterrupt

    result = ab.learn(_large(2), progress=progress, time_limit=30)
    # It may have ended in the very moment.
    assert result.status in ("interrupted", "optimal", "finished"), result.status


def exit_with_a_stream(random: Random) -> None:
    """End the program while a search goes on."""
    streams = [ab.stream(_large(number), jobs=1) for number in range(random.randint(1, 3))]
    next(streams[0])
    time.sleep(random.random() * 0.2)
    globals()["kept"] = streams  # until Python takes everything down
    raise SystemExit(STATUS)


def exit_with_a_thread(random: Random) -> None:
    """End the program while a thread learns that nobody waits for."""
    for number in range(random.randint(1, 3)):
        threading.Thread(
            target=ab.learn, args=(_large(number),), kwargs={"progress": None}, daemon=True
        ).start()
    time.sleep(random.random() * 0.5)
    raise SystemExit(STATUS)


def exit_at_once(random: Random) -> None:
    """End the process without a word while a search goes on."""
    stream = ab.stream(_large(1))
    next(stream)
    time.sleep(random.random() * 0.1)
    os._exit(STATUS)


SCENARIOS: dict[str, tuple[Callable[[Random], None], int, bool]] = {
    "threads": (in_threads, 0, False),
    "copies": (in_copies, 0, False),
    "fresh-processes": (in_fresh_processes, 0, True),
    "joblib": (with_joblib, 0, True),
    "leave-a-stream": (leave_a_stream, 0, False),
    "leave-a-stream-and-end": (leave_a_stream, 0, True),
    "raise-in-progress": (raise_in_progress, 0, False),
    "interrupt-in-progress": (interrupt_in_progress, 0, False),
    "exit-with-a-stream": (exit_with_a_stream, STATUS, True),
    "exit-with-a-thread": (exit_with_a_thread, STATUS, True),
    "exit-at-once": (exit_at_once, STATUS, True),
}
"""By name: what is done, the exit status then, and whether Python has to start and end for it."""


def play(name: str, seed: int) -> None:
    """Play a scenario in this process."""
    SCENARIOS[name][0](Random(seed))


if __name__ == "__main__":
    play(sys.argv[1], int(sys.argv[2]))
