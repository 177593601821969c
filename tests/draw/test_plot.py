from __future__ import annotations

import itertools
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import anytimebn as ab
from anytimebn.base.errors import InputError
from anytimebn.draw.curves import draw_convergence
from anytimebn.draw.graph import draw_network
from anytimebn.draw.layout import BOX_HEIGHT, layered_layout
from anytimebn.network.network import Network
from anytimebn.network.random import generate_network


@given(st.integers(1, 14), st.data())
@settings(max_examples=60)
def test_boxes_do_not_overlap_and_arcs_run_down_from_border_to_border(size, draw):
    parents = [
        sorted(draw.draw(st.sets(st.integers(0, child - 1), max_size=3))) if child else []
        for child in range(size)
    ]
    widths = draw.draw(st.lists(st.floats(30, 200), min_size=size, max_size=size))
    layout = layered_layout(parents, widths)
    assert set(layout.centres) == set(range(size))
    for one, other in itertools.combinations(range(size), 2):
        (x1, y1), (x2, y2) = layout.centres[one], layout.centres[other]
        apart = (widths[one] + widths[other]) / 2
        assert abs(x1 - x2) >= apart or abs(y1 - y2) >= BOX_HEIGHT
    for variable, (x, y) in layout.centres.items():
        assert x - widths[variable] / 2 >= -1e-6
        assert x + widths[variable] / 2 <= layout.width + 1e-6
        assert BOX_HEIGHT / 2 <= y <= layout.height
    ends = [(parent, child) for child in range(size) for parent in parents[child]]
    assert sorted(layout.arcs) == sorted(ends)
    for arc, points in layout.arcs.items():
        assert all(upper[1] < lower[1] for upper, lower in itertools.pairwise(points))
        for variable, (x, y), side in zip(arc, (points[0], points[-1]), (0.5, -0.5), strict=True):
            centre_x, centre_y = layout.centres[variable]
            assert abs(x - centre_x) <= widths[variable] / 2
            assert y == pytest.approx(centre_y + side * BOX_HEIGHT)


def test_long_arcs_pass_beside_the_boxes_between():
    layout = layered_layout([[], [0], [0, 1]], [40.0] * 3)
    long = layout.arcs[0, 2]
    x, y = layout.centres[1]
    assert long[1][1] == y
    assert abs(long[1][0] - x) > 20


@pytest.mark.parametrize("suffix", [".png", ".svg"])
def test_draw_network_writes_a_file_that_is_the_same_each_time(tmp_path, suffix):
    network = generate_network(15, 2, seed=4)
    for name in ("one", "two"):
        figure = draw_network(
            network.names, network.parents, tmp_path / f"{name}{suffix}", title="A $5 title"
        )
    content = (tmp_path / f"one{suffix}").read_bytes()
    assert content == (tmp_path / f"two{suffix}").read_bytes()
    assert content[:4] in (b"\x89PNG", b"<?xm")
    texts = [text.get_text() for text in figure.axes[0].texts]
    assert texts == ["A $5 title", *network.names]


def test_draw_network_takes_odd_cases(tmp_path):
    draw_network((), (), tmp_path / "empty.png")
    draw_network(("$x$", "y_{", "z"), ((), (), (1,)), tmp_path / "odd.svg")
    with pytest.raises(InputError, match=r"\.png or \.svg"):
        draw_network(("a",), ((),), tmp_path / "a.pdf")


def test_network_plot_delegates(tmp_path):
    Network.from_parents({"a": [], "b": ["a"]}).plot(tmp_path / "a.png")
    assert (tmp_path / "a.png").stat().st_size > 1000


def event(seconds, cost, lower_bound):
    return SimpleNamespace(seconds=seconds, cost=cost, lower_bound=lower_bound)


def test_draw_convergence_shows_both_lines_and_the_gap(tmp_path):
    events = [event(0.0, None, 0.0), event(0.1, 120.0, 80.0), event(2.0, 110.0, 100.0)]
    axes = draw_convergence(events, tmp_path / "run.svg").axes[0]
    assert axes.get_xscale() == "log"
    assert [text.get_text() for text in axes.get_legend().get_texts()] == [
        "best network found",
        "lower bound",
    ]
    assert axes.get_title(loc="right") == "remaining gap 10 nats"
    assert axes.get_ylim()[0] >= 79.0  # the bound of 0 at the start does not set the scale
    axes = draw_convergence([*events, event(3.0, 110.0, 110.0)]).axes[0]
    assert axes.get_title(loc="right") == "proven optimal"


def test_draw_convergence_leaves_room_around_lines_that_never_move():
    axes = draw_convergence([event(0.1, 110.0, 110.0), event(0.2, 110.0, 110.0)]).axes[0]
    low, high = axes.get_ylim()
    assert 110.0 - low == pytest.approx(high - 110.0)


def test_figures_show_themselves_in_notebooks_without_pyplot():
    network = ab.Network.from_parents({"rain": [], "wet": ["rain"]})
    for figure in (network.plot(), draw_convergence([event(0.1, 1.0, 1.0)])):
        png, size = figure._repr_png_()
        assert png.startswith(b"\x89PNG")
        assert size["width"] == round(96 * figure.get_figwidth())


def test_draw_convergence_takes_short_and_incomplete_runs():
    draw_convergence([event(0.0, 5.0, None)])
    draw_convergence([event(0.0, None, float("-inf"))])
    with pytest.raises(InputError, match="no events"):
        draw_convergence([])
