"""The command line: one module per subcommand.

Nothing heavy is imported until a command runs, so that help and usage errors come at once.
"""

from __future__ import annotations

__all__ = ["main"]


STOPPING_SECONDS = 10.0
"""Others change nothing for so long after a signal: stopping takes a moment; people press again.
"""


def main() -> None:
    """Run the command line of this process; never returns."""
    import signal

    from anytimebn.base.clock import SYSTEM_CLOCK, Deadline
    from anytimebn.cli.application import application

    stopping = Deadline.after(0.0, SYSTEM_CLOCK)

    def interrupt(*_: object) -> None:
        nonlocal stopping
        if stopping.passed():
            stopping = Deadline.after(STOPPING_SECONDS, SYSTEM_CLOCK)
            raise KeyboardInterrupt

    # What a batch system sends when the time is up, or a terminal when it is closed, should keep
    # what was found, as Ctrl-C does.
    names = ("SIGINT", "SIGTERM", "SIGHUP")
    signals = [getattr(signal, name) for name in names if hasattr(signal, name)]
    for number in signals:
        signal.signal(number, interrupt)
    try:
        application()
    finally:
        for number in signals:  # what was to be done is done
            signal.signal(number, signal.SIG_IGN)
