"""Searches that are stopped, by limits or from outside: their bounds hold at every moment."""

from __future__ import annotations

import _thread
import math
import threading
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from search_problems import (
    check,
    every_algorithm,
    every_way,
    few,
    hard,
    large_problems,
    optimum_of,
    optimum_of_hard,
    parameters_for,
    problems,
    random_scores,
)
from stopping import Told, search_threads

import anytimebn as ab
from anytimebn.base import resources
from anytimebn.base.clock import ManualClock
from anytimebn.base.resources import available_cores
from anytimebn.base.threads import run_native
from anytimebn.solver import registry
from anytimebn.solver.run import start_run

if TYPE_CHECKING:
    from anytimebn.scores.store import LocalScores

# ---- limits ----

STOPPED = [
    random_scores(5, 3, sets=6),
    random_scores(6, 4, sets=10, levels=3, lowest=-5),
    random_scores(7, 5, sets=12, blocks=2),
    hard(7),
]


@every_way
def test_stopped_at_every_check_bounds_hold(algorithm: str, heuristic: str) -> None:
    for scores in STOPPED:
        optimum = optimum_of(scores)
        for k in range(1, 10_000):
            result = ab.search(
                scores,
                algorithm=algorithm,
                heuristic=heuristic,
                path_extension=scores is not STOPPED[-1],
                local_search=False,
                stop_at_check=k,
            )
            check(scores, result, optimum)
            if result.status != "interrupted":
                break
        assert result.status in ("optimal", "finished")


def test_stopped_in_local_search_bounds_hold() -> None:
    scores = STOPPED[1]
    optimum = optimum_of(scores)
    for k in [*range(1, 60), *range(60, 100_000, 97)]:
        result = ab.search(scores, algorithm="astar", stop_at_check=k)
        check(scores, result, optimum)
        if result.status != "interrupted":
            break
    assert result.status == "optimal"


@few
@given(scores=problems | large_problems)
def test_stopped_at_once_there_is_a_network_if_one_exists(scores: LocalScores) -> None:
    optimum = optimum_of(scores)
    for components in (True, False):
        if optimum == math.inf:
            with pytest.raises((ab.ConstraintError, ab.LimitReached)):
                ab.search(scores, components=components, stop_at_check=1)
        else:
            result = ab.search(scores, components=components, stop_at_check=1)
            check(scores, result, optimum)


@every_way
def test_expansions_are_limited_exactly(algorithm: str, heuristic: str) -> None:
    for scores in STOPPED:
        optimum = optimum_of(scores)
        bound = -math.inf
        for k in range(1000):
            result = ab.search(
                scores,
                algorithm=algorithm,
                heuristic=heuristic,
                local_search=False,
                max_expansions=k,
                # Otherwise it would go on for thousands of steps.
                parameters={"generations": 1} if algorithm == "best-order-search" else {},
            )
            check(scores, result, optimum)
            assert result.expanded <= k
            assert result.lower_bound >= bound
            bound = result.lower_bound
            if result.status != "expansions":
                break
            if algorithm != "dynamic-programming":
                assert result.expanded == k
        assert result.status in ("optimal", "finished")


def test_dynamic_programming_tells_how_much_it_did() -> None:
    result = ab.search(hard(14), algorithm="dynamic-programming", max_expansions=5000)
    assert result.status == "expansions"
    assert result.expanded == 5000


@every_way
def test_memory_limit_is_a_status(
    algorithm: str, heuristic: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(resources, "resident_bytes", lambda: 0)
    scores, optimum = hard(14), optimum_of_hard(14)
    statuses = []
    for limit in (0, 20_000, 200_000, 400_000, 100_000_000):
        result = ab.search(
            scores,
            algorithm=algorithm,
            heuristic=heuristic,
            local_search=False,
            path_extension=False,
            memory_limit=limit,
        )
        check(scores, result, optimum)
        statuses.append(result.status)
        if limit >= 400_000:
            assert result.peak_memory_bytes <= limit
    assert statuses[0] == "memory"
    assert statuses[-1] in ("optimal", "finished")
    assert set(statuses) <= {"memory", statuses[-1]}
    assert statuses == sorted(statuses, key=lambda status: status != "memory")


@every_way
def test_gap_is_reached_and_proven(algorithm: str, heuristic: str) -> None:
    scores, optimum = hard(14), optimum_of_hard(14)
    for gap in (10.0, 0.5, 0.05, 1e-4):
        result = ab.search(
            scores, algorithm=algorithm, heuristic=heuristic, local_search=False, gap=gap
        )
        check(scores, result, optimum)
        if result.status == "gap":
            assert result.cost <= (1 + gap) * result.lower_bound
        else:
            assert result.status in ("optimal", "finished")
        if gap == 10:
            assert result.status == "gap"


@every_way
def test_time_limit_zero_gives_a_network(algorithm: str, heuristic: str) -> None:
    scores = hard(14)
    result = ab.search(scores, algorithm=algorithm, heuristic=heuristic, time_limit=0)
    assert result.status == "time"
    check(scores, result, optimum_of_hard(14))


@pytest.mark.parametrize("local_search", [True, False])
@every_way
def test_first_network_comes_before_any_expansion(
    algorithm: str, heuristic: str, local_search: bool
) -> None:
    result = ab.search(
        dense(),
        algorithm=algorithm,
        heuristic=heuristic,
        parameters=parameters_for(24, algorithm, heuristic),
        local_search=local_search,
        max_expansions=20,
    )
    assert result.events[0].expanded == 0
    assert result.lower_bound <= result.cost


@cache
def dense() -> LocalScores:
    return random_scores(24, 1, sets=200, largest=4, levels=1000)


def test_a_bound_that_stays_is_told_when_it_was_raised() -> None:
    result = ab.search(
        hard(24),
        algorithm="anytime-weighted-astar",
        heuristic="simple",
        parameters={"weight": 100},  # hardly ever expands the node that the bound comes from
        max_expansions=300_000,
    )
    last = result.events[-1]
    assert last.lower_bound == result.lower_bound
    assert last.expanded < result.expanded / 10


def test_a_bound_that_another_replaces_late_is_told_too() -> None:
    limit = 1e6
    run = start_run(hard(12), ab.SearchSettings(time_limit=limit), clock=ManualClock()).native

    def now() -> float:
        """By the clock of the run itself."""
        return limit - run.seconds_left

    assert run.prepare()
    run.drain_events()
    bounds = [run.component_bounds[0] + more for more in (1, 2)]
    run.offer_bound(0, bounds[0])  # right after the first network
    offered = now()
    while now() < offered + 0.1:  # until bounds are told again
        pass
    run.offer_bound(0, bounds[1])
    first, second = run.drain_events()
    assert [first.lower_bound, second.lower_bound] == bounds
    assert first.seconds <= offered + 1e-6  # not when the other came
    assert second.seconds >= offered + 0.1


# ---- being stopped from outside ----


# A search asks whether to stop at least every 256 nodes, and reports at least every 1024; each
# thread of dynamic programming does both every 4096.
MOST_AFTER_STOP = 5000 * available_cores()


def long_search(algorithm: str) -> dict[str, Any]:
    """A search that takes long, for most algorithms at least, and little memory until stopped."""
    known = {parameter.name for parameter in registry.algorithm(algorithm).parameters}
    endless = [name for name in ("restarts", "patience") if name in known][:1]
    return {
        "algorithm": algorithm,
        "heuristic": "simple",
        "path_extension": False,
        "local_search": False,
        "parameters": dict.fromkeys(endless, 1e9),
    }


def ends_by_itself(algorithm: str) -> bool:
    """Whether an algorithm may have ended before it is told to."""
    return algorithm == "equivalence-search"


class Unhappy(Exception):
    pass


@every_algorithm
def test_exception_in_progress_stops_the_search(algorithm: str) -> None:
    run = start_run(hard(26), ab.SearchSettings(**long_search(algorithm)))
    told = Told(run)

    def complain() -> None:
        if run.native.snapshot().has_network:
            raise Unhappy

    with pytest.raises(Unhappy):
        run_native(run, told, complain)
    if told.expanded is not None:
        assert run.native.status == "interrupted"
        assert told.expanded_after <= MOST_AFTER_STOP
    assert told.expanded is not None or ends_by_itself(algorithm)
    assert search_threads() == []


@every_algorithm
def test_leaving_a_stream_stops_its_thread(algorithm: str) -> None:
    stream = ab.stream(hard(26), **long_search(algorithm))
    for event in stream:
        assert event.lower_bound <= event.cost
        break
    assert search_threads() == []
    assert stream.result is not None
    assert stream.result.status == "interrupted" or ends_by_itself(algorithm)


@pytest.mark.parametrize("algorithm", [a.name for a in registry.algorithms() if a.proves])
def test_interrupt_from_the_keyboard_keeps_the_network(algorithm: str) -> None:
    has_network = threading.Event()

    def press() -> None:
        has_network.wait()
        _thread.interrupt_main()

    def watch(now: ab.SearchProgress) -> None:
        if now.cost is not None:
            has_network.set()

    finger = threading.Thread(target=press)
    finger.start()
    try:
        result = ab.search(hard(26), progress=watch, **long_search(algorithm))
    finally:  # not into another test
        has_network.set()
        finger.join()
    assert result.status == "interrupted"
    assert result.lower_bound <= result.cost
    assert result.events
    assert search_threads() == []


@every_way
def test_limited_work_has_the_same_history(algorithm: str, heuristic: str) -> None:
    histories = [
        [
            (event.cost, event.lower_bound, event.expanded)
            for event in ab.search(
                hard(14), algorithm=algorithm, heuristic=heuristic, max_expansions=most, jobs=1
            ).events
        ]
        for most in (200, 200, 3000, 3000)
    ]
    assert histories[0] == histories[1]
    assert histories[2] == histories[3]
