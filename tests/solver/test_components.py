"""Several components: workers have them by turns, and prove the whole problem so."""

from __future__ import annotations

from concurrent.futures import Executor
from concurrent.futures import ThreadPoolExecutor as Threads
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import anytimebn as ab
from anytimebn.base.helpers import Mark, Refused
from anytimebn.checker.verify import verify
from anytimebn.network.random import generate
from anytimebn.result.certificates import Rows, Stage, ZeroHalfRow
from anytimebn.solver import elsewhere
from anytimebn.solver.components import ComponentTurns, joined_rows
from anytimebn.solver.elsewhere import Proof, ProofsElsewhere
from anytimebn.solver.outcome import result_of
from anytimebn.solver.run import ParentSetRun, start_run
from anytimebn.solver.settings import SearchSettings

SIZES = (14, 10, 14)


def side_by_side(parts: list[ab.LocalScores]) -> ab.LocalScores:
    """Make one problem of several that know nothing of each other."""
    before = np.cumsum([0, *(part.variables for part in parts)])

    def ends(name: str) -> np.ndarray:
        lengths = [np.diff(getattr(part, name)) for part in parts]
        return np.concatenate([[0], np.cumsum(np.concatenate(lengths))])

    return ab.LocalScores(
        names=tuple(f"{i}.{name}" for i, part in enumerate(parts) for name in part.names),
        first_set=ends("first_set"),
        costs=np.concatenate([part.costs for part in parts]),
        first_member=ends("first_member"),
        members=np.concatenate(
            [part.members + shift for part, shift in zip(parts, before, strict=False)]
        ).astype(np.int32),
    )


@pytest.fixture(scope="module")
def parts() -> list[ab.LocalScores]:
    made_of = zip(SIZES, (500, 200, 300), (5, 7, 1), strict=True)
    tables = [generate(size, 3, rows, seed=seed)[1] for size, rows, seed in made_of]
    return [ab.score(table, max_parents=2) for table in tables]


@pytest.fixture(scope="module")
def scores(parts: list[ab.LocalScores]) -> ab.LocalScores:
    return side_by_side(parts)


def prepared(scores: ab.LocalScores, **settings: Any) -> ParentSetRun:
    run = start_run(scores, SearchSettings(**settings))
    assert isinstance(run, ParentSetRun)
    assert run.native.prepare()
    return run


class Nobody(Executor):
    """An executor that is not asked."""


def test_tasks_go_round_the_components(scores: ab.LocalScores) -> None:
    run = prepared(scores)
    assert sorted(run.native.component_sizes) == sorted(SIZES)
    helpers = ProofsElsewhere(run, Nobody())
    tasks = [helpers.next_task(number) for number in range(9)]
    about = [task[2] for task in tasks if task is not None]
    blocks = {tuple(range(14)), tuple(range(14, 24)), tuple(range(24, 38))}
    for i in range(0, 9, 3):
        assert set(about[i : i + 3]) == blocks
    for block in blocks:  # by each route in turn
        routes = [task[0].algorithm for task in tasks if task is not None and task[2] == block]
        assert routes == ["relaxation", "auto", "relaxation"]
    gaps = [
        c - b for c, b in zip(run.native.component_costs, run.native.component_bounds, strict=True)
    ]
    widest = int(np.argmax(gaps))
    assert len(about[0]) == run.native.component_sizes[widest]


def test_solved_components_have_no_turn(scores: ab.LocalScores) -> None:
    run = prepared(scores)
    turns = ComponentTurns(run.native)
    first = turns.next()
    assert first is not None
    run.native.offer_bound(first.component, run.native.component_costs[first.component])
    later = [turns.next() for _ in range(4)]
    assert all(turn is not None and turn.component != first.component for turn in later)
    for component, cost in enumerate(run.native.component_costs):
        run.native.offer_bound(component, cost)
    assert turns.next() is None


def test_one_component_is_not_cut_out(parts: list[ab.LocalScores], scores: ab.LocalScores) -> None:
    for run in (prepared(parts[0]), prepared(scores, components=False)):
        turn = ComponentTurns(run.native).next()
        assert turn is not None
        assert turn.free is None


def test_tasks_of_components_prove_the_whole(
    parts: list[ab.LocalScores], scores: ab.LocalScores
) -> None:
    run = prepared(scores)
    helpers = ProofsElsewhere(run, Nobody())
    for number in range(len(parts)):
        task = helpers.next_task(number)
        assert task is not None
        settings, *rest = task
        unlimited = replace(settings, time_limit=None)
        helpers.look_at(elsewhere._prove(scores, Mark(), unlimited, *rest))
    assert run.native.solved()
    assert helpers.next_task(len(parts)) is None
    run.native.finish()
    result = result_of(run, [])
    assert result.status == "optimal"
    assert result.cost == pytest.approx(sum(ab.search(part).cost for part in parts), abs=1e-4)
    # One certificate proves all of it.
    assert isinstance(result.proof, Rows)
    assert result.proof.lower_bound == pytest.approx(result.cost, abs=1e-4)
    assert verify(result.to_json(), scores=scores).ok


def test_helped_searches_prove_the_same(
    scores: ab.LocalScores, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(elsewhere, "PATIENCE", 0.0)
    about: list[tuple[int, ...]] = []
    prove = elsewhere._prove

    def watched(scores: Any, mark: Any, settings: Any, start: Any, free: Any) -> Proof:
        about.append(free)
        return prove(scores, mark, settings, start, free)

    monkeypatch.setattr(elsewhere, "_prove", watched)
    alone = ab.learn(scores)
    with Threads(2) as pool:
        found = ab.learn(scores, executor=pool)
    assert (found.status, found.claim) == (alone.status, alone.claim)
    assert found.cost == pytest.approx(alone.cost, abs=1e-5)
    assert verify(found.to_json(), scores=scores).ok
    assert all(len(free) in SIZES for free in about)


def test_forged_answers_about_components_are_refused(
    parts: list[ab.LocalScores], scores: ab.LocalScores
) -> None:
    run = prepared(scores)
    helpers = ProofsElsewhere(run, Nobody())
    assert helpers.next_task(0) is not None  # components are known from here on
    best = [ab.search(part).cost for part in parts]
    stage = Stage(rows=(0, 1), multipliers=(10**12, 10**12), denominator=1)
    across = Rows(((0, 14), (1, 30, 31)), (), (stage,), lower_bound=sum(best) * 2)
    inside = replace(across, clusters=((0, 1), (24, 25)))
    for forged in (across, inside):
        helpers.look_at(Proof(None, forged))
    bounds = run.native.component_bounds
    with pytest.raises(Refused, match="rows that are none"):
        helpers.look_at(Proof(None, replace(across, clusters=((0, 99),))))
    cycle = ((1,), (0,), *((),) * 36)
    with pytest.raises(Refused, match="no network"):
        helpers.look_at(Proof(cycle, None))
    run.native.search()
    run.native.finish()
    assert result_of(run, []).cost == pytest.approx(sum(best), abs=1e-4)
    for bound, cost in zip(bounds, run.native.component_costs, strict=True):
        assert bound <= cost


def test_rows_of_several_are_numbered_anew() -> None:
    first = Rows(
        clusters=((0, 1), (1, 2)),
        zero_half=(ZeroHalfRow((0, 1), (0,)),),
        stages=(Stage((0, 2), (4, 5), 1),),
    )
    second = Rows(
        clusters=((3, 4),),
        zero_half=(ZeroHalfRow((0,), (3,)), ZeroHalfRow((1, 0), ())),
        stages=(Stage((2,), (6,), 4), Stage((0, 1), (7, 8), 2)),
    )
    assert joined_rows([first, second]) == Rows(
        clusters=((0, 1), (1, 2), (3, 4)),
        zero_half=(ZeroHalfRow((0, 1), (0,)), ZeroHalfRow((2,), (3,)), ZeroHalfRow((4, 2), ())),
        stages=(
            Stage((0, 3), (4, 5), 1),
            Stage((5,), (6,), 4),
            Stage((2, 4), (7, 8), 2),
        ),
    )
    assert joined_rows([first]) == first
