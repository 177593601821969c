"""What notebooks show: networks and results as HTML, and a view that moves while learning.

Nothing here needs IPython; `live_view` uses it if the process is a notebook's, where it is loaded
already.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Protocol

from anytimebn.base.clock import SYSTEM_CLOCK, Clock, Stopwatch
from anytimebn.base.memory_units import format_memory
from anytimebn.base.optional import optional
from anytimebn.draw.style import BOUND_COLOUR, COST_COLOUR
from anytimebn.result.event import error_bound
from anytimebn.result.html import html_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from anytimebn.scores.scoring import ScoringProgress
    from anytimebn.solver.outcome import SearchProgress


FIRST_AFTER = 0.7  # seconds; a shorter search is not shown
REFRESH_SECONDS = 0.5
CHART_WIDTH, CHART_HEIGHT = 420, 120
MOST_POINTS = 200  # of a line: views of long searches must not grow

Moment = tuple[float, float, float | None]
"""Seconds, cost, and lower bound if one is known."""


def in_notebook() -> bool:
    """Tell whether this process is the kernel of a notebook."""
    ipython = sys.modules.get("IPython")
    shell = None if ipython is None else ipython.get_ipython()
    return shell is not None and hasattr(shell, "kernel")


def _number(value: float | None, digits: int) -> str:
    return "none yet" if value is None else f"{value:,.{digits}f}"


class ReplicatesDone(Protocol):
    """How far resampling has come."""

    @property
    def done(self) -> int:
        """Networks learned so far."""

    @property
    def replicates(self) -> int:
        """Networks in the end."""

    @property
    def seconds(self) -> float:
        """Since the beginning."""


class LiveView:
    """A display in a notebook that follows scoring and searching, and disappears afterwards."""

    def __init__(self, clock: Clock = SYSTEM_CLOCK) -> None:
        self._watch = Stopwatch.started(clock)
        self._next = FIRST_AFTER
        self._handle: Any = None
        self._history: list[Moment] = []  # seconds, cost, lower bound

    def scoring(self, now: ScoringProgress) -> None:
        """Show how far scoring is."""
        percent = f"{100 * now.fraction:.0f} %"
        self._show(
            f"<strong>scoring</strong> {percent} "
            f'<progress value="{now.fraction:.3f}" max="1"></progress> '
            f"parent sets of up to {now.max_parents}, about {format_memory(now.memory_bytes)}"
        )

    def searching(self, now: SearchProgress) -> None:
        """Show cost and bound, and how they came to be."""
        seconds = self._watch.elapsed()
        if now.cost is not None:
            self._history.append((seconds, now.cost, now.lower_bound))
        bound = None if now.cost is None else error_bound(now.cost, now.lower_bound)
        rows = {
            "elapsed": f"{seconds:.1f} s",
            "cost": _number(now.cost, 3),
            "lower bound": _number(now.lower_bound, 3),
            "above optimum": "unknown" if bound is None else f"at most {100 * (bound - 1):.3f} %",
            "nodes": f"{now.expanded:,}" + (f" of about {now.expected:,}" if now.expected else ""),
            "memory": format_memory(now.memory_bytes),
        }
        self._show(
            "<strong>searching</strong>: interrupt the kernel to keep the best so far"
            + html_table(rows)
            + chart(self._history)
        )

    def replicates(self, now: ReplicatesDone) -> None:
        """Show how many replicates are learned."""
        self._show(
            f"<strong>replicates</strong>: {now.done} of {now.replicates} "
            f'<progress value="{now.done}" max="{now.replicates}"></progress> '
            f"{now.seconds:.1f} s; interrupt the kernel to keep what is done"
        )

    def close(self) -> None:
        """Take the display away: the result shows itself."""
        if self._handle is not None:
            self._handle.update({"text/html": ""}, raw=True)

    def _show(self, content: str) -> None:
        seconds = self._watch.elapsed()
        if seconds < self._next:
            return
        self._next = seconds + REFRESH_SECONDS
        bundle = {"text/html": f"<div>{content}</div>"}
        if self._handle is None:
            shown = optional("IPython.display", needed_for="a live view", install="ipython")
            self._handle = shown.display(bundle, raw=True, display_id=True)
        else:
            self._handle.update(bundle, raw=True)


def live_view(progress: object, clock: Clock = SYSTEM_CLOCK) -> LiveView | None:
    """Make a view if progress is to be shown here, and nobody else shows it."""
    return LiveView(clock) if progress == "auto" and in_notebook() else None


def chart(history: Sequence[Moment]) -> str:
    """Draw cost and lower bound over time as a small picture, quickly.

    Examples
    --------
    >>> chart([(1.0, 12.0, 8.0), (2.0, 11.0, 10.0)]).count("<polyline")
    2
    >>> chart([])
    ''
    """
    if not history:
        return ""
    costs = [cost for _, cost, _ in history]
    bounds = [bound for _, _, bound in history if bound is not None]
    # First bounds that are far below would press all that matters into one line.
    low = (
        max(min(bounds), costs[-1] - 3 * max(costs[0] - bounds[-1], 1e-6)) if bounds else min(costs)
    )
    high = max(costs)
    last = history[-1][0] or 1.0
    lines = []
    for column, colour in ((1, COST_COLOUR), (2, BOUND_COLOUR)):
        points, before = [], None
        for entry in [*history[:: 1 + len(history) // MOST_POINTS], history[-1]]:
            value = entry[column]
            if value is None:
                continue
            x = CHART_WIDTH * entry[0] / last
            share = (value - low) / ((high - low) or 1.0)
            y = 4 + (CHART_HEIGHT - 8) * (1 - max(0.0, share))
            if before is not None:
                points.append(f"{x:.1f},{before:.1f}")
            points.append(f"{x:.1f},{y:.1f}")
            before = y
        along = " ".join(points)
        lines.append(f'<polyline fill="none" stroke="{colour}" stroke-width="2" points="{along}"/>')
    return (
        f'<svg width="{CHART_WIDTH}" height="{CHART_HEIGHT}" style="background: white">'
        f"{''.join(lines)}</svg><div>"
        f'<span style="color: {COST_COLOUR}">best network found</span> · '
        f'<span style="color: {BOUND_COLOUR}">lower bound</span></div>'
    )
