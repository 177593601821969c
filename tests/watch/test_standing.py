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


def test_a_bound_of_other_networks_than_those_searched_says_so() -> None:
    standing = Standing(Stopwatch.started(ManualClock()))
    now = Report(
        phase=SEARCHING,
        seconds=0,
        cost=102.0,
        lower_bound=100.0,
        space="all networks",
        bound_space="the neighbourhood",
    )
    assert standing.rows(now)["lower bound"] == "100.000 (the neighbourhood)"


def test_time_left_is_what_is_expected_but_never_more_than_the_limit() -> None:
    clock = ManualClock()
    standing = Standing(Stopwatch.started(clock), time_limit=10.0)
    told = []
    for expected in (None, 1_100, 100_000):
        clock.advance(1.0)
        report = Report(phase=SEARCHING, seconds=0, expanded=100 * len(told), expected=expected)
        told.append(standing.rows(report)["left"])
    assert told == ["at most 9.0 s", "at most 8.0 s", "at most 7.0 s"]
    clock.advance(1.0)
    soon = Report(phase=SEARCHING, seconds=0, expanded=300, expected=400)
    assert standing.rows(soon)["left"] == "about 1.0 s"
    clock.advance(60.0)
    assert standing.rows(Report(phase=SEARCHING, seconds=0))["left"] == "at most 0.000 s"
