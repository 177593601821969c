"""Options that several subcommands share; those that go together are in `anytimebn.cli.blocks`."""

from __future__ import annotations

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
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing but errors.")]
