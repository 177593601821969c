"""The order-graph engine: every registered algorithm with every heuristic, against plain Python."""

from __future__ import annotations

import _thread
import json
import math
import subprocess
import sys
import threading
import time
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from brute_force import costs_to_go, lowest_cost, parent_masks, step_costs
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import datasets

import anytimebn as ab
from anytimebn import _native, registry, searching
from anytimebn.evaluation.generate import generate
from anytimebn.knowledge import Knowledge
from anytimebn.scores import UNITS_PER_NAT, LocalScores

if TYPE_CHECKING:
    from collections.abc import Sequence

WAYS = [
    (algorithm.name, heuristic.name)
    for algorithm in registry.algorithms()
    for heuristic in registry.heuristics()
    if algorithm.uses_heuristic or heuristic.name == searching.SearchSettings.heuristic
]
every_way = pytest.mark.parametrize(("algorithm", "heuristic"), WAYS)
every_algorithm = pytest.mark.parametrize("algorithm", [a.name for a in registry.algorithms()])
every_heuristic = pytest.mark.parametrize("heuristic", [h.name for h in registry.heuristics()])

few = settings(deadline=None, max_examples=settings.default.max_examples // 8)

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


@cache
def optimum_of_generated(variables: int) -> int:
    result = ab.search(generated(variables), algorithm="dynamic-programming", components=False)
    assert result.status == "optimal"
    return units(result.cost)


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


# ---- heuristics ----


def values(
    scores: LocalScores, heuristic: str, parameters: dict[str, float], groups: list[list[int]]
) -> list[int]:
    """For every placed set, by its bit mask."""
    n = scores.variables
    placed = [[v for v in range(n) if mask >> v & 1] for mask in range(2**n)]
    return _native.heuristic_values(scores.native, heuristic, parameters, groups, placed)


def check_heuristic(
    scores: LocalScores,
    heuristic: str,
    parameters: dict[str, float] | None = None,
    groups: list[list[int]] | None = None,
) -> list[float]:
    """Check against the true regrets to go, which are returned with the bounds."""
    n = scores.variables
    lowest = [min(cost for _, cost in own) for own in parent_masks(scores)]
    regrets = [[c - lowest[x] for c in own] for x, own in enumerate(step_costs(scores))]
    to_go = costs_to_go(regrets)
    h = values(scores, heuristic, parameters or {}, groups or [])
    assert h[-1] == 0
    for placed in range(2**n):
        assert 0 <= h[placed] <= to_go[placed]
        if registry.heuristic(heuristic).consistent:
            for x in range(n):
                if not placed >> x & 1:
                    assert h[placed] <= regrets[x][placed] + h[placed | 1 << x]
    return [bound - true for bound, true in zip(h, to_go, strict=True)]


small_problems = (problems | large_problems).filter(lambda scores: scores.variables <= 8)


@every_heuristic
@few
@given(scores=small_problems, draw=st.data())
def test_heuristic_is_admissible(scores: LocalScores, heuristic: str, draw: st.DataObject) -> None:
    check_heuristic(scores, heuristic)
    parameters = {}
    for parameter in registry.heuristic(heuristic).parameters:
        highest = {"groups": scores.variables, "k": 4}.get(parameter.name, 3)
        parameters[parameter.name] = float(
            draw.draw(st.integers(max(1, int(parameter.lowest)), highest), label=parameter.name)
        )
    if parameters:
        check_heuristic(scores, heuristic, parameters)


@few
@given(scores=small_problems, draw=st.data())
def test_static_pd_is_admissible_with_any_groups(scores: LocalScores, draw: st.DataObject) -> None:
    n = scores.variables
    group_of = draw.draw(st.lists(st.integers(0, 3), min_size=n, max_size=n))
    groups = [[v for v in range(n) if group_of[v] == g] for g in range(4)]
    check_heuristic(scores, "static-pd", groups=groups)


@few
@given(scores=small_problems.filter(lambda s: abs(s.costs).max() < 400 and optimum_of(s) < 1e15))
def test_static_pd_with_one_group_is_exact(scores: LocalScores) -> None:
    """As far as its 32 bits reach: where placing the rest is impossible, it stops there."""
    differences = check_heuristic(scores, "static-pd", {"groups": 1.0})
    assert set(differences) <= {0, -math.inf}
    differences = check_heuristic(scores, "static-pd", groups=[list(range(scores.variables))])
    assert set(differences) <= {0, -math.inf}


@few
@given(scores=feasible_problems, draw=st.data())
def test_astar_with_chosen_groups_finds_the_optimum(
    scores: LocalScores, draw: st.DataObject
) -> None:
    group_of = draw.draw(
        st.lists(st.integers(0, 3), min_size=scores.variables, max_size=scores.variables)
    )
    groups = [
        [name for name, own in zip(scores.names, group_of, strict=True) if own == g]
        for g in range(4)
    ]
    for components in (True, False):
        result = ab.search(scores, algorithm="astar", groups=groups, components=components)
        assert result.status == "optimal"
        assert units(result.cost) == optimum_of(scores)


@pytest.mark.parametrize(
    "groups",
    [
        [("X0", "X1", "X2"), ("X2", "X3")],
        [("X0", "X1", "X1"), ("X2", "X3")],
        [("X0", "X1")],
    ],
    ids=["overlap", "repeated", "incomplete"],
)
def test_groups_that_are_no_partition_are_refused(groups: list[tuple[str, ...]]) -> None:
    scores = random_scores(4, 1, blocks=2)
    with pytest.raises(ab.InputError, match="group"):
        searching.SearchSettings(algorithm="astar", groups=groups).start(scores)


# ---- limits ----

STOPPED = [
    random_scores(5, 3, sets=6),
    random_scores(6, 4, sets=10, levels=3, lowest=-5),
    random_scores(7, 5, sets=12, blocks=2),
    hard(7),
]


@every_way
def test_stopped_at_every_check_bounds_hold(algorithm: str, heuristic: str) -> None:
    for scores in STOPPED:
        optimum = optimum_of(scores)
        for k in range(1, 10_000):
            result = ab.search(
                scores,
                algorithm=algorithm,
                heuristic=heuristic,
                path_extension=scores is not STOPPED[-1],
                local_search=False,
                stop_at_check=k,
            )
            check(scores, result, optimum)
            if result.status != "interrupted":
                break
        assert result.status in ("optimal", "finished")


def test_stopped_in_local_search_bounds_hold() -> None:
    scores = STOPPED[1]
    optimum = optimum_of(scores)
    for k in [*range(1, 60), *range(60, 100_000, 97)]:
        result = ab.search(scores, algorithm="astar", stop_at_check=k)
        check(scores, result, optimum)
        if result.status != "interrupted":
            break
    assert result.status == "optimal"


@few
@given(scores=problems | large_problems)
def test_stopped_at_once_there_is_a_network_if_one_exists(scores: LocalScores) -> None:
    optimum = optimum_of(scores)
    for components in (True, False):
        if optimum == math.inf:
            with pytest.raises((ab.ConstraintError, ab.LimitReached)):
                ab.search(scores, components=components, stop_at_check=1)
        else:
            result = ab.search(scores, components=components, stop_at_check=1)
            check(scores, result, optimum)


@every_way
def test_expansions_are_limited_exactly(algorithm: str, heuristic: str) -> None:
    for scores in STOPPED:
        optimum = optimum_of(scores)
        bound = -math.inf
        for k in range(1000):
            result = ab.search(
                scores,
                algorithm=algorithm,
                heuristic=heuristic,
                local_search=False,
                max_expansions=k,
            )
            check(scores, result, optimum)
            assert result.expanded <= k
            assert result.lower_bound >= bound
            bound = result.lower_bound
            if result.status != "expansions":
                break
            if algorithm != "dynamic-programming":
                assert result.expanded == k
        assert result.status in ("optimal", "finished")


def test_dynamic_programming_tells_how_much_it_did() -> None:
    result = ab.search(hard(14), algorithm="dynamic-programming", max_expansions=5000)
    assert result.status == "expansions"
    assert result.expanded == 5000


@every_way
def test_memory_limit_is_a_status(
    algorithm: str, heuristic: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(searching, "resident_bytes", lambda: 0)
    scores, optimum = hard(14), optimum_of_hard(14)
    statuses = []
    for limit in (0, 20_000, 200_000, 400_000, 100_000_000):
        result = ab.search(
            scores,
            algorithm=algorithm,
            heuristic=heuristic,
            local_search=False,
            path_extension=False,
            memory_limit=limit,
        )
        check(scores, result, optimum)
        statuses.append(result.status)
        if limit >= 400_000:
            assert result.peak_memory_bytes <= limit
    assert statuses[0] == "memory"
    assert statuses[-1] in ("optimal", "finished")
    assert set(statuses) <= {"memory", statuses[-1]}
    assert statuses == sorted(statuses, key=lambda status: status != "memory")


@cache
def optimum_of_hard(variables: int) -> int:
    return units(ab.search(hard(variables), algorithm="dynamic-programming").cost)


@every_way
def test_gap_is_reached_and_proven(algorithm: str, heuristic: str) -> None:
    scores, optimum = hard(14), optimum_of_hard(14)
    for gap in (10.0, 0.5, 0.05, 1e-4):
        result = ab.search(
            scores, algorithm=algorithm, heuristic=heuristic, local_search=False, gap=gap
        )
        check(scores, result, optimum)
        if result.status == "gap":
            assert result.cost <= (1 + gap) * result.lower_bound
        else:
            assert result.status in ("optimal", "finished")
        if gap == 10:
            assert result.status == "gap"


@every_way
def test_time_limit_zero_gives_a_network(algorithm: str, heuristic: str) -> None:
    scores = hard(14)
    result = ab.search(scores, algorithm=algorithm, heuristic=heuristic, time_limit=0)
    assert result.status == "time"
    check(scores, result, optimum_of_hard(14))


@pytest.mark.parametrize("local_search", [True, False])
@every_way
def test_first_network_comes_before_any_expansion(
    algorithm: str, heuristic: str, local_search: bool
) -> None:
    result = ab.search(
        dense64(),
        algorithm=algorithm,
        heuristic=heuristic,
        parameters=parameters_for(64, algorithm, heuristic),
        local_search=local_search,
        max_expansions=20,
        time_limit=0.1,  # for heuristics that take long to build
    )
    assert result.events[0].expanded == 0
    assert result.lower_bound <= result.cost


@cache
def dense64() -> LocalScores:
    return random_scores(64, 1, sets=300, largest=4, levels=1000)


# ---- being stopped from outside ----


def search_threads() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "anytimebn"]


def long_search(algorithm: str) -> dict[str, Any]:
    """A search that takes long, for most algorithms at least, and little memory until stopped."""
    return {
        "algorithm": algorithm,
        "heuristic": "simple",
        "path_extension": False,
        "local_search": False,
    }


class Unhappy(Exception):
    pass


@every_algorithm
def test_exception_in_progress_stops_the_search(algorithm: str) -> None:
    def complain(now: ab.SearchProgress) -> None:
        if now.cost is not None:
            raise Unhappy

    start = time.monotonic()
    with pytest.raises(Unhappy):
        ab.search(hard(26), progress=complain, **long_search(algorithm))
    assert time.monotonic() - start < 5
    assert search_threads() == []


@every_algorithm
def test_leaving_a_stream_stops_its_thread(algorithm: str) -> None:
    for event in ab.stream(hard(26), **long_search(algorithm)):
        assert event.lower_bound <= event.cost
        break
    deadline = time.monotonic() + 5
    while search_threads() and time.monotonic() < deadline:
        time.sleep(0.01)
    assert search_threads() == []


@pytest.mark.parametrize("algorithm", [a.name for a in registry.algorithms() if a.proves])
def test_interrupt_from_the_keyboard_keeps_the_network(algorithm: str) -> None:
    timers: list[threading.Timer] = []

    def press(now: ab.SearchProgress) -> None:
        if now.cost is not None and not timers:
            timers.append(threading.Timer(0.05, _thread.interrupt_main))
            timers[0].start()

    start = time.monotonic()
    try:
        result = ab.search(hard(26), progress=press, **long_search(algorithm))
    finally:  # not into another test
        for timer in timers:
            timer.cancel()
            timer.join()
    assert result.status == "interrupted"
    assert time.monotonic() - start < 5
    assert result.lower_bound <= result.cost
    assert result.events
    assert search_threads() == []


# ---- work ----


# Nodes expanded and stored for `generated(16)`. A change of any number here is a change of what an
# algorithm does: understand it before you write it down.
WORK: dict[tuple[str, str], tuple[int, int]] = {
    ("anytime-repairing-astar", "cluster-pd"): (167, 988),
    ("anytime-repairing-astar", "dynamic-pd"): (533, 1_305),
    ("anytime-repairing-astar", "simple"): (2_560, 3_100),
    ("anytime-repairing-astar", "static-pd"): (126, 586),
    ("anytime-weighted-astar", "cluster-pd"): (2_523, 1_110),
    ("anytime-weighted-astar", "dynamic-pd"): (905, 638),
    ("anytime-weighted-astar", "simple"): (6_047, 2_786),
    ("anytime-weighted-astar", "static-pd"): (158, 152),
    ("anytime-window-astar", "cluster-pd"): (182, 253),
    ("anytime-window-astar", "dynamic-pd"): (542, 558),
    ("anytime-window-astar", "simple"): (2_601, 2_750),
    ("anytime-window-astar", "static-pd"): (134, 158),
    ("astar", "cluster-pd"): (167, 988),
    ("astar", "dynamic-pd"): (533, 1_305),
    ("astar", "simple"): (2_507, 3_725),
    ("astar", "static-pd"): (126, 586),
    ("auto", "cluster-pd"): (167, 988),
    ("auto", "dynamic-pd"): (533, 1_305),
    ("auto", "simple"): (2_507, 3_725),
    ("auto", "static-pd"): (126, 586),
    ("block-sweep", "static-pd"): (5_632, 5_632),
    ("branch-and-bound", "static-pd"): (2_229, 2_229),
    ("breadth-first-bnb", "cluster-pd"): (2_072, 2_267),
    ("breadth-first-bnb", "dynamic-pd"): (1_528, 1_641),
    ("breadth-first-bnb", "simple"): (3_710, 3_875),
    ("breadth-first-bnb", "static-pd"): (814, 896),
    ("dynamic-programming", "static-pd"): (16_384, 16_384),
    ("equivalence-search", "static-pd"): (26, 228),
    ("hill-climbing", "static-pd"): (4_187, 228),
    ("insertion-search", "static-pd"): (191, 0),
    ("optimal-reinsertion", "static-pd"): (378, 0),
    ("ordering-search", "static-pd"): (1_851, 0),
    ("weighted-astar", "cluster-pd"): (53, 378),
    ("weighted-astar", "dynamic-pd"): (211, 982),
    ("weighted-astar", "simple"): (1_804, 3_591),
    ("weighted-astar", "static-pd"): (51, 386),
}


@every_way
@pytest.mark.usefixtures("instruction_set")
def test_work_is_as_pinned(algorithm: str, heuristic: str) -> None:
    first, second = (work_of(algorithm, heuristic) for _ in range(2))
    assert outcome(first) == outcome(second)
    if algorithm in registry.PYTHON_ALGORITHMS:
        return  # the steps of a linear program solver differ between its versions
    found = (first.expanded, first.stored)
    assert (algorithm, heuristic) in WORK, f"pin the work of a new algorithm: {found}"
    assert found == WORK[algorithm, heuristic]


def work_of(algorithm: str, heuristic: str) -> ab.Result:
    return ab.search(
        generated(16),
        algorithm=algorithm,
        heuristic=heuristic,
        # The first network is within the usual weight already.
        parameters={"weight": 1.01} if algorithm == "weighted-astar" else {},
        local_search=False,
    )


@every_way
def test_limited_work_gives_the_same_result_again(algorithm: str, heuristic: str) -> None:
    first, second = (
        ab.search(hard(20), algorithm=algorithm, heuristic=heuristic, max_expansions=3000, seed=7)
        for _ in range(2)
    )
    assert outcome(first) == outcome(second)


# ---- many variables ----


def mostly_ordered(variables: int) -> LocalScores:
    """Best parents follow an order but for a few pairs that want each other: soon proven."""
    random = np.random.default_rng(variables)
    order = random.permutation(variables).tolist()
    problem: list[Sets] = [{} for _ in order]
    for position, child in enumerate(order):
        own = problem[child]
        own[frozenset()] = 40
        for before in order[max(0, position - 3) : position]:
            own[frozenset({before})] = int(random.integers(10, 40))
        if position % (variables // 5) == 1 and position + 2 < variables:
            own[frozenset({order[position + 2]})] = int(random.integers(0, 10))
    return local_scores(
        [{parents: cost * UNITS_PER_NAT for parents, cost in own.items()} for own in problem]
    )


def in_parts(scores: LocalScores) -> ab.Result:
    """Solve component by component, none of which is large."""
    result = ab.search(scores, algorithm="dynamic-programming")
    assert result.status == "optimal"
    return result


# Beyond 64 variables cluster-pd is static-pd, which takes its time: once is enough.
MANY = [
    (variables, *way)
    for variables in (64, 65, 70, 130, 260)
    for way in WAYS
    if variables <= 70 or way[1] != "cluster-pd"
]


@pytest.mark.parametrize(("variables", "algorithm", "heuristic"), MANY)
def test_many_variables_give_the_same_as_their_components(
    variables: int, algorithm: str, heuristic: str
) -> None:
    """One word, two, four and sixteen a set."""
    scores = mostly_ordered(variables)
    optimum = units(in_parts(scores).cost)
    result = ab.search(
        scores,
        algorithm=algorithm,
        heuristic=heuristic,
        parameters=parameters_for(variables, algorithm, heuristic),
        components=False,
        local_search=False,
        max_expansions=2000,
    )
    check(scores, result, optimum)
    if algorithm == "dynamic-programming":
        assert result.status in ("memory", "optimal")  # if the first network has no regret
    elif registry.algorithm(algorithm).proves and algorithm not in (
        "block-sweep",
        "breadth-first-bnb",
    ):
        assert result.status == "optimal"


@pytest.mark.parametrize(("variables", "algorithm", "heuristic"), MANY)
def test_many_variables_bounds_hold_when_stopped(
    variables: int, algorithm: str, heuristic: str
) -> None:
    scores = random_scores(variables, 1, sets=3, largest=2, levels=50, blocks=variables // 3)
    result = ab.search(
        scores,
        algorithm=algorithm,
        heuristic=heuristic,
        parameters=parameters_for(variables, algorithm, heuristic),
        components=False,
        local_search=False,
        max_expansions=100,
    )
    assert result.expanded <= 100
    check(scores, result, units(in_parts(scores).cost))


def test_more_variables_than_a_set_can_hold_still_give_a_network() -> None:
    scores = mostly_ordered(1100)
    optimum = units(in_parts(scores).cost)
    result = ab.search(
        scores, algorithm="astar", heuristic="simple", components=False, local_search=False
    )
    assert result.status == "memory"
    check(scores, result, optimum)


@pytest.mark.parametrize(
    ("variables", "sets"), [(3, 2), (40, 700), (65, 256), (70, 257), (300, 1500)]
)
@pytest.mark.usefixtures("instruction_set")
def test_best_parents_equal_a_scan(variables: int, sets: int) -> None:
    """More than 64 and 256 candidate parents, and more sets than one, two and many blocks hold."""
    random = np.random.default_rng(1)
    problem: list[Sets] = [{frozenset(): 0} for _ in range(variables)]
    for child in (0, variables - 1):
        others = [v for v in range(variables) if v != child]
        problem[child] = {
            frozenset(random.choice(others, size=1 + i % 2, replace=False).tolist()): i // 3
            for i in range(sets)
        }
    scores = local_scores(problem)
    masks = parent_masks(scores)
    for child in (0, variables - 1, 1):
        for share in (0.0, 0.05, 0.1, 0.3, 0.6, 0.9, 1.0):
            candidates = np.flatnonzero(random.random(variables) < share).tolist()
            placed = sum(1 << v for v in candidates)
            fitting = [i for i, (mask, _) in enumerate(masks[child]) if mask & ~placed == 0]
            expected = scores.first_set[child] + fitting[0] if fitting else -1
            assert scores.native.best(child, candidates) == expected


# ---- memory ----


@pytest.mark.parametrize(
    "algorithm",
    [
        algorithm.name
        for algorithm in registry.algorithms()
        if algorithm.uses_heuristic and algorithm.proves
    ],
)
def test_stored_node_takes_at_most_40_bytes(algorithm: str) -> None:
    result = ab.search(
        hard(26),
        algorithm=algorithm,
        heuristic="simple",
        path_extension=False,
        local_search=False,
        max_expansions=120_000,
    )
    # `auto` soon leaves the table of nodes for a sweep, which visits as many but stores fewer.
    assert result.stored >= (150_000 if algorithm == "auto" else 300_000)
    assert result.peak_memory_bytes / result.stored <= 40


LIMITED = """
import json, re, sys
from pathlib import Path
sys.path[:0] = sys.argv[2:]
from test_search import hard
import anytimebn as ab
from anytimebn.searching import resident_bytes

scores = hard(26)
ab.search(hard(10))
before = resident_bytes()
result = ab.search(scores, algorithm=sys.argv[1], heuristic="simple", path_extension=False,
                   local_search=False, memory_limit=before + 256 * 2**20)
# Not getrusage: what that tells begins with the peak of the process that started this one.
peak = int(re.search(r"VmHWM:\\s+(\\d+) kB", Path("/proc/self/status").read_text())[1]) * 1024
print(json.dumps([result.status, (peak - before) / 2**20, result.cost, result.lower_bound]))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="resident memory is read from /proc")
@pytest.mark.parametrize("algorithm", ["anytime-window-astar", "breadth-first-bnb"])
def test_process_stays_within_its_memory_limit(algorithm: str) -> None:
    run = subprocess.run(
        [sys.executable, "-c", LIMITED, algorithm, str(Path(__file__).parent)],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    status, mebibytes, cost, lower_bound = json.loads(run.stdout)
    assert status == "memory"
    assert 0 < lower_bound <= cost
    assert 0.8 * 256 <= mebibytes <= 1.1 * 256


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
