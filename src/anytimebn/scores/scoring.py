"""Local scores: for each variable the parent sets that can be optimal, cheapest first."""

from __future__ import annotations

import logging
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from anytimebn.base.checks import (
    MOST_JOBS,
    check_number,
    check_options,
    check_progress,
    check_whole,
    is_number,
)
from anytimebn.base.clock import SYSTEM_CLOCK, Clock, Deadline, Stopwatch
from anytimebn.base.errors import InputError, LimitReached
from anytimebn.base.memory_units import parse_memory
from anytimebn.base.resources import available_cores
from anytimebn.base.text import shown, unknown_name
from anytimebn.knowledge.constraints import Knowledge
from anytimebn.scores.parent_limit import (
    LARGEST_TABLE_OF,
    auto_max_parents,
    fewer_parents,
    largest_table,
    refuse_what_cannot_fit,
)
from anytimebn.scores.registry import score_names
from anytimebn.scores.store import LocalScores

if TYPE_CHECKING:
    from collections.abc import Callable

    from anytimebn import _native
    from anytimebn.data.dataset import Dataset
    from anytimebn.data.read import TableLike

LOG = logging.getLogger(__name__)


def score(
    data: TableLike,
    score: str = "mdl",
    *,
    max_parents: int | Literal["auto"] = "auto",
    ess: float = 1.0,
    knowledge: Knowledge | None = None,
    jobs: int | None = None,
    memory_limit: int | str | None = None,
    time_limit: float | None = None,
    progress: Callable[[ScoringProgress], None] | None = None,
    clock: Clock = SYSTEM_CLOCK,
    **table_options: Any,
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
        where the score has such a bound and the work is bearable, and otherwise as many as the work
        allows; ``metadata["max_parents"]`` says which, ``metadata["max_parents_exact"]`` whether
        larger sets are ruled out.
    ess
        Equivalent sample size of ``bdeu``.
    knowledge
        Required and forbidden arcs, tiers, parent limits.
    jobs
        Threads; all cores by default. The result does not depend on it.
    memory_limit
        Bytes, or text such as ``"8GiB"``; scoring that is predicted to need more is refused before
        it starts.
    time_limit
        Seconds; there are no scores, hence `LimitReached`, when they do not suffice.
    progress
        Called a few times a second with a `ScoringProgress`.
    clock
        By which `time_limit` is kept.
    **table_options
        Passed on to `to_dataset` (``bins``, ``missing``, ...).
    """
    from anytimebn import _native
    from anytimebn.base.threads import run_native
    from anytimebn.data.read import READING, to_dataset

    check_scoring(score, max_parents, ess)
    jobs = available_cores() if jobs is None else jobs
    check_whole("jobs", jobs, 1, MOST_JOBS)
    check_progress("progress", progress)
    if time_limit is not None:
        check_number("time_limit", time_limit, 0, unit=" seconds")
    memory_bytes = None if memory_limit is None else parse_memory(memory_limit)
    if knowledge is not None and not isinstance(knowledge, Knowledge):
        raise InputError(f"knowledge must be a Knowledge, not {shown(knowledge)}")
    check_options("score", table_options, (*READING, "names"))
    dataset = to_dataset(data, **table_options)
    knowledge = knowledge or Knowledge()
    knowledge.check(dataset.names, max_parents=None if max_parents == "auto" else max_parents)

    def task(limit: int) -> _native.ScoringTask:
        return scoring_task(dataset, knowledge, limit, score, ess, jobs)

    if max_parents == "auto":
        limit = auto_max_parents(dataset, score, knowledge, task)
    else:
        limit = min(int(max_parents), dataset.variables - 1)
    chosen = task(limit)
    estimate = _native.estimate_scoring(chosen)
    refuse_what_cannot_fit(estimate, limit, memory_bytes)
    if largest_table(dataset, limit) > LARGEST_TABLE_OF.get(score, math.inf):
        raise InputError(
            f"{score} cannot normalise joint tables of more than "
            f"{LARGEST_TABLE_OF[score]:.0e} cells, which {limit} parents can give here: "
            f"{fewer_parents(limit)}"
        )

    control = _native.Control()
    watch, deadline = Stopwatch.started(clock), Deadline.after(time_limit, clock)

    def report() -> None:
        if deadline.passed():
            control.stop()
        if progress is not None:
            progress(
                ScoringProgress(control.fraction_done, estimate.sets, estimate.memory_bytes, limit)
            )

    try:
        result = run_native(lambda: _native.compute_local_scores(chosen, control), control, report)
    except ValueError as error:  # the core refuses what only it can see
        raise InputError(str(error)) from None
    if not result.complete:
        raise LimitReached(
            f"the time limit came when scoring was {control.fraction_done:.0%} done, before any "
            f"network: allow more time, or {fewer_parents(limit)}"
        )
    metadata = scoring_metadata(dataset, knowledge, score, ess) | {
        "max_parents": limit,
        "max_parents_exact": not any(result.limit_matters),
        "sets_counted": int(result.sets_counted),
    }
    first_set, costs, first_member, members = result.take_arrays()
    LOG.info(
        "scored with %s: %s joint tables, %s parent sets of up to %s can be optimal%s; %.3g s",
        score,
        f"{metadata['sets_counted']:,}",
        f"{len(costs):,}",
        limit,
        "" if metadata["max_parents_exact"] else " (larger ones are not considered)",
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
        metadata=metadata,
    )


def check_scoring(score: str, max_parents: int | Literal["auto"], ess: float) -> None:
    """Refuse what no table can be scored with."""
    if score not in score_names():
        raise InputError(unknown_name("score", score, score_names()))
    # Beyond these, sums of logarithms lose their digits.
    if not (is_number(ess) and 1e-100 <= ess <= 1e6):
        raise InputError(f"ess must be between 1e-100 and 1e6, not {shown(ess)}")
    if max_parents != "auto":
        check_whole("max_parents, unless it is 'auto',", max_parents, 0)


def scoring_task(
    dataset: Dataset, knowledge: Knowledge, max_parents: int, score: str, ess: float, jobs: int
) -> _native.ScoringTask:
    """What the native core needs to count the families of a table."""
    from anytimebn import _native

    resolved = knowledge.resolve(dataset.names, max_parents)
    return _native.ScoringTask(
        dataset.codes,
        list(dataset.arities),
        [list(parents) for parents in resolved.required],
        [list(parents) for parents in resolved.allowed],
        list(resolved.limits),
        score,
        ess,
        jobs,
    )


def scoring_metadata(
    dataset: Dataset, knowledge: Knowledge, score: str, ess: float
) -> dict[str, Any]:
    """What results tell of the table and of what was asked."""
    metadata: dict[str, Any] = {"rows": dataset.rows}
    if score == "bdeu":
        metadata["ess"] = float(ess)
    if not knowledge.is_empty:
        metadata["constraints"] = knowledge.to_json()
    if dataset.bins:
        metadata["bins"] = {name: list(cuts) for name, cuts in dataset.bins.items()}
    if dataset.rows_dropped:
        metadata["rows_dropped"] = dataset.rows_dropped
    return metadata


@dataclass(frozen=True)
class ScoringProgress:
    """How far scoring is, and what it was predicted to take."""

    fraction: float
    sets: float
    memory_bytes: float
    max_parents: int
