"""Running native work so that the caller stays in charge.

The work runs in a thread of its own without the GIL; the calling thread wakes a few times a second
to report progress, and to be reached by Ctrl-C, which stops the work within 100 ms.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

POLL_SECONDS = 0.05

Outcome = TypeVar("Outcome")


class Stoppable(Protocol):
    """What can be asked to end soon."""

    def stop(self) -> None:
        """Ask the work to end soon."""


class NativeThread(Generic[Outcome]):
    """Work that runs in a thread of its own, with its outcome or its failure."""

    def __init__(self, work: Callable[[], Outcome], control: Stoppable) -> None:
        self._control = control
        self._outcome: list[Outcome] = []
        self._failure: list[BaseException] = []
        self._ended = threading.Event()

        def body() -> None:
            try:
                self._outcome.append(work())
            except BaseException as error:  # handed to the calling thread by `join`
                self._failure.append(error)
            finally:
                self._ended.set()

        self._thread = threading.Thread(target=body, name="anytimebn", daemon=True)
        self._thread.start()

    def wait(self, seconds: float) -> bool:
        """Wait for the end, but no longer than this; tell whether it has come."""
        return self._ended.wait(seconds)

    def join(self, *, raise_failure: bool = True) -> None:
        """Wait for the end, and raise here what the work raised."""
        self._thread.join()
        if self._failure and raise_failure:
            raise self._failure[0]

    def stop(self) -> None:
        """Ask the work to end, and wait until it has."""
        self._control.stop()
        self._thread.join()

    @property
    def outcome(self) -> Outcome:
        """What the work returned."""
        return self._outcome[0]


def run_native(
    work: Callable[[], Outcome],
    control: Stoppable,
    report: Callable[[], None] | None = None,
    *,
    keep_on_interrupt: bool = False,
) -> Outcome:
    """Run `work` in a thread until it ends; on any exception here, stop it first.

    With `keep_on_interrupt`, KeyboardInterrupt stops the work and its outcome is returned: the
    work itself must then record that it was interrupted.
    """
    thread = NativeThread(work, control)
    try:
        # Short work should not wait for a poll; long work needs no more than a few a second.
        seconds = 0.001
        while not thread.wait(seconds):
            seconds = min(POLL_SECONDS, seconds * 2)
            if report is not None:
                report()
    except KeyboardInterrupt:
        thread.stop()
        if not keep_on_interrupt:
            raise
    except BaseException:
        thread.stop()
        raise
    thread.join()
    if report is not None:
        report()
    return thread.outcome
