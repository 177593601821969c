from __future__ import annotations

import itertools
import random
from types import SimpleNamespace

import matplotlib as mpl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import anytimebn as ab
from anytimebn.base.errors import DataWarning, InputError
from anytimebn.draw import fonts
from anytimebn.draw import layout as layout_module
from anytimebn.draw.curves import draw_convergence
from anytimebn.draw.graph import draw_network
from anytimebn.draw.layout import COMFORTABLE, layered_layout
from anytimebn.draw.marks import ArcMark
from anytimebn.draw.packing import Size, pack
from anytimebn.draw.part import BOX_HEIGHT
from anytimebn.network.network import Network
from anytimebn.network.random import generate_network

# Whether the drawing is too large by itself, and which way it goes.
DRAWN = [("auto", 1e9), ("auto", 0.0), ("down", 0.0), ("right", 0.0)]


@pytest.mark.parametrize(("direction", "comfortable"), DRAWN)
@given(size=st.integers(1, 14), draw=st.data())
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_boxes_do_not_overlap_and_arcs_run_from_border_to_border(
    size, draw, direction, comfortable, monkeypatch
):
    parents = [
        sorted(draw.draw(st.sets(st.integers(0, child - 1), max_size=3))) if child else []
        for child in range(size)
    ]
    widths = draw.draw(st.lists(st.floats(30, 200), min_size=size, max_size=size))
    monkeypatch.setattr(layout_module, "COMFORTABLE", comfortable)
    monkeypatch.setattr(layout_module, "LARGER_LETTERS", 0.0)
    layout = layered_layout(parents, widths, direction)
    assert set(layout.centres) == set(range(size))
    for one, other in itertools.combinations(range(size), 2):
        (x1, y1), (x2, y2) = layout.centres[one], layout.centres[other]
        apart = (widths[one] + widths[other]) / 2
        assert abs(x1 - x2) >= apart - 1e-6 or abs(y1 - y2) >= BOX_HEIGHT - 1e-6
    for variable, (x, y) in layout.centres.items():
        assert x - widths[variable] / 2 >= -1e-6
        assert x + widths[variable] / 2 <= layout.width + 1e-6
        assert BOX_HEIGHT / 2 - 1e-6 <= y <= layout.height
    ends = [(parent, child) for child in range(size) for parent in parents[child]]
    assert sorted(layout.arcs) == sorted(ends)
    along = 0 if layout.rightwards else 1
    assert layout.rightwards or direction != "right"
    for arc, points in layout.arcs.items():
        assert all(one[along] < other[along] for one, other in itertools.pairwise(points))
        for variable, point, side in zip(arc, (points[0], points[-1]), (0.5, -0.5), strict=True):
            box = (widths[variable], BOX_HEIGHT)
            centre = layout.centres[variable]
            assert abs(point[1 - along] - centre[1 - along]) <= box[1 - along] / 2
            assert point[along] == pytest.approx(centre[along] + side * box[along])


def test_long_arcs_pass_beside_the_boxes_between():
    layout = layered_layout([[], [0], [0, 1]], [40.0] * 3)
    long = layout.arcs[0, 2]
    x, y = layout.centres[1]
    assert long[1][1] == y
    assert abs(long[1][0] - x) > 20


@pytest.mark.parametrize("suffix", [".png", ".svg", ".pdf"])
def test_draw_network_writes_a_file_that_is_the_same_each_time(tmp_path, suffix):
    network = generate_network(15, 2, seed=4)
    for name in ("one", "two"):
        figure = draw_network(
            network.names, network.parents, tmp_path / f"{name}{suffix}", title="A $5 title"
        )
    content = (tmp_path / f"one{suffix}").read_bytes()
    assert content == (tmp_path / f"two{suffix}").read_bytes()
    assert content[:4] in (b"\x89PNG", b"<?xm", b"%PDF")
    texts = [text.get_text() for text in figure.axes[0].texts]
    assert texts == ["A $5 title", *network.names]


def test_draw_network_takes_odd_cases(tmp_path):
    draw_network((), (), tmp_path / "empty.png")
    draw_network(("$x$", "y_{", "z"), ((), (), (1,)), tmp_path / "odd.svg")
    with pytest.raises(InputError, match=r"\.png, \.svg or \.pdf"):
        draw_network(("a",), ((),), tmp_path / "a.gif")


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
        "best network found: 110.00",
        "lower bound: 100.00",
    ]
    assert axes.get_title(loc="right") == "at most 10 % above the best"
    assert axes.get_title(loc="left") == "last change after 2.0 s"
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


def test_draw_convergence_shows_moments_of_a_short_run():
    events = [event(0.35, 120.0, None), event(0.36, 110.0, 90.0), event(0.41, 110.0, 110.0)]
    axes = draw_convergence(events).axes[0]
    assert axes.get_xscale() == "linear"
    first, end = axes.get_xlim()
    assert 0.3 < first < 0.35
    assert 0.41 < end < 0.5


def random_parents(size, seed, most=3, reach=15):
    """A network whose variables depend on earlier ones, as generated and learned ones do."""
    draw = random.Random(seed)
    return [
        sorted(draw.sample(range(max(0, child - reach), child), min(child, draw.randint(0, most))))
        for child in range(size)
    ]


@pytest.mark.parametrize("size", [100, 200])
def test_drawings_of_many_variables_are_neither_tall_nor_wide(size):
    parents = random_parents(size, seed=1)
    layout = layered_layout(parents, [90.0] * size)
    plain = layered_layout(parents, [90.0] * size, "down")
    assert layout.size.screen <= plain.size.screen
    # Four times the boxes may take a screen of twice the height, and as much again for the arcs.
    assert layout.size.screen <= 2 * COMFORTABLE * (size / 50) ** 0.5


def test_a_wide_layer_is_wrapped():
    hub = [[], *([0] for _ in range(80))]
    layout = layered_layout(hub, [100.0] * 81)
    plain = layered_layout(hub, [100.0] * 81, "down")
    assert plain.width > 80 * 100
    assert layout.size.screen < plain.size.screen / 3


def test_variables_without_arcs_stand_in_a_grid_below():
    parents = [[], [0], *([] for _ in range(60))]
    layout = layered_layout(parents, [60.0] * 62)
    lowest = max(layout.centres[variable][1] for variable in (0, 1))
    alone = [layout.centres[variable] for variable in range(2, 62)]
    assert all(y > lowest for _, y in alone)
    columns, rows = {x for x, _ in alone}, {y for _, y in alone}
    assert len(columns) * (len(rows) - 1) < 60 <= len(columns) * len(rows)
    assert alone == sorted(alone, key=lambda point: (point[1], point[0]))


@given(st.lists(st.tuples(st.floats(1, 900), st.floats(1, 900)), max_size=12))
@settings(max_examples=60)
def test_packed_parts_do_not_overlap(given_sizes):
    sizes = [Size(*size) for size in given_sizes]
    corners, whole = pack(sizes)
    for (x, y), size in zip(corners, sizes, strict=True):
        assert x >= 0
        assert y >= 0
        assert x + size.width <= whole.width + 1e-6
        assert y + size.height <= whole.height + 1e-6
    placed = list(zip(corners, sizes, strict=True))
    for ((x1, y1), one), ((x2, y2), other) in itertools.combinations(placed, 2):
        beside = x1 + one.width <= x2 + 1e-6 or x2 + other.width <= x1 + 1e-6
        assert beside or y1 + one.height <= y2 + 1e-6 or y2 + other.height <= y1 + 1e-6


def texts_of(figure):
    return [text.get_text() for text in figure.axes[0].texts]


def test_plot_around_a_variable_shows_what_is_near():
    names = [f"v{number}" for number in range(6)]
    chain = Network.from_parents({name: names[max(0, i - 1) : i] for i, name in enumerate(names)})
    assert texts_of(chain.plot(around="v1", hops=2)) == [
        "4 of 6 variables; dashed: has more neighbours",
        *names[:4],
    ]
    assert texts_of(chain.plot(around=["v0", "v5"]))[1:] == ["v0", "v1", "v4", "v5"]
    assert texts_of(chain.plot(around="v0", hops=5)) == names
    figure = chain.plot(around="v1", hops=1)
    dashed = [box.get_linestyle() != "solid" for box in figure.axes[0].patches[2:]]
    assert dashed == [False, False, True]
    with pytest.raises(InputError, match="unknown variable 'v9'"):
        chain.plot(around="v9")
    with pytest.raises(InputError, match="hops must be at least 0"):
        chain.plot(around="v1", hops=-1)
    with pytest.raises(InputError, match="around must be"):
        chain.plot(around=3)
    with pytest.raises(InputError, match="unknown direction 'up'"):
        chain.plot(direction="up")


def test_long_names_are_shortened_but_never_to_the_same():
    names = [f"a_very_long_name_of_a_column_number_{n}_in_the_table" for n in (1, 2)]
    network = Network.from_parents({name: [] for name in names})
    labels = texts_of(network.plot())
    assert len(set(labels)) == 2
    assert all("…" in label and len(label) < len(names[0]) for label in labels)
    assert texts_of(network.plot(longest_label=None)) == names


def test_letters_that_no_font_has_are_named_once(monkeypatch, recwarn):
    monkeypatch.setattr(fonts, "_best_font", lambda _missing: ("", ""))
    figure = draw_network(["年齢", "age"], [[], [0]])
    figure._repr_png_()
    said = [str(warning.message) for warning in recwarn]
    assert len(said) == 1
    assert "no font on this machine has '年'" in said[0]
    assert recwarn[0].category is DataWarning


def test_fonts_are_asked_for_what_those_before_lack(monkeypatch):
    letters = {"usual": {97}, "one": {98, 99}, "other": {100}}
    monkeypatch.setattr(fonts, "_path_of", lambda _family: "usual")
    monkeypatch.setattr(fonts, "_letters_of", lambda path: letters[path])
    monkeypatch.setattr(
        fonts, "_best_font", lambda missing: ("One", "one") if 98 in missing else ("Other", "other")
    )
    assert fonts.families_for(["abc d"]) == [fonts.USUAL, "One", "Other"]


def test_machine_is_asked_for_its_fonts():
    family, path = fonts._best_font(frozenset({ord("a")}))
    assert family
    assert ord("a") in fonts._letters_of(path)
    assert fonts._best_font(frozenset({0x10FFFD})) == ("", "")  # of nobody's alphabet


def test_draw_convergence_does_not_let_a_bad_beginning_set_the_scale():
    events = [event(0.1, 900.0, None), event(0.2, 110.0, 100.0), event(5.0, 110.0, 110.0)]
    figure = draw_convergence(events)
    axes = figure.axes[0]
    assert 110.0 < axes.get_ylim()[1] <= 130.0
    figure.canvas.draw()
    labels = [text.get_text() for text in axes.get_xticklabels()]
    assert {"0.1", "0.5", "2"} <= set(labels)
    assert all(label.replace(".", "").isdigit() for label in labels)


def test_draw_convergence_writes_times_with_as_many_digits():
    figure = draw_convergence([event(0.02, 120.0, 90.0), event(0.033, 110.0, 110.0)])
    figure.canvas.draw()
    labels = [text.get_text() for text in figure.axes[0].get_xticklabels()]
    assert len({len(label.partition(".")[2]) for label in labels}) == 1
    assert all("0.02" <= label < "0.04" for label in labels[1:-1])


def test_labels_of_arcs_are_in_the_font_of_the_names():
    marks = {("a", "b"): ArcMark(label="80 %")}
    with mpl.rc_context({"font.family": "serif"}):
        figure = draw_network(["a", "b"], [[], [0]], marks=marks)
    assert {text.get_fontname() for text in figure.axes[0].texts} == {fonts.USUAL}


def test_arcs_may_be_marked_in_any_view(tmp_path):
    marks = {("a", "b"): ArcMark(colour="#ff0000", head="none", label="80 %")}
    for more in ({}, {"around": "b"}, {"direction": "right"}):
        figure = draw_network(
            ["a", "b", "c"], [[], [0], [1]], marks=marks, note="red: new", roots=[1], **more
        )
        assert {"80 %", "red: new"} <= set(texts_of(figure))
        figure.savefig(tmp_path / "marked.png")
