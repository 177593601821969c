"""Which stage comes next when a network is learned from a table: the one loop over stages.

A network comes first, from an order search that counts what it needs
(``native/orders/best_order_search.cpp``). Whatever ends the work later, scoring included, there is
a network to return.

Where all parent sets that can be optimal are few enough to be scored, they are, and the best
network of all is searched for, with proof. Elsewhere the space of families grows around what is
good: the order search goes on, and the neighbourhood of its network
(`anytimebn.scores.neighbourhood`) is searched exactly. A better network in it has a neighbourhood
of its own, and so on, until a network is the best of its neighbourhood; then the space is made
wider in several ways (`anytimebn.learning.known.WAYS`), as long as that pays.
"""

from __future__ import annotations

import logging
import math
from functools import partial
from typing import TYPE_CHECKING

from anytimebn.base.clock import Deadline
from anytimebn.base.errors import LimitReached
from anytimebn.base.report import ORDERS, Report
from anytimebn.base.resources import available_cores
from anytimebn.base.threads import NoThread, whatever_is_pressed
from anytimebn.learning.beside import OrdersBeside
from anytimebn.learning.orders_elsewhere import OrdersElsewhere, Referee, search_in_rounds
from anytimebn.learning.run_state import COMPLETE, RunState, joined
from anytimebn.learning.spaces import SpaceStages
from anytimebn.learning.stage_sink import StageOver
from anytimebn.learning.stages import UNNOTICED
from anytimebn.network.network import Network
from anytimebn.scores.space import Space
from anytimebn.solver.stream import stream_search

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Executor

    from anytimebn.learning.beside import Incumbent
    from anytimebn.learning.kept_scores import ScoredStage
    from anytimebn.learning.known import Way
    from anytimebn.result.result import Result
    from anytimebn.scores.store import LocalScores
    from anytimebn.solver.settings import SearchSettings

LOG = logging.getLogger(__name__)

POLL_SECONDS = 0.05


def is_overtaken(report: Report, found: float, longest: float) -> bool:
    """Whether a search near one network is of no use any more, because another was found.

    Parameters
    ----------
    report
        Where the search stands.
    found
        What the other network costs.
    longest
        Seconds after which it is given up if nothing it has found is as good. It is at once if
        nothing that it can still find is.

    Examples
    --------
    >>> from anytimebn.base.report import SEARCHING, Report
    >>> report = Report(phase=SEARCHING, seconds=3.0, cost=120.0, lower_bound=110.0)
    >>> [is_overtaken(report, found, longest=10.0) for found in (109.0, 115.0, 125.0)]
    [True, False, False]
    >>> [is_overtaken(report, found, longest=2.0) for found in (109.0, 115.0, 125.0)]
    [True, True, False]
    """
    if report.cost is None or found >= report.cost:
        return False
    beaten = report.lower_bound is not None and found < report.lower_bound
    return beaten or report.seconds > longest


class Planner(SpaceStages):
    """Goes through the stages, by what they find and how long they take."""

    def run(self) -> Result:
        """Go through the stages, and return the best network of all."""
        earlier = 0.0 if self.resumed is None else self.resumed.seconds
        self.journal.spend("reading", self.watch.elapsed() - earlier)
        try:
            if self.resumed is not None:
                self._take_up(self.resumed)
            going_on = self._orders_beside() if self._orders_go_on else None
            if going_on is not None:
                with going_on as beside:
                    self._at_work.beside = beside
                    if self.journal.best is None:
                        self._wait_for_a_network(beside)
                    self._go_on(beside)
                self._at_work.beside = None
                # In its last moment the order search may have found a better network.
                if self._known.grows:
                    self._search_spaces(None)
            else:
                if self.journal.parents is None:
                    self._first_network()
                self._go_on(None)
        except KeyboardInterrupt:  # wherever it comes, there is a network
            self._end("interrupted")
        return whatever_is_pressed(self._conclude)

    def _conclude(self) -> Result:
        if self._stopped:
            self._end("interrupted")
        elif self.deadline.passed():
            self._end("time")
        self._take_what_was_told()
        return self.journal.result(self.settings.algorithm)

    # ---- going on from an earlier run ----

    def _take_up(self, state: RunState) -> None:
        """Begin where an earlier run ended, in the midst of a stage perhaps.

        A stage whose bound has evidence is searched once more, in the same space: around the
        network that it was about. Without evidence, the best network of all counts.
        """
        names, known = self.dataset.names, self._known
        known.grows, known.orders_ended = state.grows, state.orders_ended
        known.level, known.ways = state.level, list(state.ways)
        known.rows, known.seconds = state.rows, state.proof_seconds
        known.networks = [Network(names, network) for network in state.networks]
        known.proofs = dict(state.evidence)
        self.journal.resume(state)
        around = state.settled if state.grows and state.evidence else state.network
        if around is not None and not self._has_the_last_word:
            self._search_orders(Network(names, around), self._order_settings(time_limit=0.0))
            self.journal.parents = state.network
        self._at_work.is_taken_up = True

    def state(self) -> RunState:
        """Tell what is needed to go on from here; by the thread of the planner."""
        if self.resumed is not None and not self._at_work.is_taken_up:
            return self.resumed
        journal, known = self.journal, self._known
        best, beside = journal.best, self._at_work.beside
        ordered = None if beside is None else beside.network
        return RunState(
            names=self.dataset.names,
            seconds=self.watch.elapsed(),
            spent=dict(journal.seconds),
            expanded=journal.expanded,
            peak_memory_bytes=journal.peak_memory_bytes,
            events=journal.told,
            stages=tuple(journal.stages),
            resumed_at=tuple(journal.resumed_at),
            network=journal.parents,
            cost=journal.events[-1].cost if journal.events else None,
            settled=None if best is None else best.network.parents,
            ordered=None if ordered is None else ordered.parents,
            evidence=joined(known.proofs, journal.evidence, self._at_work.evidence),
            grows=known.grows,
            orders_ended=known.orders_ended,
            level=known.level,
            ways=tuple(known.ways),
            rows=known.rows,
            proof_seconds=known.seconds,
            networks=tuple(network.parents for network in known.networks),
        )

    def scored(self) -> ScoredStage | None:
        """Give the scores of the present stage, if it took long to count them.

        Not before as much time has passed again: short runs need not wait for the disk.
        """
        stage = self._at_work.scored
        return None if stage is None or self.watch.elapsed() < stage.since else stage

    @property
    def leads(self) -> tuple[int, int]:
        """Another value means that `state` has another evidence."""
        return self._at_work.leads

    @property
    def is_complete(self) -> bool:
        """Whether nothing is left to be done."""
        return self.journal.status in COMPLETE

    def _go_on(self, beside: OrdersBeside | None) -> None:
        if self._is_over():
            return
        if self._considers_all_sets:
            self._search_all_sets(beside)
        elif (
            self._known.grows
            or self.space == "neighbourhood"
            or not self._all_sets_are_few()
            or not self._search_all_sets(beside, give_up=True)
        ):
            self._known.grows = True
            if beside is None and not self._known.orders_ended:
                self._search_orders_longer()  # not beside the rest, so that results repeat
                self._known.orders_ended = True
            self._search_spaces(beside)

    # ---- orders ----

    def _first_network(self) -> None:
        """Find a network at once: the same one whenever nothing ends the search before."""
        settings = self._order_settings(parameters={"generations": 0}, jobs=1)
        if self._has_the_last_word:
            self._known.spare = self._search_stage(self.counted, settings, self.start, None)
        else:
            self._search_orders(self.start, settings)

    def _take_what_was_told(self) -> None:
        """Take the network of the last event, where Ctrl-C came before its stage could hand it on.

        Without any event, take the network that was kept for this, or the first one that there is.
        """
        best, events = self.journal.best, self.journal.events
        if events and (best is None or events[-1].cost < best.cost - self._rounding):
            self._search_orders(self.network, self._order_settings(time_limit=0.0))
        elif best is None and self._known.spare is not None:
            self.journal.take(ORDERS, self._known.spare)
        elif best is None:
            self._search_orders(self.start, self._order_settings(time_limit=0.0))

    def _search_orders_longer(self) -> None:
        if self.executor is None:
            self._search_orders(self.network, self._order_settings())
        else:
            self._search_orders_in_rounds(self.executor)

    def _search_orders_in_rounds(self, executor: Executor) -> None:
        """Search orders here and on workers, in rounds whose results repeat."""
        settings = self._order_settings()
        referee = Referee(self.counted, settings)
        rounds = search_in_rounds(referee, self.counted, executor, settings, lambda: self._best)
        sink = self._sink(ORDERS)
        try:
            next(rounds)
            self._search_orders(self.network, settings)
            for found in rounds:
                if self._is_over():
                    break
                sink(Report(phase=ORDERS, seconds=self.watch.elapsed()))
                if found is not None:
                    self.journal.take(ORDERS, found)
        finally:
            rounds.close()
        self._known.good_families = referee.with_families(self._known.good_families)

    def _search_orders(self, start: Network | None, settings: SearchSettings) -> None:
        result = self._search_stage(self.counted, settings, start, ORDERS)
        LOG.info("order search (%s): cost %.6f", result.status, result.cost)
        if result.status == "memory":
            self._end("memory")
        self.journal.take(ORDERS, result)

    def _orders_beside(self) -> OrdersBeside | None:
        """Search orders on while something else is done; None without memory for a thread."""
        jobs = self.settings.jobs or available_cores()
        start, state = self.start, self.resumed
        if state is not None and (known := state.ordered or state.network) is not None:
            start = Network(self.dataset.names, known)
        try:
            stream = stream_search(self.counted, self._order_settings(), start)
        except NoThread:
            return None
        end = self.watch.elapsed() + self.deadline.left()
        return OrdersBeside(
            stream,
            watch=self.watch,
            end=end,
            share=jobs / (jobs + 1),
            take=partial(self.journal.take, ORDERS),
            hear=self.journal.listener(ORDERS),
            past=() if state is None else state.events,
            elsewhere=None if self.executor is None else self._orders_elsewhere,
        )

    def _orders_elsewhere(
        self, incumbent: Incumbent, better: Callable[[Network], None]
    ) -> OrdersElsewhere:
        assert self.executor is not None
        return OrdersElsewhere(
            self.counted,
            self.executor,
            settings=self._order_settings(),
            watch=self.watch,
            deadline=self.deadline,
            incumbent=incumbent,
            better=better,
        )

    # ---- all parent sets up to a size ----

    def _search_all_sets(self, beside: OrdersBeside | None, *, give_up: bool = False) -> bool:
        """Score all parent sets and search the best network of them.

        With `give_up`, scoring ends as soon as it would take more than half of the time that is
        left; False is returned then.
        """
        left = self.deadline.left() / 2

        def hopeless(report: Report) -> bool:
            done = report.fraction or 0.0
            # The first moments tell little.
            return give_up and report.seconds > left / 8 and report.seconds > left * done

        began = self.watch.elapsed()
        try:
            scores = self._scores_of(
                self._key_of_all_sets, lambda: self._score_all_sets(self._sink(enough=hopeless))
            )
        except StageOver:
            return bool(self._stopped)
        except (LimitReached, KeyboardInterrupt) as ended:
            self._end("time" if isinstance(ended, LimitReached) else "interrupted")
            self.journal.ended_in = "scoring"
            return True
        finally:
            self.journal.spend("scoring", self.watch.elapsed() - began)
        if beside is not None:
            beside.close()
            self._exchange(beside)
        if not self._is_over():
            self._search_all(scores)
        return True

    def _search_all(self, scores: LocalScores) -> None:
        space = Space.of_scores(scores)
        settings = self._settings_for(space, self.deadline)
        start = self.start if self._has_the_last_word else self._best.network
        if self.resumed is not None and self.network is not None:
            start = self.network
        self.journal.fixed_space = space.name
        result = self._search_stage(scores, settings, start, space.name)
        self._end(result.status)
        self.journal.take(space.name, result, covers=True, families=scores.pops)
        self._check_proof(result)

    # ---- a space that grows ----

    def _search_spaces(self, beside: OrdersBeside | None) -> None:
        """Search neighbourhoods, then wider spaces, while orders are searched or as it pays."""
        while not self._is_over():
            # What an earlier run has left is about the same network as there.
            left = len(self._known.proofs)
            if beside is not None and not left:
                self._wait_while_orders_pay(beside)
                if self._is_over():  # what was found is taken when the order search is closed
                    return
                self._exchange(beside)
            before = self._best
            if self._may_be_settled:
                self._search_around(beside)
                if self._best is before and self._may_be_settled:
                    self._known.stuck = before.network  # there is nothing more to be proven
            elif self.settings.gap > 0 or not self._look_further(beside):
                return
            if left and len(self._known.proofs) in (0, left):
                self._known.proofs.clear()
                self._take_what_was_told()

    @property
    def _may_be_settled(self) -> bool:
        return not self.journal.is_settled and self._best.network != self._known.stuck

    def _wait_for_a_network(self, beside: OrdersBeside) -> None:
        while math.isinf(beside.look()) and not beside.ended(POLL_SECONDS / 10):
            pass
        self.journal.take(ORDERS, beside.so_far())

    def _wait_while_orders_pay(self, beside: OrdersBeside) -> None:
        """Leave all processors to the order search while it finds more than anything else would.

        But not in the last third of the time from its first local optimum on: a network of which
        nothing is known but its cost is worth less than what the search, which goes on beside a
        proof, may still gain.
        """
        sink = self._sink(ORDERS)
        while beside.needs_all and not beside.ended(POLL_SECONDS) and not self._is_over():
            if self.deadline.left() < beside.seconds_at_optima() / 2:
                return
            beside.tell_events()
            sink(beside.report)

    def _wait_for_orders(self, beside: OrdersBeside | None) -> bool:
        """Wait for a better order, but leave time for proving it; False if none came."""
        if beside is None:
            return False
        sink = self._sink(ORDERS)
        while not beside.ended(POLL_SECONDS):
            beside.tell_events()
            sink(beside.report)
            if self.journal.is_settled and self.deadline.left() < 2 * self._known.seconds:
                return False
            if beside.look() < self._best.cost - self._rounding:
                return True
        return False

    def _exchange(self, beside: OrdersBeside) -> None:
        """Take over what was found beside, and hand over what was found here."""
        if beside.look() < self._best.cost - self._rounding:
            self.journal.take(ORDERS, beside.so_far())
        else:
            beside.offer(self._best)

    def _search_around(self, beside: OrdersBeside | None) -> None:
        """Search the neighbourhood of the best network."""
        so_far, left = self.watch.elapsed(), self.deadline.left()
        if beside is not None and self._known.needs_the_rest(left):
            beside.close()  # what it finds now could not be proven any more
            self._exchange(beside)
        if beside is not None and left < 2 * self._known.counting_seconds:
            return

        def too_slow(report: Report) -> bool:
            """Whether counting would leave less time for a proof than it takes itself."""
            if report.fraction:
                self._known.counting_seconds = report.seconds / report.fraction
            # The first moments tell little.
            return (
                beside is not None
                and report.seconds > left / 16
                and left < 2 * self._known.counting_seconds
            )

        def overtaken(report: Report) -> bool:
            return beside is not None and is_overtaken(
                report, beside.look() + self._rounding, longest=so_far / 2
            )

        scores = self._score_families(self.deadline, enough=too_slow)
        proven = scores is not None and self._search_in(scores, self.deadline, overtaken)
        took = self.watch.elapsed() - so_far
        if proven:
            self._known.seconds = took
        elif beside is not None:
            self._known.tried_seconds = max(took, self._known.tried_seconds)
            beside.demand_more()

    def _look_further(self, beside: OrdersBeside | None) -> bool:
        """Search where the neighbourhood has nothing better; False if that is no use any more."""
        if self.journal.is_settled_for_all:
            return False
        if self.space == "grow" and self.journal.is_settled and not self._proof_needs_the_rest:
            if beside is not None:
                self._known.good_families = beside.good_families()
            way = self._known.next_way(self._best.network)
            if way is not None:
                before = self._best
                proven = self._search_wider(way)
                if not self._is_over():
                    self._known.judge(way, paid=proven or self._best is not before)
                return True
        return self._wait_for_orders(beside)

    @property
    def _proof_needs_the_rest(self) -> bool:
        """Whether no time is left to find a better network and prove it."""
        return self.deadline.left() < 2 * self._known.seconds

    def _search_wider(self, way: Way) -> bool:
        """Search more than the neighbourhood, no longer than all took before; whether all of it.

        If there is a better network, its neighbourhood is what matters, and takes time, too.
        """
        so_far = max(self.watch.elapsed(), UNNOTICED)
        most = min(so_far, self.deadline.left() - self._known.seconds)
        deadline = Deadline.after(most, self.deadline.clock)
        return self._search_way(way, deadline)
