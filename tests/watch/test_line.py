"""What a terminal shows while Python learns, by a clock that the test moves."""

from __future__ import annotations

import io
import sys

import numpy as np
import pytest

import anytimebn as ab
from anytimebn.base.clock import ManualClock
from anytimebn.base.report import REPLICATES, SEARCHING, Report
from anytimebn.watch import line
from anytimebn.watch.line import BACK, CLEAR, FIRST_AFTER, StatusLine, in_terminal
from anytimebn.watch.watching import watching

TABLE = np.array([[0, 0, 1], [1, 1, 0], [0, 0, 0], [1, 1, 1]] * 10)


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


def searched(**given: object) -> Report:
    given.setdefault("doing", "order graph")  # which a line has no room for
    return Report(phase=SEARCHING, seconds=0.0, cost=102.0, lower_bound=100.0, **given)  # type: ignore[arg-type]


def test_line_comes_after_a_while_moves_and_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    screen, clock = Screen(), ManualClock()
    shown = StatusLine(clock, time_limit=60.0, terminal=screen)
    shown.show(searched())
    assert screen.getvalue() == ""
    for _ in range(2):
        clock.advance(FIRST_AFTER)
        shown.show(searched())
    shown.show(searched())  # too soon for another
    first, second = screen.getvalue().split(BACK)[1:]
    assert first == (
        "searching: 0.700 s, cost 102.000, at most 2 % above best, at most 59.3 s left "
        "(Ctrl-C keeps the best)" + CLEAR
    )
    assert "at most 58.6 s left" in second
    assert all(text.endswith(CLEAR) and "\n" not in text for text in (first, second))
    shown.close()
    assert screen.getvalue().endswith(BACK + CLEAR)


@pytest.mark.parametrize(
    ("spaces", "told"),
    [
        ({}, "searching: 0.700 s, cost 102.000, at most 2 % above best "),
        (
            {"space": "all networks"},
            "searching all networks: 0.700 s, cost 102.000, at most 2 % above its best ",
        ),
        (
            {"space": "all networks", "bound_space": "the neighbourhood"},
            "searching all networks: 0.700 s, cost 102.000, at most 2 % above best of the "
            "neighbourhood ",
        ),
    ],
)
def test_line_says_which_networks_the_bound_is_about(
    monkeypatch: pytest.MonkeyPatch, spaces: dict[str, str], told: str
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    screen, clock = Screen(), ManualClock()
    shown = StatusLine(clock, terminal=screen)
    clock.advance(FIRST_AFTER)
    shown.show(searched(**spaces))
    assert told in screen.getvalue()


def test_replicates_tell_how_long_they_will_take() -> None:
    screen, clock = Screen(), ManualClock()
    shown = StatusLine(clock, terminal=screen)
    clock.advance(10.0)
    shown.show(Report(phase=REPLICATES, seconds=10.0, fraction=0.25, done=5, replicates=20))
    assert "5 of 20, 10.0 s, about 30.0 s left" in screen.getvalue()
    assert "Ctrl-C keeps what is done" in screen.getvalue()


def test_line_is_as_long_as_the_terminal_allows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "30")
    screen, clock = Screen(), ManualClock()
    shown = StatusLine(clock, terminal=screen)
    clock.advance(1.0)
    shown.show(searched())
    assert len(screen.getvalue()) == len(BACK) + 29 + len(CLEAR)
    monkeypatch.setenv("COLUMNS", "70")
    clock.advance(1.0)
    shown.show(searched())
    assert screen.getvalue().endswith(f"above best{CLEAR}")  # a hint in full, or none


def test_short_work_leaves_nothing_and_a_closed_terminal_does_no_harm() -> None:
    screen = Screen()
    StatusLine(ManualClock(), terminal=screen).close()
    assert screen.getvalue() == ""
    clock = ManualClock()
    shown = StatusLine(clock, terminal=screen)
    screen.close()
    clock.advance(1.0)
    shown.show(searched())
    shown.close()


def test_learn_shows_a_line_in_a_terminal_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(line, "FIRST_AFTER", 0.0)
    monkeypatch.setenv("TERM", "xterm")
    screen = Screen()
    monkeypatch.setattr(sys, "stderr", screen)
    for quiet in (False, None):
        with watching(quiet) as sink:
            assert sink is None
        ab.learn(TABLE, progress=quiet)
    assert screen.getvalue() == ""
    for view in ("auto", True):
        with watching(view, 60.0) as sink:  # type: ignore[arg-type]
            assert sink is not None
            sink(searched())
        assert "at most 2 % above best" in screen.getvalue()
        assert screen.getvalue().endswith(BACK + CLEAR)
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    assert not in_terminal()
    with watching("auto") as sink:
        assert sink is None


def test_dumb_terminals_are_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", Screen())
    monkeypatch.setenv("TERM", "dumb")
    assert not in_terminal()


@pytest.mark.parametrize("wrong", ["yes", 1, 0.5])
def test_progress_is_a_function_or_yes_or_no(wrong: object) -> None:
    for learn in (ab.learn, ab.bootstrap):
        with pytest.raises(ab.InputError, match="progress must be a function"):
            learn(TABLE, progress=wrong)  # type: ignore[arg-type]
