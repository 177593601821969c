"""Time is read in one place, and what has to end in time asks a deadline."""

from __future__ import annotations

import ast
import math
from pathlib import Path

import pytest

import anytimebn
from anytimebn.base.clock import SYSTEM_CLOCK, Deadline, ManualClock, Stopwatch

PACKAGE = Path(anytimebn.__file__).parent
READ_TIME = {"monotonic", "monotonic_ns", "perf_counter", "perf_counter_ns", "time_ns"}


def test_deadline_passes_when_its_time_has_come() -> None:
    clock = ManualClock()
    deadline = Deadline.after(3.0, clock)
    assert deadline.left() == deadline.limit == 3.0
    clock.advance(2.5)
    assert deadline.left() == 0.5
    assert not deadline.passed()
    clock.advance(0.5)
    assert deadline.passed()
    clock.advance(10)
    assert deadline.left() == deadline.limit == 0.0


def test_no_limit_is_a_deadline_that_never_passes() -> None:
    clock = ManualClock()
    never = Deadline.after(None, clock)
    clock.advance(1e12)
    assert not never.passed()
    assert never.left() == math.inf
    assert never.limit is None


def test_no_time_at_all_has_passed_at_once() -> None:
    assert Deadline.after(0, ManualClock()).passed()


def test_the_earlier_of_two_deadlines_counts() -> None:
    clock = ManualClock()
    early, late, never = (Deadline.after(seconds, clock) for seconds in (1, 2, None))
    assert early.earlier_of(late) is late.earlier_of(early) is early
    assert late.earlier_of(never) is never.earlier_of(late) is late


def test_time_that_passes_with_each_look_ends_a_loop() -> None:
    deadline = Deadline.after(5, ManualClock(tick=1))
    looks = 0
    while not deadline.passed():
        looks += 1
    assert looks == 4


def test_the_clock_of_the_system_never_goes_back() -> None:
    watch = Stopwatch.started(SYSTEM_CLOCK)
    seen = [watch.elapsed() for _ in range(100)]
    assert seen == sorted(seen)
    assert seen[0] >= 0


@pytest.mark.parametrize(
    "path", sorted(PACKAGE.rglob("*.py")), ids=lambda path: str(path.relative_to(PACKAGE))
)
def test_nobody_else_asks_the_system_for_the_time(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    asked = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    named = {
        alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module == "time"
        for alias in node.names
    }
    if path != PACKAGE / "base" / "clock.py":
        assert not (asked | named) & READ_TIME
