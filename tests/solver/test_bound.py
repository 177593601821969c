"""``bound=True``: the linear program's lower bound beside algorithms that do not prove."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from search_problems import (
    check,
    feasible_problems,
    few,
    generated,
    hard,
    optimum_of,
    optimum_of_hard,
    outcome,
    problems,
    random_scores,
)
from stopping import GUARD, search_threads

import anytimebn as ab
from anytimebn.checker.verify import verify
from anytimebn.solver import registry

if TYPE_CHECKING:
    from anytimebn.scores.store import LocalScores

UNPROVEN = [
    algorithm.name
    for algorithm in registry.algorithms()
    if not algorithm.proves and algorithm.runner is None
]
every_unproven = pytest.mark.parametrize("algorithm", UNPROVEN)


def test_there_are_algorithms_to_bound() -> None:
    assert {"insertion-search", "ordering-search", "optimal-reinsertion"} <= set(UNPROVEN)


@few
@every_unproven
@given(scores=problems, time_limit=st.sampled_from([None, 1.0 * GUARD]))
def test_bound_is_never_above_the_optimum(
    scores: LocalScores, time_limit: float | None, algorithm: str
) -> None:
    optimum = optimum_of(scores)
    options = {"algorithm": algorithm, "bound": True, "time_limit": time_limit}
    if optimum == math.inf:
        with pytest.raises(ab.ConstraintError, match="no network exists"):
            ab.search(scores, **options)
        return
    result = ab.search(scores, **options)
    check(scores, result, optimum)
    assert result.status in ("optimal", "finished")
    verified = verify(json.loads(json.dumps(result.to_json())), scores=scores)
    assert verified.ok, verified.failures


@settings(max_examples=30)
@every_unproven
@given(scores=feasible_problems, at=st.integers(1, 400))
def test_stopped_anywhere_bounds_hold(scores: LocalScores, at: int, algorithm: str) -> None:
    result = ab.search(scores, algorithm=algorithm, bound=True, stop_at_check=at)
    check(scores, result, optimum_of(scores))
    assert result.status in ("optimal", "finished", "interrupted")


@every_unproven
def test_bound_closes_most_of_the_gap(algorithm: str) -> None:
    scores, optimum = hard(14), optimum_of_hard(14)
    alone = ab.search(scores, algorithm=algorithm)
    bounded = ab.search(scores, algorithm=algorithm, bound=True)
    check(scores, bounded, optimum)
    assert bounded.gap is not None
    assert alone.gap is not None
    assert bounded.gap < alone.gap / 2
    assert bounded.cost <= alone.cost
    assert bounded.certificate is not None
    assert bounded.certificate["lower_bound"] <= bounded.lower_bound + 1e-9
    assert verify(json.loads(json.dumps(bounded.to_json())), scores=scores).ok


@every_unproven
def test_limited_work_with_a_bound_repeats(algorithm: str) -> None:
    first, second = (
        ab.search(hard(20), algorithm=algorithm, bound=True, max_expansions=8, seed=3)
        for _ in range(2)
    )
    assert outcome(first) == outcome(second)
    assert first.lower_bound > ab.search(hard(20), algorithm=algorithm).lower_bound


def test_no_limit_with_a_bound_repeats() -> None:
    first, second = (
        ab.search(generated(15), algorithm="ordering-search", bound=True) for _ in range(2)
    )
    assert outcome(first) == outcome(second)


def test_proof_ends_a_search_that_would_go_on() -> None:
    result = ab.search(
        generated(15),
        algorithm="insertion-search",
        parameters={"restarts": 1e9},
        bound=True,
        time_limit=GUARD,
    )
    assert result.status == "optimal"  # not "time"
    assert result.cost == pytest.approx(ab.search(generated(15)).cost, abs=1e-4)


def test_time_limit_is_for_both() -> None:
    """Neither would end within minutes."""
    result = ab.search(
        hard(60),
        algorithm="insertion-search",
        parameters={"restarts": 1e9},
        bound=True,
        time_limit=0.5,
    )
    assert result.status == "time"
    assert result.certificate is not None
    assert search_threads() == []


def test_leaving_a_stream_stops_both() -> None:
    stream = ab.stream(
        hard(60),
        algorithm="insertion-search",
        parameters={"restarts": 1e9},
        bound=True,
        time_limit=GUARD,
    )
    for event in stream:
        assert event.lower_bound <= event.cost
        break
    assert stream.result is not None
    assert stream.result.status == "interrupted"
    assert search_threads() == []


@pytest.mark.parametrize("algorithm", ["astar", "branch-and-bound", "dynamic-programming", "auto"])
def test_algorithms_that_prove_need_none(algorithm: str) -> None:
    scores = random_scores(7, 5, sets=12)
    with_bound, without = (
        ab.search(scores, algorithm=algorithm, bound=bound) for bound in (True, False)
    )
    assert outcome(with_bound) == outcome(without)
