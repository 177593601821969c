"""``anytimebn generate``: a random network, and a table drawn from it."""

import re
from pathlib import Path
from typing import Annotated

import typer

from anytimebn.base.errors import InputError


def generate(
    variables: Annotated[int, typer.Option("--variables", help="How many variables.")],
    rows: Annotated[int, typer.Option("--rows", help="How many rows of data.")],
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="Table: .csv, .tsv or .parquet.")
    ],
    max_parents: Annotated[
        int, typer.Option("--max-parents", help="Largest number of parents of a variable.")
    ] = 3,
    arity: Annotated[
        str,
        typer.Option(
            "--arity", metavar="K|K-L", help="Values of each variable: 2, or 2-4 to draw from."
        ),
    ] = "2",
    seed: Annotated[int, typer.Option("--seed", help="The same seed gives the same files.")] = 0,
    network: Annotated[
        Path | None,
        typer.Option(
            "--network",
            metavar="FILE",
            help="Write the network too: .bif, .xmlbif, .net, .dot, .json, .png, .svg, .pdf.",
        ),
    ] = None,
) -> None:
    """Draw a random network, and rows of data from it."""
    from anytimebn.cli.outputs import check_paths, check_suffix, write_all
    from anytimebn.data.files.tables import WRITABLE_SUFFIXES, write_table
    from anytimebn.network.files.networks import check_network_path, write_network

    check_suffix(output, "a table", WRITABLE_SUFFIXES)
    if network is not None:
        check_network_path(network)
    check_paths([output, *([network] if network else [])])
    if seed < 0:
        raise InputError(f"--seed is {seed}; a whole number from 0 is needed")

    from anytimebn.network.random import generate as draw

    drawn, dataset = draw(variables, max_parents, rows, arity=_arity(arity), seed=seed)
    files = [(output, lambda path: write_table(dataset, path))]
    if network is not None:
        files.append((network, lambda path: write_network(drawn, path)))
    write_all(files)
    typer.echo(f"wrote {output}: {dataset.rows:,} rows of {dataset.variables} variables")
    if network is not None:
        typer.echo(f"wrote {network}: {len(drawn.arcs)} arcs")


def _arity(text: str) -> int | tuple[int, int]:
    match = re.fullmatch(r"(\d+)(?:-(\d+))?", text, re.ASCII)
    if match is None:
        raise InputError(f"--arity is {text!r}; give a number such as 2, or a range such as 2-4")
    return int(match[1]) if match[2] is None else (int(match[1]), int(match[2]))
