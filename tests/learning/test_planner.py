"""The stages of learning from a table: a network first, and the best of all stages in the end."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest
from stopping import GUARD, search_threads
from strategies import random_table

import anytimebn as ab
from anytimebn.base.clock import Deadline, ManualClock, Stopwatch
from anytimebn.base.report import ORDERS, SCORING
from anytimebn.checker.verify import verify
from anytimebn.learning import planner, spaces, stages
from anytimebn.learning.beside import OrdersBeside
from anytimebn.learning.journal import Journal
from anytimebn.learning.planner import Planner
from anytimebn.learning.stage_sink import SoFar, StageSink
from anytimebn.learning.task import LearnTask
from anytimebn.network.random import generate
from anytimebn.result.words import status_line
from anytimebn.scores.on_demand import CountedScores
from anytimebn.scores.parent_limit import auto_max_parents
from anytimebn.scores.scoring import ScoringOptions, limit_may_matter
from anytimebn.solver.outcome import result_of
from anytimebn.solver.settings import SearchSettings
from anytimebn.solver.stream import stream_search


def table(seed: int = 1) -> ab.Dataset:
    return generate(8, 3, 500, seed=seed)[1]


def with_few_parents(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let parent sets of more than one member be too much work."""
    monkeypatch.setattr("anytimebn.scores.parent_limit.AUTO_CELL_VISITS", 0)


@pytest.mark.parametrize(
    ("ended", "status"), [(ab.LimitReached("late"), "time"), (KeyboardInterrupt(), "interrupted")]
)
@pytest.mark.parametrize("algorithm", ["auto", "astar"])
def test_whatever_ends_scoring_leaves_a_network(
    monkeypatch: pytest.MonkeyPatch, ended: BaseException, status: str, algorithm: str
) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise ended

    monkeypatch.setattr(stages, "score", fail)
    data = table()
    result = ab.learn(data, algorithm=algorithm)
    assert (result.status, result.algorithm) == (status, algorithm)
    assert result.lower_bound is None
    assert "not all parent sets had been scored" in status_line(result)
    assert result.network.probabilities is not None
    empty = ab.Network(data.names, ((),) * 8)
    assert result.cost < sum(cost for cost, _ in (ab.score(data).best(n, ()) for n in empty.names))


@pytest.mark.parametrize("score", ["mdl", "aic", "bdeu", "fnml", "qnml"])
@pytest.mark.parametrize("seed", [1, 2])
def test_the_first_network_changes_no_proven_cost(score: str, seed: int) -> None:
    data = table(seed)
    result = ab.learn(data, score=score)
    alone = ab.search(ab.score(data, score))
    assert result.status == alone.status == "optimal"
    assert result.cost == pytest.approx(alone.cost, abs=1e-5)
    costs = [event.cost for event in result.events]
    assert costs == sorted(costs, reverse=True)
    seconds = [event.seconds for event in result.events]
    assert seconds == sorted(seconds)


def test_a_start_network_is_never_made_worse() -> None:
    data = table()
    best = ab.learn(data).network
    again = ab.learn(data, start=best, max_expansions=0)
    assert again.cost == pytest.approx(ab.learn(data).cost, abs=1e-5)


def test_where_all_sets_are_too_many_the_space_grows(monkeypatch: pytest.MonkeyPatch) -> None:
    data = table()
    best = ab.learn(data)
    with_few_parents(monkeypatch)
    assert limit_may_matter(data, ab.Knowledge(), ScoringOptions())
    assert not limit_may_matter(data, ab.Knowledge(), ScoringOptions(max_parents=1))
    result = ab.learn(data)
    # So few variables that all sets are searched in the end, level by level, if there is time.
    assert result.cost == pytest.approx(best.cost, abs=1e-5)
    assert result.claim is not None
    assert result.claim.startswith(("optimal", "neighbourhood-optimal"))
    assert result.details["stages"][2]["stage"] == "the neighbourhood"
    limited = ab.learn(data, max_parents=1)
    assert (limited.claim, limited.max_parents) == ("optimal up to 1 parent", 1)
    assert max(map(len, limited.network.parents)) == 1


def test_families_of_good_networks_and_further_ones_are_searched(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with_few_parents(monkeypatch)
    asked: list[dict[str, Any]] = []
    really = spaces.score_neighbourhood

    def score_neighbourhood(*given: Any, **options: Any) -> ab.LocalScores:
        asked.append({**options, "networks": given[1]})
        return really(*given, **options)

    monkeypatch.setattr(spaces, "score_neighbourhood", score_neighbourhood)
    monkeypatch.setattr(planner, "UNNOTICED", 1000.0)
    result = ab.learn(table())
    assert any(options["further"] for options in asked)
    # Near those of one good network, then of two, of four, ...
    breadths = [len(options["networks"]) - 1 for options in asked if len(options["networks"]) > 1]
    assert breadths[:2] == [1, 2]
    good = [options["others"] for options in asked if options["others"]]
    assert any(len(own) > 1 for families in good for own in families)
    assert result.claim is not None


@pytest.mark.parametrize("time_limit", [None, 60])
@pytest.mark.parametrize("score", ["mdl", "bdeu"])
def test_the_neighbourhood_alone(score: str, time_limit: float | None) -> None:
    data = random_table([2, 3] * 7, 300, seed=2)
    found = ab.learn(data, score=score, algorithm="best-order-search", max_expansions=200)
    # Of the last stages only the orders go on until the limit, unless these find nothing.
    result = ab.learn(data, score=score, space="neighbourhood", time_limit=time_limit)
    assert result.claim == "neighbourhood-optimal"
    assert result.cost <= found.cost + 1e-5
    assert result.cost == result.lower_bound
    assert verify(result.to_json(), data=data).ok


def test_complete_means_all_sets_up_to_a_size_and_nothing_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with_few_parents(monkeypatch)
    result = ab.learn(table(), space="complete")
    assert (result.claim, result.max_parents) == ("optimal up to 1 parent", 1)
    assert max(map(len, result.network.parents)) <= 1


def test_within_one_space_costs_and_bounds_only_improve(monkeypatch: pytest.MonkeyPatch) -> None:
    with_few_parents(monkeypatch)
    for time_limit in (None, 60):
        result = ab.learn(table(), time_limit=time_limit, seed=3)
        costs = [event.cost for event in result.events]
        seconds = [event.seconds for event in result.events]
        assert costs == sorted(costs, reverse=True)
        assert seconds == sorted(seconds)
        bound: float | None = None
        for event in result.events:
            if event.space is None and bound is not None:
                assert event.lower_bound is not None
                assert event.lower_bound >= bound
            bound = event.lower_bound
            assert bound is None or bound <= event.cost
        assert verify(result.to_json(), data=table()).ok


@pytest.mark.parametrize("stage", range(6))
@pytest.mark.parametrize("interrupted", ["scored", "searched"])
def test_ctrl_c_in_any_stage_keeps_the_best(
    monkeypatch: pytest.MonkeyPatch, stage: int, interrupted: str
) -> None:
    with_few_parents(monkeypatch)
    data = table()
    began: list[str] = []

    def counting(really: Any, kind: str) -> Any:
        def work(*arguments: Any, **options: Any) -> Any:
            began.append(kind)
            if kind == interrupted and began.count(kind) == stage + 2:
                raise KeyboardInterrupt
            return really(*arguments, **options)

        return work

    monkeypatch.setattr(stages, "search_with", counting(stages.search_with, "searched"))
    monkeypatch.setattr(
        spaces, "score_neighbourhood", counting(spaces.score_neighbourhood, "scored")
    )
    result = ab.learn(data)
    assert verify(result.to_json(), data=data).ok
    first = result.details["stages"][0]["cost"]
    assert result.cost <= first


def test_ctrl_c_in_a_wider_space_is_told_with_what_is_proven(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def interrupted(*_: Any) -> bool:
        raise KeyboardInterrupt

    with_few_parents(monkeypatch)
    monkeypatch.setattr(Planner, "_search_wider", interrupted)
    result = ab.learn(table())
    assert (result.status, result.claim) == ("optimal", "neighbourhood-optimal")
    assert status_line(result).endswith("costs less; interrupted while searching further")
    assert result.to_json()["ended_by"] == "interrupted"
    assert verify(result.to_json(), data=table()).ok
    # Who asked for no more than the neighbourhood, or has all that there is, was not cut short.
    assert "ended_by" not in ab.learn(table(), space="neighbourhood").details


def test_what_orders_beside_took_is_told_once() -> None:
    settings = ab.SearchSettings(algorithm="best-order-search", max_expansions=50)
    taken: list[ab.Result] = []
    with OrdersBeside(
        stream_search(CountedScores(table()), settings),
        watch=Stopwatch.started(),
        end=1.0,
        share=0.5,
        take=taken.append,
        hear=lambda *_: None,
    ) as beside:
        beside.ended(GUARD)
        beside.close()
        found = beside.so_far()
    assert found.network == taken[0].network
    assert (found.expanded, set(found.seconds.values())) == (0, {0.0})
    assert taken[0].expanded > 0
    assert taken[0].seconds["total"] > 0


def test_progress_says_which_space_is_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    with_few_parents(monkeypatch)
    reports: list[ab.Report] = []
    ab.learn(table(), progress=reports.append)
    told = {report.space for report in reports if report.phase == "searching"}
    assert {"the neighbourhood", "all networks"} <= told


def test_progress_never_forgets_the_best_cost_nor_what_is_proven_of_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with_few_parents(monkeypatch)
    reports: list[ab.Report] = []
    really = stages.search_with

    def begins_anew(*given: Any, progress: Any, **options: Any) -> ab.Result:
        """Report what a search has to tell when it begins: no bound, and a dear network."""
        progress(ab.Report(phase="searching", seconds=0.0, cost=1e9))
        return really(*given, progress=progress, **options)

    monkeypatch.setattr(stages, "search_with", begins_anew)
    ab.learn(table(), progress=reports.append)
    told = [report for report in reports if report.cost is not None]
    costs = [report.cost for report in told[1:]]  # of the very first search nothing is known
    assert costs == sorted(costs, reverse=True)
    earlier = [report for report in told if report.bound_space is not None]
    assert earlier[0].bound_space == "the neighbourhood"
    assert all(report.lower_bound is not None for report in earlier)
    assert any(report.space == "all networks" for report in earlier)


def test_progress_of_a_better_network_has_no_bound_of_another() -> None:
    told: list[ab.Report] = []
    known = SoFar(10.0, 9.0, "the neighbourhood", rounding=1e-6)
    sink = StageSink(told.append, "all networks", None, [], lambda: known)
    for cost, bound in ((12.0, None), (10.0 - 1e-9, None), (9.5, None), (12.0, 8.0)):
        sink(ab.Report(phase="searching", seconds=0.0, cost=cost, lower_bound=bound))
    assert [(now.cost, now.lower_bound, now.bound_space) for now in told] == [
        (10.0, 9.0, "the neighbourhood"),
        (10.0 - 1e-9, 9.0, "the neighbourhood"),
        (9.5, None, None),
        (10.0, 8.0, None),
    ]


def test_a_network_below_a_proven_optimum_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    data = table()
    found = ab.learn(data, algorithm="best-order-search")
    really = stages.search_with

    def too_cheap(scores: Any, settings: ab.SearchSettings, **options: Any) -> ab.Result:
        if settings.algorithm == "auto":
            return really(scores, settings, **options)
        return replace(found, cost=found.cost - 1)

    monkeypatch.setattr(stages, "search_with", too_cheap)
    with pytest.raises(RuntimeError, match="cheaper than one that was proven optimal"):
        ab.learn(data)


def test_a_stream_of_a_table_has_a_network_whenever_it_is_left(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with_few_parents(monkeypatch)
    data = table()
    count = len(list(ab.stream(data)))
    assert count > 3
    for taken in range(1, count):
        stream = ab.stream(data)
        for _ in range(taken):
            next(stream, None)
        result = stream.close()
        assert result.network.probabilities is not None
        assert verify(result.to_json(), data=data).ok
        assert search_threads() == []


def test_the_first_network_repeats_whatever_the_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Planner, "_go_on", lambda planner, _: planner.stop())
    data = random_table([2, 3] * 6, 300, seed=2)
    planners = [
        Planner(
            dataset=data,
            scoring=ScoringOptions(),
            knowledge=ab.Knowledge(),
            settings=ab.SearchSettings(jobs=jobs, seed=4),
            start=None,
            watch=Stopwatch.started(),
            deadline=Deadline.after(None),
        )
        for jobs in (1, 2, 3)
    ]
    found = [one.run() for one in planners]
    assert [own.status for own in found] == ["interrupted"] * 3
    assert len({own.network for own in found}) == 1


@pytest.mark.parametrize("stage", ["_first_network", "_orders_beside", "_wait_for_a_network"])
@pytest.mark.parametrize("algorithm", ["auto", "astar"])
def test_ctrl_c_before_the_first_network_leaves_one(
    monkeypatch: pytest.MonkeyPatch, stage: str, algorithm: str
) -> None:
    def interrupted(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Planner, stage, interrupted)
    data = table()
    required = ab.Knowledge(required=frozenset({(data.names[0], data.names[1])}))
    limit = None if stage == "_first_network" or algorithm == "astar" else 60
    if limit is None:
        monkeypatch.setattr(Planner, "_first_network", interrupted)
    result = ab.learn(data, algorithm=algorithm, knowledge=required, time_limit=limit)
    assert (result.status, result.lower_bound) == ("interrupted", None)
    assert required.violations(result.network) == []
    assert verify(result.to_json(), data=data).ok
    assert search_threads() == []


@pytest.mark.parametrize("number", range(4))
@pytest.mark.parametrize("algorithm", ["auto", "astar"])
def test_ctrl_c_after_a_search_does_not_lose_its_network(
    monkeypatch: pytest.MonkeyPatch, number: int, algorithm: str
) -> None:
    calls = 0

    def interrupted(*given: Any) -> ab.Result:
        nonlocal calls
        calls += 1
        if calls == number + 1:
            raise KeyboardInterrupt
        return result_of(*given)

    monkeypatch.setattr("anytimebn.solver.search.result_of", interrupted)
    with_few_parents(monkeypatch)
    data = table()
    result = ab.learn(data, algorithm=algorithm, local_search=False)
    assert result.status in ("interrupted", "optimal")
    assert verify(result.to_json(), data=data).failures == ()


@pytest.mark.parametrize("options", [{"algorithm": "relaxation"}, {"max_expansions": 0}])
def test_no_event_is_dearer_than_one_before(options: dict[str, Any]) -> None:
    # The first network is not of the algorithm that is asked for: it stays in the background.
    for seed in range(1, 6):
        data = table(seed)
        stream = ab.stream(data, local_search=False, **options)
        costs = [event.cost for event in stream]
        assert costs == sorted(costs, reverse=True)
        assert stream.result is not None
        assert verify(stream.result.to_json(), data=data).ok


def test_a_limit_of_one_variable_is_no_reason_to_look_further(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    data = random_table([3, 2, 2, 2, 2], 12, seed=1)
    known = ab.Knowledge(max_parents={data.names[4]: 1})
    scores = ab.score(data, "fnml", knowledge=known)
    assert scores.provenance.max_parents_exact
    assert not ab.score(data, "fnml", knowledge=known, max_parents=0).provenance.max_parents_exact
    with_few_parents(monkeypatch)
    result = ab.learn(data, score="fnml", knowledge=known)
    assert result.claim == "optimal"
    assert result.cost == pytest.approx(ab.search(scores).cost, abs=1e-5)


def test_a_network_as_good_as_one_within_the_limit_is_left_for_that(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with_few_parents(monkeypatch)
    data = random_table([4, 3, 3, 4], 1, seed=1)  # of one row: all networks cost the same
    start = ab.Network(data.names, ((), (0,), (0, 1), (0, 1, 2)))
    result = ab.learn(data, start=start)
    assert result.claim == "optimal"
    assert verify(result.to_json(), data=data).failures == ()


def test_a_bound_that_falls_is_one_of_another_neighbourhood() -> None:
    journal = Journal(Stopwatch.started())
    first = journal.listener("the neighbourhood")
    first(ab.Event(0.1, 20.0, 10.0, 0), ())
    first(ab.Event(0.2, 15.0, 15.0, 0), ())
    second = journal.listener("the neighbourhood")
    second(ab.Event(0.1, 15.0, 12.0, 0), ())
    assert [event.space for event in journal.events] == [
        "the neighbourhood",
        None,
        "the neighbourhood",
    ]


@pytest.mark.parametrize("algorithm", ["auto", "hill-climbing", "best-order-search", "astar"])
@pytest.mark.parametrize("time_limit", [0, 60])
def test_arcs_of_constant_columns_are_dropped_from_a_start_network(
    algorithm: str, time_limit: float
) -> None:
    data = random_table([2, 1, 3], 30, seed=1)
    a, b, c = data.names
    start = ab.Network.from_parents({a: [], b: [a], c: [a, b]})
    required = ab.Knowledge(required=frozenset({(b, c)}))
    for known in (ab.Knowledge(), required):
        result = ab.learn(
            data, start=start, knowledge=known, algorithm=algorithm, time_limit=time_limit
        )
        assert known.violations(result.network) == []
        assert (a, b) not in result.network.arcs


@pytest.mark.parametrize("space", ["grow", "complete"])
@pytest.mark.parametrize("time_limit", [None, 60])
def test_a_memory_limit_that_leaves_out_large_sets_is_kept_by_all_stages(
    monkeypatch: pytest.MonkeyPatch, space: str, time_limit: float | None
) -> None:
    def with_memory(*given: Any) -> int:
        return 1 if given[4:] and given[4] < math.inf else auto_max_parents(*given)

    monkeypatch.setattr("anytimebn.scores.scoring.auto_max_parents", with_memory)
    data = table()
    assert not limit_may_matter(data, ab.Knowledge(), ScoringOptions())
    assert limit_may_matter(data, ab.Knowledge(), ScoringOptions(), "64GiB")
    result = ab.learn(data, space=space, memory_limit="64GiB", time_limit=time_limit)
    assert verify(result.to_json(), data=data).failures == ()
    if space == "complete":
        assert result.claim == "optimal up to 1 parent"


def test_a_network_that_costs_less_by_rounding_takes_no_proof_away() -> None:
    data = table()
    proven = ab.learn(data)
    other = ab.learn(data, algorithm="hill-climbing")
    journal = Journal(Stopwatch.started())
    assert journal.take("all networks", proven, covers=True)
    assert not journal.take(ORDERS, replace(other, cost=proven.cost - 1e-7))
    assert journal.result("auto").claim == "optimal"
    assert journal.take(ORDERS, replace(other, cost=proven.cost - 1e-4))
    journal.status = "optimal"
    assert (journal.result("auto").status, journal.result("auto").claim) == ("finished", None)


def test_in_the_last_third_a_bound_is_worth_more_than_a_better_order(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with_few_parents(monkeypatch)
    monkeypatch.setattr(OrdersBeside, "needs_all", property(lambda self: self.look() < math.inf))
    clock, told = ManualClock(), []

    def let_time_pass(now: ab.Report) -> None:
        if now.cost is not None and clock.seconds() < 50:
            clock.advance(10.5)
        if now.lower_bound is not None:
            told.append(clock.seconds())
            raise KeyboardInterrupt

    task = LearnTask(data=table(), settings=SearchSettings(time_limit=60, jobs=2))
    result = task.run(progress=let_time_pass, clock=clock)
    assert min(told) >= 42
    assert result.lower_bound is not None


def test_families_that_take_too_long_to_count_are_left_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What is left of the time is worth more to the order search."""
    with_few_parents(monkeypatch)
    monkeypatch.setattr(OrdersBeside, "needs_all", property(lambda self: self.look() < math.inf))
    clock, asked = ManualClock(), 0

    def count_slowly(*_: Any, progress: Any, **__: Any) -> None:
        nonlocal asked
        asked += 1
        progress(ab.Report(phase=SCORING, seconds=2.0, fraction=0.1))
        raise AssertionError("it goes on counting")

    def let_time_pass(now: ab.Report) -> None:
        if asked and now.phase == ORDERS:
            raise KeyboardInterrupt
        if now.cost is not None and clock.seconds() < 50:
            clock.advance(10.5)

    monkeypatch.setattr(spaces, "score_neighbourhood", count_slowly)
    task = LearnTask(data=table(), settings=SearchSettings(time_limit=60, jobs=2))
    result = task.run(progress=let_time_pass, clock=clock)
    assert asked == 1
    assert (result.status, result.lower_bound) == ("interrupted", None)
