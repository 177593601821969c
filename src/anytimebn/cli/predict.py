"""``anytimebn predict``: what a network expects in the rows of a table."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from anytimebn.cli import options
from anytimebn.cli.blocks import TEXT_FILE, Chosen, with_blocks

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from anytimebn.data.options import TableOptions
    from anytimebn.network.network import Network


@with_blocks(table=TEXT_FILE)
def predict(
    network: options.NetworkFile,
    data: Annotated[
        Path,
        typer.Argument(
            metavar="TABLE", help="A table; cells and columns may be missing, the target too."
        ),
    ],
    target: Annotated[str, typer.Option("--target", metavar="NAME", help="What is predicted.")],
    output: Annotated[
        Path,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Predictions and probabilities, a row for each row: .csv, .tsv, .parquet or "
            ".json.",
        ),
    ],
    unknown: options.Unknown = "missing",
    *,
    table: "Chosen[TableOptions]",
    memory_limit: options.MemoryLimit = None,
    quiet: options.Quiet = False,
) -> None:
    """Predict a variable in every row of a table, given the rest of the row."""
    from anytimebn.cli.answer_files import check_tables, write_tables

    check_tables([output], "a table of predictions")

    from anytimebn.network.files.networks import read_network

    expecting = read_network(network)
    found = expecting.predict_proba(
        data,
        target,
        unknown=unknown,  # type: ignore[arg-type]  # which is checked there
        memory_limit=memory_limit,
        table_options=table.value,
    )
    write_tables(_table(expecting, target, found), [output])
    if not quiet:
        typer.echo(f"wrote {output}: {len(found):,} predictions of {target}")


def _table(network: "Network", target: str, found: "NDArray[np.float64]") -> Any:
    """The predicted value, and the probability of each value."""
    import pyarrow as pa

    states = (network.states or ())[network.index_of(target)]
    columns: dict[str, Any] = {target: [states[code] for code in found.argmax(axis=1)]}
    for code, state in enumerate(states):
        columns[f"P({target} = {state})"] = found[:, code]
    return pa.table(columns)
