"""The loop of `anytimebn.solver.linear.algorithms`: solve, price, separate, round, and solve again.

The linear programs are floating point; bounds are not. Multipliers are rounded to whole numbers and
the bound is computed from them exactly (``native/cuts/rows.h``); that and only that is reported,
and rules out parent sets.
"""

from __future__ import annotations

import logging
from contextlib import suppress
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from anytimebn.base.clock import THREAD_CLOCK, Stopwatch
from anytimebn.scores.store import UNITS_PER_NAT
from anytimebn.solver.linear.first_rows import small_rows
from anytimebn.solver.linear.lead import MOST_SHIFT, LeadBook
from anytimebn.solver.linear.program import LinearProgram, ProgramStanding
from anytimebn.solver.linear.proof import Stage, certificate, rule_out
from anytimebn.solver.no_memory import end_for_want_of_memory

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from anytimebn import _native
    from anytimebn.result.certificates import Rows
    from anytimebn.solver.description import Told
    from anytimebn.solver.linear.lead import Lead, LeadRow

LOG = logging.getLogger(__name__)

# All of them may be columns from the start, if they fit into a quarter of the memory: with 7,000 to
# 90,000 sets that halves the time to a gap, because the simplex method need not go back to primal
# steps whenever columns are added. With a million sets the solver gets too slow by it.
FEW_SETS = 100_000
BYTES_A_COLUMN = 12_000  # of a program that has grown to some thousand rows
FIRST_COLUMNS = 12  # of a variable with more
PRICED_COLUMNS = 20  # of a variable, in one pricing
PRICE_EVERY = 5  # rounds
OLD_ROW = 4  # solves without a multiplier
LEAST_VIOLATION = 1e-3
MOST_POOL = 5000  # rows that wait; the oldest are forgotten
SMOOTHING = 0.2  # weight of the newest solution in the smoothed one
INWARD = 0.5  # where between the solution and the smoothed one cuts are sought first
INWARD_FROM = 5  # rounds
ENOUGH_CUTS = 80  # with fewer, more effort
MOST_PROBES = 200  # sets tried when no cut is found
# What clusters alone gain of the gap in a round while further rows would only make programs slower.
FAST = 0.03
MOST_CUTS = 100  # of a kind in a round, or a third of the number of variables
TELL_EVERY = 0.25  # seconds: nobody writes it down more often than once a second
TELLING = 0.004  # of the time may go into what is told on the way
FORGET = 0.1  # of the sets ruled out, before rows forget their coefficients
PATIENCE = 100  # rounds without progress
LEAST_PROGRESS = 1e-3  # of the gap
LARGEST_OBJECTIVE = 1e4  # of a column, so that tolerances of the solver mean the same everywhere
POLISH = 2_500  # parent sets looked at for each variable: some moves of it
LARGEST = 2**60  # multiplier
NO_ROW = 2**32 - 1  # what the core says of a row that it does not take


def raise_bound_of(
    run: _native.SearchRun,
    *,
    seed: int,
    rounds: int,
    contributor: _native.Contributor | None = None,
    known: Rows | None = None,
    told: Told | None = None,
    begun: CuttingPlaneLoop | None = None,
) -> Rows | None:
    """Raise the bound of a prepared run, and improve its network, until nothing more is found.

    Parameters
    ----------
    run
        To contribute to.
    seed
        Of separation and rounding.
    rounds
        At most.
    contributor
        Whose budget to work by; a new one's by default.
    known
        Rows that were of use for another problem of the same variables, to begin with.
    told
        Hears on the way what to begin with after a crash; that takes half a hundredth of the
        time at most.
    begun
        A loop that has begun with what an earlier run has left.

    Returns
    -------
    Rows or None
        A certificate of the bound: see `anytimebn.checker.rows`. None if the run was to end before
        there was time for it.
    """
    loop = begun or start_loop(run, seed=seed, contributor=contributor, known=known, told=told)
    if loop is None:
        return None
    loop.rounds = rounds
    try:
        loop.solve()
    finally:
        if run.seconds_left > 0 and not run.stop_requested:
            loop.cuts.hand_over(run)
    return certificate(run, loop)


def start_loop(
    run: _native.SearchRun,
    *,
    seed: int,
    contributor: _native.Contributor | None = None,
    known: Rows | None = None,
    lead: Lead | None = None,
    told: Told | None = None,
    with_rows: bool = True,
) -> CuttingPlaneLoop | None:
    """Set up a loop with its first rows; None if the run is to end before the problem is ready.

    With `with_rows` false there are none, but for those that others add. With a lead it goes on
    from there.
    """
    from anytimebn import _native

    contributor = contributor or run.contributor()
    if lead is not None and lead.standing is not None:
        seed += lead.standing.rounds  # what was tried before need not be tried again
    try:
        cuts = _native.CuttingPlanes(run, seed, contributor)
    except _native.WorkStopped:
        return None
    loop = CuttingPlaneLoop(run, cuts, contributor=contributor, told=told)
    with suppress(_native.WorkStopped):
        loop.start(known, lead, with_rows=with_rows)
    return loop


class CuttingPlaneLoop:
    """The state of one cutting-plane loop."""

    def __init__(
        self,
        run: _native.SearchRun,
        cuts: _native.CuttingPlanes,
        rounds: int = 0,
        contributor: _native.Contributor | None = None,
        told: Told | None = None,
    ) -> None:
        self.run = run
        self.contributor = contributor or run.contributor()
        self.rounds = rounds
        self.cuts = cuts
        self.most_cuts = max(MOST_CUTS, self.cuts.variables // 3)
        self.pairs: list[int] = []  # rows of two variables
        self.first_rows: list[int] = []  # of the first program
        self.pool: dict[int, None] = {}  # rows that left the program or never entered it
        self.shift = 0
        self.remembered = cuts.sets  # sets that were possible when others were last forgotten
        self.stages: list[Stage] = []  # that raised the bound or ruled something out
        self.bounds = list(cuts.base)  # by component
        self.program: LinearProgram | None = None
        self.told = told
        self.book = None if told is None else LeadBook(cuts.origin)
        self.before = 0  # rounds of earlier runs
        self.stalled = 0  # rounds since the gap last became smaller
        self.gained = 0.0  # of the gap, by the last round
        self.standing: ProgramStanding | None = None  # to begin with
        self.possible = self.cuts.possible.astype(bool)  # by the word of the book
        self.working = Stopwatch.started(THREAD_CLOCK)
        self.next_told = 0.0

    def start(
        self, known: Rows | None = None, lead: Lead | None = None, *, with_rows: bool = True
    ) -> None:
        """Rule out sets that alone cost as much as the incumbent, or with rows that are known."""
        self.raise_bound(Stage([], np.zeros(0, dtype=np.int64), 0))
        if lead is not None and not self.run.solved():
            self.go_on_from(lead)
        if known is not None and not self.run.solved():
            self.take_over(known)
        if with_rows and not self.run.solved():
            self.pairs, triples = small_rows(self.cuts, self.contributor)
            self.pool.update(dict.fromkeys(self.pairs + triples))

    def take_over(self, known: Rows, *, all_stages: bool = False) -> None:
        """Begin with rows of another problem: they hold whatever parent sets there are.

        The last multipliers there are a good guess here, too. If it was the same problem, all of
        them prove here what they proved there.
        """
        numbers: list[int | None] = [
            _inside(self.cuts.add_cluster(sorted(set(members)))) for members in known.clusters
        ]
        for row in known.zero_half:
            parents = [numbers[number] for number in row.rows]
            whole = [number for number in parents if number is not None]
            numbers.append(
                _inside(self.cuts.add_zero_half(whole, list(row.variables)))
                if len(whole) == len(parents)
                else None
            )
        for stage in known.stages if all_stages else known.stages[-1:]:
            shift = stage.denominator.bit_length() - 1
            largest = max(stage.multipliers, default=0)
            if stage.denominator != 1 << shift or shift > MOST_SHIFT or largest > LARGEST:
                continue  # not from here
            used = [
                (number, multiplier)
                for number, multiplier in zip(
                    (numbers[row] for row in stage.rows), stage.multipliers, strict=True
                )
                if number is not None
            ]
            self.first_rows = [number for number, _ in used]
            multipliers = np.array([multiplier for _, multiplier in used], dtype=np.int64)
            self.raise_bound(Stage(self.first_rows, multipliers, shift))
        self.pool.update(dict.fromkeys(number for number in numbers if number is not None))

    def go_on_from(self, lead: Lead) -> None:
        """Take stages of another loop once more: they rule out here what they did there.

        Early ones are of a time when most sets were possible, and take long. The last one often
        rules out most of what they did: it comes first, and those that it makes up for are left
        out. Rows are added when they are needed, for the sets that are possible by then.
        """
        standing = lead.standing
        taken = _TakenRows(self.cuts, (*lead.rows, *(standing.rows if standing else ())))
        for stage in (*lead.stages[-1:], *lead.stages):
            if self.run.solved() or stage.multipliers.max(initial=0) > LARGEST:
                break
            sets = stage.ruled_out[stage.ruled_out < self.cuts.sets]
            if len(sets) and not self.cuts.possible[sets].any():
                continue
            numbers = taken.rows(stage.rows)
            there = np.array([number is not None for number in numbers], dtype=bool)
            self.first_rows = [number for number in numbers if number is not None]
            multipliers = stage.multipliers[there]
            self.raise_bound(Stage(self.first_rows, multipliers, stage.shift))
            self.forget()
        if standing is not None and not self.run.solved():
            active = taken.rows(standing.active)
            self.first_rows = [number for number in active if number is not None]
            sets = standing.basic_sets[standing.basic_sets < self.cuts.sets]
            self.standing = ProgramStanding(sets, standing.basic_rows, standing.ages)
            self.before, self.stalled = standing.rounds, standing.stalled
        self.pool.update(dict.fromkeys(taken.all()))

    @property
    def active_rows(self) -> list[int]:
        """Rows of the linear program."""
        return [] if self.program is None else self.program.rows

    def stopped(self) -> bool:
        """Whether to end; asked before each unit of work."""
        return self.contributor.stopped()

    def interrupted(self) -> bool:
        """Whether a linear program that is being solved should end; others may come first."""
        self.contributor.wait_for_turn()
        return self.run.stop_requested or self.run.solved()

    # ---- networks ----

    def incumbent_sets(self) -> NDArray[np.uint32]:
        """The sets of the best network, by their numbers here."""
        return np.array(self.cuts.sets_of(self.run.parents()), dtype=np.uint32)

    def offer(self, chosen: list[int]) -> bool:
        """Offer a network, if it is one; whether it is better."""
        return bool(chosen) and self.run.offer_network(chosen)

    # ---- bounds ----

    def raise_bound(self, stage: Stage) -> bool:
        """Compute the exact bound, report it, rule out sets by it; whether it could be computed."""
        if not self.cuts.evaluate(stage.rows, stage.multipliers, stage.shift):
            return False
        before = sum(self.bounds)
        costs = self.run.component_costs
        for component, base in enumerate(self.cuts.base):
            bound = min(base + self.cuts.bounds[component], costs[component])
            self.bounds[component] = max(self.bounds[component], bound)
            self.run.offer_bound(component, bound)
        # The sets of the incumbent keep the linear program feasible.
        ruled_out = rule_out(self.cuts, costs, self.run.parents()) > 0
        is_best = sum(self.bounds) > before
        if ruled_out or is_best:
            self.stages.append(stage)
            if self.book is not None:
                lately = self.lately_ruled_out() if ruled_out else np.zeros(0, np.uint32)
                self.book.add(stage, ruled_out=lately, is_best=is_best)
        return True

    def lately_ruled_out(self) -> NDArray[np.uint32]:
        """Give the sets that were ruled out since this was last asked."""
        before, self.possible = self.possible, self.cuts.possible.astype(bool)
        return np.flatnonzero(before & ~self.possible).astype(np.uint32)

    def bound_of(self, program: LinearProgram) -> None:
        """Round the multipliers of a solution and use the bound that they give."""
        used = np.flatnonzero(program.multipliers > 0)
        rows = [program.rows[i] for i in used]
        while True:
            whole = np.rint(np.ldexp(program.multipliers[used], self.shift))
            multipliers = np.minimum(whole, float(LARGEST)).astype(np.int64)
            if self.raise_bound(Stage(rows, multipliers, self.shift)) or self.shift == 0:
                return
            self.shift = max(0, self.shift - 4)

    def tell(self, number: int) -> None:
        """Hand on in this round what to begin with after a crash, if there is time for it."""
        began = self.working.elapsed()
        if self.told is None or self.book is None or began < self.next_told:
            return
        standing = None
        if self.program is not None:
            standing = self.book.standing(
                self.program.rows,
                *self.program.standing(),
                rounds=self.before + number,
                stalled=self.stalled,
            )
        self.told(self.book.lead(sum(self.bounds) / UNITS_PER_NAT, standing))
        ended = self.working.elapsed()
        # Where it goes on from a lead, the first time takes longer than all others: that is part of
        # the beginning, and whoever is killed often must not wait for the second time.
        took = ended - began if self.next_told else 0.0
        self.next_told = ended + max(TELL_EVERY, took / TELLING)

    # ---- the loop ----

    def first_columns(self) -> NDArray[np.uint32]:
        """All possible sets, or the cheapest few of each variable."""
        possible = self.cuts.possible.astype(bool)
        room = self.contributor.most_memory_bytes // (4 * BYTES_A_COLUMN)
        if self.cuts.possible_count <= min(FEW_SETS, room):
            return np.flatnonzero(possible).astype(np.uint32)
        chosen = []
        first = self.cuts.first_set
        for begin, end in pairwise(first):
            own = np.flatnonzero(possible[begin:end]) + begin
            chosen.append(own[:FIRST_COLUMNS])
            chosen.append(own[-1:])  # the dearest, in most cases the empty set
        return np.concatenate(chosen).astype(np.uint32)

    def solve(self) -> None:
        """Solve, separate, and solve again, until nothing more is found or the run is to end."""
        from anytimebn import _native

        # Work that grows with the number of sets ends in this way, whatever it is.
        with suppress(_native.WorkStopped):
            try:
                self._solve()
            except MemoryError:
                end_for_want_of_memory(self.contributor)

    def _solve(self) -> None:
        run, cuts = self.run, self.cuts
        if run.solved():
            return
        if run.stop_requested or run.seconds_left <= 0:
            self.stopped()  # takes note of why
            return
        program = self.first_program()
        self.program = program
        smoothed = np.zeros(cuts.sets)
        best_gap = gap = self.gap()
        found_before = improved = False
        for number in range(self.rounds):
            priced = number % PRICE_EVERY == 0 or not found_before
            if not self.solve_program(program, priced=priced):
                return
            self.gained, gap = 1 - self.gap() / max(1, gap), self.gap()
            self.stalled += 1
            if gap < (1 - LEAST_PROGRESS) * best_gap:
                best_gap, self.stalled = gap, 0
            program.age_rows()
            self.tell(number)
            if self.stalled > PATIENCE and not self.probe(program):
                return
            sets, values = program.support()
            if priced or improved:
                improved = self.offer(cuts.round(sets, values, POLISH * cuts.variables))
                if improved:
                    program.add_columns(self.incumbent_sets())
            if self.stopped():
                return
            smoothed *= 1 - SMOOTHING
            smoothed[sets] += SMOOTHING * values
            inward = smoothed if number >= INWARD_FROM else None
            rows = self.separate(program, sets, values, inward)
            LOG.debug(
                "round %s: gap %.6f, %s of %s parent sets left, %s rows and %s new ones",
                number,
                self.gap() / UNITS_PER_NAT,
                cuts.possible_count,
                cuts.sets,
                len(program.rows),
                len(rows),
            )
            if not rows and priced and not self.probe(program):
                return
            self.tidy(program)
            for row in rows:
                self.pool.pop(row, None)
            program.add_rows(rows)
            found_before = bool(rows)

    def first_program(self) -> LinearProgram:
        """A program of the first columns and those of the incumbent, with rows that are known."""
        cuts = self.cuts
        largest = max(1, int(cuts.regrets[cuts.possible.astype(bool)].max(initial=0)))
        # As fine as 64 bits allow: a bound that lacks less than one unit is rounded up to it.
        self.shift = int(np.clip(58 - (cuts.variables * largest).bit_length(), 0, 20))
        program = LinearProgram(cuts, largest / LARGEST_OBJECTIVE, self.interrupted)
        program.add_columns(np.concatenate([self.first_columns(), self.incumbent_sets()]))
        for row in self.first_rows:
            self.pool.pop(row, None)
        if self.standing is not None:
            program.add_columns(self.standing.basic_sets)
        program.add_rows(self.first_rows)
        if self.standing is not None:
            program.begin_with(self.standing)
        return program

    def solve_program(self, program: LinearProgram, *, priced: bool) -> bool:
        """Solve, and if wanted add columns until all sets are priced; whether to go on."""
        run, own, cuts = self.run, self.contributor, self.cuts
        while True:
            if run.solved() or self.stopped() or not own.expand():
                return False
            if not own.use_memory(len(program.rows), cuts.memory_bytes + program.memory_bytes):
                return False
            if not program.solve(run.seconds_left):
                own.stopped()  # takes note of why
                return False
            self.bound_of(program)
            if not priced:
                return not run.solved()
            missing = cuts.price(program.column_of_set, PRICED_COLUMNS)
            if not len(missing):
                return not run.solved()
            program.add_columns(missing)

    def probe(self, program: LinearProgram) -> bool:
        """Try the sets of a solution one by one; whether one turned out to be in no better network.

        The multipliers of the program in which a set is chosen are those that show most about it.
        """
        sets, values = program.support()
        before = self.cuts.possible_count
        for chosen in sets[np.argsort(-values, kind="stable")][:MOST_PROBES].tolist():
            if self.run.solved() or self.stopped() or not self.contributor.expand():
                return False
            if self.cuts.is_possible(chosen) and program.solve_with(chosen, self.run.seconds_left):
                self.bound_of(program)
        return self.cuts.possible_count < before

    def gap(self) -> int:
        """What is left between cost and bound."""
        return sum(self.run.component_costs) - sum(self.run.component_bounds)

    def tidy(self, program: LinearProgram) -> None:
        """Take out what is not needed: rows that were slack for long, sets that are ruled out."""
        unwanted = ~self.cuts.possible.astype(bool)
        dropped = program.drop(unwanted, OLD_ROW)
        self.pool.update(dict.fromkeys(dropped))
        if self.forget():
            self.cuts.hand_over(self.run)

    def forget(self) -> bool:
        """Let rows forget their coefficients of sets that are ruled out, when these are many."""
        if self.cuts.possible_count >= (1 - FORGET) * self.remembered:
            return False
        self.remembered = self.cuts.possible_count
        self.cuts.drop_ruled_out()
        return True

    def separate(
        self,
        program: LinearProgram,
        sets: NDArray[np.uint32],
        values: NDArray[np.float64],
        smoothed: NDArray[np.float64] | None,
    ) -> list[int]:
        """Rows that the solution violates; those of a point further inside come first.

        Between the solution and the smoothed one cuts are deeper (in-out separation, Ben-Ameur &
        Neto 2007); what does not cut the solution itself waits in the pool.
        """
        cuts, active = self.cuts, program.rows
        found: dict[int, None] = {}
        if smoothed is not None:
            mixed = INWARD * smoothed
            mixed[sets] += (1 - INWARD) * values
            nearby = np.flatnonzero(mixed > 1e-6).astype(np.uint32)
            rows = cuts.separate_clusters(nearby, mixed[nearby], 1, 5e-3, self.most_cuts, active)
            self.pool.update(dict.fromkeys(rows))
        self.keep_violated(found, list(self.pool), sets, values)
        for effort in (1, 4):
            if len(found) < ENOUGH_CUTS and not self.stopped():
                rows = cuts.separate_clusters(
                    sets, values, effort, LEAST_VIOLATION, self.most_cuts, active
                )
                found.update(dict.fromkeys(rows))
        self.pool.update(dict.fromkeys(list(found)[self.most_cuts :]))
        found = dict.fromkeys(list(found)[: self.most_cuts])
        # Clusters alone soon gain little, however many are violated.
        for rank, repetitions, parents in ((2, 6, active), (3, 40, [*active, *self.pool])):
            wanted = not found or (rank == 2 and self.gained < FAST)
            if wanted and not self.stopped():
                rows = cuts.separate_zero_half(
                    sets, values, parents, self.most_cuts, rank, repetitions
                )
                found.update(dict.fromkeys(rows))
        while len(self.pool) > MOST_POOL:
            del self.pool[next(iter(self.pool))]
        return list(found)

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


class _TakenRows:
    """Rows of a lead in another loop, added when they are needed."""

    def __init__(self, cuts: _native.CuttingPlanes, rows: Sequence[LeadRow]) -> None:
        self._cuts = cuts
        self._rows = rows
        self._taken: dict[int, int | None] = {}

    def all(self) -> list[int]:
        """Add all of them; their numbers."""
        numbers = self.rows(range(len(self._rows)))
        return [number for number in numbers if number is not None]

    def rows(self, wanted: Iterable[int]) -> list[int | None]:
        """Add these, and what they are made of; None for those that there cannot be here."""
        wanted = list(map(int, wanted))
        needed: set[int] = set()
        waiting = wanted.copy()
        while waiting:
            row = waiting.pop()
            if row not in self._taken and row not in needed:
                needed.add(row)
                waiting += self._rows[row][1]
        for row in sorted(needed):  # each is made of earlier ones
            self._taken[row] = self._add(*self._rows[row])
        return [self._taken[row] for row in wanted]

    def _add(self, variables: Sequence[int], parents: Sequence[int]) -> int | None:
        if not parents:
            return _inside(self._cuts.add_cluster(sorted(set(variables))))
        made_of = [self._taken[parent] for parent in parents]
        whole = [number for number in made_of if number is not None]
        if len(whole) < len(made_of):
            return None
        return _inside(self._cuts.add_zero_half(whole, list(variables)))


def _inside(row: int) -> int | None:
    """Number of a row; None for one that reaches from one component into another."""
    return None if row == NO_ROW else row
