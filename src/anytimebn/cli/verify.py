"""``anytimebn verify``: check a result without the solver that found it."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from anytimebn.base.errors import InputError
from anytimebn.cli import options
from anytimebn.cli.blocks import TABLE, Chosen, with_blocks
from anytimebn.cli.ending import NOT_PROVEN, NOT_VERIFIED

if TYPE_CHECKING:
    from anytimebn.data.options import TableOptions

PLAIN_MARKS = {"holds": "ok    ", "open": "open  ", "failed": "FAILED"}
STYLES = {"holds": "green", "open": "yellow", "failed": "bold red"}


@with_blocks(table=TABLE)
def verify(
    result: Annotated[
        Path, typer.Argument(metavar="RESULT.json", help="The file that learn --json wrote.")
    ],
    data: Annotated[
        Path | None,
        typer.Option(
            "--data",
            metavar="DATA",
            help="The table: cost and neighbourhood are counted again, and a certificate of the "
            "neighbourhood is recomputed.",
        ),
    ] = None,
    scores: Annotated[
        Path | None,
        typer.Option(
            "--scores",
            metavar="FILE",
            help="The score file: the cost is summed again, and the lower bound proven again.",
        ),
    ] = None,
    *,
    table: "Chosen[TableOptions]",
    quiet: options.Quiet = False,
) -> None:
    """Check what a result claims, with plain code that shares nothing with the search.

    Exit status 0: every check holds, and optimality is proven again if it is claimed. 6: every
    check holds, but optimality is claimed and not proven again. 5: a check fails. 2: a file cannot
    be read or is not a result.

    With --data, the table is read as learn read it, which the result tells; options on how to read
    it are for results of older versions, and win over what the result tells.
    """
    if table.given and data is None:
        raise InputError("--bins, --missing and the like need --data")

    from anytimebn.checker.report import MARKS
    from anytimebn.checker.verify import verify as check
    from anytimebn.watch.terminal import make_console

    found = check(result, data=data, scores=scores, **table.given)
    console = make_console(quiet=quiet)
    marks = PLAIN_MARKS if console.options.ascii_only else MARKS
    for one in found.checks:
        console.print(marks[one.outcome], end=" ", style=STYLES[one.outcome])
        console.print(f"{one.name}: {one.detail}", soft_wrap=True)
    if not found.ok:
        typer.echo(found.verdict, err=True)
        raise typer.Exit(NOT_VERIFIED)
    not_proven = found.claim is not None and not found.proven
    colour = "yellow" if not_proven else "green"
    console.print(found.verdict, style=f"bold {colour}", soft_wrap=True)
    if not_proven:
        raise typer.Exit(NOT_PROVEN)
