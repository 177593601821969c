"""The linear relaxation: rows hold for all networks, bounds for all multipliers, proofs again."""

from __future__ import annotations

import copy
import json
import math
import threading
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from brute_force import all_networks, costs_to_go, step_costs
from hypothesis import given, settings
from hypothesis import strategies as st
from search_problems import (
    check,
    feasible_problems,
    generated,
    hard,
    local_scores,
    optimum_of,
    random_scores,
)
from stopping import Told

import anytimebn as ab
from anytimebn import _native
from anytimebn.base.threads import run_native
from anytimebn.checker.claim import Claim
from anytimebn.checker.families import problem_of
from anytimebn.checker.rows import row_bound
from anytimebn.checker.verify import verify
from anytimebn.network.random import generate
from anytimebn.result.certificates import Rows
from anytimebn.scores.store import UNITS_PER_NAT, LocalScores
from anytimebn.solver.linear import algorithms as relaxation
from anytimebn.solver.linear import loop as loop_module
from anytimebn.solver.linear.loop import CuttingPlaneLoop
from anytimebn.solver.linear.program import LinearProgram
from anytimebn.solver.run import start_run

if TYPE_CHECKING:
    from collections.abc import Iterator

few = settings(max_examples=settings.default.max_examples // 4)


def prepared(scores: LocalScores, **options: Any) -> _native.SearchRun:
    run = start_run(scores, ab.SearchSettings(algorithm="relaxation", **options)).native
    assert run.prepare()
    return run


def all_sets(variables: int, seed: int) -> LocalScores:
    """Every parent set of every variable, the empty one dearest, so that none is dominated."""
    random = np.random.default_rng(seed)
    return local_scores(
        [
            {
                frozenset(v for v in range(variables) if mask >> v & 1): UNITS_PER_NAT
                * (100 if mask == 0 else int(random.integers(0, 50)))
                for mask in range(2**variables)
                if not mask >> child & 1
            }
            for child in range(variables)
        ]
    )


def rows_from_points(
    cuts: _native.CuttingPlanes, random: np.random.Generator, points: int
) -> list[int]:
    """Cluster and zero-half rows as separation finds them, from random solutions."""
    rows: list[int] = []
    first = cuts.first_set
    for _ in range(points):
        chosen, values = [], []
        for begin, end in pairwise(first):
            count = int(min(end - begin, random.integers(1, 4)))
            chosen.extend((begin + random.choice(end - begin, count, replace=False)).tolist())
            values.extend(random.dirichlet(np.ones(count)).tolist())
        point = np.array(chosen, dtype=np.uint32), np.array(values)
        rows += cuts.separate_clusters(*point, 4, 1e-3, 60, [])
        known = sorted(set(rows))
        rows += cuts.separate_zero_half(*point, known, 60, 3, 6)
    return sorted(set(rows))


def check_rows(
    cuts: _native.CuttingPlanes, rows: list[int], networks: Iterator[list[frozenset[int]]]
) -> None:
    number = {(int(child), frozenset(cuts.members(s))): s for s, child in enumerate(cuts.child_of)}
    chosen = np.array(
        [[number[child, own] for child, own in enumerate(network)] for network in networks]
    )
    for row in rows:
        added = cuts.row(row)
        sets, coefficients = added.sets, added.coefficients
        weights = np.zeros(cuts.sets)
        weights[sets] = coefficients
        assert weights[chosen].sum(axis=1).max() <= added.right_hand_side, added.variables


@pytest.mark.parametrize("variables", [3, 4, 5])
def test_rows_hold_for_every_network(variables: int) -> None:
    networks = [
        [frozenset(v for v in range(variables) if mask >> v & 1) for mask in masks]
        for masks in all_networks(variables).T.tolist()
    ]
    ranks = set()
    for seed in range(3):
        run = prepared(all_sets(variables, seed), components=False)
        cuts = _native.CuttingPlanes(run, seed)
        rows = rows_from_points(cuts, np.random.default_rng(seed), 20)
        ranks |= {cuts.row(row).rank for row in rows}
        check_rows(cuts, rows, iter(networks))
    assert ranks >= ({0, 1} if variables == 3 else {0, 1, 2})


@few
@given(variables=st.integers(6, 12), seed=st.integers(0, 2**32))
def test_rows_hold_for_random_networks(variables: int, seed: int) -> None:
    scores = random_scores(variables, seed, sets=12, largest=4)
    cuts = _native.CuttingPlanes(prepared(scores, components=False), seed)
    random = np.random.default_rng(seed)
    rows = rows_from_points(cuts, random, 4)
    first = cuts.first_set

    def networks() -> Iterator[list[frozenset[int]]]:
        for _ in range(50):
            place = random.permutation(variables)
            network = []
            for child in range(variables):
                own = [frozenset(cuts.members(s)) for s in range(first[child], first[child + 1])]
                fitting = [p for p in own if all(place[v] < place[child] for v in p)]
                network.append(fitting[random.integers(len(fitting))])
            yield network

    check_rows(cuts, rows, networks())


def test_rows_compute_again_what_they_have_forgotten() -> None:
    scores = hard(8)
    run = prepared(scores, components=False)
    cuts, complete = _native.CuttingPlanes(run, 0), _native.CuttingPlanes(run, 0)
    pairs = [cuts.add_cluster([x, x + 1]) for x in range(7)]
    halves = [cuts.add_zero_half(pairs[:3], [0, 5]), cuts.add_zero_half(pairs[2:5], [])]
    rows = [*pairs, *halves, cuts.add_zero_half([pairs[6], *halves], [1])]
    copied = {}
    for row in rows:
        made_of = cuts.row(row)
        copied[row] = (
            complete.add_cluster(made_of.variables)
            if made_of.is_cluster
            else complete.add_zero_half([copied[p] for p in made_of.parents], made_of.children)
        )
    assert cuts.evaluate([], np.zeros(0, dtype=np.int64), 0)
    assert cuts.rule_out([50 * UNITS_PER_NAT])
    memory = cuts.memory_bytes
    cuts.drop_ruled_out()
    assert cuts.memory_bytes < memory
    rows.append(cuts.add_cluster([1, 4, 6]))  # which never knew those that are ruled out
    copied[rows[-1]] = complete.add_cluster([1, 4, 6])
    cuts.allow_all()
    assert all(map(cuts.is_possible, range(cuts.sets)))
    for row in rows:
        again, expected = cuts.row(row), complete.row(copied[row])
        assert again.sets == expected.sets
        assert again.coefficients == expected.coefficients
    assert cuts.memory_bytes == complete.memory_bytes


def random_multipliers(rows: list[int], random: np.random.Generator, shift: int) -> np.ndarray:
    sizes = random.choice([0, 1e3, 1e6, 5e6], size=len(rows)) * random.random(len(rows))
    return np.ldexp(sizes, shift).astype(np.int64)


def restricted(scores: LocalScores, cuts: _native.CuttingPlanes) -> LocalScores:
    """The problem as the cuts see it, without the sets that are ruled out."""
    possible = cuts.possible
    first = cuts.first_set
    return local_scores(
        [
            {
                frozenset(cuts.members(s)): int(cuts.regrets[s])
                for s in range(first[child], first[child + 1])
                if possible[s]
            }
            for child in range(scores.variables)
        ]
    )


@few
@given(scores=feasible_problems, seed=st.integers(0, 2**32), components=st.booleans())
def test_bound_holds_for_any_multipliers(scores: LocalScores, seed: int, components: bool) -> None:
    cuts = _native.CuttingPlanes(prepared(scores, components=components), seed)
    optimum = optimum_of(scores)
    random = np.random.default_rng(seed)
    rows = rows_from_points(cuts, random, 2)
    for shift in (0, 10):
        assert cuts.evaluate(rows, random_multipliers(rows, random, shift), shift)
        assert sum(cuts.base) + sum(cuts.bounds) <= optimum


@few
@given(
    scores=feasible_problems,
    seed=st.integers(0, 2**32),
    above=st.sampled_from([1, 2, 10**5, 10**7]),
)
def test_better_networks_are_never_ruled_out(scores: LocalScores, seed: int, above: int) -> None:
    cuts = _native.CuttingPlanes(prepared(scores, components=False), seed)
    optimum = optimum_of(scores) - sum(cuts.base)
    random = np.random.default_rng(seed)
    for _ in range(4):
        rows = rows_from_points(cuts, random, 1)
        assert cuts.evaluate(rows, random_multipliers(rows, random, 8), 8)
        cuts.rule_out([int(optimum) + above])
        assert cuts.bounds[0] <= optimum
        cuts.drop_ruled_out()
        assert costs_to_go(step_costs(restricted(scores, cuts)))[0] == optimum


@few
@given(scores=feasible_problems, seed=st.integers(0, 2**32))
def test_what_cannot_be_better_may_be_ruled_out(scores: LocalScores, seed: int) -> None:
    run = prepared(scores)
    cuts = _native.CuttingPlanes(run, seed)
    rows = rows_from_points(cuts, np.random.default_rng(seed), 1)
    assert cuts.evaluate(rows, np.zeros(len(rows), dtype=np.int64), 0)
    incumbents = [c - b for c, b in zip(run.component_costs, cuts.base, strict=True)]
    cuts.rule_out(incumbents)
    component_of = cuts.component_of
    for s, child in enumerate(cuts.child_of):
        assert cuts.possible[s] == (cuts.regrets[s] < incumbents[component_of[child]])


def test_sums_that_could_overflow_give_no_bound() -> None:
    cuts = _native.CuttingPlanes(prepared(random_scores(6, 1)), 0)
    row = cuts.add_cluster([0, 1, 2])
    assert not cuts.evaluate([row], np.array([2**62]), 0)
    with pytest.raises(ValueError, match="negative"):
        cuts.evaluate([row], np.array([-1]), 0)


# ---- results ----


@few
@given(scores=feasible_problems, seed=st.integers(0, 3), components=st.booleans())
def test_proof_is_verified_without_the_solver(
    scores: LocalScores, seed: int, components: bool
) -> None:
    result = ab.search(scores, algorithm="relaxation", seed=seed, components=components)
    check(scores, result, optimum_of(scores))
    verification = verify(json.loads(json.dumps(result.to_json())), scores=scores)
    assert verification.ok, verification.failures
    assert "no search needed" in verification.checks[-1].detail


def sparse(variables: int, seed: int) -> LocalScores:
    return ab.score(generate(variables, 2, 1000, arity=(2, 4), seed=seed)[1], max_parents=3)


@pytest.mark.parametrize("variables", [30, 70])
def test_sparse_data_are_proven(variables: int) -> None:
    scores = sparse(variables, 1)
    result = ab.search(scores, algorithm="relaxation")
    assert result.status == "optimal"
    verification = verify(json.loads(json.dumps(result.to_json())), scores=scores)
    assert verification.ok, verification.failures
    assert result.certificate is not None
    assert result.certificate["clusters"]
    again = ab.search(scores, algorithm="relaxation")
    assert again.certificate == result.certificate


def tampered(certificate: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    def change(name: str, edit: Any) -> tuple[str, dict[str, Any]]:
        other = copy.deepcopy(certificate)
        edit(other)
        return name, other

    def scale(other: dict[str, Any], by: int, over: int) -> None:
        for stage in other["stages"]:
            stage["multipliers"] = [by * multiplier for multiplier in stage["multipliers"]]
            stage["denominator"] *= over

    yield change("no stages", lambda c: c["stages"].clear())
    yield change("half the multipliers", lambda c: scale(c, 1, 2))
    yield change("tenfold multipliers", lambda c: scale(c, 10, 1))
    yield change("negative", lambda c: c["stages"][-1]["multipliers"].__setitem__(0, -5))
    yield change("no denominator", lambda c: c["stages"][-1].update(denominator=0))
    yield change("fraction", lambda c: c["stages"][-1]["multipliers"].__setitem__(0, 1.5))
    yield change("unknown row", lambda c: c["stages"][-1]["rows"].__setitem__(0, 10**6))
    yield change("too few multipliers", lambda c: c["stages"][-1]["multipliers"].pop())
    yield change("empty cluster", lambda c: c["clusters"][0].clear())
    yield change("unknown variable", lambda c: c["clusters"][0].append("nobody"))
    yield change("other clusters", lambda c: c["clusters"].reverse())
    yield change("circular", lambda c: c["zero_half"][0]["rows"].append(len(c["clusters"])))
    yield change("no parents", lambda c: c["zero_half"][0]["rows"].clear())
    yield change("other parents", lambda c: [row["rows"].pop() for row in c["zero_half"]])
    yield change("no variables", lambda c: c["zero_half"][0].update(variables=None))
    yield change("kind", lambda c: c.update(kind="trust me"))
    yield change("bound", lambda c: c.update(lower_bound="high"))


def test_columns_come_when_they_are_asked_for_where_all_do_not_fit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A program that has only some of the sets proves the same about all of them."""
    monkeypatch.setattr(loop_module, "BYTES_A_COLUMN", 2**50)
    scores = sparse(30, 1)
    run = prepared(scores)
    loop = CuttingPlaneLoop(run, _native.CuttingPlanes(run, 0), rounds=1)
    assert len(loop.first_columns()) < loop.cuts.sets
    result = ab.search(scores, algorithm="relaxation")
    assert result.status == "optimal"
    assert result.cost == ab.search(scores).cost


def test_tampered_proof_is_caught() -> None:
    scores = generated(18)
    result = ab.search(scores, algorithm="relaxation")
    assert result.status == "optimal"
    assert result.certificate is not None
    assert result.certificate["zero_half"]
    good = json.loads(json.dumps(result.to_json()))
    assert verify(good, scores=scores).ok
    for name, certificate in tampered(good["certificate"]):
        verification = verify({**good, "certificate": certificate}, scores=scores)
        assert [c.name for c in verification.failures] == ["certificate"], name
    worse = next(name for name, parents in good["parents"].items() if parents)
    other = {**good, "parents": {**good["parents"], worse: []}}
    assert not verify(other, scores=scores).ok


@few
@given(scores=feasible_problems, seed=st.integers(0, 2**32))
def test_certificate_of_anything_proves_no_more_than_the_optimum(
    scores: LocalScores, seed: int
) -> None:
    random = np.random.default_rng(seed)
    n = scores.variables
    names = scores.names
    clusters = [
        random.choice(names, size=random.integers(1, n + 1), replace=False).tolist()
        for _ in range(6)
    ]
    zero_half = [
        {
            "rows": random.integers(0, 6 + i, size=random.integers(1, 4)).tolist(),
            "variables": random.choice(names, size=random.integers(0, n + 1)).tolist(),
        }
        for i in range(5)
    ]
    stages = [
        {
            "rows": list(range(11)),
            "multipliers": [int(m) for m in random.random(11) * random.choice([0, 1e7], 11)],
            "denominator": int(random.integers(1, 9)),
        }
        for _ in range(4)
    ]
    claim = Claim.of(ab.search(scores, time_limit=0, local_search=False).to_json())
    content = {"clusters": clusters, "zero_half": zero_half, "stages": stages}
    certificate = Rows.from_json(content, names)
    assert row_bound(certificate, problem_of(claim, scores)) <= optimum_of(scores)


# ---- what goes wrong ----


def test_wrong_answers_of_the_solver_leave_bounds_right(monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(1)
    read = LinearProgram._read_solution

    def disturb(self: LinearProgram) -> None:
        read(self)
        self.multipliers = self.multipliers * (0.5 + random.random(len(self.multipliers)))
        self.values = self.values * random.random(len(self.values))

    monkeypatch.setattr(LinearProgram, "_read_solution", disturb)
    for seed in range(20):
        scores = random_scores(8, seed, levels=1000)
        result = ab.search(scores, algorithm="relaxation", parameters={"rounds": 20})
        check(scores, result, optimum_of(scores))


@pytest.mark.parametrize("failing", [0, 1, 3])
def test_failure_of_the_solver_keeps_network_and_bound(
    monkeypatch: pytest.MonkeyPatch, failing: int
) -> None:
    solve = LinearProgram.solve
    solved = []

    def fail(self: LinearProgram, seconds: float) -> bool:
        solved.append(seconds)
        return len(solved) <= failing and solve(self, seconds)

    monkeypatch.setattr(LinearProgram, "solve", fail)
    scores = hard(12)
    result = ab.search(scores, algorithm="relaxation")
    assert result.status == "finished"
    check(scores, result, optimum_of(scores))


def test_time_limit_ends_the_loop() -> None:
    result = ab.search(hard(150), algorithm="relaxation", time_limit=0.3)
    assert result.status == "time"  # many times as long would not be enough
    assert result.lower_bound <= result.cost


def test_leaving_a_stream_ends_the_loop() -> None:
    stream = ab.stream(hard(150), algorithm="relaxation")
    first = next(stream)
    for event in stream:
        if event.lower_bound > first.lower_bound:
            break
    assert stream.result is not None
    assert stream.result.status == "interrupted"
    assert stream.result.lower_bound > first.lower_bound


def test_stop_ends_the_loop_at_once() -> None:
    run = start_run(hard(150), ab.SearchSettings(algorithm="relaxation"))
    told = Told(run)

    def stop_when_it_goes_round() -> None:
        if run.native.snapshot().expanded > 3:
            raise KeyboardInterrupt

    run_native(run, told, stop_when_it_goes_round, keep_on_interrupt=True)
    assert run.native.status == "interrupted"
    assert told.expanded_after <= 2  # linear programs


def test_linear_programs_end_in_the_middle() -> None:
    """One alone can take minutes, so they ask at every step of the simplex method."""
    run = prepared(hard(60))
    loop = CuttingPlaneLoop(run, _native.CuttingPlanes(run, 0), rounds=1)
    loop.start()
    asked, most = 0, math.inf

    def interrupted() -> bool:
        nonlocal asked
        asked += 1
        return asked >= most

    def program() -> LinearProgram:
        nonlocal asked
        asked = 0
        made = LinearProgram(loop.cuts, 1.0, interrupted)
        made.add_columns(loop.first_columns())
        made.add_rows(list(loop.pool)[:2000])
        return made

    assert program().solve(math.inf)
    steps = asked
    assert steps > 20
    most = steps // 2
    assert not program().solve(math.inf)
    assert most <= asked <= most + 2
    most = math.inf
    assert not program().solve(0.0)
    assert asked < steps / 2


# ---- contributing to a run ----


def test_networks_from_outside_are_checked() -> None:
    scores = local_scores(
        [{frozenset({1}): 0, frozenset(): 5}, {frozenset({0}): 0, frozenset(): 7}]
    )
    run = prepared(scores)
    for wrong, why in (
        ([0], "each variable"),
        ([0, 2], "cycle"),
        ([2, 0], "another variable"),
        ([0, 99], "another variable"),
    ):
        with pytest.raises(ValueError, match=why):
            run.offer_network(wrong)
    run.offer_network([1, 2])
    assert run.chosen_sets() == [1, 2]
    assert not run.offer_network([0, 3])
    run.offer_bound(0, 10**9)
    assert run.component_bounds == run.component_costs == [5]
    run.finish()
    assert run.status == "optimal"


def test_two_threads_share_a_run() -> None:
    scores = hard(16)
    run = start_run(
        scores, ab.SearchSettings(algorithm="anytime-window-astar", heuristic="simple")
    ).native
    settings_ = ab.SearchSettings(algorithm="relaxation", parameters={"rounds": 30})
    assert run.prepare()
    searching = threading.Thread(target=run.search)
    searching.start()
    relaxation.run_relaxation(run, settings_)
    searching.join()
    run.finish()
    assert run.status == "optimal"
    events = run.drain_events()
    best = ab.search(scores, algorithm="astar")
    assert events[-1].cost == events[-1].lower_bound == round(best.cost * UNITS_PER_NAT)
    for earlier, later in pairwise(events):
        assert earlier.cost >= later.cost
        assert earlier.lower_bound <= later.lower_bound
        assert earlier.expanded <= later.expanded


def test_problem_without_networks_is_refused() -> None:
    scores = local_scores([{frozenset({1}): 0}, {frozenset({0}): 0}])
    assert optimum_of(scores) == math.inf
    with pytest.raises(ab.ConstraintError, match="no network exists"):
        ab.search(scores, algorithm="relaxation")
