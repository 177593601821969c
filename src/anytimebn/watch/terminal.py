"""What people see in a terminal while they wait: a bar, or a panel while searching."""

from __future__ import annotations

import math
import sys
from itertools import chain

from rich.console import Console

from anytimebn.base.clock import SYSTEM_CLOCK, Clock, Stopwatch
from anytimebn.base.memory_units import format_memory
from anytimebn.base.report import REPLICATES, SCORING, Report
from anytimebn.watch.standing import Standing, title_of

REFRESH_SECONDS = 0.1
WIDTH_OF_FILES = 120
PANEL_LINES = 3
NARROWEST_VALUE = 10  # characters, or the panel would change its width all the time


def make_console(*, quiet: bool = False) -> Console:
    """Standard output for plain text without markup: names may contain brackets."""
    width = None if sys.stdout.isatty() else WIDTH_OF_FILES
    return Console(markup=False, highlight=False, emoji=False, quiet=quiet, width=width)


class Display:
    """Shows one phase of the work after the other, on a terminal only.

    A context manager, because the cursor must come back whatever happens.

    Parameters
    ----------
    console
        Where to show it.
    exact_limit
        As for `plan`.
    always_plan
        Whether to say what scoring will take when this is not a terminal, too.
    time_limit
        When the work will end in any case, in seconds.
    clock
        By which the display is refreshed, and tells what has passed.
    """

    def __init__(
        self,
        console: Console,
        *,
        exact_limit: int | None = None,
        always_plan: bool = False,
        time_limit: float | None = None,
        clock: Clock = SYSTEM_CLOCK,
    ) -> None:
        self._console = console
        self._exact_limit = exact_limit
        self._always_plan = always_plan
        self._live = sys.stdout.isatty() and not console.quiet
        self._time_limit = time_limit
        self._clock = clock
        self._shown_at = -math.inf
        self._watch = Stopwatch.started(clock)
        self._phase: str | None = None
        self._part: _Bar | _Panel | None = None  # what shows this phase

    def __enter__(self) -> Display:
        return self

    def __exit__(self, *_: object) -> None:
        self._end_part()

    def show(self, now: Report) -> None:
        """Show where the work stands; before scoring, what it will take."""
        if now.phase != self._phase:
            self._end_part()
            self._phase = now.phase
            if now.phase == SCORING and now.sets and (self._live or self._always_plan):
                text = plan(now, exact_limit=self._exact_limit)
                self._console.print(text, soft_wrap=not self._live)
        if not self._live or not self._due(last=(now.fraction or 0.0) >= 1):
            return
        if self._part is None:
            if now.fraction is None:
                self._part = _Panel(self._console, Standing(self._watch, self._time_limit))
            else:
                self._part = _Bar(self._console, now)
        self._part.update(now)

    def _due(self, *, last: bool) -> bool:
        seconds = self._clock.seconds()
        if seconds - self._shown_at < REFRESH_SECONDS and not last:
            return False
        self._shown_at = seconds
        return True

    def _end_part(self) -> None:
        if self._part is not None:
            self._part.stop()
            self._part = None


def plan(now: Report, *, exact_limit: int | None = None) -> str:
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


class _Bar:
    """A bar, for work whose amount is known."""

    def __init__(self, console: Console, now: Report) -> None:
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            Progress,
            TaskProgressColumn,
            TextColumn,
            TimeElapsedColumn,
            TimeRemainingColumn,
        )

        self._bar = Progress(
            TextColumn(now.phase),
            BarColumn(),
            MofNCompleteColumn() if now.replicates else TaskProgressColumn(),
            TimeElapsedColumn(),
            TextColumn("left"),
            TimeRemainingColumn(),
            TextColumn("Ctrl-C keeps what is done" if now.phase == REPLICATES else ""),
            console=console,
            auto_refresh=False,
            transient=True,
        )
        self._task = self._bar.add_task(now.phase, total=now.replicates or 1)
        self._bar.start()

    def update(self, now: Report) -> None:
        completed = now.done if now.replicates else now.fraction
        self._bar.update(self._task, completed=completed, refresh=True)

    def stop(self) -> None:
        self._bar.stop()


class _Panel:
    """A panel, for a search."""

    def __init__(self, console: Console, standing: Standing) -> None:
        from rich.live import Live

        self._standing = standing
        self._live = Live(console=console, auto_refresh=False, transient=True)
        self._live.start()

    def update(self, now: Report) -> None:
        from rich.panel import Panel
        from rich.table import Table

        rows = list(self._standing.rows(now).items())
        grid = Table.grid(padding=(0, 2))
        for _ in rows[::PANEL_LINES]:
            grid.add_column(style="dim")
            grid.add_column(justify="right", min_width=NARROWEST_VALUE)
        for line in range(PANEL_LINES):
            grid.add_row(*chain.from_iterable(rows[line::PANEL_LINES]))
        hint = "Ctrl-C keeps the best so far"
        title = title_of(now)
        self._live.update(Panel(grid, title=title, subtitle=hint, expand=False), refresh=True)

    def stop(self) -> None:
        self._live.stop()
