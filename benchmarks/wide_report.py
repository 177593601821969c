"""Compare methods: ``python -m benchmarks.wide_report [RESULTS.json ...] [--markdown]``.

Reads raw results of the suite `wide`, several files as one. For each line and limit the table has
the cost of every method, the cheapest marked by a star, and how far the default is above it. A peer
that had no network by the limit has none here; whoever knows the limit has the one that it ended
with, and if that was much too late, an exclamation mark. Then come the worst overruns.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

from rich import box
from rich.console import Console
from rich.table import Table

from benchmarks.wide_learner import PEERS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    Run = Mapping[str, Any]

USUAL = Path(__file__).resolve().parent / "results" / "wide.json"
DEFAULT = "default"
AS_CHEAP = 1e-4  # nats: costs that differ by less are those of equivalent networks
WORST = 10  # overruns that are listed
LATE = 0.5  # seconds beyond which an overrun is counted as one


@dataclass(frozen=True)
class Comparison:
    """One row: what each method had at one limit on one line."""

    line: str
    limit: float
    costs: Mapping[str, float]  # of the methods that had a network by then
    late: frozenset[str] = frozenset()  # those that ended too late

    @property
    def cheapest(self) -> float | None:
        """The lowest cost."""
        return min(self.costs.values(), default=None)

    def is_cheapest(self, method: str) -> bool:
        """Whether no method has a better network."""
        cheapest = self.cheapest
        return cheapest is not None and self.costs.get(method, float("inf")) <= cheapest + AS_CHEAP

    @property
    def excess_percent(self) -> float | None:
        """By how much the default costs more than the cheapest; None if it has no network."""
        if self.cheapest is None or DEFAULT not in self.costs:
            return None
        return 100 * (self.costs[DEFAULT] - self.cheapest) / abs(self.cheapest)


def compare(runs: Sequence[Run]) -> list[Comparison]:
    """Put runs beside each other; of repetitions the cheapest counts."""
    limits = sorted({run["limit"] for run in runs})
    compared = []
    for line in dict.fromkeys(run["case"] for run in runs):
        own = [run for run in runs if run["case"] == line]
        for limit in limits:
            costs: dict[str, float] = {}
            late = set()
            for run in own:
                if run["cost"] is not None and _counts_at(run, limit):
                    known = costs.get(run["method"], float("inf"))
                    costs[run["method"]] = min(known, run["cost"])
                    if _is_late(run):
                        late.add(run["method"])
            if costs:
                compared.append(Comparison(line, limit, costs, frozenset(late)))
    return compared


def _counts_at(run: Run, limit: float) -> bool:
    """Whether a run says what its method has at a limit: that of a peer holds from its end on."""
    if run["method"] in PEERS and run["command"] is None:
        return bool(run["seconds"] <= limit)
    return bool(run["limit"] == limit)


def _is_late(run: Run) -> bool:
    return (run["overrun_seconds"] or 0.0) > LATE


def worst_overruns(runs: Sequence[Run]) -> list[Run]:
    """Give the runs that ended latest after their limit, the worst first."""
    late = [run for run in runs if run["overrun_seconds"]]
    return sorted(late, key=lambda run: -float(run["overrun_seconds"]))


def comparison_table(runs: Sequence[Run], style: box.Box) -> Table:
    """Make the table of costs."""
    methods = list(dict.fromkeys(run["method"] for run in runs))
    table = Table(box=style)
    table.add_column("table", no_wrap=True)
    for title in ("limit", *methods, "default above cheapest"):
        table.add_column(title, justify="right", no_wrap=True)
    for row in compare(runs):
        excess = row.excess_percent
        table.add_row(
            row.line,
            f"{row.limit:g} s",
            *(_cell(row, method) for method in methods),
            "" if excess is None else f"{excess:.3f} %",
        )
    return table


def _cell(row: Comparison, method: str) -> str:
    if method not in row.costs:
        return "–"
    marks = " !" * (method in row.late) + " *" * row.is_cheapest(method)
    return f"{row.costs[method]:,.0f}{marks}"


def overrun_table(runs: Sequence[Run], style: box.Box) -> Table:
    """Make the table of the worst overruns."""
    table = Table(box=style)
    table.add_column("table", no_wrap=True)
    for title in ("method", "limit", "ended", "too late", "of that, CPU"):
        table.add_column(title, justify="right", no_wrap=True)
    for run in worst_overruns(runs)[:WORST]:
        table.add_row(
            run["case"],
            run["method"],
            f"{run['limit']:g} s",
            f"{run['seconds']:.2f} s",
            f"{run['overrun_seconds']:.2f} s",
            _seconds(run.get("cpu_seconds_after_limit")),
        )
    return table


def _seconds(seconds: float | None) -> str:
    return "" if seconds is None else f"{seconds:.2f} s"


def summary(runs: Sequence[Run]) -> list[str]:
    """Say in sentences how the default stands."""
    rows = compare(runs)
    excesses = [row.excess_percent for row in rows if row.excess_percent is not None]
    without = sum(DEFAULT not in row.costs for row in rows)
    sentences = []
    if excesses:
        cheapest = sum(row.is_cheapest(DEFAULT) for row in rows)
        sentences.append(
            f"default: cheapest in {cheapest} of {len(rows)}, no network in {without}; above the "
            f"cheapest: median {median(excesses):.3f} %, worst {max(excesses):.3f} %"
        )
    of_limits = [run for run in runs if run["overrun_seconds"] is not None]
    late = sum(map(_is_late, of_limits))
    sentences.append(f"{late} of {len(of_limits)} runs ended more than {LATE} s too late")
    return sentences


def read_runs(paths: Iterable[Path]) -> list[Run]:
    """Read the runs of several files; of a case that is in more than one, all count."""
    return [run for path in paths for run in json.loads(path.read_text("utf-8"))["runs"]]


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the comparison."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.wide_report", description=__doc__)
    parser.add_argument("results", nargs="*", type=Path, default=[USUAL], metavar="RESULTS.json")
    parser.add_argument("--markdown", action="store_true", help="tables for a page")
    options = parser.parse_args(arguments)
    runs = read_runs(options.results)
    style = box.MARKDOWN if options.markdown else box.SIMPLE_HEAD
    console = Console(width=250)
    console.print(comparison_table(runs, style))
    console.print(overrun_table(runs, style))
    for sentence in summary(runs):
        console.print(sentence, highlight=False)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
