"""``anytimebn bootstrap``: how often each arc is in networks learned from resampled data."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from anytimebn.base.errors import DataWarning, InputError
from anytimebn.base.text import unknown_name
from anytimebn.cli import options
from anytimebn.cli.blocks import KNOWLEDGE, SCORING, TABLE, Chosen, with_blocks
from anytimebn.cli.cluster import Cluster, check_cluster, workers_of

if TYPE_CHECKING:
    from rich.console import Console

    from anytimebn.cli.outputs import Writer
    from anytimebn.data.options import TableOptions
    from anytimebn.knowledge.constraints import Knowledge
    from anytimebn.learning.resampling import Bootstrap
    from anytimebn.network.network import Network
    from anytimebn.scores.scoring import ScoringOptions

METHODS = ("bootstrap", "jackknife")


@with_blocks(scoring=SCORING, knowledge=KNOWLEDGE, table=TABLE)
def bootstrap(
    data: Annotated[
        Path,
        typer.Argument(
            metavar="DATA",
            help="A table: .csv, .txt, .xlsx, .parquet, ...",
        ),
    ],
    replicates: Annotated[
        int, typer.Option("--replicates", "-r", metavar="R", help="How many networks to learn.")
    ] = 100,
    method: Annotated[
        str,
        typer.Option(
            metavar="|".join(METHODS),
            help="Draw rows with replacement, or leave out a different part of them each time.",
        ),
    ] = METHODS[0],
    *,
    scoring: "Chosen[ScoringOptions]",
    jobs: Annotated[
        int | None,
        typer.Option(
            "--jobs", "-j", help="Replicates learned at the same time.", show_default="all cores"
        ),
    ] = None,
    cluster: Cluster = None,
    algorithm: options.Algorithm = "auto",
    heuristic: options.Heuristic = "static-pd",
    gap: Annotated[
        float, typer.Option(help="Each network is proven to be within this fraction of the best.")
    ] = 0.001,
    time_limit: Annotated[
        float | None, typer.Option(metavar="SECONDS", help="For each network.")
    ] = None,
    memory_limit: options.MemoryLimit = None,
    seed: Annotated[int, typer.Option(help="Seed of everything random.")] = 0,
    knowledge: "Knowledge",
    table: "Chosen[TableOptions]",
    at_least: Annotated[
        float, typer.Option(metavar="SHARE", help="Print pairs adjacent at least this often.")
    ] = 0.1,
    output: Annotated[
        list[Path] | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Write the frequencies: .json, .csv, or .png, .svg, .pdf; repeatable.",
        ),
    ] = None,
    average: Annotated[
        list[Path] | None,
        typer.Option(
            "--average",
            metavar="FILE",
            help="Write the network that the replicates agree on most: .bif, .xmlbif, .net, .dot, "
            ".json, .png, .svg, .pdf; repeatable.",
        ),
    ] = None,
    threshold: Annotated[
        float,
        typer.Option(metavar="SHARE", help="Its arcs join pairs adjacent at least this often."),
    ] = 0.5,
    quiet: options.Quiet = False,
) -> None:
    """Learn networks from resampled data, and count how often each arc is in them.

    Ctrl-C keeps what was learned so far.
    """
    from anytimebn.cli.outputs import check_paths, write_all
    from anytimebn.learning.resampling_files import check_bootstrap_path
    from anytimebn.network.files.networks import check_network_path

    if method not in METHODS:
        raise InputError(unknown_name("method", method, METHODS))
    if not 0 <= at_least <= 1:
        raise InputError(f"--at-least must be a share between 0 and 1, not {at_least:g}")
    files = output or []
    for path in files:
        check_bootstrap_path(path)
    if not 0 <= threshold <= 1:
        raise InputError(f"--threshold must be a share between 0 and 1, not {threshold:g}")
    networks = average or []
    for path in networks:
        check_network_path(path)
    check_paths([*files, *networks])
    check_cluster(cluster)

    from functools import partial

    from anytimebn.draw.style import PICTURE_SUFFIXES
    from anytimebn.learning.resampling import bootstrap as resample
    from anytimebn.network.files.networks import write_network
    from anytimebn.watch.terminal import Display, make_console

    console = make_console(quiet=quiet)
    with workers_of(cluster) as workers, Display(console) as display:
        found = resample(
            data,
            replicates=replicates,
            method="jackknife" if method == "jackknife" else "bootstrap",
            gap=gap,
            time_limit=time_limit,
            memory_limit=memory_limit,
            seed=seed,
            jobs=jobs,
            executor=workers.executor,
            progress=display.show,
            algorithm=algorithm,
            heuristic=heuristic,
            **scoring.given,
            table_options=table.value,
            knowledge=knowledge,
        )
    _print(console, found, at_least)
    writers: list[tuple[Path, Writer]] = [(path, found.save) for path in files]
    if networks:
        agreed = _average(found, threshold, data)
        console.print(f"{agreed!r} is what they agree on most", soft_wrap=True)
        for path in networks:
            drawn = path.suffix.lower() in PICTURE_SUFFIXES
            draw = partial(found.plot, network=agreed)
            writers.append((path, draw if drawn else partial(write_network, agreed)))
    write_all(writers)
    for path in (*files, *networks):
        console.print(f"wrote {path}", soft_wrap=True)


def _average(found: "Bootstrap", threshold: float, data: Path) -> "Network":
    """Give the network that the replicates agree on, with probabilities from the table."""
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)  # all that can be said of it was said before
        table = found.result.read_table(data)
    return found.average(threshold).fit(table)


def _print(console: "Console", found: "Bootstrap", at_least: float) -> None:
    from collections import Counter

    from anytimebn.base.text import format_seconds

    done = len(found.replicates)
    ended = Counter(replicate.status for replicate in found.replicates)
    statuses = ", ".join(f"{count} {status}" for status, count in ended.most_common())
    left_out = "" if done == found.asked else f" of {found.asked}, then interrupted"
    console.print(
        f"{done} replicates{left_out} ({statuses}) in {format_seconds(found.seconds)}",
        soft_wrap=True,
    )
    shown = [edge for edge in found.edges if edge.adjacent >= at_least]
    console.print(f"{len(shown)} pairs are adjacent in at least {at_least:.0%} of them:")
    width = max([len(f"{edge.first} - {edge.second}") for edge in shown], default=10)
    console.print(f"  {'':<{width}}  adjacent     ->     <-   class: ->     <-      -")
    own = {frozenset(arc) for arc in found.result.network.arcs}
    for edge in shown:
        of_networks = f"{edge.adjacent:>8.0%}  {edge.forward:>5.0%}  {edge.backward:>5.0%}"
        of_classes = (edge.directed_forward, edge.directed_backward, edge.undirected)
        shares = of_networks + "       " + "  ".join(f"{share:>5.0%}" for share in of_classes)
        mark = "*" if frozenset((edge.first, edge.second)) in own else " "
        pair = f"{edge.first} - {edge.second}"
        console.print(f"{mark} {pair:<{width}}  {shares}", soft_wrap=True)
    console.print("* adjacent in the network of all data")
