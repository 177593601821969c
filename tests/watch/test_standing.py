"""What is said of a search: nothing that nobody knows."""

from __future__ import annotations

from anytimebn.base.clock import ManualClock, Stopwatch
from anytimebn.base.report import SCORING, SEARCHING, Report
from anytimebn.watch.standing import Standing, title_of


def test_expected_nodes_are_told_until_there_are_more() -> None:
    clock = ManualClock()
    standing = Standing(Stopwatch.started(clock))
    told = []
    for expanded in (0, 500, 1000, 1500):
        told.append(
            standing.rows(Report(phase=SEARCHING, seconds=0, expanded=expanded, expected=1000))
        )
        clock.advance(1.0)
    assert [rows["expected"] for rows in told] == ["about 1,000", "about 1,000", "", ""]
    assert [rows["left"] for rows in told] == ["", "about 1.0 s", "", ""]


def test_title_says_what_works_where_there_is_a_choice() -> None:
    both = Report(phase=SEARCHING, seconds=0, doing="order graph and linear program")
    assert title_of(both) == "searching by order graph and linear program"
    assert title_of(Report(phase=SCORING, seconds=0)) == "scoring"
