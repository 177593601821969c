"""``anytimebn list``: what can be chosen by name, straight from the registry."""

from typing import TYPE_CHECKING, Annotated

import typer

from anytimebn.base.errors import InputError
from anytimebn.base.text import unknown_name
from anytimebn.scores.registry import scores
from anytimebn.solver.registry import algorithms, heuristics

if TYPE_CHECKING:
    from collections.abc import Sequence

    from anytimebn.base.choices import Choice, Parameter

KINDS = {"algorithms": algorithms, "heuristics": heuristics, "scores": scores}


def list_choices(
    kind: Annotated[
        str,
        typer.Argument(
            metavar="|".join(KINDS),
            help="What to list.",
            autocompletion=lambda: list(KINDS),
        ),
    ],
) -> None:
    """List algorithms, heuristics or scores, with their papers and parameters."""
    if kind not in KINDS:
        raise InputError(unknown_name("list", kind, KINDS))
    from rich.table import Table
    from rich.text import Text

    from anytimebn.watch.terminal import make_console

    # Two columns only: more would leave each of them too narrow on a terminal of 80 characters.
    table = Table(show_lines=True)
    table.add_column("name", style="bold", no_wrap=True)
    table.add_column("summary, paper" + ("" if kind == "scores" else ", properties, parameters"))
    choices: Sequence[Choice] = KINDS[kind]()
    for choice in choices:
        about = Text(choice.summary)
        if choice.paper:
            about.append(f"\n{choice.paper}", style="dim italic")
        if properties := properties_of(choice):
            about.append("\n" + "; ".join(properties), style="green")
        for line in _parameters(choice):
            about.append(f"\n{line}", style="cyan")
        table.add_row(Text(choice.name), about)
    make_console().print(table)


def _parameters(choice: "Choice") -> list[str]:
    found: Sequence[Parameter] = getattr(choice, "parameters", ())
    return [
        f"{one.name}={one.default:g} ({one.lowest:g} to {one.highest:g}): {one.summary}"
        for one in found
    ]


def properties_of(choice: "Choice") -> list[str]:
    """Say in words what an algorithm or a heuristic guarantees."""
    known = {
        "proves": ("proves optimality", "does not prove optimality"),
        "uses_heuristic": ("uses a heuristic", ""),
        "from_data": ("also works on data, without a limit on parents", ""),
        "consistent": ("admissible, consistent", "admissible"),
    }
    return [
        words
        for name, (yes, no) in known.items()
        if hasattr(choice, name) and (words := yes if getattr(choice, name) else no)
    ]
