"""Limits on problems with many parent sets: work that grows with them is divided."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import anytimebn as ab
from anytimebn import _native
from anytimebn.base.clock import ManualClock
from anytimebn.scores.store import UNITS_PER_NAT, LocalScores
from anytimebn.solver import registry
from anytimebn.solver.run import ParentSetRun, start_run

VARIABLES = 40
SETS = 9_000  # of each variable: five checks in one look at all of them
EMPTY_COST = 1000.0


@cache
def many_sets() -> LocalScores:
    """Random sets of three parents, cheapest first, and the empty set at the end of each list."""
    random = np.random.default_rng(1)
    others = np.array([[y for y in range(VARIABLES) if y != x] for x in range(VARIABLES)])
    triples = np.array([(a, b, c) for c in range(39) for b in range(c) for a in range(b)])
    members, costs = [], []
    for x in range(VARIABLES):
        chosen = random.permutation(len(triples))[: SETS - 1]
        members.append(others[x][triples[chosen]])
        costs.append(np.append(np.sort(random.uniform(0, 900, SETS - 1)), EMPTY_COST))
    sizes = np.tile(np.append(np.full(SETS - 1, 3), 0), VARIABLES)
    return LocalScores(
        names=tuple(f"X{x}" for x in range(VARIABLES)),
        first_set=np.arange(VARIABLES + 1) * SETS,
        costs=np.concatenate(costs),
        first_member=np.concatenate([[0], np.cumsum(sizes)]),
        members=np.concatenate(members).ravel().astype(np.int32),
    )


def stopped_at(check: int, **settings: object) -> ParentSetRun:
    run = start_run(many_sets(), ab.SearchSettings(stop_at_check=check, **settings))
    assert isinstance(run, ParentSetRun)
    return run


def check_network(run: ParentSetRun) -> None:
    """A network of sets that there are, between the bound and the dearest network."""
    scores = many_sets()
    parents = run.parents()
    assert parents is not None
    network = ab.Network(scores.names, parents)  # which refuses cycles
    assert len(network.names) == VARIABLES
    cost = sum(scores.fixed_costs[number] for number in run.native.chosen_sets())
    now = run.native.snapshot()
    assert now.cost == cost <= VARIABLES * EMPTY_COST * UNITS_PER_NAT
    assert scores.fixed_costs[scores.first_set[:-1]].sum() <= now.lower_bound <= cost


def test_preparing_can_be_stopped_at_every_check() -> None:
    at = 0
    without_components = 0
    while True:
        at += 1
        run = stopped_at(at, local_search=False)
        assert run.native.prepare()
        check_network(run)
        run.native.finish()
        without_components += not run.native.component_sizes
        if run.native.status == "finished":  # nothing was stopped
            break
        assert run.native.status == "interrupted"
        assert run.native.snapshot().expanded == 0
    # All sets are looked at again and again, and no more than some tens of thousands at once.
    assert at > 5 * VARIABLES * SETS / 2**16
    assert 0 < without_components < at - 1


def test_a_search_that_is_stopped_before_it_begins_does_almost_nothing() -> None:
    for algorithm in ("auto", "astar", "relaxation", "block-sweep", "insertion-search"):
        run = start_run(many_sets(), ab.SearchSettings(algorithm=algorithm))
        run.stop()
        run()
        assert run.native.status == "interrupted"
        assert run.native.component_sizes == []
        assert run.native.snapshot().expanded == 0
        check_network(run)


def test_the_start_network_is_there_when_preparing_is_stopped() -> None:
    scores = many_sets()
    start = ab.Network.from_parents({name: [] for name in scores.names})
    run = start_run(scores, ab.SearchSettings(stop_at_check=1), start)
    run()
    assert run.native.status == "interrupted"
    assert run.parents() == tuple(() for _ in scores.names)


@pytest.mark.parametrize(
    "algorithm",
    [
        choice.name
        for choice in registry.algorithms()
        if choice.name not in ("ilp", "dynamic-programming")  # SCIP; too many subsets
    ],
)
def test_every_algorithm_can_be_stopped_while_it_starts(algorithm: str) -> None:
    for check in (1, 25, 35, 45, 60, 90):
        run = stopped_at(check, algorithm=algorithm, local_search=False)
        run()
        assert run.native.status in ("interrupted", "optimal", "finished")
        check_network(run)


def test_what_comes_before_the_run_takes_of_its_time() -> None:
    clock = ManualClock(tick=1.0)  # seconds pass with each look
    run = start_run(many_sets(), ab.SearchSettings(time_limit=100), clock=clock)
    assert 90 < run.native.seconds_left < 100


def test_memory_is_asked_for_before_sets_are_copied(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("anytimebn.solver.settings.memory_to_use", lambda _limit: 2**20)
    run = start_run(many_sets(), ab.SearchSettings())
    run()
    assert run.native.status == "memory"
    check_network(run)


@pytest.mark.parametrize("end", [1, 3, 10, 30, 100])
def test_cutting_planes_that_are_stopped_keep_what_they_proved(end: int) -> None:
    run = start_run(many_sets(), ab.SearchSettings(local_search=False)).native
    assert isinstance(run, _native.SearchRun)
    assert run.prepare()
    cuts = _native.CuttingPlanes(run, 0, run.contributor())
    for x in range(end):
        cuts.add_cluster([x % VARIABLES, (x + 1 + x // VARIABLES) % VARIABLES])
    before = cuts.possible_count
    run.stop()

    def add_clusters() -> None:
        for number in range(1, VARIABLES):
            cuts.add_cluster(list(range(number + 1)))

    def evaluate_often() -> None:
        for _ in range(VARIABLES):
            cuts.evaluate([], np.zeros(0, dtype=np.int64), 0)

    for work in (add_clusters, evaluate_often):
        with pytest.raises(_native.WorkStopped):
            work()
    assert cuts.possible_count == before == cuts.sets
    with pytest.raises(_native.WorkStopped):
        _native.CuttingPlanes(run, 0, run.contributor())


def test_quick_networks_look_for_all_sets_where_others_do_not_fit() -> None:
    """A chain that only its first member can begin, in the middle of long lists."""
    sets, names = 100_000, ("A", "B", "C", "D")
    # A always needs B or C, B always C, C has the empty set in the middle; D is free.
    lists = {0: [[1], [2]], 1: [[2]], 2: [[0], [], [3]], 3: [[]]}
    first_set, costs, first_member, members = [0], [], [0], []
    for x in range(4):
        own = [lists[x][i % len(lists[x])] for i in range(sets)] if x == 2 else lists[x]
        for i, each in enumerate(own):
            costs.append(float(i))
            members.extend(each)
            first_member.append(len(members))
        first_set.append(len(costs))
    scores = LocalScores(
        names=names,
        first_set=np.array(first_set),
        costs=np.array(costs),
        first_member=np.array(first_member),
        members=np.array(members, dtype=np.int32),
    )
    result = ab.search(scores, stop_at_check=1)
    assert result.status == "interrupted"
    assert result.network.parents_of("B") == ("C",)
