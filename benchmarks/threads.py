"""What another core is worth: searches of the order graph by one thread, and by all cores.

Data sets are named n.p.R as in `scoring`. One after the other in the same process, so that both
find the same machine.
"""

from __future__ import annotations

import time
from typing import Any

import anytimebn as ab
from anytimebn.base.resources import available_cores
from benchmarks.generated import cached_scores
from benchmarks.suite import Case, Column, Suite

SEED = 1
MEMORY = "8GiB"

TABLES: dict[str, tuple[int, int, int]] = {
    "24.4.5k": (24, 4, 5_000),
    "29.3.1k": (29, 3, 1_000),
    "29.3.5k": (29, 3, 5_000),
}
ALGORITHMS = (
    "astar",
    "anytime-weighted-astar",
    "anytime-repairing-astar",
    "anytime-window-astar",
    "breadth-first-bnb",
    "dynamic-programming",
    "block-sweep",
)
MOST_PROGRAMMED = 25  # variables, whose 2^n nodes are bearable


def measure(*, algorithm: str, memory_limit: str, **table: int) -> dict[str, Any]:
    """Search with one thread and with all, and compare."""
    scores = cached_scores(**table)

    def search(jobs: int) -> tuple[ab.Result, float]:
        start = time.perf_counter()
        result = ab.search(scores, algorithm=algorithm, jobs=jobs, memory_limit=memory_limit)
        return result, time.perf_counter() - start

    cores = available_cores()
    one, seconds = search(1)
    more, seconds_of_all = search(cores)
    assert more.status == one.status
    assert one.status != "optimal" or abs(more.cost - one.cost) < 1e-6 * scores.variables
    return {
        "seconds": seconds,
        "seconds_of_all": seconds_of_all,
        "cores": cores,
        "status": one.status,
        "expanded": one.expanded,
        "expanded_by_all": more.expanded,
    }


SUITE = Suite(
    name="threads",
    summary="Search of the order graph: one thread and all cores",
    cases=[
        Case(
            name,
            {
                "variables": variables,
                "generating_parents": parents,
                "rows": rows,
                "max_parents": 7,
                "algorithm": algorithm,
                "memory_limit": MEMORY,
                "seed": SEED,
            },
        )
        for name, (variables, parents, rows) in TABLES.items()
        for algorithm in ALGORITHMS
        if algorithm != "dynamic-programming" or variables <= MOST_PROGRAMMED
    ],
    measure=measure,
    columns=[
        Column("algorithm", lambda r: r["algorithm"]),
        Column("status", lambda r: r["status"]),
        Column("expanded", lambda r: f"{r['expanded']:,}"),
        Column("by all", lambda r: f"{r['expanded_by_all']:,}"),
        Column("seconds", lambda r: f"{r['seconds']:.2f}"),
        Column("of all", lambda r: f"{r['seconds_of_all']:.2f}"),
        Column("times faster", lambda r: f"{r['seconds'] / r['seconds_of_all']:.2f}"),
    ],
)
