"""The command line: one module per subcommand.

Nothing heavy is imported until a command runs, so that help and usage errors come at once.
"""

from __future__ import annotations

__all__ = ["main"]


def main() -> None:
    """Run the command line of this process; never returns."""
    from anytimebn.cli.interrupts import INTERRUPTS

    INTERRUPTS.install()  # before anything else is imported

    from anytimebn.cli.closed_streams import open_closed_streams

    open_closed_streams()

    from anytimebn.cli.application import application

    try:
        application()
    finally:
        INTERRUPTS.end_work()
