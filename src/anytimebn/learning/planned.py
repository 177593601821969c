"""Learning from a table in the background, for a stream of its events."""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from anytimebn.learning.planner import Planner
    from anytimebn.network.network import Network
    from anytimebn.result.event import Event
    from anytimebn.result.result import Result


class PlannedWork:
    """All stages of a planner, one after the other."""

    def __init__(self, planner: Planner) -> None:
        self._events: deque[Event] = deque()
        self._planner = replace(planner, heard=self._events.append)
        self._result: Result | None = None

    def __call__(self) -> None:
        """Learn."""
        self._result = finished(self._planner.run(), self._planner)

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
        return self._planner.network

    def result(self, events: list[Event]) -> Result:
        """Give what was found, when the work has ended."""
        assert self._result is not None
        return replace(self._result, events=tuple(events))


def finished(result: Result, planner: Planner) -> Result:
    """Give a network its states and probabilities, which are estimated from the table."""
    dataset = planner.dataset
    network = replace(result.network, states=dataset.states).fit(dataset)
    seconds = result.seconds | {"total": planner.watch.elapsed()}
    return replace(result, network=network, seconds=seconds)
