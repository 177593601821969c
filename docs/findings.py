"""What the pages about studies share: comparing algorithms, and writing Markdown.

Used by ``docs/study/write_page.py`` and ``docs/paper/write_page.py``.
"""

from __future__ import annotations

import math
import statistics
import textwrap
from itertools import pairwise
from typing import TYPE_CHECKING, Protocol

from anytimebn.base.memory_units import format_memory

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from pathlib import Path

    from anytimebn.evaluation.report import Report

WINDOW, ILP, AUTO = "anytime-window-astar", "ilp", "auto"
REPAIRING, WEIGHTED = "anytime-repairing-astar", "anytime-weighted-astar"
WITHOUT_START = ",local-search=0"
CLEARLY, LEAST_SECONDS = 1.2, 0.05  # differences in time that are not noise
WIDTH = 100  # of lines of text


class Measured(Protocol):
    """What is known of an algorithm on a data set, here or in the paper."""

    @property
    def pops(self) -> int | None:
        """Parent sets that can be optimal."""

    @property
    def ratio_at_snapshot(self) -> float | None:
        """Cost over the best known; None if there was no network yet."""

    @property
    def error_bound_at_snapshot(self) -> float | None:
        """Cost over lower bound, at the same time."""

    @property
    def ratio(self) -> float | None:
        """Cost over the best known at the end."""

    @property
    def error_bound(self) -> float | None:
        """Cost over lower bound at the end."""

    @property
    def bound_seconds(self) -> float | None:
        """Until the last improvement."""


Rows = dict[str, dict[str, Measured]]
"""By data set and algorithm."""


def better(one: Measured, other: Measured) -> int:
    """1 if the first has the lower error bound or, with the same, had it clearly earlier; -1, 0."""
    bounds = one.error_bound or math.inf, other.error_bound or math.inf
    if bounds[0] != bounds[1]:
        return 1 if bounds[0] < bounds[1] else -1
    seconds = one.bound_seconds or 0.0, other.bound_seconds or 0.0
    if max(seconds) - min(seconds) < LEAST_SECONDS or max(seconds) < CLEARLY * min(seconds):
        return 0
    return 1 if seconds[0] < seconds[1] else -1


def with_both(rows: Rows, one: str, other: str) -> list[tuple[Measured, Measured]]:
    """Give what is known of two algorithms on the data sets on which both ran."""
    return [(own[one], own[other]) for own in rows.values() if one in own and other in own]


def won_and_lost(rows: Rows, one: str, other: str) -> tuple[int, int]:
    """On how many data sets the first was better, and on how many the second."""
    outcomes = [better(*both) for both in with_both(rows, one, other)]
    return outcomes.count(1), outcomes.count(-1)


def is_proven(row: Measured) -> bool:
    """Whether the network at the end is proven optimal."""
    return row.error_bound == 1


def proof_or_gap(row: Measured) -> str:
    """Seconds to a proof, or the error bound at the end."""
    if is_proven(row):
        return f"{row.bound_seconds or 0:.2f} s"
    return "unknown" if row.error_bound is None else f"{100 * (row.error_bound - 1):.2f} %"


def by_density(report: Report, among: Collection[str]) -> list[tuple[str, str]]:
    """Pair neighbours that differ only in the parents of the generating network, sparser first."""
    key = ("variables", "rows", "seed", "max_parents")
    data = [
        d
        for d in report.data_sets
        if d.name in among and d.specification.data["kind"] == "generated"
    ]
    data.sort(key=lambda d: [d.specification.data[name] for name in key])
    return [
        (sparse.name, dense.name)
        for sparse, dense in pairwise(data)
        if all(sparse.specification.data[k] == dense.specification.data[k] for k in key[:-1])
    ]


def verdict(holds: bool) -> str:
    """Say whether a finding holds."""
    return "it holds" if holds else "it does not hold"


def counted(number: int, thing: str) -> str:
    """Say how many there are of something."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


# --- Markdown ---


def wrapped(text: str, *, indent: str = "") -> str:
    """Break a paragraph into lines."""
    return textwrap.fill(
        text, WIDTH, subsequent_indent=indent, break_on_hyphens=False, break_long_words=False
    )


def item(text: str) -> str:
    """Write an entry of a list."""
    return wrapped(f"- {text}", indent="  ")


def table(heads: Sequence[str], lines: Iterable[Sequence[str]], *, texts: int = 1) -> str:
    """Lay a table out: texts to the left, in the first columns, and numbers to the right."""
    rules = [*[":--"] * texts, *["--:"] * (len(heads) - texts)]
    rows = [heads, rules, *lines]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def pictures(folder: Path, kind: str) -> list[str]:
    """Show all pictures of a kind."""
    return [f"![{path.stem}]({path.name})" for path in sorted(folder.glob(f"{kind}*.svg"))]


def failures(report: Report) -> list[str]:
    """What went wrong, as a section; empty if nothing did."""
    if not report.failures:
        return []
    return ["## Failures", "\n".join(item(f"{f.what}: {f.message}") for f in report.failures)]


def surroundings(report: Report) -> str:
    """Say on what machine and with what versions a study was run."""
    runs = list(report.stored.runs.values())
    described: Mapping[str, dict[str, None]] = {"machines": {}, "versions": {}}
    for run in runs:
        machine = run.values["machine"]
        cores = "1 core" if machine["cores"] == 1 else f"{machine['cores']} cores"
        described["machines"][
            f"{cores} of an {machine['cpu']} with {format_memory(machine['memory_bytes'])} "
            f"({machine['system']})"
        ] = None
        named = ", ".join(f"{name} {value}" for name, value in run.values["versions"].items())
        described["versions"][named] = None
    load = statistics.median(run.values["machine"]["load_at_start"] for run in runs)
    text = (
        f"{', '.join(described['machines'])}; median load {load:.1f} when runs started; "
        f"{'; '.join(described['versions'])}"
    )
    if any(len(own) > 1 for own in described.values()):
        text += " (several machines or versions: times cannot be compared between them)"
    return text
