"""Layers on disk: the same nodes, networks and bounds as in memory, and nothing left behind."""

from __future__ import annotations

import math
from functools import cache
from tempfile import gettempdir
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from search_problems import (
    Sets,
    check,
    few,
    hard,
    large_problems,
    local_scores,
    optimum_of,
    outcome,
    problems,
    random_scores,
)

import anytimebn as ab
from anytimebn.base import resources

if TYPE_CHECKING:
    from pathlib import Path

    from anytimebn.scores.store import LocalScores

FOLDER = gettempdir()

# Everything sorted from the first layer on; blocks that leave little to a table of fixed size.
IN_LAYERS: dict[str, dict[str, float]] = {
    "breadth-first-bnb": {"large-layer": 1.0},
    "block-sweep": {"block-bits": 6.0},
}
every_layered = pytest.mark.parametrize("algorithm", list(IN_LAYERS))


@pytest.fixture(autouse=True)
def memory_is_for_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resources, "resident_bytes", lambda: 0)


def search(scores: LocalScores, algorithm: str, **options: Any) -> ab.Result:
    settings: dict[str, Any] = {"jobs": 1, "parameters": IN_LAYERS[algorithm], **options}
    return ab.search(scores, algorithm=algorithm, **settings)


def written(result: ab.Result) -> int:
    return int(result.details.get("peak_disk_bytes", 0))


# ---- the same as in memory ----

# Without path extension and local search, so that there are many nodes; with the optimum as the
# first network, so that nothing is traced and all nodes are those of the search itself.
LARGE: dict[str, list[tuple[int, dict[str, Any]]]] = {
    "breadth-first-bnb": [(20, {"heuristic": "simple"}), (24, {})],
    "block-sweep": [(20, {})],
}


@cache
def best_of_hard(variables: int) -> ab.Network:
    return ab.search(hard(variables)).network


def test_a_network_is_traced_in_the_memory_that_found_it() -> None:
    """What two searches share is counted once; less than this does not do for the first layers."""
    found = search(
        hard(14),
        "breadth-first-bnb",
        heuristic="simple",
        local_search=False,
        disk=FOLDER,
        memory_limit=106_000,
    )
    assert found.status == "optimal"


@pytest.mark.parametrize(
    ("algorithm", "variables", "options"),
    [(name, *case) for name, cases in LARGE.items() for case in cases],
)
def test_a_tenth_of_the_memory_and_a_disk_give_the_same_nodes(
    algorithm: str, variables: int, options: dict[str, Any]
) -> None:
    scores = hard(variables)
    start = None if algorithm == "block-sweep" else best_of_hard(variables)
    options = {**options, "local_search": False, "start": start}
    whole = search(scores, algorithm, **options)
    assert whole.status == "optimal"
    limits = {"disk": FOLDER, "memory_limit": whole.peak_memory_bytes // 10}
    for jobs in (1, 2):
        result = search(scores, algorithm, jobs=jobs, **options, **limits)
        assert result.peak_memory_bytes <= limits["memory_limit"]
        assert written(result) > limits["memory_limit"]
        assert written(result) <= 8 * whole.stored
        if algorithm == "block-sweep":  # which sweeps again to trace the network
            assert outcome(result)[:3] == outcome(whole)[:3]
            assert whole.expanded <= result.expanded <= 1.01 * whole.expanded
        else:
            assert outcome(result)[:5] == outcome(whole)[:5]


def test_a_frontier_of_three_times_the_memory_ends_with_a_proof() -> None:
    """What is needed at a time is more than that: a disk of three times the memory is too small."""
    memory = 130_000
    options: dict[str, Any] = {"heuristic": "simple", "memory_limit": memory, "disk": FOLDER}
    full = search(hard(20), "breadth-first-bnb", disk_limit=3 * memory, **options)
    assert full.status == "disk"
    assert full.lower_bound <= full.cost
    assert search(hard(20), "breadth-first-bnb", **options).status == "optimal"


@every_layered
def test_each_layer_is_as_in_memory(algorithm: str) -> None:
    """Wherever it is stopped, bounds and stored nodes are those of the whole layers before."""
    scores = hard(16)
    # With the optimum to begin with, all nodes are those of the search, none those of a trace.
    options: dict[str, Any] = {"local_search": False, "start": best_of_hard(16)}
    if algorithm == "block-sweep":
        del options["start"]
    whole = search(scores, algorithm, **options)
    little = 110_000 if algorithm == "breadth-first-bnb" else whole.peak_memory_bytes // 4
    for most in range(0, whole.expanded, whole.expanded // 25):
        in_memory, on_disk, in_threads = (
            search(scores, algorithm, max_expansions=most, **options, **limits)
            for limits in (
                {},
                {"disk": FOLDER, "memory_limit": little},
                {"disk": FOLDER, "memory_limit": 3 * little, "jobs": 3},
            )
        )
        assert outcome(in_memory) == outcome(on_disk) == outcome(in_threads)
        assert in_memory.expanded == most
    assert written(on_disk) > 0


@few
@given(
    scores=problems | large_problems,
    algorithm=st.sampled_from(list(IN_LAYERS)),
    jobs=st.integers(1, 3),
    memory=st.integers(10_000, 200_000),
    disk=st.sampled_from([0, 100, 1000, 10**9]),
    path_extension=st.booleans(),
)
def test_any_room_gives_the_optimum_or_a_bound(
    scores: LocalScores, algorithm: str, jobs: int, memory: int, disk: int, path_extension: bool
) -> None:
    optimum = optimum_of(scores)
    if optimum == math.inf:
        return
    result = search(
        scores,
        algorithm,
        parameters={"large-layer": 1} if algorithm == "breadth-first-bnb" else {"block-bits": 2},
        jobs=jobs,
        local_search=False,
        path_extension=path_extension,
        memory_limit=memory,
        disk=FOLDER,
        disk_limit=disk,
    )
    check(scores, result, optimum)
    assert result.status in ("optimal", "memory", "disk")
    assert written(result) <= disk


# ---- what goes wrong ----


LITTLE: dict[str, dict[str, Any]] = {
    "breadth-first-bnb": {
        "parameters": {"large-layer": 1.0},
        "heuristic": "simple",
        "memory_limit": 105_000,
    },
    "block-sweep": {"parameters": {"block-bits": 3.0}, "memory_limit": 85_000},
}


@cache
def optimum_of_hard(variables: int) -> float:
    return optimum_of(hard(variables))


def on_little_memory(algorithm: str, **options: Any) -> ab.Result:
    settings = {"local_search": False, "disk": FOLDER, **LITTLE[algorithm], **options}
    settings["memory_limit"] *= settings.get("jobs", 1)
    result = search(hard(12), algorithm, **settings)
    check(hard(12), result, optimum_of_hard(12))
    return result


@every_layered
def test_bounds_hold_when_any_write_fails(algorithm: str) -> None:
    statuses = [on_little_memory(algorithm, refuse_disk_at=at).status for at in range(1, 90)]
    assert set(statuses) <= {"disk", "memory", "optimal"}
    assert "disk" in statuses
    assert statuses[-1] == "optimal"


@every_layered
@pytest.mark.parametrize("jobs", [1, 2])
def test_bounds_hold_wherever_it_is_stopped(algorithm: str, jobs: int) -> None:
    at, expanded = 1, 0
    while True:
        result = on_little_memory(algorithm, jobs=jobs, stop_at_check=at)
        if result.status != "interrupted":
            break
        expanded = max(expanded, result.expanded)
        at += 1 if expanded else 9  # bounds are raised before anything is expanded
    assert expanded > 1000


@every_layered
def test_a_full_disk_is_a_status(algorithm: str) -> None:
    whole = on_little_memory(algorithm)
    assert whole.status == "optimal"
    assert written(whole) > 0
    statuses = []
    for percent in range(0, 130, 10):
        limit = written(whole) * percent // 100
        result = on_little_memory(algorithm, disk_limit=limit)
        assert written(result) <= limit
        statuses.append(result.status)
    assert statuses[0] == "disk"
    assert statuses[-1] == "optimal"
    assert on_little_memory(algorithm, disk=None).status == "memory"


@every_layered
def test_refused_memory_is_taken_from_the_disk(algorithm: str) -> None:
    for at in range(1, 40):
        result = on_little_memory(algorithm, refuse_memory_at=at)
        assert result.status in ("optimal", "memory")


def test_better_networks_are_found_through_layers_that_are_gone() -> None:
    """Path extension reaches networks early, and from far behind."""
    found = 0
    for seed in range(12):
        scores = random_scores(9, seed, sets=25, largest=3, levels=1000)
        optimum = optimum_of(scores)
        for memory in (99_500, 101_000, 103_000):
            result = search(
                scores,
                "breadth-first-bnb",
                local_search=False,
                heuristic="simple",
                memory_limit=memory,
                disk=FOLDER,
                disk_limit=1500,
            )
            check(scores, result, optimum)
            found += result.status == "optimal"
    assert found > 0


@every_layered
def test_nothing_is_ever_seen_in_the_folder(algorithm: str, tmp_path: Path) -> None:
    """Files have no name there: a process that is killed leaves none, either."""
    seen = []
    with ab.stream(
        hard(12),
        algorithm=algorithm,
        local_search=False,
        disk=tmp_path,
        jobs=1,
        **LITTLE[algorithm],
    ) as events:
        for _ in events:
            seen += list(tmp_path.iterdir())
    assert written(events.result) > 0
    assert not seen
    assert not list(tmp_path.iterdir())


# ---- dynamic programming ----


def programmed(variables: int, **options: Any) -> ab.Result:
    settings: dict[str, Any] = {"jobs": 1, "local_search": False, "components": False, **options}
    return ab.search(hard(variables), algorithm="dynamic-programming", **settings)


def test_two_layers_in_memory_or_on_disk_are_enough_to_program() -> None:
    """The network is the same one, though layers on the way to it are gone."""
    whole = programmed(17)
    assert whole.status == "optimal"
    assert whole.peak_memory_bytes > 8 * 2**17
    again = 0
    for limits in (
        {"jobs": 3},
        {"memory_limit": whole.peak_memory_bytes * 95 // 100},
        {"memory_limit": 2**20, "disk": FOLDER},
        {"memory_limit": 2**20, "disk": FOLDER, "disk_limit": 8 * 2**17 * 3 // 4},
        {"memory_limit": 2**21, "disk": FOLDER, "disk_limit": 8 * 2**17 * 3 // 4, "jobs": 2},
    ):
        result = programmed(17, **limits)
        assert outcome(result)[:3] == outcome(whole)[:3]
        assert result.network == whole.network
        assert result.peak_memory_bytes <= limits.get("memory_limit", 2**30)
        assert written(result) <= limits.get("disk_limit", 8 * 2**17)
        again += result.expanded > whole.expanded == 2**17
    assert again >= 2
    little = programmed(17, memory_limit=2**20, disk=FOLDER, disk_limit=2**18)
    assert (little.status, little.expanded) == ("disk", 0)
    assert programmed(17, memory_limit=2**20).status == "memory"


def test_programming_loses_nothing_when_writes_fail_or_it_is_stopped() -> None:
    optimum = optimum_of_hard(14)
    limits: dict[str, Any] = {"memory_limit": 600_000, "disk": FOLDER, "disk_limit": 120_000}
    statuses = []
    for stop in [{"refuse_disk_at": at} for at in range(1, 14)] + [
        {"stop_at_check": at} for at in range(1, 14)
    ]:
        result = programmed(14, **limits, **stop)
        check(hard(14), result, optimum)
        statuses.append(result.status)
    assert set(statuses) == {"disk", "interrupted", "optimal"}


# ---- options ----


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"disk": "no/such/folder"}, "disk: 'no/such/folder' is not a folder; make it first"),
        ({"disk": __file__}, "is not a folder"),
        ({"disk": 3}, "disk must be the path of a folder, not 3"),
        ({"disk_limit": "1GiB"}, "there is no disk to limit; give its folder as disk"),
        ({"disk": FOLDER, "disk_limit": "much"}, "disk limit: not an amount of memory: 'much'"),
    ],
)
def test_folders_and_limits_are_checked(options: dict[str, Any], message: str) -> None:
    scores = local_scores([Sets({frozenset(): 0})])
    with pytest.raises(ab.InputError) as error:
        ab.search(scores, **options)
    assert message in str(error.value)
