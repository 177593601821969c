"""Writes README.md here from the packed parts that there are, beside the paper's own figures.

``make paper`` runs parts of the study and then this; ``python -m docs.paper.write_page`` makes the
page again from the packed runs. `docs.paper.claims` says what holds, and `docs.paper.table2` shows
what was found in the whole order graph.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from docs.findings import (
    AUTO,
    ILP,
    REPAIRING,
    WEIGHTED,
    WINDOW,
    Rows,
    counted,
    failures,
    item,
    proof_or_gap,
    surroundings,
    table,
    won_and_lost,
    wrapped,
)
from docs.paper import predecessor, published, table2
from docs.paper.claims import findings
from docs.paper.parts import PACKED, SNAPSHOT, all_parts
from docs.paper.table2 import picture

from anytimebn.base.files import write_text
from anytimebn.evaluation import figures, rendering, store
from anytimebn.evaluation.data_sets import labels_of
from anytimebn.evaluation.report import Report
from anytimebn.evaluation.tables import MISSING

if TYPE_CHECKING:
    from docs.paper.published import PublishedRow

    from anytimebn.evaluation.tables import Table1Row

SHORT = {
    WINDOW: "window A\\*",
    ILP: "ILP",
    REPAIRING: "repairing A\\*",
    WEIGHTED: "weighted A\\*",
    AUTO: "`auto`",
}
"""Algorithms in the order of the paper's columns, and ours."""
FIGURE_2 = ("29.3.1k", "29.3.5k", "29.6.5k", "29.6.20k")
STUDY = ("table1", "table2")  # beginnings of the names of parts
SENSITIVITY = {
    "seed2": "seed 2",
    "seed3": "seed 3",
    "bdeu": "BDeu",
    "fnml": "fNML",
}
PREDECESSOR = "predecessor"
PAPER = (
    "B. Malone and C. Yuan, *Evaluating anytime algorithms for learning optimal Bayesian networks* "
    "(UAI 2013)"
)


@dataclass(frozen=True, eq=False)
class Group:
    """Parts that are reported together: no two of their data sets have the same name."""

    files: list[Path] = field(default_factory=list)

    @cached_property
    def report(self) -> Report:
        """Tables and figures."""
        return Report(store.load(*self.files), float(SNAPSHOT))

    @cached_property
    def rows(self) -> dict[str, dict[str, Table1Row]]:
        """What was run, by data set and algorithm without its settings."""
        rows: dict[str, dict[str, Table1Row]] = {}
        for row in self.report.table1:
            name = row.algorithm.partition(",")[0]
            if row.outcome != MISSING and name in SHORT:
                rows.setdefault(row.data_set, {})[name] = row
        return rows

    @property
    def measured(self) -> Rows:
        """The same, as comparisons need it."""
        return {name: dict(own) for name, own in self.rows.items()}


def main(folder: Path, packed: Path) -> None:
    """Write the page and its pictures from the packed parts."""
    groups = {
        name: Group(sorted(packed.glob(f"{name}-*{store.ARCHIVE_SUFFIX}")))
        for name in (*STUDY, *SENSITIVITY, PREDECESSOR)
    }
    study = Group([path for name in STUDY for path in groups[name].files])
    further = {title: groups[name] for name, title in SENSITIVITY.items() if groups[name].files}
    for path in folder.glob("figure*.svg"):
        path.unlink()
    everything = Group([path for group in groups.values() for path in group.files])
    sections = [
        "# The paper's study",
        wrapped(
            f"The tables and figures of {PAPER}, with data of the same sizes, beside what is "
            "printed there. `make paper` runs the study in parts and makes this page from those "
            "that are done; [Repeating the evaluation](../evaluation.md) explains the columns."
        ),
        *_standing(study, everything, packed),
    ]
    if everything.files:
        sections += failures(everything.report)
        sections += [
            "## What is different here, and may explain what does not hold",
            "\n".join(map(item, _differences(everything.report))),
        ]
    if study.files:
        sections += ["## What holds, and what does not", *findings(study.report, study.measured)]
        sections += _table1(study)
        sections += _figure2(study, folder)
        sections += table2.sections(study.report, folder)
    sections += _sensitivity(study, further)
    if groups[PREDECESSOR].files:
        sections += predecessor.sections(groups[PREDECESSOR].report)
    write_text(folder / "README.md", "\n\n".join(sections) + "\n")


def _standing(study: Group, everything: Group, packed: Path) -> list[str]:
    """What has been run, and what has not."""
    parts = [part.name for part in all_parts()]
    done = [path.name.removesuffix(store.ARCHIVE_SUFFIX) for path in everything.files]
    absent = [name for name in parts if not (packed / f"{name}{store.ARCHIVE_SUFFIX}").exists()]
    told = []
    if everything.files:
        report = everything.report
        told.append(
            f"Run so far: {len(report.stored.runs)} runs in {counted(len(done), 'part')}, on "
            f"{surroundings(report)}. All runs are in `docs/paper/packed`: `anytimebn evaluate "
            "report docs/paper/packed/*.jsonl.gz -o report` makes all tables and figures again."
        )
        visited = sum(bool(row.shares_below) for row in study.report.table2)
        told.append(
            f"Table 1 has {len(study.rows)} of the paper's {len(published.table1())} data sets, "
            f"Table 2 {visited} of {len(published.table2())}."
        )
        if report.stored.missing:
            told.append(f"Missing in these parts: {counted(len(report.stored.missing), 'run')}.")
    if absent:
        names = ", ".join(f"`{name}`" for name in absent)
        told.append(
            f"**Not run yet: {len(absent)} of the {len(parts)} parts** "
            f"({names}). What is said below is of the others only. `make paper PART=NAME` runs "
            "the parts whose names begin so, on a calm machine; `make paper-parts` says how long "
            "each takes."
            if done
            else f"**Nothing has been run yet.** The parts are {names}."
        )
    return [wrapped(text) for text in told]


def _differences(report: Report) -> list[str]:
    specs = [run.specification for run in report.stored.runs.values()]
    searches = [spec.settings for spec in specs if spec.kind == "search"]

    def limits(of_auto: bool) -> str:
        found = {
            (settings["time_limit"], settings["memory_limit"])
            for settings in searches
            if (settings["algorithm"] == AUTO) == of_auto
        }
        return " or ".join(f"{time:g} s and {memory}" for time, memory in sorted(found)) or "none"

    told = [
        "The data are drawn in the same way, but are others: parent sets and costs differ, and a "
        "row of a table is the same size and kind of problem, not the same problem."
    ]
    if searches:
        told += [
            f"Limits of a search are {limits(False)} here, and were two hours there; `auto`, which "
            f"the paper did not have, is to end with a proof ({limits(True)} at most). Machine and "
            "programs are more than ten years younger.",
            "Window, repairing and weighted A\\* run as in the paper: its parameters, static "
            "pattern databases, no local search first. ILP is our own branch and cut on SCIP, "
            "without cutting planes or a local search before it; there it was GOBNILP 1.1. Every "
            "search here begins with the network of some ordering, so that there always is one.",
            "The paper prints three digits: what is 1.000 there need not be proven. We round up.",
        ]
    if any(spec.kind == "order-graph" for spec in specs):
        told.append(
            "Pattern databases have better groups of variables here, so that fewer nodes lie below "
            "the optimum. What Table 2 and Figures 3 and 4 show does not depend on time: the "
            "machine was shared while their runs were made, and no seconds of these are shown."
        )
    return told


# --- Table 1, Figure 2 ---


def _table1(study: Group) -> list[str]:
    if not study.rows:
        return []
    paper = published.table1()
    by_variables: dict[str, list[str]] = {}
    for name in study.rows:
        by_variables.setdefault(name.partition(".")[0], []).append(name)
    sections = ["## Table 1: quality over time", _data_sets(study, paper), wrapped(_NOTES_1)]
    for variables, names in by_variables.items():
        heads = ["data set", "algorithm"]
        for head in rendering.table1_heads(SNAPSHOT):
            heads += [head, "paper"]
        lines = [line for name in names for line in _table1_lines(study, name, paper.get(name))]
        sections += [f"### {variables} variables", table(heads, lines, texts=2)]
    return sections


_NOTES_1 = (
    f"Ratio: cost over the best cost of the data set, after {SNAPSHOT} seconds and at the end. "
    "Bound: cost over lower bound; 1 is proven. Time: seconds until the last improvement of cost "
    f"or bound (there: of the bound). \\{rendering.STAR}: memory ran out. {rendering.ABSENT}: "
    "there was no network yet, or the paper has no such figure."
)


def _data_sets(study: Group, paper: dict[str, dict[str, PublishedRow]]) -> str:
    heads = ["data set", "POPS", "paper", "best cost", "paper"]
    lines = []
    for name, own in study.rows.items():
        here = next(iter(own.values()))
        there = next(iter(paper.get(name, {}).values()), None)
        cost = rendering.ABSENT
        if there is not None:
            cost = f"{there.best_cost:,.2f}{f' {rendering.PROOF}' if there.proven else ''}"
        lines.append(
            [
                name,
                rendering.number_text(here.pops),
                rendering.number_text(None if there is None else there.pops),
                rendering.cost_text(here),
                cost,
            ]
        )
    return f"{rendering.PROOF}: proven optimal by some run.\n\n{table(heads, lines)}"


def _table1_lines(
    study: Group, data_set: str, paper: dict[str, PublishedRow] | None
) -> list[list[str]]:
    lines = []
    shown = data_set
    for algorithm, title in SHORT.items():
        row = study.rows[data_set].get(algorithm)
        there = None if paper is None else paper.get(algorithm)
        if row is None:
            continue
        line = [shown, title]
        for own, printed in zip(rendering.table1_cells(row), _printed_cells(there), strict=True):
            line += [_plain(own), _plain(printed)]
        lines.append(line)
        shown = ""
    return lines


def _printed_cells(row: PublishedRow | None) -> list[str]:
    if row is None:
        return [rendering.ABSENT] * 5
    figures = (row.ratio_at_snapshot, row.error_bound_at_snapshot, row.ratio, row.error_bound)
    star = rendering.STAR if row.out_of_memory else ""
    return [
        *(rendering.ABSENT if value is None else f"{value:.3f}" for value in figures),
        f"{row.bound_seconds:,.0f}{star}",
    ]


def _plain(text: str) -> str:
    """A star in Markdown begins slanted text."""
    return text.replace("*", "\\*")


def _figure2(study: Group, folder: Path) -> list[str]:
    data = {own.name: own for own in study.report.data_sets}
    labels = labels_of(study.report.data_sets)
    sections = []
    for name in FIGURE_2:
        figure = figures.figure2(data[name], labels) if name in data else None
        sections += picture(figure, folder, f"figure2-{name}")
    if not sections:
        return []
    return ["## Figure 2: convergence of cost (above) and lower bound (below)", *sections]


# --- beyond the paper ---


def _sensitivity(study: Group, further: dict[str, Group]) -> list[str]:
    if not further:
        return []
    names = {name for group in further.values() for name in group.rows}
    usual: Rows = {name: own for name, own in study.measured.items() if name in names}
    compared = {"MDL, seed 1": usual} if usual else {}
    compared |= {title: group.measured for title, group in further.items()}
    rivals = (REPAIRING, WEIGHTED, ILP)
    lines = [
        [
            title,
            str(len(rows)),
            *(f"{won} to {lost}" for won, lost in (won_and_lost(rows, WINDOW, r) for r in rivals)),
        ]
        for title, rows in compared.items()
    ]
    sections = [
        "## Beyond the paper: other seeds, other scores",
        wrapped(
            "On how many data sets window A\\* had the lower error bound at the end, or the same "
            "one clearly earlier, and on how many the other algorithm. Seeds are of the generating "
            "network, its rows and the searches; other scores are of the data of seed 1."
        ),
        table(["", "data sets", *(f"against {SHORT[rival]}" for rival in rivals)], lines),
        "Seconds to a proof, or the error bound at the end:",
    ]
    glance = []
    for name in sorted(names, key=_size):
        shown = name
        for title, rows in compared.items():
            if name in rows:
                own = rows[name]
                pops = rendering.number_text(next(iter(own.values())).pops)
                cells = [proof_or_gap(own[a]) if a in own else rendering.ABSENT for a in SHORT]
                glance.append([shown, title, pops, *cells])
                shown = ""
    return [*sections, table(["data set", "", "POPS", *SHORT.values()], glance, texts=2)]


def _size(name: str) -> list[int]:
    """Sort names of data sets by variables, parents and rows."""
    return [int(number) for number in name.replace("k", "000").split(".")]


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent
    main(target, target / PACKED.name)
