"""``anytimebn score``: from a table to a file of local scores."""

from pathlib import Path
from typing import Annotated

import typer

from anytimebn.cli import options


def score(
    data: Annotated[
        Path,
        typer.Argument(metavar="DATA", help="A table: .csv, .tsv, .parquet, .arff or .dat."),
    ],
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="Score file: .jkl or .pss.")
    ],
    score: options.Score = None,
    ess: options.SampleSize = None,
    max_parents: options.MaxParents = None,
    jobs: options.Jobs = None,
    memory_limit: options.MemoryLimit = None,
    require: options.Require = None,
    forbid: options.Forbid = None,
    tiers: options.Tiers = None,
    parent_limit: options.ParentLimit = None,
    knowledge: options.KnowledgeFile = None,
    bins: options.Bins = None,
    bin_method: options.BinMethod = None,
    missing: options.Missing = None,
    no_header: options.NoHeader = False,
    exclude: options.Exclude = None,
    quiet: options.Quiet = False,
) -> None:
    """Compute the parent sets that can be optimal, and write them to a score file."""
    from anytimebn.base.memory_units import parse_memory
    from anytimebn.cli.outputs import check_paths, check_suffix, write_all
    from anytimebn.scores.files.parent_set_lines import check_names
    from anytimebn.scores.files.score_files import SCORE_SUFFIXES

    scoring = options.scoring_options(score, ess, max_parents, jobs)
    table = options.table_options(bins, bin_method, missing, no_header, exclude)
    if memory_limit is not None:
        scoring["memory_limit"] = parse_memory(memory_limit)
    check_suffix(output, "a score file", SCORE_SUFFIXES)
    check_paths([output])

    from anytimebn.base.clock import Stopwatch
    from anytimebn.cli.summary import print_scores
    from anytimebn.data.read import to_dataset
    from anytimebn.knowledge.combine import as_knowledge
    from anytimebn.scores.parent_limit import exact_parent_cap
    from anytimebn.scores.scoring import score as compute
    from anytimebn.watch.terminal import Display, make_console

    console = make_console(quiet=quiet)
    limits = options.parent_limits(parent_limit or ())
    known = as_knowledge(require or (), forbid or (), tiers or (), limits, knowledge)
    watch = Stopwatch.started()
    dataset = to_dataset(data, **table)
    check_names(dataset.names, output.suffix.lower()[1:])  # before long work, not after it
    # The cap compares with a variable that has no parents, which required arcs may rule out.
    cap = None if known.required else exact_parent_cap(scoring.get("score", "mdl"), dataset.rows)
    exact_limit = min(dataset.variables - 1, dataset.variables if cap is None else cap)
    with Display(console, exact_limit=exact_limit, always_plan=True) as display:
        scores = compute(dataset, knowledge=known, progress=display.scoring, **scoring)
    seconds = watch.elapsed()
    write_all([(output, scores.save)])
    print_scores(console, scores, seconds)
    console.print(f"wrote {output}", soft_wrap=True)
