"""Options that several subcommands share; those that go together are in `anytimebn.cli.blocks`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from anytimebn.solver.registry import algorithms, heuristics

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from anytimebn.base.choices import Choice


def _names(choices: Sequence[Choice]) -> tuple[str, ...]:
    return tuple(choice.name for choice in choices)


def completing(names: Sequence[str]) -> Callable[[str], list[str]]:
    """Complete the beginning of one of these names, in shells that ask."""

    def complete(incomplete: str) -> list[str]:
        return [name for name in names if name.startswith(incomplete)]

    return complete


Jobs = Annotated[
    int | None,
    typer.Option("--jobs", "-j", help="Threads.", show_default="all cores"),
]
MemoryLimit = Annotated[
    str | None,
    typer.Option(
        "--memory-limit",
        metavar="SIZE",
        help="Such as 8GiB or 500MB.",
        show_default="free memory",
    ),
]
Disk = Annotated[
    Path | None,
    typer.Option("--disk", metavar="DIR", help="Put nodes there when memory ends."),
]
DiskLimit = Annotated[
    str | None,
    typer.Option("--disk-limit", metavar="SIZE", help="Such as 50GiB.", show_default="4/5 of free"),
]
Algorithm = Annotated[
    str,
    typer.Option(
        "--algorithm",
        help=f"One of {', '.join(_names(algorithms()))}.",
        autocompletion=completing(_names(algorithms())),
    ),
]
Heuristic = Annotated[
    str,
    typer.Option(
        "--heuristic",
        help=f"One of {', '.join(_names(heuristics()))}; for algorithms that use one.",
        autocompletion=completing(_names(heuristics())),
    ),
]
ResultFile = Annotated[
    Path | None, typer.Option("--json", metavar="RESULT.json", help="Write the whole result.")
]
NetworkFiles = Annotated[
    list[Path] | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        help="Write the network: .bif, .xmlbif, .net, .dot, .json, .png, .svg, .pdf; repeatable.",
    ),
]
NetworkFile = Annotated[
    Path,
    typer.Argument(
        metavar="NETWORK", help="A network with probabilities: .bif, .xmlbif, .net or .json."
    ),
]
AnswerFiles = Annotated[
    list[Path] | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        help="Write the probabilities as a table: .csv, .tsv, .parquet or .json; repeatable.",
    ),
]
Unknown = Annotated[
    str,
    typer.Option(
        "--unknown",
        metavar="missing|error",
        help="Take values that the network does not know for missing, or refuse them.",
        autocompletion=completing(("missing", "error")),
    ),
]
Live = Annotated[
    bool,
    typer.Option("--live", help="Show the search in a browser, on a page of this machine."),
]
LivePort = Annotated[
    int | None,
    typer.Option(
        "--live-port", metavar="PORT", help="Of the live page.", show_default="one that is free"
    ),
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing but errors.")]
