"""A* and its kin on several threads, which share the nodes by their hashes."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from search_problems import (
    check,
    feasible_problems,
    few,
    hard,
    local_scores,
    optimum_of,
    optimum_of_hard,
    outcome,
    problems,
    random_scores,
    units,
)

import anytimebn as ab
from anytimebn.base import resources
from anytimebn.solver import registry

if TYPE_CHECKING:
    from anytimebn.scores.store import LocalScores

SHARING = [
    algorithm.name
    for algorithm in registry.algorithms()
    if any(parameter.name == "share-from" for parameter in algorithm.parameters)
]
every_sharing = pytest.mark.parametrize("algorithm", SHARING)


def search(scores: LocalScores, algorithm: str, **options: Any) -> ab.Result:
    """Without what makes a search short; shared from the first node on."""
    settings: dict[str, Any] = {
        "jobs": 2,
        "local_search": False,
        "path_extension": False,
        "heuristic": "simple",
        "parameters": {"share-from": 1},
        **options,
    }
    return ab.search(scores, algorithm=algorithm, **settings)


def test_a_star_and_its_kin_share_nodes() -> None:
    assert set(SHARING) == {
        "astar",
        "weighted-astar",
        "anytime-weighted-astar",
        "anytime-repairing-astar",
        "anytime-window-astar",
    }


@every_sharing
@few
@given(
    scores=problems,
    jobs=st.integers(2, 5),
    share_from=st.sampled_from([1, 2, 10, 100]),
    path_extension=st.booleans(),
)
def test_any_number_of_threads_proves_the_optimum(
    algorithm: str, scores: LocalScores, jobs: int, share_from: int, path_extension: bool
) -> None:
    optimum = optimum_of(scores)
    if optimum == math.inf:
        return
    result = search(
        scores,
        algorithm,
        jobs=jobs,
        path_extension=path_extension,
        parameters={"share-from": share_from},
    )
    check(scores, result, optimum)
    if algorithm != "weighted-astar":
        assert result.status == "optimal"


@every_sharing
@pytest.mark.parametrize("jobs", [2, 3])
def test_large_searches_are_proven_by_all_threads(algorithm: str, jobs: int) -> None:
    scores = hard(15)
    for heuristic in ("simple", "static-pd"):
        one = search(scores, algorithm, jobs=1, heuristic=heuristic)
        more = search(scores, algorithm, jobs=jobs, heuristic=heuristic)
        check(scores, more, optimum_of_hard(15))
        if algorithm != "weighted-astar":
            assert outcome(more)[:3] == outcome(one)[:3]


@every_sharing
def test_of_networks_that_are_found_at_once_the_cheapest_counts(algorithm: str) -> None:
    """Otherwise the bound would be that of another one, for a moment."""
    for dear in (0, 1):
        alone: list[dict[frozenset[int], int]] = [{frozenset(): 1}, {frozenset(): 1}]
        alone[dear] = {frozenset(): 5}
        scores = local_scores([alone[0] | {frozenset([1]): 0}, alone[1] | {frozenset([0]): 0}])
        for jobs in range(2, 9):
            check(scores, search(scores, algorithm, jobs=jobs), 1)


@every_sharing
def test_what_threads_do_repeats(algorithm: str) -> None:
    first = search(hard(13), algorithm, jobs=3)
    assert outcome(search(hard(13), algorithm, jobs=3)) == outcome(first)


@every_sharing
def test_a_number_of_expansions_means_the_same_for_any_number_of_threads(algorithm: str) -> None:
    for expansions in (10, 500):
        one, more = (
            search(hard(13), algorithm, jobs=jobs, max_expansions=expansions) for jobs in (1, 3)
        )
        assert outcome(more) == outcome(one)


@every_sharing
def test_stopped_at_every_check_bounds_hold(algorithm: str) -> None:
    for scores in (random_scores(6, 4, sets=10, levels=3, lowest=-5), hard(8), hard(9), hard(10)):
        optimum = optimum_of(scores)
        for k in range(1, 10_000):
            result = search(scores, algorithm, jobs=3, stop_at_check=k)
            check(scores, result, optimum)
            if result.status != "interrupted":
                break
        assert result.status in ("optimal", "finished")


@every_sharing
def test_without_memory_bounds_hold(algorithm: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resources, "resident_bytes", lambda: 0)
    scores, optimum = hard(12), optimum_of_hard(12)
    statuses = set()
    for at in (1, 2, 3, 5, 10, 20, 50):
        result = search(scores, algorithm, refuse_memory_at=at)
        check(scores, result, optimum)
        statuses.add(result.status)
    for limit in (400_000, 700_000, 1_500_000):
        result = search(scores, algorithm, memory_limit=limit)
        check(scores, result, optimum)
        assert result.peak_memory_bytes <= limit
    assert "memory" in statuses


@few
@given(scores=feasible_problems, weight=st.sampled_from([1.0, 1.1, 1.5, 3.0]))
def test_weighted_astar_keeps_its_promise(scores: LocalScores, weight: float) -> None:
    optimum = optimum_of(scores)
    if (scores.costs < 0).any():
        return
    parameters = {"share-from": 1, "weight": weight}
    result = search(scores, "weighted-astar", jobs=3, parameters=parameters)
    check(scores, result, optimum)
    assert units(result.cost) <= weight * optimum + scores.variables
