"""All nodes of the order graph, as Table 2 needs them, beside plain dynamic programming."""

from __future__ import annotations

import time
from typing import Any

import anytimebn as ab
from anytimebn.evaluation.order_graph import sweep_order_graph
from benchmarks.generated import cached_scores
from benchmarks.suite import Case, Column, Suite

SEED = 1


def measure(
    *,
    variables: int,
    generating_parents: int,
    rows: int,
    max_parents: int,
    heuristics: list[str],
    jobs: int,
    seed: int,
) -> dict[str, Any]:
    """Sweep; where that is bearable, do dynamic programming on the same scores as well."""
    scores = cached_scores(variables, generating_parents, rows, max_parents, seed)
    start, cpu = time.perf_counter(), time.process_time()
    graph = sweep_order_graph(scores, heuristics, jobs=jobs)
    results = {
        "seconds": time.perf_counter() - start,
        "cpu_seconds": time.process_time() - cpu,
        "sweep_memory_bytes": graph.memory_bytes,
        "percent_below": {f.heuristic: 100 * f.share_below for f in graph.f_costs},
        "pops": scores.pops,
    }
    if variables <= 26:
        cpu = time.process_time()
        found = ab.search(
            scores, algorithm="dynamic-programming", components=False, local_search=False
        )
        results["programming_cpu_seconds"] = time.process_time() - cpu
        assert abs(found.cost - graph.optimum) < 1e-4
    return results


SUITE = Suite(
    name="order_graph",
    summary="All nodes of the order graph (MDL); seconds of all threads",
    cases=[
        Case(
            f"{variables}.3.5k",
            {
                "variables": variables,
                "generating_parents": 3,
                "rows": 5_000,
                "max_parents": 7,
                "heuristics": heuristics,
                "jobs": 1,
                "seed": SEED,
            },
        )
        for variables in (20, 22, 24, 26, 29)
        for heuristics in (["static-pd"], ["simple", "static-pd", "cluster-pd"])
    ],
    measure=measure,
    columns=[
        Column("heuristics", lambda r: ", ".join(r["heuristics"])),
        Column("sets", lambda r: f"{r['pops']:,}"),
        Column("sweep s", lambda r: f"{r['cpu_seconds']:.2f}"),
        Column(
            "plain s",
            lambda r: (
                f"{r['programming_cpu_seconds']:.2f}" if "programming_cpu_seconds" in r else ""
            ),
        ),
        Column("sweep MiB", lambda r: f"{r['sweep_memory_bytes'] / 2**20:,.0f}"),
        Column("below", lambda r: f"{r['percent_below']['static-pd']:.3f} %"),
        Column("peak MiB", lambda r: f"{r['peak_memory_bytes'] / 2**20:,.0f}"),
    ],
)
