"""What the log says while something is learned, by a clock that the test moves."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from anytimebn.base.clock import ManualClock
from anytimebn.base.report import REPLICATES, SCORING, SEARCHING, Report
from anytimebn.watch.watching import LOG_SECONDS, LogLines, watching

if TYPE_CHECKING:
    import pytest


def test_log_has_a_line_now_and_then(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "anytimebn")
    clock = ManualClock()
    lines = LogLines(clock)
    reports = (
        Report(phase=SCORING, seconds=0.0, fraction=0.25),
        Report(phase=SEARCHING, seconds=0.0, cost=1010.0, lower_bound=1000.0, expanded=5),
        Report(phase=REPLICATES, seconds=0.0, fraction=0.3, done=3, replicates=10),
    )
    for report in reports:
        for _ in range(6):
            clock.advance(LOG_SECONDS / 6)
            lines.show(report)
    scoring, searching, replicates = (record.getMessage() for record in caplog.records)
    assert scoring == "scoring: 25 % done"
    assert searching == (
        "searching: elapsed 2:00, memory 0 B, cost 1,010.000, lower bound 1,000.000, "
        "above best at most 1 %, nodes 5, nodes/s 0"
    )
    assert replicates == "replicates: 3 of 10 done"


def test_function_is_called_whether_or_not_there_is_a_log(caplog: pytest.LogCaptureFixture) -> None:
    for level in (logging.WARNING, logging.INFO):
        caplog.set_level(level, "anytimebn")
        heard: list[Report] = []
        with watching(heard.append) as sink:
            assert sink is not None
            sink(Report(phase=SEARCHING, seconds=0.0))
        assert len(heard) == 1


def test_nobody_is_told_where_nobody_listens(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING, "anytimebn")
    for progress in (None, "auto"):
        with watching(progress) as sink:  # type: ignore[arg-type]
            assert sink is None
