"""Runs of studies that nobody ran, for reports whose numbers can be counted by hand."""

from __future__ import annotations

from typing import Any

from anytimebn.evaluation import store
from anytimebn.evaluation.specification import (
    Contender,
    Limits,
    StudyTable,
    scoring_run,
    search_run,
)


def made_run(
    cost: float,
    bound: float,
    *,
    label: str = "astar",
    parents: int = 2,
    variables: int = 3,
    rows: int = 100,
    **changes: Any,
) -> store.Run:
    """Make a run up, of a data set whose generating network has at most so many parents."""
    scored = scoring_run(StudyTable.generated(variables, parents, rows, seed=1), {})
    spec = search_run(scored, Contender.parse(label, "static-pd"), Limits(time_limit=9.0))
    result = {
        "status": "time",
        "cost": cost,
        "lower_bound": bound,
        "pops": 7,
        "variables": ["a", "b", "c"],
        "events": [[0.5, cost + 1, bound - 1, 0], [70.0, cost, bound, 5], [80.0, cost, bound, 9]],
        "seconds": {"total": 90.0},
        "expanded": 9,
        "parents": {"a": [], "b": ["a"], "c": []},
    }
    values = {
        "format": 1,
        "specification": spec.to_json(),
        "outcome": {"kind": "done", "message": "time", "exit_status": 0, "errors": ""},
        "seconds": 91.0,
        "peak_memory_bytes": 5,
        "again": None,
        "machine": {
            "cpu": "x",
            "cores": 1,
            "memory_bytes": 1,
            "system": "y",
            "instruction_set": "avx2",
            "load_at_start": 0.0,
        },
        "versions": {"anytimebn": "1"},
        "result": result,
    }
    return store.Run(spec, values | changes)


def stored_with(*runs: store.Run) -> store.Stored:
    return store.Stored(runs={run.specification.key: run for run in runs})
