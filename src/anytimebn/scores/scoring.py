"""Local scores: for each variable the parent sets that can be optimal, cheapest first."""

from __future__ import annotations

import logging
import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from anytimebn.base.checks import (
    MOST_JOBS,
    check_number,
    check_progress,
    check_whole,
    is_number,
)
from anytimebn.base.clock import SYSTEM_CLOCK, Clock, Deadline, Stopwatch
from anytimebn.base.errors import InputError, LimitReached
from anytimebn.base.executors import check_executor
from anytimebn.base.memory_units import parse_memory
from anytimebn.base.report import SCORING, Report, Sink
from anytimebn.base.resources import available_cores
from anytimebn.base.text import shown
from anytimebn.data.completion import Completion
from anytimebn.data.options import TableOptions, gather_table_options, takes_table_keywords
from anytimebn.knowledge.constraints import Knowledge
from anytimebn.scores.counting_elsewhere import CountingJob, count_elsewhere
from anytimebn.scores.parent_limit import (
    auto_max_parents,
    fewer_parents,
    largest_table,
    most_useful_parents,
    refuse_what_cannot_fit,
)
from anytimebn.scores.provenance import Provenance
from anytimebn.scores.registry import find_score, scores
from anytimebn.scores.store import LocalScores

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Executor

    from anytimebn import _native
    from anytimebn.data.dataset import Dataset
    from anytimebn.data.read import TableLike

LOG = logging.getLogger(__name__)

COUNTING_SHARE = 0.85
"""Of the time, as shown; the rest is to compare what was counted."""


@takes_table_keywords()
def score(
    data: TableLike,
    score: str = "mdl",
    *,
    max_parents: int | Literal["auto"] = "auto",
    ess: float = 1.0,
    factor: float | None = None,
    knowledge: Knowledge | None = None,
    jobs: int | None = None,
    memory_limit: int | str | None = None,
    time_limit: float | None = None,
    progress: Sink | Literal[False] | None = None,
    executor: Executor | None = None,
    table_options: TableOptions | None = None,
    clock: Clock = SYSTEM_CLOCK,
    **options: Any,
) -> LocalScores:
    """Compute the possibly optimal parent sets of every variable of a table.

    Parameters
    ----------
    data
        A `Dataset`, a data frame (pandas, polars, pyarrow), a 2-D array, or the path of a table.
    score
        One of ``anytimebn list scores``.
    max_parents
        Largest parent set considered. ``"auto"`` takes the size beyond which no set can be optimal
        if the score has such a bound and the work is feasible, and otherwise as many as the work
        allows; `LocalScores.max_parents` says which, ``provenance.max_parents_exact`` whether
        larger sets are ruled out, and ``provenance.complete_variables`` for which variables they
        are if not for all.
    ess
        Equivalent sample size of ``bdeu``.
    factor
        Keep parent sets that cannot be optimal, too, if they are at most this factor worse than the
        best of their subsets (a cost of ``log(factor)`` more): what `networks_within` the same
        factor needs. ``math.inf`` keeps all.
    knowledge
        Required and forbidden arcs, tiers, parent limits.
    jobs
        Threads; all cores by default. The result does not depend on it.
    memory_limit
        Bytes, or text such as ``"8GiB"``; scoring that is predicted to need more is refused before
        it starts.
    time_limit
        Seconds; raises `LimitReached` if they are not enough, because there are no scores then.
    progress
        Called a few times a second with a `Report`.
    executor
        Any `concurrent.futures.Executor`, such as a process pool or ``client.get_executor()`` of a
        Dask client: it counts, in up to 64 parts; `jobs` is then for what is done here. The result
        is the same, bit by bit.
    clock
        By which `time_limit` is kept.
    table_options, **options
        How the table is read: a `TableOptions`, or its fields as keywords (``bins``, ...).
    """
    from anytimebn import _native
    from anytimebn.base.threads import run_native
    from anytimebn.data.read import to_dataset

    ScoringOptions(score=score, max_parents=max_parents, ess=ess)  # which checks them
    jobs = available_cores() if jobs is None else jobs
    check_whole("jobs", jobs, 1, MOST_JOBS)
    sink = check_progress("progress", progress)
    check_executor(executor)
    if time_limit is not None:
        check_number("time_limit", time_limit, 0, unit=" seconds")
    memory_bytes = None if memory_limit is None else parse_memory(memory_limit)
    if knowledge is not None and not isinstance(knowledge, Knowledge):
        raise InputError(f"knowledge must be a Knowledge, not {shown(knowledge)}")
    if factor is not None:
        check_number("factor", factor, 1)
    dataset = to_dataset(data, gather_table_options("score", table_options, options))
    if factor is not None:
        refuse_constant_columns(dataset)
    knowledge = knowledge or Knowledge()
    knowledge.check(dataset.names, max_parents=None if max_parents == "auto" else max_parents)

    task = _tasks(dataset, knowledge, score, ess, jobs, factor)
    if max_parents == "auto":
        allowed = math.inf if memory_bytes is None else memory_bytes
        limit = auto_max_parents(dataset, score, knowledge, task, allowed)
    else:
        limit = min(int(max_parents), dataset.variables - 1)
    chosen = task(limit)
    estimate = _native.estimate_scoring(chosen)
    refuse_what_cannot_fit(estimate, limit, memory_bytes)
    most_cells = find_score(score).largest_table
    if largest_table(dataset, limit) > most_cells:
        raise InputError(
            f"{score} cannot normalise joint tables of more than "
            f"{most_cells:.0e} cells, which {limit} parents can give here: "
            f"{fewer_parents(limit)}"
        )

    control = _native.Control()
    watch, deadline = Stopwatch.started(clock), Deadline.after(time_limit, clock)

    def tell(fraction: float) -> None:
        if sink is not None:
            sink(
                Report(
                    phase=SCORING,
                    seconds=watch.elapsed(),
                    fraction=fraction,
                    sets=estimate.sets,
                    memory_bytes=estimate.memory_bytes,
                    max_parents=limit,
                )
            )

    counted = 0.0  # elsewhere, as a share of all the work

    def done() -> float:
        return counted + (1 - counted) * control.fraction_done

    def report() -> None:
        if deadline.passed():
            control.stop()
        tell(done())

    def go_on(fraction: float) -> bool:
        nonlocal counted
        counted = COUNTING_SHARE * fraction
        tell(counted)
        return not deadline.passed()

    parts: list[tuple[list[int], Any]] | None = []
    if executor is not None:
        job = CountingJob(dataset, knowledge, limit, score, ess, factor)
        parts = count_elsewhere(job, executor, go_on)
    try:
        result = parts is not None and run_native(
            lambda: _native.compute_local_scores(chosen, control, parts), control, report
        )
    except ValueError as error:  # the core refuses what only it can see
        raise InputError(str(error)) from None
    if not (result and result.complete):
        raise LimitReached(
            f"the time limit ended scoring when {done():.0%} was done, before any network: allow "
            f"more time, or {fewer_parents(limit)}"
        )
    limit_matters = [
        # A limit of one variable's own is a constraint: no other limit on all would change it.
        matters and knowledge.max_parents.get(name, math.inf) > limit
        for name, matters in zip(dataset.names, result.limit_matters, strict=True)
    ]
    provenance = replace(
        provenance_of(dataset, knowledge, score, ess),
        max_parents=limit,
        max_parents_exact=not any(limit_matters),
        complete_variables=_complete(dataset.names, limit_matters),
        sets_counted=int(result.sets_counted),
        factor=None if factor is None else float(factor),
    )
    first_set, costs, first_member, members = result.take_arrays()
    LOG.info(
        "scored with %s: %s joint tables, %s parent sets of up to %s %s%s; %.3g s",
        score,
        f"{provenance.sets_counted:,}",
        f"{len(costs):,}",
        limit,
        "can be optimal" if factor is None else f"are kept, within a factor of {factor:g}",
        "" if provenance.max_parents_exact else " (larger ones are not considered)",
        watch.elapsed(),
    )
    return LocalScores(
        names=dataset.names,
        first_set=first_set,
        costs=costs + 0.0,  # no negative zeros
        first_member=first_member,
        members=members,
        score_name=score,
        arities=dataset.arities,
        provenance=provenance,
    )


@dataclass(frozen=True, kw_only=True)
class ScoringOptions:
    """What is optimised: the options of `score` that decide the parent sets and their costs."""

    score: str = "mdl"
    max_parents: int | Literal["auto"] = "auto"
    ess: float = 1.0

    def __post_init__(self) -> None:
        find_score(self.score)
        _check_ess(self.ess)
        if self.max_parents != "auto":
            check_whole("max_parents, unless it is 'auto',", self.max_parents, 0)


def _complete(names: tuple[str, ...], limit_matters: list[bool]) -> tuple[str, ...] | None:
    """Name the variables that the limit takes nothing from; None if these are all."""
    if not any(limit_matters):
        return None
    return tuple(name for name, matters in zip(names, limit_matters, strict=True) if not matters)


def _check_ess(ess: float) -> None:
    """Refuse what no score that has this parameter takes, whether or not it is the chosen one."""
    for own in {own for choice in scores() for own in choice.parameters if own.name == "ess"}:
        if not (is_number(ess) and own.lowest <= ess <= own.highest):
            highest = f"{own.highest:g}".replace("e+0", "e")
            raise InputError(f"ess must be between {own.lowest:g} and {highest}, not {shown(ess)}")


def planned_limit(
    dataset: Dataset,
    knowledge: Knowledge,
    options: ScoringOptions,
    memory_limit: int | str | None = None,
) -> int:
    """Give the largest parent set that `score` would consider."""
    if options.max_parents != "auto":
        return min(int(options.max_parents), dataset.variables - 1)
    return _planned_and_most(dataset, knowledge, options, memory_limit)[0]


def limit_may_matter(
    dataset: Dataset,
    knowledge: Knowledge,
    options: ScoringOptions,
    memory_limit: int | str | None = None,
) -> bool:
    """Whether `score` would leave out parent sets that might be optimal, as far as can be told."""
    if options.max_parents != "auto":
        return False
    limit, most = _planned_and_most(dataset, knowledge, options, memory_limit)
    return limit < most


def _planned_and_most(
    dataset: Dataset,
    knowledge: Knowledge,
    options: ScoringOptions,
    memory_limit: int | str | None,
) -> tuple[int, int]:
    """Give the limit that ``max_parents="auto"`` is, and the size that is worth looking at."""
    task = _tasks(dataset, knowledge, options.score, options.ess, jobs=1)
    allowed = math.inf if memory_limit is None else parse_memory(memory_limit)
    most = most_useful_parents(dataset, task)
    return auto_max_parents(dataset, options.score, knowledge, task, allowed, most), most


def most_parents_of_interest(
    dataset: Dataset, knowledge: Knowledge, options: ScoringOptions
) -> int:
    """Give the size beyond which no parent set can be optimal, known before anything is counted."""
    knowledge.check(dataset.names)
    task = _tasks(dataset, knowledge, options.score, options.ess, jobs=1)
    return most_useful_parents(dataset, task)


def refuse_constant_columns(dataset: Dataset) -> None:
    """Refuse columns that make no difference as parents: sets with them are as good as without."""
    for name, arity in zip(dataset.names, dataset.arities, strict=True):
        if arity < 2:
            raise InputError(
                f"column {name!r} has one value only, so that each network is as good with it as a "
                f"parent as without: leave it out (--exclude {name!r}, in Python exclude)"
            )


def _tasks(
    dataset: Dataset,
    knowledge: Knowledge,
    score: str,
    ess: float,
    jobs: int,
    factor: float | None = None,
) -> Callable[[int], _native.ScoringTask]:
    """By the limit on parents."""
    return lambda limit: scoring_task(dataset, knowledge, limit, score, ess, jobs, factor)


def scoring_task(
    dataset: Dataset,
    knowledge: Knowledge,
    max_parents: int,
    score: str,
    ess: float,
    jobs: int,
    factor: float | None = None,
) -> _native.ScoringTask:
    """What the native core needs to count the families of a table."""
    from anytimebn import _native

    if dataset.holes is not None and not dataset.completed:
        raise InputError(
            'missing="em" completes values when a network is learned: use learn, then score '
            "the table that it completed (score --completed-by RESULT.json, Result.read_table in "
            "Python), or choose another way with --missing drop|category"
        )
    resolved = knowledge.resolve(dataset.names, max_parents)
    return _native.ScoringTask(
        dataset.codes,
        list(dataset.arities),
        resolved.required,
        resolved.refused,
        resolved.limits,
        score,
        {"ess": ess} if find_score(score).takes("ess") else {},
        jobs,
        margin=None if factor is None else math.log(factor),
    )


def provenance_of(dataset: Dataset, knowledge: Knowledge, score: str, ess: float) -> Provenance:
    """What results say about the table and the request."""
    return Provenance(
        rows=dataset.rows,
        ess=float(ess) if find_score(score).takes("ess") else None,
        constraints=None if knowledge.is_empty else knowledge,
        bins=dataset.bins or None,
        rows_dropped=dataset.rows_dropped or None,
        table_options=dataset.table_options,
        completion=Completion.of(dataset),
    )
