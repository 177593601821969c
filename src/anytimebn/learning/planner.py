"""Which stage comes next when a network is learned from a table: the one loop over stages.

A network comes first, from an order search that counts what it needs
(``native/orders/best_order_search.cpp``). Whatever ends the work later, scoring included, there is
a network to return.

Where all parent sets that can be optimal are few enough to be scored, they are, and the best
network of all is searched for, with proof. Elsewhere the space of families grows around what is
good: the order search goes on, and the neighbourhood of its network
(`anytimebn.scores.neighbourhood`) is searched exactly. A better network in it has a neighbourhood
of its own, and so on, until a network is the best of its neighbourhood; then the space is made
wider, as long as that pays.
"""

from __future__ import annotations

import logging
import math
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Literal, get_args

from anytimebn.base.clock import Deadline
from anytimebn.base.errors import InputError, LimitReached
from anytimebn.base.report import ORDERS
from anytimebn.base.resources import available_cores
from anytimebn.base.threads import whatever_is_pressed
from anytimebn.learning.beside import OrdersBeside
from anytimebn.learning.journal import Journal
from anytimebn.learning.known import Known
from anytimebn.learning.stage_sink import StageOver, StageSink
from anytimebn.network.network import Network
from anytimebn.scores.neighbourhood import score_neighbourhood
from anytimebn.scores.on_demand import CountedScores
from anytimebn.scores.scoring import limit_may_matter, planned_limit, score
from anytimebn.scores.space import Grown, Space
from anytimebn.scores.store import UNITS_PER_NAT
from anytimebn.solver.search import search_with
from anytimebn.solver.settings import SearchSettings
from anytimebn.solver.stream import stream_search

if TYPE_CHECKING:
    from collections.abc import Callable

    from anytimebn.base.clock import Stopwatch
    from anytimebn.base.report import Report, Sink
    from anytimebn.data.dataset import Dataset
    from anytimebn.knowledge.constraints import Knowledge
    from anytimebn.result.event import Event
    from anytimebn.result.result import Result
    from anytimebn.scores.scoring import ScoringOptions
    from anytimebn.scores.store import LocalScores

LOG = logging.getLogger(__name__)

BEST_ORDER_SEARCH = "best-order-search"

UNNOTICED = 1.0  # seconds that nobody minds: no wider space is given up before
POLL_SECONDS = 0.05

Spaces = Literal["grow", "complete", "neighbourhood"]
SPACES = get_args(Spaces)
"""Which families are searched: those that pay, all up to a size, or those near the best network."""


@dataclass(frozen=True, kw_only=True)
class Planner:
    """The stages of learning from a table, and what they share.

    Parameters
    ----------
    dataset, scoring, knowledge, settings, start, space
        As in `anytimebn.learning.task.LearnTask`.
    watch, deadline
        Since when it is learned, and until when.
    progress
        Hears a few times a second where it stands.
    heard
        Hears each event.
    """

    dataset: Dataset
    scoring: ScoringOptions
    knowledge: Knowledge
    settings: SearchSettings
    start: Network | None
    watch: Stopwatch
    deadline: Deadline
    space: Spaces = "grow"
    progress: Sink | None = None
    heard: Callable[[Event], None] | None = None
    _stopped: list[bool] = field(default_factory=list)  # not empty: somebody asked for the end

    def run(self) -> Result:
        """Go through the stages, and return the best network of all."""
        self.journal.spend("reading", self.watch.elapsed())
        try:
            if self._orders_go_on:
                with self._orders_beside() as beside:
                    self._wait_for_a_network(beside)
                    self._go_on(beside)
                # In its last moment the order search may have found a better network.
                if self._known.grows:
                    self._search_spaces(None)
            else:
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

    def stop(self) -> None:
        """Ask the work to end soon, from another thread."""
        self._stopped.append(True)

    @cached_property
    def journal(self) -> Journal:
        """What was found so far."""
        return Journal(self.watch, self.heard)

    @property
    def network(self) -> Network | None:
        """The best network so far."""
        parents = self.journal.parents
        return None if parents is None else Network(self.dataset.names, parents)

    def _go_on(self, beside: OrdersBeside | None) -> None:
        if self._is_over():
            return
        if self._considers_all_sets:
            self._search_all_sets(beside)
        elif (
            self.space == "neighbourhood"
            or not self._all_sets_are_few()
            or not self._search_all_sets(beside, give_up=True)
        ):
            self._known.grows = True
            if beside is None:  # one after the other, so that results repeat
                self._search_orders_longer()
            self._search_spaces(beside)

    # ---- what is wanted ----

    @property
    def _uses_orders(self) -> bool:
        """Whether the search may begin with the network of another: those that are studied not."""
        repeatable = self.settings.max_expansions is not None or self.settings.stop_at_check > 0
        return self.settings.algorithm == "auto" and not repeatable

    @property
    def _has_the_last_word(self) -> bool:
        """Whether what the algorithm finds is the result, and other networks only if it fails."""
        return self._considers_all_sets and not self._uses_orders

    @property
    def _considers_all_sets(self) -> bool:
        """Whether all parent sets up to a size are wanted, and nothing else."""
        if self.space == "neighbourhood":
            return False
        return (
            self.space == "complete" or self.scoring.max_parents != "auto" or not self._uses_orders
        )

    def _all_sets_are_few(self) -> bool:
        memory = self.settings.memory_limit
        return not limit_may_matter(self.dataset, self.knowledge, self.scoring, memory)

    @property
    def _orders_go_on(self) -> bool:
        """Whether orders are searched beside all that is done; without a limit results repeat."""
        limited = self.deadline.limit is not None
        return limited and (self._uses_orders or self.space == "neighbourhood")

    @cached_property
    def _known(self) -> Known:
        return Known()

    @property
    def _rounding(self) -> float:
        """Nats: searches compare costs that are rounded to a unit for each variable."""
        return len(self.dataset.names) / UNITS_PER_NAT

    @cached_property
    def counted(self) -> CountedScores:
        """Scores of the table that are counted on demand, within the limit on all networks."""
        limit = None
        if self.scoring.max_parents != "auto" or self.space == "complete":
            memory = self.settings.memory_limit
            limit = planned_limit(self.dataset, self.knowledge, self.scoring, memory)
        return CountedScores(
            self.dataset, self.scoring.score, self.scoring.ess, limit, self.knowledge
        )

    # ---- ends ----

    def _is_over(self) -> bool:
        return self.journal.status != "finished" or bool(self._stopped) or self.deadline.passed()

    def _end(self, status: str) -> None:
        if self.journal.status == "finished":
            self.journal.status = status

    def _search_stage(
        self,
        scores: LocalScores | CountedScores,
        settings: SearchSettings,
        start: Network | None,
        space: str | None,
        enough: Callable[[Report], bool] | None = None,
    ) -> Result:
        """Search until the end, a limit, or until enough is done; Ctrl-C ends all.

        Without a space it is an order search whose events nobody hears.
        """
        sink = self._sink(space or ORDERS, enough)
        result = search_with(
            scores,
            settings,
            start=start,
            progress=sink,
            heard=None if space is None else self.journal.listener(space),
            clock=self.deadline.clock,
        )
        if result.status == "interrupted" and not sink.has_enough:
            self._end("interrupted")
        return result

    def _sink(
        self, space: str | None = None, enough: Callable[[Report], bool] | None = None
    ) -> StageSink:
        return StageSink(self.progress, space, enough, self._stopped)

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
        self._search_orders(self._best.network, self._order_settings())

    def _search_orders(self, start: Network | None, settings: SearchSettings) -> None:
        result = self._search_stage(self.counted, settings, start, ORDERS)
        LOG.info("order search (%s): cost %.6f", result.status, result.cost)
        if result.status == "memory":
            self._end("memory")
        self.journal.take(ORDERS, result)

    def _order_settings(self, **changed: Any) -> SearchSettings:
        usual = SearchSettings(
            algorithm=BEST_ORDER_SEARCH,
            seed=self.settings.seed + len(self.journal.stages),
            jobs=self.settings.jobs,
            memory_limit=self.settings.memory_limit,
            time_limit=self.deadline.limit,
        )
        return replace(usual, **changed)

    def _orders_beside(self) -> OrdersBeside:
        """Search orders on while something else is done."""
        jobs = self.settings.jobs or available_cores()
        stream = stream_search(self.counted, self._order_settings(), self.start)
        end = self.watch.elapsed() + self.deadline.left()
        return OrdersBeside(
            stream,
            watch=self.watch,
            end=end,
            share=jobs / (jobs + 1),
            take=partial(self.journal.take, ORDERS),
            hear=self.journal.listener(ORDERS),
        )

    @property
    def _best(self) -> Result:
        assert self.journal.best is not None
        return self.journal.best

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
            scores = self._score_all_sets(self._sink(enough=hopeless))
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
        settings = replace(self.settings, time_limit=self.deadline.limit)
        start = self.start if self._has_the_last_word else self._best.network
        space = Space.of_scores(scores)
        result = self._search_stage(scores, settings, start, space.name)
        self._end(result.status)
        self.journal.take(space.name, result, covers=True, families=scores.pops)
        self._check_proof(result)

    def _check_proof(self, result: Result) -> None:
        """Refuse to go on when a network is cheaper than what was proven to be the cheapest."""
        if result.status == "optimal" and self._best.cost < result.cost - self._rounding:
            raise RuntimeError(
                f"a network of cost {self._best.cost} is cheaper than one that was proven optimal, "
                f"of cost {result.cost}"
            )

    def _score_all_sets(
        self, progress: Sink, limit: int | None = None, deadline: Deadline | None = None
    ) -> LocalScores:
        return score(
            self.dataset,
            self.scoring.score,
            max_parents=self.scoring.max_parents if limit is None else limit,
            ess=self.scoring.ess,
            knowledge=self.knowledge,
            jobs=self.settings.jobs,
            memory_limit=self.settings.memory_limit,
            time_limit=(deadline or self.deadline).limit,
            progress=progress,
            clock=self.deadline.clock,
        )

    # ---- a space that grows ----

    def _search_spaces(self, beside: OrdersBeside | None) -> None:
        """Search neighbourhoods, then wider spaces, while orders are searched or as it pays."""
        while not self._is_over():
            if beside is not None:
                self._wait_while_orders_pay(beside)
                self._exchange(beside)
            before = self._best
            if self._may_be_settled:
                self._search_around(beside)
                if self._best is before and self._may_be_settled:
                    self._known.stuck = before.network  # there is nothing more to be proven
            elif self.settings.gap > 0 or not self._look_further(beside):
                return

    @property
    def _may_be_settled(self) -> bool:
        return not self.journal.is_settled and self._best.network != self._known.stuck

    def _wait_for_a_network(self, beside: OrdersBeside) -> None:
        while math.isinf(beside.look()) and not beside.ended(POLL_SECONDS / 10):
            pass
        self.journal.take(ORDERS, beside.so_far())

    def _wait_while_orders_pay(self, beside: OrdersBeside) -> None:
        """Leave all processors to the order search while it finds more than anything else would."""
        sink = self._sink(ORDERS)
        while beside.needs_all and not beside.ended(POLL_SECONDS) and not self._is_over():
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
            beside.offer(self._best.network)

    def _search_around(self, beside: OrdersBeside | None) -> None:
        """Search the neighbourhood of the best network."""
        so_far = self.watch.elapsed()
        if beside is not None and self.deadline.left() < 3 * self._known.seconds:
            beside.close()  # what it finds now could not be proven any more

        def overtaken(report: Report) -> bool:
            """Whether it is about the wrong network, and has taken longer than all before."""
            if beside is None:
                return False
            found = beside.look()
            late = report.cost is not None and report.seconds > so_far / 2
            return late and found < (report.cost or 0.0) - self._rounding

        if not self._search_families(self.deadline, overtaken) and beside is not None:
            beside.demand_more()

    def _look_further(self, beside: OrdersBeside | None) -> bool:
        """Search where the neighbourhood has nothing better; False if that is no use any more."""
        if self._known.level is not None and self.journal.is_settled and self.space == "grow":
            self._search_wider(self._known.level + 1)
            return True
        return self._wait_for_orders(beside)

    def _search_wider(self, level: int) -> None:
        """Search the neighbourhood and all sets up to a size, no longer than all took before."""
        so_far = max(self.watch.elapsed(), UNNOTICED)
        deadline = Deadline.after(so_far, self.deadline.clock).earlier_of(self.deadline)
        self._known.level = None  # unless a wider one can be searched, too
        before = self._best
        began = self.watch.elapsed()
        try:
            levels = self._score_all_sets(self._sink(), level, deadline)
        except (LimitReached, InputError):  # too slow, or too large
            return
        finally:
            self.journal.spend("scoring", self.watch.elapsed() - began)
        if levels.provenance.max_parents_exact:  # there is nothing wider
            self._search_in(levels, deadline)
        elif self._search_families(deadline, levels=levels) or self._best is not before:
            self._known.level = level

    def _search_families(
        self,
        deadline: Deadline,
        enough: Callable[[Report], bool] | None = None,
        levels: LocalScores | None = None,
    ) -> bool:
        """Score the families near the best network and search among them; whether it was proven."""
        began = self.watch.elapsed()
        try:
            scores = score_neighbourhood(
                self.counted,
                [self._best.network.parents],
                others=self._known.families(),
                levels=levels,
                jobs=self.settings.jobs or available_cores(),
                deadline=deadline,
                progress=self._sink(),
            )
        except LimitReached:
            return False
        finally:
            self.journal.spend("scoring", self.watch.elapsed() - began)
        return self._search_in(scores, deadline, enough)

    def _search_in(
        self,
        scores: LocalScores,
        deadline: Deadline,
        enough: Callable[[Report], bool] | None = None,
    ) -> bool:
        """Search among families, those of the best network included; whether it was proven."""
        began = self.watch.elapsed()
        space = Space.of_scores(scores)
        settings = replace(self.settings, time_limit=deadline.limit, known_rows=self._known.rows)
        result = self._search_stage(scores, settings, self._best.network, space.name, enough)
        if space.grown is not None and result.cost < self._best.cost:
            # Of another network the families are not the neighbourhood.
            moved = Grown.around(
                scores,
                result.network.parents,
                neighbourhood=False,
                all_up_to=space.grown.all_up_to,
            )
            result = replace(result, details=result.details | {"space": moved.to_json()})
        self._known.learn(result, self.watch.elapsed() - began)
        self.journal.take(space.name, result, covers=True, families=scores.pops)
        self._check_proof(result)
        return result.status in ("optimal", "gap")
