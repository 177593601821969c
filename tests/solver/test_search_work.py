"""What a search takes: nodes, memory, and the same with many variables."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from brute_force import parent_masks
from search_problems import (
    WAYS,
    Sets,
    check,
    every_way,
    generated,
    hard,
    local_scores,
    outcome,
    parameters_for,
    random_scores,
    units,
)
from stopping import GUARD

import anytimebn as ab
from anytimebn.scores.store import UNITS_PER_NAT, LocalScores
from anytimebn.solver import registry

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
    ("best-order-search", "static-pd"): (2_289, 228),
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
    if registry.algorithm(algorithm).runner is not None:
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


def search_in_one(
    scores: LocalScores, algorithm: str, heuristic: str, *, max_expansions: int
) -> ab.Result:
    return ab.search(
        scores,
        algorithm=algorithm,
        heuristic=heuristic,
        parameters=parameters_for(scores.variables, algorithm, heuristic),
        components=False,
        local_search=False,
        max_expansions=max_expansions,
    )


@pytest.mark.parametrize(("variables", "algorithm", "heuristic"), MANY)
def test_many_variables_give_the_same_as_their_components(
    variables: int, algorithm: str, heuristic: str
) -> None:
    """One word, two, four and sixteen a set."""
    scores = mostly_ordered(variables)
    result = search_in_one(scores, algorithm, heuristic, max_expansions=2000)
    check(scores, result, units(in_parts(scores).cost))
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
    result = search_in_one(scores, algorithm, heuristic, max_expansions=100)
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
        # The linear program that `auto` has beside it would take memory by how long all lasts.
        jobs=1 if algorithm == "auto" else None,
    )
    # `auto` soon leaves the table of nodes for a sweep, which visits as many but stores fewer.
    assert result.stored >= (100_000 if algorithm == "auto" else 300_000)
    assert result.peak_memory_bytes / result.stored <= 40


LIMITED = """
import json, re, sys
from pathlib import Path
sys.path[:0] = sys.argv[3:]
from search_problems import hard
import anytimebn as ab
from anytimebn.base.resources import resident_bytes

scores = hard(26)
ab.search(hard(10))
before = resident_bytes()
result = ab.search(scores, algorithm=sys.argv[1], heuristic="simple", path_extension=False,
                   local_search=False, memory_limit=before + int(sys.argv[2]) * 2**20)
# Not getrusage: what that tells begins with the peak of the process that started this one.
peak = int(re.search(r"VmHWM:\\s+(\\d+) kB", Path("/proc/self/status").read_text())[1]) * 1024
print(json.dumps([result.status, (peak - before) / 2**20, result.cost, result.lower_bound]))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="resident memory is read from /proc")
@pytest.mark.parametrize(
    ("algorithm", "limit"),
    # The layers of the other one take a fifth of that for the same nodes.
    [("anytime-window-astar", 256), ("breadth-first-bnb", 40)],
)
def test_process_stays_within_its_memory_limit(algorithm: str, limit: int) -> None:
    run = subprocess.run(
        [sys.executable, "-c", LIMITED, algorithm, str(limit), str(Path(__file__).parents[1])],
        capture_output=True,
        text=True,
        check=True,
        timeout=GUARD,
    )
    status, mebibytes, cost, lower_bound = json.loads(run.stdout)
    assert status == "memory"
    assert 0 < lower_bound <= cost
    assert 0.8 * limit <= mebibytes <= limit + 25  # freed memory that the system did not get back
