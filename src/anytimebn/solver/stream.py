"""The events of a search as they come."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from anytimebn.base.threads import NativeThread
from anytimebn.network.network import Network
from anytimebn.result.event import Event
from anytimebn.solver.outcome import events_of, result_of
from anytimebn.solver.run import start_run

if TYPE_CHECKING:
    from anytimebn.result.result import Result
    from anytimebn.solver.run import Scores
    from anytimebn.solver.settings import SearchSettings
    from anytimebn.solver.start import Start


class Stream(Iterator[Event]):
    """The events of a search as they come; leaving the loop stops it.

    Attributes
    ----------
    result : Result or None
        When the search has ended or was stopped.
    """

    def __init__(self, scores: Scores, settings: SearchSettings, start: Start = None) -> None:
        self._run = start_run(scores, settings, start)
        self._thread = NativeThread(self._run, self._run)
        self._waiting: list[Event] = []
        self._events: list[Event] = []
        self.result: Result | None = None

    def __next__(self) -> Event:
        """Wait for the next event."""
        while not self._waiting:
            ended = self._thread.wait(0.02)
            self._waiting.extend(events_of(self._run))
            if ended and not self._waiting:
                self.close()
                raise StopIteration
        event = self._waiting.pop(0)
        self._events.append(event)
        return event

    @property
    def network(self) -> Network | None:
        """The best network so far."""
        parents = self._run.parents()
        return None if parents is None else Network(self._run.scores.names, parents)

    def close(self) -> Result:
        """Stop the search if it still runs, and return its result."""
        if self.result is None:
            self._run.stop()
            self._thread.join()
            self._events.extend(self._waiting + events_of(self._run))
            self._waiting = []
            self.result = result_of(self._run, self._events)
        return self.result

    def __del__(self) -> None:
        # A loop that was left by `break` drops the stream: the search must not run on.
        thread = getattr(self, "_thread", None)
        if thread is not None:
            self._run.stop()
            thread.join(raise_failure=False)
