"""What goes to standard error while a command works: warnings, and the log if it is wanted."""

from __future__ import annotations

import logging
import sys
import warnings
from typing import TYPE_CHECKING, Any, TextIO

import typer

from anytimebn.base.errors import CheckpointWarning, DataWarning, InputError
from anytimebn.base.text import unknown_name

if TYPE_CHECKING:
    from pathlib import Path

LEVELS = ("info", "debug")
FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"


class _StandardError(logging.StreamHandler[TextIO]):
    """Writes to whatever standard error is now: displays that move put another in its place."""

    def emit(self, record: logging.LogRecord) -> None:
        self.stream = sys.stderr
        super().emit(record)


def start_log(level: str | None, path: Path | None) -> None:
    """Write the log of the package to standard error, or to the end of a file."""
    if level is None and path is None:
        return
    level = level or LEVELS[0]
    if level.lower() not in LEVELS:
        raise InputError(unknown_name("log level", level, LEVELS))
    try:
        handler = _StandardError() if path is None else logging.FileHandler(path, encoding="utf-8")
    except OSError as error:
        raise InputError(
            f"{path}: the log cannot be written: {error.strerror}; give a file in a folder that "
            f"exists"
        ) from None
    handler.setFormatter(logging.Formatter(FORMAT))
    log = logging.getLogger("anytimebn")
    log.addHandler(handler)
    log.setLevel(level.upper())


def show_warnings_briefly(*, quiet: bool) -> None:
    """Show warnings about the data in one line each, without the place in our source."""
    show_others = warnings.showwarning

    def show(message: Warning | str, category: type[Warning], *place: Any, **more: Any) -> None:
        if not issubclass(category, DataWarning | CheckpointWarning):
            show_others(message, category, *place, **more)
        elif not quiet:
            typer.echo(f"warning: {message}", err=True)

    for ours in (DataWarning, CheckpointWarning):
        warnings.simplefilter("always", ours)
    warnings.showwarning = show
