"""Tasks that workers do beside work that goes on here, and that profits from what they find.

Nobody waits for them, and nothing that they return is believed: whoever asked for it looks at it
here. Where workers fail, the work here goes on alone, and a warning says so in the end.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from anytimebn.base.clock import Deadline
from anytimebn.base.errors import WorkerWarning
from anytimebn.base.executors import Tasks, places_of
from anytimebn.base.threads import NativeThread, NoThread, whatever_is_pressed
from anytimebn.base.warn import warn_caller

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Executor

POLL_SECONDS = 0.02
MOST_REFUSED = 3
"""Answers that cannot be used until no more tasks are handed over."""

LONGEST_CALL = 1.0
"""Seconds that a call to an executor may take in the end: a scheduler may not answer."""

_LEFT_BEHIND: list[NativeThread[None]] = []

Outcome = TypeVar("Outcome")


class Mark:
    """Tells tasks in threads of this process that nobody waits for them any more.

    In other processes it tells nothing: tasks there end at their own limits.
    """

    def __init__(self) -> None:
        self.stopped = False

    def __reduce__(self) -> tuple[type[Mark], tuple[()]]:
        return Mark, ()


class Refused(Exception):
    """What a worker returned cannot be what it was asked for."""


class Helpers(ABC, Generic[Outcome]):
    """Hands out tasks as long as there are any, and looks at what comes back; in a thread.

    Parameters
    ----------
    work
        A function of a module, called with the shared value, a `Mark`, and what `next_task` gives.
    value
        What all tasks share.
    executor
        Who does them.
    patience
        Seconds until the first task is handed out: what takes no longer needs no help.
    """

    def __init__(
        self,
        work: Callable[..., Outcome],
        value: Any,
        executor: Executor,
        *,
        patience: float = 0.0,
    ) -> None:
        self._work, self._value, self._executor = work, value, executor
        self._patience = patience
        self._mark = Mark()
        self._thread: NativeThread[None] | None = None
        self._troubles: list[str] = []

    @abstractmethod
    def next_task(self, number: int) -> tuple[Any, ...] | None:
        """Give the arguments of a task; None if there is none at the moment."""

    @abstractmethod
    def look_at(self, outcome: Outcome) -> None:
        """Take what came back; `Refused` is raised if it cannot be right."""

    def start(self) -> None:
        """Begin; without memory for a thread there is no help."""
        try:
            self._thread = NativeThread(self._hand_out, self)
        except NoThread:
            self._troubles.append("there is no memory for another thread")

    def stop(self) -> None:
        """Ask the thread to end soon."""
        self._mark.stopped = True

    def close(self) -> None:
        """End it, without waiting for workers, and warn of what went wrong."""
        self.stop()
        if self._thread is not None:
            thread = self._thread
            if not whatever_is_pressed(lambda: thread.wait(LONGEST_CALL)):
                _LEFT_BEHIND.append(thread)  # letting go of it would mean to wait for it
            self._thread = None
        troubles, self._troubles = self._troubles, []
        for trouble in troubles:
            warn_caller(f"help by workers: {trouble}", WorkerWarning)

    def _hand_out(self) -> None:
        try:
            if self._is_wanted_after(self._patience):
                with Tasks[int, Outcome](
                    self._work, self._value, self._executor, here=False
                ) as tasks:
                    self._keep_busy(tasks, places_of(self._executor))
        except Exception as error:
            self._troubles.append(
                f"it ended, and the search went on here alone ({type(error).__name__}: {error})"
            )

    def _is_wanted_after(self, seconds: float) -> bool:
        # No event: Ctrl-C at a bad moment may leave one locked for ever.
        deadline = Deadline.after(seconds)
        while not self._mark.stopped and (left := deadline.left()) > 0:
            time.sleep(min(POLL_SECONDS, left))
        return not self._mark.stopped

    def _keep_busy(self, tasks: Tasks[int, Outcome], places: int) -> None:
        number = refused = 0
        while not self._mark.stopped and refused < MOST_REFUSED:
            while len(tasks) < places and (given := self.next_task(number)) is not None:
                tasks.begin(number, self._mark, *given)
                number += 1
            if not len(tasks):
                time.sleep(POLL_SECONDS)
                continue
            for _, outcome in tasks.take(POLL_SECONDS):
                try:
                    self.look_at(outcome)
                except Refused as fault:
                    refused += 1
                    self._troubles.append(f"what a worker returned is left out: {fault}")
