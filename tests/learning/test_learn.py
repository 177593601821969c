"""learn, stream and search from Python: constraints, limits, progress, and results in files."""

from __future__ import annotations

import json
import sys
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from stopping import search_threads

import anytimebn as ab
from anytimebn.base.clock import ManualClock
from anytimebn.checker.verify import verify
from anytimebn.network.random import generate

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(scope="module")
def data() -> ab.Dataset:
    return generate(8, 3, 400, arity=(2, 3), seed=4)[1]


@pytest.fixture(scope="module")
def large() -> ab.LocalScores:
    """Scores of 26 variables, for which dynamic programming needs many seconds."""
    return ab.score(generate(26, 3, 400, seed=1)[1], max_parents=2)


LONG: dict[str, Any] = {"algorithm": "dynamic-programming", "components": False}


def test_learn_obeys_constraints(data: ab.Dataset) -> None:
    first, second, third = data.names[:3]
    result = ab.learn(
        data,
        require=[f"{first}->{second}"],
        forbid=[(third, first)],
        tiers=[data.names[:4], data.names[4:]],
        max_parents=2,
    )
    assert result.status == "optimal"
    assert first in result.network.parents_of(second)
    assert third not in result.network.parents_of(first)
    for name in data.names[:4]:
        assert not set(result.network.parents_of(name)) & set(data.names[4:])
    assert max(map(len, result.network.parents)) <= 2
    assert result.cost >= ab.learn(data, max_parents=2).cost


def test_result_that_is_saved_can_be_loaded(data: ab.Dataset, tmp_path: Path) -> None:
    first, second = data.names[:2]
    result = ab.learn(data, require=[(first, second)], max_parents=2)
    result.save(tmp_path / "result.json")
    loaded = ab.Result.load(tmp_path / "result.json")
    assert loaded.to_json() == result.to_json()
    assert loaded.arc_strengths == result.arc_strengths
    assert loaded.events == result.events
    again = loaded.network.fit(data)
    assert again.log_likelihood(data) == pytest.approx(result.network.log_likelihood(data))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("network unknown {}", "not JSON"),
        ("[]", "not a result; an object is needed"),
        ('{"variables": ["A"], "parents": {"A": []}}', "not a result; the key 'status' is missing"),
    ],
)
def test_what_is_no_result_is_refused(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "x.json"
    path.write_text(content)
    with pytest.raises(ab.InputError, match=message):
        ab.Result.load(path)
    with pytest.raises(ab.InputError, match="cannot be read: No such file"):
        ab.Result.load(tmp_path / "none.json")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"events": [{"seconds": 1, "cost": 2, "lower_bound": 1}]}, "event 0 lacks"),
        ({"arc_strengths": None}, "'arc_strengths' must be"),
        ({"arc_strengths": [["A", "B"]]}, "'arc_strengths' must be"),
        ({"seconds": 3}, "'seconds' is 3; an object of numbers"),
        ({"cost": 10**400}, "a finite number is needed"),
        ({"variables": ["A", "B"], "parents": {"A": ["B"], "B": ["A"]}}, "form the cycle"),
    ],
)
def test_a_damaged_result_is_refused(
    data: ab.Dataset, tmp_path: Path, change: dict[str, Any], message: str
) -> None:
    path = tmp_path / "x.json"
    path.write_text(json.dumps(ab.learn(data, max_parents=1).to_json() | change))
    with pytest.raises(ab.InputError, match=f"x.json: not a result; .*{message}"):
        ab.Result.load(path)


@pytest.mark.parametrize("algorithm", ["weighted-astar", "hill-climbing"])
def test_numbers_of_numpy_can_be_saved(data: ab.Dataset, tmp_path: Path, algorithm: str) -> None:
    result = ab.learn(
        data,
        score="bdeu",
        ess=np.float32(1),
        max_parents=np.int64(2),
        algorithm=algorithm,
        parameters={"weight": np.int64(2)} if algorithm == "weighted-astar" else {},
        seed=np.int64(3),
    )
    result.save(tmp_path / "result.json")
    assert ab.Result.load(tmp_path / "result.json").to_json() == result.to_json()


def test_one_arc_needs_no_list_around_it(data: ab.Dataset) -> None:
    first, second = data.names[:2]
    result = ab.learn(data, require=f"{first}->{second}", max_parents=2)
    assert (first, second) in result.network.arcs


def test_learn_from_scores_equals_learn_from_data(data: ab.Dataset, tmp_path: Path) -> None:
    scores = ab.score(data, "bdeu", ess=2.0, max_parents=3)
    scores.save(tmp_path / "x.jkl")
    from_data = ab.learn(data, score="bdeu", ess=2.0, max_parents=3)
    assert ab.learn(scores).cost == from_data.cost
    assert ab.learn(tmp_path / "x.jkl").cost == from_data.cost
    assert from_data.network.probabilities is not None
    assert ab.learn(scores).network.probabilities is None


def test_learn_refuses_contradictions_and_unknown_settings(data: ab.Dataset) -> None:
    first, second = data.names[:2]
    with pytest.raises(ab.ConstraintError, match="cycle"):
        ab.learn(data, require=[(first, second), (second, first)])
    with pytest.raises(ab.InputError, match="unknown algorithm"):
        ab.learn(data, algorithm="magic")
    with pytest.raises(ab.InputError, match="only when learning from data"):
        ab.learn(ab.score(data, max_parents=1), require=[(first, second)])


def test_time_limit_zero_still_gives_a_network(large: ab.LocalScores) -> None:
    result = ab.search(large, time_limit=0, **LONG)
    assert result.status == "time"
    assert 0 < result.lower_bound <= result.cost
    assert len(result.network.names) == 26


def test_time_limit_zero_from_data_is_a_limit_or_a_network(data: ab.Dataset) -> None:
    """Scoring a small table can be done before anyone looks at the clock."""
    try:
        result = ab.learn(data, time_limit=0)
    except ab.LimitReached as error:
        assert "before any network" in str(error)  # noqa: PT017
    else:
        assert result.status in ("time", "optimal")


def test_search_seconds_are_those_that_passed(large: ab.LocalScores) -> None:
    clock = ManualClock()
    passed = 0.0

    def let_time_pass(now: ab.Report) -> None:
        nonlocal passed
        if now.cost is not None:  # it has begun
            clock.advance(10.0)
            passed += 10.0
            if passed == 50.0:
                raise KeyboardInterrupt

    result = ab.search(large, progress=let_time_pass, clock=clock, **LONG)
    assert result.status == "interrupted"
    assert result.seconds["total"] == 50.0
    assert result.seconds["search"] + result.seconds["bounds"] == pytest.approx(50.0)


def test_progress_is_called_while_scoring_and_searching(data: ab.Dataset) -> None:
    scoring: list[Any] = []
    searching: list[Any] = []
    result = ab.learn(data, scoring_progress=scoring.append, progress=searching.append)
    assert 0 < scoring[-1].fraction <= 1
    assert scoring[-1].max_parents == result.max_parents
    assert [one.fraction for one in scoring] == sorted(one.fraction for one in scoring)
    assert {one.phase for one in searching} == {"order search", "searching"}
    assert searching[-1].cost == pytest.approx(result.cost, abs=1e-4)
    assert searching[-1].lower_bound == pytest.approx(result.lower_bound, abs=1e-4)


def test_one_function_gets_all_reports_in_the_order_of_the_phases(data: ab.Dataset) -> None:
    reports: list[ab.Report] = []
    ab.learn(data, progress=reports.append)
    phases = [report.phase for report in reports]
    assert list(dict.fromkeys(phases)) == ["order search", "scoring", "searching"]
    assert phases == sorted(phases)
    scoring = [report for report in reports if report.phase == "scoring"]
    assert scoring[0].fraction is not None
    assert scoring[0].cost is None
    assert reports[-1].space == "all networks"
    assert reports[-1].fraction is None
    assert ab.SearchProgress is ab.BootstrapProgress is ab.Report


class Unhappy(Exception):
    pass


def test_exception_in_progress_stops_the_search_and_propagates(large: ab.LocalScores) -> None:
    def complain(now: ab.Report) -> None:
        if now.cost is not None:
            raise Unhappy

    with pytest.raises(Unhappy):
        ab.search(large, progress=complain, **LONG)
    assert search_threads() == []


def test_nobody_hears_of_progress(data: ab.Dataset) -> None:
    scores = ab.score(data, progress=False)
    found = ab.search(scores, progress=False)
    learned = ab.learn(data, progress=False, scoring_progress=False)
    assert found.cost == pytest.approx(learned.cost)
    assert ab.posterior(data, progress=False).names == scores.names
    assert next(iter(ab.networks_within(data, factor=1.0, progress=False)))


def test_exception_in_scoring_progress_propagates(data: ab.Dataset) -> None:
    def complain(_: object) -> None:
        raise Unhappy

    with pytest.raises(Unhappy):
        ab.learn(data, scoring_progress=complain)
    assert search_threads() == []


def test_interrupt_keeps_the_network(large: ab.LocalScores) -> None:
    pressed = []

    def interrupt(now: ab.Report) -> None:
        if now.cost is not None and not pressed:
            pressed.append(now)
            raise KeyboardInterrupt

    result = ab.search(large, progress=interrupt, **LONG)
    assert result.status == "interrupted"
    assert result.lower_bound <= result.cost


def test_stream_yields_events_in_order_and_ends_with_the_result(data: ab.Dataset) -> None:
    stream = ab.stream(data, max_parents=3)
    events = list(stream)
    assert stream.result is not None
    assert stream.result.status == "optimal"
    assert list(stream.result.events) == events
    costs = [event.cost for event in events]
    bounds = [event.lower_bound for event in events if event.lower_bound is not None]
    assert costs == sorted(costs, reverse=True)
    assert bounds == sorted(bounds)
    assert [event.space for event in events if event.space] == [
        "order search",
        "networks of up to 3 parents",
    ]
    assert stream.network is not None
    assert stream.network.arcs == stream.result.network.arcs


def test_leaving_a_stream_stops_its_thread(large: ab.LocalScores) -> None:
    for event in ab.stream(large, **LONG):
        assert event.lower_bound <= event.cost
        break
    assert search_threads() == []


def test_leaving_the_loop_over_a_named_stream_stops_it(large: ab.LocalScores) -> None:
    stream = ab.stream(large, **LONG)
    first = next(stream)  # which does not stop it
    assert search_threads() != []
    for event in stream:
        assert event.cost <= first.cost
        break
    assert search_threads() == []
    assert stream.result is not None
    assert stream.result.status == "interrupted"
    assert list(stream) == []
    assert stream.close() is stream.result


def test_stream_says_how_far_it_is() -> None:
    table = np.random.default_rng(1).integers(0, 2, (200, 6))
    with ab.stream(table) as stream:
        assert repr(stream) == "Stream(searching: no event was taken yet)"
        event = next(stream)
        told = repr(stream)
        assert told.startswith("Stream(searching: 1 event so far; cost ")
        assert f"cost {event.cost:.4f}, lower bound " in told
    assert repr(stream) == f"Stream(ended: {stream.result!r})"


def test_leaving_the_block_of_a_stream_stops_it(large: ab.LocalScores) -> None:
    with ab.stream(large, **LONG) as stream:
        event = next(stream)
        assert search_threads() != []
    assert search_threads() == []
    assert stream.result is not None
    assert stream.result.status == "interrupted"
    assert event in stream.result.events
    with pytest.raises(Unhappy), ab.stream(large, **LONG) as stream:
        raise Unhappy
    assert search_threads() == []


def test_another_thread_may_close_a_stream(large: ab.LocalScores) -> None:
    stream = ab.stream(large, **LONG)
    taken = [next(stream)]
    closing = threading.Thread(target=stream.close)
    closing.start()
    taken += stream  # ends, because the stream was closed
    closing.join()
    assert stream.result is not None
    assert stream.result.status == "interrupted"
    assert list(stream.result.events)[: len(taken)] == taken
    assert len(set(map(id, stream.result.events))) == len(stream.result.events)


def test_closing_a_stream_gives_the_result_so_far(large: ab.LocalScores) -> None:
    stream = ab.stream(large, **LONG)
    next(stream)
    result = stream.close()
    assert result.status == "interrupted"
    assert stream.close() is result
    assert search_threads() == []


@pytest.mark.parametrize("score", ["mdl", "bdeu", "fnml"])
def test_result_in_a_file_verifies(data: ab.Dataset, tmp_path: Path, score: str) -> None:
    scores = ab.score(data, score, max_parents=3)
    result = ab.learn(data, score=score, max_parents=3)
    path = tmp_path / "result.json"
    result.save(path)
    content = json.loads(path.read_text())
    assert content["version"] == ab.__version__
    assert content["parents"] == {n: list(result.network.parents_of(n)) for n in data.names}
    verification = verify(content, data=data, scores=scores)
    assert verification.ok, verification.failures
    assert verify({**content, "cost": content["cost"] - 1}, data=data).failures


@pytest.mark.parametrize(
    "limit", [{"time_limit": 0}, {"time_limit": 0.05}, {"max_expansions": 100}]
)
def test_result_of_a_limit_verifies(large: ab.LocalScores, limit: dict[str, Any]) -> None:
    result = ab.search(large, **LONG, **limit)
    assert result.status in ("time", "expansions")
    verification = verify(json.loads(json.dumps(result.to_json())), scores=large)
    assert verification.ok, verification.failures


WRONG_OPTIONS: dict[str, tuple[dict[str, Any], str]] = {
    "option": ({"tiem_limit": 1}, r"unknown option 'tiem_limit' \(did you mean 'time_limit'\?\)"),
    "score case": ({"score": "BDeu"}, r"unknown score 'BDeu' \(did you mean 'bdeu'\?\)"),
    "score": ({"score": None}, "unknown score None: choose one of aic, bdeu"),
    "algorithm": ({"algorithm": "a-star"}, r"\(did you mean 'astar'\?\): choose one of"),
    "heuristic": ({"algorithm": "astar", "heuristic": 3}, "unknown heuristic 3: choose one of"),
    "parameter": (
        {"algorithm": "weighted-astar", "parameters": {"wieght": 2}},
        r"has no parameter 'wieght' \(did you mean 'weight'\?\); it has:",
    ),
    "parameter value": (
        {"algorithm": "weighted-astar", "parameters": {"weight": "2"}},
        "parameter weight must be a number between 1 and .*, not '2'",
    ),
    "parameters": ({"parameters": [1]}, "parameters must be numbers by name"),
    "groups": ({"groups": ["X1"]}, r"groups must be lists of names, .*not \['X1'\]"),
    "ess": ({"ess": "1"}, "ess must be between 1e-100 and 1e6, not '1'"),
    "max_parents": ({"max_parents": 1.5}, "max_parents, unless it is 'auto', must be a whole"),
    "jobs": ({"jobs": "2"}, "jobs must be a whole number, at least 1, not '2'"),
    "many jobs": ({"jobs": 2**40}, "jobs must be at most"),
    "time_limit": ({"time_limit": "9"}, "time_limit must be a number, at least 0 seconds, not '9'"),
    "nan": ({"time_limit": float("nan")}, "time_limit must be at least 0 seconds, not nan"),
    "gap": ({"gap": None}, "gap must be a number, at least 0, not None"),
    "seed": ({"seed": 1.5}, "seed must be a whole number, at least 0, not 1.5"),
    "memory_limit": ({"memory_limit": [8]}, r"not an amount of memory: \[8\]; write"),
    "expansions": ({"max_expansions": "1"}, "max_expansions must be a whole number"),
    "bound": ({"bound": "yes"}, "bound must be True or False, not 'yes'"),
    "require": ({"require": 5}, "require must be a list of arcs, .*not 5"),
    "parent_limits": ({"parent_limits": 3}, "parent_limits must be whole numbers by name"),
    "knowledge": ({"knowledge": 3}, "knowledge must be a Knowledge, or the path of a file, not 3"),
    "missing": ({"missing": "dorp"}, r"'dorp' \(did you mean 'drop'\?\)"),
}


@pytest.mark.parametrize("case", WRONG_OPTIONS)
@pytest.mark.parametrize("function", [ab.learn, ab.stream])
def test_wrong_options_are_explained(function: Any, case: str) -> None:
    options, message = WRONG_OPTIONS[case]
    with pytest.raises(ab.InputError, match=message):
        function(np.array([[0, 1], [1, 0], [1, 1]]), **options)


def test_search_explains_what_it_takes(data: ab.Dataset) -> None:
    with pytest.raises(ab.InputError, match=r"needs the LocalScores .*call anytimebn.learn"):
        ab.search(data)  # type: ignore[arg-type]
    with pytest.raises(ab.InputError, match=r"knowledge must be a Knowledge, not 'a.toml'"):
        ab.score(data, knowledge="a.toml")  # type: ignore[arg-type]
    with pytest.raises(ab.InputError, match=r"score: unknown option 'bin' .*'bins'"):
        ab.score(data, bin=3)
    assert ab.score(data, max_parents=1, memory_limit="8GiB").max_parents == 1


@pytest.mark.parametrize("algorithm", ["auto", "hill-climbing"])
def test_stream_has_a_network_with_probabilities_at_any_time(algorithm: str) -> None:
    table = np.random.default_rng(1).integers(0, 2, (100, 5))
    with ab.stream(table, algorithm=algorithm) as events:
        assert events.network is not None  # before anybody asked for an event
        assert events.network.probabilities is not None
        for event in events:
            assert event.cost >= 0
            assert events.network.probabilities is not None
            break
    assert events.result is not None
    assert events.result.network.probabilities is not None
    assert events.network == events.result.network


def test_leaving_the_loop_leaves_a_result() -> None:
    table = np.random.default_rng(1).integers(0, 2, (100, 5))
    events = ab.stream(table)
    for _ in events:
        break
    assert events.result is not None
    assert events.result.network.log_likelihood(table) < 0


def test_ctrl_c_while_the_view_is_closed_loses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    @contextmanager
    def pressed_at_its_end(*_: object) -> Iterator[None]:
        yield None
        raise KeyboardInterrupt

    module = sys.modules[ab.learn.__module__]
    monkeypatch.setattr(module, "watching", pressed_at_its_end)
    table = np.array([[0, 0], [1, 1]] * 20)
    assert ab.learn(table).status == "optimal"
