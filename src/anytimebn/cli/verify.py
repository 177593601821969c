"""``anytimebn verify``: check a result without the solver that found it."""

import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from anytimebn.base.errors import DataWarning, InputError
from anytimebn.cli import options
from anytimebn.cli.blocks import TABLE, Chosen, with_blocks
from anytimebn.cli.ending import NOT_VERIFIED

if TYPE_CHECKING:
    from collections.abc import Mapping

    from anytimebn.data.dataset import Dataset
    from anytimebn.data.options import TableOptions

MARKS = {"holds": "✓", "open": "○", "failed": "✗"}
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
            help="The score file: the cost is summed again, and a certificate recomputed.",
        ),
    ] = None,
    *,
    table: "Chosen[TableOptions]",
    quiet: options.Quiet = False,
) -> None:
    """Check what a result claims, with plain code that shares nothing with the search.

    Exit status 0: every check holds. 2: a file cannot be read or is not a result. 5: a check fails.

    With --data, the table is read as learn read it, which the result tells; options on how to read
    it are for results of older versions, and win over what the result tells.
    """
    if table.given and data is None:
        raise InputError("--bins, --missing and the like need --data")
    claim = _read(result)

    from anytimebn.checker.verify import verify as check
    from anytimebn.result.schema import schema_problems
    from anytimebn.scores.store import LocalScores
    from anytimebn.watch.terminal import make_console

    for problem in schema_problems(claim):
        raise InputError(f"{result}: not a result: {problem}")
    verification = check(
        claim,
        dataset=None if data is None else _dataset(data, claim, table.given),
        scores=None if scores is None else LocalScores.load(scores),
    )

    console = make_console(quiet=quiet)
    marks = PLAIN_MARKS if console.options.ascii_only else MARKS
    for one in verification.checks:
        outcome = "failed" if not one.passed else "holds" if one.whole else "open"
        console.print(marks[outcome], end=" ", style=STYLES[outcome])
        console.print(f"{one.name}: {one.detail}", soft_wrap=True)
    if verification.passed:
        whole = all(one.whole for one in verification.checks)
        but = "" if whole else "; the lower bound was not fully proven again"
        console.print(f"verified: every check holds{but}", style="bold green", soft_wrap=True)
        return
    failed = ", ".join(one.name for one in verification.failures)
    typer.echo(f"not verified: {failed}", err=True)
    raise typer.Exit(NOT_VERIFIED)


def _read(path: Path) -> dict[str, Any]:
    """Read a result file; what is in it is checked later."""
    from anytimebn.base.json_text import read_json

    content = read_json(path, "the file that learn --json wrote")
    if not isinstance(content, dict):
        raise InputError(f"{path}: not a result: expected a JSON object, as learn --json writes it")
    return content


def _dataset(path: Path, claim: dict[str, Any], given: "Mapping[str, Any]") -> "Dataset":
    """Read the table as it was read when the network was learned, or say what differs."""
    from dataclasses import replace

    from anytimebn.data.options import TableOptions
    from anytimebn.data.read import to_dataset
    from anytimebn.result.schema import TABLE_OPTIONS

    bins = claim.get("bins") or {}
    if TABLE_OPTIONS in claim:
        told = TableOptions.from_json(claim[TABLE_OPTIONS])
        options = replace(told, **given)
        _warn_of_differences(told, options)
    else:  # a result of an older version, which does not tell
        if bins and "bins" not in given:
            raise InputError(
                f"the result cut columns into intervals ({', '.join(bins)}): give the same --bins "
                "and --bin-method as to learn"
            )
        dropped = {"missing": "drop"} if claim.get("rows_dropped") else {}
        options = TableOptions(**(dropped | dict(given)))
    with warnings.catch_warnings():
        # It is too late to leave columns out: learn has warned.
        warnings.simplefilter("ignore", DataWarning)
        dataset = to_dataset(path, options)
    found = {name: list(cuts) for name, cuts in dataset.bins.items()}
    for name in sorted(bins.keys() | found.keys()):
        if found.get(name) != bins.get(name):
            raise InputError(
                f"{path}: column {name!r} is cut at {found.get(name)}, in the result at "
                f"{bins.get(name)}: give the same table, --bins and --bin-method as to learn"
            )
    return dataset


def _warn_of_differences(told: "TableOptions", used: "TableOptions") -> None:
    """Say which options contradict what the result tells."""
    before, now = told.to_json(), used.to_json()
    for name in sorted(before.keys() | now.keys()):
        if before.get(name) != now.get(name):
            was, given = (getattr(options, name) for options in (told, used))
            warnings.warn(
                f"the table is read with {name}={given!r}, as you ask for; the network was learned "
                f"with {name}={was!r}",
                DataWarning,
                stacklevel=2,
            )
