"""The linear program between solves: what one solve had to change is not left to the next."""

from __future__ import annotations

import gc
import math
from typing import Any

import highspy
import numpy as np
import pytest
from search_problems import hard, random_scores

import anytimebn as ab
from anytimebn import _native
from anytimebn.solver.linear.program import USUAL, WAYS, LinearProgram
from anytimebn.solver.run import start_run


class Spy:
    """HiGHS, with solves that end as they are told to."""

    def __init__(self, highs: Any) -> None:
        self.highs = highs
        self.refused_threads: int | None = None
        self.failing = 0  # solves, from now on
        self.options: dict[str, Any] = {}
        self.runs: list[dict[str, Any]] = []
        self.cleared = 0
        self.failed = False

    def setOptionValue(self, name: str, value: Any) -> Any:
        self.options[name] = value
        return self.highs.setOptionValue(name, value)

    def run(self) -> Any:
        self.runs.append({name: self.options[name] for name in USUAL})
        if self.options["threads"] == self.refused_threads:
            return highspy.HighsStatus.kError
        self.failed = self.failing > 0
        self.failing -= self.failed
        return self.highs.run()

    def getModelStatus(self) -> Any:
        return highspy.HighsModelStatus.kUnknown if self.failed else self.highs.getModelStatus()

    def clearSolver(self) -> Any:
        self.cleared += 1
        return self.highs.clearSolver()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.highs, name)


@pytest.fixture
def program() -> LinearProgram:
    run = start_run(hard(8), ab.SearchSettings(algorithm="relaxation", components=False)).native
    assert isinstance(run, _native.SearchRun)
    assert run.prepare()
    cuts = _native.CuttingPlanes(run, 0)
    made = LinearProgram(cuts, 1e6, lambda: False)
    made.add_columns(np.arange(cuts.sets, dtype=np.uint32))
    made._highs = Spy(made._highs)
    made._set_options(**USUAL)
    return made


def test_every_solve_begins_in_the_usual_way(program: LinearProgram) -> None:
    spy = program._highs
    spy.failing = 3
    assert program.solve(math.inf)
    assert spy.runs == [USUAL | way for way in WAYS]
    assert spy.cleared == 3
    del spy.runs[:]
    assert program.solve(math.inf)
    assert spy.runs == [USUAL]
    assert spy.cleared == 3


def test_threads_of_others_are_used_only_while_one_is_refused(program: LinearProgram) -> None:
    spy = program._highs
    spy.refused_threads = 1
    assert program.solve(math.inf)
    assert [run["threads"] for run in spy.runs] == [1, 0]
    assert not spy.cleared  # the basis is still good
    spy.refused_threads = None
    del spy.runs[:]
    assert program.solve(math.inf)
    assert spy.runs == [USUAL]


def test_solver_that_never_begins_gives_no_solution(program: LinearProgram) -> None:
    assert program.solve(math.inf)  # HiGHS goes on to call this one optimal
    spy = program._highs
    spy.run = lambda: highspy.HighsStatus.kError
    assert not program.solve(math.inf)


def test_linear_programs_do_not_stay_in_memory() -> None:
    for seed in range(10):
        ab.search(random_scores(8, seed, sets=20), algorithm="relaxation", jobs=1)
    gc.collect()
    assert not [kept for kept in gc.get_objects() if isinstance(kept, LinearProgram)]
