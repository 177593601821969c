"""Running native work so that the caller stays in charge.

The work runs in a thread of its own without the GIL; the calling thread wakes a few times a second
to report progress, and to be reached by Ctrl-C, which stops the work within 100 ms.
"""

from __future__ import annotations

import threading
import weakref
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

POLL_SECONDS = 0.05

Outcome = TypeVar("Outcome")


class NoThread(MemoryError):
    """The system has no memory, or no number, for another thread."""


class Stoppable(Protocol):
    """What can be asked to end soon."""

    def stop(self) -> None:
        """Ask the work to end soon."""


class NativeThread(Generic[Outcome]):
    """Work that runs in a thread of its own, with its outcome or its failure.

    The work is stopped when nobody holds this any more, and when the program ends: a thread that
    comes back from native code while Python is being taken down would abort the process.

    Raises
    ------
    NoThread
        If the system refuses a thread; whoever can should do the work without.
    """

    def __init__(self, work: Callable[[], Outcome], control: Stoppable) -> None:
        # The thread must not hold `self`, or nobody could ever let go of it.
        outcome: list[Outcome] = []
        failure: list[BaseException] = []
        # Ctrl-C at a bad moment may leave an Event locked for ever; a plain lock it cannot harm:
        # once the work has ended, nobody asks for it any more.
        begun: list[bool] = []
        ended: list[bool] = []
        cancelled: list[bool] = []
        running = threading.Lock()
        running.acquire()

        def body() -> None:
            begun.append(True)
            try:
                if not cancelled:
                    outcome.append(work())
            except BaseException as error:  # handed to the calling thread by `join`
                failure.append(error)
            finally:
                ended.append(True)
                running.release()

        self._control, self._outcome, self._failure = control, outcome, failure
        self._ended, self._running = ended, running
        # Python waits for threads that are no daemons before it calls what would stop them.
        self._thread = threading.Thread(target=body, name="anytimebn", daemon=True)
        weakref.finalize(self, _end, self._thread, control)
        try:
            self._thread.start()
        except RuntimeError as error:
            raise NoThread("there is no memory for another thread") from error
        except KeyboardInterrupt:
            # It came while Python waited for the first sign of the thread, which is under way, and
            # which Python does not call alive yet. If it has not begun, it never will.
            cancelled.append(True)
            if begun:
                whatever_is_pressed(self.stop)
            raise

    def wait(self, seconds: float) -> bool:
        """Wait for the end, but no longer than this; tell whether it has come."""
        if not self._ended and self._running.acquire(timeout=seconds):
            self._running.release()
        return bool(self._ended)

    def join(self, *, raise_failure: bool = True) -> None:
        """Wait for the end, and raise here what the work raised."""
        self._wait_for_end()
        if self._failure and raise_failure:
            raise self._failure[0]

    def stop(self) -> None:
        """Ask the work to end, and wait until it has."""
        self._control.stop()
        self._wait_for_end()

    def _wait_for_end(self) -> None:
        # Python takes a thread for ended whose `join` was interrupted (bpo-45274): a second `join`
        # would return at once, with the work still going on.
        while not self.wait(POLL_SECONDS):
            pass
        self._thread.join()

    @property
    def outcome(self) -> Outcome:
        """What the work returned."""
        return self._outcome[0]


def _end(thread: threading.Thread, control: Stoppable) -> None:
    """Stop work that nobody waits for, unless it has ended."""
    if thread.is_alive():
        control.stop()
        # Python may collect garbage, and call this, in any thread.
        if thread is not threading.current_thread():
            thread.join()


def whatever_is_pressed(work: Callable[[], Outcome]) -> Outcome:
    """Do what takes a moment, and must be done, however often Ctrl-C is pressed meanwhile.

    The work is begun again: it must not matter how much of it was done before.
    """
    while True:
        try:
            return work()
        except KeyboardInterrupt:
            continue


def run_native(
    work: Callable[[], Outcome],
    control: Stoppable,
    report: Callable[[], None] | None = None,
    *,
    keep_on_interrupt: bool = False,
) -> Outcome:
    """Run `work` in a thread until it ends; on any exception here, stop it first.

    With `keep_on_interrupt`, KeyboardInterrupt stops the work and its outcome is returned: the
    work itself must then record that it was interrupted. Stopping takes a moment, in which people
    press again: that changes nothing.

    Where the system has no memory for a thread, the work is done in this one: nobody hears of
    progress, and Ctrl-C counts when it has ended.
    """
    try:
        thread = NativeThread(work, control)
    except NoThread:
        return _run_here(work, report, keep_on_interrupt=keep_on_interrupt)
    try:
        # Short work should not wait for a poll; long work needs no more than a few a second.
        seconds = 0.001
        while not thread.wait(seconds):
            seconds = min(POLL_SECONDS, seconds * 2)
            if report is not None:
                report()
    except KeyboardInterrupt:
        whatever_is_pressed(thread.stop)
        if not keep_on_interrupt:
            raise
    except BaseException:
        thread.stop()
        raise
    thread.join()
    if report is not None:
        # Whoever presses Ctrl-C when the work has just ended wants its outcome no less.
        try:
            report()
        except KeyboardInterrupt:
            if not keep_on_interrupt:
                raise
    return thread.outcome


def _run_here(
    work: Callable[[], Outcome], report: Callable[[], None] | None, *, keep_on_interrupt: bool
) -> Outcome:
    outcome: list[Outcome] = []
    try:
        outcome.append(work())
        if report is not None:
            report()
    except KeyboardInterrupt:
        if not (keep_on_interrupt and outcome):
            raise
    return outcome[0]
