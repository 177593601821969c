"""Score files of well-known networks to proof: ``auto`` and the linear program.

Tables are sampled from the networks that pgmpy ships (dependency group ``peers``) and scored by us;
both are done once, into ``benchmarks/cache``. Not among the suites that run by default.
"""

from __future__ import annotations

import time
from typing import Any

import anytimebn as ab
from benchmarks.proof import CACHE, MEMORY, SEED, gap_after, percent
from benchmarks.suite import Case, Column, Suite

ROWS = 5_000
SECONDS = 60.0
# Scoring counts all sets of one more variable than there may be parents.
NETWORKS = {
    "asia": 4,
    "sachs": 4,
    "child": 4,
    "insurance": 4,
    "water": 3,
    "mildew": 3,
    "alarm": 4,
    "barley": 3,
    "hailfinder": 3,
    "hepar2": 3,
    "win95pts": 3,
    "pathfinder": 3,
    "munin1": 2,
    "andes": 2,
    "diabetes": 2,
    "pigs": 2,
}
ALGORITHMS = ("auto", "relaxation")


def cached_scores(network: str, max_parents: int, seed: int) -> ab.LocalScores:
    """Sample and score, or take the scores of an earlier run."""
    path = CACHE / f"{network}-{ROWS}-at-most-{max_parents}-seed-{seed}.jkl"
    if not path.exists():
        from pgmpy.utils import get_example_model

        CACHE.mkdir(exist_ok=True)
        model = get_example_model(network)
        table = model.simulate(n_samples=ROWS, seed=seed, show_progress=False)
        table = table[sorted(table.columns)].astype(str)  # a state may be called "None"
        ab.score(table, "bic", max_parents=max_parents).save(path)
    return ab.LocalScores.load(path)


def measure(
    *,
    network: str,
    max_parents: int,
    algorithm: str,
    time_limit: float,
    memory_limit: str,
    seed: int,
) -> dict[str, Any]:
    """Search the scores of a sampled table on all cores."""
    scores = cached_scores(network, max_parents, seed)
    start = time.perf_counter()
    result = ab.search(
        scores, algorithm=algorithm, time_limit=time_limit, memory_limit=memory_limit
    )
    return {
        "seconds": time.perf_counter() - start,
        "status": result.status,
        "cost": result.cost,
        "lower_bound": result.lower_bound,
        "gap_percent": 100 * (result.cost - result.lower_bound) / result.cost,
        "gap_percent_after_1_second": gap_after(result.events, 1),
        "gap_percent_after_10_seconds": gap_after(result.events, 10),
        "variables": scores.variables,
        "pops": scores.pops,
    }


SUITE = Suite(
    name="networks",
    summary="Sampled networks, from scores to proof, all cores",
    cases=[
        Case(
            name,
            {
                "network": name,
                "max_parents": max_parents,
                "algorithm": algorithm,
                "time_limit": SECONDS,
                "memory_limit": MEMORY,
                "seed": SEED,
            },
        )
        for name, max_parents in NETWORKS.items()
        for algorithm in ALGORITHMS
    ],
    measure=measure,
    columns=[
        Column("algorithm", lambda r: r["algorithm"]),
        Column("variables", lambda r: f"{r['variables']:,}"),
        Column("sets", lambda r: f"{r['pops']:,}"),
        Column("status", lambda r: r["status"]),
        Column("after 1 s", lambda r: percent(r["gap_percent_after_1_second"])),
        Column("after 10 s", lambda r: percent(r["gap_percent_after_10_seconds"])),
        Column("end", lambda r: percent(r["gap_percent"])),
        Column("seconds", lambda r: f"{r['seconds']:.2f}"),
        Column("peak MiB", lambda r: f"{r['peak_memory_bytes'] / 2**20:,.0f}"),
    ],
)
