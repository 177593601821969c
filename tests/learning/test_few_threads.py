"""Learning where the system refuses threads: with fewer, or with none."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from search_problems import random_scores

import anytimebn as ab
from anytimebn.network.random import generate


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"time_limit": 60.0},
        {"space": "neighbourhood", "time_limit": 60.0},
        {"algorithm": "hill-climbing"},
        {"algorithm": "insertion-search", "bound": True, "time_limit": 60.0},
        {"algorithm": "ilp"},
    ],
)
def test_learn_goes_on_where_no_thread_can_be_started(
    options: dict[str, Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    table = generate(6, 2, 100, seed=1)[1]
    expected = ab.learn(table, jobs=2, **options)

    def refuse(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refuse)
    found = ab.learn(table, jobs=2, checkpoint=tmp_path / "run", **options)
    assert found.cost == pytest.approx(expected.cost)
    assert found.status in (expected.status, "optimal")


@pytest.mark.parametrize("begin", range(1, 5))
def test_learn_goes_on_where_a_later_thread_cannot_be_started(
    begin: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    scores = random_scores(26, 1, sets=60, levels=1000)
    expected = ab.search(scores, algorithm="auto")
    real, started = threading.Thread.start, 0

    def refuse(thread: threading.Thread) -> None:
        nonlocal started
        started += 1
        if started >= begin:
            raise RuntimeError("can't start new thread")
        real(thread)

    monkeypatch.setattr(threading.Thread, "start", refuse)
    found = ab.search(scores, algorithm="auto", jobs=2)
    assert (found.status, found.cost) == ("optimal", expected.cost)


IN_LITTLE_MEMORY = """
import resource
import anytimebn as ab
from anytimebn.network.random import generate

def room(path="/proc/self/statm"):
    with open(path) as told:
        return int(told.read().split()[0]) * resource.getpagesize()

table = generate(12, 2, 400, seed=1)[1]
expected = ab.learn(table, jobs=1, max_parents=2)  # all is imported now, and one thread has a stack
most = room() + 4 * 2**20  # less than the stack of another
resource.setrlimit(resource.RLIMIT_AS, (most, most))
found = ab.learn(table, jobs=8, max_parents=2)
assert found.cost == expected.cost
assert found.status == "optimal"
"""


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="nothing tells what is in use")
def test_native_work_goes_on_with_fewer_threads() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", IN_LITTLE_MEMORY], check=False, capture_output=True, text=True
    )
    assert ended.returncode == 0, ended.stderr
