"""What ``auto`` takes, beside each of its two routes alone: hardly more than the better one.

Generated tables, named n.p.R-m as in `scoring` with m for the largest number of parents, and all
score files of the folder that ``SCORE_FILES`` names in the environment. Not among the suites that
run by default.
"""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anytimebn as ab
from anytimebn.solver.run import start_run
from benchmarks.generated import cached_scores
from benchmarks.proof import ROWS, SEED
from benchmarks.suite import Case, Column, Suite
from benchmarks.timed_search import MEMORY

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from anytimebn.solver.run import Run

SECONDS = 60.0
MAX_PARENTS = {
    **dict.fromkeys((12, 20, 26, 29, 31, 33, 35), 7),
    **dict.fromkeys((38, 40), 5),
    **dict.fromkeys((45, 50), 4),
    **dict.fromkeys((60, 64, 70, 100), 3),
}


def _alone(run: Run) -> None:
    """Let the order graph work without a linear program."""
    native = run.native
    if native.prepare():
        native.search()
    native.finish()


WAYS: dict[str, tuple[str, Callable[[Run], None]]] = {
    "auto": ("auto", lambda run: run.work()),  # first: it pays for what is loaded only once
    "order graph": ("auto", _alone),
    "linear program": ("relaxation", lambda run: run.work()),
}


def measure(
    *, scores: str | dict[str, int], time_limit: float, memory_limit: str, jobs: int
) -> dict[str, Any]:
    """Search the same scores in every way, one after the other."""
    local = ab.LocalScores.load(scores) if isinstance(scores, str) else cached_scores(**scores)
    measured: dict[str, Any] = {"variables": local.variables, "pops": local.pops}
    for way, (algorithm, work) in WAYS.items():
        settings = ab.SearchSettings(
            algorithm=algorithm, time_limit=time_limit, memory_limit=memory_limit, jobs=jobs
        )
        start, start_of_work = time.perf_counter(), time.process_time()
        run = start_run(local, settings)
        work(run)
        seconds, now = time.perf_counter() - start, run.native.snapshot()
        measured[way] = {
            "seconds": seconds,
            "cpu_seconds": time.process_time() - start_of_work,
            "status": run.native.status,
            "gap_percent": 100 * (now.cost - now.lower_bound) / abs(now.cost),
        }
    return {**measured, "seconds": measured["auto"]["seconds"]}


def _told(way: str) -> Callable[[Mapping[str, Any]], str]:
    def text(results: Mapping[str, Any]) -> str:
        own = results[way]
        if own["status"] == "optimal":
            return f"{own['seconds']:.2f} s"
        return f"{own['gap_percent']:.3f} %"

    return text


def _times_the_better(results: Mapping[str, Any]) -> str:
    """Time of auto over that of the better route, where one of them proves something."""
    alone = [results[way] for way in WAYS if way != "auto"]
    proven = [own["seconds"] for own in alone if own["status"] == "optimal"]
    if not proven or results["auto"]["status"] != "optimal":
        return "" if not proven else "open"
    return f"{results['auto']['seconds'] / min(proven):.2f}"


def _case(name: str, scores: str | dict[str, int], jobs: int) -> Case:
    return Case(
        f"{name}, 1 job" if jobs == 1 else name,
        {"scores": scores, "time_limit": SECONDS, "memory_limit": MEMORY, "jobs": jobs},
    )


def _cases() -> list[Case]:
    folder = os.environ.get("SCORE_FILES")
    files = sorted(Path(folder).glob("*.jkl")) if folder else []
    cases = [_case(path.stem, str(path), jobs) for path in files for jobs in (2, 1)]
    for variables, max_parents in MAX_PARENTS.items():
        for parents in (3, 6):
            for rows in ("1k", "5k"):
                table = {
                    "variables": variables,
                    "generating_parents": parents,
                    "rows": ROWS[rows],
                    "max_parents": max_parents,
                    "seed": SEED,
                }
                name = f"{variables}.{parents}.{rows}-{max_parents}"
                cases.extend(_case(name, table, jobs) for jobs in (2, 1))
    return cases


SUITE = Suite(
    name="routes",
    summary="auto beside each of its routes alone: seconds to the proof, or the gap after a minute",
    cases=_cases(),
    measure=measure,
    columns=[
        Column("variables", lambda r: str(r["variables"])),
        Column("sets", lambda r: f"{r['pops']:,}"),
        *(Column(way, _told(way)) for way in WAYS),
        Column("times the better", _times_the_better),
        Column("peak MiB", lambda r: f"{r['peak_memory_bytes'] / 2**20:,.0f}"),
    ],
)
