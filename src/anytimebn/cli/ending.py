"""How a command ends: its exit status, and one or two lines on what went wrong."""

from __future__ import annotations

import functools
import os
import warnings
from typing import TYPE_CHECKING, ParamSpec

import typer

from anytimebn.base.errors import ConstraintError, InputError, LimitReached, MissingPackage
from anytimebn.cli import LIMIT_REACHED, NOTHING_WRITTEN
from anytimebn.cli.closed_streams import cannot_be_printed
from anytimebn.cli.interrupts import INTERRUPTS
from anytimebn.cli.messages import show_warnings_briefly

if TYPE_CHECKING:
    from collections.abc import Callable

OUR_FAULT = 1
BAD_INPUT = 2
NO_NETWORK = 3
NOT_VERIFIED = 5
NOT_PROVEN = 6

DEBUG_VARIABLE = "ANYTIMEBN_DEBUG"

Options = ParamSpec("Options")


def reported(
    command: Callable[Options, None], *, prepares: bool = False
) -> Callable[Options, None]:
    """Turn what a command raises into a message on standard error and an exit status.

    Parameters
    ----------
    command
        What to run.
    prepares
        Whether it only comes before the command, so that there is nothing to keep yet.
    """

    @functools.wraps(command)
    def run(*args: Options.args, **kwargs: Options.kwargs) -> None:
        if not prepares:
            INTERRUPTS.begin_work()
        try:
            with warnings.catch_warnings():
                show_warnings_briefly(quiet=bool(kwargs.get("quiet")))
                command(*args, **kwargs)
        except (typer.Exit, BrokenPipeError):
            raise
        except KeyboardInterrupt as error:
            _end(error, NOTHING_WRITTEN, LIMIT_REACHED)
        except ConstraintError as error:
            _end(error, f"error: {error}", NO_NETWORK)
        except (InputError, MissingPackage) as error:
            _end(error, f"error: {error}", BAD_INPUT)
        except LimitReached as error:
            _end(error, f"limit reached: {error}", LIMIT_REACHED)
        except MemoryError as error:
            message = "out of memory before there was a result; lower --max-parents or --bins"
            _end(error, f"limit reached: {message}", LIMIT_REACHED)
        except Exception as error:
            if cannot_be_printed(error):
                message = f"standard output cannot be written: {error.strerror}"
                _end(error, f"error: {message}; files are as they should be", BAD_INPUT)
            _end(
                error,
                f"internal error: {type(error).__name__}: {error}\n"
                f"This is a bug in anytimebn: please report it, with the output that you get "
                f"when {DEBUG_VARIABLE}=1 is set.",
                OUR_FAULT,
            )

    return run


def _end(error: BaseException, message: str, status: int) -> None:
    if os.environ.get(DEBUG_VARIABLE, "0") not in ("", "0"):
        import traceback

        typer.echo("".join(traceback.format_exception(error)), err=True, nl=False)
    typer.echo(message, err=True)
    raise typer.Exit(status) from None
