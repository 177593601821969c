"""The command line: one module per subcommand.

Nothing heavy is imported until a command runs, so that help and usage errors come at once.
"""

__all__ = ["LIMIT_REACHED", "NOTHING_WRITTEN", "main"]

LIMIT_REACHED = 4
"""The exit status of a command that ended before there was anything to write."""

NOTHING_WRITTEN = "interrupted before there was a result; nothing was written"


def main() -> None:
    """Run the command line of this process; never returns."""
    try:
        from anytimebn.cli.interrupts import INTERRUPTS

        INTERRUPTS.install()  # before anything else is imported
    except KeyboardInterrupt:  # nobody was there yet to hear it
        import os

        os.write(2, f"{NOTHING_WRITTEN}\n".encode())
        os._exit(LIMIT_REACHED)

    from anytimebn.cli.closed_streams import open_closed_streams

    open_closed_streams()

    from anytimebn.cli.application import application

    try:
        application()
    finally:
        INTERRUPTS.end_work()
