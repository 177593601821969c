"""The paper's rival on its smaller data sets: integer programming, from parent sets to proof."""

from __future__ import annotations

from typing import Any

from benchmarks.generated import cached_scores
from benchmarks.networks import ALGORITHMS
from benchmarks.proof import ROWS, SEED
from benchmarks.suite import Case, Column, Suite
from benchmarks.timed_search import MEMORY, gap_columns, timed_search

MAX_PARENTS = 7


def measure(
    *, variables: int, generating_parents: int, way: str, time_limit: float, seed: int
) -> dict[str, Any]:
    """Search the scores of a generated table of 1,000 rows, at most 7 parents."""
    scores = cached_scores(
        variables, generating_parents, ROWS["1k"], max_parents=MAX_PARENTS, seed=seed
    )
    _, measured = timed_search(
        scores, time_limit=time_limit, memory_limit=MEMORY, **ALGORITHMS[way]
    )
    return measured


SUITE = Suite(
    name="ilp",
    summary="Integer programming, from scores to proof, the paper's data sets of 1,000 rows",
    cases=[
        Case(
            f"{variables}.{parents}.1k",
            {
                "variables": variables,
                "generating_parents": parents,
                "way": way,
                "time_limit": 120.0,
                "seed": SEED,
            },
        )
        for variables in (29, 31, 33, 35)
        for parents in (3, 6)
        for way in ("ilp", "ilp from scratch")
    ],
    measure=measure,
    columns=[
        Column("algorithm", lambda r: r["way"]),
        Column("sets", lambda r: f"{r['pops']:,}"),
        Column("status", lambda r: r["status"]),
        *gap_columns(),
        Column("seconds", lambda r: f"{r['seconds']:.2f}"),
        Column("peak MiB", lambda r: f"{r['peak_memory_bytes'] / 2**20:,.0f}"),
    ],
)
