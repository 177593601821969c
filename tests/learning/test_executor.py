"""Learning with workers beside it: what they find is of use, and never believed."""

from __future__ import annotations

import math
import os
import signal
import subprocess
import sys
import threading
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor
from concurrent.futures import ThreadPoolExecutor as Threads
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from stopping import GUARD, search_threads
from strategies import random_table

import anytimebn as ab
from anytimebn.base.clock import Deadline, ManualClock, Stopwatch
from anytimebn.base.executors import Tasks, places_of
from anytimebn.base.helpers import Helpers, Mark, Refused
from anytimebn.checker.verify import verify
from anytimebn.learning import orders_elsewhere
from anytimebn.learning.beside import OrdersBeside
from anytimebn.learning.orders_elsewhere import (
    FoundOrder,
    OrdersElsewhere,
    Referee,
    search_orders,
)
from anytimebn.network.random import generate
from anytimebn.result.certificates import Rows, Stage
from anytimebn.scores.on_demand import CountedScores
from anytimebn.solver import elsewhere
from anytimebn.solver.elsewhere import Proof, ProofsElsewhere, help_from, seconds_of_task
from anytimebn.solver.outcome import result_of
from anytimebn.solver.run import ParentSetRun, start_run
from anytimebn.solver.settings import SearchSettings
from anytimebn.solver.stream import stream_search

if TYPE_CHECKING:
    from collections.abc import Iterator

TABLE = Path(__file__).parents[2] / "examples" / "clinic.csv"
ORDERS = SearchSettings(algorithm="best-order-search", seed=1)

pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::DeprecationWarning")


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    """A Dask cluster of two processes."""
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=":0", silence_logs=50
        ) as cluster,
        distributed.Client(cluster, set_as_default=False) as client,
    ):
        yield client


@pytest.fixture(scope="module")
def data() -> ab.Dataset:
    """A table on which an order search alone does not end with the best network."""
    return generate(25, 4, 300, seed=3)[1]


def spawned(workers: int) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(workers, mp_context=get_context("spawn"))


class Scripted(Executor):
    """An executor whose workers return what a test says, or never anything."""

    _max_workers = 2

    def __init__(self, *answers: Any) -> None:
        self.answers = list(answers)
        self.asked: list[tuple[Any, ...]] = []
        self.cancelled = threading.Event()

    def submit(self, fn: Any, /, *args: Any, **_: Any) -> Future[Any]:
        self.asked.append((fn, *args))
        future: Future[Any] = Future()
        if self.answers:
            answer = self.answers.pop(0)
            if isinstance(answer, BaseException):
                future.set_exception(answer)
            else:
                future.set_result(answer)
        else:
            future.add_done_callback(lambda _: self.cancelled.set())
        return future


class Counting(Executor):
    """Another executor, and how often it was asked."""

    def __init__(self, other: Threads) -> None:
        self._other = other
        self._max_workers = other._max_workers
        self.asked = 0

    def submit(self, fn: Any, /, *args: Any, **named: Any) -> Future[Any]:
        self.asked += 1
        return self._other.submit(fn, *args, **named)


class Gone(Executor):
    """An executor that takes nothing."""

    def submit(self, *_: Any, **__: Any) -> Future[Any]:
        raise BrokenExecutor("all are gone")


# ---- rounds, without a time limit ----


def networks_of(data: ab.Dataset, executor: Executor | None) -> tuple[Any, float, str | None]:
    found = ab.learn(data, space="neighbourhood", progress=False, executor=executor)
    return found.network, found.cost, found.claim


def test_without_a_limit_results_do_not_depend_on_workers(client: Any, data: ab.Dataset) -> None:
    with Threads(1) as one, Threads(3) as three, spawned(2) as processes:
        first = networks_of(data, one)
        assert networks_of(data, three) == first
        assert networks_of(data, processes) == first
    assert networks_of(data, client.get_executor()) == first
    alone = networks_of(data, None)
    assert first[1] < alone[1] - 1  # it is of use here
    assert first[2] == alone[2] == "neighbourhood-optimal"


def test_death_of_workers_changes_no_result(client: Any, data: ab.Dataset) -> None:
    with Threads(1) as one:
        expected = networks_of(data, one)
    killed: list[int] = []

    def kill(report: ab.Report) -> None:
        if report.phase == "order search" and not killed:
            killed.extend(client.run(os.getpid).values())
            for process in killed:
                os.kill(process, signal.SIGKILL)

    found = ab.learn(data, space="neighbourhood", progress=kill, executor=client.get_executor())
    assert killed
    assert (found.network, found.cost, found.claim) == expected


def test_rounds_go_on_here_when_a_pool_breaks(data: ab.Dataset) -> None:
    with Threads(1) as one:
        expected = networks_of(data, one)
    with pytest.warns(ab.WorkerWarning, match="the rest is done in this process"):
        assert networks_of(data, Gone()) == expected


def test_rounds_that_fail_leave_what_is_found_here(data: ab.Dataset) -> None:
    alone = networks_of(data, None)
    with pytest.warns(ab.WorkerWarning, match="went on here alone .ValueError: no such module"):
        assert networks_of(data, Scripted(ValueError("no such module"))) == alone


def forged(data: ab.Dataset) -> dict[str, tuple[Any, str]]:
    """What no honest worker returns, and what is said of it."""
    n = data.variables
    empty = ((),) * n
    cost = ab.learn(data, algorithm="best-order-search", max_expansions=0).cost
    cycle = ((1,), (0,), *empty[2:])
    return {
        "too low a cost": (FoundOrder(empty, cost - 1e4, []), "a network that costs"),
        "a cycle": (FoundOrder(cycle, 0.0, []), "no network .*cycle"),
        "too few variables": (FoundOrder(empty[1:], 0.0, []), "no network"),
        "no such variable": (FoundOrder(((n,), *empty[1:]), 0.0, []), "no network"),
        "no numbers": (FoundOrder(("ab", *empty[1:]), 0.0, []), "no network"),  # type: ignore[arg-type]
        "another table": (FoundOrder(empty, 1e9, [[(n,)]] * n), "a family of other variables"),
        "nothing of the kind": ("done", "no network, but 'done'"),
    }


@pytest.mark.parametrize("kind", list(forged(random_table([2] * 4, 30, seed=1))))
def test_forged_answers_are_refused_in_rounds(kind: str, data: ab.Dataset) -> None:
    answer, said = forged(data)[kind]
    alone = networks_of(data, None)
    answers = [answer] * 2 * orders_elsewhere.TASKS_OF_A_ROUND
    with pytest.warns(ab.WorkerWarning, match=f"left out: {said}"):
        assert networks_of(data, Scripted(*answers)) == alone


def test_networks_against_knowledge_are_refused() -> None:
    data = random_table([2] * 4, 200, seed=1)
    counted = CountedScores(
        data, max_parents=1, knowledge=ab.Knowledge(forbidden=frozenset({("X0", "X1")}))
    )
    referee = Referee(counted, ORDERS)
    for parents in (((), (0,), (), ()), ((1, 2), (), (), ())):
        with pytest.raises(Refused, match="a network that is not allowed"):
            referee.judge(FoundOrder(parents, -1e9, []), 0.0)
    assert referee.best is None
    assert referee.judge(None, 0.0) is None


def test_a_stop_ends_rounds_though_workers_hang(data: ab.Dataset) -> None:
    hanging = Scripted()
    events = ab.stream(data, space="neighbourhood", executor=hanging)
    with events:
        while len(hanging.asked) < orders_elsewhere.TASKS_OF_A_ROUND and not events.ended(0.01):
            pass
    assert events.result is not None
    assert events.result.status == "interrupted"
    assert hanging.cancelled.wait(GUARD)


def test_interrupt_ends_rounds_though_workers_hang(data: ab.Dataset) -> None:
    hanging = Scripted()

    def press(report: ab.Report) -> None:
        if report.phase == "order search" and report.seconds > 0 and hanging.asked:
            raise KeyboardInterrupt

    found = ab.learn(data, space="neighbourhood", progress=press, executor=hanging)
    assert found.status == "interrupted"
    assert hanging.cancelled.wait(GUARD)


def test_task_in_a_thread_ends_when_nobody_waits(data: ab.Dataset) -> None:
    """It has no limit of its own, and would go on for ever."""
    mark = Mark()
    settings = replace(ORDERS, parameters={"patience": 1e9})
    with Threads(1) as pool:
        future = pool.submit(search_orders, CountedScores(data), mark, settings, None)
        mark.stopped = True
        assert isinstance(future.result(GUARD), FoundOrder)


# ---- beside, with a time limit ----


def beside(
    data: ab.Dataset, executor: Executor, clock: ManualClock, limit: float = 100.0
) -> tuple[OrdersElsewhere, list[ab.Network]]:
    heard: list[ab.Network] = []
    workers = OrdersElsewhere(
        CountedScores(data),
        executor,
        settings=ORDERS,
        watch=Stopwatch.started(clock),
        deadline=Deadline.after(limit, clock),
        incumbent=lambda: (1e9, ((),) * data.variables),
        better=heard.append,
    )
    return workers, heard


def honest(data: ab.Dataset) -> FoundOrder:
    """What a worker returns; its families are those of its network."""
    settings = replace(ORDERS, max_expansions=400)
    found = search_orders(CountedScores(data), Mark(), settings, None)
    assert found is not None
    return found._replace(good_families=[[own] for own in found.parents])


def wait_until(true: Any) -> None:
    guard = threading.Event()
    for _ in range(GUARD * 100):
        if true():
            return
        guard.wait(0.01)
    raise AssertionError("it never happened")


def test_tasks_take_as_long_as_all_before() -> None:
    assert seconds_of_task(0.0, 100.0) == 1.0
    assert seconds_of_task(8.0, 100.0) == 8.0
    assert seconds_of_task(500.0, 1e9) == elsewhere.LONGEST
    assert seconds_of_task(8.0, 2.0) == 2.0 - elsewhere.RESERVE
    assert seconds_of_task(8.0, 0.5) is None
    assert seconds_of_task(8.0, -1.0) is None


def test_tasks_have_seeds_and_starts_by_their_number(data: ab.Dataset) -> None:
    clock = ManualClock()
    first, _ = beside(data, Scripted(), clock)
    second, _ = beside(data, Scripted(), clock)
    tasks = [first.next_task(number) for number in range(8)]
    assert tasks == [second.next_task(number) for number in range(8)]
    whole = [task for task in tasks if task is not None]
    assert len({settings.seed for settings, _ in whole}) == 8
    assert [start is None for _, start in whole] == [True, False, False, False] * 2
    clock.advance(100.0)
    assert first.next_task(8) is None


def test_best_network_of_workers_is_scored_here_and_told(data: ab.Dataset) -> None:
    answer = honest(data)
    executor = Scripted(answer)
    workers, heard = beside(data, executor, ManualClock())
    workers.start()
    wait_until(lambda: heard)
    # As soon as one is back, the next one is handed out, with the network that came back.
    wait_until(lambda: len(executor.asked) == 3)
    workers.close()
    assert workers.best is not None
    assert workers.best.cost == pytest.approx(answer.cost, abs=1e-6)
    assert heard == [workers.best.network]
    assert executor.asked[2][3][-1] == answer.parents
    proposed = workers.with_families([])
    assert proposed == answer.good_families
    assert executor.cancelled.is_set()
    assert not search_threads()


@pytest.mark.parametrize("kind", list(forged(random_table([2] * 4, 30, seed=1))))
def test_forged_answers_are_refused_beside(kind: str, data: ab.Dataset) -> None:
    answer, said = forged(data)[kind]
    executor = Scripted(*[answer] * 50)
    workers, heard = beside(data, executor, ManualClock())
    workers.start()
    wait_until(lambda: len(executor.asked) >= 3)
    wait_until(lambda: not search_threads())  # after three of them nobody is asked any more
    with pytest.warns(ab.WorkerWarning, match=f"left out: {said}"):
        workers.close()
    assert workers.best is None
    assert heard == []
    assert len(executor.asked) < 10


def test_failing_workers_leave_the_search_alone(data: ab.Dataset) -> None:
    for executor in (Gone(), Scripted(ValueError("no such module"))):
        workers, heard = beside(data, executor, ManualClock())
        workers.start()
        wait_until(lambda: not search_threads())
        with pytest.warns(ab.WorkerWarning, match="the search went on here alone"):
            workers.close()
        assert heard == []


def test_time_limit_holds_though_workers_hang(data: ab.Dataset) -> None:
    """They never answer: if anybody waited for them, this test would not end."""
    hanging = Scripted()
    found = ab.learn(data, time_limit=1, executor=hanging)
    assert found.network.probabilities is not None
    assert not hanging.asked or hanging.cancelled.wait(GUARD)


def test_networks_of_workers_are_those_of_the_search_beside(data: ab.Dataset) -> None:
    """The search here has ended at its first network: all that is better comes from elsewhere."""
    counted = CountedScores(data)
    answer = honest(data)
    taken: list[ab.Result] = []
    heard: list[float] = []
    clock = ManualClock()
    watch = Stopwatch.started(clock)

    def workers(incumbent: Any, better: Any) -> OrdersElsewhere:
        deadline = Deadline.after(100.0, clock)
        return OrdersElsewhere(
            counted,
            Scripted(answer),
            settings=ORDERS,
            watch=watch,
            deadline=deadline,
            incumbent=incumbent,
            better=better,
        )

    stream = stream_search(counted, replace(ORDERS, max_expansions=0))
    with OrdersBeside(
        stream,
        watch=watch,
        end=100.0,
        share=0.5,
        take=taken.append,
        hear=lambda event, _: heard.append(event.cost),
        elsewhere=workers,
    ) as beside:
        wait_until(lambda: beside.look() < answer.cost + 1e-4)
        assert beside.network == ab.Network(data.names, answer.parents)
        assert beside.so_far().cost == pytest.approx(answer.cost, abs=1e-6)
        wait_until(lambda: stream.ended(0.01))
        beside.tell_events()
        beside.tell_events()
        assert heard.count(beside.so_far().cost) == 1
        assert heard == sorted(heard, reverse=True)
        families = beside.good_families()
        assert all(own in families[v] for v, own in enumerate(answer.parents))
    assert [found.cost for found in taken] == sorted([found.cost for found in taken], reverse=True)
    assert taken[-1].network.parents == answer.parents


@pytest.mark.parametrize("kind", ["threads", "processes", "dask"])
def test_any_executor_helps_within_a_limit(kind: str, client: Any, data: ab.Dataset) -> None:
    def learn(executor: Executor) -> ab.Result:
        return ab.learn(data, time_limit=4, progress=False, executor=executor)

    if kind == "dask":
        found = learn(client.get_executor())
    else:
        with Threads(2) if kind == "threads" else spawned(2) as pool:
            found = learn(pool)
    assert verify(found.to_json(), data=data).ok
    assert not search_threads() or kind == "threads"


# ---- proofs ----


@pytest.fixture(scope="module")
def scores() -> ab.LocalScores:
    """Scores that take the linear program some rounds."""
    return ab.score(generate(14, 3, 500, seed=5)[1], max_parents=2)


def prepared(scores: ab.LocalScores) -> ParentSetRun:
    run = start_run(scores, SearchSettings())
    assert isinstance(run, ParentSetRun)
    assert run.native.prepare()
    return run


def test_proofs_of_workers_are_proven_again_here(scores: ab.LocalScores) -> None:
    run = prepared(scores)
    helpers = ProofsElsewhere(run, Scripted())
    task = helpers.next_task(0)
    assert task is not None
    settings, *rest = task
    answer = elsewhere._prove(scores, Mark(), replace(settings, time_limit=None), *rest)
    assert answer.rows is not None
    before = sum(run.native.component_bounds)
    helpers.look_at(answer)
    assert sum(run.native.component_bounds) > before
    assert helpers.taken > 0
    helpers.look_at(answer)  # once more changes nothing
    run.native.finish()
    result = result_of(run, [])
    assert result.lower_bound is not None
    assert result.lower_bound == pytest.approx(answer.rows.lower_bound, abs=1e-3)
    assert verify(result.to_json(), scores=scores).ok


def test_forged_bounds_prove_nothing(scores: ab.LocalScores) -> None:
    run = prepared(scores)
    helpers = ProofsElsewhere(run, Scripted())
    before = sum(run.native.component_bounds)
    best = ab.search(scores).cost
    clusters = ((0, 1), (1, 2, 3))
    huge = Rows(
        clusters=clusters,
        zero_half=(),
        stages=(Stage(rows=(0, 1), multipliers=(10**12, 10**12), denominator=1),),
        lower_bound=best * 2,
    )
    helpers.look_at(Proof(None, huge))
    helpers.look_at(Proof(None, replace(huge, lower_bound=float("nan"))))
    assert sum(run.native.component_bounds) <= best * 1e6 + 30
    for wrong in (
        replace(huge, clusters=((0, 99),)),
        replace(huge, stages=(Stage(rows=(7,), multipliers=(1,), denominator=1),)),
        replace(huge, stages=(Stage(rows=(0,), multipliers=(-5,), denominator=1),)),
    ):
        with pytest.raises(Refused, match="rows that are none"):
            helpers.look_at(Proof(None, wrong))
    with pytest.raises(Refused, match="no network"):
        helpers.look_at(Proof(((1,), (0,), *((),) * 12), None))
    with pytest.raises(Refused, match="no proof, but"):
        helpers.look_at("optimal")  # type: ignore[arg-type]
    assert before <= sum(run.native.component_bounds)
    # What comes after it is what it would have been.
    run.native.search()
    run.native.finish()
    assert result_of(run, []).cost == pytest.approx(best, abs=1e-4)


def test_better_networks_of_workers_are_taken(scores: ab.LocalScores) -> None:
    run = prepared(scores)
    best = ab.search(scores)
    before = sum(run.native.component_costs)
    helpers = ProofsElsewhere(run, Scripted())
    helpers.look_at(Proof(best.network.parents, None))
    assert sum(run.native.component_costs) <= before
    assert sum(run.native.component_costs) / 1e6 == pytest.approx(best.cost, abs=1e-4)


@pytest.mark.parametrize("kind", ["threads", "processes", "dask"])
def test_helped_searches_prove_the_same(
    kind: str, client: Any, scores: ab.LocalScores, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(elsewhere, "PATIENCE", 0.0)
    alone = ab.learn(scores)
    if kind == "dask":
        found = ab.learn(scores, executor=client.get_executor())
    else:
        with Threads(2) if kind == "threads" else spawned(2) as pool:
            found = ab.learn(scores, executor=pool)
    assert (found.status, found.claim) == (alone.status, alone.claim)
    assert found.cost == pytest.approx(alone.cost, abs=1e-5)
    assert verify(found.to_json(), scores=scores).ok


def test_searches_that_must_repeat_are_not_helped(scores: ab.LocalScores) -> None:
    for settings in (SearchSettings(max_expansions=5), SearchSettings(algorithm="astar")):
        run = start_run(scores, settings)
        help_from(Scripted(), run)
        assert run.helped is None


# ---- the rest ----


def test_places_are_those_that_an_executor_tells(client: Any) -> None:
    with Threads(3) as threads, spawned(2) as processes:
        assert [places_of(threads), places_of(processes)] == [3, 2]
    assert places_of(client.get_executor()) == 2
    assert places_of(Gone()) == 8


class Slow(Helpers[int]):
    def next_task(self, number: int) -> tuple[Any, ...] | None:
        return None if number else ()

    def look_at(self, outcome: int) -> None:
        raise AssertionError(outcome)


def test_what_ends_before_long_needs_no_help() -> None:
    executor = Scripted()
    helpers = Slow(max, [1], executor, patience=GUARD)
    helpers.start()
    helpers.close()
    assert executor.asked == []


def test_tasks_can_refuse_to_work_here() -> None:
    with Tasks[int, int](pow, 2, Gone(), here=False) as tasks, pytest.raises(BrokenExecutor):
        tasks.begin(0, 3)


def test_workers_help_a_run_that_goes_on(tmp_path: Path, data: ab.Dataset) -> None:
    """Whether it had any before or not."""
    path = tmp_path / "run"
    begun = ab.learn(data, space="neighbourhood", checkpoint=path, time_limit=0.0)
    assert begun.claim is None
    with Threads(2) as threads:
        asked = Counting(threads)
        found = ab.resume(path, data=data, time_limit=math.inf, executor=asked)
    assert found.claim == "neighbourhood-optimal"
    assert asked.asked > 0
    assert verify(found, data=data).ok


@pytest.mark.parametrize("function", [ab.learn, ab.stream, ab.resume])
def test_executor_must_be_one(function: Any, data: ab.Dataset) -> None:
    with pytest.raises(ab.InputError, match="executor must be a concurrent"):
        function(data, executor="tcp://127.0.0.1:8786")


def command(*words: str) -> subprocess.CompletedProcess[str]:
    full = [sys.executable, "-m", "anytimebn", *words]
    return subprocess.run(full, capture_output=True, text=True, check=False)


def test_command_learns_with_a_cluster_of_its_own(tmp_path: Path) -> None:
    json = tmp_path / "result.json"
    ended = command("learn", str(TABLE), "--cluster", "local:2", "--json", str(json))
    assert ended.returncode == 0, ended.stderr
    assert ab.Result.load(json).claim == ab.learn(TABLE).claim
    refused = command("learn", str(TABLE), "--cluster", "somewhere")
    assert refused.returncode == 2
    assert "give the address of a scheduler" in " ".join(refused.stderr.split())


def test_command_goes_on_with_a_cluster_of_its_own(tmp_path: Path) -> None:
    path, json = tmp_path / "run", tmp_path / "result.json"
    begun = command("learn", str(TABLE), "--checkpoint", str(path), "--time-limit", "0")
    assert begun.returncode == 0, begun.stderr
    more = ("--time-limit", "inf", "--cluster", "local:2", "--json", str(json))
    ended = command("resume", str(path), *more)
    assert ended.returncode == 0, ended.stderr
    assert ab.Result.load(json).claim == ab.learn(TABLE).claim
