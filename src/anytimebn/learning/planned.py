"""Learning from a table in the background, for a stream of its events."""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from typing import TYPE_CHECKING

from anytimebn.scores.store import LocalScores

if TYPE_CHECKING:
    from anytimebn.base.clock import Stopwatch
    from anytimebn.data.dataset import Dataset
    from anytimebn.learning.planner import Planner
    from anytimebn.network.network import Network
    from anytimebn.result.event import Event
    from anytimebn.result.result import Result
    from anytimebn.solver.stream import Work


class Probabilities:
    """Gives networks their states and probabilities, the same network only once."""

    def __init__(self, dataset: Dataset) -> None:
        self._dataset = dataset
        self._last: Network | None = None

    def of(self, network: Network | None) -> Network | None:
        """Give the network with its probabilities."""
        if network is None:
            return None
        last = self._last
        if last is None or last.parents != network.parents:
            last = self._last = replace(network, states=self._dataset.states).fit(self._dataset)
        return last


class FittedWork:
    """A search on a table, which itself needs no more than counts; networks get probabilities."""

    def __init__(self, work: Work, dataset: Dataset, watch: Stopwatch) -> None:
        self._work, self._dataset, self._watch = work, dataset, watch
        self._probabilities = Probabilities(dataset)

    def __call__(self) -> None:
        """Search."""
        self._work()

    def stop(self) -> None:
        """Ask the search to end soon."""
        self._work.stop()

    def take_events(self) -> list[Event]:
        """Give what has happened since this was last asked."""
        return self._work.take_events()

    @property
    def network(self) -> Network | None:
        """The best network so far."""
        return self._probabilities.of(self._work.network)

    def result(self, events: list[Event]) -> Result:
        """Give what was found, when the work has ended."""
        return finished(self._work.result(events), self._dataset, self._watch)


class PlannedWork:
    """All stages of a planner, one after the other."""

    def __init__(self, planner: Planner) -> None:
        self._events: deque[Event] = deque()
        self._planner = replace(planner, heard=self._events.append)
        self._result: Result | None = None
        self._probabilities = Probabilities(planner.dataset)

    def __call__(self) -> None:
        """Learn."""
        result = self._planner.run()
        self._result = finished(result, self._planner.dataset, self._planner.watch)

    def stop(self) -> None:
        """Ask the work to end soon."""
        self._planner.stop()

    def take_events(self) -> list[Event]:
        """Give what has happened since this was last asked."""
        events = []
        while self._events:
            events.append(self._events.popleft())
        return events

    @property
    def network(self) -> Network | None:
        """The best network so far."""
        return self._probabilities.of(self._planner.network)

    def result(self, events: list[Event]) -> Result:
        """Give what was found, when the work has ended."""
        assert self._result is not None
        return replace(self._result, events=tuple(events))


def finished(result: Result, data: Dataset | LocalScores, watch: Stopwatch) -> Result:
    """Give a network its states and probabilities, which are estimated from the table."""
    if not isinstance(data, LocalScores):
        network = replace(result.network, states=data.states).fit(data)
        result = replace(result, network=network)
    return replace(result, seconds=result.seconds | {"total": watch.elapsed()})
