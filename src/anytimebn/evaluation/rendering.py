"""Tables as text, CSV and LaTeX.

Ratios and error bounds are rounded up: what is not proven must not look like 1.0000.
"""

from __future__ import annotations

import csv
import io
import math
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from anytimebn.evaluation.tables import Table1Row, Table2Row

ABSENT = "–"
PROOF, STAR = "✓", "*"
ALGORITHMS_A_LATEX_TABLE = 3
TEXT_COLUMNS = ("data set", "algorithm", "run", "outcome", "again")
"""Titles of columns that hold text; all others hold numbers."""

NOTES_1 = (
    f"{PROOF}: proven optimal by some run. Ratios are of the cost to the best cost of the data "
    "set; bounds are cost over lower bound, 1 is proven; both are rounded up. Time: seconds until "
    f"the last improvement of cost or bound, scoring not included. {STAR}: memory ran out."
)
NOTES_2 = (
    "Share of all 2^n nodes of the order graph with f = g* + h below the optimum, by heuristic. "
    "Average parents per variable of the generating and of the learned network. SHD: pairs of "
    "variables between which the equivalence classes (CPDAGs) of the two differ. "
    f"{PROOF}: the learned network is optimal."
)


def rounded_up(value: float | None, digits: int = 4) -> str:
    """At most this, with a given number of digits.

    Examples
    --------
    >>> rounded_up(1.0), rounded_up(1.00001), rounded_up(1.2), rounded_up(None)
    ('1.0000', '1.0001', '1.2000', '–')
    """
    if value is None:
        return ABSENT
    scale = 10**digits
    # What rounding errors of a division put on top does not count.
    return f"{math.ceil(value * scale * (1 - 1e-14)) / scale:.{digits}f}"


def seconds_text(value: float | None) -> str:
    """Three digits, as far as they say something."""
    if value is None:
        return ABSENT
    return f"{value:.2f}" if value < 10 else f"{value:.1f}" if value < 100 else f"{value:,.0f}"


def number_text(value: float | None, digits: int = 0) -> str:
    """Group thousands."""
    return ABSENT if value is None else f"{value:,.{digits}f}"


def share_text(value: float | None) -> str:
    """Give a fraction in percent; small ones keep three digits.

    Examples
    --------
    >>> share_text(0.1234567), share_text(0.0000012345)
    ('12.346 %', '0.000123 %')
    """
    if value is None:
        return ABSENT
    percent = 100 * value
    return f"{percent:.3f} %" if percent >= 0.1 or percent == 0 else f"{percent:#.3g} %"


def cost_text(row: Table1Row) -> str:
    """Best cost with its proof mark."""
    if row.best_cost is None:
        return ABSENT
    return f"{row.best_cost:,.2f}{f' {PROOF}' if row.proven else ''}"


def time_text(row: Table1Row) -> str:
    """Seconds with the star, or what there is instead of a result."""
    if row.cost is None:
        return row.outcome + (STAR if row.out_of_memory else "")
    return seconds_text(row.bound_seconds) + (STAR if row.out_of_memory else "")


def table1_cells(row: Table1Row) -> list[str]:
    """What is shown of an algorithm."""
    return [
        rounded_up(row.ratio_at_snapshot),
        rounded_up(row.error_bound_at_snapshot),
        rounded_up(row.ratio),
        rounded_up(row.error_bound),
        time_text(row),
    ]


BOUND_AT_END = "bound end"


def table1_heads(snapshot: float) -> list[str]:
    """Titles of what is shown of an algorithm."""
    return [f"ratio {snapshot:g} s", f"bound {snapshot:g} s", "ratio end", BOUND_AT_END, "time"]


def table1_text(rows: Sequence[Table1Row], snapshot: float) -> str:
    """Lay Table 1 out, one line per algorithm."""
    heads = ["data set", "POPS", "best cost", "algorithm", *table1_heads(snapshot)]
    lines, before = [], None
    for row in rows:
        first = [row.data_set, number_text(row.pops), cost_text(row)]
        shown = first if row.data_set != before else ["", "", ""]
        lines.append([*shown, row.algorithm, *table1_cells(row)])
        before = row.data_set
    return _text(heads, lines) + f"\n{_wrapped(NOTES_1)}\n"


def table2_heuristics(rows: Iterable[Table2Row]) -> list[str]:
    """All heuristics, in the order in which they first occur."""
    return list(dict.fromkeys(name for row in rows for name in row.shares_below))


def table2_heads(heuristics: Sequence[str]) -> list[str]:
    """Titles of the columns."""
    shares = [f"f < opt {name}" for name in heuristics]
    return ["data set", "POPS", *shares, "parents gen.", "parents learned", "SHD"]


def table2_cells(row: Table2Row, heuristics: Sequence[str]) -> list[str]:
    """What is shown of a data set."""
    absent = ABSENT if row.outcome == "done" else row.outcome
    learned = number_text(row.parents_learned, 2)
    return [
        row.data_set,
        number_text(row.pops),
        *(
            share_text(row.shares_below[name]) if name in row.shares_below else absent
            for name in heuristics
        ),
        number_text(row.parents_generated, 2),
        f"{learned} {PROOF}" if row.proven and row.parents_learned is not None else learned,
        number_text(row.hamming_distance),
    ]


def table2_text(rows: Sequence[Table2Row]) -> str:
    """Lay Table 2 out, one line per data set."""
    heuristics = table2_heuristics(rows)
    lines = [table2_cells(row, heuristics) for row in rows]
    return _text(table2_heads(heuristics), lines) + f"\n{_wrapped(NOTES_2)}\n"


def to_csv(rows: Sequence[Table1Row] | Sequence[Table2Row]) -> str:
    """All numbers as they are, one line per row."""
    records = [row.to_json() for row in rows]
    names = list(dict.fromkeys(name for record in records for name in record))
    text = io.StringIO()
    writer = csv.DictWriter(text, names, lineterminator="\n")
    writer.writeheader()
    writer.writerows({key: _csv_value(value) for key, value in r.items()} for r in records)
    return text.getvalue()


def table1_latex(rows: Sequence[Table1Row], snapshot: float) -> str:
    """Set Table 1 as in the paper: one line per data set, algorithms side by side."""
    labels = list(dict.fromkeys(row.algorithm for row in rows))
    names = list(dict.fromkeys(row.data_set for row in rows))
    cells = {(row.data_set, row.algorithm): row for row in rows}
    first = {row.data_set: row for row in rows}
    tables = []
    for begin in range(0, len(labels), ALGORITHMS_A_LATEX_TABLE):
        some = labels[begin : begin + ALGORITHMS_A_LATEX_TABLE]
        heads = table1_heads(snapshot)
        groups = "".join(
            rf" & \multicolumn{{{len(heads)}}}{{c}}{{{latex(label)}}}" for label in some
        )
        lines = [
            [
                name,
                number_text(first[name].pops),
                cost_text(first[name]),
                *(
                    cell
                    for label in some
                    for cell in (
                        table1_cells(cells[name, label])
                        if (name, label) in cells
                        else [ABSENT] * len(heads)
                    )
                ),
            ]
            for name in names
        ]
        tables.append(
            _latex_table(
                "lrr" + "|rrrrr" * len(some),
                [f" & & {groups} \\\\"],
                ["data set", "POPS", "best cost", *heads * len(some)],
                lines,
                NOTES_1,
            )
        )
    return "\n".join(tables)


def table2_latex(rows: Sequence[Table2Row]) -> str:
    """Set Table 2."""
    heuristics = table2_heuristics(rows)
    lines = [table2_cells(row, heuristics) for row in rows]
    heads = table2_heads(heuristics)
    return _latex_table("l" + "r" * (len(heads) - 1), [], heads, lines, NOTES_2)


_LATEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "–": "--",
    PROOF: r"$\surd$",
    STAR: "$^{*}$",
    "<": "$<$",
    ">": "$>$",
    **{character: f"\\{character}" for character in "&%$#_{}"},
}


def latex(text: str) -> str:
    r"""Escape what LaTeX would read as a command.

    Examples
    --------
    >>> print(latex("50 % of a_b & c^2"))
    50 \% of a\_b \& c\textasciicircum{}2
    """
    return "".join(_LATEX.get(character, character) for character in text)


def _latex_table(
    columns: str,
    above: Sequence[str],
    heads: Sequence[str],
    lines: Sequence[Sequence[str]],
    notes: str,
) -> str:
    body = [" & ".join(map(latex, line)) + r" \\" for line in lines]
    return "\n".join(
        [
            r"\begin{table*}",
            r"\centering\scriptsize",
            rf"\begin{{tabular}}{{{columns}}}",
            r"\hline",
            *above,
            " & ".join(map(latex, heads)) + r" \\",
            r"\hline",
            *body,
            r"\hline",
            r"\end{tabular}",
            rf"\caption{{{latex(notes)}}}",
            r"\end{table*}",
            "",
        ]
    )


def _text(heads: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    widths = [max(len(line[i]) for line in [heads, *lines]) for i in range(len(heads))]

    def joined(line: Sequence[str]) -> str:
        cells = [
            cell.ljust(width) if head in TEXT_COLUMNS else cell.rjust(width)
            for head, cell, width in zip(heads, line, widths, strict=True)
        ]
        return "  ".join(cells).rstrip()

    rule = "  ".join("-" * width for width in widths)
    return "\n".join([joined(heads), rule, *map(joined, lines), ""])


def _wrapped(text: str, width: int = 100) -> str:
    import textwrap

    return textwrap.fill(text, width)


def _csv_value(value: Any) -> Any:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else value
