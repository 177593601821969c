"""An order search that goes on beside other stages, and shares the processors with them."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from anytimebn.base.threads import whatever_is_pressed
from anytimebn.learning.trend import Trend

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from anytimebn.base.clock import Stopwatch
    from anytimebn.base.report import Report
    from anytimebn.network.network import Network
    from anytimebn.result.event import Event
    from anytimebn.result.result import Result
    from anytimebn.solver.run import Parents
    from anytimebn.solver.stream import SearchWork, Stream


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
        self._offered = math.inf  # what the best network of others costs
        self.precision = 2.5e-5  # of the cost, that other stages may cost by slowing this one down

    def __enter__(self) -> OrdersBeside:
        return self

    def __exit__(self, *_: object) -> None:
        whatever_is_pressed(lambda: self._take(self._stream.close()))

    @property
    def report(self) -> Report:
        """Where the search stands."""
        return self._stream.work.report

    @property
    def network(self) -> Network | None:
        """The best one that it has found."""
        return self._stream.work.network

    def tell_events(self) -> None:
        """Hand on what it has found since this was last asked."""
        work = self._stream.work
        for event in work.take_events():
            self._hear(event, work.parents or ())

    def look(self) -> float:
        """Give what its best network costs, and take note of it."""
        cost = self._stream.work.cost
        self._trend.add(self._watch.elapsed(), cost)
        return cost

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
        loss = self._trend.loss(self._end, self._share, self._offered)
        return loss > self.precision * abs(cost)

    def demand_more(self) -> None:
        """Slow it down less willingly: it found more than the stage that did."""
        self.precision /= 4

    def offer(self, network: Network, cost: float) -> None:
        """Tell of a better network."""
        self._offered = min(cost, self._offered)
        self._stream.work.offer(network)

    def good_families(self) -> list[list[tuple[int, ...]]]:
        """Of each variable: parent sets that good networks have."""
        return self._stream.work.good_families()

    def so_far(self) -> Result:
        """Give what was found so far; what it took is told in the end, when all of it is taken."""
        found = self._stream.work.so_far()
        return replace(found, expanded=0, seconds=dict.fromkeys(found.seconds, 0.0))

    def close(self) -> None:
        """Stop it, so that others have all processors."""
        self._stream.close()
        self._ended = True
