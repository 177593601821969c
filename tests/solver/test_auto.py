"""The stages of `auto` that small problems do not reach by themselves, and what they certify."""

from __future__ import annotations

import json
import threading
from itertools import cycle
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from search_problems import check, hard, local_scores, optimum_of, random_scores
from stopping import GUARD, Told, search_threads

import anytimebn as ab
from anytimebn.checker.verify import verify
from anytimebn.network.random import generate
from anytimebn.solver import routes
from anytimebn.solver.judging import BOTH, LINEAR_PROGRAM, ORDER_GRAPH, Judge, Look, Turns
from anytimebn.solver.outcome import events_of, report_of, result_of
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
        assert verified.ok, verified.failures


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
    assert verify(result.to_json(), scores=scores).ok


def test_certificate_that_claims_too_much_is_refused() -> None:
    scores = ab.score(generate(12, 3, 500, seed=3)[1], max_parents=4)
    result = ab.search(scores, parameters=CLUSTERS_AT_ONCE).to_json()
    assert result["certificate"] is not None
    result["certificate"]["lower_bound"] += 1.0
    assert not verify(result, scores=scores).ok


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


class Alternating:
    """Holds one route, then the other."""

    def __init__(self) -> None:
        self.turns = cycle([ORDER_GRAPH, LINEAR_PROGRAM])

    def decide(self, _: Look) -> Turns:
        return next(self.turns)


def always(turns: Turns) -> Callable[[], Any]:
    return lambda: SimpleNamespace(decide=lambda _: turns)


SHARES = {
    "both at once": (2, always(BOTH)),
    "by turns": (1, always(BOTH)),
    "now one, now the other": (2, Alternating),
    "order graph held": (2, always(LINEAR_PROGRAM)),
    "linear program held": (2, always(ORDER_GRAPH)),
    "as judged": (2, Judge),
}
every_share = pytest.mark.parametrize(("jobs", "judge"), SHARES.values(), ids=SHARES.keys())


@pytest.fixture
def shared(monkeypatch: pytest.MonkeyPatch, judge: Callable[[], Any]) -> None:
    """Looks come thick and fast, so that small problems are held, too."""
    monkeypatch.setattr(routes, "Judge", judge)
    monkeypatch.setattr(routes, "TURN_SECONDS", 0.001)


def search_both_ways(run: Run) -> ab.Result:
    """Search as `ab.search` does, but with both routes from the start."""
    assert run.native.prepare()
    run.certificate = routes.run_auto(run.native, run.settings, at_once=True)
    run.native.finish()
    return result_of(run, events_of(run))


@every_share
@pytest.mark.usefixtures("shared")
@pytest.mark.parametrize("seed", range(8))
def test_routes_that_share_the_cores_prove_the_optimum(seed: int, jobs: int) -> None:
    scores = random_scores(9, seed, sets=14, levels=1000, lowest=-5 * (seed % 2))
    settings_ = ab.SearchSettings(
        parameters=CLUSTERS_AT_ONCE, local_search=seed % 3 > 0, jobs=jobs, seed=seed
    )
    result = search_both_ways(start_run(scores, settings_))
    assert result.status == "optimal"
    check(scores, result, optimum_of(scores))
    assert verify(json.loads(json.dumps(result.to_json())), scores=scores).ok
    assert search_threads() == []


@every_share
@pytest.mark.usefixtures("shared")
def test_routes_that_share_the_cores_prove_generated_data(jobs: int) -> None:
    """Large enough that both routes are still at work when the judge has looked."""
    scores = ab.score(generate(22, 4, 1000, seed=5)[1], max_parents=4)
    alone = ab.search(scores, algorithm="block-sweep")
    settings_ = ab.SearchSettings(parameters=CLUSTERS_AT_ONCE, jobs=jobs)
    result = search_both_ways(start_run(scores, settings_))
    assert result.status == alone.status == "optimal"
    assert result.cost == pytest.approx(alone.cost, abs=1e-9)
    assert verify(result.to_json(), scores=scores).ok


@every_share
@pytest.mark.usefixtures("shared")
def test_time_limit_ends_both_routes_with_bounds_that_hold(jobs: int) -> None:
    """Neither of them could prove this within days."""
    run = start_run(hard(60), ab.SearchSettings(time_limit=0.3, jobs=jobs))
    result = search_both_ways(run)
    assert result.status == "time"
    assert run.native.seconds_left <= 0
    assert result.events[0].lower_bound <= result.lower_bound <= result.cost
    assert search_threads() == []


@every_share
@pytest.mark.usefixtures("shared")
def test_stop_ends_both_routes(jobs: int) -> None:
    run = start_run(hard(60), ab.SearchSettings(jobs=jobs))
    told = Told(run)
    results: list[ab.Result] = []
    searching = threading.Thread(target=lambda: results.append(search_both_ways(run)))
    searching.start()
    while searching.is_alive() and run.native.snapshot().expanded == 0:
        searching.join(0.001)
    told.stop()
    searching.join(GUARD)
    assert [result.status for result in results] == ["interrupted"]
    assert told.expanded_after <= 5000
    assert search_threads() == []


@every_share
@pytest.mark.usefixtures("shared")
def test_failure_of_the_linear_program_stops_the_order_graph(
    monkeypatch: pytest.MonkeyPatch, jobs: int
) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise RuntimeError("no linear program today")

    monkeypatch.setattr("anytimebn.solver.linear.loop.raise_bound_of", fail)
    run = start_run(hard(60), ab.SearchSettings(jobs=jobs))  # which the order graph cannot prove
    with pytest.raises(RuntimeError, match="today"):
        search_both_ways(run)
    assert run.native.stop_requested
    assert search_threads() == []


def test_what_plain_astar_proves_needs_no_linear_program(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """However slow the machine is."""

    def fail(*_: Any, **__: Any) -> None:
        raise AssertionError("a linear program was set up")

    monkeypatch.setattr("anytimebn.solver.linear.loop.raise_bound_of", fail)
    monkeypatch.setattr(routes, "TURN_SECONDS", 1e-6)
    for seed in range(20):
        run = start_run(random_scores(9, seed, sets=14), ab.SearchSettings())
        assert run.native.prepare()
        assert routes.run_auto(run.native, run.settings) is None
        assert run.native.solved()


class RunOutOfMemory:
    """Stands in for a run whose order graph ends at once without a proof."""

    jobs = 2
    component_sets = (10,)

    def __init__(self) -> None:
        self.told: list[str] = []

    def search(self) -> None:
        pass

    def tell(self, doing: str) -> None:
        self.told.append(doing)

    def contributor(self) -> Any:
        return SimpleNamespace(stopped=lambda: False, hold=lambda: None, go_on=lambda: None)

    def hold(self) -> None:
        pass

    def go_on(self) -> None:
        pass

    def stop(self) -> None:
        raise AssertionError("nothing failed")


def test_linear_program_takes_over_when_the_order_graph_is_out_of_memory(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(
        "anytimebn.solver.linear.loop.raise_bound_of", lambda *_, **__: "a certificate"
    )
    run: Any = RunOutOfMemory()
    assert routes.run_auto(run, ab.SearchSettings()) == "a certificate"


@pytest.mark.parametrize("limited", [{"max_expansions": 50}, {"stop_at_check": 50}])
def test_limited_work_is_done_by_the_order_graph_alone(
    monkeypatch: pytest.MonkeyPatch, limited: dict[str, int]
) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise AssertionError("two threads")

    monkeypatch.setattr(routes, "NativeThread", fail)
    results = [
        ab.search(hard(30), parameters=CLUSTERS_AT_ONCE, jobs=2, **limited) for _ in range(2)
    ]
    assert results[0].cost == results[1].cost
    assert results[0].lower_bound == results[1].lower_bound


# ---- the order graph while others work ----


def searching(run: Run) -> threading.Thread:
    """Start the order graph alone."""
    assert run.native.prepare()
    thread = threading.Thread(target=run.native.search)
    thread.start()
    return thread


def wait_for(thread: threading.Thread, happened: Callable[[], bool]) -> None:
    while thread.is_alive() and not happened():
        thread.join(0.001)
    assert thread.is_alive()


@pytest.mark.parametrize("jobs", [1, 2])
def test_order_graph_that_is_held_does_nothing_until_it_goes_on(jobs: int) -> None:
    run = start_run(hard(60), ab.SearchSettings(jobs=jobs))
    thread = searching(run)
    wait_for(thread, lambda: run.native.snapshot().expanded > 1000)
    run.native.hold()
    before = -1
    while before != (before := run.native.snapshot().expanded):
        thread.join(0.1)  # until it has noticed
    thread.join(0.2)
    assert run.native.snapshot().expanded == before
    run.native.go_on()
    wait_for(thread, lambda: run.native.snapshot().expanded > before)
    run.native.hold()
    run.stop()
    thread.join(GUARD)
    assert not thread.is_alive()


def test_order_graph_plans_again_when_others_have_ruled_out_most_sets() -> None:
    """A sweep of many minutes becomes one of a single path."""
    scores = random_scores(50, 1, sets=20, levels=1000)
    run = start_run(scores, ab.SearchSettings(parameters=CLUSTERS_AT_ONCE))
    thread = searching(run)
    wait_for(thread, lambda: run.native.snapshot().stage == "sweep")
    kept = set(run.native.chosen_sets())
    # As if somebody had proven that nothing better exists.
    run.native.rule_out([s for s in range(scores.pops) if s not in kept])
    thread.join(GUARD)
    assert not thread.is_alive()
    assert run.native.solved()


def test_nodes_are_expected_only_while_a_sweep_visits_them() -> None:
    scores = random_scores(50, 1, sets=20, levels=1000)
    run = start_run(scores, ab.SearchSettings(parameters=CLUSTERS_AT_ONCE))
    thread = searching(run)
    seen = set()
    while ("sweep", True) not in seen:
        assert thread.is_alive()
        now = run.native.snapshot()
        seen.add((now.stage, now.expected_nodes > 0))
        thread.join(0.001)
    run.stop()
    thread.join(GUARD)
    assert ("bounds", False) in seen
    assert ("bounds", True) not in seen
    assert report_of(run).expected is None
