"""The report as one page: tables and pictures in it, nothing loaded from elsewhere."""

from __future__ import annotations

import base64
from collections import Counter
from html import escape as escape_markup
from string import Template
from typing import TYPE_CHECKING

from anytimebn.base.memory_units import format_memory
from anytimebn.draw.style import BORDER, COST_COLOUR, TEXT
from anytimebn.evaluation import rendering

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from anytimebn.evaluation.specification import Specification
    from anytimebn.evaluation.store import Run, Stored
    from anytimebn.evaluation.tables import Failure, Table1Row, Table2Row

STYLE = Template("""
:root { color-scheme: light; }
body { font: 15px/1.5 system-ui, sans-serif; color: $TEXT; background: #fff; margin: 0 auto;
  max-width: 75rem; padding: 1.5rem; }
h1 { font-size: 1.6rem; margin: 0 0 .3rem; } h2 { font-size: 1.2rem; margin: 2.2rem 0 .6rem; }
p { max-width: 60rem; margin: .4rem 0; } .note { color: #566; font-size: .87rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: .87rem; font-variant-numeric: tabular-nums; }
th, td { padding: .2rem .7rem; text-align: right; white-space: nowrap; }
th { border-bottom: 2px solid $BORDER; font-weight: 600; vertical-align: bottom; }
td.text, th.text { text-align: left; } td { vertical-align: top; }
tr.first td { border-top: 1px solid #ccd5e0; }
td.best { font-weight: 700; } td.absent { color: #8a93a0; }
td.wide { white-space: normal; overflow-wrap: anywhere; }
.failures { border: 1px solid $ALARM; border-left-width: 5px; border-radius: 4px;
  padding: .6rem 1rem; background: #fdf3f1; }
.fine { border: 1px solid #9cc3a5; border-left: 5px solid #3b8550; border-radius: 4px;
  padding: .6rem 1rem; background: #f2f9f4; }
pre { font-size: .8rem; white-space: pre-wrap; overflow-wrap: anywhere; margin: .3rem 0; }
.pictures { display: grid; grid-template-columns: repeat(auto-fill, minmax(33rem, 1fr));
  gap: 1rem; }
.pictures.wide { grid-template-columns: 1fr; }
figure { margin: 0; } img { width: 100%; max-width: 60rem; height: auto; }
details { margin: .4rem 0; } summary { cursor: pointer; color: $BORDER; }
@media (max-width: 40rem) { .pictures { grid-template-columns: 1fr; } body { padding: .8rem; } }
""").substitute(TEXT=TEXT, BORDER=BORDER, ALARM=COST_COLOUR)


def page(
    stored: Stored,
    *,
    title: str,
    failures: Sequence[Failure],
    rows1: Sequence[Table1Row],
    rows2: Sequence[Table2Row],
    snapshot: float,
    pictures: Mapping[str, Mapping[str, str]],  # by figure and name: SVG
) -> str:
    """Write the page."""
    parts = [f"<h1>{escape(title)}</h1>", _failures(failures), _summary(stored)]
    parts.append(_missing(stored.missing))
    if rows1:
        parts += ["<h2>Table 1: quality over time</h2>", _table1(rows1, snapshot)]
        parts.append(_note(rendering.NOTES_1))
    for figure, heading in (
        ("figure2", "Figure 2: convergence of cost (above) and lower bound (below)"),
        ("table2", "Table 2: nodes below the optimum, and learned networks"),
        ("figure3", "Figure 3: distribution of f over all nodes"),
        ("figure4", "Figure 4: average parent-set size by layer of the order graph"),
    ):
        if figure == "table2" and rows2:
            parts += [f"<h2>{heading}</h2>", _table2(rows2), _note(rendering.NOTES_2)]
        elif pictures.get(figure):
            wide = figure == "figure4"
            parts += [f"<h2>{heading}</h2>", _pictures(pictures[figure], wide=wide)]
    parts += ["<h2>Runs</h2>", _runs(stored)]
    body = "\n".join(part for part in parts if part)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8"/>\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1"/>\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n"
        f"<body>\n{body}\n</body>\n</html>\n"
    )


def _summary(stored: Stored) -> str:
    runs = list(stored.runs.values())
    outcomes = Counter(run.outcome for run in runs)
    counts = ", ".join(f"{count} {kind}" for kind, count in sorted(outcomes.items()))
    lines = [f"{len(runs)} runs ({counts or 'none yet'}), {len(stored.missing)} missing."]
    machines = {
        f"{m['cpu']}, {m['cores']} core{'s' * (m['cores'] != 1)}, "
        f"{format_memory(m['memory_bytes'])}, {m['system']}, {m['instruction_set']}"
        for m in (run.values["machine"] for run in runs)
    }
    versions = {
        ", ".join(f"{name} {value}" for name, value in run.values["versions"].items())
        for run in runs
    }
    lines += [f"Machine: {text}." for text in sorted(machines)]
    lines += [f"Versions: {text}." for text in sorted(versions)]
    if len(machines) > 1 or len(versions) > 1:
        lines.append("Runs are from several machines or versions: times cannot be compared.")
    lines += [f"Limits: {text}." for text in _limits(runs)]
    busy = sum(r.values["machine"]["load_at_start"] > r.values["machine"]["cores"] for r in runs)
    if busy:
        lines.append(f"{busy} runs started while the machine had more to do than cores.")
    return "".join(f"<p>{escape(line)}</p>" for line in lines)


def _limits(runs: Iterable[Run]) -> list[str]:
    found = set()
    for run in runs:
        settings = run.specification.settings
        if run.specification.kind == "scoring":
            continue
        time, memory = settings["time_limit"], settings["memory_limit"]
        found.add(
            f"{run.specification.kind}: {'no time limit' if time is None else f'{time:g} s'}, "
            f"{memory or 'free memory'}, {settings['threads']} thread"
            f"{'' if settings['threads'] == 1 else 's'}, seed {settings['seed']}"
        )
    return sorted(found)


def _failures(failures: Sequence[Failure]) -> str:
    if not failures:
        return '<p class="fine">No unexplained failures, and no two proofs contradict.</p>'
    items = "".join(
        f"<details><summary>{escape(failure.what)}: {escape(failure.message)}</summary>"
        f"<pre>{escape(failure.errors or 'It printed nothing.')}</pre></details>"
        for failure in failures
    )
    return f'<h2>Failures</h2><div class="failures">{items}</div>'


def _missing(missing: Sequence[Specification]) -> str:
    if not missing:
        return ""
    names = "".join(f"<li>{escape(f'{s.data_set} {s.label}')}</li>" for s in missing)
    return (
        f"<details><summary>Missing: {len(missing)} of the runs that were planned; the command "
        f"that began the study continues with them</summary><ul>{names}</ul></details>"
    )


def _table1(rows: Sequence[Table1Row], snapshot: float) -> str:
    own_heads = rendering.table1_heads(snapshot)
    heads = ["data set", "POPS", "best cost", "algorithm", *own_heads]
    lines, before = [], None
    for row in rows:
        same = [other for other in rows if other.data_set == row.data_set]
        cells = []
        if row.data_set != before:
            span = f' rowspan="{len(same)}"'
            cells += [
                f'<td class="text"{span}>{escape(row.data_set)}</td>',
                f"<td{span}>{rendering.number_text(row.pops)}</td>",
                f"<td{span}>{rendering.cost_text(row)}</td>",
            ]
        cells.append(f'<td class="text">{escape(row.algorithm)}</td>')
        lowest = min((r.error_bound for r in same if r.error_bound is not None), default=None)
        for head, text in zip(own_heads, rendering.table1_cells(row), strict=True):
            is_best = (
                head == rendering.BOUND_AT_END
                and row.error_bound is not None
                and row.error_bound == lowest
            )
            shown = "best" if is_best else "absent" if row.cost is None else ""
            cells.append(f"<td{_class(shown)}>{escape(text)}</td>")
        first = _class("first" if row.data_set != before else "")
        lines.append(f"<tr{first}>{''.join(cells)}</tr>")
        before = row.data_set
    return _html_table(heads, lines)


def _table2(rows: Sequence[Table2Row]) -> str:
    heuristics = rendering.table2_heuristics(rows)
    lines = []
    for row in rows:
        first, *others = rendering.table2_cells(row, heuristics)
        cells = "".join(f"<td>{escape(text)}</td>" for text in others)
        lines.append(f'<tr class="first"><td class="text">{escape(first)}</td>{cells}</tr>')
    return _html_table(rendering.table2_heads(heuristics), lines)


def _runs(stored: Stored) -> str:
    heads = ["data set", "run", "outcome", "seconds", "peak memory", "nodes", "again"]
    lines = []
    for run in sorted(
        stored.runs.values(), key=lambda r: (r.specification.data_set, r.specification.label)
    ):
        result = run.result or {}
        cells = (
            ("text", run.specification.data_set),
            ("text", run.specification.label),
            ("text", f"{run.outcome}: {run.explain()}" if run.failed else run.explain()),
            ("", rendering.seconds_text(run.values["seconds"])),
            ("", format_memory(run.values["peak_memory_bytes"])),
            ("", rendering.number_text(result.get("expanded"))),
            ("text wide", run.values["again"] or ""),
        )
        shown = "".join(f"<td{_class(c)}>{escape(text)}</td>" for c, text in cells)
        lines.append(f'<tr class="first">{shown}</tr>')
    table = _html_table(heads, lines)
    return f"<details><summary>All {len(lines)} runs</summary>{table}</details>"


def _pictures(pictures: Mapping[str, str], *, wide: bool) -> str:
    shown = "".join(
        f'<figure><img alt="{escape(name)}" src="data:image/svg+xml;base64,'
        f'{base64.b64encode(svg.encode()).decode()}"/></figure>'
        for name, svg in pictures.items()
    )
    return f'<div class="pictures{" wide" if wide else ""}">{shown}</div>'


def _html_table(heads: Sequence[str], lines: Sequence[str]) -> str:
    titles = "".join(
        f"<th{_class('text' if head in rendering.TEXT_COLUMNS else '')}>{escape(head)}</th>"
        for head in heads
    )
    return (
        f'<div class="scroll"><table><thead><tr>{titles}</tr></thead>'
        f"<tbody>{''.join(lines)}</tbody></table></div>"
    )


def _class(name: str) -> str:
    return f' class="{name}"' if name else ""


def _note(text: str) -> str:
    return f'<p class="note">{escape(text)}</p>'


def escape(text: str) -> str:
    r"""Escape text for a page, which may have no control characters.

    Examples
    --------
    >>> escape("a < b\x00")
    'a &lt; b'
    """
    return escape_markup("".join(c for c in text if c.isprintable() or c in "\n\t"))
