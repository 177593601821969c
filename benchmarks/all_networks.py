"""Questions about all networks: exact posteriors, and every network within a factor of the best.

Data sets are named n.p.R: n binary variables, drawn from a network with at most p parents, R rows.
"""

from __future__ import annotations

import time
from typing import Any

import anytimebn as ab
from anytimebn.network.random import generate
from benchmarks.suite import Case, Column, Suite

SEED = 1
VARIABLES = (15, 20, 25)
ROWS = 1_000


def measure(*, variables: int, question: str, jobs: int, seed: int) -> dict[str, Any]:
    """Generate a table and answer the question; scoring counts as well."""
    _, data = generate(variables, 3, ROWS, seed=seed)
    began, cpu = time.perf_counter(), time.process_time()
    if question == "posterior":
        found: Any = ab.posterior(data, max_parents=4, jobs=jobs, progress=None)
        told = {"arcs_expected": float(found.arcs.sum())}
    else:
        found = ab.networks_within(data, 3.0, score="bdeu", max_parents=4, jobs=jobs).find_all()
        told = {"networks": len(found), "complete": found.complete}
    return {
        "seconds": time.perf_counter() - began,
        "cpu_seconds": time.process_time() - cpu,
        **told,
    }


SUITE = Suite(
    name="all_networks",
    summary="All networks: exact posteriors, and those within a factor of 3 (BDeu, 4 parents)",
    cases=[
        Case(
            f"{variables}.3.{ROWS // 1000}k",
            {"variables": variables, "question": question, "jobs": jobs, "seed": SEED},
        )
        for question in ("posterior", "within")
        for variables in VARIABLES
        for jobs in (1, 2)
    ],
    measure=measure,
    columns=[
        Column("question", lambda r: str(r["question"])),
        Column("jobs", lambda r: str(r["jobs"])),
        Column("CPU s", lambda r: f"{r['cpu_seconds']:.2f}"),
        Column("networks", lambda r: f"{r['networks']:,}" if "networks" in r else ""),
    ],
)
