"""A line in a terminal that moves while something is learned from Python.

It goes to standard error, so that what a program prints stays as it is, and never to what is not a
terminal.
"""

from __future__ import annotations

import os
import shutil
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

from anytimebn.base.clock import SYSTEM_CLOCK, Clock, Stopwatch
from anytimebn.base.report import REPLICATES, Report
from anytimebn.base.text import format_seconds
from anytimebn.watch.standing import Standing, share_done, title_of

if TYPE_CHECKING:
    from typing import TextIO

FIRST_AFTER = 0.7  # seconds; shorter work is not shown
REFRESH_SECONDS = 0.2
BACK, CLEAR = "\r", "\x1b[K"
BEST, DONE = " (Ctrl-C keeps the best)", " (Ctrl-C keeps what is done)"


def in_terminal() -> bool:
    """Tell whether somebody looks at standard error, and lines there can be written over."""
    listening = sys.stderr is not None and sys.stderr.isatty()
    return listening and os.environ.get("TERM") != "dumb"


class StatusLine:
    """A line that is written over and over, until it is closed; then it is gone."""

    def __init__(
        self,
        clock: Clock = SYSTEM_CLOCK,
        *,
        time_limit: float | None = None,
        terminal: TextIO | None = None,
    ) -> None:
        self._watch = Stopwatch.started(clock)
        self._standing = Standing(self._watch, time_limit)
        self._next = FIRST_AFTER
        self._terminal = terminal or sys.stderr
        self._is_shown = False

    def show(self, now: Report) -> None:
        """Show where the work stands, if it is time for that."""
        seconds = self._watch.elapsed()
        if seconds < self._next:
            return
        self._next = seconds + REFRESH_SECONDS
        width = shutil.get_terminal_size().columns - 1  # the last column might begin a new line
        words = self._words(now)
        hint = DONE if now.phase == REPLICATES else BEST
        whole = words + hint if len(words + hint) <= width else words[:width]
        self._write(BACK + whole + CLEAR)
        self._is_shown = True

    def close(self) -> None:
        """Take the line away: the result says how it ended."""
        if self._is_shown:
            self._write(BACK + CLEAR)
            self._is_shown = False

    def _words(self, now: Report) -> str:
        rows = self._standing.rows(now)
        if now.fraction is not None:
            said = [share_done(now), rows["elapsed"]]
            if 0 < now.fraction < 1:
                rest = now.seconds * (1 - now.fraction) / now.fraction
                rows["left"] = f"about {format_seconds(rest)}"
        else:
            said = [
                rows["elapsed"],
                f"cost {rows['cost']}",
                _above_best(now, rows),
            ]
        left = [f"{rows['left']} left"] if rows["left"] else []
        # By what it is searched, a line has no room for.
        return f"{title_of(replace(now, doing=''))}: {', '.join([*said, *left])}"

    def _write(self, text: str) -> None:
        try:
            self._terminal.write(text)
            self._terminal.flush()
        except (OSError, ValueError):  # a terminal that was closed must not end the work
            self._next = float("inf")


def _above_best(now: Report, rows: dict[str, str]) -> str:
    """Say how good the network is, and among which: those in the title, or others."""
    if now.lower_bound is None:
        return "no bound yet"
    if now.bound_space is not None:
        return f"{rows['above best']} above best of {now.bound_space}"
    return f"{rows['above best']} above {'its best' if now.space else 'best'}"
