"""What notebooks show, with IPython played by a stand-in."""

from __future__ import annotations

import base64
import re
import sys
from types import ModuleType, SimpleNamespace
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from strategies import random_table

import anytimebn as ab
from anytimebn.base.clock import ManualClock
from anytimebn.network.html import MOST_DRAWN
from anytimebn.watch import notebook

DATA = random_table([2, 3, 2, 2], rows=200, seed=1, noise=0.1)


def pictures(shown: str) -> list[str]:
    found = re.findall(r'src="data:image/svg\+xml;base64,([^"]*)"', shown)
    return [base64.b64decode(encoded).decode() for encoded in found]


def test_network_shows_its_drawing_and_escapes_names() -> None:
    network = ab.Network.from_parents({"<rain>": [], "wet & cold": ["<rain>"]})
    shown = network._repr_html_()
    (drawn,) = pictures(shown)
    assert ET.fromstring(drawn).tag.endswith("svg")
    assert "<rain>" not in shown
    assert "Network(2 variables, 1 arc, structure only)" in shown


@pytest.mark.parametrize("variables", [0, MOST_DRAWN + 1])
def test_network_that_is_empty_or_large_is_told_in_words(variables: int) -> None:
    shown = ab.Network.from_parents({f"X{v}": [] for v in range(variables)})._repr_html_()
    assert pictures(shown) == []
    assert f"Network({variables} variables" in shown


def test_result_shows_status_bounds_and_both_pictures() -> None:
    result = ab.learn(DATA)
    shown = result._repr_html_()
    assert "optimal: proven" in shown
    assert f"{result.cost:,.4f}" in shown
    assert f"{result.lower_bound:,.4f}" in shown
    assert 1 <= len(pictures(shown)) <= 2


def test_bootstrap_shows_its_drawing_and_how_many_there_were() -> None:
    shown = ab.bootstrap(DATA, replicates=3)._repr_html_()
    assert len(pictures(shown)) == 1
    assert "Bootstrap(3 replicates" in shown


@pytest.fixture
def displayed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A notebook's kernel, and what its display has shown."""
    shown: list[str] = []

    class Handle:
        def update(self, bundle: dict[str, str], *, raw: bool) -> None:
            assert raw
            shown.append(bundle["text/html"])

    def display(bundle: dict[str, str], *, raw: bool, display_id: bool) -> Handle:
        assert raw
        assert display_id
        shown.append(bundle["text/html"])
        return Handle()

    ipython, displays = ModuleType("IPython"), ModuleType("IPython.display")
    ipython.get_ipython = lambda: SimpleNamespace(kernel=None)
    ipython.version_info = (9, 0)
    displays.display = display
    monkeypatch.setitem(sys.modules, "IPython", ipython)
    monkeypatch.setitem(sys.modules, "IPython.display", displays)
    return shown


@pytest.fixture
def _all_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """Show what takes no time, too."""
    monkeypatch.setattr(notebook, "FIRST_AFTER", 0.0)
    monkeypatch.setattr(notebook, "REFRESH_SECONDS", 0.0)


@pytest.mark.usefixtures("_all_is_shown")
def test_learning_in_a_notebook_shows_a_live_view(displayed: list[str]) -> None:
    ab.learn(DATA)
    assert any("scoring" in shown for shown in displayed)
    assert any("lower bound" in shown and "<svg" in shown for shown in displayed)
    assert displayed[-1] == ""  # the result shows itself


def test_live_view_waits_and_is_refreshed_now_and_then(displayed: list[str]) -> None:
    clock = ManualClock()
    view = notebook.LiveView(clock)
    shown_at = []
    for tenth in range(1, 31):
        clock.advance(0.1)
        before = len(displayed)
        view.searching(ab.SearchProgress(0.0, 20.0, 10.0, 100 * tenth, 5, 2**20))
        if len(displayed) > before:
            shown_at.append(tenth)
    assert shown_at[0] in (7, 8)
    gaps = np.diff(shown_at)
    assert ((gaps >= 5) & (gaps <= 6)).all()
    assert f"{shown_at[-1] / 10:.1f} s" in displayed[-1]
    assert f"{100 * shown_at[-1]:,}" in displayed[-1]
    view.close()
    assert displayed[-1] == ""


@pytest.mark.usefixtures("_all_is_shown")
def test_live_view_can_be_turned_off(displayed: list[str]) -> None:
    ab.learn(DATA, progress=None)
    called: list[ab.SearchProgress] = []
    ab.learn(DATA, progress=called.append)
    assert called
    assert displayed == []


@pytest.mark.usefixtures("_all_is_shown")
@pytest.mark.parametrize("shell", [None, SimpleNamespace()])  # a script; IPython in a terminal
def test_nothing_is_shown_elsewhere(
    shell: object, displayed: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.modules["IPython"], "get_ipython", lambda: shell)
    ab.learn(DATA)
    assert displayed == []


def test_chart_has_steps_within_its_frame() -> None:
    drawn = notebook.chart([(0.0, 20.0, -1e9), (1.0, 12.0, 8.0), (2.0, 11.0, 10.0)])
    lines = re.findall(r'points="([^"]*)"', drawn)
    assert len(lines) == 2
    for line in lines:
        points = np.array([list(map(float, point.split(","))) for point in line.split()])
        assert ((points >= 0) & (points <= [notebook.CHART_WIDTH, notebook.CHART_HEIGHT])).all()
        steps = np.diff(points, axis=0)
        assert (steps.prod(axis=1) == 0).all()  # along one axis at a time
