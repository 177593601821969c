"""One search of one space, by the scores that are given or counted on demand.

It is all that is learned where the families are given, or the algorithm needs none; tables are
learned from in stages (`anytimebn.learning.planner`). Both tell their state in the same words.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from anytimebn.base.report import BestNetwork
from anytimebn.learning.run_state import COMPLETE, RunState, with_bounds_proven_again
from anytimebn.network.network import Network
from anytimebn.result.certificates import Rows
from anytimebn.scores.space import Space
from anytimebn.solver.elsewhere import help_from
from anytimebn.solver.search import search_with

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Executor

    from anytimebn.base.clock import Deadline, Stopwatch
    from anytimebn.base.report import Report, Sink
    from anytimebn.learning.kept_scores import ScoredStage
    from anytimebn.result.event import Event
    from anytimebn.result.result import Result
    from anytimebn.scores.on_demand import CountedScores
    from anytimebn.scores.store import LocalScores
    from anytimebn.solver.run import Parents, Run
    from anytimebn.solver.settings import SearchSettings


class SingleSearch:
    """One search, from its start or from where an earlier run ended.

    Parameters
    ----------
    scores, settings, start
        What is searched, how, and with which network to begin.
    watch, deadline
        Since when it is learned, in all runs together, and until when.
    progress, heard
        Hear reports, and each event.
    resumed
        Where an earlier run ended.
    certify_along
        Whether `state` is going to be asked for, with what proves the bound of the moment.
    executor
        Whose workers prove, too.
    """

    def __init__(
        self,
        scores: LocalScores | CountedScores,
        settings: SearchSettings,
        start: Network | None,
        *,
        watch: Stopwatch,
        deadline: Deadline,
        progress: Sink | None = None,
        heard: Callable[[Event], None] | None = None,
        resumed: RunState | None = None,
        certify_along: bool = False,
        executor: Executor | None = None,
    ) -> None:
        self._scores = scores
        self._space = Space.of_scores(scores).name
        self._earlier = resumed or RunState(names=scores.names)
        self._was_resumed = resumed is not None
        self._proofs = self._earlier.evidence.get(self._space, ())
        rows = next((proof for proof in self._proofs if isinstance(proof, Rows)), None)
        self._settings = replace(
            settings,
            time_limit=deadline.limit,
            proofs=self._proofs or settings.proofs,
            certify_along=certify_along,
            known_rows=rows or settings.known_rows,
        )
        known = self._earlier.network
        self._start = start if known is None else Network(scores.names, known)
        self._watch, self._deadline = watch, deadline
        self._progress, self._heard = progress, heard
        self._parents = known
        self._events: list[Event] = []
        self._began = watch.elapsed()
        self._run: Run | None = None
        self._executor = executor
        self._status = "running"

    def run(self) -> Result:
        """Search, and tell of all runs together."""
        result = search_with(
            self._scores,
            self._settings,
            start=self._start,
            progress=None if self._progress is None else self._tell,
            heard=self._hear,
            began=self._begin,
            clock=self._deadline.clock,
        )
        self._status = result.status
        result = replace(result, events=self._told)
        if not self._was_resumed:
            return result
        earlier = self._earlier
        return replace(
            result,
            expanded=earlier.expanded + result.expanded,
            peak_memory_bytes=max(earlier.peak_memory_bytes, result.peak_memory_bytes),
            seconds={
                part: seconds + earlier.spent.get(part, 0.0)
                for part, seconds in result.seconds.items()
            },
            details=result.details | {"resumed_at": list(self._resumed_at)},
        )

    def state(self) -> RunState:
        """Tell what is needed to go on from here."""
        earlier, run = self._earlier, self._run
        evidence = self._proofs if run is None else run.leads
        own = self._watch.elapsed() - self._began
        events = self._told
        return RunState(
            names=self._scores.names,
            seconds=self._watch.elapsed(),
            spent=dict(earlier.spent) | {"search": earlier.spent.get("search", 0.0) + own},
            expanded=earlier.expanded if not self._events else self._events[-1].expanded,
            peak_memory_bytes=earlier.peak_memory_bytes,
            events=events,
            resumed_at=self._resumed_at,
            network=self._parents,
            cost=events[-1].cost if events else None,
            evidence={self._space: evidence} if evidence else {},
        )

    def scored(self) -> ScoredStage | None:
        """None: the scores are a file, or are not kept."""
        return None

    @property
    def leads(self) -> tuple[int, int]:
        """Another value means that `state` has another evidence."""
        return 0, 0 if self._run is None else self._run.lead_count

    @property
    def is_complete(self) -> bool:
        """Whether nothing is left to be done."""
        return self._status in COMPLETE

    @property
    def _resumed_at(self) -> tuple[float, ...]:
        earlier = self._earlier
        return (*earlier.resumed_at, earlier.seconds) if self._was_resumed else ()

    @property
    def _told(self) -> tuple[Event, ...]:
        return with_bounds_proven_again(self._earlier.events, self._events, None)

    def _tell(self, report: Report) -> None:
        assert self._progress is not None
        parents = self._parents
        found = BestNetwork(self._scores.names, parents) if parents else None
        self._progress(replace(report, network=found))

    def _begin(self, run: Run) -> None:
        self._run = run
        help_from(self._executor, run)

    def _hear(self, event: Event, parents: Parents) -> None:
        # Events count from where the limit does: reading is a part of it.
        event = replace(
            event,
            seconds=self._began + event.seconds,
            expanded=self._earlier.expanded + event.expanded,
        )
        known = [*self._earlier.events, *self._events][-1:]
        if known:
            event = replace(event, cost=min(event.cost, known[0].cost))
        if not known or self._parents is None or event.cost < known[0].cost:
            self._parents = parents or self._parents
        self._events.append(event)
        if self._heard is not None:
            self._heard(event)
