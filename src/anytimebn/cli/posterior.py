"""``anytimebn posterior``: the exact probability of every arc."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from anytimebn.base.errors import InputError
from anytimebn.base.text import unknown_name
from anytimebn.cli import options
from anytimebn.cli.blocks import KNOWLEDGE, SCORING, TABLE, Chosen, with_blocks
from anytimebn.cli.for_tables import refuse_for_scores

if TYPE_CHECKING:
    from rich.console import Console

    from anytimebn.data.options import TableOptions
    from anytimebn.knowledge.constraints import Knowledge
    from anytimebn.learning.posterior import Posterior
    from anytimebn.scores.scoring import ScoringOptions

PRIORS = ("sizes", "sets")


@with_blocks(scoring=SCORING.with_default("score", "bdeu"), knowledge=KNOWLEDGE, table=TABLE)
def posterior(
    data: Annotated[
        Path,
        typer.Argument(
            metavar="DATA",
            help="A table: .csv, .tsv, .parquet, .arff or .dat; or a score file of all parent "
            "sets (score --factor all).",
        ),
    ],
    *,
    scoring: "Chosen[ScoringOptions]",
    prior: Annotated[
        str,
        typer.Option(
            metavar="|".join(PRIORS),
            help="Each number of parents is equally probable, or each parent set.",
        ),
    ] = PRIORS[0],
    jobs: options.Jobs = None,
    time_limit: Annotated[
        float | None,
        typer.Option(metavar="SECONDS", help="Give up after this; there is no partial result."),
    ] = None,
    memory_limit: options.MemoryLimit = None,
    knowledge: "Knowledge",
    table: "Chosen[TableOptions]",
    at_least: Annotated[
        float, typer.Option(metavar="PROBABILITY", help="Print arcs at least this probable.")
    ] = 0.1,
    output: Annotated[
        list[Path] | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Write the probabilities: .json, .csv, or .png and .svg; repeatable.",
        ),
    ] = None,
    quiet: options.Quiet = False,
) -> None:
    """Compute the exact posterior probability of every arc, by sums over all networks.

    For up to about 25 variables: time and memory double with each. A network counts once for each
    order of the variables that agrees with it.
    """
    from anytimebn.cli.outputs import check_paths, write_all
    from anytimebn.learning.posterior_files import check_posterior_path

    if prior not in PRIORS:
        raise InputError(unknown_name("prior", prior, PRIORS))
    if not 0 <= at_least <= 1:
        raise InputError(f"--at-least must be a probability from 0 to 1, not {at_least:g}")
    files = output or []
    for path in files:
        check_posterior_path(path)
    check_paths(files)
    refuse_for_scores(data, {**scoring.given, **table.given})

    from anytimebn.learning.posterior import posterior as compute
    from anytimebn.watch.terminal import Display, make_console

    console = make_console(quiet=quiet)
    with Display(console) as display:
        found = compute(
            data,
            **scoring.given,
            prior="sets" if prior == "sets" else "sizes",
            time_limit=time_limit,
            memory_limit=memory_limit,
            jobs=jobs,
            progress=display.show,
            table_options=table.value,
            knowledge=knowledge,
        )
    write_all([(path, found.save) for path in files])
    _print(console, found, at_least)
    for path in files:
        console.print(f"wrote {path}", soft_wrap=True)


def _print(console: "Console", found: "Posterior", at_least: float) -> None:
    from anytimebn.base.text import format_seconds, how_many

    console.print(
        f"{how_many(len(found.names), 'variable')}, up to {how_many(found.max_parents, 'parent')}, "
        f"{found.scores.score_name}, prior over {found.prior}; {format_seconds(found.seconds)}",
        soft_wrap=True,
    )
    shown = found.sorted_arcs(at_least)
    console.print(f"{how_many(len(shown), 'arc')} of probability {at_least:g} or more:")
    width = max([len(f"{parent} -> {child}") for parent, child, _ in shown], default=0)
    for parent, child, probability in shown:
        arc = f"{parent} -> {child}"
        either = found.adjacency(parent, child)
        console.print(
            f"  {arc:<{width}}  {probability:.3f}  either way {either:.3f}", soft_wrap=True
        )
