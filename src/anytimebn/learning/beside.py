"""An order search that goes on beside other stages, and shares the processors with them.

Others may search orders beside it on other machines: it takes their networks, and they take its
own.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from anytimebn.base.threads import whatever_is_pressed
from anytimebn.learning.trend import Trend
from anytimebn.result.event import Event

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from anytimebn.base.clock import Stopwatch
    from anytimebn.base.report import Report
    from anytimebn.learning.orders_elsewhere import OrdersElsewhere
    from anytimebn.network.network import Network
    from anytimebn.result.result import Result
    from anytimebn.solver.run import Parents
    from anytimebn.solver.stream import SearchWork, Stream

    Incumbent: TypeAlias = Callable[[], tuple[float, Parents | None]]


class OrdersBeside:
    """A running order search, and how much it is going to find.

    Parameters
    ----------
    stream
        The search; it is stopped when this is left.
    watch
        Tells the time since all began.
    end
        When all ends, by this watch.
    share
        Of the processors, that the search has when another stage works.
    take
        Takes what was found in the end, whatever ends it.
    hear
        Hears its events, when these are handed on.
    past
        What earlier runs have found: how much is going to be found is judged by that, too.
    elsewhere
        Makes those who search orders on other machines, if there are any; it gets a function that
        gives the best network here with its cost, and one that takes a better network.
    """

    def __init__(
        self,
        stream: Stream[SearchWork],
        *,
        watch: Stopwatch,
        end: float,
        share: float,
        take: Callable[[Result], object],
        hear: Callable[[Event, Parents], None],
        past: Iterable[Event] = (),
        elsewhere: Callable[[Incumbent, Callable[[Network], None]], OrdersElsewhere] | None = None,
    ) -> None:
        self._stream = stream
        self._watch = watch
        self._end = end
        self._share = share
        self._take = take
        self._hear = hear
        self._trend = Trend()
        for event in past:
            self._trend.add(event.seconds, event.cost)
        self._ended = False
        self._came_down: float | None = None  # when it was seen to have been at a local optimum
        self.precision = 2.5e-5  # of the cost, that other stages may cost by slowing this one down
        self._began = watch.elapsed()
        self._offered: tuple[float, Network] | None = None
        self._told = math.inf  # the cost of the last network from elsewhere that was told
        self._others: OrdersElsewhere | None = None
        if elsewhere is not None:
            self._others = elsewhere(self._incumbent, stream.work.offer)
            self._others.start()

    def __enter__(self) -> OrdersBeside:
        return self

    def __exit__(self, *_: object) -> None:
        whatever_is_pressed(lambda: self._take(self._stream.close()))
        if self._others is not None:
            whatever_is_pressed(self._others.close)
        if (found := self._found_elsewhere()) is not None:
            whatever_is_pressed(lambda: self._take(_without_costs(found)))

    def _incumbent(self) -> tuple[float, Parents | None]:
        """Give the best network of the search, or that it was offered, and its cost."""
        cost, parents = self._stream.work.cost, self._stream.work.parents
        if self._offered is not None and self._offered[0] < cost:
            cost, parents = self._offered[0], self._offered[1].parents
        return (math.inf, None) if parents is None else (cost, parents)

    def _found_elsewhere(self) -> Result | None:
        """Give the best network of others, if it is better than that of the search here."""
        best = None if self._others is None else self._others.best
        return best if best is not None and best.cost < self._stream.work.cost else None

    @property
    def report(self) -> Report:
        """Where the search stands."""
        return self._stream.work.report

    @property
    def network(self) -> Network | None:
        """The best one that it has found, or that others have."""
        found = self._found_elsewhere()
        return self._stream.work.network if found is None else found.network

    def tell_events(self) -> None:
        """Hand on what it has found since this was last asked."""
        work = self._stream.work
        for event in work.take_events():
            self._hear(event, work.parents or ())
        found = self._found_elsewhere()
        if found is not None and found.cost < self._told:
            self._told = found.cost
            seconds = self._watch.elapsed() - self._began
            self._hear(Event(seconds, found.cost, None, 0), found.network.parents)

    def look(self) -> float:
        """Give what its best network costs, and take note of it."""
        found = self._found_elsewhere()
        cost = self._stream.work.cost if found is None else found.cost
        now = self._watch.elapsed()
        self._trend.has_come_down = self._stream.work.came_down
        if self._trend.has_come_down and self._came_down is None:
            self._came_down = now
        self._trend.add(now, cost)
        return cost

    def seconds_at_optima(self) -> float:
        """Tell how long ago it was first seen at a local optimum; 0 if it was not yet."""
        return 0.0 if self._came_down is None else self._watch.elapsed() - self._came_down

    def ended(self, seconds: float) -> bool:
        """Wait for the end, but no longer than this; tell whether it has come."""
        self._ended = self._stream.ended(seconds)
        return self._ended

    @property
    def needs_all(self) -> bool:
        """Whether it finds so much that no other stage should slow it down."""
        if self._ended:
            return False
        cost = self.look()
        if not self._trend.is_known:
            return True
        known = math.inf if self._offered is None else self._offered[0]
        loss = self._trend.loss(self._end, self._share, known)
        return loss > self.precision * abs(cost)

    def demand_more(self) -> None:
        """Slow it down less willingly: it found more than the stage that did."""
        self.precision /= 4

    def offer(self, found: Result) -> None:
        """Tell of a better network."""
        self._offered = found.cost, found.network
        self._stream.work.offer(found.network)

    def good_families(self) -> list[list[tuple[int, ...]]]:
        """Of each variable: parent sets that good networks have."""
        own = self._stream.work.good_families()
        return own if self._others is None else self._others.with_families(own)

    def so_far(self) -> Result:
        """Give what was found so far; what it took is told in the end, when all of it is taken."""
        return _without_costs(self._found_elsewhere() or self._stream.work.so_far())

    def close(self) -> None:
        """Stop it, so that others have all processors."""
        if self._others is not None:
            self._others.stop()
        self._stream.close()
        self._ended = True


def _without_costs(found: Result) -> Result:
    return replace(found, expanded=0, seconds=dict.fromkeys(found.seconds, 0.0))
