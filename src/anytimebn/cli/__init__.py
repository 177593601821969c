"""The command line: one module per subcommand.

Nothing heavy is imported until a command runs, so that help and usage errors come at once.
"""

from __future__ import annotations

__all__ = ["main"]


def main() -> None:
    """Run the command line of this process; never returns."""
    import signal

    from anytimebn.cli.application import application

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    # What a batch system sends when the time is up should keep what was found, as Ctrl-C does.
    signal.signal(signal.SIGTERM, interrupt)
    application()
