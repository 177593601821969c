"""Local scores: parent sets that can be optimal, against brute force by the reference scores."""

from __future__ import annotations

import inspect
import itertools
import math
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
import pytest
from brute_force import (
    Sets,
    all_networks,
    candidates,
    lowest_cost,
    permits,
    possibly_optimal,
)
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from strategies import (
    datasets,
    knowledge_of,
    problems,
    random_table,
    repeated_rows,
    table,
)

import anytimebn as ab
from anytimebn import _native
from anytimebn.base.clock import ManualClock
from anytimebn.checker.formulas import SCORE_NAMES, local_cost, log_normaliser
from anytimebn.network.random import generate
from anytimebn.scores.registry import find_score, score_names
from anytimebn.scores.restrict import restrict
from anytimebn.scores.scoring import ScoringOptions, most_parents_of_interest, scoring_task
from anytimebn.scores.store import LocalScores

if TYPE_CHECKING:
    from anytimebn.data.dataset import Dataset
    from anytimebn.knowledge.constraints import ResolvedKnowledge

COUNTERS = ("bitwise", "rowwise")

every_score = pytest.mark.parametrize("score", score_names())
by_penalty = pytest.mark.parametrize("score", ["mdl", "bic", "aic"])


# One choice for all examples of a test is what is wanted.
quick = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=25)


def compute(
    data: Dataset,
    resolved: ResolvedKnowledge,
    score: str,
    *,
    ess: float = 1.0,
    jobs: int = 1,
    counter: str = "automatic",
) -> LocalScores:
    """Score with a counter of choice, which the public function does not offer."""
    task = _native.ScoringTask(
        data.codes,
        list(data.arities),
        [list(parents) for parents in resolved.required],
        [list(parents) for parents in resolved.refused],
        list(resolved.limits),
        score,
        {"ess": ess},
        jobs,
        counter,
    )
    result = _native.compute_local_scores(task, _native.Control())
    assert result.complete
    return LocalScores(data.names, *result.take_arrays(), score, data.arities)


def sets_of(scores: LocalScores, child: int) -> Sets:
    numbers = range(scores.first_set[child], scores.first_set[child + 1])
    found = {frozenset(scores.parents(number)): float(scores.costs[number]) for number in numbers}
    assert len(found) == len(numbers), "a parent set is listed twice"
    return found


def assert_pops(
    scores: LocalScores, data: Dataset, resolved: ResolvedKnowledge, ess: float = 1.0
) -> None:
    for child in range(data.variables):
        check_child(
            scores, child, candidates(data, resolved, child, scores.score_name, ess), data.rows
        )


def check_child(scores: LocalScores, child: int, costs: Sets, rows: int) -> None:
    found = sets_of(scores, child)
    kept, unclear = possibly_optimal(costs)
    assert found.keys() - unclear == kept.keys() - unclear, f"rows: {rows}, child: {child}"
    for parents, cost in found.items():
        assert cost == pytest.approx(costs[parents], abs=1e-7, rel=1e-10)


def same(one: LocalScores, other: LocalScores) -> bool:
    """Bit by bit."""
    return all(
        getattr(one, name).tobytes() == getattr(other, name).tobytes()
        for name in ("first_set", "costs", "first_member", "members")
    )


# --- possibly optimal parent sets -----------------------------------------------------------------


def test_registry_has_the_scores_of_the_reference():
    assert sorted(SCORE_NAMES) == sorted(score_names())


@every_score
@given(problem=problems(), ess=st.sampled_from([0.1, 1.0, 25.0]))
@quick
def test_pops_equal_brute_force(score, instruction_set, problem, ess):
    data, knowledge, limit = problem
    resolved = knowledge.resolve(data.names, limit)
    found = {c: compute(data, resolved, score, ess=ess, counter=c) for c in COUNTERS}
    assert same(found["bitwise"], found["rowwise"]), instruction_set
    assert_pops(found["bitwise"], data, resolved, ess)


@every_score
@given(data=datasets(variables=(6, 7), rows=(20, 150), arities=(2, 3)), limit=st.integers(3, 6))
@settings(quick, max_examples=3)
def test_pops_of_large_sets_equal_brute_force(score, data, limit):
    """Deep enough for counting to move bits, and for the last three variables at once."""
    resolved = ab.Knowledge().resolve(data.names, min(limit, data.variables - 1))
    found = [compute(data, resolved, score, counter=c) for c in COUNTERS]
    assert same(*found)
    assert_pops(found[0], data, resolved)


@by_penalty
@given(data=datasets(variables=(6, 8), rows=(15, 250), arities=(2, 5)), draw=st.data())
@settings(quick, max_examples=6)
def test_pops_of_columns_with_many_values_equal_brute_force(score, data, draw):
    """Where the penalty rules out most large sets, and counting leaves them out."""
    knowledge = draw.draw(st.one_of(st.just(ab.Knowledge()), knowledge_of(data)))
    resolved = knowledge.resolve(data.names, data.variables - 1)
    found = [compute(data, resolved, score, counter=c, jobs=2) for c in COUNTERS]
    assert same(*found)
    assert_pops(found[0], data, resolved)


@every_score
@pytest.mark.usefixtures("instruction_set")
def test_pops_of_binary_data_equal_brute_force(score):
    data = random_table([2] * 7, rows=203, seed=5)
    resolved = ab.Knowledge().resolve(data.names, 6)
    for counter in COUNTERS:
        assert_pops(compute(data, resolved, score, counter=counter), data, resolved)


@every_score
def test_pops_of_more_than_64_variables_equal_brute_force(score):
    data = random_table([2] * 69 + [3], rows=90, seed=2)
    scores = ab.score(data, score, max_parents=2)
    resolved = ab.Knowledge().resolve(data.names, 2)
    for child in (0, 69):
        check_child(scores, child, candidates(data, resolved, child, score), data.rows)


def test_pops_are_sorted_by_rounded_cost_then_size_then_members():
    scores = ab.score(random_table([2, 3, 2, 2, 3, 2], rows=120, seed=1), "bdeu")
    for child in range(scores.variables):
        numbers = range(scores.first_set[child], scores.first_set[child + 1])
        keys = [
            (int(scores.fixed_costs[s]), len(scores.parents(s)), scores.parents(s)) for s in numbers
        ]
        assert keys == sorted(keys)


@every_score
def test_a_constant_column_has_no_parents_and_no_children(score):
    codes = np.array(random_table([2, 3, 2], rows=60, seed=4).codes)
    data = table(np.insert(codes, 1, 0, axis=0), [2, 1, 3, 2])
    scores = ab.score(data, score)
    assert sets_of(scores, 1) == {frozenset(): 0.0}
    assert 1 not in scores.members
    without = ab.score(table(codes, [2, 3, 2]), score)
    assert np.array_equal(scores.costs[scores.costs > 0], without.costs)


def test_a_constant_column_can_be_required_as_parent_and_child():
    codes = np.array(random_table([2, 3, 2], rows=60, seed=4).codes)
    data = table(np.insert(codes, 1, 0, axis=0), [2, 1, 3, 2])
    knowledge = ab.Knowledge(required=frozenset({("X1", "X2"), ("X0", "X1")}))
    scores = ab.score(data, "mdl", knowledge=knowledge, max_parents=2)
    assert sets_of(scores, 1) == {frozenset({0}): 0.0}
    assert all(1 in parents for parents in sets_of(scores, 2))


# --- the same result every way --------------------------------------------------------------------

TABLES = {
    "one row": (random_table([2, 3, 1, 2], rows=1, seed=1), 3),
    "two rows": (random_table([2, 3, 2, 4], rows=2, seed=1), 3),
    "equal rows": (table(np.repeat([[1], [0], [2]], 70, axis=1), [2, 2, 3]), 2),
    "rows with weights": (
        table(np.repeat(random_table([2, 3, 2, 2, 3], 9, seed=2).codes, range(1, 10), axis=1)),
        4,
    ),
    "63 rows": (random_table([2] * 8, rows=63, seed=3), 7),
    "64 rows": (random_table([2] * 8, rows=64, seed=4), 7),
    "65 rows": (random_table([2, 3, 2, 4, 2, 2], rows=65, seed=5), 5),
    "129 rows": (random_table([2, 2, 3, 2, 3, 2], rows=129, seed=6), 5),
    "12 binary": (random_table([2] * 12, rows=300, seed=7), 6),
    "9 mixed": (random_table([2, 3, 4, 2, 5, 2, 3, 2, 7], rows=250, seed=8), 5),
    "70 variables": (random_table([2, 3] * 35, rows=100, seed=9), 1),
    "66 binary": (random_table([2] * 66, rows=77, seed=10), 2),
    "65536 values": (
        table(
            np.vstack(
                [
                    np.random.default_rng(11).integers(0, 2**16, size=130),
                    random_table([2, 3, 2], rows=130, seed=11).codes,
                ]
            ),
            [2**16, 2, 3, 2],
        ),
        2,
    ),
}


@every_score
@pytest.mark.parametrize("name", TABLES)
def test_threads_counters_and_instruction_sets_give_the_same_bits(score, name, instruction_set):
    data, limit = TABLES[name]
    resolved = ab.Knowledge().resolve(data.names, limit)
    one, *others = (
        compute(data, resolved, score, jobs=jobs, counter=counter)
        for jobs in (1, 2, 3)
        for counter in COUNTERS
    )
    assert all(same(one, other) for other in others)
    assert same(one, portable_scores(name, score)), instruction_set


@cache
def portable_scores(name: str, score: str) -> LocalScores:
    before = _native.instruction_set()
    _native.limit_instruction_set("portable")
    try:
        data, limit = TABLES[name]
        return compute(data, ab.Knowledge().resolve(data.names, limit), score)
    finally:
        _native.limit_instruction_set(before)


@every_score
@pytest.mark.parametrize("name", ["one row", "two rows", "equal rows", "rows with weights"])
def test_pops_of_unusual_tables_equal_brute_force(score, name):
    data, limit = TABLES[name]
    resolved = ab.Knowledge().resolve(data.names, limit)
    assert_pops(portable_scores(name, score), data, resolved)


@every_score
@given(data=datasets())
@settings(quick, max_examples=10)
def test_equal_rows_count_as_often_as_they_occur(score, data):
    """The order of rows means nothing, so neither does that of repeated ones."""
    codes = np.repeat(data.codes, 3, axis=1)
    shuffled = np.random.default_rng(1).permutation(codes, axis=1)
    one, other = (
        ab.score(table(rows, list(data.arities)), score, max_parents=2, jobs=1)
        for rows in (codes, shuffled)
    )
    assert same(one, other)


@every_score
@given(data=repeated_rows(variables=(3, 6), rows=(1, 14), arities=(2, 4)))
@settings(quick, max_examples=8)
@pytest.mark.usefixtures("instruction_set")
def test_pops_of_repeated_rows_equal_brute_force(score, data):
    resolved = ab.Knowledge().resolve(data.names, data.variables - 1)
    found = [compute(data, resolved, score, counter=c, jobs=2) for c in COUNTERS]
    assert same(*found)
    assert_pops(found[0], data, resolved)


@every_score
@pytest.mark.usefixtures("instruction_set")
def test_pops_of_repeated_binary_rows_equal_brute_force(score):
    """Deep enough for all kernels, with weights of many binary digits."""
    few = random_table([2] * 7, rows=40, seed=3).codes
    data = table(np.repeat(few, np.arange(40) * 7 % 97 + 1, axis=1), [2] * 7)
    resolved = ab.Knowledge().resolve(data.names, 6)
    for counter in COUNTERS:
        assert_pops(compute(data, resolved, score, counter=counter), data, resolved)


# --- networks -------------------------------------------------------------------------------------


def test_all_networks_are_as_many_as_robinson_counted():
    assert [all_networks(n).shape[1] for n in range(1, 6)] == [1, 3, 25, 543, 29281]


def assert_optimal(data: Dataset, knowledge: ab.Knowledge, limit: int, score: str) -> None:
    scores = ab.score(data, score, max_parents=limit, knowledge=knowledge, jobs=1)
    result = ab.search(scores, algorithm="dynamic-programming")
    assert result.status == "optimal"
    # Costs are rounded for the search, so that it may take a network that is as good to a unit.
    assert result.cost == pytest.approx(lowest_cost(data, knowledge, limit, score), abs=1e-5)
    for child, parents in enumerate(result.network.parents):
        assert len(parents) <= limit
        assert permits(knowledge, data.names, child, sum(1 << p for p in parents))
    recomputed = math.fsum(
        local_cost(data, child, parents, score)
        for child, parents in enumerate(result.network.parents)
    )
    assert result.cost == pytest.approx(recomputed, abs=1e-6)


@every_score
@given(problem=problems(variables=(2, 4), rows=(1, 120), arities=(1, 3)))
@quick
def test_the_best_network_is_the_best_of_all(score, problem):
    assert_optimal(*problem, score)


FIVE = random_table([2, 3, 2, 2, 4], rows=250, seed=12, noise=0.2)


@every_score
def test_the_best_network_of_five_variables_is_the_best_of_all(score):
    assert_optimal(FIVE, ab.Knowledge(), 4, score)


@every_score
@pytest.mark.parametrize("kind", ["required", "forbidden", "tiers", "max_parents"])
def test_the_best_network_under_constraints_that_matter_is_the_best_of_all(score, kind):
    """Constraints that rule the best network out, so that ignoring them would show."""
    best = ab.search(ab.score(FIVE, score), algorithm="dynamic-programming").network
    arcs = [(parent, child) for child in best.names for parent in best.parents_of(child)]
    most = max(best.names, key=lambda name: len(best.parents_of(name)))
    both_ways = {*arcs, *((child, parent) for parent, child in arcs)}
    absent = sorted(set(itertools.permutations(best.names, 2)) - both_ways)
    knowledge = {
        "required": ab.Knowledge(required=frozenset(absent[:1])),
        "forbidden": ab.Knowledge(forbidden=frozenset({arcs[0], arcs[0][::-1]})),
        "tiers": ab.Knowledge(tiers=((most,), best.parents_of(most))),
        "max_parents": ab.Knowledge(max_parents=dict.fromkeys(best.names, 0) | {most: 1}),
    }[kind]
    assert not all(
        permits(knowledge, best.names, child, sum(1 << p for p in parents))
        for child, parents in enumerate(best.parents)
    )
    assert_optimal(FIVE, knowledge, 4, score)


# --- what LocalScores offers ----------------------------------------------------------------------


@every_score
@given(data=datasets(), draw=st.data())
@quick
def test_best_equals_brute_force(score, data, draw):
    scores = ab.score(data, score, max_parents=data.variables - 1, jobs=1)
    name = draw.draw(st.sampled_from(data.names))
    others = [other for other in data.names if other != name]
    among = draw.draw(st.lists(st.sampled_from(others), unique=True))
    cost, parents = scores.best(name, among)
    child = data.names.index(name)
    expected = min(
        local_cost(data, child, [data.names.index(p) for p in chosen], score)
        for size in range(len(among) + 1)
        for chosen in itertools.combinations(among, size)
    )
    assert set(parents) <= set(among)
    assert cost == pytest.approx(expected, abs=1.1e-6)


def test_best_of_many_variables_equals_a_scan(instruction_set):
    data = random_table([2] * 100, rows=120, seed=13)
    scores = ab.score(data, "aic", max_parents=2)
    random = np.random.default_rng(13)
    for _ in range(200):
        name, *among = random.permutation(data.names)[: random.integers(1, 100)].tolist()
        expected = next(
            (cost, parents)
            for cost, parents in scores.parent_sets(name)
            if set(parents) <= set(among)
        )
        assert scores.best(name, among) == expected, instruction_set


@every_score
@given(data=datasets(), draw=st.data())
@quick
def test_restrict_equals_scoring_with_the_constraints(score, data, draw):
    knowledge = draw.draw(knowledge_of(data, required=False))
    limit = draw.draw(st.integers(0, data.variables - 1))
    one = restrict(ab.score(data, score, max_parents=limit, jobs=1), knowledge)
    other = ab.score(data, score, max_parents=limit, knowledge=knowledge, jobs=1)
    assert same(one, other)


def test_restrict_refuses_required_arcs():
    scores = ab.score(random_table([2, 2], rows=9, seed=1))
    with pytest.raises(ab.InputError, match="required only when learning from data"):
        restrict(scores, ab.Knowledge(required=frozenset({("X0", "X1")})))


# --- the limit on parents -------------------------------------------------------------------------


def cap_of(data: Dataset, score: str, knowledge: ab.Knowledge | None = None) -> int:
    options = ScoringOptions(score=score)
    return most_parents_of_interest(data, knowledge or ab.Knowledge(), options)


@every_score
@given(problem=problems(variables=(3, 6), rows=(1, 40), arities=(1, 5)))
@quick
def test_no_parent_set_beyond_the_cap_is_possibly_optimal(score, problem):
    data, knowledge, _ = problem
    resolved = knowledge.resolve(data.names, data.variables - 1)
    caps = _native.most_useful_parents(
        scoring_task(data, knowledge, data.variables - 1, score, ess=1.0, jobs=1)
    )
    for child in range(data.variables):
        kept, _ = possibly_optimal(candidates(data, resolved, child, score))
        assert max(map(len, kept)) <= caps[child]


def test_cap_is_that_of_the_penalty():
    fair = table(np.tile(np.arange(1000, dtype=np.uint16) % 2, (12, 1)))
    assert [cap_of(fair, score) for score in ("mdl", "bic", "aic")] == [7, 7, 9]
    assert [cap_of(fair, score) for score in ("bdeu", "fnml", "qnml")] == [11] * 3


def test_cap_is_lower_for_columns_of_many_values_and_for_those_that_hardly_vary():
    ternary = table(np.tile(np.arange(1000, dtype=np.uint16) % 3, (12, 1)))
    rare = table(np.tile((np.arange(1000) < 10).astype(np.uint16), (12, 1)))
    assert cap_of(ternary, "mdl") == 4
    assert cap_of(rare, "mdl") == 4


@pytest.mark.parametrize(("score", "rows"), [("mdl", 4), ("mdl", 16), ("aic", 4), ("aic", 16)])
def test_cap_is_at_most_one_too_high(score, rows):
    """A child that all values of its parents determine, and no part of them tells about."""
    reached = cap = 0
    for bits in range(1, rows):
        values = np.arange(rows) % 2**bits
        columns = [values >> bit & 1 for bit in range(bits)]
        data = table(np.array([*columns, np.bitwise_xor.reduce(columns)]), [2] * (bits + 1))
        cap = cap_of(data, score)
        if cap < bits:
            break
        scores = ab.score(data, score, max_parents=bits, jobs=1)
        reached = max(reached, *map(len, sets_of(scores, bits)))
    assert reached >= cap - 1


@every_score
@given(problem=problems(variables=(3, 5), rows=(1, 25)))
@quick
def test_an_exact_limit_loses_nothing(score, problem):
    data, knowledge, limit = problem
    some = ab.score(data, score, max_parents=limit, knowledge=knowledge, jobs=1)
    if some.metadata["max_parents_exact"]:
        every = ab.score(data, score, max_parents=data.variables - 1, knowledge=knowledge, jobs=1)
        assert same(some, every)


@by_penalty
@given(data=datasets(variables=(3, 6), rows=(2, 25)))
@quick
def test_auto_is_exact_where_the_score_has_a_cap(score, data):
    scores = ab.score(data, score, jobs=1)
    assert scores.metadata["max_parents"] <= cap_of(data, score)
    assert scores.metadata["max_parents_exact"]
    assert same(scores, ab.score(data, score, max_parents=data.variables - 1, jobs=1))


@every_score
@given(problem=problems(variables=(4, 6), rows=(1, 120), arities=(1, 5)), draw=st.data())
@quick
def test_complete_variables_lose_nothing_by_the_limit(score, problem, draw):
    data, knowledge, _ = problem
    needed = max(sum(child == name for _, child in knowledge.required) for name in data.names)
    limit = draw.draw(st.integers(needed, max(needed, 2)))
    some = ab.score(data, score, max_parents=limit, knowledge=knowledge, jobs=1)
    every = ab.score(data, score, max_parents=data.variables - 1, knowledge=knowledge, jobs=1)
    complete = some.provenance.complete_variables
    assert (complete is None) == some.provenance.max_parents_exact
    for name in data.names if complete is None else complete:
        assert sets_of(some, data.names.index(name)) == sets_of(every, data.names.index(name))


def test_a_variable_can_be_complete_while_others_are_not():
    fair = random_table([2] * 7, rows=200, seed=1, noise=0.5).codes
    rare = (np.arange(200) < 3).astype(np.uint16)
    scores = ab.score(table(np.vstack([rare, fair])), "mdl", max_parents=2, jobs=1)
    assert scores.metadata["max_parents_exact"] is False
    assert scores.metadata["complete_variables"] == ["X0"]


@by_penalty
def test_joint_tables_that_the_penalty_rules_out_are_not_counted(score):
    data = random_table([4] * 9, rows=100, seed=1)
    scores = ab.score(data, score, max_parents=8, jobs=1)
    assert scores.provenance.max_parents_exact
    assert scores.provenance.sets_counted < 2**9 / 2


def test_auto_says_when_larger_sets_might_be_better(monkeypatch):
    monkeypatch.setattr("anytimebn.scores.parent_limit.AUTO_CELL_VISITS", 1e6)
    scores = ab.score(random_table([2] * 20, rows=100, seed=1), "bdeu", jobs=1)
    assert 1 < scores.metadata["max_parents"] < 19
    assert scores.metadata["max_parents_exact"] is False


@by_penalty
def test_auto_allows_required_parents_beyond_the_cap(score):
    data = random_table([2] * 7, rows=8, seed=1)
    assert cap_of(data, score) < 5
    knowledge = ab.Knowledge(required=frozenset((f"X{v}", "X6") for v in range(5)))
    scores = ab.score(data, score, knowledge=knowledge)
    assert scores.metadata["max_parents"] >= 5


def test_auto_is_exact_with_required_arcs():
    data = random_table([2] * 5, rows=9, seed=25, noise=0.0)
    knowledge = ab.Knowledge(required=frozenset({("X0", "X4"), ("X1", "X4")}))
    every = ab.score(data, "mdl", knowledge=knowledge, max_parents=4)
    assert same(ab.score(data, "mdl", knowledge=knowledge), every)


def test_scoring_that_cannot_fit_is_refused_with_a_way_out():
    data = random_table([2] * 20, rows=50, seed=1)
    with pytest.raises(ab.InputError, match=r"the memory limit is .*lower --max-parents \(now 9\)"):
        ab.score(data, "bdeu", max_parents=9, memory_limit=2**20)
    ab.score(data, "bdeu", max_parents=2, memory_limit=2**20)


def test_scoring_stops_at_the_time_limit():
    data = random_table([2] * 30, rows=2000, seed=1)
    with pytest.raises(ab.LimitReached, match=r"lower --max-parents \(now 9\)"):
        ab.score(
            data,
            "mdl",
            max_parents=9,
            time_limit=1000.0,
            memory_limit=2**40,
            clock=ManualClock(tick=400.0),
        )


def test_scoring_goes_on_until_the_time_limit():
    """Time passes with what is done, and would not have sufficed for the rest."""
    data = random_table([2] * 24, rows=1000, seed=1)
    clock, seen = ManualClock(), []

    def work(now):
        clock.advance(10.0)
        seen.append(now.fraction)

    with pytest.raises(ab.LimitReached, match=r"ended scoring when \d+% was done"):
        ab.score(data, "mdl", max_parents=8, time_limit=50.0, progress=work, clock=clock)
    assert len(seen) >= 5
    assert seen == sorted(seen)


@pytest.mark.parametrize("option", [{"max_parents": -1}, {"ess": 0.0}, {"jobs": 0}])
def test_options_that_make_no_sense_are_refused(option):
    with pytest.raises(ab.InputError, match=next(iter(option))):
        ab.score(random_table([2, 2], rows=5, seed=1), "bdeu", **option)


def test_an_unknown_score_is_answered_with_the_known_ones():
    with pytest.raises(ab.InputError, match=r"'bdue' \(did you mean 'bdeu'\?\): choose one of aic"):
        ab.score(random_table([2, 2], rows=5, seed=1), "bdue")


def test_scores_declare_what_they_take_and_can() -> None:
    assert [name for name in score_names() if find_score(name).takes("ess")] == ["bdeu"]
    (ess,) = find_score("bdeu").parameters
    assert ess.default == inspect.signature(ab.score).parameters["ess"].default
    tables = {name: find_score(name).largest_table for name in score_names()}
    assert tables == dict.fromkeys(score_names(), math.inf) | {"qnml": 1e9}
    with pytest.raises(ab.InputError, match=r"unknown score 'bdue'.*did you mean 'bdeu'"):
        find_score("bdue")


# --- agreement with the plain normaliser, and with other programs ---------------------------------


@pytest.mark.parametrize("values", [2, 3, 5, 300])
@pytest.mark.parametrize("rows", [1, 2, 64, 999, 20_000, 20_001, 50_000])
@pytest.mark.parametrize("score", ["fnml", "qnml"])
def test_multinomial_normaliser_equals_the_plain_one(score, values, rows):
    """A column that shows one of its values fits perfectly: the normaliser is all it costs."""
    data = table(np.zeros((2, rows), dtype=np.uint16), [values, 2])
    cost, _ = ab.score(data, score, max_parents=0, jobs=1).best("X0", [])
    assert cost == pytest.approx(log_normaliser(values, rows), abs=1e-9, rel=1e-12)


def network_and_frame(seed):
    """A network that the data did not choose, and the data with texts as values."""
    import pandas as pd

    network, data = generate(6, 3, 400, arity=(2, 4), seed=seed)
    # Others count only the values that occur.
    data = table(np.array([np.unique(row, return_inverse=True)[1] for row in data.codes]))
    data = ab.Dataset(network.names, data.states, data.codes)
    texts = {name: [f"s{c}" for c in row] for name, row in zip(data.names, data.codes, strict=True)}
    return network, data, pd.DataFrame(texts)


def ours(network: ab.Network, data: Dataset, score: str) -> list[float]:
    """Costs of the variables with the parents of the network, by the native scorer.

    With all arcs of the network required and no others allowed, there is one parent set for each.
    """
    arcs = {(parent, name) for name in network.names for parent in network.parents_of(name)}
    most = max(map(len, network.parents))
    knowledge = ab.Knowledge(
        required=frozenset(arcs),
        forbidden=frozenset(set(itertools.permutations(network.names, 2)) - arcs),
    )
    scores = ab.score(data, score, max_parents=most, knowledge=knowledge)
    assert scores.pops == data.variables
    return scores.costs.tolist()


@pytest.mark.peers
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("seed", range(3))
def test_mdl_is_minus_the_bic_of_pgmpy(seed):
    from pgmpy import structure_score as peer

    network, data, frame = network_and_frame(seed)
    peers = {
        "mdl": peer.BIC(frame),
        "aic": peer.AIC(frame),
        "bdeu": peer.BDeu(frame, equivalent_sample_size=1),
    }
    for score, scorer in peers.items():
        theirs = [
            scorer.local_score(name, tuple(network.parents_of(name))) for name in network.names
        ]
        assert ours(network, data, score) == pytest.approx([-value for value in theirs])


@pytest.mark.peers
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("seed", range(3))
def test_mdl_is_minus_the_bic_of_pyagrum(seed):
    import pyagrum

    network, data, frame = network_and_frame(seed)
    learner = pyagrum.BNLearner(frame)
    learner.useNoPrior()
    learner.useScoreBIC()
    bits = [learner.score(name, list(network.parents_of(name))) for name in network.names]
    assert ours(network, data, "mdl") == pytest.approx([-value * math.log(2) for value in bits])
