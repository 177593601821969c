"""Drawings: networks in layers, and how cost and lower bound met over time.

Only matplotlib's figure objects are used, never pyplot: nothing global changes, and no window or
system program is needed.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Protocol

from anytimebn.argument_checks import as_path, is_number, shown, writing
from anytimebn.errors import InputError
from anytimebn.layered_layout import BOX_HEIGHT, Point, layered_layout

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from matplotlib.figure import Figure

    from anytimebn.network import Network

FONT_SIZE = 10.0
TITLE_SIZE = 12.0
BOX_PADDING = 11.0
MARGIN = 16.0
TITLE_HEIGHT = 28.0
CAPTION_SIZE = 8.0
CAPTION_HEIGHT = 16.0
PLAIN_LINE, THIN_LINE, THICK_LINE = 0.9, 0.5, 3.6
DOTS_PER_INCH = 160.0
MAX_PIXELS = 9000.0  # of a side of a PNG file; larger drawings get fewer dots per inch

FILL, ROOT_FILL, BORDER, ARC, TEXT = "#eef3fa", "#fff3dc", "#3d5a80", "#5b6b7f", "#14213d"
COST_COLOUR, BOUND_COLOUR = "#c1442e", "#3d5a80"
SUFFIXES = (".png", ".svg")


class ProgressEvent(Protocol):
    """What `draw_convergence` needs to know of an event of a search."""

    @property
    def seconds(self) -> float:
        """When it happened, from the start of the search."""

    @property
    def cost(self) -> float | None:
        """The cost of the best network so far, if there is one."""

    @property
    def lower_bound(self) -> float | None:
        """The best lower bound so far, if there is one."""


def draw_network(
    network: Network,
    path: str | Path | None = None,
    *,
    title: str | None = None,
    weights: Mapping[tuple[str, str], float] | None = None,
    meaning: str = "score lost without the arc (nats)",
    proportional: bool = False,
) -> Figure:
    """Draw a network in layers, parents above their children.

    Parameters
    ----------
    network
        The network; only its structure is drawn. Variables without parents have a warmer colour.
    path
        Where to write the drawing, a ``.png`` or ``.svg`` file; nowhere if None.
    title
        A line above the drawing.
    weights
        How much each arc ``(parent, child)`` matters: its width. Arcs that are not there are thin.
    meaning
        What the weights are, for the line below the drawing.
    proportional
        Whether widths grow with the weights themselves, up to 1, or with their square roots.

    Returns
    -------
    matplotlib.figure.Figure
        A figure that pyplot does not know of.

    Examples
    --------
    >>> from anytimebn.network import Network
    >>> figure = draw_network(Network.from_parents({"rain": [], "wet": ["rain"]}))
    >>> [text.get_text() for text in figure.axes[0].texts]
    ['rain', 'wet']
    """
    from matplotlib.patches import FancyArrowPatch, FancyBboxPatch
    from matplotlib.path import Path as Outline

    from anytimebn.picture import Picture

    target = _checked_path(path)
    if weights is not None and not _are_weights(weights):
        raise InputError(
            f"weights must be numbers by arc, such as {{('A', 'B'): 2.5}}, not {shown(weights)}"
        )
    widths = [_text_width(name, FONT_SIZE) + 2 * BOX_PADDING for name in network.names]
    layout = layered_layout(network.parents, widths)

    # One data unit is one point, so that boxes fit the names in them whatever the figure's size.
    above = TITLE_HEIGHT if title else 0.0
    caption = _caption(weights, meaning) if weights else ""
    below = CAPTION_HEIGHT if caption else 0.0
    lines = ((title or "", TITLE_SIZE), (caption, CAPTION_SIZE))
    texts = [_text_width(text, size) for text, size in lines if text]
    width = max([layout.width, *texts]) + 2 * MARGIN
    height = layout.height + above + below + 2 * MARGIN
    figure = Picture(figsize=(width / 72, height / 72), dpi=DOTS_PER_INCH, facecolor="white")
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    axes.set_axis_off()
    axes.set_xlim((layout.width - width) / 2, (layout.width + width) / 2)
    axes.set_ylim(layout.height + MARGIN + below, -MARGIN - above)
    if title:
        axes.text(
            layout.width / 2,
            -MARGIN / 2 - above / 2,
            title,
            ha="center",
            va="center",
            fontsize=TITLE_SIZE,
            color=TEXT,
            parse_math=False,
        )
    if caption:
        axes.text(
            layout.width / 2,
            layout.height + MARGIN / 2 + below / 2,
            caption,
            ha="center",
            va="center",
            fontsize=CAPTION_SIZE,
            color=ARC,
            parse_math=False,
        )
    for (parent, child), points in layout.arcs.items():
        arc = network.names[parent], network.names[child]
        line = PLAIN_LINE if weights is None else _line_width(weights, arc, proportional)
        vertices = _smooth(points)
        codes = [Outline.MOVETO] + [Outline.CURVE4] * (len(vertices) - 1)
        axes.add_patch(
            FancyArrowPatch(
                path=Outline(vertices, codes),
                arrowstyle="-|>,head_length=0.6,head_width=0.24",
                mutation_scale=8.5 + 0.6 * line,
                joinstyle="miter",
                shrinkA=0,
                shrinkB=0,
                linewidth=line,
                color=ARC,
                zorder=1,
            )
        )
    for variable, name in enumerate(network.names):
        x, y = layout.centres[variable]
        axes.add_patch(
            FancyBboxPatch(
                (x - widths[variable] / 2, y - BOX_HEIGHT / 2),
                widths[variable],
                BOX_HEIGHT,
                boxstyle="round,pad=0,rounding_size=7",
                linewidth=1.0,
                edgecolor=BORDER,
                facecolor=FILL if network.parents[variable] else ROOT_FILL,
                zorder=2,
            )
        )
        axes.text(
            x,
            y,
            name,
            ha="center",
            va="center_baseline",
            fontsize=FONT_SIZE,
            color=TEXT,
            parse_math=False,
            zorder=3,
        )
    if target is not None:
        save_figure(figure, target)
    return figure


def _line_width(
    weights: Mapping[tuple[str, str], float], arc: tuple[str, str], proportional: bool
) -> float:
    """Square roots keep the weak arcs visible beside the strong ones."""
    if proportional:
        return THIN_LINE + (THICK_LINE - THIN_LINE) * min(1.0, weights.get(arc, 0.0))
    finite = [weight for weight in weights.values() if math.isfinite(weight)]
    weight, largest = weights.get(arc, 0.0), max(finite, default=0.0)
    share = 1.0 if not math.isfinite(weight) else weight / largest if largest > 0 else 0.0
    return THIN_LINE + (THICK_LINE - THIN_LINE) * math.sqrt(max(0.0, share))


def _caption(weights: Mapping[tuple[str, str], float], meaning: str) -> str:
    finite = [weight for weight in weights.values() if math.isfinite(weight)]
    if not finite:
        return ""
    low, high = (
        f"{value:,.0f}" if value >= 100 else f"{value:.2g}" for value in (min(finite), max(finite))
    )
    return f"width: {meaning}, {low}" if low == high else f"width: {meaning}, {low} to {high}"


def _smooth(points: Sequence[Point]) -> list[Point]:
    """Run a curve down through the points; give the Bézier control points.

    Fritsch and Carlson's monotone cubic of x over y: it never swings out beyond the points, so an
    arc stays between the boxes that it was routed between, and it leaves and enters boxes upright.
    """
    slopes = [(x1 - x0) / (y1 - y0) for (x0, y0), (x1, y1) in itertools.pairwise(points)]
    inner = [
        2 * before * after / (before + after) if before * after > 0 else 0.0
        for before, after in itertools.pairwise(slopes)
    ]
    tangents = [0.0, *inner, 0.0]
    curve = [points[0]]
    for position, ((x0, y0), (x1, y1)) in enumerate(itertools.pairwise(points)):
        third = (y1 - y0) / 3
        curve += [
            (x0 + tangents[position] * third, y0 + third),
            (x1 - tangents[position + 1] * third, y1 - third),
            (x1, y1),
        ]
    return curve


def draw_convergence(events: Sequence[ProgressEvent], path: str | Path | None = None) -> Figure:
    """Draw the best cost and the best lower bound over time, as steps on a logarithmic time axis.

    Parameters
    ----------
    events
        Events of a search, in order of time. Costs and bounds that are None, or not finite, are
        left out.
    path
        Where to write the drawing, a ``.png`` or ``.svg`` file; nowhere if None.
    """
    from anytimebn.picture import Picture

    target = _checked_path(path)
    if not events:
        raise InputError("there are no events to draw; at least one is needed")
    # Time zero has no place on a logarithmic axis: it moves to just before the first later event.
    later = [event.seconds for event in events if event.seconds > 0]
    earliest = max(min(later, default=1e-3) * 0.8, 1e-4)
    last = max([*later, earliest * 10])
    costs = [(event.seconds, event.cost) for event in events if _finite(event.cost)]
    bounds = [(event.seconds, event.lower_bound) for event in events if _finite(event.lower_bound)]

    figure = Picture(figsize=(7.0, 4.2), dpi=DOTS_PER_INCH, facecolor="white", layout="constrained")
    axes = figure.add_subplot()
    for points, colour, label in (
        (costs, COST_COLOUR, "best network found"),
        (bounds, BOUND_COLOUR, "lower bound"),
    ):
        if points:
            seconds = [max(point[0], earliest) for point in points]
            values = [float(point[1] or 0.0) for point in points]
            axes.step(
                [*seconds, last],
                [*values, values[-1]],
                where="post",
                color=colour,
                linewidth=1.8,
                label=label,
            )
            changed = [
                number
                for number, value in enumerate(values)
                if number == 0 or value != values[number - 1]
            ]
            axes.plot(
                [seconds[number] for number in changed],
                [values[number] for number in changed],
                "o",
                color=colour,
                markersize=3,
            )
    axes.set_xscale("log")
    axes.set_xlim(earliest, last * 1.05)
    axes.set_xlabel("seconds")
    axes.set_ylabel("cost (nats)")
    axes.grid(visible=True, which="major", color="#d9dee5", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    axes.ticklabel_format(axis="y", useOffset=False, style="plain")
    if costs and bounds:
        cost, bound = float(costs[-1][1] or 0.0), float(bounds[-1][1] or 0.0)
        _show_where_they_meet(axes, [float(value or 0.0) for _, value in costs], bound)
        gap = cost - bound
        title = "proven optimal" if gap <= 1e-9 * abs(cost) else f"remaining gap {gap:.6g} nats"
        axes.set_title(title, fontsize=FONT_SIZE, color=TEXT, loc="right")
    if costs or bounds:
        axes.legend(frameon=False, loc="best")
    if target is not None:
        save_figure(figure, target)
    return figure


def _show_where_they_meet(axes: object, costs: list[float], bound: float) -> None:
    """Cut off first bounds that are far below: they would press all that matters into one line."""
    from matplotlib.axes import Axes

    assert isinstance(axes, Axes)
    scale = max(max(costs) - costs[-1], costs[-1] - bound)
    if scale <= max(1e-6 * abs(costs[-1]), 1e-6):
        return  # the first network was the best: the bound is all there is to see
    low, high = axes.get_ylim()
    axes.set_ylim(max(low, min(bound, costs[-1]) - 2.0 * scale), high)


def _finite(value: float | None) -> bool:
    return value is not None and math.isfinite(value)


def _are_weights(given: object) -> bool:
    return isinstance(given, Mapping) and all(map(is_number, given.values()))


def _text_width(text: str, size: float) -> float:
    """Measure a line of text in points."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    width, _, _ = text_to_path.get_text_width_height_descent(
        text, FontProperties(size=size), ismath=False
    )
    return float(width)


def _checked_path(path: str | Path | None) -> Path | None:
    if path is None:
        return None
    target = as_path(path)
    if target.suffix.lower() not in SUFFIXES:
        raise InputError(f"{path}: drawings are written to {' or '.join(SUFFIXES)} files")
    return target


def save_figure(figure: Figure, path: Path) -> None:
    """Write a figure to a ``.png`` or ``.svg`` file."""
    from matplotlib import rc_context

    # Without a date and with fixed identifiers, the same network gives the same SVG file.
    with writing(path), rc_context({"svg.hashsalt": "anytimebn"}):
        figure.savefig(
            path,
            format=path.suffix.lower()[1:],
            dpi=sharpness(figure),
            metadata={"Date": None} if path.suffix.lower() == ".svg" else None,
        )


def sharpness(figure: Figure) -> float:
    """Dots per inch: fewer for figures that would become too large a picture."""
    return min(DOTS_PER_INCH, MAX_PIXELS / float(max(figure.get_size_inches())))
