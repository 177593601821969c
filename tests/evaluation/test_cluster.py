"""Work on other processes: the same results, bit by bit, whoever does it and whoever dies."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import anytimebn as ab
from anytimebn import _native
from anytimebn.base.executors import Shared, Tasks, dealt_out
from anytimebn.evaluation.runner import Plan, StudyRunner
from anytimebn.evaluation.specification import Contender, Limits, StudyTable, search_run
from anytimebn.evaluation.store import RunFolder, load
from anytimebn.learning.replicates import Sampling, learn_elsewhere
from anytimebn.learning.task import LearnTask
from anytimebn.scores.counting_elsewhere import CountingJob
from anytimebn.solver.settings import SearchSettings

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

TABLE = Path(__file__).parents[2] / "examples" / "clinic.csv"
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
def table() -> np.ndarray[Any, Any]:
    _, data = ab.generate(8, 2, 300, seed=3)
    return data.codes.T.copy()


def same_bootstrap(first: ab.Bootstrap, second: ab.Bootstrap) -> bool:
    left, right = (
        [(r.number, r.network, r.status, r.cost, r.lower_bound) for r in found.replicates]
        for found in (first, second)
    )
    return left == right and first.edges == second.edges


def same_scores(first: ab.LocalScores, second: ab.LocalScores) -> bool:
    arrays = ("first_set", "costs", "first_member", "members")
    same = all(getattr(first, name).tobytes() == getattr(second, name).tobytes() for name in arrays)
    return same and first.provenance == second.provenance


class Pickling(Executor):
    """An executor of a kind that nobody knows: it pickles, and tells how much."""

    def __init__(self) -> None:
        self.submitted = 0

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        import pickle

        self.submitted += 1
        function, arguments = pickle.loads(pickle.dumps((fn, args)))
        future: Future[Any] = Future()
        try:
            future.set_result(function(*arguments, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


def test_bootstrap_on_dask_is_the_same_bit_by_bit(client: Any, table: Any) -> None:
    here = ab.bootstrap(table, replicates=9, seed=2, progress=False)
    there = ab.bootstrap(
        table, replicates=9, seed=2, progress=False, executor=client.get_executor()
    )
    assert same_bootstrap(here, there)


@pytest.mark.parametrize("method", ["bootstrap", "jackknife"])
def test_bootstrap_is_the_same_with_any_executor(table: Any, method: Any) -> None:
    asked = {"replicates": 5, "seed": 1, "progress": False, "method": method}
    here = ab.bootstrap(table, **asked)
    with ThreadPoolExecutor(3) as threads:
        assert same_bootstrap(here, ab.bootstrap(table, **asked, executor=threads))
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as processes:
        assert same_bootstrap(here, ab.bootstrap(table, **asked, executor=processes))
    unknown = Pickling()
    assert same_bootstrap(here, ab.bootstrap(table, **asked, executor=unknown))
    assert unknown.submitted == 5


@pytest.mark.parametrize("name", ["mdl", "bdeu", "fnml"])
def test_scores_on_dask_are_the_same_bit_by_bit(client: Any, table: Any, name: str) -> None:
    asked = {"score": name, "max_parents": 3}
    here = ab.score(table, **asked)
    assert same_scores(here, ab.score(table, **asked, executor=client.get_executor()))


@pytest.mark.parametrize("knowledge", [None, ab.Knowledge(required=frozenset({("X0", "X3")}))])
@pytest.mark.parametrize("values", [2, 3, 40])
def test_scores_by_parts_are_the_same(values: int, knowledge: ab.Knowledge | None) -> None:
    """With columns of one value, of few and of many: the two ways to count."""
    draw = np.random.default_rng(values)
    data = draw.integers(0, values, (400, 7))
    data[:, 2] = 0
    data[:, 5] = data[:, 0] // max(1, values // 2)
    for factor in (None, 3.0) if values == 2 else (None,):
        table = np.delete(data, 2, axis=1) if factor else data
        asked: Any = {"max_parents": 3, "factor": factor, "categorical": "all"}
        asked["knowledge"] = knowledge
        with ThreadPoolExecutor(2) as pool:
            assert same_scores(ab.score(table, **asked), ab.score(table, **asked, executor=pool))


def test_scoring_elsewhere_keeps_its_time_limit(table: Any) -> None:
    with ThreadPoolExecutor(2) as pool, pytest.raises(ab.LimitReached, match="time limit"):
        ab.score(table, max_parents=4, time_limit=0, executor=pool)


def study(folder: Path, executor: Executor | None) -> dict[str, Any]:
    """Runs of a small study, without what depends on the clock and the machine."""
    data = [StudyTable.generated(6, 2, 200, seed=seed) for seed in (1, 2)]
    limits = Limits(time_limit=60, memory_limit="1GiB", seed=1, threads=1, snapshot=1)
    contenders = [Contender.parse(name, "static-pd") for name in ("astar", "hill-climbing")]
    plan = Plan.of(data, {}, lambda scored: [search_run(scored, c, limits) for c in contenders])
    StudyRunner(RunFolder(folder), jobs=2, executor=executor).run(plan)
    kept = ("network", "cost", "lower_bound", "status", "pops", "generating_network", "expanded")
    return {
        key: {name: run.result[name] for name in kept if run.result and name in run.result}
        | {"outcome": run.values["outcome"]["kind"]}
        for key, run in load(folder).runs.items()
    }


def test_study_on_dask_has_the_same_results(client: Any, tmp_path: Path) -> None:
    here = study(tmp_path / "here", None)
    there = study(tmp_path / "there", client.get_executor())
    assert len(here) == 6
    assert here == there
    assert {path.name: path.read_bytes() for path in (tmp_path / "here" / "scores").iterdir()} == {
        path.name: path.read_bytes() for path in (tmp_path / "there" / "scores").iterdir()
    }


# What follows is about tasks and those who do them; these functions are found by other processes.


def _add(shared: int, number: int) -> int:
    return shared + number


def _wait_then_add(shared: tuple[str, int], number: int) -> int:
    """The first who comes here is killed by the test, and leaves a mark."""
    mark, base = Path(shared[0]), shared[1]
    if number == 0:
        try:
            mark.open("x").close()
        except FileExistsError:
            return base
        (mark.parent / "worker").write_text(str(os.getpid()))
        time.sleep(600)
    return base + number


def _fail(_: object, number: int) -> int:
    raise ValueError(f"task {number}")


def all_done(work: Any, shared: Any, executor: Executor, numbers: Iterable[int]) -> dict[int, int]:
    with Tasks[int, int](work, shared, executor) as tasks:
        for number in numbers:
            tasks.begin(number, number)
        return dict(done for some in tasks.come_back() for done in some)


def kill_who_waits(folder: Path) -> None:
    file = folder / "worker"
    while not (file.exists() and file.read_text()):
        time.sleep(0.05)
    os.kill(int(file.read_text()), signal.SIGKILL)


def test_task_of_a_worker_that_is_killed_is_done_again(client: Any, tmp_path: Path) -> None:
    shared = (str(tmp_path / "mark"), 100)
    killer = threading.Thread(target=kill_who_waits, args=(tmp_path,))
    killer.start()
    found = all_done(_wait_then_add, shared, client.get_executor(), range(6))
    killer.join()
    assert found == {number: 100 + number for number in range(6)}


def test_bootstrap_survives_the_death_of_workers(client: Any, table: Any) -> None:
    """All workers there are die in the middle, and the table with them."""
    here = ab.bootstrap(table, replicates=12, seed=4, progress=False)
    task = LearnTask(data=ab.to_dataset(table), settings=SearchSettings(gap=0.001, seed=4))
    killed: list[int] = []

    def tell(done: int) -> None:
        if done >= 2 and not killed:
            killed.extend(client.run(os.getpid).values())
            for process in killed:
                os.kill(process, signal.SIGKILL)

    sampling = Sampling(task, 12, "bootstrap", 4)
    learned = learn_elsewhere(sampling, client.get_executor(), 3, tell)
    assert killed
    assert [(r.number, r.network, r.cost) for r in learned] == [
        (r.number, r.network, r.cost) for r in here.replicates
    ]


def test_rest_is_done_here_when_a_process_pool_breaks(tmp_path: Path) -> None:
    shared = (str(tmp_path / "mark"), 7)
    killer = threading.Thread(target=kill_who_waits, args=(tmp_path,))
    killer.start()
    with (
        ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool,
        pytest.warns(ab.WorkerWarning, match="the rest is done in this process"),
    ):
        found = all_done(_wait_then_add, shared, pool, range(5))
    killer.join()
    assert found == {number: 7 + number for number in range(5)}


def test_error_of_a_task_is_raised_here() -> None:
    with ThreadPoolExecutor(1) as pool, pytest.raises(ValueError, match="task 3"):
        all_done(_fail, None, pool, [3])


class Counted:
    """A value that counts how often it is pickled."""

    pickled = 0

    def __reduce__(self) -> Any:
        Counted.pickled += 1
        return int, (5,)


def test_shared_value_is_sent_once(client: Any) -> None:
    for executor in (client.get_executor(), ProcessPoolExecutor(1, get_context("spawn"))):
        Counted.pickled = 0
        with executor, Shared(Counted(), executor) as shared:
            found = [shared.submit(_add, number).result() for number in range(8)]
        assert found == [5 + number for number in range(8)]
        assert Counted.pickled <= 2  # Dask looks at its size first


def test_interrupt_keeps_what_came_back(table: Any) -> None:
    task = LearnTask(data=ab.to_dataset(table), settings=SearchSettings(gap=0.001, seed=4))

    def tell(done: int) -> None:
        if done >= 2:
            raise KeyboardInterrupt

    with ThreadPoolExecutor(1) as pool:
        learned = learn_elsewhere(Sampling(task, 50, "bootstrap", 4), pool, 1, tell)
        assert 2 <= len(learned) < 50
        first = [replicate.number for replicate in learned]
        assert first == list(range(len(learned)))
        with pytest.raises(ab.LimitReached, match="before any replicate"):
            learn_elsewhere(Sampling(task, 3, "bootstrap", 4), pool, 1, lambda _: tell(2))


def test_parts_that_are_missing_or_of_another_table_are_refused() -> None:
    data = ab.generate(6, 2, 100, seed=1)[1]
    task = CountingJob(data, ab.Knowledge(), 2, "mdl", 1.0, None).task(1)
    control = _native.Control()
    halves = [[0, 2, 4], [1, 3, 5]]
    parts = [(own, _native.count_part(task, own, control)) for own in halves]
    assert _native.compute_local_scores(task, control, parts).complete
    wrong = {
        "missing": [parts[:1]],
        "not of this table": [
            [parts[0], parts[0]],
            [parts[0], (halves[1], parts[0][1])],
            [parts[0], (halves[1], parts[1][1][:-1])],
            [parts[0], ([1, 3, 6], parts[1][1])],
        ],
    }
    for message, all_parts in wrong.items():
        for own in all_parts:
            with pytest.raises(ValueError, match=message):
                _native.compute_local_scores(task, control, own)


def test_parts_have_about_the_same_weight() -> None:
    weights = [float(n) ** 3 for n in range(40)]
    parts = dealt_out(weights, 6)
    assert sorted(number for part in parts for number in part) == list(range(40))
    sums = [sum(weights[number] for number in part) for part in parts]
    assert max(sums) < 1.15 * sum(weights) / 6
    assert dealt_out([], 3) == []


@pytest.mark.parametrize("wrong", ["tcp://127.0.0.1:8786", 3, object()])
def test_executor_must_be_one(table: Any, wrong: Any) -> None:
    for function in (ab.bootstrap, ab.score):
        with pytest.raises(ab.InputError, match="executor must be a concurrent"):
            function(table, executor=wrong)


def command(*words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    full = [sys.executable, "-m", "anytimebn", *words]
    return subprocess.run(full, capture_output=True, text=True, check=False, cwd=cwd)


def test_command_starts_a_cluster_of_its_own(tmp_path: Path) -> None:
    words = ("bootstrap", str(TABLE), "--replicates", "4", "--gap", "0.05", "--quiet")
    there = command(*words, "-o", "there.csv", "--cluster", "local:2", cwd=tmp_path)
    assert there.returncode == 0, there.stderr
    here = command(*words, "-o", "here.csv", cwd=tmp_path)
    assert here.returncode == 0, here.stderr
    assert (tmp_path / "there.csv").read_bytes() == (tmp_path / "here.csv").read_bytes()


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("local:none", "give a number of processes, such as local:4"),
        ("somewhere", "give the address of a scheduler, such as tcp://"),
    ],
)
def test_command_refuses_what_is_no_cluster(address: str, message: str, tmp_path: Path) -> None:
    for words in (
        ("bootstrap", str(TABLE)),
        ("score", str(TABLE), "-o", "s.jkl"),
        ("evaluate", "table1", "--variables", "5"),
    ):
        ended = command(*words, "--cluster", address, cwd=tmp_path)
        assert ended.returncode == 2, ended.stderr
        assert message in " ".join(ended.stderr.split())
    assert list(tmp_path.iterdir()) == []
