"""Local searches as algorithms: what they find, at any size, and what their parameters do."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import pytest
from brute_force import parent_masks
from hypothesis import given, settings
from hypothesis import strategies as st
from search_problems import (
    check,
    feasible_problems,
    generated,
    hard,
    optimum_of,
    optimum_of_generated,
    optimum_of_hard,
    outcome,
    random_scores,
    units,
)
from stopping import Told
from test_local_search import sparse

import anytimebn as ab
from anytimebn.base.threads import run_native
from anytimebn.network.random import generate
from anytimebn.solver.run import start_run

if TYPE_CHECKING:
    from anytimebn.scores.store import LocalScores

every_search = pytest.mark.parametrize(
    "algorithm", ["insertion-search", "optimal-reinsertion", "ordering-search"]
)


# ---- what they find ----


@every_search
def test_small_problems_are_usually_solved(algorithm: str) -> None:
    problems = [random_scores(6, seed, levels=1000, without_empty=0.3) for seed in range(60)]
    feasible = [scores for scores in problems if optimum_of(scores) < math.inf]
    costs = [units(ab.search(scores, algorithm=algorithm).cost) for scores in feasible]
    solved = [cost == optimum_of(s) for cost, s in zip(costs, feasible, strict=True)]
    assert len(solved) >= 40
    assert sum(solved) >= 0.8 * len(solved)


@every_search
def test_generated_data_give_networks_close_to_the_best(algorithm: str) -> None:
    result = ab.search(generated(18), algorithm=algorithm)
    assert units(result.cost) <= 1.002 * optimum_of_generated(18)
    assert len(result.events) >= 2


@every_search
def test_same_seed_gives_the_same_again_and_others_differ(algorithm: str) -> None:
    scores = hard(20)
    runs = [
        ab.search(scores, algorithm=algorithm, seed=seed, parameters={"restarts": 1})
        for seed in (1, 1, 2)
    ]
    assert outcome(runs[0]) == outcome(runs[1])
    assert outcome(runs[0])[3:] != outcome(runs[2])[3:]


@every_search
def test_restarts_never_hurt(algorithm: str) -> None:
    costs = [
        ab.search(hard(20), algorithm=algorithm, parameters={"restarts": restarts}).cost
        for restarts in (0, 3, 30)
    ]
    assert costs == sorted(costs, reverse=True)


@pytest.mark.parametrize(
    ("algorithm", "parameters"),
    [
        ("ordering-search", {"tabu": 0}),
        ("ordering-search", {"tabu": 1e9}),
        ("ordering-search", {"patience": 0}),
        ("insertion-search", {"effort": 0}),
        ("insertion-search", {"effort": 0.1}),
    ],
)
def test_extreme_parameters_do_no_harm(algorithm: str, parameters: dict[str, float]) -> None:
    result = ab.search(hard(14), algorithm=algorithm, parameters=parameters)
    check(hard(14), result, optimum_of_hard(14))
    assert result.status == "finished"


@settings(max_examples=50)
@given(
    scores=st.builds(
        random_scores,
        st.integers(2, 8),
        st.integers(0, 2**32),
        sets=st.sampled_from([2, 8, 25]),
        levels=st.just(10**7),  # without ties there is one network of an ordering
        scale=st.just(1),
        without_empty=st.sampled_from([0.0, 0.5]),
    ).filter(lambda scores: optimum_of(scores) < math.inf),
    seed=st.integers(0, 2**64 - 1),
)
def test_optimal_reinsertion_ends_where_no_reinsertion_gains(
    scores: LocalScores, seed: int
) -> None:
    result = ab.search(
        scores,
        algorithm="optimal-reinsertion",
        seed=seed,
        parameters={"restarts": 0},
        components=False,
    )
    own = [dict(sets) for sets in parent_masks(scores)]
    parents = [sum(1 << p for p in chosen) for chosen in result.network.parents]
    cost = sum(own[v][parents[v]] for v in range(scores.variables))
    for target in range(scores.variables):
        assert best_reinsertion(own, parents, target) >= cost


def best_reinsertion(own: list[dict[int, int]], parents: list[int], target: int) -> float:
    """By trying all parent sets of the variable, each with all children that it allows."""
    n, bit = len(own), 1 << target
    without = [mask & ~bit for mask in parents]

    def cheapest(v: int, allowed: int) -> float:
        return min((c for mask, c in own[v].items() if mask & ~allowed == 0), default=math.inf)

    ancestors = [0] * n
    for v in range(n):
        left = without[v] if v != target else 0
        while left:
            p = left.bit_length() - 1
            left &= ~(1 << p)
            if not ancestors[v] >> p & 1:
                ancestors[v] |= 1 << p
                left |= without[p] & ~ancestors[v]
    best = math.inf
    for mask, cost in own[target].items():
        above = mask
        for p in range(n):
            if mask >> p & 1:
                above |= ancestors[p]
        total = float(cost)
        for v in range(n):
            if v != target:
                total += cheapest(v, without[v] | (0 if above >> v & 1 else bit))
        best = min(best, total)
    return best


# ---- many variables, and limits ----


@every_search
@pytest.mark.parametrize("variables", [500, 1000])
def test_many_variables(algorithm: str, variables: int) -> None:
    scores = sparse(variables, 3)
    first = ab.search(scores, algorithm=algorithm, max_expansions=0, components=False)
    result = ab.search(
        scores,
        algorithm=algorithm,
        components=False,
        parameters={"restarts": 0} | ({"effort": 0.05} if algorithm == "insertion-search" else {}),
    )
    check(scores, result, units(result.lower_bound))
    assert result.status == "finished"
    assert result.cost < first.cost


@every_search
def test_limits_end_endless_searches(algorithm: str) -> None:
    endless: dict[str, Any] = {
        "algorithm": algorithm,
        "parameters": {"restarts": 1e9},
        "components": False,
    }
    scores = sparse(1000, 3)
    assert ab.search(scores, time_limit=0.3, **endless).status == "time"

    run = start_run(scores, ab.SearchSettings(**endless))
    told = Told(run)

    def stop() -> None:
        if run.native.snapshot().has_network:
            raise KeyboardInterrupt

    run_native(run, told, stop, keep_on_interrupt=True)
    assert run.native.status == "interrupted"


@every_search
def test_little_is_done_between_two_questions(algorithm: str) -> None:
    """Whether to stop is asked thousands of times on the way to a first local optimum."""
    first, second, last = (
        ab.search(
            sparse(1000, 3),
            algorithm=algorithm,
            parameters={"restarts": 0},
            components=False,
            stop_at_check=question,
        )
        for question in (500, 501, 2000)
    )
    assert first.status == second.status == last.status == "interrupted"
    assert first.expanded <= second.expanded <= first.expanded + 1
    assert second.expanded < last.expanded


@every_search
def test_first_network_is_not_that_of_insertion_search(algorithm: str) -> None:
    """A comparison of searches would compare nothing."""
    scores = hard(20)
    polished = ab.search(scores, algorithm="astar", max_expansions=0).cost
    assert ab.search(scores, algorithm=algorithm, max_expansions=0).cost > polished


@every_search
def test_constraints_are_obeyed(algorithm: str) -> None:
    data = generate(12, 3, 300, seed=5)[1]
    names = data.names
    require = [(names[i + 1], names[i]) for i in range(0, 10, 2)]
    tiers = [names[6:], names[:6]]
    for seed in range(3):
        result = ab.learn(data, require=require[3:], tiers=tiers, algorithm=algorithm, seed=seed)
        arcs = set(result.network.arcs)
        assert set(require[3:]) <= arcs
        assert not any(parent in names[:6] and child in names[6:] for parent, child in arcs)


# ---- branch and bound ----


@settings(max_examples=50)
@given(
    scores=feasible_problems,
    steps=st.sampled_from([0, 1, 30]),
    expansions=st.integers(0, 30),
    local_search=st.booleans(),
)
def test_branch_and_bound_stopped_early_has_valid_bounds(
    scores: LocalScores, steps: int, expansions: int, local_search: bool
) -> None:
    result = ab.search(
        scores,
        algorithm="branch-and-bound",
        parameters={"steps": steps},
        max_expansions=expansions,
        local_search=local_search,
    )
    check(scores, result, optimum_of(scores))


@pytest.mark.parametrize("steps", [0, 20, 1000])
def test_branch_and_bound_agrees_with_dynamic_programming(steps: int) -> None:
    result = ab.search(generated(15), algorithm="branch-and-bound", parameters={"steps": steps})
    assert result.status == "optimal"
    assert units(result.cost) == optimum_of_generated(15)


def test_branch_and_bound_multipliers_save_nodes() -> None:
    nodes = [
        ab.search(generated(15), algorithm="branch-and-bound", parameters={"steps": steps}).expanded
        for steps in (0, 1000)
    ]
    assert nodes[1] < nodes[0]
