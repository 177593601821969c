"""Local scores: for each variable the parent sets that can be optimal, cheapest first."""

from __future__ import annotations

import logging
import math
import time
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from anytimebn.argument_checks import (
    MOST_JOBS,
    check_number,
    check_options,
    check_progress,
    check_whole,
    is_number,
    shown,
    unknown_name,
)
from anytimebn.errors import ConstraintError, InputError, LimitReached
from anytimebn.knowledge import Knowledge
from anytimebn.registry import score_names
from anytimebn.resources import available_cores, available_memory_bytes
from anytimebn.units import format_memory, parse_memory

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from anytimebn import _native
    from anytimebn.arc_strengths import Strengths
    from anytimebn.data import Dataset, TableLike
    from anytimebn.network import Network
    from anytimebn.start_network import Start

LOG = logging.getLogger(__name__)

UNITS_PER_NAT = 1_000_000
"""Costs are whole millionths of a nat in the core, so that sums and comparisons are exact."""

LARGEST_NATS = 1e8
"""A search keeps costs above the cheapest in 48 bits."""

AUTO_CELL_VISITS = 5e9
"""``max_parents="auto"`` never plans more work than this: a fixed number, not a measured time, so
that the same data give the same answer everywhere."""
AUTO_MEMORY_BYTES = 2**30


@dataclass(frozen=True, eq=False)
class LocalScores:
    """Possibly optimal parent sets (POPS) of every variable, as flat arrays.

    The sets of variable ``v`` are numbered ``first_set[v]`` to ``first_set[v + 1] - 1``, cheapest
    first; the members of set ``s`` are ``members[first_member[s]:first_member[s + 1]]``, ascending.

    Examples
    --------
    >>> import numpy as np
    >>> import anytimebn as ab
    >>> table = np.array([[0, 0, 1], [1, 1, 0], [0, 0, 0], [1, 1, 1]] * 10)
    >>> scores = ab.score(table, "mdl")
    >>> for cost, parents in scores.parent_sets("X1"):
    ...     print(f"{cost:.3f}", parents)
    3.689 ('X0',)
    29.570 ()
    """

    names: tuple[str, ...]
    first_set: NDArray[np.int64]
    costs: NDArray[np.float64]  # nats, to be minimised, not rounded
    first_member: NDArray[np.int64]
    members: NDArray[np.int32]
    score_name: str = "unknown"
    arities: tuple[int, ...] | None = None
    metadata: dict[str, Any] = field(default_factory=dict)

    @property
    def variables(self) -> int:
        """Number of variables."""
        return len(self.names)

    @property
    def pops(self) -> int:
        """Number of parent sets over all variables."""
        return len(self.costs)

    @cached_property
    def fixed_costs(self) -> NDArray[np.int64]:
        """Costs in whole millionths of a nat, rounded once, as all searches use them."""
        spread = np.maximum.reduceat(self.costs, self.first_set[:-1]) - np.minimum.reduceat(
            self.costs, self.first_set[:-1]
        )
        if not (spread.sum() < LARGEST_NATS and np.abs(self.costs).max() < LARGEST_NATS):
            source = f"{self.metadata['source']}: " if "source" in self.metadata else ""
            wrong = int(np.abs(self.costs).argmax())
            child = self.names[int(np.searchsorted(self.first_set, wrong, side="right")) - 1]
            raise InputError(
                f"{source}the costs are too large, up to {self.costs[wrong]:.3g} for {child!r}: "
                f"they must be below {LARGEST_NATS:.0e} nats, and so must be the sum over the "
                "variables of the largest minus the smallest"
            )
        return np.rint(self.costs * UNITS_PER_NAT).astype(np.int64)

    @cached_property
    def native(self) -> _native.ParentSets:
        """The same sets in the native core."""
        from anytimebn import _native

        return _native.ParentSets(self.first_set, self.fixed_costs, self.first_member, self.members)

    @property
    def max_parents(self) -> int | None:
        """Size of the largest parent set that was considered."""
        known: int | None = self.metadata.get("max_parents")
        return int(np.diff(self.first_member).max()) if known is None else known

    def start(self, options: _native.SearchOptions, first: Start = None) -> _native.SearchRun:
        """Set up a native search, with a network to begin with."""
        from anytimebn import _native
        from anytimebn.start_network import sets_of_start

        options.start = sets_of_start(self, first)
        return _native.SearchRun(self.native, options)

    def parents_found(self, run: Any) -> tuple[tuple[int, ...], ...] | None:
        """Parents of each variable in the best network of a started run, if it has one."""
        return tuple(map(self.parents, run.chosen_sets())) or None

    def strengths_found(self, network: Network, _run: Any) -> Strengths:
        """How many nats are lost without each arc of the network that was found."""
        from anytimebn.arc_strengths import strengths_by_scores

        return strengths_by_scores(network, self)

    def cost_found(self, run: Any) -> float:
        """Cost of the best network: the sum of the unrounded scores.

        The search's own sums are of rounded ones, at most half a millionth of a nat off for each
        variable.
        """
        return math.fsum(float(self.costs[number]) for number in run.chosen_sets())

    def index(self, name: str) -> int:
        """Position of a variable."""
        try:
            return self.names.index(name)
        except ValueError:
            raise InputError(unknown_name("variable", name, self.names)) from None

    def parents(self, number: int) -> tuple[int, ...]:
        """Members of the parent set with this number."""
        begin, end = self.first_member[number], self.first_member[number + 1]
        return tuple(self.members[begin:end].tolist())

    def parent_sets(self, name: str) -> Iterator[tuple[float, tuple[str, ...]]]:
        """Cost and members of the parent sets of a variable, cheapest first."""
        child = self.index(name)
        for number in range(self.first_set[child], self.first_set[child + 1]):
            yield float(self.costs[number]), tuple(self.names[p] for p in self.parents(number))

    def best(self, name: str, candidates: Sequence[str]) -> tuple[float, tuple[str, ...]]:
        """Cheapest parent set of a variable among the given candidates.

        Raises
        ------
        InputError
            If no parent set of the variable lies within the candidates, as can happen when arcs
            are required.
        """
        child = self.index(name)
        number = self.native.best(child, [self.index(candidate) for candidate in candidates])
        if number < 0:
            raise InputError(f"no parent set of {name!r} lies within {list(candidates)}")
        return float(self.costs[number]), tuple(self.names[p] for p in self.parents(number))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a score file, ``.jkl`` or ``.pss``."""
        from anytimebn.formats.score_files import write_scores

        write_scores(self, path)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> LocalScores:
        """Read a score file, ``.jkl`` or ``.pss``."""
        from anytimebn.formats.score_files import read_scores

        return read_scores(path)

    def __repr__(self) -> str:
        return (
            f"LocalScores({self.variables} variables, {self.pops} parent sets, {self.score_name})"
        )


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
    **table_options
        Passed on to `to_dataset` (``bins``, ``missing``, ...).
    """
    from anytimebn import _native
    from anytimebn.data import READING, to_dataset
    from anytimebn.running import run_native

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
        limit = _auto_max_parents(dataset, score, knowledge, task)
    else:
        limit = min(int(max_parents), dataset.variables - 1)
    chosen = task(limit)
    estimate = _native.estimate_scoring(chosen)
    _refuse_what_cannot_fit(estimate, limit, memory_bytes)
    if _largest_table(dataset, limit) > LARGEST_TABLE_OF.get(score, math.inf):
        raise InputError(
            f"{score} cannot normalise joint tables of more than "
            f"{LARGEST_TABLE_OF[score]:.0e} cells, which {limit} parents can give here: "
            f"{_fewer_parents(limit)}"
        )

    control = _native.Control()
    start = time.monotonic()

    def report() -> None:
        if time_limit is not None and time.monotonic() - start > time_limit:
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
            f"network: allow more time, or {_fewer_parents(limit)}"
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
        time.monotonic() - start,
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


def restrict(scores: LocalScores, knowledge: Knowledge) -> LocalScores:
    """Drop the parent sets that background knowledge rules out.

    Required arcs cannot be handled so: a set without the required parent may have been the reason
    to leave out one that has it.
    """
    if knowledge.is_empty:
        return scores
    knowledge.check(scores.names)
    if knowledge.required:
        raise InputError(
            "arcs can be required only when learning from data: a score file leaves out the "
            "parent sets that are beaten by a subset, which the required arc may rule out"
        )
    resolved = knowledge.resolve(scores.names, scores.variables)
    sizes = np.diff(scores.first_member)
    owner = np.repeat(np.arange(scores.variables), np.diff(scores.first_set))
    allowed = np.zeros((scores.variables, scores.variables), dtype=bool)
    for child, parents in enumerate(resolved.allowed):
        allowed[child, list(parents)] = True
    bad_member = ~allowed[np.repeat(owner, sizes), scores.members]
    bad_members = np.add.reduceat(np.append(bad_member, False), scores.first_member[:-1])
    keep = (np.where(sizes > 0, bad_members, 0) == 0) & (sizes <= np.array(resolved.limits)[owner])
    left = np.bincount(owner[keep], minlength=scores.variables)
    if not left.all():
        name = scores.names[int(np.argmin(left))]
        raise ConstraintError(f"the constraints leave no parent set for {name!r}")
    return LocalScores(
        names=scores.names,
        first_set=np.concatenate([[0], np.cumsum(left)]).astype(np.int64),
        costs=scores.costs[keep],
        first_member=np.concatenate([[0], np.cumsum(sizes[keep])]).astype(np.int64),
        members=scores.members[np.repeat(keep, sizes)],
        score_name=scores.score_name,
        arities=scores.arities,
        metadata=scores.metadata | {"constraints": knowledge.to_json()},
    )


@dataclass(frozen=True)
class ScoringProgress:
    """How far scoring is, and what it was predicted to take."""

    fraction: float
    sets: float
    memory_bytes: float
    max_parents: int


def exact_parent_cap(score: str, rows: int, required_configurations: int = 1) -> int | None:
    """Most parents beyond the required ones that can be optimal, by the penalty of the score.

    A child of r values with its required parents alone costs at most ``N ln r`` plus their penalty;
    k more parents multiply the number of configurations, each with its penalty, by ``2**k`` at
    least. Since ``ln r / (r - 1)`` is largest for r = 2, k more parents lose as soon as
    ``2**k - 1 >= N ln 2 / (penalty * required configurations)``. None if there is no penalty.
    """
    from anytimebn import _native

    penalty = _native.score_penalty(score, rows)
    if penalty <= 0:
        return None
    return math.ceil(math.log2(1 + rows * math.log(2) / (penalty * required_configurations))) - 1


def _auto_max_parents(
    dataset: Dataset,
    score: str,
    knowledge: Knowledge,
    task: Callable[[int], _native.ScoringTask],
) -> int:
    from anytimebn import _native

    required = knowledge.resolve(dataset.names, dataset.variables - 1).required
    most = 0
    for parents in required:
        configurations = math.prod(dataset.arities[parent] for parent in parents)
        cap = exact_parent_cap(score, dataset.rows, configurations)
        most = max(most, dataset.variables - 1 if cap is None else len(parents) + cap)
    most = min(most, dataset.variables - 1)
    limit = min(most, max(1, *(len(parents) for parents in required)))
    while limit < most:
        estimate = _native.estimate_scoring(task(limit + 1))
        if (
            estimate.cell_visits > AUTO_CELL_VISITS
            or estimate.memory_bytes > AUTO_MEMORY_BYTES
            or _largest_table(dataset, limit + 1) > LARGEST_TABLE_OF.get(score, math.inf)
        ):
            break
        limit += 1
    return limit


LARGEST_TABLE_OF = {"qnml": 1e9}
"""Cells of the largest joint table that a score can normalise."""


def _largest_table(dataset: Dataset, max_parents: int) -> float:
    return math.prod(float(r) for r in sorted(dataset.arities)[-(max_parents + 1) :])


def _refuse_what_cannot_fit(
    estimate: _native.ScoringEstimate, limit: int, memory_limit: int | None
) -> None:
    available = available_memory_bytes()
    allowed = memory_limit if memory_limit is not None else available
    if allowed is None or estimate.memory_bytes <= allowed:
        return
    whose = "the memory limit is" if memory_limit is not None else "free memory is"
    raise InputError(
        f"scoring up to {limit} parents needs about {format_memory(estimate.memory_bytes)} for "
        f"{estimate.sets:.3g} joint tables, but {whose} {format_memory(allowed)}: "
        f"lower --max-parents (now {limit}), or use --max-parents auto"
    )


def _fewer_parents(limit: int) -> str:
    return f"lower --max-parents (now {limit}), in Python max_parents"
