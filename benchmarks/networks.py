"""Score files of well-known networks to proof: ``auto``, the linear and the integer program.

Tables are sampled from the networks that pgmpy ships and scored by us;
both are done once, into ``benchmarks/cache``. Not among the suites that run by default.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import anytimebn as ab
from benchmarks.generated import CACHE
from benchmarks.proof import SEED
from benchmarks.suite import Case, Column, Suite
from benchmarks.timed_search import MEMORY, gap_columns, gaps, timed_search

if TYPE_CHECKING:
    import pandas as pd

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
    "link": 2,
}
ALGORITHMS: dict[str, dict[str, Any]] = {
    "auto": {"algorithm": "auto"},
    "relaxation": {"algorithm": "relaxation"},
    "ilp": {"algorithm": "ilp"},
    "ilp from scratch": {"algorithm": "ilp", "parameters": {"from-scratch": 1}},
}


def cached_scores(network: str, max_parents: int, seed: int) -> ab.LocalScores:
    """Sample and score, or take the scores of an earlier run."""
    path = CACHE / f"{network}-{ROWS}-at-most-{max_parents}-seed-{seed}.jkl"
    if not path.exists():
        CACHE.mkdir(exist_ok=True)
        ab.score(sampled_table(network, ROWS, seed), "bic", max_parents=max_parents).save(path)
    return ab.LocalScores.load(path)


def sampled_table(network: str, rows: int, seed: int) -> pd.DataFrame:
    """A data frame of rows drawn from a network that pgmpy ships, columns by name."""
    from pgmpy.utils import get_example_model

    table = get_example_model(network).simulate(n_samples=rows, seed=seed, show_progress=False)
    return table[sorted(table.columns)].astype(str)  # a state may be called "None"


def measure(
    *, network: str, max_parents: int, way: str, time_limit: float, memory_limit: str, seed: int
) -> dict[str, Any]:
    """Search the scores of a sampled table on all cores."""
    result, measured = timed_search(
        cached_scores(network, max_parents, seed),
        time_limit=time_limit,
        memory_limit=memory_limit,
        **ALGORITHMS[way],
    )
    return measured | gaps(result.events, 1, 10)


SUITE = Suite(
    name="networks",
    summary="Sampled networks, from scores to proof, all cores",
    cases=[
        Case(
            name,
            {
                "network": name,
                "max_parents": max_parents,
                "way": way,
                "time_limit": SECONDS,
                "memory_limit": MEMORY,
                "seed": SEED,
            },
        )
        for way in ALGORITHMS
        for name, max_parents in NETWORKS.items()
    ],
    measure=measure,
    columns=[
        Column("algorithm", lambda r: r["way"]),
        Column("variables", lambda r: f"{r['variables']:,}"),
        Column("at most", lambda r: f"{r['max_parents']} parents"),
        Column("sets", lambda r: f"{r['pops']:,}"),
        Column("status", lambda r: r["status"]),
        *gap_columns(1, 10),
        Column("seconds", lambda r: f"{r['seconds']:.2f}"),
        Column("peak MiB", lambda r: f"{r['peak_memory_bytes'] / 2**20:,.0f}"),
    ],
)
