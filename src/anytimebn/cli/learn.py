"""``anytimebn learn``: from a table, or a score file, to a network with its bounds."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from anytimebn.base.choices import parse_parameters
from anytimebn.base.errors import InputError
from anytimebn.cli import options
from anytimebn.cli.blocks import KNOWLEDGE, SCORING, TABLE, Chosen, with_blocks
from anytimebn.cli.cluster import Cluster, check_cluster, workers_of
from anytimebn.cli.for_tables import refuse_for_scores
from anytimebn.cli.options import completing

if TYPE_CHECKING:
    from anytimebn.data.options import TableOptions
    from anytimebn.knowledge.constraints import Knowledge
    from anytimebn.result.result import Result
    from anytimebn.scores.scoring import ScoringOptions


@with_blocks(scoring=SCORING, knowledge=KNOWLEDGE, table=TABLE)
def learn(
    source: Annotated[
        Path,
        typer.Argument(
            metavar="INPUT",
            help="A table (.csv, .txt, .xlsx, .parquet, ...) or a score file (.jkl, .pss).",
        ),
    ],
    *,
    scoring: "Chosen[ScoringOptions]",
    jobs: options.Jobs = None,
    algorithm: options.Algorithm = "auto",
    heuristic: options.Heuristic = "static-pd",
    parameter: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=VALUE",
            help="A parameter of the algorithm or the heuristic (see list); repeatable.",
        ),
    ] = None,
    time_limit: Annotated[
        float | None, typer.Option(metavar="SECONDS", help="For reading, scoring and searching.")
    ] = None,
    memory_limit: options.MemoryLimit = None,
    disk: options.Disk = None,
    disk_limit: options.DiskLimit = None,
    gap: Annotated[
        float,
        typer.Option(help="Stop when proven to be within this fraction of the best: 0.01 is 1 %."),
    ] = 0.0,
    max_expansions: Annotated[
        int | None,
        typer.Option(metavar="N", help="Stop after N nodes: the same result on every machine."),
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of everything random.")] = 0,
    knowledge: "Knowledge",
    start: Annotated[
        Path | None,
        typer.Option(
            "--start",
            metavar="FILE",
            help="Begin with this network: .bif, .xmlbif, .net, .json, or a result.",
        ),
    ] = None,
    space: Annotated[
        str,
        typer.Option(
            metavar="SPACE",
            help="Parent sets to search: those near the best network (neighbourhood), all up to a "
            "size (complete), or all if feasible, else those near, then more (grow; with "
            "--max-parents K: all up to K).",
            autocompletion=completing(("grow", "complete", "neighbourhood")),
        ),
    ] = "grow",
    table: "Chosen[TableOptions]",
    no_path_extension: Annotated[
        bool, typer.Option("--no-path-extension", help="Search without path extension.")
    ] = False,
    no_components: Annotated[
        bool, typer.Option("--no-components", help="Do not split the problem into components.")
    ] = False,
    no_local_search: Annotated[
        bool, typer.Option("--no-local-search", help="Do not improve the first network.")
    ] = False,
    bound: Annotated[
        bool,
        typer.Option("--bound", help="Add a lower bound to an algorithm that proves none."),
    ] = False,
    from_scratch: Annotated[
        bool, typer.Option("--from-scratch", help="ilp: branch without cutting planes first.")
    ] = False,
    checkpoint: Annotated[
        Path | None,
        typer.Option(
            "--checkpoint",
            metavar="FILE",
            help="Save where it stands, so that resume can go on if the process is killed.",
        ),
    ] = None,
    cluster: Cluster = None,
    json: options.ResultFile = None,
    output: options.NetworkFiles = None,
    live: options.Live = False,
    live_port: options.LivePort = None,
    quiet: options.Quiet = False,
) -> None:
    """Learn the best network from a table or a score file.

    Prints the network, its cost, and what is proven: that no network at all costs less, or of which
    networks that holds. Ctrl-C during the search keeps and writes the best network so far.
    """
    from anytimebn.cli.outputs import check_paths

    networks = output or []
    _check(source, networks, {**scoring.given, **table.given})
    check_paths([*networks, *(path for path in (json, checkpoint) if path)])
    check_cluster(cluster)

    from anytimebn.cli.result_files import kept, write_result
    from anytimebn.learning.learn import learn as learn_network
    from anytimebn.watch.terminal import Display, make_console

    console = make_console(quiet=quiet)
    found: list[Result] = []
    with (
        kept(found),
        workers_of(cluster) as workers,
        Display(console, time_limit=time_limit) as display,
    ):
        result = learn_network(
            source,
            **scoring.given,
            table_options=table.value,
            knowledge=knowledge,
            start=start,
            space=space,
            time_limit=time_limit,
            memory_limit=memory_limit,
            disk=disk,
            disk_limit=disk_limit,
            algorithm=algorithm,
            heuristic=heuristic,
            parameters=parse_parameters(parameter or ())
            | ({"from-scratch": 1.0} if from_scratch else {}),
            gap=gap,
            max_expansions=max_expansions,
            seed=seed,
            jobs=jobs,
            path_extension=not no_path_extension,
            components=not no_components,
            local_search=not no_local_search,
            bound=bound,
            checkpoint=checkpoint,
            progress=display.show,
            live=live if live_port is None else live_port,
            executor=workers.executor,
        )
        found.append(result)
    write_result(console, found[0], json, networks)


def _check(source: Path, networks: list[Path], given: dict[str, Any]) -> None:
    """Refuse outputs and options that do not go with the input."""
    from anytimebn.network.files.networks import WITH_PROBABILITIES, check_network_path
    from anytimebn.scores.files.score_files import check_is_table_or_scores, is_score_file

    for path in networks:
        check_network_path(path)
    check_is_table_or_scores(source)
    if not is_score_file(source):
        return
    for path in networks:
        if path.suffix.lower() in WITH_PROBABILITIES:
            raise InputError(
                f"{path}: a {path.suffix.lower()} file needs probabilities, which the score file "
                f"{source} cannot give; learn from the table, or write .json, .dot or a picture "
                "(.png, .svg, .pdf)"
            )
    refuse_for_scores(source, given)
