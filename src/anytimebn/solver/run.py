"""One search: preparing it, running it, and reading off what it found.

Searches over given parent sets and searches that count on demand differ in where costs come from;
both are a `Run`, and nobody else has to tell them apart.
"""

from __future__ import annotations

import logging
import math
from abc import ABC, abstractmethod
from contextlib import nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from anytimebn.base.clock import SYSTEM_CLOCK, Clock, Deadline, Stopwatch
from anytimebn.base.errors import InputError
from anytimebn.base.text import shown
from anytimebn.network.strengths import Strengths, strengths_by_scores
from anytimebn.result.certificates import Clusters, claimed
from anytimebn.scores.on_demand import CountedScores
from anytimebn.scores.store import UNITS_PER_NAT, LocalScores
from anytimebn.solver.no_memory import end_for_want_of_memory
from anytimebn.solver.registry import algorithm, algorithms
from anytimebn.solver.start import parents_of_start, sets_of_start

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from anytimebn import _native
    from anytimebn.network.network import Network
    from anytimebn.result.certificates import Certificate
    from anytimebn.solver.linear.lead import Lead
    from anytimebn.solver.linear.loop import CuttingPlaneLoop
    from anytimebn.solver.proving_again import Evidence
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
    lead
        What such an algorithm would begin with now, if it had to begin again.
    unproven
        Certificates of an earlier run, as long as they are not computed again.
    hidden_units
        By how much rounding may have changed the cost of a network, in millionths of a nat.
    helped
        Others who contribute from when it is prepared to its end, if there are any.
    """

    native: _native.Run
    helped: AbstractContextManager[object] | None = None
    hidden_units: float = 0.0

    def __init__(self, scores: Scores, settings: SearchSettings, clock: Clock) -> None:
        self.scores = scores
        self.settings = settings
        self.clock = clock
        self.deadline = Deadline.after(settings.time_limit, clock)
        self.seconds = 0.0
        self.certificate: Certificate | None = None
        self.lead: Lead | None = None
        self.unproven: tuple[Evidence, ...] = ()
        self._followed = 0

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

    def take_events(self) -> list[_native.Event | _native.Snapshot]:
        """Give what has happened since this was last asked."""
        return list(self.native.drain_events())

    def keep(self, proof: Certificate) -> None:
        """Keep a certificate, unless there is one that proves more."""
        if claimed(proof) >= claimed(self.certificate):
            self.certificate = proof

    def follow(self, lead: Lead) -> None:
        """Hear what to begin with after a crash."""
        self.lead = lead
        self._followed += 1

    @property
    def lead_count(self) -> int:
        """How many leads there were so far; another number means that there is a new one."""
        return self._followed + self.native.suggestions

    @property
    def evidence(self) -> tuple[Certificate, ...]:
        """What proves a bound without search, as far as there is something: the most comes first.

        From any thread, also while the work goes on.
        """
        found = [proof for proof in (self.certificate, self._clusters) if proof is not None]
        return tuple(sorted(found, key=claimed, reverse=True))

    def parents(self) -> Parents | None:
        """Parents of each variable in the best network, if there is one."""
        return tuple(map(tuple, self.native.parents())) or None

    @property
    def leads(self) -> tuple[Evidence, ...]:
        """What a later search of the same may go on from.

        From any thread, also while the work goes on. What it proves is to be computed again; of
        some of it nobody has said what that is.
        """
        found = (self.lead or self.certificate, self._clusters, self._suggested)
        return (*self.unproven, *(lead for lead in found if lead is not None))

    @property
    def _clusters(self) -> Clusters | None:
        """Groups, clusters and multipliers that the core has found, if there are any."""
        return _as_clusters(self.native.certificate())

    @property
    def _suggested(self) -> Clusters | None:
        """Those on the way to better ones."""
        found = _as_clusters(self.native.suggested())
        return None if found is None else replace(found, lower_bound=None)

    @abstractmethod
    def cost(self, parents: Parents) -> float:
        """Cost of the best network, with these parents: the sum of the unrounded scores.

        The search's own sums are of rounded ones, at most half a millionth of a nat off for each
        variable.
        """

    @abstractmethod
    def strengths(self, network: Network) -> Strengths:
        """How many nats are lost without each arc of the network that was found."""


def _as_clusters(root: _native.RootCertificate) -> Clusters | None:
    if not root.groups:
        return None
    return Clusters(
        groups=tuple(map(tuple, root.groups)),
        clusters=tuple(map(tuple, root.clusters)),
        multipliers=tuple(root.multipliers),
        lower_bound=root.lower_bound / UNITS_PER_NAT,
    )


class ParentSetRun(Run):
    """A search over given parent sets."""

    def __init__(
        self, scores: LocalScores, settings: SearchSettings, start: Start, clock: Clock
    ) -> None:
        from anytimebn import _native

        super().__init__(scores, settings, clock)
        self.sets = scores
        sets = scores.native
        self.hidden_units = scores.hidden_units
        chosen = sets_of_start(scores, start)
        # The budget counts from here: what came before, with many sets, took some of the time.
        options = settings.native(scores.names, self.deadline)
        options.start = chosen
        options.hidden_cost = self.hidden_units
        self.unproven = tuple(settings.proofs)
        self._told = self.follow if settings.certify_along else None
        self._begun: CuttingPlaneLoop | None = None
        self._proving_again = bool(settings.proofs)
        self._first_event: list[_native.Snapshot] = []
        self.native: _native.SearchRun = _native.SearchRun(sets, options)

    def work(self) -> None:
        """Prepare, let the algorithm contribute, and end."""
        try:
            self._work()
        finally:
            self._proving_again = False

    def _work(self) -> None:
        if self.native.prepare():
            LOG.info(
                "searching with %s: %s component(s) of up to %s variables; %s parent sets",
                self.settings.algorithm,
                len(self.native.component_sizes),
                max(self.native.component_sizes, default=0),
                f"{sum(self.native.component_sets):,}",
            )
            if self.native.component_sizes:  # or a limit ended preparation before there were any
                try:
                    proven = bool(self.settings.proofs) and self._prove_again()
                    with self.helped or nullcontext():
                        found = None if proven else self._search()
                    if found is not None:
                        self.keep(found)
                except MemoryError:
                    LOG.info("there is no memory left")
                    end_for_want_of_memory(self.native.contributor())
        self.native.finish()

    def _prove_again(self) -> bool:
        """Compute what is known from before; whether there is nothing left to prove."""
        from anytimebn.solver.linear.lead import Lead
        from anytimebn.solver.proving_again import prove_again

        found = prove_again(
            self.native, self.settings.proofs, seed=self.settings.seed, told=self._told
        )
        for proof in found.certificates:
            self.keep(proof)
        self._begun = found.begun
        if not self.native.contributor().stopped():  # there was time for all of it
            self.lead = next((proof for proof in self.unproven if isinstance(proof, Lead)), None)
            self.unproven = ()
        if self._begun is not None and self.native.solved():  # there is no other word about it
            from anytimebn.solver.linear.proof import certificate

            last = certificate(self.native, self._begun)
            if last is not None:
                self.keep(last)
        bound = sum(self.native.component_bounds) / UNITS_PER_NAT
        LOG.info("proven again: lower bound %.6f", bound)
        self.native.drain_events()
        now = self.native.snapshot()
        self._first_event = [now] if now.has_network else []
        self._proving_again = False
        return self.native.solved()

    def take_events(self) -> list[_native.Event | _native.Snapshot]:
        """Give what has happened; nothing is told before what was known is proven again."""
        if self._proving_again:
            return []
        first, self._first_event = self._first_event, []
        return [*first, *super().take_events()]

    def _search(self) -> Certificate | None:
        settings = self.settings
        used = algorithm(settings.algorithm)
        if used.runner is not None:  # all of these raise bounds themselves
            return used.runner(self.native, settings, self._told, self._begun)
        if settings.bound and not used.proves:
            from anytimebn.solver.bounding import run_with_bound

            return run_with_bound(self.native, settings, self._told, self._begun)
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

    def good_families(self) -> list[list[tuple[int, ...]]]:
        """Parent sets of each variable that good networks have; empty if nothing is told."""
        return [list(map(tuple, own)) for own in self.native.good_families()]

    @property
    def came_down(self) -> bool:
        """Whether the first ways down are over, as far as the search tells."""
        return self.native.came_down

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
