"""Which stage comes next when a network is learned from a table: the one loop over stages.

A network comes first, from an order search that counts what it needs
(``native/orders/best_order_search.cpp``). Whatever ends the work later, scoring included, there is
a network to return. Then all parent sets up to a limit are scored, and the search for the best
network over them, with its proof, begins with the network that is there.

Where the parent sets up to the limit are not all that can be optimal, the order search goes on
first: it knows no limit. Its network then competes with the best one within the limit, and the
bound of the latter says nothing about it.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from anytimebn.base.errors import LimitReached
from anytimebn.scores.on_demand import CountedScores
from anytimebn.scores.scoring import limit_may_matter, score
from anytimebn.scores.store import UNITS_PER_NAT
from anytimebn.solver.search import search_with
from anytimebn.solver.settings import SearchSettings
from anytimebn.solver.stream import Stream

if TYPE_CHECKING:
    from anytimebn.base.clock import Deadline, Stopwatch
    from anytimebn.base.report import Sink
    from anytimebn.data.dataset import Dataset
    from anytimebn.knowledge.constraints import Knowledge
    from anytimebn.network.network import Network
    from anytimebn.result.event import Event
    from anytimebn.result.result import Result
    from anytimebn.scores.scoring import ScoringOptions
    from anytimebn.scores.store import LocalScores

LOG = logging.getLogger(__name__)

ORDERS = "best-order-search"
SHARE_OF_ORDERS = 0.5  # of the time, where the space of parent sets is not complete


@dataclass(frozen=True, kw_only=True)
class Planner:
    """The stages of learning from a table, and what they share.

    Parameters
    ----------
    dataset, scoring, knowledge, settings, start
        As in `anytimebn.learning.task.LearnTask`.
    watch, deadline
        Since when it is learned, and until when.
    progress
        Hears a few times a second where it stands.
    """

    dataset: Dataset
    scoring: ScoringOptions
    knowledge: Knowledge
    settings: SearchSettings
    start: Network | None
    watch: Stopwatch
    deadline: Deadline
    progress: Sink | None = None

    def run(self) -> Result:
        """Go through the stages, and return the best network of all."""
        found = self.first_network()
        longer = self._uses_orders and limit_may_matter(self.dataset, self.knowledge, self.scoring)
        if longer and not self._is_over(found):
            found = self._search_orders_longer(found)
        if self._is_over(found):
            return self._ended(found, found.status)
        if not longer or self.deadline.limit is None:  # results must repeat
            return self._search_parent_sets(found)
        settings = self._order_settings(jobs=1, seed=self.settings.seed + 1)
        with Stream(self.counted, settings, found.network) as beside:
            return self._search_parent_sets(found, beside)

    def _is_over(self, found: Result) -> bool:
        return found.status == "interrupted" or self.deadline.passed()

    # ---- orders ----

    def first_network(self) -> Result:
        """Find a network at once: the same one whenever nothing ends the search before."""
        return self._search_orders(
            self.start, self._order_settings(parameters={"generations": 0}, jobs=1)
        )

    def _search_orders_longer(self, found: Result) -> Result:
        limit = self.deadline.limit
        settings = self._order_settings(
            time_limit=None if limit is None else SHARE_OF_ORDERS * limit
        )
        return self._search_orders(found.network, settings, before=found, progress=self.progress)

    def _search_orders(
        self,
        start: Network | None,
        settings: SearchSettings,
        before: Result | None = None,
        progress: Sink | None = None,
    ) -> Result:
        began = self.watch.elapsed()
        result = search_with(
            self.counted, settings, start=start, progress=progress, clock=self.deadline.clock
        )
        LOG.info("order search (%s): cost %.6f", result.status, result.cost)
        spent = result.seconds["total"] + (before.seconds["orders"] if before is not None else 0.0)
        seconds = {"orders": spent, "scoring": 0.0, "bounds": 0.0, "search": 0.0}
        return replace(result, events=_joined(before, result, began), seconds=seconds)

    def _order_settings(self, **changed: Any) -> SearchSettings:
        usual = SearchSettings(
            algorithm=ORDERS,
            seed=self.settings.seed,
            jobs=self.settings.jobs,
            memory_limit=self.settings.memory_limit,
            time_limit=self.deadline.limit,
        )
        return replace(usual, **changed)

    @property
    def counted(self) -> CountedScores:
        """Scores of the table that are counted on demand, within the limit that was given."""
        limit = self.scoring.max_parents
        return CountedScores(
            self.dataset,
            self.scoring.score,
            self.scoring.ess,
            None if limit == "auto" else limit,
            self.knowledge,
        )

    # ---- parent sets ----

    def start_of_search(self) -> Network | None:
        """Give the network that a search over parent sets begins with, if it may have one."""
        return self.first_network().network if self._uses_orders else self.start

    @property
    def _uses_orders(self) -> bool:
        """Whether the search may begin with the network of another: those that are studied not."""
        repeatable = self.settings.max_expansions is not None or self.settings.stop_at_check > 0
        return self.settings.algorithm == "auto" and not repeatable

    def _search_parent_sets(self, found: Result, beside: Stream | None = None) -> Result:
        try:
            scores = self.scores()
        except LimitReached:
            return self._unscored(_better(found, beside), "time")
        except KeyboardInterrupt:
            return self._unscored(_better(found, beside), "interrupted")
        scored = self.watch.elapsed()
        if self.deadline.passed():
            return self._unscored(_better(found, beside), "time")
        result = search_with(
            scores,
            replace(self.settings, time_limit=self.deadline.limit),
            start=found.network if self._uses_orders else self.start,
            progress=self.progress,
            clock=self.deadline.clock,
        )
        before = found if self._uses_orders else None
        result = replace(
            result,
            events=_joined(before, result, scored),
            seconds=found.seconds | result.seconds | {"scoring": scored - found.seconds["orders"]},
        )
        found = _better(found, beside)
        # Searches compare costs that are rounded to a unit for each variable.
        rounding = len(self.dataset.names) / UNITS_PER_NAT
        if found.cost >= result.cost - rounding:
            return result
        if result.status == "optimal" and not result.space.limits_matter:
            raise RuntimeError(
                f"a network of cost {found.cost} is cheaper than one that was proven optimal, "
                f"of cost {result.cost}"
            )
        return _beyond_the_limit(found, result) if self._uses_orders else result

    def scores(self) -> LocalScores:
        """Score all parent sets up to the limit."""
        return score(
            self.dataset,
            self.scoring.score,
            max_parents=self.scoring.max_parents,
            ess=self.scoring.ess,
            knowledge=self.knowledge,
            jobs=self.settings.jobs,
            memory_limit=self.settings.memory_limit,
            time_limit=self.deadline.limit,
            progress=self.progress,
            clock=self.deadline.clock,
        )

    # ---- results ----

    def _ended(self, found: Result, status: str) -> Result:
        return replace(found, status=status, algorithm=self.settings.algorithm)

    def _unscored(self, found: Result, status: str) -> Result:
        """End with the network of the order search, because scoring did not come to its end."""
        seconds = found.seconds | {"scoring": self.watch.elapsed() - found.seconds["orders"]}
        details = found.details | {"ended_in": "scoring"}
        return self._ended(replace(found, seconds=seconds, details=details), status)


def _better(found: Result, beside: Stream | None) -> Result:
    """Take what the order search beside has found, if it is better."""
    if beside is None or beside.close().cost >= found.cost:
        return found
    other = beside.close()
    return replace(found, network=other.network, cost=other.cost, arc_strengths=other.arc_strengths)


def _joined(before: Result | None, result: Result, began: float) -> tuple[Event, ...]:
    """Put the events of two stages on one clock; what is told never gets worse."""
    events = list(before.events) if before is not None else []
    best = events[-1].cost if events else float("inf")
    for event in result.events:
        best = min(best, event.cost)
        events.append(replace(event, seconds=began + event.seconds, cost=best))
    return tuple(events)


def _beyond_the_limit(found: Result, within: Result) -> Result:
    """Prefer a network that has larger families than the parent sets that a bound is about."""
    status = "finished" if within.status in ("optimal", "gap") else within.status
    events = tuple(replace(event, lower_bound=None) for event in found.events)
    return replace(
        found,
        status=status,
        events=events,
        algorithm=within.algorithm,
        seconds=within.seconds,
        peak_memory_bytes=max(found.peak_memory_bytes, within.peak_memory_bytes),
        details={
            **found.details,
            "within_limit": {
                "max_parents": within.max_parents,
                "cost": within.cost,
                "lower_bound": within.lower_bound,
            },
        },
    )
