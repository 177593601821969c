"""Best order search: what it finds, whatever the threads, the memory and the constraints."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from strategies import random_table

import anytimebn as ab
from anytimebn.checker.formulas import local_cost
from anytimebn.checker.verify import verify
from anytimebn.network.random import generate
from anytimebn.scores.on_demand import CountedScores
from anytimebn.scores.registry import score_names

NAME = "best-order-search"
# With as many rows as the last two have, it begins on a part of them, and on a part of that.
ROWS = (300, 9_000, 33_000)


def learn(data: ab.Dataset, **options: Any) -> ab.Result:
    return ab.learn(data, algorithm=NAME, **options)


@pytest.mark.parametrize("score", score_names())
def test_long_runs_reach_the_optimum_of_almost_all_small_tables(score: str) -> None:
    missed = 0
    for seed in range(6):
        data = generate(6, 3, 200, arity=(2, 3), seed=seed)[1]
        best = ab.search(ab.score(data, score)).cost
        found = learn(data, score=score, seed=seed, parameters={"patience": 100}).cost
        assert best - 1e-5 <= found <= 1.005 * best
        missed += found > best + 1e-5
    assert missed <= 1


@pytest.mark.parametrize("parents", [3, 6])
def test_optimum_of_generated_tables_is_found(parents: int) -> None:
    data = generate(16, parents, 1000, seed=3)[1]
    best = ab.search(ab.score(data)).cost
    found = learn(data, parameters={"patience": 30})
    assert found.cost == pytest.approx(best, abs=1e-4)


@pytest.mark.parametrize("rows", ROWS)
def test_costs_are_those_of_all_rows(rows: int) -> None:
    data = generate(9, 3, rows, arity=(2, 3), seed=4)[1]
    for parameters in ({"generations": 0}, {"generations": 1}, {}):
        found = learn(data, parameters=parameters)
        parents = found.network.parents
        cost = sum(local_cost(data, v, own) for v, own in enumerate(parents))
        assert found.cost == pytest.approx(cost, abs=1e-6)
    assert found.cost == pytest.approx(ab.search(ab.score(data)).cost, abs=1e-4)


@pytest.mark.parametrize("score", score_names())
def test_it_is_no_worse_than_the_greedy_search_that_it_begins_with(score: str) -> None:
    for seed in range(4):
        data = generate(14, 5, 600, arity=(2, 3), seed=seed)[1]
        greedy = ab.learn(data, score=score, algorithm="equivalence-search")
        found = learn(data, score=score, parameters={"generations": 1})
        assert found.cost <= greedy.cost + 1e-9


def test_the_greedy_network_is_where_a_single_chain_begins() -> None:
    data = generate(30, 5, 3000, seed=8)[1]
    greedy = ab.learn(data, algorithm="equivalence-search")
    found = learn(data, jobs=1, parameters={"generations": 1, "chains": 1})
    assert any(event.cost == pytest.approx(greedy.cost, abs=1e-4) for event in found.events)


@pytest.mark.parametrize("rows", ROWS)
def test_result_does_not_depend_on_threads(rows: int) -> None:
    data = generate(12, 4, rows, arity=(2, 4), seed=5)[1]
    found = [learn(data, jobs=jobs, seed=9) for jobs in (1, 2, 3)]
    assert len({(own.cost, own.network, own.expanded) for own in found}) == 1


@pytest.mark.parametrize("rows", ROWS)
def test_limits_in_steps_repeat(rows: int) -> None:
    data = generate(20, 4, rows, seed=5)[1]
    for steps in (0, 1, 10, 100, 1000):
        one, other = (learn(data, max_expansions=steps, seed=2) for _ in range(2))
        assert (one.cost, one.network) == (other.cost, other.network)
        assert one.expanded == other.expanded <= steps


def test_little_memory_only_makes_it_forget() -> None:
    data = generate(25, 5, 2000, seed=6)[1]
    scores = CountedScores(data)
    usual = ab.search(scores, algorithm=NAME, max_expansions=2000)
    # About a third of it is for graphs: far less than they would take.
    from anytimebn.base.resources import resident_bytes

    little = ab.search(
        scores, algorithm=NAME, max_expansions=2000, memory_limit=resident_bytes() + 3_000_000
    )
    if little.status == "expansions":
        assert little.cost == usual.cost
    else:
        assert little.status == "memory"


@pytest.mark.parametrize("rows", ROWS)
def test_networks_of_a_stopped_search_are_whole(rows: int) -> None:
    data = generate(9, 3, rows, seed=7)[1]
    before = np.inf
    for check in (*range(1, 120, 7), 170, 290, 500, 900) if rows < 1000 else range(1, 900, 75):
        result = learn(data, stop_at_check=check, jobs=1)
        assert result.status in ("interrupted", "finished")
        assert result.cost <= before + 1e-9
        assert result.cost == pytest.approx(
            sum(local_cost(data, v, own) for v, own in enumerate(result.network.parents)), abs=1e-6
        )
        before = result.cost


@pytest.mark.parametrize("rows", ROWS)
def test_constraints_are_obeyed_on_every_move(rows: int) -> None:
    data = generate(10, 4, rows, seed=8)[1]
    names = data.names
    knowledge = ab.Knowledge(
        required=frozenset({(names[3], names[1]), (names[1], names[7])}),
        forbidden=frozenset({(names[0], names[2]), (names[5], names[4])}),
        tiers=(names[:4], names[4:8]),
        max_parents={names[9]: 1, names[6]: 0},
    )
    for seed in range(3):
        result = learn(data, knowledge=knowledge, seed=seed, parameters={"patience": 30})
        assert not knowledge.violations(result.network)
    best = ab.search(ab.score(data, knowledge=knowledge)).cost
    assert result.cost == pytest.approx(best, abs=1e-4)


def test_a_time_limit_is_used_unless_patience_is_given() -> None:
    data = generate(4, 2, 200, seed=1)[1]
    plenty = {"time_limit": 1e6, "jobs": 1}

    def steps(parameters: dict[str, float], **limits: Any) -> int:
        result = learn(data, parameters={"chains": 2, **parameters}, **limits)
        assert result.status == "finished"
        return result.expanded

    usual = steps({})
    assert steps({"patience": 3}) == steps({"patience": 3}, **plenty) == usual
    assert steps({}, **plenty) > 100 * usual
    assert steps({"generations": 2}, **plenty) < usual


def test_score_files_are_searched_too() -> None:
    data = generate(14, 4, 500, seed=9)[1]
    scores = ab.score(data, max_parents=3)
    best = ab.search(scores).cost
    result = ab.search(scores, algorithm=NAME)
    assert result.status == "finished"
    assert best <= result.cost <= 1.01 * best
    assert ab.search(scores, algorithm=NAME, bound=True).lower_bound is not None


@pytest.mark.parametrize("algorithm", [NAME, "hill-climbing", "equivalence-search"])
def test_a_family_of_more_cells_than_anybody_can_count_costs_too_much(algorithm: str) -> None:
    """What it costs does not fit into 64 bits, where it became less than nothing."""
    data = random_table([40] * 16, 200, seed=1)
    start = ab.Network(data.names, (*[()] * 15, tuple(range(15))))
    result = ab.learn(data, algorithm=algorithm, start=start, max_expansions=200)
    assert all(event.cost > 0 for event in result.events)
    assert verify(result.to_json(), data=data).ok
