"""A job of learning is one value, which can be sent to another process."""

from __future__ import annotations

import multiprocessing
import pickle
from concurrent.futures import ProcessPoolExecutor
from typing import Any

import numpy as np
import pytest

import anytimebn as ab
from anytimebn.base.clock import ManualClock
from anytimebn.data import read
from anytimebn.learning import stages
from anytimebn.learning.task import LearnTask, make_task
from anytimebn.scores.scoring import ScoringOptions
from anytimebn.solver.settings import SearchSettings

RANDOM = np.random.default_rng(3)
TABLE = RANDOM.integers(0, 2, (200, 6))
TABLE[:, 3] = TABLE[:, 0] ^ (RANDOM.random(200) < 0.1)
NETWORK = ab.Network.from_parents({"X3": ["X0"], "X0": []})


def told(result: ab.Result) -> Any:
    changing = ("seconds", "events", "stages", "peak_memory_bytes")
    return {key: own for key, own in result.to_json().items() if key not in changing}


def run(task: LearnTask) -> ab.Result:
    return task.run()


def search(scores: ab.LocalScores) -> ab.Result:
    return ab.search(scores)


@pytest.mark.parametrize(
    "data", [TABLE, ab.to_dataset(TABLE), ab.score(TABLE)], ids=["array", "dataset", "scores"]
)
def test_task_gives_the_same_result_out_of_a_pickle(data: Any) -> None:
    options = {"forbid": ["X0->X3"], "seed": 3}
    task = make_task("learn", data, options)
    again = pickle.loads(pickle.dumps(task))
    assert told(again.run()) == told(task.run()) == told(ab.learn(data, **options))
    events = again.stream()
    assert [event.cost for event in events][-1] == pytest.approx(task.run().cost, abs=1e-5)


def test_scores_can_be_pickled_before_and_after_a_search() -> None:
    scores = ab.score(TABLE)
    before = pickle.dumps(scores)
    result = ab.search(scores)
    assert "native" in vars(scores)
    assert pickle.dumps(scores) == before
    again = pickle.loads(before)
    assert again.provenance == scores.provenance
    assert told(ab.search(again)) == told(result)


def test_tasks_and_scores_go_to_other_processes() -> None:
    scores = ab.score(TABLE)
    result = ab.search(scores)
    work = [
        LearnTask(data=TABLE, start=NETWORK, table_options=ab.TableOptions(exclude=["X5"])),
        LearnTask(data=TABLE, scoring=ScoringOptions(score="bdeu", ess=2.0)),
        LearnTask(data=scores, settings=SearchSettings(algorithm="astar")),
    ]
    # Processes that are forked do not have the threads of this one.
    spawning = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=spawning) as executor:
        found = list(executor.map(run, work))
        assert told(executor.submit(search, scores).result()) == told(result)
    assert [told(own) for own in found] == [told(task.run()) for task in work]
    assert found[0].network.probabilities is not None


def test_scoring_has_the_time_that_reading_has_left(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = ManualClock()
    given: list[float | None] = []
    to_dataset, score, search_really = read.to_dataset, stages.score, stages.search_with

    def read_slowly(*arguments: Any, **options: Any) -> ab.Dataset:
        if not isinstance(arguments[0], ab.Dataset):
            clock.advance(4)
        return to_dataset(*arguments, **options)

    def score_slowly(*arguments: Any, **options: Any) -> ab.LocalScores:
        given.append(options["time_limit"])
        clock.advance(5)
        return score(*arguments, **options)

    def search_with(scores: Any, settings: SearchSettings, **options: Any) -> ab.Result:
        if settings.algorithm != "auto":  # the first network
            return search_really(scores, settings, **options)
        given.append(settings.time_limit)
        return ab.search(scores)

    monkeypatch.setattr(read, "to_dataset", read_slowly)
    monkeypatch.setattr(stages, "score", score_slowly)
    monkeypatch.setattr(stages, "search_with", search_with)
    result = LearnTask(data=TABLE, settings=SearchSettings(time_limit=10)).run(clock=clock)
    assert given == [6, 1]
    assert [result.seconds[part] for part in ("reading", "scoring", "total")] == [4, 5, 9]
    given.clear()
    LearnTask(data=TABLE).run(clock=clock)
    assert given == [None, None]


def test_a_network_is_there_whatever_the_memory() -> None:
    stream = ab.stream(TABLE, memory_limit=10)
    list(stream)
    for result in (ab.learn(TABLE, memory_limit=10), stream.result):
        assert result is not None
        assert result.status == "memory"
        assert result.network.probabilities is not None


def test_settings_are_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[SearchSettings] = []
    check = SearchSettings.__post_init__

    def counting(settings: SearchSettings) -> None:
        made.append(settings)
        check(settings)

    monkeypatch.setattr(SearchSettings, "__post_init__", counting)
    ab.learn(TABLE, seed=3, gap=0.1)
    # Once by what was asked, and once more with the time that was left.
    asked = [own for own in made if own.algorithm == "auto"]
    assert [(own.seed, own.gap) for own in asked] == [(3, 0.1)] * 2


@pytest.mark.parametrize("algorithm", ["hill-climbing", "best-order-search"])
def test_events_count_from_where_the_limit_does(algorithm: str) -> None:
    # The core has a clock of its own, which counts from the beginning of the search.
    clock = ManualClock(tick=1000.0)
    task = LearnTask(data=TABLE, settings=SearchSettings(algorithm=algorithm))
    result = task.run(clock=clock)
    assert all(event.seconds >= 1000 for event in result.events)
    assert result.events[-1].seconds <= result.seconds["total"]
