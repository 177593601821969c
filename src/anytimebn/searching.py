"""Searching for the best network, given local scores."""

from __future__ import annotations

import difflib
import math
import os
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from anytimebn.errors import ConstraintError, InputError, LimitReached
from anytimebn.network import Network
from anytimebn.registry import Algorithm, algorithm, algorithms, heuristic, python_runner
from anytimebn.result import Event, Result
from anytimebn.running import NativeThread, run_native
from anytimebn.scores import (
    UNITS_PER_NAT,
    LocalScores,
    available_cores,
    available_memory_bytes,
    check_number,
)
from anytimebn.units import parse_memory

if TYPE_CHECKING:
    from collections.abc import Callable

    from anytimebn import _native
    from anytimebn.counted_scores import CountedScores
    from anytimebn.start_network import Start

    Run: TypeAlias = _native.SearchRun | _native.DataRun
    Scores: TypeAlias = LocalScores | CountedScores

UNLIMITED = 2**64 - 1

Groups = Sequence[Sequence[str]]


@dataclass(frozen=True)
class SearchProgress:
    """Where a search stands, for people who watch."""

    seconds: float
    cost: float | None  # None until there is a network
    lower_bound: float | None  # None where nothing is known
    expanded: int
    stored: int
    memory_bytes: int
    expected: int | None = None  # nodes in the end, where samples have told


@dataclass(frozen=True, kw_only=True)
class SearchSettings:
    """How to search: the options of `search`, `learn` and `stream`.

    Parameters
    ----------
    algorithm, heuristic
        Names of ``anytimebn list algorithms`` and ``anytimebn list heuristics``.
    parameters
        Of the algorithm and the heuristic, by name, such as ``{"weight": 1.5}``.
    groups
        The variables of each pattern database of ``static-pd``; chosen for you by default.
    time_limit
        Seconds.
    memory_limit
        Bytes, or text such as ``"8GiB"``, for the whole process; by default four fifths of what is
        free.
    gap
        Stop when the cost is proven to be within this fraction of the optimum.
    max_expansions
        Stop after so many nodes: unlike a time limit, this gives the same result everywhere.
    seed
        Of everything random.
    jobs
        Threads, for algorithms that can use several; by default all cores. The result does not
        depend on it, except by what a time limit allows.
    path_extension, components
        Dominances that keep exactness; off only to study their effect.
    local_search
        Improve the first network by local search before the algorithm starts.
    bound
        Add the lower bound of a linear program with cutting planes to an algorithm that does not
        prove: see `anytimebn.bounding`. Algorithms that prove have bounds of their own, and
        nothing changes.
    """

    algorithm: str = "auto"
    heuristic: str = "static-pd"
    parameters: Mapping[str, float] = field(default_factory=dict)
    groups: Groups = ()
    time_limit: float | None = None
    memory_limit: int | str | None = None
    gap: float = 0.0
    max_expansions: int | None = None
    seed: int = 0
    jobs: int | None = None
    path_extension: bool = True
    components: bool = True
    local_search: bool = True
    bound: bool = False
    stop_at_check: int = 0  # for tests

    def __post_init__(self) -> None:
        chosen = algorithm(self.algorithm)
        known = {p.name: p for p in chosen.parameters}
        if chosen.uses_heuristic:
            known |= {p.name: p for p in heuristic(self.heuristic).parameters}
        for name, value in self.parameters.items():
            if name not in known:
                options = ", ".join(sorted(known)) or "none"
                used = f" with {self.heuristic}" if chosen.uses_heuristic else ""
                raise InputError(
                    f"{self.algorithm}{used} has no parameter {name!r}; it has: {options}"
                )
            if not known[name].lowest <= value <= known[name].highest:
                raise InputError(
                    f"parameter {name} must be between {known[name].lowest:g} and "
                    f"{known[name].highest:g}, not {value:g}"
                )
            if known[name].whole and value != int(value):
                raise InputError(f"parameter {name} must be a whole number, not {value:g}")
        for name in ("time_limit", "gap"):
            check_number(name, getattr(self, name))
        for name in ("max_expansions", "seed", "jobs"):
            check_number(name, getattr(self, name), whole=True)
        if self.time_limit is not None and not self.time_limit >= 0:
            raise InputError(f"time_limit must be at least 0 seconds, not {self.time_limit}")
        if not self.gap >= 0:
            raise InputError(f"gap must be at least 0, not {self.gap}")
        if self.max_expansions is not None and self.max_expansions < 0:
            raise InputError(f"max_expansions must be at least 0, not {self.max_expansions}")
        if not 0 <= self.seed < 2**64:
            raise InputError(f"seed must be between 0 and 2**64 - 1, not {self.seed}")
        if self.jobs is not None and self.jobs < 1:
            raise InputError(f"jobs must be at least 1, not {self.jobs}")
        if self.memory_limit is not None:
            parse_memory(self.memory_limit)

    def start(self, scores: Scores, first: Start = None) -> Run:
        """Set up the native search, with a network to begin with."""
        from anytimebn import _native

        if not isinstance(scores, LocalScores):
            _check_works_on_data(self)
        groups = [[scores.index(name) for name in group] for group in self.groups]
        _check_partition(groups, scores.names)
        options = _native.SearchOptions(
            algorithm=self.algorithm,
            heuristic=self.heuristic,
            parameters=dict(self.parameters),
            groups=groups,
            components=self.components,
            path_extension=self.path_extension,
            local_search=self.local_search,
            seed=self.seed,
            jobs=self.jobs or available_cores(),
            seconds=math.inf if self.time_limit is None else self.time_limit,
            memory_bytes=self._memory_for_search(),
            expansions=UNLIMITED
            if self.max_expansions is None
            else min(self.max_expansions, UNLIMITED),
            gap=self.gap,
            stop_at_check=self.stop_at_check,
        )
        return scores.start(options, first)

    def _memory_for_search(self) -> int:
        """What is left of the limit when the process as it is now is taken off."""
        if self.memory_limit is None:
            available = available_memory_bytes()
            return UNLIMITED if available is None else available * 4 // 5
        return min(UNLIMITED, max(0, parse_memory(self.memory_limit) - resident_bytes()))


def _check_works_on_data(settings: SearchSettings) -> None:
    if not algorithm(settings.algorithm).from_data:
        able = ", ".join(choice.name for choice in algorithms() if choice.from_data)
        raise InputError(
            f"{settings.algorithm} needs the parent sets that `anytimebn.score` gives; on data "
            f"there are {able}"
        )
    if settings.bound:
        raise InputError("a bound needs the parent sets that `anytimebn.score` gives")


def _check_partition(groups: list[list[int]], names: Sequence[str]) -> None:
    if not groups:
        return
    counts = Counter(v for group in groups for v in group)
    for v, name in enumerate(names):
        if counts[v] != 1:
            raise InputError(
                f"groups must have every variable once, but {name!r} is in {counts[v]} of them"
            )


def resident_bytes() -> int:
    """Memory that this process holds now (0 where the system does not tell)."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return 0


def check_settings(function: str, settings: Mapping[str, Any], others: Sequence[str]) -> None:
    """Refuse options that a function does not have, in its name, and guess what was meant."""
    known = [setting.name for setting in fields(SearchSettings)]
    for name in settings:
        if name not in known:
            close = difflib.get_close_matches(name, [*known, *others], n=1)
            hint = f"; did you mean {close[0]!r}?" if close else ""
            raise TypeError(f"{function}() got an unexpected keyword argument {name!r}{hint}")


def search(
    scores: LocalScores | CountedScores,
    *,
    start: Start = None,
    progress: Callable[[SearchProgress], None] | None = None,
    **settings: Any,
) -> Result:
    """Find the cheapest network over the given parent sets.

    Ctrl-C keeps the best network and the bound so far: the result then has the status
    ``interrupted``.

    Parameters
    ----------
    scores
        From `score`, or a score file by `LocalScores.load`; or `CountedScores` for algorithms
        that work on data.
    start
        A network, or a file with one, to begin with. Parents that are not among the parent sets are
        reduced to the cheapest subset that is.
    progress
        Called a few times a second with a `SearchProgress`.
    **settings
        The fields of `SearchSettings`: ``algorithm``, ``heuristic``, ``time_limit``, ...

    Examples
    --------
    >>> import numpy as np
    >>> import anytimebn as ab
    >>> table = np.array([[0, 0, 1], [1, 1, 0], [0, 0, 0], [1, 1, 1]] * 10)
    >>> ab.search(ab.score(table, "mdl")).status
    'optimal'
    """
    check_settings("search", settings, ("start", "progress"))
    chosen = SearchSettings(**settings)
    run = chosen.start(scores, start)
    events: list[Event] = []

    def report() -> None:
        events.extend(_events(run))
        if progress is not None:
            progress(_progress(run))

    work = _Work(run, chosen, scores.names)
    run_native(work, run, report, keep_on_interrupt=True)
    events.extend(_events(run))
    return _result(scores, work, events)


@dataclass
class _Work:
    """Runs a search and takes its time: its own snapshots are as old as its last report."""

    run: Run
    settings: SearchSettings
    names: Sequence[str]
    seconds: float = 0.0
    certificate: dict[str, Any] | None = None  # of algorithms written in Python

    def __call__(self) -> None:
        from anytimebn import _native

        start = time.monotonic()
        try:
            if isinstance(self.run, _native.DataRun):
                self.run.run()
                return
            if self.run.prepare():
                self.certificate = self._search(self.run)
            self.run.finish()
        finally:
            self.seconds = time.monotonic() - start

    def _search(self, run: _native.SearchRun) -> dict[str, Any] | None:
        settings, names = self.settings, self.names
        runner = python_runner(settings.algorithm)
        if runner is not None:  # all of these raise bounds themselves
            return runner(run, settings, names)
        if settings.bound and not algorithm(settings.algorithm).proves:
            from anytimebn.bounding import run_with_bound

            return run_with_bound(run, settings, names)
        run.search()
        return None


class Stream(Iterator[Event]):
    """The events of a search as they come; leaving the loop stops it.

    Attributes
    ----------
    result : Result or None
        When the search has ended or was stopped.
    """

    def __init__(self, scores: Scores, settings: SearchSettings, start: Start = None) -> None:
        self._scores = scores
        self._run = settings.start(scores, start)
        self._work = _Work(self._run, settings, scores.names)
        self._thread = NativeThread(self._work, self._run)
        self._waiting: list[Event] = []
        self._events: list[Event] = []
        self.result: Result | None = None

    def __next__(self) -> Event:
        """Wait for the next event."""
        while not self._waiting:
            ended = self._thread.wait(0.02)
            self._waiting.extend(_events(self._run))
            if ended and not self._waiting:
                self.close()
                raise StopIteration
        event = self._waiting.pop(0)
        self._events.append(event)
        return event

    @property
    def network(self) -> Network | None:
        """The best network so far."""
        parents = self._scores.parents_found(self._run)
        return None if parents is None else Network(self._scores.names, parents)

    def close(self) -> Result:
        """Stop the search if it still runs, and return its result."""
        if self.result is None:
            self._run.stop()
            self._thread.join()
            self._events.extend(self._waiting + _events(self._run))
            self._waiting = []
            self.result = _result(self._scores, self._work, self._events)
        return self.result

    def __del__(self) -> None:
        # A loop that was left by `break` drops the stream: the search must not run on.
        thread = getattr(self, "_thread", None)
        if thread is not None:
            self._run.stop()
            thread.join(raise_failure=False)


UNKNOWN_BOUND = -(2**60)
"""Lower bounds from here down say nothing."""


def _bound(units: int) -> float | None:
    return None if units <= UNKNOWN_BOUND else units / UNITS_PER_NAT


def _events(run: Run) -> list[Event]:
    return [
        Event(
            event.seconds,
            event.cost / UNITS_PER_NAT,
            _bound(event.lower_bound),
            event.expanded,
        )
        for event in run.drain_events()
    ]


def _progress(run: Run) -> SearchProgress:
    now = run.snapshot()
    return SearchProgress(
        seconds=now.seconds,
        cost=now.cost / UNITS_PER_NAT if now.has_network else None,
        lower_bound=_bound(now.lower_bound),
        expanded=now.expanded,
        stored=now.stored,
        memory_bytes=now.memory_bytes,
        expected=round(now.expected_nodes) or None,
    )


def _certificate(scores: Scores, work: _Work) -> dict[str, Any] | None:
    """What proves a lower bound without search, if there is something: see `certificate.verify`."""
    from anytimebn import _native

    if not isinstance(work.run, _native.SearchRun):
        return None
    root = work.run.certificate()
    if not root.groups:
        return work.certificate
    lower_bound = root.lower_bound / UNITS_PER_NAT
    if work.certificate is not None and work.certificate["lower_bound"] >= lower_bound:
        return work.certificate
    return {
        "kind": "clusters",
        "groups": [[scores.names[v] for v in group] for group in root.groups],
        "clusters": [[scores.names[v] for v in cluster] for cluster in root.clusters],
        "multipliers": list(root.multipliers),
        "lower_bound": lower_bound,
    }


def _result(scores: Scores, work: _Work, events: list[Event]) -> Result:
    run, settings, seconds = work.run, work.settings, work.seconds
    parents = scores.parents_found(run)
    last = run.snapshot()
    if parents is None:
        if run.status in ("interrupted", "time", "memory", "expansions"):
            raise LimitReached(f"the search ended ({run.status}) before it found any network")
        raise ConstraintError(
            "no network exists over these parent sets: every ordering leaves some variable "
            "without a parent set whose members come before it"
        )
    cost = scores.cost_found(run)
    bound = _bound(last.lower_bound)
    lower_bound = cost if run.status == "optimal" else None if bound is None else min(cost, bound)
    used = algorithm(settings.algorithm)
    network = Network(scores.names, parents)
    return Result(
        network=network,
        status=run.status,
        cost=cost,
        lower_bound=lower_bound,
        events=tuple(events),
        algorithm=settings.algorithm,
        heuristic=settings.heuristic if used.uses_heuristic else None,
        seed=settings.seed,
        score_name=scores.score_name,
        max_parents=scores.max_parents,
        pops=scores.pops,
        expanded=last.expanded,
        stored=last.stored,
        peak_memory_bytes=run.peak_memory_bytes,
        seconds={
            "scoring": 0.0,
            "bounds": last.bounds_seconds,
            "search": max(0.0, seconds - last.bounds_seconds),
            "total": seconds,
        },
        constraints=scores.metadata.get("constraints"),
        certificate=_certificate(scores, work),
        arc_strengths=scores.strengths_found(network, run),
        details={
            key: scores.metadata[key]
            for key in ("ess", "max_parents_exact", "rows", "bins", "rows_dropped")
            if key in scores.metadata
        }
        | ({"parameters": dict(settings.parameters)} if settings.parameters else {})
        | ({"bound_rests_on": used.rests_on} if _is_inexact(used, work, lower_bound) else {}),
    )


def _is_inexact(used: Algorithm, work: _Work, lower_bound: float | None) -> bool:
    """Whether the bound is more than what the certificate proves exactly."""
    if used.rests_on is None or lower_bound is None:
        return False
    proven = work.certificate["lower_bound"] if work.certificate else -math.inf
    return lower_bound > proven + len(work.names) / UNITS_PER_NAT
