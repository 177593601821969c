"""``anytimebn impute``: fill the missing cells of a table."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from anytimebn.base.text import how_many
from anytimebn.cli import options
from anytimebn.cli.blocks import TEXT_FILE, Chosen, with_blocks

if TYPE_CHECKING:
    from anytimebn.data.options import TableOptions

METHODS = ("mode", "sample")


@with_blocks(table=TEXT_FILE)
def impute(
    network: options.NetworkFile,
    data: Annotated[
        Path,
        typer.Argument(
            metavar="TABLE",
            help="A table; columns that the network does not have stay as they are.",
        ),
    ],
    output: Annotated[
        Path,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="The filled table: .csv, .tsv, .parquet or .json.",
        ),
    ],
    method: Annotated[
        str,
        typer.Option(
            metavar="|".join(METHODS),
            help="Each cell's most probable value, or a draw of all that a row lacks.",
            autocompletion=options.completing(METHODS),
        ),
    ] = METHODS[0],
    seed: Annotated[int, typer.Option(help="Seed of the draws.")] = 0,
    unknown: options.Unknown = "missing",
    *,
    table: "Chosen[TableOptions]",
    memory_limit: options.MemoryLimit = None,
    quiet: options.Quiet = False,
) -> None:
    """Fill the missing cells of a table, given the rest of their rows.

    A column that was cut into intervals gets the median of its own numbers in the interval.
    """
    from anytimebn.cli.answer_files import check_tables, write_tables

    check_tables([output], "a filled table")

    from anytimebn.network.files.networks import read_network
    from anytimebn.network.predicted_frames import read_cells

    expecting = read_network(network)
    cells = read_cells(data, table.value)
    filled = expecting.impute(
        cells,
        method=method,  # type: ignore[arg-type]  # which is checked there
        seed=seed,
        unknown=unknown,  # type: ignore[arg-type]  # so is this
        memory_limit=memory_limit,
    )
    write_tables(filled, [output])
    if quiet:
        return
    lacked, left = (sum(column.null_count for column in one.columns) for one in (cells, filled))
    typer.echo(f"wrote {output}: {how_many(lacked - left, 'missing cell')} filled")
    if left:
        typer.echo(f"{how_many(left, 'cell')} left, in columns that the network does not have")
