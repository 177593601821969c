"""What Ctrl-C and the like do, from the first moment of a command to its last.

Nothing is imported here that takes time: whoever interrupts while the rest is being imported should
see one line, not where Python was.
"""

import os
import sys

from anytimebn.cli import LIMIT_REACHED, NOTHING_WRITTEN

TYPE_CHECKING = False  # the module `typing` takes longer to import than all of this
if TYPE_CHECKING:
    import signal
    from collections.abc import Callable
    from types import FrameType
    from typing import Literal

    from anytimebn.base.clock import Deadline
else:
    try:
        # What `signal` is made of, which Python has loaded before it reads the first line. The
        # module itself makes its enumerations first: most of the time that nobody would listen.
        import _signal as signal
    except ImportError:  # nothing that Python promises to have
        import signal

STOPPING_SECONDS = 10.0
"""Others change nothing for so long after a signal: stopping takes a moment; people press again."""

RETRY_SECONDS = 0.02
"""How soon to try again what must wait for the end of an import, or was lost."""

SIGNALS = [
    # What a batch system sends when the time is up, or a terminal when it is closed, should keep
    # what was found, as Ctrl-C does.
    getattr(signal, name)
    for name in ("SIGINT", "SIGTERM", "SIGHUP")
    if hasattr(signal, name)
]


class Interrupts:
    """Turns signals into `KeyboardInterrupt` while a command works, and into its end before."""

    def __init__(self) -> None:
        self._state: Literal["starting", "working", "done"] = "starting"
        self._stopping: Deadline | None = None  # until when other signals change nothing
        self._quiet: Callable[[], Deadline]  # makes one that begins now; known when work begins
        self._timer = hasattr(signal, "setitimer")

    def install(self) -> None:
        """Take over; before everything else."""
        for number in SIGNALS:
            signal.signal(number, self._heard)
        if self._timer:
            signal.signal(signal.SIGALRM, self._interrupt)
            sys.unraisablehook = self._lost

    def begin_work(self) -> None:
        """From now on something may be worth keeping."""
        # Not before: it takes longer than all that was imported until now.
        from anytimebn.base.clock import SYSTEM_CLOCK, Deadline

        self._quiet = lambda: Deadline.after(STOPPING_SECONDS, SYSTEM_CLOCK)
        self._state = "working"

    def end_work(self) -> None:
        """What was to be done is done, and Python itself ends now."""
        self._state = "done"
        for number in SIGNALS:
            signal.signal(number, signal.SIG_IGN)

    def _heard(self, number: int, frame: "FrameType | None") -> None:
        if self._state != "working":
            self._interrupt(number, frame)
            return
        if self._stopping is None or self._stopping.passed():
            self._stopping = self._quiet()
            self._interrupt(number, frame)

    def _lost(self, failure: "sys.UnraisableHookArgs") -> None:
        """Try again where Python would drop an interrupt: it came while garbage was collected."""
        if issubclass(failure.exc_type, KeyboardInterrupt):
            signal.setitimer(signal.ITIMER_REAL, RETRY_SECONDS)
        else:
            sys.__unraisablehook__(failure)

    def _interrupt(self, _number: int, frame: "FrameType | None") -> None:
        if self._state == "starting":
            os.write(2, f"{NOTHING_WRITTEN}\n".encode())
            os._exit(LIMIT_REACHED)
        if self._state == "done":
            return
        if self._timer and _is_importing(frame):
            # A module that is interrupted half-way fails in ways of its own.
            signal.setitimer(signal.ITIMER_REAL, RETRY_SECONDS)
            return
        raise KeyboardInterrupt


def _is_importing(frame: "FrameType | None") -> bool:
    importer = sys.modules["importlib._bootstrap"].__name__
    while frame is not None:
        if frame.f_globals.get("__name__") == importer:
            return True
        frame = frame.f_back
    return False


INTERRUPTS = Interrupts()
"""Of this process."""
