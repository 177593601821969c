"""A linear program that grows and shrinks between solves, by HiGHS, its basis kept warm.

One column a parent set, one equation a variable (it has one set), and below these the rows of
`_native.CuttingPlanes`, by their numbers there. Nothing here is trusted: values guide the search
for cuts and networks, multipliers become bounds by exact arithmetic elsewhere.
"""

from __future__ import annotations

import math
import weakref
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from anytimebn.solver.no_memory import importing_late

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from anytimebn import _native

DUAL_TOLERANCE = 1e-9
IN_USE = 1e-9  # multipliers above this keep a row young
PROGRESS = 1e-3  # of the objective
CHOOSE = 0  # dual simplex after rows were added, primal after columns
PRIMAL = 4
USUAL: dict[str, Any] = {"threads": 1, "solver": "simplex", "simplex_strategy": CHOOSE}
# From the last basis; when that fails, from scratch, in the same way and in others.
WAYS: tuple[dict[str, Any], ...] = ({}, {}, {"solver": "ipm"}, {"simplex_strategy": PRIMAL})


class ProgramStanding(NamedTuple):
    """What a program has besides its rows, between two solves.

    Attributes
    ----------
    basic_sets
        Whose columns are in the basis.
    basic_rows
        1 for each row whose slack is there, else 0; equations come first.
    ages
        Of the other rows.
    """

    basic_sets: NDArray[np.uint32]
    basic_rows: NDArray[np.uint32]
    ages: NDArray[np.uint32]


class LinearProgram:
    """Columns, rows and the solution of the last solve.

    Parameters
    ----------
    cuts
        The rows and the sets that columns and rows are made of.
    unit
        What one unit of the objective is in units of costs.
    interrupted
        Asked at every step of the simplex method.
    """

    def __init__(
        self, cuts: _native.CuttingPlanes, unit: float, interrupted: Callable[[], bool]
    ) -> None:
        with importing_late():
            import highspy

        self._cuts = cuts
        self._costs = cuts.regrets / unit
        self._unit = unit
        self._highspy: Any = highspy
        self._highs: Any = self._highspy.Highs()
        self._set_options(
            output_flag=False,
            presolve="off",
            dual_feasibility_tolerance=DUAL_TOLERANCE,
            **USUAL,
        )

        self._interrupted = interrupted
        # HiGHS holds what it calls where Python does not see it: if that held this, which holds
        # HiGHS, nobody would ever let go of either.
        program = weakref.ref(self)

        def interrupt(_kind: Any, _message: str, _out: Any, given: Any, _data: Any) -> None:
            own = program()
            if own is not None and own._interrupted():
                given.user_interrupt = True

        self._highs.setCallback(interrupt, None)
        self._highs.startCallback(highspy.cb.HighsCallbackType.kCallbackSimplexInterrupt)
        self.sets: NDArray[np.uint32] = np.zeros(0, dtype=np.uint32)
        self._closed: NDArray[np.bool_] = np.zeros(0, dtype=bool)  # columns that must be 0
        self.column_of_set = np.full(cuts.sets, -1, dtype=np.int32)
        self.rows: list[int] = []
        self._at_least: NDArray[np.uint8] = np.zeros(0, dtype=np.uint8)
        self._ages: NDArray[np.int64] = np.zeros(0, dtype=np.int64)
        self.values: NDArray[np.float64] = np.zeros(0)
        self.multipliers: NDArray[np.float64] = np.zeros(0)  # in units of costs, by row
        self.rising = False  # whether the last solve raised the objective
        self._objective = -math.inf
        self.entries = 0
        n = cuts.variables
        self._highs.addRows(
            n, np.ones(n), np.ones(n), 0, np.zeros(n, np.int32), np.zeros(0, np.int32), np.zeros(0)
        )

    def _set_options(self, **options: Any) -> None:
        for name, value in options.items():
            self._highs.setOptionValue(name, value)

    @property
    def memory_bytes(self) -> int:
        """About what HiGHS holds: a few copies of the matrix, and factors of the basis."""
        return 120 * self.entries + 400 * (len(self.sets) + len(self.rows) + self._cuts.variables)

    def add_columns(self, sets: NDArray[np.uint32]) -> None:
        """Add parent sets that are not there yet."""
        sets = np.unique(sets[self.column_of_set[sets] < 0])
        if not len(sets):
            return
        starts, indices, values = self._cuts.sparse_columns(sets, self.rows, self._at_least)
        count = len(sets)
        self._highs.addCols(
            count,
            self._costs[sets],
            np.zeros(count),
            np.full(count, math.inf),
            len(indices),
            starts,
            indices,
            values,
        )
        self.column_of_set[sets] = np.arange(len(self.sets), len(self.sets) + count)
        self.sets = np.concatenate([self.sets, sets])
        self.values = np.concatenate([self.values, np.zeros(count)])
        self._closed = np.concatenate([self._closed, np.zeros(count, dtype=bool)])
        self.entries += len(indices)

    def add_rows(self, rows: Sequence[int]) -> None:
        """Add rows that are not there yet."""
        if not rows:
            return
        lower, upper, starts, indices, values = self._cuts.sparse_rows(rows, self.column_of_set)
        self._highs.addRows(len(rows), lower, upper, len(indices), starts, indices, values)
        self.rows.extend(rows)
        self._at_least = np.concatenate([self._at_least, (lower == 1).astype(np.uint8)])
        self._ages = np.concatenate([self._ages, np.zeros(len(rows), dtype=np.int64)])
        self.entries += len(indices)

    def standing(self) -> ProgramStanding:
        """Say where it stands, for another program that goes on from here."""
        columns, rows = self._basis()
        return ProgramStanding(
            self.sets[columns], rows.astype(np.uint32), self._ages.astype(np.uint32)
        )

    def begin_with(self, other: ProgramStanding) -> None:
        """Begin with the basis of another program of these rows, if it can be one here.

        It only says where to begin: whatever is wrong with it costs steps.
        """
        if len(other.ages) == len(self.rows):
            self._ages = other.ages.astype(np.int64)
        columns = np.zeros(len(self.sets), dtype=bool)
        columns[self.column_of_set[other.basic_sets]] = True
        rows = other.basic_rows == 1
        most = self._cuts.variables + len(self.rows)
        if len(rows) == most and columns.sum() + rows.sum() == most:
            self._set_basis(columns, rows)

    def _basis(self) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Which columns are in the basis, and the slacks of which rows, equations first."""
        found, numbers = self._highs.getBasicVariables()
        if found == self._highspy.HighsStatus.kOk:
            # In numbers, which takes a seventh of the time: -1 is the first row.
            basic_numbers = np.asarray(numbers)
            columns = np.zeros(len(self.sets), dtype=bool)
            columns[basic_numbers[basic_numbers >= 0]] = True
            rows = np.zeros(self._cuts.variables + len(self.rows), dtype=bool)
            rows[-1 - basic_numbers[basic_numbers < 0]] = True
            return columns, rows
        basis, basic = self._highs.getBasis(), self._highspy.HighsBasisStatus.kBasic
        columns = np.array([status == basic for status in basis.col_status], dtype=bool)
        return columns, np.array([status == basic for status in basis.row_status], dtype=bool)

    def _set_basis(self, columns: NDArray[np.bool_], rows: NDArray[np.bool_]) -> None:
        """Begin the next solve with these in the basis; all others are at the bound they have."""
        status = self._highspy.HighsBasisStatus
        at_upper = np.concatenate([np.zeros(self._cuts.variables, bool), self._at_least == 0])
        basis = self._highspy.HighsBasis()
        basis.col_status = np.where(columns, status.kBasic, status.kLower).tolist()
        others = np.where(at_upper, status.kUpper, status.kLower)
        basis.row_status = np.where(rows, status.kBasic, others).tolist()
        basis.valid = True
        self._highs.setBasis(basis)

    def solve(self, seconds: float) -> bool:
        """Solve; whether an optimum was found within these seconds and without interruption."""
        status = self._highspy.HighsModelStatus
        # The clock of HiGHS runs on from solve to solve.
        time_limit = self._highs.getRunTime() + max(0.0, seconds)
        for attempt, options in enumerate(WAYS):
            if attempt:
                self._highs.clearSolver()
            self._set_options(time_limit=time_limit, **options)
            ended = self._run()
            self._set_options(**USUAL)
            if ended == status.kOptimal:
                self._read_solution()
                return True
            if ended in (status.kTimeLimit, status.kInterrupt, status.kInfeasible):
                return False
        return False

    def _run(self) -> Any:
        """Run HiGHS; how it ended, `None` if it did not even begin."""
        refused = self._highspy.HighsStatus.kError
        ended = self._highs.run()
        if ended == refused:
            # A process has one pool of threads for HiGHS, and whoever came first chose its size:
            # another size is refused, 0 takes the pool as it is.
            self._set_options(threads=0)
            ended = self._highs.run()
        return None if ended == refused else self._highs.getModelStatus()

    def solve_with(self, chosen: int, seconds: float) -> bool:
        """Solve with one set chosen, for this time only."""
        column = int(self.column_of_set[chosen])
        self._highs.changeColBounds(column, 1.0, math.inf)
        solved = self.solve(seconds)
        self._highs.changeColBounds(column, 0.0, math.inf)
        return solved

    def _read_solution(self) -> None:
        solution = self._highs.getSolution()
        self.values = np.maximum(0.0, np.array(solution.col_value))
        duals = np.array(solution.row_dual)[self._cuts.variables :]
        signs = np.where(self._at_least == 1, 1.0, -1.0)
        self.multipliers = np.maximum(0.0, duals * signs) * self._unit

    def age_rows(self) -> None:
        """Make rows older that got no multiplier, unless the objective stands still.

        On a plateau rows without a multiplier may be what keeps the solution from falling back.
        """
        objective = float(self._highs.getObjectiveValue())
        self.rising = objective > self._objective + PROGRESS
        self._objective = objective
        in_use = self.multipliers > IN_USE * self._unit
        self._ages = np.where(in_use, 0, self._ages + int(self.rising))

    def support(self) -> tuple[NDArray[np.uint32], NDArray[np.float64]]:
        """The sets with a value above 0, and these values."""
        positive = self.values > 1e-7
        return self.sets[positive], self.values[positive]

    def drop(self, unwanted_set: NDArray[np.bool_], oldest: int) -> list[int]:
        """Remove unwanted sets, and rows without a multiplier for some solves; return the rows.

        Nothing happens before it is worth the effort. Only sets that are not part of the basis, and
        rows that are slack there, go: the others would spoil it. Unwanted sets get the value 0 at
        once, because new rows do not know them.
        """
        old = self._ages >= oldest
        unwanted = unwanted_set[self.sets]
        columns = np.flatnonzero(unwanted & ~self._closed).astype(np.int32)
        if len(columns):
            zeros = np.zeros(len(columns))
            self._highs.changeColsBounds(len(columns), columns, zeros, zeros)
            self._closed[columns] = True
        many_rows = old.sum() >= min(50, max(1, len(self.rows) // 4))
        if not many_rows and unwanted.sum() < max(1, len(self.sets) // 10):
            return []
        if not self._highs.getBasis().valid:
            return []
        n = self._cuts.variables
        basic_columns, basic_rows = self._basis()
        drop_column = unwanted & ~basic_columns
        drop_row = old & basic_rows[n:]
        dropped = [row for row, gone in zip(self.rows, drop_row, strict=True) if gone]
        gone_columns = np.flatnonzero(drop_column).astype(np.int32)
        gone_rows = (n + np.flatnonzero(drop_row)).astype(np.int32)
        if len(gone_rows):
            self._highs.deleteRows(len(gone_rows), gone_rows)
        if len(gone_columns):
            self._highs.deleteCols(len(gone_columns), gone_columns)
        self.column_of_set[self.sets[drop_column]] = -1
        self.sets = self.sets[~drop_column]
        self.column_of_set[self.sets] = np.arange(len(self.sets), dtype=np.int32)
        self.values = self.values[~drop_column]
        self._closed = self._closed[~drop_column]
        self.rows = [row for row, gone in zip(self.rows, drop_row, strict=True) if not gone]
        self._at_least = self._at_least[~drop_row]
        self._ages = self._ages[~drop_row]
        self.multipliers = self.multipliers[~drop_row]
        self.entries = int(self._highs.getNumNz())
        kept = np.concatenate([np.ones(n, bool), ~drop_row])
        self._set_basis(basic_columns[~drop_column], basic_rows[kept])
        return dropped
