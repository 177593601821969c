"""Drawings of networks, in layers."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

from anytimebn.base.checks import is_number
from anytimebn.base.errors import InputError
from anytimebn.base.text import shown
from anytimebn.draw.figure import Picture, checked_picture_path, save_figure
from anytimebn.draw.layout import BOX_HEIGHT, Point, layered_layout
from anytimebn.draw.style import ARC, BORDER, DOTS_PER_INCH, FILL, FONT_SIZE, ROOT_FILL, TEXT

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from matplotlib.figure import Figure

TITLE_SIZE = 12.0
BOX_PADDING = 11.0
MARGIN = 16.0
TITLE_HEIGHT = 28.0
CAPTION_SIZE = 8.0
CAPTION_HEIGHT = 16.0
PLAIN_LINE, THIN_LINE, THICK_LINE = 0.9, 0.5, 3.6


def draw_network(
    names: Sequence[str],
    parents: Sequence[Sequence[int]],
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
    names
        The variables.
    parents
        For each variable the indices of its parents; those without any have a warmer colour.
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
    >>> figure = draw_network(["rain", "wet"], [[], [0]])
    >>> [text.get_text() for text in figure.axes[0].texts]
    ['rain', 'wet']
    """
    from matplotlib.patches import FancyArrowPatch, FancyBboxPatch
    from matplotlib.path import Path as Outline

    target = checked_picture_path(path)
    if weights is not None and not _are_weights(weights):
        raise InputError(
            f"weights must be numbers by arc, such as {{('A', 'B'): 2.5}}, not {shown(weights)}"
        )
    widths = [_text_width(name, FONT_SIZE) + 2 * BOX_PADDING for name in names]
    layout = layered_layout(parents, widths)

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
        arc = names[parent], names[child]
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
    for variable, name in enumerate(names):
        x, y = layout.centres[variable]
        axes.add_patch(
            FancyBboxPatch(
                (x - widths[variable] / 2, y - BOX_HEIGHT / 2),
                widths[variable],
                BOX_HEIGHT,
                boxstyle="round,pad=0,rounding_size=7",
                linewidth=1.0,
                edgecolor=BORDER,
                facecolor=FILL if parents[variable] else ROOT_FILL,
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
