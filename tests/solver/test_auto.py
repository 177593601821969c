"""The stages of `auto` that small problems do not reach by themselves, and what they certify."""

from __future__ import annotations

import json
import math
import threading
from dataclasses import replace
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from search_problems import check, hard, local_scores, optimum_of, random_scores
from stopping import GUARD, Told, search_threads

import anytimebn as ab
from anytimebn.base.clock import ManualClock
from anytimebn.checker.verify import verify
from anytimebn.network.random import generate
from anytimebn.solver.outcome import events_of, result_of
from anytimebn.solver.routes import Routes, run_auto, wait_for_slow_progress
from anytimebn.solver.run import start_run

if TYPE_CHECKING:
    from collections.abc import Callable

    from anytimebn.solver.run import Run

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


@settings(max_examples=60)
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

# Small problems take the ways of large ones.
AT_ONCE = Routes(instant=2, large=100, largest=100, few_sets=10**6, head_start=0.0, first_look=0.0)
RACES = {
    "order graph first": AT_ONCE,
    "linear program first": replace(AT_ONCE, large=2),
    "linear program alone first": replace(AT_ONCE, large=2, largest=2),
}
every_race = pytest.mark.parametrize("routes", RACES.values(), ids=RACES.keys())


def search_by(routes: Routes, run: Run) -> ab.Result:
    """Search as `ab.search` does, but by these routes."""
    assert run.native.prepare()
    run.certificate = run_auto(run.native, run.settings, routes)
    run.native.finish()
    return result_of(run, events_of(run))


@every_race
@pytest.mark.parametrize("seed", range(12))
def test_race_proves_the_optimum(seed: int, routes: Routes) -> None:
    scores = random_scores(9, seed, sets=14, levels=1000, lowest=-5 * (seed % 2))
    settings_ = ab.SearchSettings(parameters=CLUSTERS_AT_ONCE, local_search=seed % 3 > 0)
    result = search_by(routes, start_run(scores, settings_))
    assert result.status == "optimal"
    check(scores, result, optimum_of(scores))
    assert verify(json.loads(json.dumps(result.to_json())), scores=scores).passed


@every_race
def test_time_limit_ends_both_routes_with_bounds_that_hold(routes: Routes) -> None:
    """Neither of them could prove this within days."""
    run = start_run(hard(60), ab.SearchSettings(time_limit=0.3))
    result = search_by(routes, run)
    assert result.status == "time"
    assert run.native.seconds_left <= 0
    assert result.events[0].lower_bound <= result.lower_bound <= result.cost
    assert search_threads() == []


@every_race
def test_stop_ends_both_routes(routes: Routes) -> None:
    run = start_run(hard(60), ab.SearchSettings())
    told = Told(run)
    results: list[ab.Result] = []
    searching = threading.Thread(target=lambda: results.append(search_by(routes, run)))
    searching.start()
    while searching.is_alive() and run.native.snapshot().expanded == 0:
        searching.join(0.001)
    told.stop()
    searching.join(GUARD)
    assert [result.status for result in results] == ["interrupted"]
    assert told.expanded_after <= 5000
    assert search_threads() == []


@every_race
def test_failure_of_the_linear_program_stops_the_order_graph(
    monkeypatch: pytest.MonkeyPatch, routes: Routes
) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise RuntimeError("no linear program today")

    monkeypatch.setattr("anytimebn.solver.linear.loop.raise_bound_of", fail)
    run = start_run(hard(60), ab.SearchSettings())  # which the order graph cannot prove
    with pytest.raises(RuntimeError, match="today"):
        search_by(routes, run)
    assert run.native.stop_requested
    assert search_threads() == []


class RunWithGap:
    """Stands in for a run whose gap is a function of time; each look takes a tenth of a second."""

    def __init__(self, gap: Callable[[float], float], seconds_left: float = math.inf) -> None:
        self.clock = ManualClock()
        self.gap = gap
        self.seconds_left = seconds_left
        self.stop_requested = False

    def snapshot(self) -> Any:
        return SimpleNamespace(cost=1e6, lower_bound=1e6 - self.gap(self.clock.seconds()))

    def solved(self) -> bool:
        return self.gap(self.clock.seconds()) <= 0

    def wait(self, _: float) -> bool:
        """As the event that the linear program has ended, which it never does."""
        self.clock.advance(0.1)
        return False

    def waited(self, routes: Routes) -> float:
        wait_for_slow_progress(self, self, routes, self.clock)  # type: ignore[arg-type]
        return self.clock.seconds()


@pytest.mark.parametrize(
    ("run", "seconds"),
    [
        (RunWithGap(lambda _: 1000.0), 5.0),
        (RunWithGap(lambda t: 1000.0 / max(t, 1.0), seconds_left=200.0), 100.0),
        (RunWithGap(lambda t: 1000.0 / max(min(t, 20.0), 1.0)), 22.5),
        (RunWithGap(lambda t: 1000.0 - 100.0 * t), 10.0),
    ],
    ids=["until judged", "half the time", "until it gets stuck", "until solved"],
)
def test_order_graph_waits_while_the_gap_closes(run: RunWithGap, seconds: float) -> None:
    assert run.waited(Routes()) == pytest.approx(seconds, abs=0.3)
