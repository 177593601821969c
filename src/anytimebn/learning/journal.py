"""What the stages of one job have found so far: the best network, what is proven, and when."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from anytimebn.base.report import ORDERS, BestNetwork
from anytimebn.learning.run_state import with_bounds_proven_again
from anytimebn.learning.stage_sink import SoFar
from anytimebn.result.event import Event
from anytimebn.scores.store import UNITS_PER_NAT

if TYPE_CHECKING:
    from collections.abc import Callable

    from anytimebn.base.clock import Stopwatch
    from anytimebn.learning.run_state import RunState
    from anytimebn.result.certificates import Certificate
    from anytimebn.result.result import Result
    from anytimebn.solver.run import Parents


@dataclass(eq=False)
class Journal:
    """The best network of all stages, with the bound of the last space that it was the best of.

    Parameters
    ----------
    watch
        Since when it is learned: all times are by this clock.
    heard
        Called with each event, as it comes.
    """

    watch: Stopwatch
    heard: Callable[[Event], None] | None = None
    best: Result | None = None
    parents: Parents | None = None  # of each variable, in the best network of this moment
    proof: Result | None = None
    status: str = "finished"
    ended_in: str | None = None  # the stage that a limit ended, where that matters
    events: list[Event] = field(default_factory=list)
    stages: list[dict[str, Any]] = field(default_factory=list)
    seconds: dict[str, float] = field(default_factory=dict)
    fixed_space: str | None = None  # that is the same whatever network is the best
    resumed_at: list[float] = field(default_factory=list)
    _earlier: int = 0  # events of earlier runs
    _space: str | None = None
    _expanded: int = 0  # nodes of earlier stages
    _peak: int = 0

    def resume(self, state: RunState) -> None:
        """Go on from where an earlier run ended; what it had proven is to be proven again."""
        self.events = list(state.events)
        self.stages = [dict(stage) for stage in state.stages]
        self.seconds = dict(state.spent)
        self.parents = state.network
        self.resumed_at = [*state.resumed_at, state.seconds]
        self._earlier = len(self.events)
        self._expanded = state.expanded
        self._peak = state.peak_memory_bytes

    @property
    def told(self) -> tuple[Event, ...]:
        """All events, without what earlier runs had proven and nobody has proven again."""
        earlier, later = self.events[: self._earlier], self.events[self._earlier :]
        return with_bounds_proven_again(earlier, later, self.fixed_space)

    @property
    def so_far(self) -> SoFar:
        """The best cost of this moment, and what is proven of the network that has it."""
        cost = self.events[-1].cost if self.events else None
        proven, best = self._proven, self.best
        if cost is None or proven is None or best is None or proven.lower_bound is None:
            return SoFar(cost)
        rounding = len(best.network.names) / UNITS_PER_NAT
        if cost < best.cost - rounding:  # a stage has found a better network, and goes on
            return SoFar(cost)
        return SoFar(cost, min(proven.lower_bound, cost), proven.space.name, rounding)

    def network_of(self, names: tuple[str, ...]) -> BestNetwork | None:
        """Give the best network of this moment, with what is known of its arcs."""
        if not self.parents:
            return None
        best = self.best
        known = best is not None and best.network.parents == self.parents
        strengths = best.arc_strengths if best is not None and known else None
        return BestNetwork(names, self.parents, strengths or None)

    @property
    def evidence(self) -> dict[str, tuple[Certificate, ...]]:
        """What proves a bound for the best network, by the name of the space."""
        proven = self._proven
        if proven is None or proven.proof is None:
            return {}
        grown = proven.space.grown
        if grown is not None and not grown.neighbourhood:  # nobody searches these once more
            return {}
        return {proven.space.name: (proven.proof,)}

    @property
    def expanded(self) -> int:
        """Nodes of the stages that have ended."""
        return self._expanded

    @property
    def peak_memory_bytes(self) -> int:
        """Of the stages that have ended."""
        return self._peak

    def listener(self, space: str) -> Callable[[Event, Parents], None]:
        """Give what a stage that begins now tells its events to, with what its bounds are about."""
        began = self.watch.elapsed()
        if space == self._space != ORDERS:
            self._space = None  # it is called the same, but is that of another network

        def hear(event: Event, parents: Parents) -> None:
            if not self.events or event.cost < self.events[-1].cost:
                self.parents = parents
            self._tell(began + event.seconds, event.cost, event.lower_bound, event.expanded, space)

        return hear

    def take(self, stage: str, result: Result, *, covers: bool = False, **details: Any) -> bool:
        """Take what a stage found; whether its network is the best so far.

        Parameters
        ----------
        stage
            What it is called.
        result
            Its own.
        covers
            Whether the families that it searched have those of the best network, so that its bound
            is about that one in any case.
        **details
            What to remember of it.
        """
        for part in ("bounds", "search"):
            self.spend("orders" if stage == ORDERS else part, result.seconds[part])
        self._expanded += result.expanded
        self._peak = max(self._peak, result.peak_memory_bytes)
        best = self.best
        # What costs less by rounding alone, half a unit a variable, is not worth losing a proof.
        least = 0.0 if covers or best is None else len(best.network.names) / UNITS_PER_NAT / 2
        better = best is None or result.cost < best.cost - least
        if best is None or better:
            # Told first: if Ctrl-C comes in between, the network of the last event is searched for.
            self.parents = result.network.parents
            self._tell(self.watch.elapsed(), result.cost, result.lower_bound, 0, stage)
            self.best = best = result
        elif covers and _keeps_limit(best, result):
            result = _about(result, best)
        elif covers and result.space.complete:
            # Larger parent sets are ruled out: this is as good, but for rounding.
            self.best = best = result
            self.parents = result.network.parents
        if result.lower_bound is not None and result.network == best.network:
            known = self.proof
            # What is proven of a smaller space says more than what is not of a larger one.
            if result.status == "optimal" or known is None or known.network != best.network:
                self.proof = result
        self.note(stage, cost=best.cost, status=result.status, **details)
        return better

    def note(self, stage: str, **details: Any) -> None:
        """Remember a stage, for those who want to know how the network was found."""
        self.stages.append({"stage": stage, "seconds": self.watch.elapsed(), **details})

    def spend(self, part: str, seconds: float) -> None:
        """Add to the time of a part of the work."""
        self.seconds[part] = self.seconds.get(part, 0.0) + seconds

    @property
    def is_settled(self) -> bool:
        """Whether the best network is proven to be the best of its neighbourhood, or of all."""
        proven = self._proven
        if proven is None or proven.status not in ("optimal", "gap"):
            return False
        grown = proven.space.grown
        return grown is None or grown.neighbourhood

    @property
    def is_settled_for_all(self) -> bool:
        """Whether the best network is proven to be the best of all that there are."""
        return self.is_settled and self._proven is not None and bool(self._proven.space.complete)

    @property
    def _proven(self) -> Result | None:
        """What is proven about the best network."""
        if self.best is None or self.proof is None or self.proof.network != self.best.network:
            return None
        return self.proof

    def result(self, algorithm: str) -> Result:
        """Give the best network, with what is proven about it."""
        assert self.best is not None
        found = self.best if self._proven is None else self._proven
        ended = "finished" if self.status in ("optimal", "gap") else self.status
        proven = found.status in ("optimal", "gap")
        # What is proven of a small space stays so when the search of a wider one is broken off.
        cut_short = proven and ended != "finished" and not found.space.complete
        parts = ("reading", "orders", "scoring", "bounds", "search")
        return replace(
            found,
            cost=min(found.cost, self.best.cost),
            status=found.status if proven else ended,
            events=self.told,
            algorithm=algorithm,
            expanded=self._expanded,
            peak_memory_bytes=max(self._peak, found.peak_memory_bytes),
            seconds={part: self.seconds.get(part, 0.0) for part in parts},
            details=found.details
            | {"stages": self.stages}
            | ({} if self.ended_in is None else {"ended_in": self.ended_in})
            | ({"ended_by": ended} if cut_short else {})
            | ({"resumed_at": self.resumed_at} if self.resumed_at else {}),
        )

    def _tell(
        self, seconds: float, cost: float, bound: float | None, expanded: int, space: str
    ) -> None:
        last = self.events[-1] if self.events else None
        changed = space != self._space
        if last is not None:
            cost = min(cost, last.cost)
            seconds = max(seconds, last.seconds)
            if not changed and bound is None:
                bound = last.lower_bound
            if bound is not None:
                bound = min(bound, cost)
            if not changed and cost >= last.cost and bound == last.lower_bound:
                return
        self._space = space
        event = Event(seconds, cost, bound, self._expanded + expanded, space if changed else None)
        self.events.append(event)
        if self.heard is not None:
            self.heard(event)


def _keeps_limit(network: Result, searched: Result) -> bool:
    """Whether no variable has more parents than a search considered."""
    most = searched.max_parents
    return most is None or max(map(len, network.network.parents), default=0) <= most


def _about(result: Result, network: Result) -> Result:
    """Take the bound of a search for a network of its space that it did not find."""
    bound = result.lower_bound
    return replace(
        result,
        network=network.network,
        cost=network.cost,
        arc_strengths=network.arc_strengths,
        lower_bound=None if bound is None else min(bound, network.cost),
    )
