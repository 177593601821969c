"""Writes README.md here from runs.jsonl.gz: tables, pictures, whether the paper's findings hold.

``make study`` runs the study and then this; ``python docs/study/write_page.py`` makes the page
again from the saved runs.
"""

from __future__ import annotations

import math
import statistics
import sys
import textwrap
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from anytimebn.base.memory_units import format_memory
from anytimebn.evaluation import rendering, store
from anytimebn.evaluation.data_sets import labels_of
from anytimebn.evaluation.report import Report

if TYPE_CHECKING:
    from anytimebn.evaluation.tables import Table1Row

WINDOW, ILP = "anytime-window-astar", "ilp"
WITHOUT_START = ",local-search=0"
CLEARLY, LEAST_SECONDS = 1.2, 0.05  # differences in time that are not noise
WIDTH = 100  # of lines of text
WEIGHTED = ("anytime-weighted-astar", "anytime-repairing-astar")
SCOPE = (
    "The paper's data sets are larger (29 to 35 variables, up to 20,000 rows), its programs are "
    "different, and each had two hours."
)
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
        _wrapped(_conditions(report)),
        "## Do the paper's findings hold here?",
        _wrapped(SCOPE),
        *(_item(text) for text in (_window(rows), _ilp(rows), _sparse(report, rows))),
        "## At a glance",
        _glance(rows),
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
        failures = "\n".join(_item(f"{f.what}: {f.message}") for f in report.failures)
        parts[2:2] = ["## Failures", failures]
    (folder / "README.md").write_text("\n\n".join(parts) + "\n", encoding="utf-8")


def _wrapped(text: str, *, indent: str = "") -> str:
    return textwrap.fill(
        text, WIDTH, subsequent_indent=indent, break_on_hyphens=False, break_long_words=False
    )


def _item(text: str) -> str:
    return _wrapped(f"- {text}", indent="  ")


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
        f"{len(report.data_sets)} data sets and {len(labels_of(report.data_sets))} algorithms, run "
        f"by `make study` on {cores} of an {machine['cpu']} with "
        f"{format_memory(machine['memory_bytes'])} ({machine['system']}; median load "
        f"{statistics.median(loads):.1f} when runs started); {named}. Limits of each search: "
        f"{search['time_limit']:g} s, {search['memory_limit']}, {search['threads']} thread; seed "
        f"{', '.join(seeds)}. All runs are in [runs.jsonl.gz](runs.jsonl.gz): `anytimebn "
        "evaluate report docs/study/runs.jsonl.gz -o report` makes all tables and figures again. "
        "[Repeating the evaluation](../evaluation.md) explains the columns."
    )


def _glance(rows: Rows) -> str:
    """Error bounds at the end, or times of proofs, of the algorithms that the text discusses."""
    shown = [*WEIGHTED, WINDOW, ILP, "block-sweep", "auto"]
    lines = [f"| data set | POPS | {' | '.join(shown)} |", f"|---|---|{'---|' * len(shown)}"]
    for name, own in rows.items():
        pops = next(iter(own.values())).pops
        cells = [_cell(own[label]) if label in own else "" for label in shown]
        lines.append(f"| {name} | {pops:,} | {' | '.join(cells)} |")
    return "Seconds to a proof, or the error bound at the end.\n\n" + "\n".join(lines)


def _cell(row: Table1Row) -> str:
    if row.error_bound == 1:
        return f"{row.bound_seconds or 0:.2f} s"
    return "unknown" if row.error_bound is None else f"{100 * (row.error_bound - 1):.2f} %"


def _better(one: Table1Row, other: Table1Row) -> int:
    """1 if the first has the lower error bound or, with the same, had it clearly earlier; -1, 0."""
    bounds = one.error_bound or math.inf, other.error_bound or math.inf
    if bounds[0] != bounds[1]:
        return 1 if bounds[0] < bounds[1] else -1
    seconds = one.bound_seconds or 0.0, other.bound_seconds or 0.0
    if max(seconds) - min(seconds) < LEAST_SECONDS or max(seconds) < CLEARLY * min(seconds):
        return 0
    return 1 if seconds[0] < seconds[1] else -1


def _won_and_lost(rows: Rows, one: str, other: str) -> tuple[int, int]:
    """On how many data sets the first was better, and on how many the second."""
    both = [_better(own[one], own[other]) for own in rows.values() if one in own and other in own]
    return both.count(1), both.count(-1)


def _window(rows: Rows) -> str:
    counts = {
        name: [_won_and_lost(rows, WINDOW + more, name + more) for more in ("", WITHOUT_START)]
        for name in WEIGHTED
    }
    beaten = [name for name, own in counts.items() if sum(won - lost for won, lost in own) > 0]
    verdict = _verdict(len(beaten) == len(counts))
    if 0 < len(beaten) < len(counts):
        verdict = f"it holds against `{beaten[0]}` only"
    told = " and ".join(
        f"{own[0][0]} to {own[0][1]} against `{name}` ({own[1][0]} to {own[1][1]} without a local "
        "search first)"
        for name, own in counts.items()
    )
    return (
        f"**Window A\\* beats the weighted ones: {verdict}.** Counting the data sets on which one "
        "had the lower error bound at the end, or reached the same one clearly earlier (by a fifth "
        f"and {LEAST_SECONDS:g} s), its score is {told}."
    )


def _ilp(rows: Rows) -> str:
    both = [own for own in rows.values() if WINDOW in own and ILP in own]
    both.sort(key=lambda own: own[ILP].pops or 0)
    halves = both[: len(both) // 2], both[len(both) // 2 :]
    outcomes = [[_better(own[ILP], own[WINDOW]) for own in half] for half in halves]
    holds = outcomes[0].count(1) > outcomes[0].count(-1)
    few, others = (_proved([own[ILP] for own in half]) for half in halves)
    return (
        f"**ILP has better bounds on small POPS: {_verdict(holds)}.** Of the {len(halves[0])} data "
        f"sets with the fewest parent sets, it was better than window A\\*, in the same sense, on "
        f"{outcomes[0].count(1)} and worse on {outcomes[0].count(-1)}; of the others, better on "
        f"{outcomes[1].count(1)} and worse on {outcomes[1].count(-1)}. It proved {few} of "
        f"the former and {others} of the latter."
    )


def _proved(rows: list[Table1Row]) -> str:
    seconds = [row.bound_seconds or 0.0 for row in rows if row.error_bound == 1]
    return f"{len(seconds)} (in up to {max(seconds):.1f} s)" if seconds else "none"


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
        f"{len(timed)} pairs of data sets that differ only in the parents of the generating "
        "network, the sparser had the higher error bound with window A\\*, or reached the same one "
        f"later, in {harder}; its share of nodes below the optimum with `static-pd` was larger in "
        f"{larger} of {len(more)}."
    )


def _both(rows: Rows, one: str, other: str) -> bool:
    return WINDOW in rows.get(one, {}) and WINDOW in rows.get(other, {})


def _verdict(holds: bool) -> str:
    return "it holds" if holds else "it does not hold"


def _pictures(folder: Path, kind: str) -> list[str]:
    return [f"![{path.stem}]({path.name})" for path in sorted(folder.glob(f"{kind}*.svg"))]


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
