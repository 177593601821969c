"""What people see while they wait: one bar while scoring, one panel while searching."""

from __future__ import annotations

import math
import sys
from collections import deque
from typing import TYPE_CHECKING, Any

from rich.console import Console

from anytimebn.base.clock import SYSTEM_CLOCK, Clock, Stopwatch
from anytimebn.base.memory_units import format_memory
from anytimebn.base.text import format_seconds
from anytimebn.result.event import error_bound

if TYPE_CHECKING:
    from rich.live import Live
    from rich.progress import Progress, TaskID

    from anytimebn.scores.scoring import ScoringProgress
    from anytimebn.solver.outcome import SearchProgress

REFRESH_SECONDS = 0.1
RATE_SECONDS = 3.0
WIDTH_OF_FILES = 120


def make_console(*, quiet: bool = False) -> Console:
    """Standard output for plain text without markup: names may contain brackets."""
    width = None if sys.stdout.isatty() else WIDTH_OF_FILES
    return Console(markup=False, highlight=False, emoji=False, quiet=quiet, width=width)


class Display:
    """Shows scoring and then searching, on a terminal only.

    A context manager, because the cursor must come back whatever happens.

    Parameters
    ----------
    console
        Where to show it.
    exact_limit
        As for `plan`.
    always_plan
        Whether to say what scoring will take when this is not a terminal, too.
    clock
        By which the display is refreshed, and tells what has passed.
    """

    def __init__(
        self,
        console: Console,
        *,
        exact_limit: int | None = None,
        always_plan: bool = False,
        clock: Clock = SYSTEM_CLOCK,
    ) -> None:
        self._console = console
        self._exact_limit = exact_limit
        self._always_plan = always_plan
        self._live = sys.stdout.isatty() and not console.quiet
        self._planned = False
        self._bar: tuple[Progress, TaskID] | None = None
        self._panel: Live | None = None
        self._clock = clock
        self._shown_at = -math.inf
        self._search: Stopwatch | None = None
        self._work: deque[tuple[float, int]] = deque()

    def __enter__(self) -> Display:
        return self

    def __exit__(self, *_: object) -> None:
        self._end_bar()
        if self._panel is not None:
            self._panel.stop()
            self._panel = None

    def scoring(self, now: ScoringProgress) -> None:
        """Show how far scoring is; first, what it will take."""
        if not self._planned:
            self._planned = True
            if self._live or self._always_plan:
                text = plan(now, exact_limit=self._exact_limit)
                self._console.print(text, soft_wrap=not self._live)
        if not self._live or not self._due(last=now.fraction >= 1):
            return
        if self._bar is None:
            self._bar = _scoring_bar(self._console)
            self._bar[0].start()
        bar, task = self._bar
        bar.update(task, completed=now.fraction, refresh=True)

    def searching(self, now: SearchProgress) -> None:
        """Show where the search stands."""
        self._end_bar()
        if self._search is None:
            self._search = Stopwatch.started(self._clock)
        if not self._live or not self._due():
            return
        if self._panel is None:
            from rich.live import Live

            self._panel = Live(console=self._console, auto_refresh=False, transient=True)
            self._panel.start()
        # Our own clock: that of a snapshot stands still between the reports of an algorithm.
        seconds = self._search.elapsed()
        panel = _search_panel(now, seconds, self._rate(seconds, now.expanded))
        self._panel.update(panel, refresh=True)

    def _due(self, *, last: bool = False) -> bool:
        seconds = self._clock.seconds()
        if seconds - self._shown_at < REFRESH_SECONDS and not last:
            return False
        self._shown_at = seconds
        return True

    def _end_bar(self) -> None:
        if self._bar is not None:
            self._bar[0].stop()
            self._bar = None

    def _rate(self, seconds: float, expanded: int) -> float:
        """Nodes per second over the last few seconds."""
        self._work.append((seconds, expanded))
        while len(self._work) > 2 and seconds - self._work[1][0] > RATE_SECONDS:
            self._work.popleft()
        before, expanded_before = self._work[0]
        elapsed = seconds - before
        return (expanded - expanded_before) / elapsed if elapsed > 0 else 0.0


def plan(now: ScoringProgress, *, exact_limit: int | None = None) -> str:
    """Say what scoring will take.

    Parameters
    ----------
    now
        As scoring itself reports it.
    exact_limit
        The number of parents beyond which no set can be optimal, where that is known beforehand.
    """
    ruled_out = ""
    if exact_limit is not None:
        known = now.max_parents >= exact_limit
        ruled_out = (
            " (no larger set can be optimal)" if known else " (larger sets are not considered)"
        )
    return (
        f"scoring: {now.sets:,.0f} joint tables, about {format_memory(now.memory_bytes)}; "
        f"parent sets of up to {now.max_parents}{ruled_out}"
    )


def _scoring_bar(console: Console) -> tuple[Progress, TaskID]:
    from rich.progress import (
        BarColumn,
        Progress,
        TaskProgressColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    bar = Progress(
        TextColumn("scoring"),
        BarColumn(),
        TaskProgressColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        console=console,
        auto_refresh=False,
        transient=True,
    )
    return bar, bar.add_task("scoring", total=1.0)


def _search_panel(now: SearchProgress, seconds: float, rate: float) -> Any:
    from rich.panel import Panel
    from rich.table import Table

    grid = Table.grid(padding=(0, 2))
    for _ in range(3):
        grid.add_column(style="dim")
        grid.add_column(justify="right", min_width=10)
    cost = "none yet" if now.cost is None else f"{now.cost:,.3f}"
    bound = None if now.cost is None else error_bound(now.cost, now.lower_bound)
    gap = "unknown" if bound is None else f"{100 * (bound - 1):.3f} %"
    grid.add_row("elapsed", format_seconds(seconds), "cost", cost, "nodes", f"{now.expanded:,}")
    grid.add_row(
        "memory",
        format_memory(now.memory_bytes),
        "lower bound",
        "none" if now.lower_bound is None else f"{now.lower_bound:,.3f}",
        "nodes/s",
        f"{rate:,.0f}",
    )
    expected = "" if now.expected is None else f"{max(now.expected, now.expanded):,}"
    left = ""
    if now.expected is not None and rate > 0 and now.expanded > 0:
        left = "about " + format_seconds(max(0, now.expected - now.expanded) / rate)
    grid.add_row("left", left, "error bound", gap, "expected", expected)
    return Panel(grid, title="searching", subtitle="Ctrl-C keeps the best so far", expand=False)
