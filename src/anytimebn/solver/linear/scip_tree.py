"""Branch and cut for `ilp`: SCIP solves linear programs and branches, the rest is ours.

There is one integer program per component: a binary variable z(x, P) for each parent set that is
still possible, one set per child, and the rows of `_native.CuttingPlanes`, found when a solution
violates them. A constraint handler keeps out cyclic graphs: it separates rows, checks solutions,
and propagates (`_Acyclic`).

SCIP computes in floating point. ``docs/branch-and-cut.md`` proves by how much its bounds can be
wrong, given that all rows are ours and exact, and why it is enough to look for networks that cost
`LEAST_GAIN` of a unit less than the incumbent.
"""

from __future__ import annotations

import functools
import heapq
import logging
import math
import threading
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from pyscipopt import (  # type: ignore[attr-defined]
    SCIP_EVENTTYPE,
    SCIP_PARAMSETTING,
    SCIP_PROPTIMING,
    SCIP_RESULT,
    Conshdlr,
    Eventhdlr,
    Model,
    quicksum,
)

from anytimebn.base.resources import resident_bytes
from anytimebn.solver.linear.forced_arcs import closing_sets
from anytimebn.solver.linear.interchangeable import sets_out_of_order
from anytimebn.solver.linear.loop import LEAST_VIOLATION, POLISH, start_loop
from anytimebn.solver.linear.proof import certificate
from anytimebn.solver.linear.scip_interrupt import interrupt

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from anytimebn import _native
    from anytimebn.result.certificates import Rows
    from anytimebn.solver.description import Told
    from anytimebn.solver.linear.loop import CuttingPlaneLoop

LOG = logging.getLogger(__name__)

DUAL_TOLERANCE = 1e-9  # where the dearest set costs DEAREST
DEAREST = 1e5 + 1 / 3  # not whole, because SCIP would round up bounds of whole objectives
LEAST_GAIN = 0.25  # of a unit of costs: more than noise, so that SCIP does not look at ties
SYMMETRIC_ROUNDS = 5  # of cutting planes, where variables can change places
ENOUGH_CUTS = 40  # with fewer, more effort and zero-half rows
MOST_CUTS = 100
NEARLY_TIGHT = 0.1  # slack of rows that zero-half rows are made of
POLL_SECONDS = 0.05

SCIP_SETTINGS: dict[str, Any] = {
    "misc/catchctrlc": False,  # a signal belongs to the calling thread
    "misc/usesymmetry": 0,  # does not know our constraint
    "timing/clocktype": 2,  # of the wall
    "numerics/dualfeastol": DUAL_TOLERANCE,
    "lp/scaling": 0,  # so that the tolerance means what it says
    "conflict/enable": False,  # adds rows computed in floating point
    "separating/maxcuts": 500,
    "separating/maxcutsroot": 2000,
}

ITEMS_BETWEEN_CHECKS = 4096

Answer = TypeVar("Answer")
Item = TypeVar("Item")


def branch_and_cut(
    run: _native.SearchRun,
    *,
    seed: int,
    rounds: int,
    tree: type[Tree] | None = None,
    told: Told | None = None,
    begun: CuttingPlaneLoop | None = None,
) -> Rows | None:
    """Solve a prepared run: rounds of cutting planes, then one component after another.

    Parameters
    ----------
    run
        To contribute to.
    seed
        Of separation, rounding, and SCIP.
    rounds
        Of cutting planes, at most.
    tree
        What solves a component; a `Tree` unless another kind is given.
    told
        Hears what to begin with after a crash, before there are branches.
    begun
        A loop that has begun with what an earlier run has left.

    Returns
    -------
    Rows or None
        A certificate of the bound before branching; None without cutting planes.
    """
    from anytimebn import _native

    loop = begun or start_loop(run, seed=seed, told=told)
    if loop is None:
        return None
    out_of_order = sets_out_of_order(loop.cuts)
    # Rows raise the bound little where networks differ in nothing but names.
    loop.rounds = min(rounds, SYMMETRIC_ROUNDS) if out_of_order.any() else rounds
    if rounds:
        loop.solve()
    proof = certificate(run, loop) if rounds else None
    for component in range(len(loop.cuts.base)):
        if run.component_bounds[component] < run.component_costs[component]:
            if loop.contributor.stopped():
                break
            LOG.info("branch and cut of component %s", component)
            with suppress(_native.WorkStopped):
                (tree or Tree)(run, loop, component, seed, out_of_order).solve()
    return proof


class Tree:
    """Branch and cut for one component."""

    def __init__(
        self,
        run: _native.SearchRun,
        loop: CuttingPlaneLoop,
        component: int,
        seed: int,
        out_of_order: NDArray[np.bool_] | None = None,
    ) -> None:
        self.run = run
        self.contributor = loop.contributor
        self.cuts = loop.cuts
        self.loop = loop
        self.component = component
        self.failure: BaseException | None = None
        component_of = np.array(self.cuts.component_of)
        self.mine = component_of[self.cuts.child_of] == component
        tried = self.cuts.possible.astype(bool) & self.mine
        if out_of_order is not None:
            tried &= ~out_of_order
        self.sets = np.flatnonzero(tried).astype(np.uint32)
        self.child = self.cuts.child_of[self.sets].tolist()
        self.members = [tuple(self.cuts.members(s)) for s in self.checked(self.sets.tolist())]
        self.members_as_bits = [sum(1 << v for v in own) for own in self.checked(self.members)]
        self.column_of_set = np.full(self.cuts.sets, -1, dtype=np.int32)
        self.column_of_set[self.sets] = np.arange(len(self.sets), dtype=np.int32)
        self.columns_of: dict[int, list[int]] = {}
        for column, child in enumerate(self.checked(self.child)):
            self.columns_of.setdefault(child, []).append(column)
        # What the cheapest possible set of each child costs is paid anyway.
        regrets = self.cuts.regrets[self.sets].tolist()
        self.cheapest = {x: min(regrets[i] for i in own) for x, own in self.columns_of.items()}
        self.paid = self.cuts.base[component] + sum(self.cheapest.values())
        prices = [regret - self.cheapest[x] for regret, x in zip(regrets, self.child, strict=True)]
        self.unit = max(1, *prices) / DEAREST  # of the objective, in units of costs
        self.limit = math.inf
        self.slack: dict[int, int] = {}  # of rows that SCIP was given, at most
        self.most_rows = 0  # of a linear program
        self.tolerance = DUAL_TOLERANCE * len(self.columns_of)
        # Without cutting planes before, the pairs are as good a start as any.
        self.first_rows = [row for row in loop.active_rows or loop.pairs if self.is_mine(row)]
        self.rows = dict.fromkeys([*self.first_rows, *filter(self.is_mine, loop.pool)])
        self.base_memory = resident_bytes()
        self.polished_node = -1
        self.nodes = 0  # when SCIP has ended

        self.model = Model()
        self.model.hideOutput()
        self.model.setPresolve(SCIP_PARAMSETTING.OFF)
        self.model.setSeparating(SCIP_PARAMSETTING.OFF)
        self.model.setHeuristics(SCIP_PARAMSETTING.OFF)
        self.model.setParams(SCIP_SETTINGS | {"randomization/randomseedshift": seed % 2**31})
        if math.isfinite(run.seconds_left):
            # A little more than there is, so that the run knows why the tree ended.
            self.model.setParam("limits/time", max(0.0, run.seconds_left) + 0.01)
        self.variables = [
            self.model.addVar(vtype="B", obj=price / self.unit) for price in self.checked(prices)
        ]
        for columns in self.columns_of.values():
            self.model.addCons(quicksum(self.variables[i] for i in self.checked(columns)) == 1)
        self.handler = _Acyclic(self)
        self.model.includeConshdlr(
            self.handler,
            "acyclic",
            "no directed cycles",
            sepapriority=1_000_000,
            enfopriority=-10,
            chckpriority=-10,
            sepafreq=1,
            propfreq=1,
            eagerfreq=-1,
            needscons=False,
            proptiming=SCIP_PROPTIMING.BEFORELP,
        )
        self.watcher = _Watcher(self)
        self.model.includeEventhdlr(self.watcher, "watcher", "counts nodes and reports bounds")

    def checked(self, items: Sequence[Item]) -> Iterator[Item]:
        """Go through these, and raise `WorkStopped` when the run is to end meanwhile."""
        for number, item in enumerate(items, 1):
            if number % ITEMS_BETWEEN_CHECKS == 0:
                self.contributor.check()
            yield item

    def is_mine(self, row: int) -> bool:
        """Whether a row is of this component."""
        return self.cuts.row(row).component == self.component

    # ---- the run ----

    def solve(self) -> None:
        """Let SCIP work until it has proven the component or the run is to stop."""
        if len(self.columns_of) < self.run.component_sizes[self.component]:
            # Whatever is better has a set for everybody that is still to be tried.
            self.run.offer_bound(self.component, self.run.component_costs[self.component])
            return
        self.lower_limit()
        ended = threading.Event()

        def watch() -> None:
            while not ended.wait(POLL_SECONDS):
                if self.run.stop_requested:
                    interrupt(self.model)

        watching = threading.Thread(target=watch, name="anytimebn-watch", daemon=True)
        with suppress(RuntimeError):  # no memory for a thread: SCIP has its limits even so
            watching.start()
        try:
            self.model.optimizeNogil()
        finally:
            ended.set()
            if watching.ident is not None:
                watching.join()
        if self.failure is not None:  # which may be that the run is to end
            raise self.failure
        # A linear program that was interrupted says nothing.
        if not self.run.stop_requested:
            if self.model.getStatus() in ("optimal", "infeasible"):
                # What was cut off had a bound of at least the last limit, or of a network of SCIP.
                self.report_bound(min(self.limit, self.better()))
            else:
                self.report_bound(self.model.getDualbound())
        self.contributor.stopped()  # takes note of why
        self.nodes = self.model.getNTotalNodes()
        self.model.freeProb()

    def better(self) -> float:
        """What SCIP's networks may cost at most: somewhat less than the incumbent."""
        regret: int = self.run.component_costs[self.component] - self.paid
        limit: float = (regret - LEAST_GAIN) / self.unit
        return limit

    def lower_limit(self) -> None:
        """Tell SCIP what its networks may cost now."""
        limit = self.better()
        if limit < self.limit:
            self.limit = limit
            self.model.setObjlimit(limit)

    def report_bound(self, bound: float) -> None:
        """Offer a bound of SCIP, lowered by what it can be wrong."""
        if abs(bound) < self.model.infinity():
            whole = math.ceil((bound - self.tolerance) * self.unit)
            self.run.offer_bound(self.component, self.paid + whole)

    def take_note_of(self, rows: list[int]) -> None:
        """Raise the tolerance by how far further rows can be wrong."""
        self.slack.update((row, self.cuts.row(row).right_hand_side) for row in rows)
        self.most_rows = max(self.most_rows, self.model.getNLPRows() + len(rows))
        slack = sum(heapq.nlargest(self.most_rows, self.slack.values()))
        self.tolerance = DUAL_TOLERANCE * (len(self.columns_of) + slack)

    def may_go_on(self) -> bool:
        """Whether nothing asks the tree to end; otherwise SCIP is told."""
        memory = max(0, resident_bytes() - self.base_memory) + self.cuts.memory_bytes
        nodes, own = self.model.getNNodesLeft(), self.contributor
        if own.stopped() or self.run.solved() or not own.use_memory(nodes, memory):
            self.model.interruptSolve()
            return False
        return True

    def work(self) -> bool:
        """Count a node or a round of separation; whether there may be one."""
        self.report_bound(self.model.getDualbound())
        if not self.may_go_on():
            return False
        if not self.contributor.expand():
            self.model.interruptSolve()
            return False
        return True

    # ---- networks ----

    def offer(self, values: NDArray[np.float64]) -> None:
        """Offer networks near a solution; elsewhere the incumbent stays."""
        sets, own = self.point(values)
        incumbent = self.loop.incumbent_sets()
        others = incumbent[~self.mine[incumbent]]
        every = np.concatenate([sets, others])
        self.loop.offer(self.cuts.round(every, np.concatenate([own, np.ones(len(others))]), POLISH))

    def cycle(self, values: NDArray[np.float64]) -> list[int]:
        """The variables of a directed cycle of a whole solution; none if it is acyclic."""
        parents = {self.child[i]: self.members[i] for i in np.flatnonzero(values > 0.5).tolist()}
        waiting = dict.fromkeys(parents)
        moved = True
        while moved:
            free = [x for x in waiting if not any(p in waiting for p in parents[x])]
            moved = bool(free)
            for x in free:
                del waiting[x]
        if not waiting:
            return []
        # Everyone who still waits has a parent who does.
        walk: dict[int, None] = {}
        x = next(iter(waiting))
        while x not in walk:
            walk[x] = None
            x = next(p for p in parents[x] if p in waiting)
        path = list(walk)
        return path[path.index(x) :]

    # ---- rows ----

    def closing_sets(self, possible: list[bool]) -> list[int] | None:
        """Columns of possible sets that would close a cycle; None if a child has no others."""
        return closing_sets(self.columns_of, self.members_as_bits, possible)

    def point(self, values: NDArray[np.float64]) -> tuple[NDArray[np.uint32], NDArray[np.float64]]:
        """The sets with a value above 0, and these values."""
        positive = values > 1e-7
        return self.sets[positive], values[positive]

    def separate(self, values: NDArray[np.float64], *, hard: bool) -> list[int]:
        """Rows that a solution violates: known ones first."""
        cuts = self.cuts
        sets, own = self.point(values)
        known = list(self.rows)
        violations = cuts.violations(known, sets, own)
        order = np.argsort(-violations, kind="stable")
        found = {known[i]: None for i in order if violations[i] > LEAST_VIOLATION}
        for effort in (1, 4) if hard else (1,):
            if len(found) < ENOUGH_CUTS:
                rows = cuts.separate_clusters(sets, own, effort, LEAST_VIOLATION, MOST_CUTS, [])
                found.update(dict.fromkeys(rows))
        if len(found) < ENOUGH_CUTS and (hard or not found):
            tight = [known[i] for i in order if violations[i] > -NEARLY_TIGHT]
            rows = cuts.separate_zero_half(sets, own, tight, MOST_CUTS, 2, 6)
            found.update(dict.fromkeys(rows))
        chosen = list(found)[:MOST_CUTS]
        self.rows.update(dict.fromkeys(chosen))
        return chosen

    def add_rows(self, rows: list[int]) -> bool:
        """Add rows to the linear program; whether one of them cannot hold here."""
        if not rows:
            return False
        self.take_note_of(rows)
        model, variables = self.model, self.handler.variables
        lower, upper, starts, indices, values = self.cuts.sparse_rows(rows, self.column_of_set)
        ends = [*starts[1:].tolist(), len(indices)]
        entries = list(zip(indices.tolist(), values.tolist(), strict=True))
        cutoff = False
        for i, (start, end) in enumerate(zip(starts.tolist(), ends, strict=True)):
            row = model.createEmptyRowUnspec(
                f"row{rows[i]}",
                lhs=float(lower[i]) if math.isfinite(lower[i]) else None,
                rhs=float(upper[i]) if math.isfinite(upper[i]) else None,
                local=False,
                modifiable=False,
                removable=True,
            )
            model.cacheRowExtensions(row)
            for column, value in entries[start:end]:
                model.addVarToRow(row, variables[column], value)
            model.flushRowExtensions(row)
            cutoff = model.addCut(row, forcecut=True) or cutoff
            model.releaseRow(row)
        return cutoff


def _guarded(otherwise: Any) -> Callable[[Callable[..., Answer]], Callable[..., Answer]]:
    """Keep what a callback raises for `Tree.solve`: SCIP would print it and go on."""

    def decorate(callback: Callable[..., Answer]) -> Callable[..., Answer]:
        @functools.wraps(callback)
        def call(self: Any, *arguments: Any) -> Answer:
            try:
                return callback(self, *arguments)
            except BaseException as error:
                self.tree.failure = self.tree.failure or error
                self.model.interruptSolve()
                answer: Answer = otherwise
                return answer

        return call

    return decorate


class _Acyclic(Conshdlr):
    """The constraint that the chosen parent sets make an acyclic graph."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.variables: list[Any] = []  # of the transformed problem

    @_guarded(None)
    def consinitpre(self, _constraints: Any) -> None:
        own = self.tree.checked(self.tree.variables)
        self.variables = [self.model.getTransformedVar(v) for v in own]

    @_guarded({})
    def consinitlp(self, _constraints: Any) -> dict[str, Any]:
        return {"infeasible": self.tree.add_rows(self.tree.first_rows)}

    def solution(self) -> NDArray[np.float64]:
        """The values of the linear program."""
        own = self.tree.checked(self.variables)
        return np.array([variable.getLPSol() for variable in own])

    @_guarded({"result": SCIP_RESULT.DIDNOTRUN})
    def conssepalp(self, _constraints: Any, _useful: int) -> dict[str, Any]:
        tree = self.tree
        if not tree.work():
            return {"result": SCIP_RESULT.DIDNOTRUN}
        values = self.solution()
        at_root = self.model.getDepth() == 0
        node = self.model.getNTotalNodes()
        if at_root or node != tree.polished_node:
            tree.polished_node = node
            tree.offer(values)
            tree.lower_limit()
        rows = tree.separate(values, hard=at_root)
        if tree.add_rows(rows):
            return {"result": SCIP_RESULT.CUTOFF}
        return {"result": SCIP_RESULT.SEPARATED if rows else SCIP_RESULT.DIDNOTFIND}

    @_guarded({"result": SCIP_RESULT.INFEASIBLE})
    def consenfolp(self, _constraints: Any, _useful: int, _infeasible: bool) -> dict[str, Any]:
        tree = self.tree
        values = self.solution()
        cycle = tree.cycle(values)
        if not cycle:
            tree.offer(values)
            return {"result": SCIP_RESULT.FEASIBLE}
        rows = tree.separate(values, hard=False) or [tree.cuts.add_cluster(sorted(cycle))]
        if tree.add_rows(rows):
            return {"result": SCIP_RESULT.CUTOFF}
        return {"result": SCIP_RESULT.SEPARATED}

    @_guarded({"result": SCIP_RESULT.INFEASIBLE})
    def consenfops(
        self, _constraints: Any, _useful: int, _infeasible: bool, _too_dear: bool
    ) -> dict[str, Any]:
        return self.check(self.solution_of(None))

    @_guarded({"result": SCIP_RESULT.INFEASIBLE})
    def conscheck(
        self,
        _constraints: Any,
        solution: Any,
        _integrality: bool,
        _rows: bool,
        _reason: bool,
        _completely: bool,
    ) -> dict[str, Any]:
        return self.check(self.solution_of(solution))

    def solution_of(self, solution: Any) -> NDArray[np.float64]:
        own = self.tree.checked(self.tree.variables)
        return np.array([self.model.getSolVal(solution, v) for v in own])

    def check(self, values: NDArray[np.float64]) -> dict[str, Any]:
        """Tell whether a whole solution is acyclic; if so, it is a network."""
        if self.tree.cycle(values):
            return {"result": SCIP_RESULT.INFEASIBLE}
        if (values > 0.5).sum() == len(self.tree.columns_of):
            self.tree.offer(values)
        return {"result": SCIP_RESULT.FEASIBLE}

    @_guarded({"result": SCIP_RESULT.DIDNOTRUN})
    def consprop(
        self, _constraints: Any, _useful: int, _marked: int, _timing: Any
    ) -> dict[str, Any]:
        own = self.tree.checked(self.variables)
        possible = [variable.getUbLocal() > 0.5 for variable in own]
        closing = self.tree.closing_sets(possible)
        if closing is None:
            return {"result": SCIP_RESULT.CUTOFF}
        for column in closing:
            infeasible, _ = self.model.tightenVarUb(self.variables[column], 0.0)
            if infeasible:
                return {"result": SCIP_RESULT.CUTOFF}
        return {"result": SCIP_RESULT.REDUCEDDOM if closing else SCIP_RESULT.DIDNOTFIND}

    @_guarded(None)
    def conslock(
        self, _constraint: Any, lock_type: int, locks_positive: int, locks_negative: int
    ) -> None:
        # More arcs can make a cycle, fewer cannot.
        for variable, members in zip(self.tree.variables, self.tree.members, strict=True):
            if members:
                self.model.addVarLocksType(variable, lock_type, locks_negative, locks_positive)


class _Watcher(Eventhdlr):
    """Counts nodes, reports bounds, and asks whether to stop."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree

    @_guarded(None)
    def eventinit(self) -> None:
        self.model.catchEvent(SCIP_EVENTTYPE.NODEFOCUSED, self)

    @_guarded(None)
    def eventexec(self, _event: Any) -> None:
        self.tree.work()
