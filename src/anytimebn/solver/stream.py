"""The events of a search as they come."""

from __future__ import annotations

import math
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from anytimebn.base.clock import SYSTEM_CLOCK, Clock
from anytimebn.base.text import how_many
from anytimebn.base.threads import NativeThread
from anytimebn.network.network import Network
from anytimebn.result.event import Event, bound_in_words
from anytimebn.solver.elsewhere import help_from
from anytimebn.solver.outcome import events_of, report_of, result_of
from anytimebn.solver.run import TableRun, start_run

if TYPE_CHECKING:
    from concurrent.futures import Executor
    from types import TracebackType

    from anytimebn.base.report import Report
    from anytimebn.result.result import Result
    from anytimebn.solver.run import Parents, Run, Scores
    from anytimebn.solver.settings import SearchSettings
    from anytimebn.solver.start import Start

POLL_SECONDS = 0.02


class Work(Protocol):
    """What a stream is of: work that finds networks, in a thread of its own."""

    def __call__(self) -> None:
        """Do it."""

    def stop(self) -> None:
        """Ask it to end soon."""

    def take_events(self) -> list[Event]:
        """Give what has happened since this was last asked."""

    @property
    def network(self) -> Network | None:
        """The best network so far."""

    def result(self, events: list[Event]) -> Result:
        """Give what it found, when it has ended."""


class SearchWork:
    """A search, for a stream of its events."""

    def __init__(self, run: Run) -> None:
        self._run = run

    def __call__(self) -> None:
        """Search."""
        self._run()

    def stop(self) -> None:
        """Ask the search to end soon."""
        self._run.stop()

    def take_events(self) -> list[Event]:
        """Give what has happened since this was last asked."""
        return events_of(self._run)

    @property
    def parents(self) -> Parents | None:
        """The parents of each variable in the best network so far."""
        return self._run.parents()

    @property
    def network(self) -> Network | None:
        """The best network so far."""
        parents = self.parents
        return None if parents is None else Network(self._run.scores.names, parents)

    @property
    def report(self) -> Report:
        """Where the search stands."""
        return report_of(self._run)

    @property
    def cost(self) -> float:
        """What the best network costs; infinite if there is none."""
        cost = self.report.cost
        return math.inf if cost is None else cost

    def so_far(self) -> Result:
        """Give what a search that works on data has found, while it goes on."""
        return result_of(self._run, [])

    def offer(self, network: Network) -> None:
        """Tell a search that works on data of a network that somebody else found."""
        if isinstance(self._run, TableRun):
            self._run.offer(network)

    def good_families(self) -> list[list[tuple[int, ...]]]:
        """Of each variable: parent sets that good networks have, as far as the search tells."""
        return self._run.good_families() if isinstance(self._run, TableRun) else []

    @property
    def came_down(self) -> bool:
        """Whether the first ways down of a search that works on data are over."""
        return not isinstance(self._run, TableRun) or self._run.came_down

    def result(self, events: list[Event]) -> Result:
        """Give what it found, when it has ended."""
        return result_of(self._run, events)


WorkType = TypeVar("WorkType", bound=Work, covariant=True)


class Stream(Iterator[Event], Generic[WorkType]):
    """The events of a search as they come; leaving the loop stops it.

    So does leaving a ``with`` block, and dropping the stream. Events may also be taken one by one,
    with ``next``; the search then goes on in between.

    Attributes
    ----------
    result : Result or None
        When the search has ended or was stopped; None while it goes on.
    """

    def __init__(self, work: WorkType) -> None:
        self.work = work
        self._lock = threading.Lock()  # another thread may close the stream
        self._waiting: deque[Event] = deque()
        self._events: list[Event] = []
        self.result: Result | None = None
        self._thread = NativeThread(work, work)

    def __repr__(self) -> str:
        if self.result is not None:
            return f"Stream(ended: {self.result!r})"
        if not self._events:
            return "Stream(searching: no event was taken yet)"
        last = self._events[-1]
        bound = bound_in_words(last.lower_bound, last.cost, 4).replace(",", "")
        return (
            f"Stream(searching: {how_many(len(self._events), 'event')} so far; cost "
            f"{last.cost:.4f}, lower bound {bound})"
        )

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
                    self._waiting.extend(self.work.take_events())
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
        """The best network so far; the first comes within moments, and is waited for.

        None only if the search ended without one.
        """
        if self.result is not None:
            return self.result.network
        while (found := self.work.network) is None and not self.ended(POLL_SECONDS):
            pass
        return self.work.network if found is None else found

    def ended(self, seconds: float = 0.0) -> bool:
        """Wait for the end, but no longer than this; tell whether it has come."""
        return self._thread.wait(seconds)

    def close(self) -> Result:
        """Stop the search if it still runs, and return its result."""
        if self.result is None:
            self.work.stop()
            self._thread.join()
        with self._lock:
            if self.result is None:
                self._events.extend([*self._waiting, *self.work.take_events()])
                self._waiting.clear()
                self.result = self.work.result(self._events)
            return self.result

    def __enter__(self) -> Stream[WorkType]:
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


def stream_search(
    scores: Scores,
    settings: SearchSettings,
    start: Start = None,
    *,
    clock: Clock = SYSTEM_CLOCK,
) -> Stream[SearchWork]:
    """Search in the background, as `anytimebn.solver.search.search_with` does."""
    return Stream(search_work(scores, settings, start, clock=clock))


def search_work(
    scores: Scores,
    settings: SearchSettings,
    start: Start = None,
    *,
    clock: Clock = SYSTEM_CLOCK,
    executor: Executor | None = None,
) -> SearchWork:
    """Prepare a search for the background; workers of an executor help it to prove."""
    run = start_run(scores, settings, start, clock=clock)
    help_from(executor, run)
    return SearchWork(run)
