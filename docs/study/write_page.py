"""Writes README.md here from runs.jsonl.gz: tables, pictures, whether the paper's findings hold.

``make study`` runs the study and then this; ``python -m docs.study.write_page`` makes the page
again from the saved runs.
"""

from __future__ import annotations

import sys
from pathlib import Path

from docs.findings import (
    ILP,
    LEAST_SECONDS,
    REPAIRING,
    WEIGHTED,
    WINDOW,
    WITHOUT_START,
    Measured,
    Rows,
    better,
    by_density,
    failures,
    is_proven,
    item,
    pictures,
    proof_or_gap,
    surroundings,
    verdict,
    won_and_lost,
    wrapped,
)

from anytimebn.evaluation import rendering, store
from anytimebn.evaluation.data_sets import labels_of
from anytimebn.evaluation.report import Report

SCOPE = (
    "The paper's data sets are larger (29 to 35 variables, up to 20,000 rows), its programs are "
    "different, and each had two hours."
)


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
        wrapped(_conditions(report)),
        "## Do the paper's findings hold here?",
        wrapped(SCOPE),
        *(item(text) for text in (_window(rows), _ilp(rows), _sparse(report, rows))),
        "## At a glance",
        _glance(rows),
        "## Table 1",
        f"```\n{rendering.table1_text(report.table1, report.snapshot)}```",
        "## Figure 2",
        *pictures(folder, "figure2"),
        "## Table 2",
        f"```\n{rendering.table2_text(report.table2)}```",
        "## Figures 3 and 4",
        *pictures(folder, "figure3"),
        *pictures(folder, "figure4"),
    ]
    parts[2:2] = failures(report)
    (folder / "README.md").write_text("\n\n".join(parts) + "\n", encoding="utf-8")


def _conditions(report: Report) -> str:
    runs = list(report.stored.runs.values())
    first = next(run for run in runs if run.specification.kind == "search")
    search = first.specification.settings
    seeds = sorted({str(run.specification.data.get("seed")) for run in runs})
    return (
        f"{len(report.data_sets)} data sets and {len(labels_of(report.data_sets))} algorithms, run "
        f"by `make study` on {surroundings(report)}. Limits of each search: "
        f"{search['time_limit']:g} s, {search['memory_limit']}, {search['threads']} thread; seed "
        f"{', '.join(seeds)}. All runs are in [runs.jsonl.gz](runs.jsonl.gz): `anytimebn "
        "evaluate report docs/study/runs.jsonl.gz -o report` makes all tables and figures again. "
        "[Repeating the evaluation](../evaluation.md) explains the columns."
    )


def _glance(rows: Rows) -> str:
    """Error bounds at the end, or times of proofs, of the algorithms that the text discusses."""
    shown = [WEIGHTED, REPAIRING, WINDOW, ILP, "block-sweep", "auto"]
    lines = [f"| data set | POPS | {' | '.join(shown)} |", f"|---|---|{'---|' * len(shown)}"]
    for name, own in rows.items():
        pops = next(iter(own.values())).pops
        cells = [proof_or_gap(own[label]) if label in own else "" for label in shown]
        lines.append(f"| {name} | {pops:,} | {' | '.join(cells)} |")
    return "Seconds to a proof, or the error bound at the end.\n\n" + "\n".join(lines)


def _window(rows: Rows) -> str:
    counts = {
        name: [won_and_lost(rows, WINDOW + more, name + more) for more in ("", WITHOUT_START)]
        for name in (WEIGHTED, REPAIRING)
    }
    beaten = [name for name, own in counts.items() if sum(won - lost for won, lost in own) > 0]
    holds = verdict(len(beaten) == len(counts))
    if 0 < len(beaten) < len(counts):
        holds = f"it holds against `{beaten[0]}` only"
    told = " and ".join(
        f"{own[0][0]} to {own[0][1]} against `{name}` ({own[1][0]} to {own[1][1]} without a local "
        "search first)"
        for name, own in counts.items()
    )
    return (
        f"**Window A\\* beats the weighted ones: {holds}.** Counting the data sets on which one "
        "had the lower error bound at the end, or reached the same one clearly earlier (by a fifth "
        f"and {LEAST_SECONDS:g} s), its score is {told}."
    )


def _ilp(rows: Rows) -> str:
    both = [own for own in rows.values() if WINDOW in own and ILP in own]
    both.sort(key=lambda own: own[ILP].pops or 0)
    halves = both[: len(both) // 2], both[len(both) // 2 :]
    outcomes = [[better(own[ILP], own[WINDOW]) for own in half] for half in halves]
    holds = outcomes[0].count(1) > outcomes[0].count(-1)
    few, others = (_proved([own[ILP] for own in half]) for half in halves)
    return (
        f"**ILP has better bounds on small POPS: {verdict(holds)}.** Of the {len(halves[0])} data "
        f"sets with the fewest parent sets, it was better than window A\\*, in the same sense, on "
        f"{outcomes[0].count(1)} and worse on {outcomes[0].count(-1)}; of the others, better on "
        f"{outcomes[1].count(1)} and worse on {outcomes[1].count(-1)}. It proved {few} of "
        f"the former and {others} of the latter."
    )


def _proved(rows: list[Measured]) -> str:
    seconds = [row.bound_seconds or 0.0 for row in rows if is_proven(row)]
    return f"{len(seconds)} (in up to {max(seconds):.1f} s)" if seconds else "none"


def _sparse(report: Report, rows: Rows) -> str:
    proven = {name: own[WINDOW] for name, own in rows.items() if WINDOW in own}
    timed = [(proven[sparse], proven[dense]) for sparse, dense in by_density(report, proven)]
    harder = sum(better(dense, sparse) > 0 for sparse, dense in timed)
    shares = {
        row.data_set: row.shares_below["static-pd"]
        for row in report.table2
        if "static-pd" in row.shares_below
    }
    more = [(shares[sparse], shares[dense]) for sparse, dense in by_density(report, shares)]
    larger = sum(sparse > dense for sparse, dense in more)
    holds = 2 * harder > len(timed)
    return (
        f"**Sparse generating networks are harder to prove: {verdict(holds)}.** Of the "
        f"{len(timed)} pairs of data sets that differ only in the parents of the generating "
        "network, the sparser had the higher error bound with window A\\*, or reached the same one "
        f"later, in {harder}; its share of nodes below the optimum with `static-pd` was larger in "
        f"{larger} of {len(more)}."
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
