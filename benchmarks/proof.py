"""From parent sets to proof by ``auto``: the paper's 32 data sets, and larger ones.

Data sets are named n.p.R as in `scoring`. Scores are computed once.
"""

from __future__ import annotations

from typing import Any

from benchmarks.generated import cached_scores
from benchmarks.suite import Case, Column, Suite
from benchmarks.timed_search import MEMORY, gap_columns, gaps, percent, timed_search

SEED = 1
ROWS = {"1k": 1_000, "5k": 5_000, "10k": 10_000, "20k": 20_000}


def measure(
    *, algorithm: str, time_limit: float, memory_limit: str, **table: int
) -> dict[str, Any]:
    """Search the scores of a generated table on all cores."""
    scores = cached_scores(**table)
    result, measured = timed_search(
        scores, algorithm=algorithm, time_limit=time_limit, memory_limit=memory_limit
    )
    root = result.certificate["lower_bound"] if result.certificate else None
    return {
        **measured,
        **gaps(result.events, 5),
        "bounds_seconds": result.seconds["bounds"],
        "root_gap_percent": None if root is None else 100 * (result.cost - root) / result.cost,
    }


def _case(variables: int, parents: int, rows: str, max_parents: int, seconds: float) -> Case:
    return Case(
        f"{variables}.{parents}.{rows}",
        {
            "variables": variables,
            "generating_parents": parents,
            "rows": ROWS[rows],
            "max_parents": max_parents,
            "algorithm": "auto",
            "time_limit": seconds,
            "memory_limit": MEMORY,
            "seed": SEED,
        },
    )


SUITE = Suite(
    name="proof",
    summary="auto, from scores to proof, all cores",
    cases=[
        *(
            _case(variables, parents, rows, 7, 120)
            for variables in (29, 31, 33, 35)
            for parents in (3, 6)
            for rows in ROWS
        ),
        *(_case(variables, 3, "5k", 5, 100) for variables in (40, 45, 50)),
    ],
    measure=measure,
    columns=[
        Column("sets", lambda r: f"{r['pops']:,}"),
        Column("status", lambda r: r["status"]),
        Column("root gap", lambda r: percent(r["root_gap_percent"])),
        *gap_columns(5),
        Column("nodes", lambda r: f"{r['expanded']:,}"),
        Column("bounds s", lambda r: f"{r['bounds_seconds']:.2f}"),
        Column("all s", lambda r: f"{r['seconds']:.2f}"),
        Column("peak MiB", lambda r: f"{r['peak_memory_bytes'] / 2**20:,.0f}"),
    ],
)
