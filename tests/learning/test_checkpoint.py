"""Checkpoints: what is saved when, and that a run goes on from wherever it was killed."""

from __future__ import annotations

import json
import math
import threading
import warnings
from contextlib import suppress
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from search_problems import random_scores

import anytimebn as ab
from anytimebn.base.clock import ManualClock
from anytimebn.base.report import ORDERS, SEARCHING, Report
from anytimebn.checker.verify import verify
from anytimebn.learning import checkpoint as checkpoints
from anytimebn.learning import stages
from anytimebn.learning.checkpoint import AT_LEAST_EVERY, NEWS_EVERY, SHARE, Checkpoint
from anytimebn.learning.checkpoint_file import (
    Saved,
    _first_line,
    read_checkpoint,
    write_checkpoint,
)
from anytimebn.learning.fingerprint import fingerprint
from anytimebn.learning.kept_scores import (
    ScoredStage,
    path_beside,
    read_scores,
    write_scores,
)
from anytimebn.learning.known import WAYS
from anytimebn.learning.recipe import recipe_of, task_of
from anytimebn.learning.run_state import RunState, with_bounds_proven_again
from anytimebn.learning.task import LearnTask
from anytimebn.network.random import generate
from anytimebn.result.certificates import Clusters, Rows, Stage, ZeroHalfRow, claimed
from anytimebn.result.event import Event
from anytimebn.scores.scoring import ScoringOptions, planned_limit
from anytimebn.solver.linear.lead import Lead, LeadStage, Standing

if TYPE_CHECKING:
    from pathlib import Path

TINY = np.array([[0, 0, 1], [1, 1, 0], [0, 0, 0], [1, 1, 1]] * 10)


# ---- the value ----

numbers = st.floats(-1e9, 1e9)
VARIABLES = 4


@st.composite
def networks(draw: st.DrawFn) -> tuple[tuple[int, ...], ...]:
    order = draw(st.permutations(range(VARIABLES)))
    parents = [()] * VARIABLES
    for place, child in enumerate(order):
        own = draw(st.sets(st.sampled_from(order[:place]))) if place else set()
        parents[child] = tuple(sorted(own))
    return tuple(parents)


variables = st.integers(0, VARIABLES - 1)
some = st.sets(variables, min_size=1).map(lambda members: tuple(sorted(members)))
bounds = st.none() | numbers


@st.composite
def certificates(draw: st.DrawFn) -> Clusters | Rows:
    clusters = tuple(draw(st.lists(some, min_size=1, max_size=3)))
    count = st.integers(0, 2**40)
    if draw(st.booleans()):
        multipliers = tuple(draw(count) for _ in clusters)
        groups = ((0, 1), (2,), (3,))
        return Clusters(groups, clusters, multipliers, draw(bounds))
    zero_half = (ZeroHalfRow((0,), draw(some)),)
    stages = (Stage((0, len(clusters)), (draw(count), draw(count)), 2 ** draw(st.integers(0, 20))),)
    return Rows(clusters, zero_half, stages, draw(bounds))


events = st.builds(
    Event,
    st.floats(0, 1e6),
    numbers,
    bounds,
    st.integers(0, 2**60),
    st.none() | st.text(max_size=5),
)
states = st.builds(
    RunState,
    names=st.just(("a", "b", "ü \n", '"')),
    seconds=st.floats(0, 1e9),
    spent=st.dictionaries(st.text(max_size=5), st.floats(0, 1e9), max_size=2),
    expanded=st.integers(0, 2**60),
    peak_memory_bytes=st.integers(0, 2**60),
    events=st.lists(events, max_size=3).map(tuple),
    stages=st.lists(st.fixed_dictionaries({"stage": st.text(), "cost": numbers}), max_size=2).map(
        tuple
    ),
    resumed_at=st.lists(st.floats(0, 1e9), max_size=2).map(tuple),
    network=st.none() | networks(),
    cost=bounds,
    settled=st.none() | networks(),
    ordered=st.none() | networks(),
    evidence=st.dictionaries(
        st.text(max_size=5), st.lists(certificates(), max_size=2).map(tuple), max_size=2
    ),
    grows=st.booleans(),
    orders_ended=st.booleans(),
    level=st.integers(0, 5),
    ways=st.permutations(WAYS).map(tuple) | st.just(()),
    rows=st.none() | certificates().filter(lambda proof: isinstance(proof, Rows)),
    proof_seconds=st.floats(0, 1e9),
    networks=st.lists(networks(), max_size=2).map(tuple),
)


@given(states)
def test_state_comes_back_from_a_file_as_it_was(
    tmp_path_factory: pytest.TempPathFactory, state: RunState
) -> None:
    path = tmp_path_factory.mktemp("state") / "run.checkpoint"
    saved = Saved({"a": 1}, "f00", state, {"b": None}, {"c": [2]})
    write_checkpoint(path, saved)
    assert read_checkpoint(path) == saved


def test_recipe_gives_the_same_task(tmp_path: Path) -> None:
    table = tmp_path / "table.csv"
    table.write_text("A,B\n0,1\n1,0\n")
    task = LearnTask(
        data=table,
        table_options=ab.TableOptions(bins={"A": 3}, missing="drop", exclude=("C",)),
        knowledge=ab.Knowledge(forbidden=frozenset({("A", "B")}), max_parents={"B": 1}),
        settings=ab.SearchSettings(
            algorithm="astar",
            heuristic="static-pd",
            time_limit=2.5,
            memory_limit="1GiB",
            seed=np.int64(7),
            jobs=2,
            groups=[["A"], ["B"]],
            max_expansions=9,
        ),
        start=ab.Network.from_parents({"A": (), "B": ("A",)}),
        space="complete",
    )
    again = task_of(json.loads(json.dumps(recipe_of(task))))
    assert again.data == table.resolve()
    assert again.settings == replace(task.settings, seed=7)
    for part in ("table_options", "scoring", "knowledge", "start", "space"):
        assert getattr(again, part) == getattr(task, part)


def test_bounds_of_earlier_runs_are_kept_as_far_as_they_are_proven_again() -> None:
    earlier = (
        Event(1, 10, None, 0, ORDERS),
        Event(2, 9, 5, 0, "near"),
        Event(3, 9, 4, 0, "all"),
        Event(4, 9, 8, 0),
    )
    later = (Event(5, 9, None, 0, ORDERS), Event(6, 9, 6, 0, "all"), Event(7, 8, 7, 0))
    told = with_bounds_proven_again(earlier, later, "all")
    assert [event.lower_bound for event in told] == [None, None, 4, 6, None, 6, 7]
    # What is not searched again has no bound.
    told = with_bounds_proven_again(earlier, later, "others")
    assert [event.lower_bound for event in told[:4]] == [None] * 4


# ---- when it is written ----


class Told:
    """Work that stands still, and counts how often it was asked."""

    def __init__(self) -> None:
        self.asked = 0
        self.is_complete = False
        self.leads = (0, 0)
        self.stage: ScoredStage | None = None

    def state(self) -> RunState:
        self.asked += 1
        return RunState(names=("A",), seconds=float(self.asked))

    def scored(self) -> ScoredStage | None:
        return self.stage


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def following(tmp_path: Path, clock: ManualClock) -> tuple[Checkpoint, Told]:
    checkpoint = Checkpoint(tmp_path / "run", LearnTask(data=TINY), clock, clock, clock)
    work = Told()
    checkpoint.follow(work, ab.to_dataset(TINY))
    return checkpoint, work


def report(bound: float | None = None) -> Report:
    return Report(phase=SEARCHING, seconds=0.0, lower_bound=bound)


def heard(checkpoint: Checkpoint, bound: float | None = None) -> None:
    checkpoint(report(bound))
    checkpoint._wait()


def test_checkpoint_is_written_at_once_then_at_news_or_after_a_while(
    following: tuple[Checkpoint, Told], clock: ManualClock
) -> None:
    checkpoint, work = following
    assert read_checkpoint(checkpoint.path).state.seconds == 1
    clock.advance(NEWS_EVERY)
    heard(checkpoint)
    first = work.asked
    clock.advance(NEWS_EVERY)
    heard(checkpoint)
    assert work.asked == first  # no news
    checkpoint.hear(Event(0, 5.0, None, 0))
    heard(checkpoint)
    assert work.asked == first + 1  # a network
    clock.advance(NEWS_EVERY)
    checkpoint.hear(Event(0, 5.0, None, 0))
    heard(checkpoint)
    assert work.asked == first + 1  # no better one
    heard(checkpoint, bound=1.0)
    assert work.asked == first + 2  # a bound
    clock.advance(AT_LEAST_EVERY - NEWS_EVERY / 2)
    heard(checkpoint, bound=1.0)
    assert work.asked == first + 2
    clock.advance(NEWS_EVERY)
    heard(checkpoint, bound=1.0)
    assert work.asked == first + 3 == read_checkpoint(checkpoint.path).state.seconds


def test_slow_writing_is_done_less_often(
    following: tuple[Checkpoint, Told], clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    checkpoint, work = following
    seconds = 10.0

    def slowly(*_: Any) -> None:
        clock.advance(seconds)

    monkeypatch.setattr(checkpoints, "write_checkpoint", slowly)
    clock.advance(NEWS_EVERY)
    heard(checkpoint, bound=1.0)
    before = work.asked
    # What was written, what would be, and the last time are within the share of all work.
    for written in (1, 2, 3):
        clock.advance((written + 2) * seconds / SHARE - 1 - clock.seconds())
        heard(checkpoint, bound=-written)
        assert work.asked == before
        clock.advance(2)
        heard(checkpoint, bound=-written)
        before += 1
        assert work.asked == before


def test_writing_keeps_to_its_share_from_the_first_second_to_the_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the last write, which nothing puts off, however long the run is and writing takes."""
    clock, writing = ManualClock(), ManualClock()
    checkpoint = Checkpoint(tmp_path / "run", LearnTask(data=TINY), clock, clock, writing)
    work = Told()
    seconds = 0.0005
    monkeypatch.setattr(checkpoints, "write_checkpoint", lambda *_: writing.advance(seconds))
    checkpoint.follow(work, ab.to_dataset(TINY))
    for tenth in range(1, 3000):
        clock.advance(0.1)
        seconds = 0.0005 + 2e-5 * tenth  # files grow
        heard(checkpoint, bound=float(tenth))
        if tenth > 5:
            assert writing.seconds() + seconds <= 1.1 * SHARE * clock.seconds()
    assert work.asked > 20


@pytest.mark.parametrize("stopped", [False, True])
def test_run_that_was_killed_is_written_as_often_as_kills_ask_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, stopped: bool
) -> None:
    """Whoever is killed every few seconds must not lose all of them; stopping is no kill."""
    path, data, task = tmp_path / "run", ab.to_dataset(TINY), LearnTask(data=TINY)
    seconds, worked, kills = 0.02, 50.0, 9
    state = RunState(names=("A",))
    earlier = Saved(recipe_of(task), fingerprint(data), state, None, None, worked, kills, stopped)
    clock, writing = ManualClock(), ManualClock()
    written: list[tuple[float, Saved]] = []

    def write(_: Path, saved: Saved) -> None:
        writing.advance(seconds)
        written.append((clock.seconds(), saved))

    monkeypatch.setattr(checkpoints, "write_checkpoint", write)
    monkeypatch.setattr(checkpoints, "NEWS_EVERY", 0.0)
    checkpoint = Checkpoint(path, task, clock, clock, writing)
    checkpoint.follow(Told(), data, earlier)
    for hundredth in range(600):
        clock.advance(0.01)
        heard(checkpoint, bound=float(hundredth))
    pauses = [later - before for (before, _), (later, _) in pairwise(written)]
    expected = kills if stopped else kills + 1
    assert {saved.kills for _, saved in written} == {expected}
    assert not any(saved.stopped for _, saved in written)
    assert [saved.worked for _, saved in written] == [worked + at for at, _ in written]
    assert pauses == pytest.approx(
        [math.sqrt(2 * seconds * (worked + at) / expected) for at, _ in written[:-1]], abs=0.011
    )


def test_file_says_whether_a_run_has_ended_in_order(tmp_path: Path) -> None:
    path = tmp_path / "run"
    ab.learn(TINY, checkpoint=path, algorithm="best-order-search", time_limit=0.0)
    saved = read_checkpoint(path)
    assert saved.stopped
    assert saved.kills == 0 < saved.worked


def test_writing_that_waits_for_its_turn_is_done_as_often(
    tmp_path: Path, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only what writing takes of the processors is taken from the search."""
    checkpoint = Checkpoint(
        tmp_path / "run", LearnTask(data=TINY), clock, working=clock, writing=ManualClock()
    )
    work = Told()
    checkpoint.follow(work, ab.to_dataset(TINY))
    monkeypatch.setattr(checkpoints, "write_checkpoint", lambda *_: clock.advance(NEWS_EVERY))
    for bound in range(10):
        before = work.asked
        heard(checkpoint, bound=float(bound))
        assert work.asked == before + 1
        clock.advance(NEWS_EVERY)


def test_only_one_writes_at_a_time(
    following: tuple[Checkpoint, Told], clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    checkpoint, work = following
    held, begun = threading.Event(), threading.Event()

    def wait(*_: Any) -> None:
        begun.set()
        held.wait()

    monkeypatch.setattr(checkpoints, "write_checkpoint", wait)
    clock.advance(NEWS_EVERY)
    checkpoint(report(1.0))
    begun.wait()
    before = work.asked
    clock.advance(2 * AT_LEAST_EVERY)
    checkpoint(report(2.0))
    assert work.asked == before
    held.set()
    checkpoint._wait()
    clock.advance(3 * (2 * AT_LEAST_EVERY) / SHARE)
    heard(checkpoint, bound=2.0)
    assert work.asked == before + 1


def test_what_cannot_be_written_is_told_once_and_the_run_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any) -> None:
        raise ab.InputError("run: cannot be written: No space left on device")

    monkeypatch.setattr(checkpoints, "write_checkpoint", fail)
    with pytest.warns(ab.CheckpointWarning, match="No space left") as told:
        result = ab.learn(TINY, checkpoint=tmp_path / "run")
    assert result.claim == "optimal"
    assert len(told) == 1


def test_folder_that_goes_away_ends_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "gone"
    folder.mkdir()
    checkpoint = folder / "run"

    def remove(_: Report) -> None:
        checkpoint.unlink(missing_ok=True)
        folder.rmdir() if folder.exists() else None

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ab.CheckpointWarning)
        assert ab.learn(TINY, checkpoint=checkpoint, progress=remove).claim == "optimal"


# ---- killed, and taken up ----


class Killed(BaseException):
    """Ends everything at once, as a signal does that nobody can catch."""


def killed_at(
    number: int, data: Any, path: Path, monkeypatch: pytest.MonkeyPatch, **options: Any
) -> bool:
    """Learn until a checkpoint was written so many times; whether it came to that."""
    written = 0
    write = write_checkpoint

    def count(where: Path, saved: Saved) -> None:
        nonlocal written
        if written < number:
            write(where, saved)
            written += 1

    def end(_: Report) -> None:
        if written >= number:
            raise Killed

    with monkeypatch.context() as patched:
        patched.setattr(checkpoints, "write_checkpoint", count)
        patched.setattr(checkpoints, "NEWS_EVERY", 0.0)
        patched.setattr(checkpoints, "SHARE", math.inf)
        patched.setattr(checkpoints, "AT_LEAST_EVERY", 0.0)
        try:
            ab.learn(data, checkpoint=path, progress=end, **options)
        except Killed:
            return True
    return False


def learn_without_end(data: Any, path: Path, **options: Any) -> None:
    """Learn, as if the process had been killed in its last moment."""

    def write_now(checkpoint: Checkpoint, _: ab.Result | None) -> None:
        checkpoint._wait()
        checkpoint._write(checkpoint._saved(None))

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Checkpoint, "_write_now", write_now)
        ab.learn(data, checkpoint=path, **options)


def check_history(result: ab.Result, saved: Saved) -> None:
    """Costs fall, bounds rise within a space, and begin with what there was evidence for."""
    state = saved.state
    content = json.loads(json.dumps(result.to_json()))
    failures = verify(content).failures
    assert not failures, failures
    assert result.events[: len(state.events)] == tuple(
        replace(event, lower_bound=again.lower_bound)
        for event, again in zip(state.events, result.events, strict=False)
    )
    for event, again in zip(state.events, result.events, strict=False):
        if event.lower_bound is None:
            assert again.lower_bound is None
        elif again.lower_bound is not None:
            assert again.lower_bound <= event.lower_bound
    if state.cost is not None:
        assert result.cost <= state.cost + 1e-6 * len(state.names)
    told: dict[str | None, float] = {}
    space = None
    for event in result.events[len(state.events) :]:
        space = event.space or space
        if event.lower_bound is not None:
            told.setdefault(space, event.lower_bound)
    for name, proofs in state.evidence.items():
        evidence = max(map(claimed, proofs))
        first = told.get(name, told.get(None))
        if first is not None:
            # Certificates are about rounded costs, events about true ones.
            assert first >= evidence - 1e-6 * len(state.names)


@pytest.mark.parametrize("number", [1, 2, 4, 8])
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"space": "neighbourhood"},
        {"algorithm": "astar"},
        {"algorithm": "hill-climbing"},
        {"algorithm": "relaxation", "space": "complete"},
        {"algorithm": "block-sweep", "max_parents": 2},
    ],
    ids=lambda options: "-".join(map(str, options.values())) or "default",
)
def test_run_that_was_killed_comes_to_the_same_end(
    number: int, options: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = generate(14, 3, 400, seed=number)[1]
    path = tmp_path / "run"
    killed_at(number, data, path, monkeypatch, **options)
    saved = read_checkpoint(path)
    result = ab.resume(path, data=data)
    undisturbed = ab.learn(data, **options)
    if undisturbed.status == "optimal":
        assert result.claim == undisturbed.claim
        # Spaces that grow around networks may do so in other ways.
        if undisturbed.space.grown is None:
            assert result.cost == pytest.approx(undisturbed.cost, abs=1e-5)
    check_history(result, saved)
    assert read_checkpoint(path).result is not None
    again = ab.resume(path, data=data)
    assert (again.cost, again.claim, again.events) == (result.cost, result.claim, result.events)
    assert again.network == result.network


@pytest.mark.parametrize("number", [2, 5])
@pytest.mark.parametrize("algorithm", ["auto", "block-sweep", "ilp", "relaxation"])
def test_search_of_scores_that_was_killed_comes_to_the_same_end(
    number: int, algorithm: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if algorithm == "ilp":
        pytest.importorskip("pyscipopt")
    scores = random_scores(18, number, sets=40, levels=1000)
    file = tmp_path / "scores.jkl"
    scores.save(file)
    path = tmp_path / "run"
    killed_at(number, file, path, monkeypatch, algorithm=algorithm)
    saved = read_checkpoint(path)
    result = ab.resume(path)
    undisturbed = ab.learn(file, algorithm=algorithm)
    assert result.status == undisturbed.status
    if result.status == "optimal":
        assert result.cost == pytest.approx(undisturbed.cost, abs=1e-5)
    check_history(result, saved)


def test_run_goes_on_again_and_again(tmp_path: Path) -> None:
    """A limit of no time at all ends each run: all that it does is to take up the one before."""
    data = generate(14, 3, 400, seed=3)[1]
    path = tmp_path / "run"
    learn_without_end(data, path)
    before = read_checkpoint(path).state
    for _ in range(3):
        result = ab.resume(path, data=data, time_limit=0.0)
        state = read_checkpoint(path).state
        assert state.seconds >= before.seconds
        assert result.cost <= (before.cost or math.inf) + 1e-4
        before = state
    assert len(result.details["resumed_at"]) == 3
    assert ab.resume(path, data=data, time_limit=math.inf).claim == "optimal"


def test_scores_are_taken_over_where_counting_takes_longer(tmp_path: Path) -> None:
    scores = random_scores(5, 1)
    file = path_beside(tmp_path / "run")
    slow, quick = ScoredStage("all", scores, math.inf), ScoredStage("all", scores, 0.0)
    assert write_scores(file, quick) is None
    assert not file.exists()
    told = json.loads(json.dumps(write_scores(file, slow)))
    again = read_scores(file, told)
    assert again is not None
    assert fingerprint(again.scores) == fingerprint(scores)
    # Whatever is wrong with the file, they are counted again.
    assert read_scores(file, {**told, "fingerprint": "f00"}) is None
    file.write_bytes(file.read_bytes()[:-50])
    assert read_scores(file, told) is None
    file.unlink()
    assert read_scores(file, told) is None


def test_scores_are_written_once_and_told_of_by_the_next_checkpoint(
    following: tuple[Checkpoint, Told], clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    checkpoint, work = following
    work.stage = ScoredStage("all", random_scores(5, 1), math.inf)
    for bound in (1.0, 2.0, 3.0):
        clock.advance(AT_LEAST_EVERY)
        heard(checkpoint, bound)
    told = read_checkpoint(checkpoint.path).scores
    assert read_scores(path_beside(checkpoint.path), told) is not None
    written = []
    monkeypatch.setattr(checkpoints, "write_scores", lambda *_: written.append(1))
    clock.advance(AT_LEAST_EVERY)
    heard(checkpoint, 4.0)
    assert not written
    work.stage = ScoredStage("others", random_scores(5, 2), 0.0)
    for bound in (5.0, 6.0, 7.0):
        clock.advance(AT_LEAST_EVERY)
        heard(checkpoint, bound)
    assert written == [1]
    told = read_checkpoint(checkpoint.path).scores
    assert read_scores(path_beside(checkpoint.path), told) is None


def test_planner_takes_over_scores_of_an_earlier_run(monkeypatch: pytest.MonkeyPatch) -> None:
    data = generate(9, 3, 200, seed=1)[1]
    limit = planned_limit(data, ab.Knowledge(), ScoringOptions())
    kept = ScoredStage(f"up to {limit}", ab.score(data), 1.0)

    def fail(*_: Any, **__: Any) -> None:
        raise AssertionError

    monkeypatch.setattr(stages, "score", fail)
    assert LearnTask(data=data).run(kept_scores=kept).claim == "optimal"


@pytest.mark.parametrize("options", [{}, {"space": "neighbourhood"}, {"algorithm": "relaxation"}])
def test_run_that_is_killed_when_it_is_taken_up_loses_nothing(
    options: dict[str, Any], tmp_path: Path
) -> None:
    data = generate(14, 3, 400, seed=3)[1]
    path = tmp_path / "run"
    learn_without_end(data, path, **options)
    before = read_checkpoint(path).state

    def end(_: Report) -> None:
        raise Killed

    for limit, progress in ((math.inf, end), (0.0, end), (0.0, None)):
        with suppress(Killed):
            ab.resume(path, data=data, time_limit=limit, progress=progress)
        state = read_checkpoint(path).state
        assert state.cost == pytest.approx(before.cost)
        for space, proofs in before.evidence.items():
            kept = max(map(claimed, state.evidence[space]))
            assert kept >= max(map(claimed, proofs)) - 1e-6


# ---- what is refused ----


BY_ROWS: dict[str, Any] = {"algorithm": "relaxation", "space": "complete"}


@pytest.fixture
def unfinished(tmp_path: Path) -> Path:
    table = tmp_path / "table.csv"
    generate(9, 3, 200, seed=1)[1].to_pandas().to_csv(table, index=False)
    path = tmp_path / "run"
    learn_without_end(table, path, **BY_ROWS)
    assert read_checkpoint(path).state.evidence
    return path


def test_any_changed_byte_is_noticed(unfinished: Path) -> None:
    whole = unfinished.read_bytes()
    random = np.random.default_rng(0)
    places = {*range(60), *random.integers(0, len(whole), 200).tolist(), len(whole) - 1}
    for place in places:
        damaged = bytearray(whole)
        damaged[place] ^= 1 << int(random.integers(8))
        unfinished.write_bytes(damaged)
        with pytest.raises(ab.InputError, match=str(unfinished)):
            ab.resume(unfinished)


def test_file_that_was_cut_or_grew_is_noticed(unfinished: Path) -> None:
    whole = unfinished.read_bytes()
    for length in (0, 1, 20, 30, 60, len(whole) // 2, len(whole) - 1):
        unfinished.write_bytes(whole[:length])
        with pytest.raises(ab.InputError, match=str(unfinished)):
            ab.resume(unfinished)
    unfinished.write_bytes(whole + b" ")
    with pytest.raises(ab.InputError, match="damaged"):
        ab.resume(unfinished)


def leaves(content: Any) -> list[tuple[Any, Any]]:
    """All places in JSON: containers with their keys."""
    found = []
    for key in content if isinstance(content, dict) else range(len(content)):
        found.append((content, key))
        if isinstance(content[key], dict | list):
            found += leaves(content[key])
    return found


@pytest.mark.parametrize("other", [None, True, -1, 10**400, 0.5, "x", [], {}, [[]], [{"a": 1}]])
def test_other_types_are_refused_or_do_no_harm(unfinished: Path, other: Any) -> None:
    """As if somebody had written the file, with a digest that is right."""
    body = unfinished.read_bytes().partition(b"\n")[2]
    task = json.loads(body)["task"]
    best = ab.learn(task["data"], **BY_ROWS).cost
    taken_up = 0
    for place in range(len(leaves(json.loads(body)))):
        content = json.loads(body)
        container, key = leaves(content)[place]
        container[key] = other
        changed = json.dumps(content).encode()
        unfinished.write_bytes(_first_line(changed) + changed)
        try:
            task_of(read_checkpoint(unfinished).recipe)
            if taken_up > 3 or content["task"] != task:  # which is what would be done then
                continue
            taken_up += 1
            result = ab.resume(unfinished)
        except ab.InputError:
            continue
        assert result.cost == pytest.approx(best)


LEAD = Lead(
    (((0, 1), ()),),
    (LeadStage(np.array([0], dtype=np.uint32), np.array([4]), 0),),
    3.5,
    Standing((), *(np.zeros(1, np.uint32),) * 4, rounds=3, stalled=1),
)


@pytest.mark.parametrize("place", [(), ("state",), ("lead",), ("lead", "standing")])
def test_missing_fields_are_refused_by_name(place: tuple[str, ...], tmp_path: Path) -> None:
    """As in a file of an older version, if its first line did not say so."""
    path = tmp_path / "run"
    state = RunState(names=("A", "B"), evidence={"all": (LEAD,)})
    whole = Saved({"a": 1}, "f00", state).to_json()

    def written(leave_out: str | None) -> None:
        content = json.loads(json.dumps(whole))
        proof = content["state"]["evidence"]["all"][0]
        content["lead"] = json.loads(proof["text"])
        part = content
        for name in place:
            part = part[name]
        if leave_out is not None:
            del part[leave_out]
        proof["text"] = json.dumps(content.pop("lead"))
        body = json.dumps(content).encode()
        path.write_bytes(_first_line(body) + body)

    written(None)
    assert read_checkpoint(path).state.names == ("A", "B")
    part = {**whole, "lead": json.loads(LEAD.text)}
    for name in place:
        part = part[name]
    # Those may be empty, and what is not there is.
    optional = {"result", "scores", "network", "cost", "settled", "ordered", "standing"}
    optional |= {"rows"} if place == ("state",) else set()
    for key in set(part) - {"lead"} - optional:
        written(key)
        with pytest.raises(ab.InputError, match=rf"run: not a checkpoint: .*'{key}'"):
            read_checkpoint(path)


def test_resumed_run_that_changes_nothing_leaves_the_file_alone(
    unfinished: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever is killed again and again should not spend the time on writing what is there."""
    written: list[Saved] = []
    monkeypatch.setattr(checkpoints, "write_checkpoint", lambda _, saved: written.append(saved))
    monkeypatch.setattr(checkpoints, "NEWS_EVERY", math.inf)  # however long it takes
    ab.resume(unfinished)
    assert [saved.result is not None for saved in written] == [True]
    written.clear()
    ab.resume(unfinished, time_limit=1000.0)  # which the next run should know
    assert written[0].result is None
    assert written[0].recipe["settings"]["time_limit"] == 1000.0


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"A,B\n0,1\n", "not a checkpoint"),
        (b"anytimebn checkpoint 99 abc\n{}", "version 99"),
        (b"anytimebn checkpoint 2 abc\n{}", "version 2, .*the anytimebn that wrote it"),
        (_first_line(b"[]") + b"[]", "must be an object"),
        (_first_line(b"{") + b"{", "not a checkpoint"),
        (_first_line(b"[" * 100_000) + b"[" * 100_000, "not a checkpoint"),
    ],
)
def test_foreign_files_are_refused(tmp_path: Path, content: bytes, said: str) -> None:
    path = tmp_path / "run"
    path.write_bytes(content)
    with pytest.raises(ab.InputError, match=said):
        ab.resume(path)


def test_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ab.InputError, match="cannot be read"):
        ab.resume(tmp_path / "nothing")


def test_changed_or_missing_table_is_refused(unfinished: Path) -> None:
    table = unfinished.with_name("table.csv")
    rows = table.read_text().splitlines()
    table.write_text("\n".join(rows[:-1]) + "\n")
    with pytest.raises(ab.InputError, match="have changed since"):
        ab.resume(unfinished)
    moved = table.rename(table.with_name("moved.csv"))
    with pytest.raises(ab.InputError, match="--data"):
        ab.resume(unfinished)
    moved.write_text("\n".join(rows) + "\n")
    assert ab.resume(unfinished, data=moved).claim == "optimal"


def test_finished_run_is_not_believed_if_it_is_wrong(tmp_path: Path) -> None:
    path = tmp_path / "run"
    ab.learn(TINY, checkpoint=path)
    saved = read_checkpoint(path)
    assert saved.result is not None
    for change in (
        {"cost": 1.0, "score": -1.0, "lower_bound": 1.0, "events": []},
        {"lower_bound": 1.0},
        {"status": "fine"},
        {"parents": {"X0": ["X1"], "X1": ["X0"], "X2": []}},
    ):
        write_checkpoint(path, replace(saved, result={**saved.result, **change}))
        with pytest.raises(ab.InputError, match=str(path)):
            ab.resume(path, data=TINY)
    write_checkpoint(path, saved)
    with pytest.raises(ab.InputError, match="have changed since"):
        ab.resume(path, data=1 - TINY[:20])


def test_certificate_of_a_finished_run_is_computed_again(tmp_path: Path) -> None:
    scores = random_scores(10, 3, sets=30, levels=1000)
    path = tmp_path / "run"
    result = ab.learn(scores, algorithm="relaxation", checkpoint=path)
    assert isinstance(result.proof, Rows)
    saved = read_checkpoint(path)
    assert saved.result is not None
    assert ab.resume(path, data=scores).cost == result.cost
    content = json.loads(json.dumps(saved.result))
    content["certificate"]["stages"] = []
    write_checkpoint(path, replace(saved, result=content))
    with pytest.raises(ab.InputError, match="proves only"):
        ab.resume(path, data=scores)


def test_checkpoint_takes_the_place_of_no_other_file(tmp_path: Path, unfinished: Path) -> None:
    with pytest.raises(ab.InputError, match="anytimebn resume"):
        ab.learn(TINY, checkpoint=unfinished)
    table = tmp_path / "table.csv"
    with pytest.raises(ab.InputError, match="not a checkpoint"):
        ab.learn(TINY, checkpoint=table)
    with pytest.raises(ab.InputError, match="directory"):
        ab.learn(TINY, checkpoint=tmp_path)
    with pytest.raises(ab.InputError, match="no folder"):
        ab.learn(TINY, checkpoint=tmp_path / "nowhere" / "run")
    done = tmp_path / "done"
    for _ in range(2):  # what has come to its end may be replaced
        ab.learn(TINY, checkpoint=done)


def test_passing_files_of_killed_processes_go_away(unfinished: Path) -> None:
    mine, others = unfinished.with_name(".anytimebn-1"), unfinished.with_name(".anytimebn-2")
    for folder, name in ((mine, unfinished.name), (others, "other")):
        folder.mkdir()
        (folder / name).write_text("half")
    ab.resume(unfinished)
    assert (mine.exists(), others.exists()) == (False, True)


def test_data_in_memory_are_asked_for(tmp_path: Path) -> None:
    data = generate(9, 3, 200, seed=1)[1]
    path = tmp_path / "run"
    learn_without_end(data, path)
    with pytest.raises(ab.InputError, match="data="):
        ab.resume(path)
    assert ab.resume(path, data=data.to_pandas()).claim == "optimal"
