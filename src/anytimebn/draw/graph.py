"""Drawings of networks, in layers."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal, get_args

from anytimebn.base.checks import are_names, check_whole, is_number
from anytimebn.base.errors import InputError
from anytimebn.base.text import how_many, shown, unknown_name
from anytimebn.draw.figure import Picture, checked_picture_path, save_figure
from anytimebn.draw.fonts import families_for, without_warnings_of_letters
from anytimebn.draw.labels import short_labels
from anytimebn.draw.layout import Direction, layered_layout
from anytimebn.draw.marks import PLAIN, ArcMark, draw_label
from anytimebn.draw.part import BOX_HEIGHT
from anytimebn.draw.smooth import smooth_curve
from anytimebn.draw.strongest import arcs_to_follow, strongest
from anytimebn.draw.style import (
    ARC,
    BORDER,
    CENTRE_FILL,
    DOTS_PER_INCH,
    FILL,
    FONT_SIZE,
    ROOT_FILL,
    TEXT,
)
from anytimebn.draw.view import View, view_of

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from pathlib import Path

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from anytimebn.draw.layout import Layout
    from anytimebn.draw.part import Point

TITLE_SIZE = 12.0
BOX_PADDING = 11.0
MARGIN = 16.0
TITLE_HEIGHT = 28.0
CAPTION_SIZE = 8.0
CAPTION_HEIGHT = 16.0
PLAIN_LINE, THIN_LINE, THICK_LINE = 0.9, 0.5, 3.6
LONGEST_LABEL = 24


def draw_network(
    names: Sequence[str],
    parents: Sequence[Sequence[int]],
    path: str | Path | None = None,
    *,
    title: str | None = None,
    weights: Mapping[tuple[str, str], float] | None = None,
    meaning: str = "score lost without the arc (nats)",
    proportional: bool = False,
    marks: Mapping[tuple[str, str], ArcMark] | None = None,
    note: str = "",
    roots: Collection[int] | None = None,
    around: str | Sequence[str] | None = None,
    hops: int = 1,
    direction: Direction = "auto",
    longest_label: int | None = LONGEST_LABEL,
    most_arcs: int | Literal["auto"] | None = "auto",
) -> Figure:
    """Draw a network in layers: parents above their children, or to the left of them.

    Parameters
    ----------
    names
        The variables.
    parents
        For each variable the indices of its parents; those without any have a warmer colour.
    path
        Where to write the drawing, a ``.png``, ``.svg`` or ``.pdf`` file; nowhere if None.
    title
        A line above the drawing.
    weights
        How much each arc ``(parent, child)`` matters: its width. Arcs that are not there are thin.
    meaning
        What the weights are, for the line below the drawing.
    proportional
        Whether widths grow with the weights themselves, up to 1, or with their square roots.
    marks
        Arcs that are drawn otherwise: in another colour, without a head, or with a label.
    note
        What marks mean, for the line below the drawing.
    roots
        Variables that have the warmer colour instead of those without parents.
    around, hops
        Draw only the named variable, or several, and what is within so many arcs of it, whichever
        way they point. Boxes with a dashed border have parents or children that are left out.
    direction
        Where children are: ``"down"``, below their parents; ``"right"``, to the right of them; or
        ``"auto"``: below or, where the drawing would be too large to be read on a screen, in the
        way in which its letters are largest, with wide layers wrapped.
    longest_label
        Longer names lose their middle; None shows all of them.
    most_arcs
        How many arcs to draw, the strongest by their weights; None draws all. By default all are
        drawn, but for networks with weights, over 120 arcs and more than 1.5 a variable.

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
    target = checked_picture_path(path)
    if weights is not None and not _are_weights(weights):
        raise InputError(
            f"weights must be numbers by arc, such as {{('A', 'B'): 2.5}}, not {shown(weights)}"
        )
    if direction not in get_args(Direction):
        raise InputError(unknown_name("direction", direction, get_args(Direction)))
    if longest_label is not None:
        check_whole("longest_label", longest_label, 3)
    centres = _positions(names, around)
    check_whole("hops", hops, 0)
    if most_arcs not in (None, "auto"):
        check_whole("most_arcs", most_arcs, 0)
    view = view_of(parents, centres, hops)
    shown_names = [names[variable] for variable in view.members]
    drawn = _drawn_parents(view, shown_names, weights, most_arcs)
    labels = short_labels(shown_names, longest_label)
    caption = "; ".join(
        filter(
            None,
            (
                _left_out(view, len(names)),
                _weak_ones_left_out(view, drawn),
                _caption(_of_drawn(weights, shown_names, drawn), meaning) if weights else "",
                note,
            ),
        )
    )
    families = families_for([*labels, title or "", caption])
    widths = [_text_width(label, FONT_SIZE, families) + 2 * BOX_PADDING for label in labels]
    layout = layered_layout(drawn, widths, direction)

    # One data unit is one point, so that boxes fit the names in them whatever the figure's size.
    above = TITLE_HEIGHT if title else 0.0
    below = CAPTION_HEIGHT if caption else 0.0
    lines = ((title or "", TITLE_SIZE), (caption, CAPTION_SIZE))
    texts = [_text_width(text, size, families) for text, size in lines if text]
    width = max([layout.width, *texts]) + 2 * MARGIN
    height = layout.height + above + below + 2 * MARGIN
    figure = Picture(figsize=(width / 72, height / 72), dpi=DOTS_PER_INCH, facecolor="white")
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    axes.set_axis_off()
    axes.set_xlim((layout.width - width) / 2, (layout.width + width) / 2)
    axes.set_ylim(layout.height + MARGIN + below, -MARGIN - above)
    if title:
        y = -MARGIN / 2 - above / 2
        _write(axes, (layout.width / 2, y), title, TITLE_SIZE, TEXT, families)
    if caption:
        y = layout.height + MARGIN / 2 + below / 2
        _write(axes, (layout.width / 2, y), caption, CAPTION_SIZE, ARC, families)
    for (parent, child), points in layout.arcs.items():
        arc = shown_names[parent], shown_names[child]
        line = PLAIN_LINE if weights is None else _line_width(weights, arc, proportional)
        mark = PLAIN if marks is None else marks.get(arc, PLAIN)
        _draw_arc(axes, points, line, mark, layout)
    marked = set(centres or ())
    without = (variable for variable, own in enumerate(parents) if not own)
    warm = set(without if roots is None else roots)
    for position, label in enumerate(labels):
        fill = ROOT_FILL if view.members[position] in warm else FILL
        if view.members[position] in marked:
            fill = CENTRE_FILL
        centre = layout.centres[position]
        _draw_box(axes, centre, widths[position], fill, dashed=view.cut[position])
        _write(axes, centre, label, FONT_SIZE, TEXT, families, in_box=True)
    if target is not None:
        save_figure(figure, target)
    return figure


def _positions(names: Sequence[str], around: str | Sequence[str] | None) -> list[int] | None:
    """Find the variables that a view is around."""
    if around is None:
        return None
    asked = [around] if isinstance(around, str) else around
    if not are_names(asked) or not asked:
        raise InputError(f"around must be the name of a variable, or several, not {shown(around)}")
    index = {name: position for position, name in enumerate(names)}
    for name in asked:
        if name not in index:
            raise InputError(unknown_name("variable", name, names))
    return [index[name] for name in asked]


def _left_out(view: View, variables: int) -> str:
    """Say that this is not all."""
    if len(view.members) == variables:
        return ""
    more = "; dashed: has more neighbours" if any(view.cut) else ""
    return f"{len(view.members):,} of {how_many(variables, 'variable')}{more}"


def _drawn_parents(
    view: View,
    names: Sequence[str],
    weights: Mapping[tuple[str, str], float] | None,
    most: int | Literal["auto"] | None,
) -> list[list[int]]:
    """Choose the arcs to draw, as parents of each member of a view."""
    arcs = sum(map(len, view.parents))
    if most == "auto":
        most = arcs_to_follow(len(names), arcs) if weights else None
    if most is None or most >= arcs:
        return view.parents
    position = {name: number for number, name in enumerate(names)}
    by_number = {
        (position[parent], position[child]): weight
        for (parent, child), weight in (weights or {}).items()
        if parent in position and child in position
    }
    return strongest(view.parents, by_number, most)


def _weak_ones_left_out(view: View, drawn: Sequence[Sequence[int]]) -> str:
    there, left = sum(map(len, view.parents)), sum(map(len, drawn))
    return f"the {left:,} strongest of {there:,} arcs; most_arcs=None draws all" * (left < there)


def _of_drawn(
    weights: Mapping[tuple[str, str], float],
    names: Sequence[str],
    drawn: Sequence[Sequence[int]],
) -> dict[tuple[str, str], float]:
    arcs = {(names[parent], names[child]) for child, own in enumerate(drawn) for parent in own}
    return {arc: weight for arc, weight in weights.items() if arc in arcs}


def _write(
    axes: Axes,
    place: Point,
    text: str,
    size: float,
    colour: str,
    families: Sequence[str],
    *,
    in_box: bool = False,
) -> None:
    axes.text(
        *place,
        text,
        ha="center",
        va="center_baseline" if in_box else "center",
        fontsize=size,
        fontfamily=list(families),
        color=colour,
        parse_math=False,
        zorder=3,
    )


def _draw_arc(
    axes: Axes, points: Sequence[Point], line: float, mark: ArcMark, layout: Layout
) -> None:
    from matplotlib.patches import FancyArrowPatch
    from matplotlib.path import Path as Outline

    vertices = smooth_curve(points, rightwards=layout.rightwards)
    codes = [Outline.MOVETO] + [Outline.CURVE4] * (len(vertices) - 1)
    axes.add_artist(
        FancyArrowPatch(
            path=Outline(vertices, codes),
            arrowstyle=mark.arrow_style,
            mutation_scale=8.5 + 0.6 * line,
            joinstyle="miter",
            shrinkA=0,
            shrinkB=0,
            linewidth=line,
            linestyle=mark.line_style,
            color=mark.colour,
            zorder=1,
        )
    )
    if mark.label:
        draw_label(axes, vertices, mark.label)


def _draw_box(axes: Axes, centre: Point, width: float, fill: str, *, dashed: bool) -> None:
    from matplotlib.patches import FancyBboxPatch

    axes.add_artist(
        FancyBboxPatch(
            (centre[0] - width / 2, centre[1] - BOX_HEIGHT / 2),
            width,
            BOX_HEIGHT,
            boxstyle="round,pad=0,rounding_size=7",
            linewidth=1.0,
            linestyle=(0, (3, 2)) if dashed else "solid",
            edgecolor=BORDER,
            facecolor=fill,
            zorder=2,
        )
    )


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


def _are_weights(given: object) -> bool:
    return isinstance(given, Mapping) and all(map(is_number, given.values()))


def _text_width(text: str, size: float, families: Sequence[str]) -> float:
    """Measure a line of text in points."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    with without_warnings_of_letters():
        width, _, _ = text_to_path.get_text_width_height_descent(
            text, FontProperties(family=list(families), size=size), ismath=False
        )
    return float(width)
