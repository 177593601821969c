"""Local searches and branch and bound, one core: what they find, how soon, and how far they prove.

Every search starts from its own networks, and runs with its usual parameters; with ``bound`` the
linear program runs beside it until the time limit. Data sets are those of `proof` and of
`networks`, which need pgmpy: not among the suites that run by default.
"""

from __future__ import annotations

import time
from typing import Any

import anytimebn as ab
from benchmarks import networks, proof
from benchmarks.suite import Case, Column, Suite
from benchmarks.timed_search import MEMORY, percent

SEED = 1
GENERATED = {"24.4.5k": (24, 4), "29.3.5k": (29, 3), "35.3.5k": (35, 3)}
SAMPLED = ("alarm", "hailfinder", "win95pts", "andes")
# Algorithm, whether with a bound, and seconds.
WAYS = (
    ("ordering-search", False, 60.0),
    ("optimal-reinsertion", False, 60.0),
    ("insertion-search", False, 60.0),
    ("insertion-search", True, 20.0),
    ("branch-and-bound", False, 60.0),
)


def scores_of(data: str, seed: int) -> ab.LocalScores:
    """Take the scores that the other suites cache."""
    if data in GENERATED:
        return proof.cached_scores(*GENERATED[data], 5_000, 7, seed)
    return networks.cached_scores(data, networks.NETWORKS[data], seed)


def measure(
    *, data: str, algorithm: str, bound: bool, time_limit: float, memory_limit: str, seed: int
) -> dict[str, Any]:
    """Search once."""
    scores = scores_of(data, seed)
    start = time.perf_counter()
    result = ab.search(
        scores,
        algorithm=algorithm,
        bound=bound,
        time_limit=time_limit,
        memory_limit=memory_limit,
        seed=seed,
    )
    return {
        "seconds": time.perf_counter() - start,
        "best_network_seconds": next(
            event.seconds for event in result.events if event.cost == result.events[-1].cost
        ),
        "status": result.status,
        "cost": result.cost,
        "lower_bound": result.lower_bound,
        "gap_percent": 100 * (result.cost - result.lower_bound) / result.cost,
        "expanded": result.expanded,
        "stored": result.stored,
        "engine_memory_bytes": result.peak_memory_bytes,
        "variables": scores.variables,
        "pops": scores.pops,
    }


SUITE = Suite(
    name="local",
    summary="Local searches and branch and bound",
    cases=[
        Case(
            data,
            {
                "data": data,
                "algorithm": algorithm,
                "bound": bound,
                "time_limit": seconds,
                "memory_limit": MEMORY,
                "seed": SEED,
            },
        )
        for data in (*GENERATED, *SAMPLED)
        for algorithm, bound, seconds in WAYS
    ],
    measure=measure,
    columns=[
        Column("algorithm", lambda r: r["algorithm"] + (" --bound" if r["bound"] else "")),
        Column("status", lambda r: r["status"]),
        Column("cost", lambda r: f"{r['cost']:,.3f}"),
        Column("gap", lambda r: percent(r["gap_percent"])),
        Column("best s", lambda r: f"{r['best_network_seconds']:.2f}"),
        Column("seconds", lambda r: f"{r['seconds']:.2f}"),
        Column("expanded", lambda r: f"{r['expanded']:,}"),
        Column("peak MiB", lambda r: f"{r['peak_memory_bytes'] / 2**20:,.0f}"),
    ],
)
