"""Who gets the cores, by looks that the tests make up."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anytimebn.solver.judging import (
    AT_MOST,
    BOTH,
    LINEAR_PROGRAM,
    ORDER_GRAPH,
    Judge,
    Look,
    Turns,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

STAGES = ["unknown", "nodes", "bounds", "root bound", "sweep", "windows", "plain windows"]

BEGINNING = Look(
    seconds=1.0,
    seconds_left=1000.0,
    stage="bounds",
    nodes=0,
    expected=0.0,
    planned=0.0,
    gap_of_order_graph=1000,
    gap_of_linear_program=1000,
    possible=500,
)


def decisions(
    look_at: Callable[[float], Look], seconds: float, judge: Judge | None = None
) -> Iterator[Turns]:
    """What is decided, look by look, a tenth of a second apart."""
    judge = judge or Judge()
    for tenths in range(1, round(10 * seconds) + 1):
        yield judge.decide(replace(look_at(tenths / 10), seconds=tenths / 10))


looks = st.builds(
    Look,
    seconds=st.floats(0.01, 100),
    seconds_left=st.floats(0, 1000) | st.just(float("inf")),
    stage=st.sampled_from(STAGES),
    nodes=st.integers(0, 10**6),
    expected=st.floats(0, 10**6),
    planned=st.floats(0, 100),
    gap_of_order_graph=st.integers(0, 1000),
    gap_of_linear_program=st.integers(0, 1000),
    possible=st.integers(0, 1000),
)


@given(seen=st.lists(looks, min_size=1, max_size=30))
def test_somebody_may_always_work(seen: list[Look]) -> None:
    judge = Judge()
    for look in sorted(seen, key=lambda look: look.seconds):
        assert any(judge.decide(look))


@pytest.mark.parametrize("stage", ["unknown", "nodes", "bounds"])
def test_both_work_while_nothing_is_known(stage: str) -> None:
    def look(seconds: float) -> Look:
        return replace(BEGINNING, stage=stage, gap_of_linear_program=int(1000 / (1 + seconds)))

    assert set(decisions(look, 20)) == {BOTH}


def test_linear_program_waits_for_a_sweep_that_ends_soon() -> None:
    """A sweep of ten seconds begins after ten: two thirds of the whole time are over after 13.3.

    The linear program may end at any moment.
    """
    ending = replace(BEGINNING, gap_of_linear_program=0)

    def look(seconds: float) -> Look:
        sweep = replace(ending, stage="sweep", expected=1000.0, nodes=int(100 * (seconds - 10)))
        return ending if seconds < 10 else sweep

    decided = list(decisions(look, 19.9))
    assert set(decided[:130]) == {BOTH}
    assert set(decided[136:]) == {ORDER_GRAPH}


def test_linear_program_waits_for_a_plan_that_ends_before_it_could() -> None:
    """At its rate it needs 30 seconds. Of the 20 or more that are left, those count that it worked.

    The plan ends after 15 seconds. If it goes on then, after having worked for t and for as long
    again, it is 15 + t, which is no more than 1.5 * 2 t from 7.5 on.
    """

    def look(seconds: float) -> Look:
        gap = 1000 - int(100 * min(seconds, 10.0) / 3)
        planned = 0.0 if seconds < 5 else 10.0
        return replace(BEGINNING, planned=planned, gap_of_linear_program=gap)

    decided = list(decisions(look, 14.9))
    assert set(decided[:73]) == {BOTH}
    assert set(decided[76:]) == {ORDER_GRAPH}


def test_linear_program_goes_on_when_a_plan_takes_longer_than_it_may_need() -> None:
    def look(seconds: float) -> Look:
        return replace(BEGINNING, planned=1000.0, gap_of_linear_program=int(1000 - 10 * seconds))

    assert set(decisions(look, 20)) == {BOTH}


def test_linear_program_goes_on_when_a_sweep_takes_longer_than_expected() -> None:
    def look(seconds: float) -> Look:
        return replace(BEGINNING, stage="sweep", expected=1000.0, nodes=int(100 * seconds))

    decided = list(decisions(look, 30))
    assert set(decided[70:99]) == {ORDER_GRAPH}
    assert set(decided[100:]) == {BOTH}


@pytest.mark.parametrize("stage", ["root bound", "windows", "plain windows"])
def test_order_graph_waits_when_it_has_no_end_in_sight_and_stands_still(stage: str) -> None:
    def look(seconds: float) -> Look:
        ahead = int(900 / (1 + seconds))  # of a linear program that closes its gap
        return replace(BEGINNING, stage=stage, gap_of_linear_program=ahead)

    assert set(list(decisions(look, 20))[2:]) == {LINEAR_PROGRAM}


def test_order_graph_goes_on_while_it_is_ahead() -> None:
    def look(seconds: float) -> Look:
        return replace(BEGINNING, stage="windows", gap_of_linear_program=int(2000 - seconds))

    assert set(decisions(look, 20)) == {BOTH}


def test_order_graph_goes_on_while_it_catches_up() -> None:
    """What it lacks takes it ten seconds more and more, which are half of the time after 20."""

    def look(seconds: float) -> Look:
        return replace(
            BEGINNING,
            stage="bounds" if seconds < 15 else "windows",
            gap_of_order_graph=1000 - int(10 * seconds),
            gap_of_linear_program=900 - int(10 * seconds),
        )

    decided = list(decisions(look, 30))
    assert set(decided[:148]) == {BOTH}
    assert set(decided[152:198]) == {LINEAR_PROGRAM}
    assert set(decided[202:]) == {BOTH}


@pytest.mark.parametrize(("seconds_left", "then"), [(20.0, BOTH), (5.0, LINEAR_PROGRAM)])
def test_order_graph_that_cannot_catch_up_before_the_end_waits(
    seconds_left: float, then: Turns
) -> None:
    def look(seconds: float) -> Look:
        return replace(
            BEGINNING,
            seconds_left=seconds_left,
            stage="bounds" if seconds < 25 else "windows",
            gap_of_order_graph=1000 - int(10 * seconds),
            gap_of_linear_program=900 - int(10 * seconds),
        )

    assert set(list(decisions(look, 30))[252:]) == {then}


@pytest.mark.parametrize(("stage", "then"), [("windows", BOTH), ("plain windows", LINEAR_PROGRAM)])
def test_order_graph_goes_on_when_the_linear_program_is_stuck(stage: str, then: Turns) -> None:
    def look(seconds: float) -> Look:
        stuck = 900 - int(10 * min(seconds, 10.0))
        return replace(BEGINNING, stage=stage, gap_of_linear_program=stuck)

    decided = list(decisions(look, 20))
    assert set(decided[2:100]) == {LINEAR_PROGRAM}
    assert set(decided[155:]) == {then}


@pytest.mark.parametrize(
    ("stage", "then"),
    [("root bound", BOTH), ("windows", BOTH), ("plain windows", LINEAR_PROGRAM)],
)
def test_order_graph_looks_again_when_half_of_the_sets_are_ruled_out(
    stage: str, then: Turns
) -> None:
    def look(seconds: float) -> Look:
        left = 500 if seconds < 10 else 200
        closing = int(900 / (1 + seconds))
        return replace(BEGINNING, stage=stage, gap_of_linear_program=closing, possible=left)

    decided = list(decisions(look, 20))
    assert set(decided[2:98]) == {LINEAR_PROGRAM}
    assert set(decided[101:]) == {then}


# ---- what decisions cost ----


@dataclass
class Routes:
    """Two routes that need so many seconds alone, and are slower while they share the cores."""

    bounds: float  # of the order graph, of which a part is over before it plans the rest, then:
    planned: float
    sweep: float
    error: float  # of what is planned and of the number of nodes that is expected
    linear_program: float
    slowing: float  # how its gap closes ever more slowly
    speed: float  # of each while both work

    def seconds(self) -> float:
        """Time until one of them ends, by the judge."""
        judge, turns, now = Judge(), BOTH, 0.0
        order_graph = linear_program = 0.0
        step = self.best() / 500
        while order_graph < self.bounds + self.sweep and linear_program < self.linear_program:
            speed = self.speed if turns == BOTH else 1.0
            order_graph += step * speed * turns.order_graph
            linear_program += step * speed * turns.linear_program
            now += step
            swept = max(0.0, order_graph - self.bounds)
            rest = (1 - self.planned) * self.bounds + self.sweep
            is_planned = order_graph >= self.planned * self.bounds
            open_part = max(0.0, 1 - linear_program / self.linear_program) ** self.slowing
            turns = judge.decide(
                replace(
                    BEGINNING,
                    seconds=now,
                    stage="sweep" if swept else "bounds",
                    nodes=int(1e9 * swept),
                    expected=1e9 * self.sweep * self.error if swept else 0.0,
                    planned=rest * self.error if is_planned else 0.0,
                    gap_of_linear_program=int(1e9 * open_part),
                )
            )
        return now

    def best(self) -> float:
        return min(self.bounds + self.sweep, self.linear_program)


@given(
    routes=st.builds(
        Routes,
        bounds=st.floats(0.01, 100),
        planned=st.floats(0, 1),
        sweep=st.floats(0.01, 100),
        error=st.floats(0.2, 5),
        linear_program=st.floats(0.01, 200),
        slowing=st.floats(1, 5),
        speed=st.floats(2 / 3, 1),
    )
)
def test_a_wrong_decision_costs_half_of_the_time_at_most(routes: Routes) -> None:
    """Beside what sharing the cores costs."""
    assert routes.seconds() <= 1.01 * AT_MOST * routes.best() / routes.speed
