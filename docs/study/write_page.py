"""Writes README.md here from runs.jsonl.gz: tables, pictures, whether the paper's findings hold.

Made by ``make study``; again, without running anything: ``python docs/study/write_page.py``.
"""

from __future__ import annotations

import statistics
import sys
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from anytimebn.evaluation import rendering, store
from anytimebn.evaluation.report import Report
from anytimebn.evaluation.tables import labels_of
from anytimebn.units import format_memory

if TYPE_CHECKING:
    from anytimebn.evaluation.tables import Table1Row

WINDOW, ILP = "anytime-window-astar", "ilp"
WEIGHTED = ("anytime-weighted-astar", "anytime-repairing-astar")
Rows = dict[str, dict[str, "Table1Row"]]  # by data set and algorithm


def main(folder: Path) -> None:
    """Write the page and its pictures."""
    report = Report(store.load(folder / "runs.jsonl.gz"))
    for path in folder.glob("figure*.svg"):
        path.unlink()
    for path in report.write(folder, "figure2", "figure3", "figure4"):
        if path.suffix == ".png":
            path.unlink()
    rows: Rows = {}
    for row in report.table1:
        if row.cost is not None:
            rows.setdefault(row.data_set, {})[row.algorithm] = row
    parts = [
        "# A small study",
        _conditions(report),
        "## Do the paper's findings hold here?",
        *(f"- {text}" for text in (_window(rows), _ilp(rows), _sparse(report, rows))),
        "## Table 1",
        f"```\n{rendering.table1_text(report.table1, report.snapshot)}```",
        "## Figure 2",
        *_pictures(folder, "figure2"),
        "## Table 2",
        f"```\n{rendering.table2_text(report.table2)}```",
        "## Figures 3 and 4",
        *_pictures(folder, "figure3"),
        *_pictures(folder, "figure4"),
    ]
    if report.failures:
        failures = "\n".join(f"- {f.what}: {f.message}" for f in report.failures)
        parts[2:2] = ["## Failures", failures]
    (folder / "README.md").write_text("\n\n".join(parts) + "\n", encoding="utf-8")


def _conditions(report: Report) -> str:
    runs = list(report.stored.runs.values())
    first = next(run for run in runs if run.specification.kind == "search")
    machine, versions = first.values["machine"], first.values["versions"]
    search = first.specification.settings
    cores = "1 core" if machine["cores"] == 1 else f"{machine['cores']} cores"
    loads = [run.values["machine"]["load_at_start"] for run in runs]
    named = ", ".join(f"{name} {value}" for name, value in versions.items())
    seeds = sorted({str(run.specification.data.get("seed")) for run in runs})
    return (
        f"{len(report.data_sets)} data sets, {len(labels_of(report.data_sets))} algorithms, made "
        f"by `make study` on {cores} of an {machine['cpu']} with "
        f"{format_memory(machine['memory_bytes'])} ({machine['system']}; median load "
        f"{statistics.median(loads):.1f} when runs started); {named}. Limits of a search: "
        f"{search['time_limit']:g} s, {search['memory_limit']}, {search['threads']} thread; seed "
        f"{', '.join(seeds)}. All runs are in [runs.jsonl.gz](runs.jsonl.gz): `anytimebn "
        "evaluate report docs/study/runs.jsonl.gz -o report` makes everything again. What the "
        "columns mean is in [Repeating the evaluation](../evaluation.md)."
    )


def _better(one: Table1Row, other: Table1Row) -> int:
    """1 if the first has the lower error bound or, with the same, had it earlier; -1, 0."""
    first = (one.error_bound or float("inf"), one.bound_seconds or 0.0)
    second = (other.error_bound or float("inf"), other.bound_seconds or 0.0)
    return (first < second) - (first > second)


def _wins(rows: Rows, one: str, other: str) -> tuple[int, int]:
    """On how many data sets the first was better, and on how many both ran."""
    both = [own for own in rows.values() if one in own and other in own]
    return sum(_better(own[one], own[other]) > 0 for own in both), len(both)


def _window(rows: Rows) -> str:
    counts = [(name, *_wins(rows, WINDOW, name)) for name in WEIGHTED]
    holds = all(2 * won > both for _, won, both in counts)
    told = " and ".join(f"{won} of {both} data sets than `{name}`" for name, won, both in counts)
    return (
        f"**Window A\\* beats the weighted ones: {_verdict(holds)}.** It had the lower error bound "
        f"at the end or, with the same, had it earlier, on {told}."
    )


def _ilp(rows: Rows) -> str:
    both = [own for own in rows.values() if WINDOW in own and ILP in own]
    both.sort(key=lambda own: own[ILP].pops or 0)
    halves = both[: len(both) // 2], both[len(both) // 2 :]
    won = [sum(_better(own[ILP], own[WINDOW]) > 0 for own in half) for half in halves]
    holds = won[0] * len(halves[1]) > won[1] * len(halves[0])
    return (
        f"**ILP has better bounds on small POPS: {_verdict(holds)}.** Against window A\\* it had "
        f"the lower error bound, or the same earlier, on {won[0]} of the {len(halves[0])} data "
        f"sets with the fewest parent sets and on {won[1]} of the {len(halves[1])} others."
    )


def _sparse(report: Report, rows: Rows) -> str:
    pairs = []
    key = ("variables", "rows", "max_parents")
    data = [d for d in report.data_sets if d.specification.data["kind"] == "generated"]
    data.sort(key=lambda d: [d.specification.data[name] for name in key])
    for sparse, dense in pairwise(data):
        if all(sparse.specification.data[k] == dense.specification.data[k] for k in key[:2]):
            pairs.append((sparse.name, dense.name))
    timed = [(rows[s][WINDOW], rows[d][WINDOW]) for s, d in pairs if _both(rows, s, d)]
    harder = sum(_better(dense, sparse) > 0 for sparse, dense in timed)
    shares = {row.data_set: row.shares_below.get("static-pd") for row in report.table2}
    known = [(shares.get(s), shares.get(d)) for s, d in pairs]
    more = [(s, d) for s, d in known if s is not None and d is not None]
    larger = sum(s > d for s, d in more)
    holds = 2 * harder > len(timed)
    return (
        f"**Sparse generating networks are harder to prove: {_verdict(holds)}.** Of the "
        f"{len(timed)} pairs of data sets that differ in the parents of the generating network "
        f"only, the sparser had the higher error bound of window A\\*, or the same later, in "
        f"{harder}; its share of nodes below the optimum with `static-pd` was larger in {larger} "
        f"of {len(more)}."
    )


def _both(rows: Rows, one: str, other: str) -> bool:
    return WINDOW in rows.get(one, {}) and WINDOW in rows.get(other, {})


def _verdict(holds: bool) -> str:
    return "it holds" if holds else "it does not hold"


def _pictures(folder: Path, kind: str) -> list[str]:
    return [f"![{path.stem}]({path.name})" for path in sorted(folder.glob(f"{kind}*.svg"))]


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
