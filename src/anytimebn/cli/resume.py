"""``anytimebn resume``: go on with a run that was killed, or that a limit has ended."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from anytimebn.cli import options
from anytimebn.cli.cluster import Cluster, check_cluster, workers_of

if TYPE_CHECKING:
    from anytimebn.result.result import Result


def resume(
    checkpoint: Annotated[
        Path,
        typer.Argument(metavar="CHECKPOINT", help="The file that learn --checkpoint has written."),
    ],
    *,
    data: Annotated[
        Path | None,
        typer.Option(
            metavar="INPUT",
            help="Where the table or the score file is now.",
            show_default="where it was",
        ),
    ] = None,
    time_limit: Annotated[
        float | None,
        typer.Option(
            metavar="SECONDS",
            help="From now on; inf for no limit.",
            show_default="as many as the run had",
        ),
    ] = None,
    memory_limit: Annotated[
        str | None,
        typer.Option(
            "--memory-limit",
            metavar="SIZE",
            help="Such as 8GiB or 500MB.",
            show_default="that of the run",
        ),
    ] = None,
    jobs: Annotated[
        int | None,
        typer.Option("--jobs", "-j", help="Threads.", show_default="those of the run"),
    ] = None,
    cluster: Cluster = None,
    json: options.ResultFile = None,
    output: options.NetworkFiles = None,
    live: options.Live = False,
    live_port: options.LivePort = None,
    quiet: options.Quiet = False,
) -> None:
    """Go on with a run of learn --checkpoint that was killed, or that a limit has ended.

    The network is scored again, and the lower bound is what its certificate proves again. A run
    that had come to its end gives its result at once.
    """
    from anytimebn.cli.outputs import check_paths
    from anytimebn.cli.result_files import kept, write_result
    from anytimebn.network.files.networks import check_network_path

    networks = output or []
    for path in networks:
        check_network_path(path)
    check_paths([*networks, *([json] if json else [])])
    check_cluster(cluster)

    from anytimebn.learning.resume import resume as go_on
    from anytimebn.watch.terminal import Display, make_console

    console = make_console(quiet=quiet)
    found: list[Result] = []
    with (
        kept(found),
        workers_of(cluster) as workers,
        Display(console, time_limit=time_limit) as display,
    ):
        result = go_on(
            checkpoint,
            data=data,
            time_limit=time_limit,
            memory_limit=memory_limit,
            jobs=jobs,
            progress=display.show,
            live=live if live_port is None else live_port,
            executor=workers.executor,
        )
        found.append(result)
    write_result(console, found[0], json, networks)
