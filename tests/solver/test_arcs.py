"""Searches over arcs: costs counted on demand, hill climbing, and equivalence classes."""

from __future__ import annotations

import itertools
import json
import math
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from brute_force import lowest_cost
from hypothesis import given, settings
from hypothesis import strategies as st
from stopping import Told
from strategies import datasets, problems, random_table, repeated_rows, table

import anytimebn as ab
from anytimebn import _native
from anytimebn.base import resources
from anytimebn.base.threads import run_native
from anytimebn.checker.formulas import local_cost
from anytimebn.checker.verify import verify
from anytimebn.knowledge.constraints import Knowledge
from anytimebn.network.network import Network
from anytimebn.network.random import generate
from anytimebn.result.schema import schema_problems
from anytimebn.scores.on_demand import CountedScores
from anytimebn.scores.registry import score_names
from anytimebn.scores.scoring import scoring_task
from anytimebn.solver import registry
from anytimebn.solver.run import start_run

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

FROM_DATA = [a.name for a in registry.algorithms() if a.from_data]
every_algorithm = pytest.mark.parametrize("algorithm", FROM_DATA)
every_score = pytest.mark.parametrize("score", score_names())
few = settings(max_examples=settings.default.max_examples // 4)


def test_searches_over_arcs_are_registered() -> None:
    assert {"hill-climbing", "equivalence-search"} <= set(FROM_DATA)


# ---- costs ----


def counted(
    data: ab.Dataset, knowledge: Knowledge, child: int, parents: Sequence[int], score: str
) -> tuple[dict[int, float], float]:
    """Cost with each further parent, and with the parents alone."""
    others = [v for v in range(data.variables) if v != child and v not in parents]
    task = scoring_task(data, knowledge, data.variables - 1, score, 1.0, 1)
    costs = _native.family_costs(task, child, list(parents), others)
    for planes in (True, False):
        assert _native.family_costs(task, child, list(parents), others, planes, False) == costs
    *added, alone = costs
    return dict(zip(others, added, strict=True)), alone


def check_counts(data: ab.Dataset, knowledge: Knowledge, limit: int, score: str) -> None:
    scores = ab.score(data, score, max_parents=limit, knowledge=knowledge, jobs=1)
    for child in range(data.variables):
        for number in range(scores.first_set[child], scores.first_set[child + 1]):
            parents, cost = scores.parents(number), scores.costs[number]
            assert counted(data, knowledge, child, parents, score)[1] == cost
            for parent in parents:
                fewer = [other for other in parents if other != parent]
                assert counted(data, knowledge, child, fewer, score)[0][parent] == cost


@settings(max_examples=settings.default.max_examples // 10)
@every_score
@given(problem=problems())
@pytest.mark.usefixtures("instruction_set")
def test_counted_costs_are_those_of_scoring(
    score: str, problem: tuple[ab.Dataset, Knowledge, int]
) -> None:
    check_counts(*problem, score)


@settings(max_examples=settings.default.max_examples // 10)
@every_score
@given(data=repeated_rows(arities=(1, 4), rows=(1, 14)))
def test_counted_costs_of_repeated_rows_are_those_of_scoring(score: str, data: ab.Dataset) -> None:
    check_counts(data, Knowledge(), data.variables - 1, score)


@every_score
@pytest.mark.parametrize("arities", [[2, 40, 3], [50, 3, 30, 2], [33, 32, 31], [300, 200, 3]])
def test_counted_costs_of_many_values_are_those_of_scoring(score: str, arities: list[int]) -> None:
    check_counts(random_table(arities, 300, seed=1), Knowledge(), 2, score)


@every_score
def test_counted_costs_equal_the_reference(score: str) -> None:
    data = random_table([2, 3, 4, 2, 35], 400, seed=2)
    for child, parent in itertools.permutations(range(5), 2):
        added, alone = counted(data, Knowledge(), child, [parent], score)
        assert alone == pytest.approx(local_cost(data, child, [parent], score), abs=1e-7)
        for other, cost in added.items():
            wanted = local_cost(data, child, sorted([parent, other]), score)
            assert cost == pytest.approx(wanted, abs=1e-7)


# ---- what holds for every search on data ----


def check(data: ab.Dataset, result: ab.Result, score: str) -> None:
    """Check the result with code that shares nothing with the search."""
    claim = json.loads(json.dumps(result.to_json()))
    assert not list(schema_problems(claim))
    verification = verify(claim, data=data)
    assert verification.ok, verification.failures
    assert result.score_name == score
    assert result.lower_bound is None
    assert result.error_bound is None
    assert result.gap is None
    assert result.pops is None
    costs = [event.cost for event in result.events]
    assert costs == sorted(costs, reverse=True)


@few
@every_algorithm
@given(problem=problems(), score=st.sampled_from(score_names()))
def test_search_on_data_gives_an_allowed_network_not_below_the_optimum(
    algorithm: str, problem: tuple[ab.Dataset, Knowledge, int], score: str
) -> None:
    data, knowledge, limit = problem
    scores = CountedScores(data, score, max_parents=limit, knowledge=knowledge)
    first, second = (ab.search(scores, algorithm=algorithm, seed=3) for _ in range(2))
    assert first.status == "finished"
    assert first.network.parents == second.network.parents
    assert (first.cost, first.expanded) == (second.cost, second.expanded)
    check(data, first, score)
    assert max(map(len, first.network.parents)) <= limit
    assert first.cost >= lowest_cost(data, knowledge, limit, score) - 1e-6


@every_algorithm
def test_search_on_data_stopped_at_any_check_has_a_network(algorithm: str) -> None:
    data = generate(7, 3, 300, seed=5)[1]
    knowledge = Knowledge(required=frozenset({(data.names[6], data.names[0])}))
    scores = CountedScores(data, knowledge=knowledge)
    last = math.inf
    for check_number in range(1, 10_000):
        result = ab.search(
            scores,
            algorithm=algorithm,
            parameters=quick(algorithm),
            stop_at_check=check_number,
        )
        check(data, result, "mdl")
        assert result.cost <= last
        last = result.cost
        if result.status != "interrupted":
            break
    assert result.status == "finished"


def quick(algorithm: str) -> dict[str, float]:
    return {"patience": 5.0, "restarts": 1.0} if algorithm == "hill-climbing" else {}


@every_algorithm
def test_search_on_data_counts_its_moves(algorithm: str) -> None:
    data = generate(8, 3, 300, seed=5)[1]
    for most in itertools.count():
        options: dict[str, Any] = {"algorithm": algorithm, "max_expansions": most}
        options["parameters"] = quick(algorithm)
        first, second = (ab.learn(data, **options) for _ in range(2))
        assert first.network.parents == second.network.parents
        check(data, first, "mdl")
        if first.status == "finished":
            break
        assert first.status == "expansions"
        assert first.expanded == most
    assert most > 5


@every_algorithm
def test_search_on_data_obeys_its_limits(algorithm: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resources, "resident_bytes", lambda: 0)
    data = generate(12, 3, 500, seed=5)[1]
    assert ab.learn(data, algorithm=algorithm, time_limit=0).status == "time"
    statuses = [
        ab.learn(data, algorithm=algorithm, memory_limit=limit).status
        for limit in (0, 20_000, 10_000_000)
    ]
    assert statuses[0] == "memory"
    assert statuses[-1] == "finished"
    roomy = ab.learn(data, algorithm=algorithm)
    tight = ab.learn(data, algorithm=algorithm, memory_limit=2 * roomy.peak_memory_bytes // 3)
    if tight.status == "finished":  # what does not fit is counted again
        assert tight.cost == roomy.cost
    assert tight.peak_memory_bytes <= 2 * roomy.peak_memory_bytes // 3


@every_algorithm
@pytest.mark.parametrize("jobs", [1, 3])
def test_search_on_data_does_not_depend_on_threads(algorithm: str, jobs: int) -> None:
    data = wide()
    one, more = (ab.learn(data, algorithm=algorithm, jobs=j, max_expansions=60) for j in (1, jobs))
    assert one.network.parents == more.network.parents
    assert one.cost == more.cost


@cache
def wide() -> ab.Dataset:
    return random_table([2, 3] * 30, 4000, seed=3)


@every_algorithm
def test_search_on_data_does_little_between_two_questions(algorithm: str) -> None:
    """Whether to stop is asked before each change of the network."""
    for question in (1, 5, 60, 100, 300):
        earlier, later = (
            ab.learn(wide(), algorithm=algorithm, jobs=1, stop_at_check=at)
            for at in (question, question + 1)
        )
        assert earlier.status == later.status == "interrupted"
        assert earlier.expanded <= later.expanded <= earlier.expanded + 1
    assert later.expanded > 0


@every_algorithm
def test_search_on_data_stops_when_it_is_told_to(algorithm: str) -> None:
    data = CountedScores(wide(), "mdl", 1.0, None, ab.Knowledge())
    run = start_run(data, ab.SearchSettings(algorithm=algorithm))
    told = Told(run)
    run.native.hold()  # or some would have ended before they are told to

    def stop() -> None:
        raise KeyboardInterrupt

    run_native(run, told, stop, keep_on_interrupt=True)
    assert run.native.status == "interrupted"
    assert told.expanded_after <= 1


@every_algorithm
def test_stream_of_data_has_events_without_bounds(algorithm: str) -> None:
    data = generate(8, 3, 300, seed=5)[1]
    stream = ab.stream(data, algorithm=algorithm)
    events = list(stream)
    assert events
    assert all(event.lower_bound is None and event.error_bound is None for event in events)
    assert stream.result is not None
    assert stream.network is not None
    assert stream.network.parents == stream.result.network.parents
    assert events[-1].cost == pytest.approx(stream.result.cost, abs=1e-4)


@every_algorithm
def test_result_without_a_bound_can_be_shown_and_saved(algorithm: str, tmp_path: Path) -> None:
    data = generate(6, 2, 200, seed=5)[1]
    result = ab.learn(data, algorithm=algorithm)
    assert "no lower bound" in repr(result)
    result.save(tmp_path / "result.json")
    assert json.loads((tmp_path / "result.json").read_text())["lower_bound"] is None
    result.plot(tmp_path / "convergence.png")
    assert (tmp_path / "convergence.png").stat().st_size > 0
    assert result.network.probabilities is not None


@every_algorithm
def test_search_on_data_needs_no_limit_on_parents(algorithm: str) -> None:
    random = np.random.default_rng(1)
    inputs = random.integers(0, 2, size=(9, 4000))
    votes = (inputs[:8].sum(axis=0) + random.integers(0, 2, size=4000) > 4).astype(int)
    data = table(np.vstack([inputs, votes]).astype(np.uint16))
    result = ab.learn(data, score="aic", algorithm=algorithm)
    assert result.max_parents is None
    assert max(map(len, result.network.parents)) >= 7
    capped = ab.learn(data, score="aic", algorithm=algorithm, max_parents=2)
    assert capped.max_parents == 2
    assert max(map(len, capped.network.parents)) <= 2
    check(data, capped, "aic")


# ---- hill climbing ----


def test_tabu_list_and_restarts_only_help() -> None:
    data = generate(20, 4, 1000, seed=1)[1]
    ways: list[dict[str, float]] = [{"patience": 0, "restarts": 0}, {"restarts": 0}, {}]
    costs = [ab.learn(data, algorithm="hill-climbing", parameters=way).cost for way in ways]
    assert costs[0] > costs[1] >= costs[2]
    best = ab.learn(data, max_parents=5).cost
    assert costs[2] <= 1.001 * best


def test_tabu_search_makes_no_move_that_is_not_allowed() -> None:
    """When all that is allowed is tabu, what is not allowed must not be the best move."""
    data = random_table([2, 3, 2, 2], 200, seed=1)
    names = data.names
    tiers = [[name] for name in names]
    result = ab.learn(
        data,
        algorithm="hill-climbing",
        tiers=tiers,
        max_parents=1,
        parameters={"tabu-length": 1000},
    )
    check(data, result, "mdl")
    knowledge = Knowledge(tiers=tuple(map(tuple, tiers)))
    assert result.cost == pytest.approx(lowest_cost(data, knowledge, 1, "mdl"), abs=1e-5)
    assert result.expanded < 200  # not one for every move of patience, ten times


def test_restarts_depend_on_the_seed() -> None:
    data = generate(20, 4, 300, seed=1)[1]
    found = {
        ab.learn(
            data,
            algorithm="hill-climbing",
            seed=seed,
            parameters={"patience": 0, "restarts": 30},
        ).expanded
        for seed in range(5)
    }
    assert len(found) > 1


@few
@given(data=datasets(variables=(2, 5), rows=(20, 200), arities=(2, 3)))
def test_plain_hill_climbing_ends_where_no_move_helps(data: ab.Dataset) -> None:
    result = ab.learn(data, algorithm="hill-climbing", parameters={"patience": 0, "restarts": 0})
    arcs = set(result.network.arcs)
    for changed in one_move_away(arcs, data.names):
        assert cost_of(data, changed) >= result.cost - 1e-6


def one_move_away(
    arcs: set[tuple[str, str]], names: Sequence[str]
) -> Iterable[set[tuple[str, str]]]:
    for arc in itertools.permutations(names, 2):
        fewer = arcs - {arc}
        changed = [fewer, fewer | {arc[::-1]}] if arc in arcs else [arcs | {arc}]
        for one in changed:
            if is_acyclic(one):
                yield one


def is_acyclic(arcs: set[tuple[str, str]]) -> bool:
    left = set(arcs)
    while left:
        children = {child for _, child in left}
        rest = {(parent, child) for parent, child in left if parent in children}
        if rest == left:
            return False
        left = rest
    return True


def cost_of(data: ab.Dataset, arcs: set[tuple[str, str]]) -> float:
    index = {name: v for v, name in enumerate(data.names)}
    return math.fsum(
        local_cost(data, v, sorted(index[a] for a, b in arcs if b == name))
        for v, name in enumerate(data.names)
    )


# ---- equivalence classes ----


def pattern(network: Network) -> tuple[set[frozenset[str]], set[tuple[frozenset[str], str]]]:
    """Adjacencies and colliders, which together name the class of a network."""
    adjacent = {frozenset(arc) for arc in network.arcs}
    colliders = {
        (frozenset(pair), child)
        for child in network.names
        for pair in itertools.combinations(network.parents_of(child), 2)
        if frozenset(pair) not in adjacent
    }
    return adjacent, colliders


def faithful(variables: int, seed: int) -> Network:
    """A network whose arcs all matter: each child's value leans to the sum of its parents."""
    random = np.random.default_rng(seed)
    order = random.permutation(variables)
    parents: list[tuple[int, ...]] = [()] * variables
    tables: list[np.ndarray] = [np.zeros(2)] * variables
    for place, child in enumerate(order):
        count = int(random.integers(0, min(place, 3) + 1))
        own = sorted(random.choice(order[:place], size=count, replace=False).tolist())
        parents[child] = tuple(own)
        weights = random.uniform(0.6, 1.2, size=count) * random.choice([-1, 1], size=count)
        levels = np.zeros((2,) * count)
        for axis, weight in enumerate(weights):
            shape = [1] * count
            shape[axis] = 2
            levels = levels + weight * np.array([-1, 1]).reshape(shape)
        chance = 1 / (1 + np.exp(-levels - random.uniform(-0.3, 0.3)))
        tables[child] = np.stack([1 - chance, chance], axis=-1)
    names = tuple(f"X{v}" for v in range(variables))
    return Network(names, tuple(parents), (("0", "1"),) * variables, tuple(tables))


@pytest.mark.parametrize("score", ["mdl", "bdeu", "qnml"])
@pytest.mark.parametrize("seed", range(12))
def test_equivalence_search_finds_the_class_of_a_faithful_network(seed: int, score: str) -> None:
    network = faithful(4 + seed % 5, seed)
    data = network.sample(200_000, seed)
    found = ab.learn(data, score=score, algorithm="equivalence-search").network
    assert pattern(found) == pattern(network)


def test_equivalence_search_on_parent_sets_finds_the_class_too() -> None:
    for seed in range(4):
        network = faithful(6, seed)
        scores = ab.score(network.sample(100_000, seed), max_parents=4)
        found = ab.search(scores, algorithm="equivalence-search").network
        assert pattern(found) == pattern(network)


@few
@given(data=datasets(variables=(2, 5), rows=(20, 300), arities=(2, 3)))
def test_equivalence_search_ends_in_a_class_that_no_single_arc_improves(data: ab.Dataset) -> None:
    """Members of the class and one arc more or less: that is what its operators reach."""
    result = ab.learn(data, algorithm="equivalence-search")
    for member in members(result.network):
        arcs = set(member.arcs)
        assert cost_of(data, arcs) == pytest.approx(result.cost, abs=1e-6)
        for changed in one_move_away(arcs, data.names):
            if len(changed) != len(arcs):
                assert cost_of(data, changed) >= result.cost - 2e-5


def members(network: Network) -> Iterable[Network]:
    edges = [tuple(arc) for arc in network.arcs]
    for flips in itertools.product([False, True], repeat=len(edges)):
        arcs = {e[::-1] if flip else e for e, flip in zip(edges, flips, strict=True)}
        if is_acyclic(arcs):
            member = Network.from_parents(
                {name: [a for a, b in arcs if b == name] for name in network.names}
            )
            if pattern(member) == pattern(network):
                yield member


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "auto needs the parent sets .* on data are best-order-search, equivalence-search"),
        ({"algorithm": "astar"}, "astar needs the parent sets"),
        ({"algorithm": "hill-climbing", "bound": True}, "a bound needs the parent sets"),
    ],
)
def test_search_on_data_refuses_what_needs_parent_sets(
    options: dict[str, Any], message: str
) -> None:
    scores = CountedScores(generate(4, 2, 50, seed=1)[1])
    with pytest.raises(ab.InputError, match=message):
        ab.search(scores, **options)


def test_equivalence_search_begins_with_the_class_of_the_start() -> None:
    data = generate(12, 3, 800, seed=3)[1]
    found = ab.learn(data, algorithm="equivalence-search")
    again = ab.learn(data, algorithm="equivalence-search", start=found.network)
    assert found.expanded > 0
    assert again.expanded == 0
    assert again.cost == found.cost
    other = ab.learn(data, algorithm="equivalence-search", start=generate(12, 3, 1, seed=4)[0])
    assert verify(other.to_json(), data=data).ok
