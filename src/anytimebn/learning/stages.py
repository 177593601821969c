"""What the stages of learning from a table share, and how one of them is run.

Which one comes next is what `anytimebn.learning.planner` decides.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Literal, get_args

from anytimebn.base.report import ORDERS
from anytimebn.learning.at_work import AtWork
from anytimebn.learning.journal import Journal
from anytimebn.learning.kept_scores import ScoredStage
from anytimebn.learning.known import Known
from anytimebn.learning.stage_sink import StageSink
from anytimebn.network.network import Network
from anytimebn.result.certificates import Rows
from anytimebn.scores.on_demand import CountedScores
from anytimebn.scores.scoring import limit_may_matter, planned_limit, score
from anytimebn.scores.store import UNITS_PER_NAT
from anytimebn.solver.elsewhere import help_from
from anytimebn.solver.run import TableRun
from anytimebn.solver.search import search_with
from anytimebn.solver.settings import SearchSettings

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Executor

    from anytimebn.base.clock import Deadline, Stopwatch
    from anytimebn.base.report import Report, Sink
    from anytimebn.data.dataset import Dataset
    from anytimebn.knowledge.constraints import Knowledge
    from anytimebn.learning.run_state import RunState
    from anytimebn.result.event import Event
    from anytimebn.result.result import Result
    from anytimebn.scores.scoring import ScoringOptions
    from anytimebn.scores.space import Space
    from anytimebn.scores.store import LocalScores
    from anytimebn.solver.run import Run

LOG = logging.getLogger(__name__)

BEST_ORDER_SEARCH = "best-order-search"

UNNOTICED = 1.0  # seconds that nobody minds: no wider space is given up before

Spaces = Literal["grow", "complete", "neighbourhood"]
SPACES = get_args(Spaces)
"""Which families are searched: those that pay, all up to a size, or those near the best network."""


@dataclass(frozen=True, kw_only=True)
class Stages:
    """What all stages go by.

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
    resumed, kept_scores
        Where an earlier run ended, and the scores that it has left, if there are any.
    certify_along
        Whether `state` is going to be asked for, with what proves the bound of the moment.
    executor
        Whose workers search orders and prove, too.
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
    resumed: RunState | None = None
    kept_scores: ScoredStage | None = None
    certify_along: bool = False
    executor: Executor | None = None
    _stopped: list[bool] = field(default_factory=list)  # not empty: somebody asked for the end

    # ---- shared ----

    @cached_property
    def journal(self) -> Journal:
        """What was found so far."""
        return Journal(self.watch, self.heard)

    @property
    def network(self) -> Network | None:
        """The best network so far."""
        parents = self.journal.parents
        return None if parents is None else Network(self.dataset.names, parents)

    @property
    def _best(self) -> Result:
        assert self.journal.best is not None
        return self.journal.best

    @cached_property
    def _known(self) -> Known:
        return Known()

    @cached_property
    def _at_work(self) -> AtWork:
        return AtWork()

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

    # ---- ends ----

    def stop(self) -> None:
        """Ask the work to end soon, from another thread."""
        self._stopped.append(True)

    def _is_over(self) -> bool:
        return self.journal.status != "finished" or bool(self._stopped) or self.deadline.passed()

    def _end(self, status: str) -> None:
        if self.journal.status == "finished":
            self.journal.status = status

    # ---- one stage ----

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
            began=partial(self._begin_stage, space),
            clock=self.deadline.clock,
        )
        if self._is_over() and space is not None:  # there may have been no time to prove it again
            self._known.proofs |= self._at_work.evidence
        if isinstance(self._at_work.run, TableRun):
            self._known.good_families = self._at_work.run.good_families()
        self._at_work.end()
        if result.status == "interrupted" and not sink.has_enough:
            self._end("interrupted")
        return result

    def _begin_stage(self, space: str | None, run: Run) -> None:
        self._at_work.begin(space, run)
        help_from(self.executor, run)

    def _check_proof(self, result: Result) -> None:
        """Refuse to go on when a network is cheaper than what was proven to be the cheapest."""
        if result.status == "optimal" and self._best.cost < result.cost - self._rounding:
            raise RuntimeError(
                f"a network of cost {self._best.cost} is cheaper than one that was proven optimal, "
                f"of cost {result.cost}"
            )

    def _settings_for(self, space: Space, deadline: Deadline) -> SearchSettings:
        """How to search a space, with what is known about it or about others."""
        known = self._known
        proofs = known.proofs.pop(space.name, ())
        rows = next((proof for proof in proofs if isinstance(proof, Rows)), known.rows)
        return replace(
            self.settings,
            time_limit=deadline.limit,
            proofs=proofs,
            known_rows=rows or self.settings.known_rows,
            certify_along=self.certify_along,
        )

    def _order_settings(self, **changed: Any) -> SearchSettings:
        usual = SearchSettings(
            algorithm=BEST_ORDER_SEARCH,
            seed=self.settings.seed + len(self.journal.stages),
            jobs=self.settings.jobs,
            memory_limit=self.settings.memory_limit,
            time_limit=self.deadline.limit,
        )
        return replace(usual, **changed)

    def _sink(
        self, space: str | None = None, enough: Callable[[Report], bool] | None = None
    ) -> StageSink:
        return StageSink(
            self.progress,
            space,
            enough,
            self._stopped,
            known=lambda: self.journal.so_far,
            network=lambda: self.journal.network_of(self.dataset.names),
        )

    # ---- scores of all parent sets ----

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

    @property
    def _key_of_all_sets(self) -> str:
        """By what scores of all sets are known, where somebody keeps them."""
        if self.kept_scores is None and not self.certify_along:
            return ""
        memory = self.settings.memory_limit
        return f"up to {planned_limit(self.dataset, self.knowledge, self.scoring, memory)}"

    def _scores_of(self, key: str, count: Callable[[], LocalScores]) -> LocalScores:
        """Count scores, unless an earlier run has left them."""
        kept, work = self.kept_scores, self._at_work
        if kept is not None and kept.key == key:
            LOG.info("took over %s parent sets from an earlier run", f"{kept.scores.pops:,}")
            work.scored = kept
            return kept.scores
        work.scored = None
        began = self.watch.elapsed()
        scores = count()
        seconds = self.watch.elapsed() - began
        if self.certify_along:
            since = self.watch.elapsed() + seconds
            work.scored = ScoredStage(key, scores, seconds, since)
        return scores
