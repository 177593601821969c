"""Local search over orderings: never wrong, repeatable, usually optimal when that can be told."""

from __future__ import annotations

import math

import numpy as np
import pytest
from brute_force import costs_to_go, step_costs
from hypothesis import assume, given
from hypothesis import strategies as st
from search_problems import local_scores, problems, random_scores

import anytimebn as ab
from anytimebn import _native
from anytimebn.network.random import generate
from anytimebn.scores.store import UNITS_PER_NAT, LocalScores

works = st.sampled_from([0, 1, 1000, 30_000])
seeds = st.integers(0, 2**64 - 1)


def optimum_of(scores: LocalScores) -> float:
    return costs_to_go(step_costs(scores))[0]


def polish(
    scores: LocalScores, order: list[int], seed: int = 0, max_work: int | None = None
) -> tuple[int, list[int], list[int]]:
    """A network that is what it claims to be: cost and parents are those of the ordering."""
    polished = _native.polish_order(scores.native, order, seed, max_work)
    assert polished is not None
    cost, chosen, found = polished
    n = scores.variables
    assert sorted(found) == list(range(n))
    for v in range(n):
        assert scores.first_set[v] <= chosen[v] < scores.first_set[v + 1]
        before = found[: found.index(v)]
        assert set(scores.parents(chosen[v])) <= set(before)
        if n <= 64:
            best = scores.native.best(v, before)
            assert scores.fixed_costs[chosen[v]] == scores.fixed_costs[best]
    assert cost == scores.fixed_costs[chosen].sum()
    return cost, list(chosen), list(found)


def sparse(variables: int, seed: int, *, near: int = 4, without_empty: float = 0.1) -> LocalScores:
    """Variables on a ring that only know those near them."""
    random = np.random.default_rng(seed)
    problem = []
    for child in range(variables):
        around = [(child + d) % variables for d in range(-near, near + 1) if d != 0]
        own = {frozenset[int](): int(random.integers(100, 200))}
        for _ in range(12):
            size = random.integers(1, min(4, len(around)))
            parents = random.choice(around, size=size, replace=False)
            own[frozenset(parents.tolist())] = int(random.integers(0, 150))
        if child > 0 and random.random() < without_empty:
            del own[frozenset()]
            own[frozenset({child - 1})] = 150  # so that there is a network
        problem.append({parents: cost * UNITS_PER_NAT for parents, cost in own.items()})
    return local_scores(problem)


# ---- what it finds ----


@given(scores=problems, seed=seeds, work=works, random=st.randoms(use_true_random=False))
def test_networks_are_possible_and_cost_what_they_claim(
    scores: LocalScores, seed: int, work: int, random: object
) -> None:
    optimum = optimum_of(scores)
    order = list(range(scores.variables))
    random.shuffle(order)  # type: ignore[attr-defined]
    for start in ([], order):
        if optimum == math.inf:
            assert _native.polish_order(scores.native, start, seed, work) is None
        else:
            assert polish(scores, start, seed, work)[0] >= optimum


@pytest.mark.parametrize("sets", [3, 8, 25])
def test_small_problems_are_usually_solved(sets: int) -> None:
    problems = [
        random_scores(6, seed, sets=sets, levels=1000, without_empty=0.3) for seed in range(60)
    ]
    feasible = [scores for scores in problems if optimum_of(scores) < math.inf]
    solved = [polish(scores, [])[0] == optimum_of(scores) for scores in feasible]
    assert len(solved) >= 40
    assert sum(solved) >= 0.95 * len(solved)


@pytest.mark.parametrize("seed", range(3))
def test_larger_problems_are_solved_from_any_start(seed: int) -> None:
    scores = ab.score(generate(14, 3, 500, arity=(2, 3), seed=seed)[1], max_parents=3)
    # Events count in whole millionths of a nat, as the search does; results add up real costs.
    optimum = round(ab.search(scores, algorithm="astar").events[-1].cost * UNITS_PER_NAT)
    for again in range(3):
        start = np.random.default_rng(again).permutation(scores.variables).tolist()
        # Equivalent networks differ by rounding only, and such an optimum is as good.
        assert optimum <= polish(scores, start, again)[0] <= optimum + scores.variables


@given(scores=problems, seed=seeds, work=works)
def test_same_seed_gives_the_same_network(scores: LocalScores, seed: int, work: int) -> None:
    first, second = (_native.polish_order(scores.native, [], seed, work) for _ in range(2))
    assert first == second


@given(scores=problems, seed=seeds, work=works)
def test_polishing_again_never_makes_it_worse(scores: LocalScores, seed: int, work: int) -> None:
    assume(optimum_of(scores) < math.inf)
    cost, _, order = polish(scores, [], seed, work)
    assert polish(scores, order, seed + 1 & 2**64 - 1, work)[0] <= cost


# ---- how it moves ----


@given(
    variables=st.sampled_from([3, 10, 64, 65, 100]),
    seed=st.integers(0, 2**32),
    work=st.sampled_from([0, 1, 50_000]),
)
def test_sparse_problems_of_any_width(variables: int, seed: int, work: int) -> None:
    scores = sparse(variables, seed, near=min(4, (variables - 1) // 2))
    start = np.random.default_rng(seed).permutation(variables).tolist()
    polish(scores, [], seed, work)
    polish(scores, start, seed, work)


@pytest.mark.parametrize("sets", [5, 200])
def test_first_descent_ends_where_no_insertion_helps(sets: int) -> None:
    scores = random_scores(12, 1, sets=sets, levels=1000)
    start = np.random.default_rng(5).permutation(scores.variables).tolist()
    cost, _, order = polish(scores, start, 0, 1)
    assert cost < polish(scores, start, 0, 0)[0]
    for v in range(scores.variables):
        others = [w for w in order if w != v]
        for place in range(scores.variables):
            assert order_cost(scores, [*others[:place], v, *others[place:]]) >= cost


def order_cost(scores: LocalScores, order: list[int]) -> float:
    """By a scan of all parent sets."""
    place = {v: i for i, v in enumerate(order)}
    return sum(
        min(
            (
                int(scores.fixed_costs[s])
                for s in range(scores.first_set[v], scores.first_set[v + 1])
                if all(place[p] < place[v] for p in scores.parents(s))
            ),
            default=math.inf,
        )
        for v in range(scores.variables)
    )


def test_columns_and_lists_find_equally_good_networks() -> None:
    # Two problems that know nothing of each other are too wide for columns, and solved as well.
    one = random_scores(33, 3, sets=100, largest=4, levels=10**6, scale=1)
    apart: list[dict[frozenset[int], int]] = []
    for shift in (0, 33):
        for v in range(33):
            numbers = range(one.first_set[v], one.first_set[v + 1])
            apart.append(
                {
                    frozenset(p + shift for p in one.parents(s)): int(one.fixed_costs[s])
                    for s in numbers
                }
            )
    cost = polish(one, [])[0]
    assert polish(local_scores(apart), [])[0] == pytest.approx(2 * cost, rel=0.01)


def test_more_work_pays() -> None:
    scores = sparse(300, 7)
    costs = [polish(scores, [], 0, work)[0] for work in (0, 1, 1_000_000, 20_000_000)]
    assert costs == sorted(costs, reverse=True)
    assert len(set(costs)) == len(costs)


# ---- starts ----


def test_start_that_fits_no_network_is_repaired() -> None:
    # A chain in which everyone needs the one before it: only one ordering is possible.
    nat = UNITS_PER_NAT
    chain = local_scores(
        [{frozenset(): nat}, *({frozenset({v}): nat * (v + 1)} for v in range(69))]
    )
    for work in (0, 10_000):
        cost, _, order = polish(chain, list(range(69, -1, -1)), 0, work)
        assert (cost, order) == (nat * (1 + 69 * 70 // 2), list(range(70)))


@pytest.mark.parametrize("order", [[0], [0, 1, 1], [0, 1, 3], [0, 1, 2, 2]])
def test_start_must_be_an_ordering(order: list[int]) -> None:
    scores = random_scores(3, 0)
    with pytest.raises(ValueError, match="must name every variable once"):
        _native.polish_order(scores.native, order)


@pytest.mark.parametrize("variables", [5, 80])
def test_there_may_be_no_network(variables: int) -> None:
    # Two variables that need each other; everyone else is free.
    free = [{frozenset[int](): 5, frozenset({0}): 3} for _ in range(variables - 2)]
    scores = local_scores([{frozenset({1}): 1}, {frozenset({0}): 1}, *free])
    for order in ([], list(range(variables))):
        for work in (0, 10_000):
            assert _native.polish_order(scores.native, order, 0, work) is None
