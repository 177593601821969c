"""The events of a search as they come."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

from anytimebn.base.clock import SYSTEM_CLOCK, Clock
from anytimebn.base.threads import NativeThread
from anytimebn.network.network import Network
from anytimebn.result.event import Event
from anytimebn.solver.outcome import events_of, result_of
from anytimebn.solver.run import start_run

if TYPE_CHECKING:
    from types import TracebackType

    from anytimebn.result.result import Result
    from anytimebn.solver.run import Scores
    from anytimebn.solver.settings import SearchSettings
    from anytimebn.solver.start import Start

POLL_SECONDS = 0.02


class Stream(Iterator[Event]):
    """The events of a search as they come; leaving the loop stops it.

    So does leaving a ``with`` block, and dropping the stream. Events may also be taken one by one,
    with ``next``; the search then goes on in between.

    Attributes
    ----------
    result : Result or None
        When the search has ended or was stopped.
    """

    def __init__(
        self,
        scores: Scores,
        settings: SearchSettings,
        start: Start = None,
        *,
        clock: Clock = SYSTEM_CLOCK,
    ) -> None:
        self._run = start_run(scores, settings, start, clock=clock)
        self._lock = threading.Lock()  # another thread may close the stream
        self._waiting: deque[Event] = deque()
        self._events: list[Event] = []
        self.result: Result | None = None
        self._thread = NativeThread(self._run, self._run)

    def __iter__(self) -> Iterator[Event]:
        """Loop over the events to come; the search ends with the loop."""
        try:
            while True:
                try:
                    event = next(self)
                except StopIteration:
                    return
                yield event
        finally:
            # A failure of the search is raised again where the result is asked for.
            with suppress(Exception):
                self.close()

    def __next__(self) -> Event:
        """Wait for the next event."""
        while True:
            ended = self._thread.wait(0)
            with self._lock:
                if self.result is None:
                    self._waiting.extend(events_of(self._run))
                if self._waiting:
                    event = self._waiting.popleft()
                    self._events.append(event)
                    return event
            if ended:
                self.close()
                raise StopIteration
            self._thread.wait(POLL_SECONDS)

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
        with self._lock:
            if self.result is None:
                self._events.extend([*self._waiting, *events_of(self._run)])
                self._waiting.clear()
                self.result = result_of(self._run, self._events)
            return self.result

    def __enter__(self) -> Stream:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if kind is None:
            self.close()
        else:
            with suppress(Exception):  # what ended the block is what people want to know
                self.close()
