"""The linear relaxation with cutting planes: for problems of many variables with few parent sets.

A root cutting-plane loop as in Cussens' GOBNILP (Bartlett & Cussens 2017), without any branching:
choose one parent set a variable at least cost, subject to cluster rows (Jaakkola et al. 2010) and
zero-half rows (Caprara & Fischetti 1996) found where the last solution violates them. Parent sets
enter when their reduced cost asks for it, and leave for good when it shows that no network better
than the incumbent uses them. Orderings read off the solutions give networks.

The linear programs are floating point; bounds are not. Multipliers are rounded to whole numbers and
the bound is computed from them exactly (``native/cuts/rows.h``); that and only that is reported,
and rules out parent sets.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from anytimebn.linear_program import LinearProgram
from anytimebn.registry import Algorithm, Parameter

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from anytimebn import _native

FEW_SETS = 6000  # all of them may be columns from the start
FIRST_COLUMNS = 12  # of a variable with more
PRICED_COLUMNS = 20  # of a variable, in one pricing
PRICE_EVERY = 5  # rounds
OLD_ROW = 6  # solves without a multiplier
LEAST_VIOLATION = 1e-3
SMOOTHING = 0.2  # weight of the newest solution in the smoothed one
INWARD = 0.5  # where between the solution and the smoothed one cuts are sought first
ENOUGH_INWARD_CUTS = 20
FEW_CUTS = 5  # then more effort, and zero-half rows
PATIENCE = 100  # rounds without progress
FIRST_POLISH = 3_000_000  # parent sets looked at
POLISH = 100_000

Costs = list[int]


def run_relaxation(
    run: _native.SearchRun, seed: int, parameters: Mapping[str, float]
) -> dict[str, Any] | None:
    """Raise the bound of a prepared run, and improve its network, until nothing more is found."""
    loop = _Loop(run, seed, int(parameters.get("rounds", ALGORITHM.parameters[0].default)))
    loop.improve_first_network()
    loop.raise_bound([], np.zeros(0, dtype=np.int64))
    loop.solve()
    return None


class _Loop:
    """The state of one cutting-plane loop."""

    def __init__(self, run: _native.SearchRun, seed: int, rounds: int) -> None:
        from anytimebn import _native

        self.run = run
        self.rounds = rounds
        self.cuts = _native.CuttingPlanes(run, seed)
        self.most_cuts = max(60, self.cuts.variables // 3)
        self.pool: dict[int, None] = {}  # rows that left the program or never entered it
        self.shift = 0

    # ---- networks ----

    def incumbent_sets(self) -> NDArray[np.uint32]:
        return np.array(self.cuts.sets_of(self.run.chosen_sets()), dtype=np.uint32)

    def improve_first_network(self) -> None:
        if self.run.solved or self.run.stopped():
            return
        sets = self.incumbent_sets()
        self.offer(self.cuts.round(sets, np.ones(len(sets)), FIRST_POLISH))

    def offer(self, chosen: list[int]) -> bool:
        return bool(chosen) and self.run.offer_network(chosen)

    # ---- bounds ----

    def raise_bound(self, rows: list[int], multipliers: NDArray[np.int64]) -> bool:
        """Compute the exact bound, report it, rule out sets by it; whether it could be computed."""
        if not self.cuts.evaluate(rows, multipliers, self.shift):
            return False
        costs = self.run.component_costs
        for component, (base, bound) in enumerate(
            zip(self.cuts.base, self.cuts.bounds, strict=True)
        ):
            self.run.offer_bound(component, min(base + bound, costs[component]))
        self.cuts.rule_out(
            [cost - base for cost, base in zip(costs, self.cuts.base, strict=True)]
        )
        return True

    def bound_of(self, program: LinearProgram) -> None:
        """Round the multipliers of a solution and use the bound that they give."""
        used = np.flatnonzero(program.multipliers > 0)
        rows = [program.rows[i] for i in used]
        while True:
            whole = np.rint(np.ldexp(program.multipliers[used], self.shift))
            if self.raise_bound(rows, np.minimum(whole, 2.0**60).astype(np.int64)):
                return
            if self.shift == 0:
                return
            self.shift = max(0, self.shift - 4)

    # ---- the loop ----

    def first_columns(self) -> NDArray[np.uint32]:
        possible = self.cuts.possible.astype(bool)
        if self.cuts.possible_count <= FEW_SETS:
            return np.flatnonzero(possible).astype(np.uint32)
        chosen = []
        first = self.cuts.first_set
        for begin, end in zip(first, first[1:], strict=False):
            own = np.flatnonzero(possible[begin:end]) + begin
            chosen.append(own[:FIRST_COLUMNS])
            chosen.append(own[-1:])  # the dearest, in most cases the empty set
        return np.concatenate(chosen).astype(np.uint32)

    def solve(self) -> None:
        run, cuts = self.run, self.cuts
        if run.solved:
            return
        possible = cuts.possible.astype(bool)
        largest = max(1, int(cuts.regrets[possible].max(initial=0)))
        # As fine as 64 bits allow: a bound that lacks less than one unit is rounded up to it.
        self.shift = int(np.clip(58 - (cuts.variables * largest).bit_length(), 0, 20))
        program = LinearProgram(cuts, largest / 1e4, lambda: run.stop_requested)
        program.add_columns(np.concatenate([self.first_columns(), self.incumbent_sets()]))
        smoothed = np.zeros(cuts.sets)
        best_gap, last_progress = self.gap(), 0
        found = 0
        for number in range(self.rounds):
            complete = False
            while True:
                if run.solved or run.stopped() or not run.expand():
                    return
                if not run.use_memory(len(program.rows), cuts.memory_bytes + program.memory_bytes):
                    return
                if not program.solve(run.seconds_left):
                    run.stopped()
                    return
                if number % PRICE_EVERY and found >= FEW_CUTS:
                    break
                self.bound_of(program)
                missing = cuts.price(program.column_of_set, PRICED_COLUMNS)
                if not len(missing):
                    complete = True
                    break
                program.add_columns(missing)
            if run.solved:
                return
            if self.gap() < 0.999 * best_gap:
                best_gap, last_progress = self.gap(), number
            if number - last_progress > PATIENCE:
                return
            sets, values = program.support()
            if self.offer(cuts.round(sets, values, POLISH)):
                program.add_columns(self.incumbent_sets())
            smoothed *= 1 - SMOOTHING
            smoothed[sets] += SMOOTHING * values
            new = self.separate(program, sets, values, smoothed, inward=number > FEW_CUTS)
            found = len(new)
            if not new and complete:
                return
            self.tidy(program)
            for row in new:
                self.pool.pop(row, None)
            if new:
                program.add_rows(new)

    def gap(self) -> int:
        return sum(self.run.component_costs) - sum(self.run.component_bounds)

    def tidy(self, program: LinearProgram) -> None:
        """Take out what is not needed: rows that were slack for long, sets that are ruled out."""
        unwanted = ~self.cuts.possible.astype(bool)
        unwanted[self.incumbent_sets()] = False  # they keep the program feasible
        for row in program.drop(unwanted, OLD_ROW):
            self.pool[row] = None

    def separate(
        self,
        program: LinearProgram,
        sets: NDArray[np.uint32],
        values: NDArray[np.float64],
        smoothed: NDArray[np.float64],
        *,
        inward: bool,
    ) -> list[int]:
        """Rows that the solution violates."""
        cuts, active = self.cuts, program.rows
        found: dict[int, None] = {}
        if inward:
            mixed = INWARD * smoothed
            mixed[sets] += (1 - INWARD) * values
            nearby = np.flatnonzero(mixed > 1e-6).astype(np.uint32)
            rows = cuts.separate_clusters(nearby, mixed[nearby], 1, 5e-3, self.most_cuts, active)
            self.keep_violated(found, rows, sets, values)
        self.keep_violated(found, list(self.pool), sets, values)
        if len(found) < ENOUGH_INWARD_CUTS:
            for effort in (1, 4):
                rows = cuts.separate_clusters(
                    sets, values, effort, LEAST_VIOLATION, self.most_cuts, active
                )
                found.update(dict.fromkeys(rows))
                if len(found) >= FEW_CUTS:
                    break
        if len(found) <= FEW_CUTS:
            rows = cuts.separate_zero_half(sets, values, active, self.most_cuts, 2, 6)
            found.update(dict.fromkeys(rows))
        if not found:
            rows = cuts.separate_zero_half(sets, values, active + list(self.pool), self.most_cuts, 3, 40)
            found.update(dict.fromkeys(rows))
        self.pool.update(dict.fromkeys(list(found)[self.most_cuts :]))
        return list(found)[: self.most_cuts]

    def keep_violated(
        self,
        found: dict[int, None],
        rows: list[int],
        sets: NDArray[np.uint32],
        values: NDArray[np.float64],
    ) -> None:
        """Add the rows that the solution violates, the most violated first."""
        violations = self.cuts.violations(rows, sets, values)
        for i in np.argsort(-violations, kind="stable"):
            if violations[i] <= LEAST_VIOLATION:
                break
            found[rows[i]] = None


ALGORITHM = Algorithm(
    name="relaxation",
    summary="linear program with cutting planes; for many variables with few parent sets",
    paper="Bartlett & Cussens 2017; Caprara & Fischetti 1996",
    uses_heuristic=False,
    proves=False,
    parameters=(Parameter("rounds", 1e6, 0, 1e9, "of cutting planes at most", True),),
)
