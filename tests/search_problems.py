"""Problems for searches, and what holds for every result."""

from __future__ import annotations

import math
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from brute_force import costs_to_go, step_costs
from hypothesis import settings
from hypothesis import strategies as st

import anytimebn as ab
from anytimebn.network.random import generate
from anytimebn.scores.store import UNITS_PER_NAT, LocalScores
from anytimebn.solver import registry
from anytimebn.solver import settings as search_settings

if TYPE_CHECKING:
    from collections.abc import Sequence

WAYS = [
    (algorithm.name, heuristic.name)
    for algorithm in registry.algorithms()
    for heuristic in registry.heuristics()
    if algorithm.uses_heuristic or heuristic.name == search_settings.SearchSettings.heuristic
]
every_way = pytest.mark.parametrize(("algorithm", "heuristic"), WAYS)
every_algorithm = pytest.mark.parametrize("algorithm", [a.name for a in registry.algorithms()])
every_heuristic = pytest.mark.parametrize("heuristic", [h.name for h in registry.heuristics()])

few = settings(max_examples=settings.default.max_examples // 8)

Sets = dict[frozenset[int], int]  # cost of each parent set of a child, in millionths of a nat


# ---- problems ----


def local_scores(sets: Sequence[Sets]) -> LocalScores:
    first_set, costs, first_member, members = [0], [], [0], []
    for own in sets:
        for parents, cost in sorted(own.items(), key=lambda item: item[1]):
            costs.append(cost / UNITS_PER_NAT)
            members.extend(sorted(parents))
            first_member.append(len(members))
        first_set.append(len(costs))
    return LocalScores(
        names=tuple(f"X{v}" for v in range(len(sets))),
        first_set=np.array(first_set, dtype=np.int64),
        costs=np.array(costs, dtype=np.float64),
        first_member=np.array(first_member, dtype=np.int64),
        members=np.array(members, dtype=np.int32),
    )


def random_scores(
    variables: int,
    seed: int,
    *,
    sets: int = 8,
    largest: int = 3,
    levels: int = 10,
    scale: int = UNITS_PER_NAT,
    lowest: int = 0,
    without_empty: float = 0.0,
    blocks: int = 1,
) -> LocalScores:
    """Draw parent sets inside blocks of variables, of few different costs if `levels` are few."""
    random = np.random.default_rng(seed)
    block = random.permutation(np.arange(variables) % blocks)
    problem: list[Sets] = []
    for child in range(variables):
        others = np.flatnonzero((block == block[child]) & (np.arange(variables) != child))
        own: Sets = {}
        for _ in range(sets if len(others) else 0):
            size = int(random.integers(1, min(largest, len(others)) + 1))
            parents = frozenset(random.choice(others, size=size, replace=False).tolist())
            own[parents] = (lowest + int(random.integers(0, levels))) * scale
        if not own or random.random() >= without_empty:
            own[frozenset()] = (lowest + levels + int(random.integers(0, levels))) * scale
        problem.append(own)
    return local_scores(problem)


def problems_of(scales: list[int], levels: list[int]) -> st.SearchStrategy[LocalScores]:
    """Sparse and dense, tied, negative, disconnected and infeasible ones, single variables too."""
    return st.builds(
        random_scores,
        variables=st.integers(1, 9),
        seed=st.integers(0, 2**32),
        sets=st.sampled_from([0, 2, 8, 25]),
        largest=st.integers(1, 5),
        levels=st.sampled_from(levels),
        scale=st.sampled_from(scales),
        lowest=st.sampled_from([0, 3, -7, -2000]),
        without_empty=st.sampled_from([0.0, 0.5, 0.8]),
        blocks=st.sampled_from([1, 1, 2, 4]),
    )


problems = problems_of([1, UNITS_PER_NAT], [1, 2, 5, 1000])
# Beyond the 32 bits of a pattern database, and of the keys of an open list.
large_problems = problems_of([3_000_000_000], [2, 5])
feasible_problems = problems.filter(lambda scores: optimum_of(scores) < math.inf)
small_problems = (problems | large_problems).filter(lambda scores: scores.variables <= 8)


@cache
def generated(variables: int) -> LocalScores:
    """Scores of data from a random network; cached, because many tests use them."""
    return ab.score(generate(variables, 3, 500, arity=(2, 3), seed=2)[1], max_parents=3)


@cache
def hard(variables: int) -> LocalScores:
    """Everyone wants the same number of random parents and pays for each that comes later.

    That is the feedback arc set problem: heuristics and path extension help little, and a proof has
    to look at a good part of the order graph.
    """
    random = np.random.default_rng(1)
    problem: list[Sets] = []
    for child in range(variables):
        others = [v for v in range(variables) if v != child]
        wanted = random.choice(others, size=6, replace=False).tolist()
        prices = random.integers(50, 100, size=6).tolist()
        problem.append(
            {
                frozenset(v for i, v in enumerate(wanted) if chosen >> i & 1): UNITS_PER_NAT
                * (100 + sum(price for i, price in enumerate(prices) if not chosen >> i & 1))
                for chosen in range(2**6)
            }
        )
    return local_scores(problem)


def optimum_of(scores: LocalScores) -> float:
    """In millionths of a nat, by the plain recursion."""
    return costs_to_go(step_costs(scores))[0]


def units(cost: float) -> int:
    return round(cost * UNITS_PER_NAT)


def parameters_for(variables: int, algorithm: str, heuristic: str) -> dict[str, float]:
    """Patterns that are built quickly for many variables."""
    if not registry.algorithm(algorithm).uses_heuristic:
        return {}
    known = {parameter.name for parameter in registry.heuristic(heuristic).parameters}
    return {
        name: value
        for name, value in {
            "k": 2.0,
            "groups": math.ceil(variables / 9),
            "largest-group": 9.0,
        }.items()
        if name in known
    }


# ---- what holds for every result ----


def check(scores: LocalScores, result: ab.Result, optimum: float) -> None:
    """Check that a result is what it says: network, cost, bound, history."""
    names, parents = scores.names, result.network.parents
    placed: set[int] = set()
    while len(placed) < len(names):
        before = len(placed)
        for v in range(len(names)):
            if placed.issuperset(parents[v]):
                placed.add(v)
        assert len(placed) > before, f"the network has a cycle: {parents}"
    own_costs = []
    for child, name in enumerate(names):
        chosen = tuple(names[parent] for parent in parents[child])
        costs = [cost for cost, members in scores.parent_sets(name) if members == chosen]
        assert costs, f"{name} has no parent set {chosen}"
        own_costs.append(min(costs))
    assert result.cost == pytest.approx(math.fsum(own_costs), rel=1e-12, abs=1e-9)

    assert units(result.lower_bound) <= optimum <= units(result.cost)
    assert (result.status == "optimal") == (result.lower_bound == result.cost)
    for earlier, later in zip(result.events, result.events[1:], strict=False):
        assert earlier.cost >= later.cost
        assert earlier.lower_bound <= later.lower_bound
        assert earlier.seconds <= later.seconds
        assert earlier.expanded <= later.expanded
    for event in result.events:
        assert units(event.lower_bound) <= optimum <= units(event.cost)
    assert units(result.events[-1].cost) == units(result.cost)
    assert units(result.events[-1].lower_bound) == units(result.lower_bound)


def outcome(result: ab.Result) -> tuple[Any, ...]:
    return (
        result.status,
        result.cost,
        result.lower_bound,
        result.expanded,
        result.stored,
        result.network.parents,
    )


@cache
def optimum_of_generated(variables: int) -> int:
    result = ab.search(generated(variables), algorithm="dynamic-programming", components=False)
    assert result.status == "optimal"
    return units(result.cost)


def check_approximately(scores: LocalScores, result: ab.Result, optimum: int) -> None:
    """As `check`, for costs that are no whole millionths: each is rounded by half a one."""
    slack = scores.variables
    assert units(result.lower_bound) - slack <= optimum <= units(result.cost) + slack
    chosen = [
        any(
            members == tuple(scores.names[p] for p in parents)
            for _, members in scores.parent_sets(name)
        )
        for name, parents in zip(scores.names, result.network.parents, strict=True)
    ]
    assert all(chosen)


@cache
def optimum_of_hard(variables: int) -> int:
    return units(ab.search(hard(variables), algorithm="dynamic-programming").cost)
