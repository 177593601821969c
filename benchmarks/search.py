"""From parent sets to proof: the algorithms of the order graph, on one core.

Data sets are named n.p.R as in `scoring`. All searches use ``static-pd`` with two groups; ``auto``
starts with it and goes on to clusters.
"""

from __future__ import annotations

import time
from typing import Any

import anytimebn as ab
from benchmarks.generated import generated_scores
from benchmarks.suite import Case, Column, Suite

SEED = 1
SECONDS = 150.0
MEMORY = "8GiB"

TABLES: dict[str, tuple[int, int, int]] = {
    "24.4.5k": (24, 4, 5_000),
    "26.4.5k": (26, 4, 5_000),
    "29.6.1k": (29, 6, 1_000),
    "29.6.5k": (29, 6, 5_000),
    "29.3.1k": (29, 3, 1_000),
    "29.3.5k": (29, 3, 5_000),
}
ALGORITHMS = (
    "astar",
    "anytime-weighted-astar",
    "anytime-repairing-astar",
    "anytime-window-astar",
    "breadth-first-bnb",
    "auto",
)


def measure(
    *, algorithm: str, time_limit: float, memory_limit: str, **table: int
) -> dict[str, Any]:
    """Score a generated table and search it."""
    scores = generated_scores(**table)
    start = time.perf_counter()
    result = ab.search(
        scores,
        algorithm=algorithm,
        heuristic="static-pd",
        parameters={"groups": 2},
        jobs=1,
        time_limit=time_limit,
        memory_limit=memory_limit,
    )
    seconds = time.perf_counter() - start
    last = result.events[-1]
    before_expansion = max((e.seconds for e in result.events if e.expanded == 0), default=0.0)
    return {
        "seconds": seconds,
        "status": result.status,
        "cost": result.cost,
        "lower_bound": result.lower_bound,
        "error_bound": result.error_bound,
        "expanded": result.expanded,
        "stored": result.stored,
        "expanding_seconds": seconds - before_expansion,
        "engine_memory_bytes": result.peak_memory_bytes,
        "first_network_seconds": result.events[0].seconds,
        "best_network_seconds": next(e.seconds for e in result.events if e.cost == last.cost),
        "pops": scores.pops,
    }


SUITE = Suite(
    name="search",
    summary="Search: static-pd with two groups, one core",
    cases=[
        Case(
            name,
            {
                "variables": variables,
                "generating_parents": parents,
                "rows": rows,
                "max_parents": 7,
                "algorithm": algorithm,
                "time_limit": SECONDS,
                "memory_limit": MEMORY,
                "seed": SEED,
            },
        )
        for name, (variables, parents, rows) in TABLES.items()
        for algorithm in ALGORITHMS
    ],
    measure=measure,
    columns=[
        Column("algorithm", lambda r: r["algorithm"]),
        Column("status", lambda r: r["status"]),
        Column("error bound", lambda r: f"{r['error_bound']:.4f}"),
        Column("seconds", lambda r: f"{r['seconds']:.2f}"),
        Column("expanded", lambda r: f"{r['expanded']:,}"),
        Column("expanded/s", lambda r: f"{r['expanded'] / r['expanding_seconds'] / 1e3:,.0f}k"),
        Column("bytes/node", lambda r: f"{r['engine_memory_bytes'] / max(1, r['stored']):.1f}"),
        Column("first s", lambda r: f"{r['first_network_seconds']:.3f}"),
        Column("best s", lambda r: f"{r['best_network_seconds']:.3f}"),
        Column("peak MiB", lambda r: f"{r['peak_memory_bytes'] / 2**20:,.0f}"),
    ],
)
