"""One search: preparing it, running it, and reading off what it found.

Searches over given parent sets and searches that count on demand differ in where costs come from;
both are a `Run`, and nobody else has to tell them apart.
"""

from __future__ import annotations

import logging
import math
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, TypeAlias

from anytimebn.base.clock import SYSTEM_CLOCK, Clock, Deadline, Stopwatch
from anytimebn.base.errors import InputError
from anytimebn.base.text import shown
from anytimebn.network.strengths import Strengths, strengths_by_scores
from anytimebn.scores.on_demand import CountedScores
from anytimebn.scores.store import LocalScores
from anytimebn.solver.registry import algorithm, algorithms
from anytimebn.solver.start import parents_of_start, sets_of_start

if TYPE_CHECKING:
    from anytimebn import _native
    from anytimebn.network.network import Network
    from anytimebn.result.certificates import Certificate
    from anytimebn.solver.settings import SearchSettings
    from anytimebn.solver.start import Start

Scores: TypeAlias = LocalScores | CountedScores
Parents: TypeAlias = tuple[tuple[int, ...], ...]  # of each variable

LOG = logging.getLogger(__name__)


def start_run(
    scores: Scores,
    settings: SearchSettings,
    start: Start = None,
    *,
    clock: Clock = SYSTEM_CLOCK,
) -> Run:
    """Set up a search, with a network to begin with."""
    if isinstance(scores, LocalScores):
        return ParentSetRun(scores, settings, start, clock)
    if isinstance(scores, CountedScores):
        return TableRun(scores, settings, start, clock)
    raise InputError(
        f"search needs the LocalScores that anytimebn.score gives, not {shown(scores)}; to "
        "learn from a table or a file, call anytimebn.learn"
    )


class Run(ABC):
    """One search, with one network and one bound, to which all algorithms contribute.

    Attributes
    ----------
    native
        Its half in the core: budget, progress, incumbent.
    seconds
        What the work took; its own snapshots are as old as its last report.
    certificate
        Of an algorithm that is written in Python.
    """

    native: _native.Run

    def __init__(self, scores: Scores, settings: SearchSettings, clock: Clock) -> None:
        self.scores = scores
        self.settings = settings
        self.clock = clock
        self.deadline = Deadline.after(settings.time_limit, clock)
        self.seconds = 0.0
        self.certificate: Certificate | None = None

    def __call__(self) -> None:
        """Do the work."""
        watch = Stopwatch.started(self.clock)
        try:
            self.work()
        finally:
            self.seconds = watch.elapsed()

    def stop(self) -> None:
        """Ask the work to end soon."""
        self.native.stop()

    @abstractmethod
    def work(self) -> None:
        """Search until the end or a limit."""

    def parents(self) -> Parents | None:
        """Parents of each variable in the best network, if there is one."""
        return tuple(map(tuple, self.native.parents())) or None

    @property
    def root(self) -> _native.RootCertificate | None:
        """Groups, clusters and multipliers that prove a bound without search, if there are any."""
        found = self.native.certificate()
        return found if found.groups else None

    @abstractmethod
    def cost(self, parents: Parents) -> float:
        """Cost of the best network, with these parents: the sum of the unrounded scores.

        The search's own sums are of rounded ones, at most half a millionth of a nat off for each
        variable.
        """

    @abstractmethod
    def strengths(self, network: Network) -> Strengths:
        """How many nats are lost without each arc of the network that was found."""


class ParentSetRun(Run):
    """A search over given parent sets."""

    def __init__(
        self, scores: LocalScores, settings: SearchSettings, start: Start, clock: Clock
    ) -> None:
        from anytimebn import _native

        super().__init__(scores, settings, clock)
        self.sets = scores
        sets = scores.native
        chosen = sets_of_start(scores, start)
        # The budget counts from here: what came before, with many sets, took some of the time.
        options = settings.native(scores.names, self.deadline)
        options.start = chosen
        self.native: _native.SearchRun = _native.SearchRun(sets, options)

    def work(self) -> None:
        """Prepare, let the algorithm contribute, and end."""
        if self.native.prepare():
            LOG.info(
                "searching with %s: %s component(s) of up to %s variables; %s parent sets",
                self.settings.algorithm,
                len(self.native.component_sizes),
                max(self.native.component_sizes, default=0),
                f"{sum(self.native.component_sets):,}",
            )
            self.certificate = self._search()
        self.native.finish()

    def _search(self) -> Certificate | None:
        settings = self.settings
        if not self.native.component_sizes:  # a limit ended preparation before there were any
            return None
        used = algorithm(settings.algorithm)
        if used.runner is not None:  # all of these raise bounds themselves
            return used.runner(self.native, settings)
        if settings.bound and not used.proves:
            from anytimebn.solver.bounding import run_with_bound

            return run_with_bound(self.native, settings)
        self.native.search()
        return None

    def cost(self, parents: Parents) -> float:  # noqa: ARG002
        """Cost of the best network, from the scores as they were given."""
        return math.fsum(float(self.sets.costs[number]) for number in self.native.chosen_sets())

    def strengths(self, network: Network) -> Strengths:
        """How many nats are lost without each arc, by the parent sets that there are."""
        return strengths_by_scores(network, self.sets)


class TableRun(Run):
    """A search that works on a table, and counts what it needs."""

    def __init__(
        self, scores: CountedScores, settings: SearchSettings, start: Start, clock: Clock
    ) -> None:
        from anytimebn import _native

        _check_works_on_data(settings)
        super().__init__(scores, settings, clock)
        chosen = parents_of_start(scores, start)
        options = settings.native(scores.names, self.deadline)
        self.native: _native.DataRun = _native.DataRun(scores.task(options.jobs), options, chosen)

    def work(self) -> None:
        """Search until the end or a limit."""
        self.native.run()

    def offer(self, network: Network) -> None:
        """Tell of a network that somebody else found."""
        self.native.offer(network.parents)

    def cost(self, parents: Parents) -> float:
        """Cost of the best network, unrounded."""
        costs = (self.native.cost(child, own) for child, own in enumerate(parents))
        return math.fsum(costs) + 0.0  # no negative zero

    def strengths(self, network: Network) -> Strengths:
        """How many nats are lost without each arc, counted now."""
        strengths = {}
        for child, own in enumerate(network.parents):
            cost = self.native.cost(child, own)
            for parent, without in zip(
                own, self.native.costs_without_each(child, own), strict=True
            ):
                strengths[network.names[parent], network.names[child]] = max(0.0, without - cost)
        return strengths


def _check_works_on_data(settings: SearchSettings) -> None:
    if not algorithm(settings.algorithm).from_data:
        able = ", ".join(choice.name for choice in algorithms() if choice.from_data)
        raise InputError(
            f"{settings.algorithm} needs the parent sets that `anytimebn.score` gives; "
            f"algorithms that work on data are {able}"
        )
    if settings.bound:
        raise InputError("a bound needs the parent sets that `anytimebn.score` gives")
