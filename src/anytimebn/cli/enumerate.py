"""``anytimebn enumerate``: every network that is nearly as good as the best."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from anytimebn.base.errors import LimitReached
from anytimebn.base.threads import whatever_is_pressed
from anytimebn.cli import options
from anytimebn.cli.blocks import KNOWLEDGE, SCORING, TABLE, Chosen, with_blocks
from anytimebn.cli.for_tables import refuse_for_scores

if TYPE_CHECKING:
    from rich.console import Console

    from anytimebn.data.options import TableOptions
    from anytimebn.knowledge.constraints import Knowledge
    from anytimebn.scores.scoring import ScoringOptions
    from anytimebn.solver.good_networks import GoodNetwork, GoodNetworks


@with_blocks(scoring=SCORING, knowledge=KNOWLEDGE, table=TABLE)
def enumerate_networks(
    data: Annotated[
        Path,
        typer.Argument(
            metavar="SCORES|TABLE",
            help="A score file with all parent sets that matter (score --factor F), or a table.",
        ),
    ],
    factor: Annotated[
        float,
        typer.Option(
            "--factor", metavar="F", help="Networks whose likelihood is within this factor."
        ),
    ],
    *,
    classes: Annotated[
        bool,
        typer.Option("--classes", help="Print one network for each equivalence class."),
    ] = False,
    count: Annotated[
        int | None,
        typer.Option("--count", metavar="K", help="Stop after the best K networks."),
    ] = None,
    show: Annotated[
        int, typer.Option("--show", metavar="K", help="Print the best K; all are written.")
    ] = 20,
    scoring: "Chosen[ScoringOptions]",
    jobs: options.Jobs = None,
    time_limit: Annotated[
        float | None,
        typer.Option(metavar="SECONDS", help="Keep what was found by then."),
    ] = None,
    memory_limit: options.MemoryLimit = None,
    knowledge: "Knowledge",
    table: "Chosen[TableOptions]",
    output: Annotated[
        list[Path] | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Write all networks to a .json file, or the weights of arcs to .csv; repeatable.",
        ),
    ] = None,
    quiet: options.Quiet = False,
) -> None:
    """List every network within a factor of the best, the best first.

    Each is printed as it is found, with its cost, how much worse than the best it is, and the arcs
    in which it differs from the best. Limits and Ctrl-C keep what was found; then it is said that
    the list is not complete.
    """
    from anytimebn.base.checks import check_whole
    from anytimebn.cli.outputs import check_paths, write_all
    from anytimebn.solver.good_networks_files import check_good_networks_path

    check_whole("--show", show, 0)
    files = output or []
    for path in files:
        check_good_networks_path(path)
    check_paths(files)
    refuse_for_scores(data, {**scoring.given, **table.given})

    from anytimebn.learning.networks_within import networks_within
    from anytimebn.watch.terminal import Display, make_console

    console = make_console(quiet=quiet)
    with Display(console) as display:
        found = networks_within(
            data,
            factor,
            count=count,
            **scoring.given,
            time_limit=time_limit,
            memory_limit=memory_limit,
            jobs=jobs,
            progress=display.show,
            table_options=table.value,
            knowledge=knowledge,
        )
        try:
            _stream(console, found, 0 if classes else show)
        except KeyboardInterrupt:
            found.stop()
    if not found.networks:
        raise LimitReached(f"{found.claim}; allow more time or memory")
    whatever_is_pressed(lambda: write_all([(path, found.save) for path in files]))
    all_classes = found.classes
    if classes:
        for number, own in enumerate(all_classes[:show], 1):
            _print(console, number, own.best, found, f"  {own.size} of its class")
    console.print(found.claim, soft_wrap=True)
    plural = "es" * (len(all_classes) != 1)
    console.print(f"{len(all_classes)} equivalence class{plural}", soft_wrap=True)
    for path in files:
        console.print(f"wrote {path}", soft_wrap=True)


def _stream(console: "Console", found: "GoodNetworks", show: int) -> None:
    for number, own in enumerate(found, 1):
        if number <= show:
            _print(console, number, own, found)


def _print(
    console: "Console", number: int, own: "GoodNetwork", found: "GoodNetworks", more: str = ""
) -> None:
    best = set(found.networks[0].network.arcs)
    arcs = set(own.network.arcs)
    changes = [f"-{a}->{b}" for a, b in sorted(best - arcs)]
    changes += [f"+{a}->{b}" for a, b in sorted(arcs - best)]
    what = " ".join(changes) if number > 1 else " ".join(f"{a}->{b}" for a, b in sorted(arcs))
    console.print(
        f"{number:>5}  cost {own.cost:,.4f}  factor {own.factor:.3f}{more}  {what}", soft_wrap=True
    )
