"""``anytimebn predict``: what a network expects in the rows of a table."""

import csv
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

SUFFIXES = (".csv", ".tsv", ".parquet")
UNKNOWN = ("missing", "error")


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
            help="Predictions and probabilities, a row for each row: .csv, .tsv or .parquet.",
        ),
    ],
    unknown: Annotated[
        str,
        typer.Option(
            metavar="|".join(UNKNOWN),
            help="Take values that the network does not know for missing, or refuse them.",
            autocompletion=options.completing(UNKNOWN),
        ),
    ] = UNKNOWN[0],
    *,
    table: "Chosen[TableOptions]",
    memory_limit: options.MemoryLimit = None,
    quiet: options.Quiet = False,
) -> None:
    """Predict a variable in every row of a table, given the rest of the row."""
    from anytimebn.cli.outputs import check_paths, check_suffix, write_all

    check_suffix(output, "a table of predictions", SUFFIXES)
    check_paths([output])

    from anytimebn.network.files.networks import read_network

    expecting = read_network(network)
    found = expecting.predict_proba(
        data,
        target,
        unknown=unknown,  # type: ignore[arg-type]  # which is checked there
        memory_limit=memory_limit,
        table_options=table.value,
    )
    columns = _columns(expecting, target, found)
    suffix = output.suffix.lower()  # that of the final name
    write_all([(output, lambda path: _write(columns, path, suffix))])
    if not quiet:
        typer.echo(f"wrote {output}: {len(found):,} predictions of {target}")


def _columns(network: "Network", target: str, found: "NDArray[np.float64]") -> dict[str, list[Any]]:
    """The predicted value, and the probability of each value."""
    states = (network.states or ())[network.index_of(target)]
    columns: dict[str, list[Any]] = {target: [states[code] for code in found.argmax(axis=1)]}
    for code, state in enumerate(states):
        columns[f"P({target} = {state})"] = found[:, code].tolist()
    return columns


def _write(columns: dict[str, list[Any]], path: Path, suffix: str) -> None:
    if suffix == ".parquet":
        import pyarrow as pa
        import pyarrow.parquet as pq

        pq.write_table(pa.table(columns), path)
        return
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter="," if suffix == ".csv" else "\t", lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(zip(*columns.values(), strict=True))
