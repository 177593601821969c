"""A view in notebooks that moves while something is learned.

Nothing here needs IPython, unless the process is a notebook's, where it is loaded already.
"""

from __future__ import annotations

import html
import sys
from typing import TYPE_CHECKING, Any, NamedTuple

from anytimebn.base.clock import SYSTEM_CLOCK, Clock, Stopwatch
from anytimebn.base.memory_units import format_memory
from anytimebn.base.optional import optional
from anytimebn.base.report import REPLICATES, SCORING, Report
from anytimebn.base.text import format_seconds
from anytimebn.draw.style import BOUND_COLOUR, COST_COLOUR
from anytimebn.result.html import html_table
from anytimebn.watch.standing import Standing, share_done, title_of

if TYPE_CHECKING:
    from collections.abc import Sequence

FIRST_AFTER = 0.7  # seconds; a shorter search is not shown
REFRESH_SECONDS = 0.5
CHART_WIDTH, CHART_HEIGHT = 420, 120
CHART_MARGIN = 4  # above and below, for lines that are two wide
MOST_POINTS = 200  # of a line: views of long searches must not grow
SPANS_SHOWN = 3  # of the first cost to the last bound, below the last cost: the rest is cut off
SMALLEST_SPAN = 1e-6  # keeps the chart from having no height


class Moment(NamedTuple):
    """What was known when."""

    seconds: float
    cost: float
    lower_bound: float | None


def in_notebook() -> bool:
    """Tell whether this process is the kernel of a notebook."""
    ipython = sys.modules.get("IPython")
    shell = None if ipython is None else ipython.get_ipython()
    return shell is not None and hasattr(shell, "kernel")


def show_link(address: str, words: str) -> None:
    """Show an address that people can click on, below the cell that runs."""
    displays = optional("IPython.display", needed_for="a link", install="ipython")
    linked = f'<div>{html.escape(words)}: <a href="{html.escape(address)}" target="_blank" '
    linked += f'rel="noopener">{html.escape(address)}</a></div>'
    displays.display({"text/html": linked, "text/plain": f"{words}: {address}"}, raw=True)


class LiveView:
    """A display in a notebook that follows what is reported, until it is closed."""

    def __init__(self, clock: Clock = SYSTEM_CLOCK, *, time_limit: float | None = None) -> None:
        self._watch = Stopwatch.started(clock)
        self._standing = Standing(self._watch, time_limit)
        self._next = FIRST_AFTER
        self._handle: Any = None
        self._history: list[Moment] = []

    def show(self, now: Report) -> None:
        """Show where the work stands, if it is time for that."""
        seconds = self._watch.elapsed()
        if now.cost is not None:
            self._remember(Moment(seconds, now.cost, now.lower_bound))
        if seconds < self._next:
            return
        self._next = seconds + REFRESH_SECONDS
        content = self._search(now) if now.fraction is None else bar(now)
        bundle = {"text/html": f"<div>{content}</div>"}
        if self._handle is None:
            shown = optional("IPython.display", needed_for="a live view", install="ipython")
            self._handle = shown.display(bundle, raw=True, display_id=True)
        else:
            self._handle.update(bundle, raw=True)

    def close(self) -> None:
        """Take the display away: the result shows itself."""
        if self._handle is not None:
            self._handle.update({"text/html": ""}, raw=True)

    def _remember(self, now: Moment) -> None:
        """Keep the first and the last moment of each cost and bound."""
        latest = self._history[-2:]
        if len(latest) == 2 and all(now._replace(seconds=m.seconds) == m for m in latest):
            self._history.pop()
        self._history.append(now)

    def _search(self, now: Report) -> str:
        """Cost and bound, and how they came to be."""
        rows = {name: said for name, said in self._standing.rows(now).items() if said}
        return (
            f"<strong>{title_of(now)}</strong>: "
            "interrupt the kernel to keep the best so far" + html_table(rows) + chart(self._history)
        )


def bar(now: Report) -> str:
    """Show work whose amount is known."""
    told = {
        SCORING: f"parent sets of up to {now.max_parents}, about {format_memory(now.memory_bytes)}",
        REPLICATES: f"{format_seconds(now.seconds)}; interrupt the kernel to keep what is done",
    }
    return (
        f"<strong>{now.phase}</strong>: {share_done(now)} "
        f'<progress value="{now.fraction:.3f}" max="1"></progress> {told.get(now.phase, "")}'
    )


def chart(history: Sequence[Moment]) -> str:
    """Draw cost and lower bound over time as a small picture, quickly.

    Examples
    --------
    >>> chart([Moment(1.0, 12.0, 8.0), Moment(2.0, 11.0, 10.0)]).count("<polyline")
    2
    >>> chart([])
    ''
    """
    if not history:
        return ""
    costs = [moment.cost for moment in history]
    bounds = [moment.lower_bound for moment in history if moment.lower_bound is not None]
    low, high = min(costs), max(costs)
    if bounds:
        # First bounds that are far below would press all that matters into one line.
        span = max(costs[0] - bounds[-1], SMALLEST_SPAN)
        low = max(min(bounds), costs[-1] - SPANS_SHOWN * span)
    last = history[-1].seconds or 1.0
    up = (CHART_HEIGHT - 2 * CHART_MARGIN) / ((high - low) or 1.0)
    # Of moments that are close to each other the last.
    drawn = {int(MOST_POINTS * moment.seconds / last): moment for moment in history}.values()

    def line(known: Sequence[tuple[float, float | None]], colour: str) -> str:
        points: list[str] = []
        before = None
        for seconds, value in known:
            if value is None:
                continue
            x = CHART_WIDTH * seconds / last
            y = CHART_HEIGHT - CHART_MARGIN - up * max(0.0, value - low)
            if before is not None:
                points.append(f"{x:.1f},{before:.1f}")
            points.append(f"{x:.1f},{y:.1f}")
            before = y
        along = " ".join(points)
        return f'<polyline fill="none" stroke="{colour}" stroke-width="2" points="{along}"/>'

    return (
        f'<svg width="{CHART_WIDTH}" height="{CHART_HEIGHT}" style="background: white">'
        + line([(moment.seconds, moment.cost) for moment in drawn], COST_COLOUR)
        + line([(moment.seconds, moment.lower_bound) for moment in drawn], BOUND_COLOUR)
        + "</svg><div>"
        f'<span style="color: {COST_COLOUR}">best network found</span> · '
        f'<span style="color: {BOUND_COLOUR}">lower bound</span></div>'
    )
