"""The order-graph engine: every registered algorithm with every heuristic, against plain Python."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from brute_force import lowest_cost
from hypothesis import given
from hypothesis import strategies as st
from search_problems import (
    WAYS,
    Sets,
    check,
    check_approximately,
    every_heuristic,
    every_way,
    feasible_problems,
    few,
    generated,
    large_problems,
    local_scores,
    optimum_of,
    optimum_of_generated,
    problems,
    random_scores,
    units,
)
from strategies import datasets

import anytimebn as ab
from anytimebn.knowledge.constraints import Knowledge
from anytimebn.network.random import generate
from anytimebn.scores.store import UNITS_PER_NAT, LocalScores
from anytimebn.solver import registry

# ---- agreement ----


@few
@given(scores=problems)
def test_dynamic_programming_equals_plain_recursion(scores: LocalScores) -> None:
    optimum = optimum_of(scores)
    if optimum == math.inf:
        with pytest.raises(ab.ConstraintError, match="no network exists"):
            ab.search(scores, algorithm="dynamic-programming", components=False)
        return
    result = ab.search(scores, algorithm="dynamic-programming", components=False)
    assert result.status == "optimal"
    assert units(result.cost) == optimum
    check(scores, result, optimum)


def check_agreement(scores: LocalScores, algorithm: str, heuristic: str) -> None:
    optimum = optimum_of(scores)
    chosen = registry.algorithm(algorithm)
    for choice in range(8):
        options: dict[str, Any] = {
            "algorithm": algorithm,
            "heuristic": heuristic,
            "path_extension": bool(choice & 1),
            "components": bool(choice & 2),
            "local_search": bool(choice & 4),
        }
        if optimum == math.inf:
            with pytest.raises(ab.ConstraintError, match="no network exists"):
                ab.search(scores, **options)
            continue
        result = ab.search(scores, **options)
        check(scores, result, optimum)
        if chosen.proves:
            assert result.status == "optimal", options
            assert units(result.cost) == optimum, options
        else:
            assert result.status in ("optimal", "finished")


@few
@every_way
@given(scores=problems)
def test_algorithm_finds_the_optimum(scores: LocalScores, algorithm: str, heuristic: str) -> None:
    check_agreement(scores, algorithm, heuristic)


@few
@pytest.mark.parametrize(
    ("algorithm", "heuristic"), [way for way in WAYS if registry.algorithm(way[0]).proves]
)
@given(scores=large_problems)
def test_algorithm_finds_the_optimum_of_large_costs(
    scores: LocalScores, algorithm: str, heuristic: str
) -> None:
    check_agreement(scores, algorithm, heuristic)


def test_weighted_astar_finds_a_network_without_an_incumbent() -> None:
    chain: list[Sets] = [{frozenset(): 0}, {frozenset({0}): 0, frozenset({2}): 0}]
    chain.append({frozenset({0, 1}): 50_000 * UNITS_PER_NAT, frozenset({3}): 0})
    chain.append({frozenset({2}): 0})
    scores = local_scores(chain)
    for seed in range(10):
        result = ab.search(
            scores,
            algorithm="weighted-astar",
            heuristic="simple",
            path_extension=False,
            local_search=False,
            seed=seed,
        )
        check(scores, result, optimum_of(scores))


def test_first_network_comes_at_once_whatever_it_costs() -> None:
    large = 3_000_000 * UNITS_PER_NAT
    scores = local_scores(
        [{frozenset({1}): 0, frozenset(): large}, {frozenset({0}): 0, frozenset(): large}]
    )
    assert ab.search(scores, time_limit=0).status == "time"


def test_events_tell_what_the_network_costs() -> None:
    result = ab.search(
        random_scores(7, 4, levels=1000),
        algorithm="weighted-astar",
        heuristic="simple",
        path_extension=False,
        local_search=False,
    )
    assert result.events[-1].cost == pytest.approx(result.cost)


def test_costs_that_a_node_cannot_hold_are_refused() -> None:
    with pytest.raises(ab.InputError, match=r"costs are too large, up to .* for 'X\d'"):
        ab.search(random_scores(6, 0, scale=10**14), algorithm="astar", local_search=False)


@few
@every_way
@given(data=datasets(variables=(2, 7), arities=(2, 3)), score=st.sampled_from(["mdl", "bdeu"]))
def test_algorithm_finds_the_optimum_of_data(
    data: ab.Dataset, score: str, algorithm: str, heuristic: str
) -> None:
    scores = ab.score(data, score, jobs=1)
    rounded = np.rint(scores.costs * UNITS_PER_NAT) / UNITS_PER_NAT  # as the oracle adds them
    check_agreement(
        LocalScores(scores.names, scores.first_set, rounded, scores.first_member, scores.members),
        algorithm,
        heuristic,
    )


@every_heuristic
@few
@given(
    scores=feasible_problems.filter(lambda scores: scores.costs.min() >= 0),
    weight=st.sampled_from([1.0, 1.1, 2.0, 100.0]),
    local_search=st.booleans(),
)
def test_weighted_astar_is_within_its_weight(
    scores: LocalScores, weight: float, local_search: bool, heuristic: str
) -> None:
    result = ab.search(
        scores,
        algorithm="weighted-astar",
        heuristic=heuristic,
        parameters={"weight": weight},
        local_search=local_search,
        components=False,
    )
    optimum = optimum_of(scores)
    # Nodes are ordered by 31 bits of f, so that the guarantee can be off by that much.
    assert units(result.cost) <= optimum * weight * (1 + 2**-29) + 1
    check(scores, result, optimum)


@pytest.mark.parametrize("variables", [15, 18])
@every_way
def test_algorithm_finds_the_optimum_of_generated_data(
    variables: int, algorithm: str, heuristic: str
) -> None:
    scores, optimum = generated(variables), optimum_of_generated(variables)
    result = ab.search(scores, algorithm=algorithm, heuristic=heuristic, components=False)
    check_approximately(scores, result, optimum)
    if registry.algorithm(algorithm).proves:
        assert result.status == "optimal"
        assert units(result.cost) == optimum
    else:
        assert units(result.cost) <= 1.25 * optimum


# ---- constraints ----


@every_way
def test_required_arcs_are_obeyed(algorithm: str, heuristic: str) -> None:
    data = generate(5, 2, 200, seed=3)[1]
    names = data.names
    knowledge = Knowledge(
        required=frozenset({(names[4], names[0]), (names[0], names[2])}),
        forbidden=frozenset({(names[4], names[2])}),
    )
    optimum = lowest_cost(data, knowledge, 4, "mdl")
    assert optimum > lowest_cost(data, Knowledge(), 4, "mdl")
    for local_search in (True, False):
        result = ab.learn(
            data,
            max_parents=4,
            require=sorted(knowledge.required),
            forbid=sorted(knowledge.forbidden),
            algorithm=algorithm,
            heuristic=heuristic,
            local_search=local_search,
        )
        assert set(result.network.arcs) >= knowledge.required
        assert not set(result.network.arcs) & knowledge.forbidden
        assert result.cost >= optimum - 1e-6
        if registry.algorithm(algorithm).proves:
            assert result.status == "optimal"
            assert result.cost == pytest.approx(optimum, abs=1e-5)


@pytest.mark.parametrize(("values", "rows"), [(2, 60), (3, 200)])
def test_branch_and_bound_visits_no_more_nodes_than_there_are_sets(values: int, rows: int) -> None:
    """Columns that are sums of others: nearly all orderings cost the same."""
    random = np.random.default_rng(2)
    table = random.integers(0, values, (rows, 9))
    for column in range(2, 9):
        summed = table[:, random.choice(column, 2, replace=False)].sum(axis=1)
        table[:, column] = (summed + (random.random(rows) < 0.1)) % values
    scores = ab.score(table.astype(str), "aic")
    found = ab.search(scores, algorithm="branch-and-bound", local_search=False)
    expected = ab.search(scores, algorithm="dynamic-programming")
    assert (found.status, found.cost) == ("optimal", pytest.approx(expected.cost))
    assert 2**9 < found.expanded < 2**9 + 50
    for at in (2, 20, 200, 500, 510, 520, 530, 600, 1000):
        stopped = ab.search(scores, algorithm="branch-and-bound", stop_at_check=at)
        assert stopped.lower_bound is not None
        assert stopped.lower_bound <= expected.cost <= stopped.cost + 1e-9
