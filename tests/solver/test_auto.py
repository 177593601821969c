"""The stages of `auto` that small problems do not reach by themselves, and what they certify."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from search_problems import check, local_scores, optimum_of, random_scores

import anytimebn as ab
from anytimebn.checker.verify import verify
from anytimebn.network.random import generate
from anytimebn.solver import routes as automatic

CLUSTERS_AT_ONCE = {"easy-expansions": 0}

problems = st.builds(
    random_scores,
    st.integers(2, 8),
    st.integers(0, 10_000),
    sets=st.integers(1, 14),
    levels=st.sampled_from([2, 10, 1000]),
    lowest=st.sampled_from([0, -5]),
    blocks=st.integers(1, 2),
)


@settings(max_examples=60, deadline=None)
@given(scores=problems)
def test_clusters_prove_the_optimum(scores: ab.LocalScores) -> None:
    optimum = optimum_of(scores)
    for local_search in (True, False):
        result = ab.search(scores, parameters=CLUSTERS_AT_ONCE, local_search=local_search)
        assert result.status == "optimal"
        check(scores, result, optimum)
        verified = verify(json.loads(json.dumps(result.to_json())), scores=scores)
        assert verified.passed, verified.failures


@pytest.mark.parametrize("seed", [1, 2])
def test_certificate_of_generated_data_is_verified(seed: int) -> None:
    scores = ab.score(generate(16, 3, 500, seed=seed)[1], max_parents=4)
    result = ab.search(scores, parameters=CLUSTERS_AT_ONCE)
    assert result.cost == pytest.approx(
        ab.search(scores, algorithm="dynamic-programming").cost, abs=1e-9
    )
    assert result.certificate is not None
    trivial = sum(min(c for c, _ in scores.parent_sets(name)) for name in scores.names)
    assert trivial < result.certificate["lower_bound"] <= result.cost + 1e-6
    assert verify(result.to_json(), scores=scores).passed


def test_certificate_that_claims_too_much_is_refused() -> None:
    scores = ab.score(generate(12, 3, 500, seed=3)[1], max_parents=4)
    result = ab.search(scores, parameters=CLUSTERS_AT_ONCE).to_json()
    assert result["certificate"] is not None
    result["certificate"]["lower_bound"] += 1.0
    assert not verify(result, scores=scores).passed


@pytest.mark.parametrize("seed", range(3))
def test_clusters_stopped_at_every_check_bounds_hold(seed: int) -> None:
    scores = random_scores(7, seed, sets=10, levels=1000)
    optimum = optimum_of(scores)
    stopped = 0
    for at in range(1, 3000):
        result = ab.search(scores, parameters=CLUSTERS_AT_ONCE, stop_at_check=at)
        check(scores, result, optimum)
        if result.status == "optimal":
            break
        assert result.status == "interrupted"
        stopped += 1
    assert result.status == "optimal"
    assert stopped > 0


@pytest.mark.parametrize("algorithm", ["astar", "anytime-window-astar", "auto"])
@pytest.mark.parametrize("components", [True, False])
def test_sets_that_tie_with_their_subsets_do_no_harm(algorithm: str, components: bool) -> None:
    """Variables 0 and 1 are as well off without parents as with 2, which wants both of them.

    What path extension places at the start must be placed before 2 when the network is traced,
    although {2} comes first among the equally good sets.
    """
    for seed in range(40):
        others = random_scores(5, seed, sets=6, levels=20)
        problem = [{frozenset({2}): 0, frozenset(): 0}, {frozenset({2}): 0, frozenset(): 0}]
        problem.append({frozenset({0, 1}): 0, frozenset({3}): 1_500_000, frozenset(): 2_000_000})
        problem.extend(
            {
                frozenset(others.index(parent) + 3 for parent in parents): round(cost * 1e6)
                for cost, parents in others.parent_sets(name)
            }
            for name in others.names
        )
        worst = max(problem[3].values())
        problem[3][frozenset({0})] = worst
        scores = local_scores(problem)
        result = ab.search(
            scores, algorithm=algorithm, local_search=False, components=components, seed=seed
        )
        assert result.status == "optimal"
        check(scores, result, optimum_of(scores))


def test_unplaceable_variables_are_found_at_once() -> None:
    ring = [{frozenset({(v + 1) % 300}): 0} for v in range(300)]
    with pytest.raises(ab.ConstraintError, match="no network exists"):
        ab.search(local_scores(ring), time_limit=0.0)


def test_parameters_that_must_be_whole_are_not_cut_off() -> None:
    with pytest.raises(ab.InputError, match="whole number"):
        ab.SearchSettings(parameters={"groups": 2.5})


def test_limits_beyond_64_bits_are_no_limits() -> None:
    scores = random_scores(5, 1)
    assert ab.search(scores, memory_limit=2**70, max_expansions=2**70).status == "optimal"


def test_stored_nodes_of_all_components_are_counted() -> None:
    both = random_scores(14, 4, sets=30, levels=1000, blocks=2)
    options = {"algorithm": "astar", "heuristic": "simple", "path_extension": False}
    result = ab.search(both, local_search=False, **options)
    assert result.stored >= result.expanded > 0


# ---- two routes at once ----


@pytest.fixture(params=["order graph first", "linear program first", "linear program alone first"])
def race(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make small problems take the ways of large ones."""
    way: str = request.param
    monkeypatch.setattr(automatic, "INSTANT", 2)
    monkeypatch.setattr(automatic, "FEW_SETS", 10**6)
    monkeypatch.setattr(automatic, "HEAD_START", 0.0)
    monkeypatch.setattr(automatic, "LARGE", 2 if way != "order graph first" else 38)
    monkeypatch.setattr(automatic, "LARGEST", 2 if way == "linear program alone first" else 64)
    monkeypatch.setattr(automatic, "FIRST_LOOK", 0.0)


@pytest.mark.usefixtures("race")
@pytest.mark.parametrize("seed", range(12))
def test_race_proves_the_optimum(seed: int) -> None:
    scores = random_scores(9, seed, sets=14, levels=1000, lowest=-5 * (seed % 2))
    result = ab.search(scores, parameters=CLUSTERS_AT_ONCE, local_search=seed % 3 > 0)
    assert result.status == "optimal"
    check(scores, result, optimum_of(scores))
    assert verify(json.loads(json.dumps(result.to_json())), scores=scores).passed


@pytest.mark.usefixtures("race")
def test_race_ends_in_time_with_bounds_that_hold() -> None:
    scores = random_scores(40, 1, sets=60, levels=1000)
    start = time.monotonic()
    result = ab.search(scores, time_limit=0.5)
    assert time.monotonic() - start < 5
    assert result.status in ("time", "optimal")
    assert result.events[0].lower_bound <= result.lower_bound <= result.cost


@pytest.mark.usefixtures("race")
def test_failure_of_the_linear_program_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise RuntimeError("no linear program today")

    monkeypatch.setattr("anytimebn.solver.linear.loop.raise_bound_of", fail)
    with pytest.raises(RuntimeError, match="today"):
        ab.search(random_scores(40, 1, sets=60, levels=1000), time_limit=20)
