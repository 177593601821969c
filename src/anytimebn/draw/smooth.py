"""Curves through the points that the arcs of a layered drawing pass."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from anytimebn.draw.part import Point


def smooth_curve(points: Sequence[Point], *, rightwards: bool = False) -> list[Point]:
    """Run a curve through the points of an arc; give the control points of its Bézier pieces.

    Parameters
    ----------
    points
        As `anytimebn.draw.layout.Layout` has them.
    rightwards
        Whether layers lie from left to right, not below each other.

    Examples
    --------
    >>> smooth_curve([(0.0, 0.0), (6.0, 3.0)])
    [(0.0, 0.0), (0.0, 1.0), (6.0, 2.0), (6.0, 3.0)]
    """
    if rightwards:
        return [(x, y) for y, x in _smooth([(y, x) for x, y in points])]
    return _smooth(points)


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
