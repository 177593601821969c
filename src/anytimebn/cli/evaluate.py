"""``anytimebn evaluate``: the paper's tables and figures, from saved runs."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from anytimebn.base.errors import InputError
from anytimebn.cli import LIMIT_REACHED, options
from anytimebn.cli.blocks import SCORING, TABLE, Chosen, parent_count, with_blocks
from anytimebn.cli.cluster import Cluster, check_cluster, workers_of
from anytimebn.cli.ending import reported
from anytimebn.cli.list_options import ListCommand

if TYPE_CHECKING:
    from anytimebn.data.options import TableOptions
    from anytimebn.evaluation.runner import Plan
    from anytimebn.evaluation.specification import Specification
    from anytimebn.scores.scoring import ScoringOptions

VISIT_ALL_NODES = ("table2", "figure3", "figure4")
PAPER_ALGORITHMS = [
    "anytime-weighted-astar",
    "anytime-repairing-astar",
    "anytime-window-astar",
    "ilp",
]
USUAL_HEURISTICS = ["simple", "static-pd", "cluster-pd"]
MANY_VARIABLES, FEW_VARIABLES = [29, 31, 33, 35], [20, 22]  # few where all nodes are visited
USUAL_MAX_PARENTS, USUAL_ROWS = [3, 6], [1000, 5000, 10000, 20000]


application = typer.Typer(
    help="Compare anytime algorithms as Malone & Yuan 2013 did: tables and figures, from runs that "
    "are saved and can be resumed.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@with_blocks(scoring=SCORING.without("max_parents"), table=TABLE)
def study(
    context: typer.Context,
    *,
    variables: Annotated[
        list[int] | None,
        typer.Option(
            "--variables",
            metavar="N...",
            help="Numbers of variables in generated data.",
            show_default="29 31 33 35; where all nodes are visited: 20 22",
        ),
    ] = None,
    max_parents: Annotated[
        list[int] | None,
        typer.Option(
            "--max-parents",
            metavar="P...",
            help="Largest numbers of parents in the generating networks.",
            show_default="3 6",
        ),
    ] = None,
    rows: Annotated[
        list[int] | None,
        typer.Option(
            "--rows",
            metavar="R...",
            help="Rows of the generated tables.",
            show_default="1000 5000 10000 20000",
        ),
    ] = None,
    seed: Annotated[
        list[int] | None,
        typer.Option(
            "--seed",
            metavar="S...",
            help="Seeds of data and searches; several give several data sets of each size.",
            show_default="1",
        ),
    ] = None,
    data: Annotated[
        list[Path] | None,
        typer.Option(
            "--data",
            metavar="FILE...",
            help="Your own tables or score files, instead of generated data.",
        ),
    ] = None,
    algorithms: Annotated[
        list[str] | None,
        typer.Option(
            "--algorithms",
            metavar="NAME[:HEURISTIC][,PARAMETER=VALUE]...",
            help="From 'anytimebn list algorithms', or all. Where all nodes are visited: to learn "
            "the network.",
            show_default=f"{' '.join(PAPER_ALGORITHMS)}; where all nodes are visited: auto",
        ),
    ] = None,
    heuristics: Annotated[
        list[str] | None,
        typer.Option(
            "--heuristics",
            metavar="NAME[,PARAMETER=VALUE]...",
            help="From 'anytimebn list heuristics', or all: f of all nodes for each of these "
            f"({', '.join(VISIT_ALL_NODES)}).",
            show_default=" ".join(USUAL_HEURISTICS),
        ),
    ] = None,
    scoring: "Chosen[ScoringOptions]",
    parent_limit: Annotated[
        str | None,
        typer.Option(
            "--parent-limit",
            metavar="K|auto",
            help="Largest parent set scored; auto takes as many as needed, if feasible.",
            show_default="auto",
        ),
    ] = None,
    table: "Chosen[TableOptions]",
    time_limit: Annotated[
        float,
        typer.Option("--time-limit", metavar="SECONDS", help="For each run, without scoring."),
    ] = 7200.0,
    snapshot: Annotated[
        float, typer.Option("--snapshot", metavar="SECONDS", help="When Table 1 looks first.")
    ] = 60.0,
    memory_limit: Annotated[
        str, typer.Option("--memory-limit", metavar="SIZE", help="For each run, such as 500MB.")
    ] = "16GiB",
    threads: Annotated[int, typer.Option("--threads", help="Threads of each run.")] = 1,
    jobs: Annotated[
        int | None,
        typer.Option(
            "--jobs",
            "-j",
            help="Runs at the same time.",
            show_default="1; with --cluster as many as it has threads",
        ),
    ] = None,
    out: Annotated[
        Path, typer.Option("--out", metavar="FOLDER", help="Where runs are saved and found again.")
    ] = Path("runs"),
    cluster: Cluster = None,
    retry: Annotated[
        bool, typer.Option("--retry", help="Repeat runs that crashed, were killed or were refused.")
    ] = False,
    quiet: options.Quiet = False,
) -> None:
    """Do the runs that are not done yet, and write this part of the report.

    If it is stopped, by Ctrl-C or worse, the same command continues where it was. Lists take
    several values: --rows 1000 5000.
    """
    from anytimebn._native import most_swept_variables as most_visited
    from anytimebn.base.memory_units import parse_memory
    from anytimebn.cli.study_plan import Sizes, generated_tables, parse_heuristic, with_all
    from anytimebn.evaluation import runner
    from anytimebn.evaluation.specification import (
        Contender,
        Limits,
        StudyTable,
        network_run,
        order_graph_run,
        search_run,
    )
    from anytimebn.solver.registry import algorithms as known_algorithms
    from anytimebn.solver.registry import heuristics as known_heuristics

    check_cluster(cluster)
    part = str(context.info_name)
    visit = part in VISIT_ALL_NODES
    if heuristics and not visit:
        raise InputError(
            f"--heuristics is for {', '.join(VISIT_ALL_NODES)}; for searches write "
            f"--algorithms astar:{heuristics[0]}"
        )
    for option, value, lowest in (
        ("jobs", 1 if jobs is None else jobs, 1),
        ("threads", threads, 1),
        ("time-limit", time_limit, 0),
        ("snapshot", snapshot, 0),
    ):
        if not value >= lowest:
            raise InputError(f"--{option} must be at least {lowest}, not {value:g}")
    parse_memory(memory_limit)
    seeds = seed or [1]
    names = algorithms or (["auto"] if visit else PAPER_ALGORITHMS)
    contenders = [
        Contender.parse(text, "static-pd") for text in with_all(names, known_algorithms())
    ]
    wanted_heuristics = heuristics or USUAL_HEURISTICS
    pairs = [parse_heuristic(text) for text in with_all(wanted_heuristics, known_heuristics())]
    scored_by = dict(scoring.given)
    if parent_limit is not None:
        scored_by["max_parents"] = parent_count("--parent-limit", parent_limit)
    if table.given and not data:
        raise InputError("--bins, --missing and the like are for your own tables: give --data")

    def wanted(scored: "Specification") -> "list[Specification]":
        limits = Limits(
            time_limit=time_limit,
            memory_limit=memory_limit,
            seed=scored.data.get("seed", seeds[0]),
            threads=threads,
            snapshot=snapshot,
        )
        if not visit:
            return [search_run(scored, contender, limits) for contender in contenders]
        networks = [network_run(scored, contender, limits) for contender in contenders]
        return [*networks, order_graph_run(scored, pairs, limits)]

    sizes = Sizes(
        variables=variables or (FEW_VARIABLES if visit else MANY_VARIABLES),
        max_parents=max_parents or USUAL_MAX_PARENTS,
        rows=rows or USUAL_ROWS,
    )
    largest = max(sizes.variables)
    if visit and not data and largest > most_visited:
        raise InputError(
            f"--variables {largest}: all nodes can be visited for at most {most_visited}"
        )
    given = [variables, max_parents, rows]
    if data and any(given):
        raise InputError("--data replaces generated data: leave --variables and the like out")
    data_sets = (
        [StudyTable.from_file(path) for path in data] if data else generated_tables(sizes, seeds)
    )
    if (scored_by or table.given) and all(own.settings["kind"] == "scores" for own in data_sets):
        raise InputError("score files have their scores already: leave out how to score or read")
    if read_by := table.value.to_json():
        scored_by["table"] = read_by
    plan = runner.Plan.of(data_sets, scored_by, wanted)
    _run(plan, out, part, jobs=jobs, cluster=cluster, retry=retry, quiet=quiet)


def report(
    runs: Annotated[
        list[Path],
        typer.Argument(
            metavar="RUNS...",
            help="Folders of studies and files of packed runs, for one report of all of them.",
        ),
    ],
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FOLDER",
            help="Where to write the report.",
            show_default="RUNS/report, if RUNS is one folder",
        ),
    ] = None,
    snapshot: Annotated[
        float | None,
        typer.Option(
            "--snapshot",
            metavar="SECONDS",
            help="When Table 1 looks first.",
            show_default="as in the study",
        ),
    ] = None,
    archive: Annotated[
        Path | None,
        typer.Option(
            "--pack", metavar="FILE.jsonl.gz", help="Also write all runs into one small file."
        ),
    ] = None,
    quiet: options.Quiet = False,
) -> None:
    """Make tables, figures and one page from stored runs alone."""
    from anytimebn.evaluation import store
    from anytimebn.evaluation.report import Report

    for path in runs:
        if not path.exists():
            raise InputError(
                f"{path}: no such folder; give the folder of a study, or a file of its runs "
                f"({store.ARCHIVE_SUFFIX})"
            )
    if output is None and len(runs) > 1:
        raise InputError("these are several: say with --output where the report goes")
    if output is None and not runs[0].is_dir():
        raise InputError(f"{runs[0]} is not a folder: say with --output where the report goes")
    if archive is not None and not archive.name.endswith(store.ARCHIVE_SUFFIX):
        raise InputError(f"{archive}: packed runs are written to {store.ARCHIVE_SUFFIX} files")
    made = Report(store.load(*runs), snapshot)
    _show(made.text(), quiet=quiet)
    written = made.write(output or runs[0] / "report")
    if archive is not None:
        store.pack(made.stored, archive)
        written.append(archive)
    _show(f"wrote {len(written)} files, among them {written[-1]}", quiet=quiet)


for _part, _summary in (
    ("table1", "Costs and error bounds of algorithms, after a while and at the end."),
    ("table2", "Nodes of the order graph with f below the optimum, and the learned networks."),
    ("figure2", "Upper and lower bounds over time, as for table1."),
    ("figure3", "The distribution of f over all nodes, as for table2."),
    ("figure4", "Average parent-set size by layer of the order graph, as for table2."),
):
    application.command(_part, cls=ListCommand, short_help=_summary)(reported(study))
application.command("report")(reported(report))


def _run(
    plan: "Plan",
    out: Path,
    part: str,
    *,
    jobs: int | None,
    cluster: str | None,
    retry: bool,
    quiet: bool,
) -> None:
    from anytimebn.cli.study_display import StudyDisplay
    from anytimebn.evaluation import store
    from anytimebn.evaluation.report import Report
    from anytimebn.evaluation.runner import StudyRunner

    folder = store.RunFolder(out)
    command = ["anytimebn", *sys.argv[1:]]
    try:
        with workers_of(cluster) as workers, StudyDisplay(quiet=quiet) as display:
            runner = StudyRunner(
                folder,
                jobs=jobs or workers.threads,
                retry=retry,
                command=command,
                watch=display.watch,
                executor=workers.executor,
            )
            standing = runner.run(plan)
    except KeyboardInterrupt:
        done = len(store.load(out).runs) if out.is_dir() else 0
        typer.echo(
            f"interrupted: {done} runs are saved in {out}; the same command continues there",
            err=True,
        )
        raise typer.Exit(LIMIT_REACHED) from None
    except OSError as error:
        place = error.filename or out
        raise InputError(f"{place}: cannot be used: {error.strerror}; runs are kept") from error
    made = Report(store.load(out))
    written = made.write(out / "report", part)
    if part.startswith("table"):
        _show(written[0].read_text(encoding="utf-8"), quiet=quiet)
    for path in written:
        _show(f"wrote {path}", quiet=quiet)
    _show(f"the whole report: anytimebn evaluate report {out}", quiet=quiet)
    if standing.failed or standing.blocked or made.failures:
        shown = "".join(f"\n  {failure.what}: {failure.message}" for failure in made.failures)
        typer.echo(f"failures: {len(made.failures)}; --retry runs them again{shown}", err=True)


def _show(text: str, *, quiet: bool) -> None:
    if not quiet:
        typer.echo(text)
