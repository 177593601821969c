"""``anytimebn compare``: what is different between two networks."""

from pathlib import Path
from typing import Annotated

import typer

from anytimebn.cli import options


def compare(
    before: Annotated[
        Path, typer.Argument(metavar="BEFORE", help="A network: .bif, .xmlbif, .net or .json.")
    ],
    after: Annotated[
        Path, typer.Argument(metavar="AFTER", help="Another one over the same variables.")
    ],
    classes: Annotated[
        bool,
        typer.Option("--classes", help="Compare only what data can tell: equivalence classes."),
    ] = False,
    output: Annotated[
        list[Path] | None,
        typer.Option("--output", "-o", metavar="FILE", help="Draw both in one; repeatable."),
    ] = None,
    quiet: options.Quiet = False,
) -> None:
    """Tell which arcs were added, lost or turned from one network to another."""
    from anytimebn.cli.outputs import check_paths, check_suffix, write_all
    from anytimebn.draw.style import PICTURE_SUFFIXES
    from anytimebn.network.files.networks import read_network

    files = output or []
    for path in files:
        check_suffix(path, "a picture", PICTURE_SUFFIXES)
    check_paths(files)
    found = read_network(before).compare(
        read_network(after), of="classes" if classes else "networks"
    )
    write_all([(path, found.plot) for path in files])
    if quiet:
        return
    typer.echo(repr(found))
    for path in files:
        typer.echo(f"wrote {path}")
