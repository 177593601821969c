"""Searching for the best network, given local scores."""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from anytimebn.argument_checks import check_options, check_progress, shown
from anytimebn.errors import ConstraintError, InputError, LimitReached
from anytimebn.network import Network
from anytimebn.registry import Algorithm, algorithm, python_runner
from anytimebn.result import Event, Result
from anytimebn.running import NativeThread, run_native
from anytimebn.scores import UNITS_PER_NAT, LocalScores
from anytimebn.search_settings import SETTINGS, SearchSettings

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from anytimebn import _native
    from anytimebn.counted_scores import CountedScores
    from anytimebn.search_settings import Run, Scores
    from anytimebn.start_network import Start

LOG = logging.getLogger(__name__)


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
    if not hasattr(scores, "start"):
        raise InputError(
            f"search needs the LocalScores that anytimebn.score gives, not {shown(scores)}; to "
            "learn from a table or a file, call anytimebn.learn"
        )
    check_progress("progress", progress)
    check_options("search", settings, SETTINGS)
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
                LOG.info(
                    "searching with %s: %s component(s) of up to %s variables; %s parent sets",
                    self.settings.algorithm,
                    len(self.run.component_sizes),
                    max(self.run.component_sizes, default=0),
                    f"{sum(self.run.component_sets):,}",
                )
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


def _told(bound: float | None) -> str:
    return "none" if bound is None else f"{bound:.6f}"


def _events(run: Run) -> list[Event]:
    events = [
        Event(
            event.seconds,
            event.cost / UNITS_PER_NAT,
            _bound(event.lower_bound),
            event.expanded,
        )
        for event in run.drain_events()
    ]
    for event in events:
        LOG.debug(
            "%.3f s: cost %.6f, lower bound %s, %s nodes",
            event.seconds,
            event.cost,
            _told(event.lower_bound),
            event.expanded,
        )
    return events


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
    LOG.info(
        "search ended (%s): cost %.6f, lower bound %s, %s nodes, %.3g s",
        run.status,
        cost,
        _told(lower_bound),
        last.expanded,
        seconds,
    )
    return Result(
        network=network,
        status=run.status,
        cost=cost,
        lower_bound=lower_bound,
        events=tuple(events),
        algorithm=settings.algorithm,
        heuristic=settings.heuristic if used.uses_heuristic else None,
        seed=int(settings.seed),
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
        | ({"parameters": _plain(settings.parameters)} if settings.parameters else {})
        | ({"bound_rests_on": used.rests_on} if _is_inexact(used, work, lower_bound) else {}),
    )


def _plain(parameters: Mapping[str, float]) -> dict[str, float]:
    """Numbers of Python, whatever package made them."""
    return {name: float(value) for name, value in parameters.items()}


def _is_inexact(used: Algorithm, work: _Work, lower_bound: float | None) -> bool:
    """Whether the bound is more than what the certificate proves exactly."""
    if used.rests_on is None or lower_bound is None:
        return False
    proven = work.certificate["lower_bound"] if work.certificate else -math.inf
    return lower_bound > proven + len(work.names) / UNITS_PER_NAT
