"""Results as HTML, for notebooks."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

from anytimebn.draw.embed import embedded_image
from anytimebn.network.html import network_html
from anytimebn.result.event import bound_in_words

if TYPE_CHECKING:
    from collections.abc import Mapping

    from anytimebn.result.result import Result


LEFT = 'style="text-align: left"'


def result_html(result: Result) -> str:
    """Show a result: how it ended, its bounds, its network, and how the bounds converged."""
    from anytimebn.result.words import gap_in_words, status_line

    rows = {
        "cost": f"{result.cost:,.4f} nats ({html.escape(result.score_name)})",
        "lower bound": bound_in_words(result.lower_bound, result.cost, 4),
        "gap": html.escape(gap_in_words(result)),
        "search": f"{html.escape(result.algorithm)}, {result.expanded:,} nodes",
        "time": f"{result.seconds['total']:.2f} s",
    }
    parts = [f"<strong>{html.escape(status_line(result))}</strong>", html_table(rows)]
    if len(result.events) > 1:
        parts.append(embedded_image(result.plot, "cost and lower bound over time", "420px"))
    parts.append(network_html(result.network, result.arc_strengths))
    return f"<div>{''.join(parts)}</div>"


def html_table(rows: Mapping[str, str]) -> str:
    """Give names and values as a table of two columns."""
    cells = "".join(
        f"<tr><th {LEFT}>{name}</th><td {LEFT}>{value}</td></tr>" for name, value in rows.items()
    )
    return f"<table>{cells}</table>"
