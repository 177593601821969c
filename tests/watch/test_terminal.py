"""What a terminal shows while a search runs, by a clock that the test moves."""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING

from rich.console import Console

from anytimebn.base.clock import ManualClock
from anytimebn.base.report import REPLICATES, SCORING, SEARCHING, Report
from anytimebn.watch import terminal

if TYPE_CHECKING:
    import pytest


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


def terminal_of(monkeypatch: pytest.MonkeyPatch) -> tuple[Screen, Console]:
    """Take the place of standard output; not as a fixture, for pytest puts its own there."""
    screen = Screen()
    monkeypatch.setattr("sys.stdout", screen)
    return screen, Console(file=screen, force_terminal=True, width=120, color_system=None)


def searched(expanded: int, phase: str = SEARCHING) -> Report:
    return Report(
        phase=phase,
        seconds=0.0,
        cost=20.0,
        lower_bound=10.0,
        expanded=expanded,
        stored=5,
        memory_bytes=2**20,
        expected=10**6,
    )


def scored(fraction: float) -> Report:
    return Report(
        phase=SCORING, seconds=0.0, fraction=fraction, sets=100, memory_bytes=2**20, max_parents=3
    )


def test_panel_tells_what_has_passed_and_the_rate_of_late(monkeypatch: pytest.MonkeyPatch) -> None:
    screen, console = terminal_of(monkeypatch)
    clock, expanded = ManualClock(), 0
    with terminal.Display(console, clock=clock) as display:
        for step in range(200):
            display.show(searched(expanded))
            clock.advance(0.25)
            expanded += 250 if step < 100 else 500  # twice as fast in the end
        shown = screen.getvalue()
    assert re.findall(r"elapsed +([\d.]+ s)", shown)[-1] == "49.8 s"
    rates = [int(rate.replace(",", "")) for rate in re.findall(r"nodes/s +([\d,]+)", shown)]
    assert rates[90] == 1000
    assert rates[-1] == 2000
    assert re.findall(r"left +about ([\d:]+)", shown)[-1] == "7:43"


def test_panel_is_refreshed_ten_times_a_second_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    screen, console = terminal_of(monkeypatch)
    clock = ManualClock()
    with terminal.Display(console, clock=clock) as display:
        for step in range(1000):
            display.show(searched(step))
            clock.advance(0.01)
        shown = len(re.findall("elapsed", screen.getvalue()))
    assert 80 <= shown <= 101


def test_scoring_is_shown_to_its_end_however_quick_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    screen, console = terminal_of(monkeypatch)
    clock = ManualClock()  # which stands still
    with terminal.Display(console, clock=clock) as display:
        for fraction in (0.1, 0.5, 1.0):
            display.show(scored(fraction))
        shown = screen.getvalue()
    assert "scoring: 100 joint tables" in shown
    assert re.findall(r"(\d+)%", shown) == ["0", "10", "100"]


def test_replicates_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    screen, console = terminal_of(monkeypatch)
    clock = ManualClock()
    with terminal.Display(console, clock=clock) as display:
        for done in range(101):
            share = done / 100
            display.show(
                Report(phase=REPLICATES, seconds=0.0, fraction=share, done=done, replicates=100)
            )
            clock.advance(1.0)
        shown = screen.getvalue()
    assert [int(done) for done in re.findall(r"(\d+)/100", shown)] == [0, *range(101)]
    assert "Ctrl-C keeps what is done" in shown


def test_each_phase_has_its_name_and_the_time_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    screen, console = terminal_of(monkeypatch)
    clock = ManualClock()
    with terminal.Display(console, clock=clock) as display:
        for now in (scored(0.5), searched(1, "first network"), searched(1), searched(2)):
            display.show(now)
            clock.advance(1.0)
        shown = screen.getvalue()
    titles = re.findall(r"─ ([a-z ]+) ─", shown)
    assert list(dict.fromkeys(titles)) == ["first network", "searching"]
    times = dict.fromkeys(re.findall(r"elapsed +([\d.]+ s)", shown))
    assert list(times) == ["1.0 s", "2.0 s", "3.0 s"]


def test_nothing_moves_where_there_is_no_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    file = io.StringIO()
    monkeypatch.setattr("sys.stdout", file)
    with terminal.Display(Console(file=file), clock=ManualClock()) as display:
        display.show(scored(0.5))
        display.show(searched(10))
    assert file.getvalue() == ""
