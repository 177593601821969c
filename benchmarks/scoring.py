"""From a table to possibly optimal parent sets: how fast, and in how much memory.

Data sets are named n.p.R: n binary variables, drawn from a network with at most p parents, R rows.
"""

from __future__ import annotations

import time
from typing import Any

from anytimebn import _native
from anytimebn.knowledge.constraints import Knowledge
from anytimebn.network.random import generate
from anytimebn.scores.scoring import scoring_task
from benchmarks.suite import Case, Column, Suite

SEED = 1

TABLES: dict[str, dict[str, Any]] = {
    "20.4.5k": {"variables": 20, "generating_parents": 4, "rows": 5_000, "max_parents": 7},
    "29.3.5k": {"variables": 29, "generating_parents": 3, "rows": 5_000, "max_parents": 7},
    "29.6.20k": {"variables": 29, "generating_parents": 6, "rows": 20_000, "max_parents": 7},
    "35.3.20k": {"variables": 35, "generating_parents": 3, "rows": 20_000, "max_parents": 7},
    "wide": {"variables": 200, "generating_parents": 2, "rows": 10_000, "max_parents": 2},
    "multi-valued": {
        "variables": 37,
        "generating_parents": 3,
        "rows": 10_000,
        "max_parents": 4,
        "arity": [2, 4],
    },
}


def measure(
    *,
    variables: int,
    generating_parents: int,
    rows: int,
    max_parents: int,
    jobs: int,
    seed: int,
    score: str = "mdl",
    arity: tuple[int, int] = (2, 2),
) -> dict[str, Any]:
    """Generate a table and score it.

    The native scorer is called as `anytimebn.score` does; that function keeps the times of the
    steps to itself.
    """
    _, data = generate(variables, generating_parents, rows, arity=tuple(arity), seed=seed)
    task = scoring_task(data, Knowledge(), max_parents, score, 1.0, jobs)
    estimate = _native.estimate_scoring(task)
    start = time.perf_counter()
    result = _native.compute_local_scores(task, _native.Control())
    seconds = time.perf_counter() - start
    return {
        "seconds": seconds,
        "counting_seconds": result.counting_seconds,
        "pruning_seconds": result.pruning_seconds,
        "sets_counted": result.sets_counted,
        "predicted_memory_bytes": estimate.memory_bytes,
        "pops": len(result.take_arrays()[1]),
    }


SUITE = Suite(
    name="scoring",
    summary="Scoring: tables to possibly optimal parent sets (MDL)",
    cases=[
        Case(name, {**table, "jobs": jobs, "seed": SEED})
        for name, table in TABLES.items()
        for jobs in (1, 2)
    ],
    measure=measure,
    columns=[
        Column("jobs", lambda r: str(r["jobs"])),
        Column("limit", lambda r: str(r["max_parents"])),
        Column("sets/s", lambda r: f"{r['sets_counted'] / r['counting_seconds'] / 1e3:,.0f}k"),
        Column("count s", lambda r: f"{r['counting_seconds']:.2f}"),
        Column("prune s", lambda r: f"{r['pruning_seconds']:.2f}"),
        Column("total s", lambda r: f"{r['seconds']:.2f}"),
        Column("peak MiB", lambda r: f"{r['peak_memory_bytes'] / 2**20:,.0f}"),
        Column("POPS", lambda r: f"{r['pops']:,}"),
    ],
)
