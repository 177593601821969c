"""``anytimebn score``: from a table to a file of local scores."""

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from anytimebn.base.errors import InputError
from anytimebn.cli import options
from anytimebn.cli.blocks import KNOWLEDGE, SCORING, TABLE, Chosen, with_blocks
from anytimebn.cli.cluster import Cluster, check_cluster, workers_of

if TYPE_CHECKING:
    from anytimebn.data.options import TableOptions
    from anytimebn.knowledge.constraints import Knowledge
    from anytimebn.scores.scoring import ScoringOptions


@with_blocks(scoring=SCORING, knowledge=KNOWLEDGE, table=TABLE)
def score(
    data: Annotated[
        Path,
        typer.Argument(
            metavar="DATA",
            help="A table: .csv, .txt, .xlsx, .parquet, ...",
        ),
    ],
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="Score file: .jkl or .pss.")
    ],
    *,
    scoring: "Chosen[ScoringOptions]",
    jobs: options.Jobs = None,
    memory_limit: options.MemoryLimit = None,
    cluster: Cluster = None,
    factor: Annotated[
        str | None,
        typer.Option(
            metavar="F|all",
            help="Keep parent sets that are at most this factor worse than their best subset, too; "
            "for enumerate and posterior.",
            show_default="those that can be optimal",
        ),
    ] = None,
    knowledge: "Knowledge",
    table: "Chosen[TableOptions]",
    completed_by: Annotated[
        Path | None,
        typer.Option(
            "--completed-by",
            metavar="RESULT.json",
            help="Read the table as learn did for this result, with the missing values that "
            "--missing em completed.",
        ),
    ] = None,
    quiet: options.Quiet = False,
) -> None:
    """Compute the parent sets that can be optimal, and write them to a score file."""
    from anytimebn.base.memory_units import parse_memory
    from anytimebn.cli.outputs import check_paths, check_suffix, write_all
    from anytimebn.scores.files.score_files import SCORE_SUFFIXES

    memory_bytes = None if memory_limit is None else parse_memory(memory_limit)
    check_suffix(output, "a score file", SCORE_SUFFIXES)
    if completed_by is not None and table.given:
        raise InputError(
            "--completed-by tells how to read the table: leave --bins, --missing and the like out"
        )
    check_paths([output])
    check_cluster(cluster)

    from anytimebn.base.clock import Stopwatch
    from anytimebn.cli.summary import print_scores
    from anytimebn.data.read import to_dataset
    from anytimebn.result.result import Result
    from anytimebn.scores.scoring import most_parents_of_interest
    from anytimebn.scores.scoring import score as compute
    from anytimebn.watch.terminal import Display, make_console

    console = make_console(quiet=quiet)
    watch = Stopwatch.started()
    if completed_by is None:
        dataset = to_dataset(data, table.value)
    else:
        dataset = Result.load(completed_by).read_table(data)
    exact_limit = most_parents_of_interest(dataset, knowledge, scoring.value)
    with (
        workers_of(cluster) as workers,
        Display(console, exact_limit=exact_limit, always_plan=True) as display,
    ):
        scores = compute(
            dataset,
            **scoring.given,
            factor=None if factor is None else factor_of(factor),
            knowledge=knowledge,
            jobs=jobs,
            memory_limit=memory_bytes,
            progress=display.show,
            executor=workers.executor,
        )
    seconds = watch.elapsed()
    write_all([(output, scores.save)])
    print_scores(console, scores, seconds)
    console.print(f"wrote {output}", soft_wrap=True)


def factor_of(text: str) -> float:
    """Read a factor, or the word ``all``.

    Examples
    --------
    >>> factor_of("3"), factor_of("all")
    (3.0, inf)
    """
    try:
        factor = math.inf if text == "all" else float(text)
    except ValueError:
        factor = math.nan
    if not factor >= 1:
        raise InputError(f"--factor is {text!r}; give a number from 1, such as 3, or all")
    return factor
