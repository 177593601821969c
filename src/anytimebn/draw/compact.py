"""Boxes in rows, close to each other: for networks whose arcs would need more room than the boxes.

A layered drawing (`anytimebn.draw.layout`) leads every arc round the boxes, which makes a dense
network of many variables so large that its names cannot be read. Here arcs run behind the boxes;
parents stand above their children, or in the same row. It is there at once.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from anytimebn.draw.layers import layers_of
from anytimebn.draw.part import BOX_GAP, BOX_HEIGHT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from anytimebn.draw.part import Arc, Point

ROW_GAP = 44.0
WIDTH_TO_HEIGHT = 1.35  # of the place for a drawing on a page
SWEEPS = 8
BULGE = 0.55  # of the gap above a row, for arcs within it


class Compact(NamedTuple):
    """Centres of the boxes, control points of the curve of each arc, and the size of all."""

    centres: list[Point]
    curves: dict[Arc, list[Point]]
    width: float
    height: float


def compact_layout(parents: Sequence[Sequence[int]], widths: Sequence[float]) -> Compact:
    """Place boxes of the given widths in rows.

    Examples
    --------
    >>> drawn = compact_layout([[], [0]], [40.0, 40.0])
    >>> drawn.centres[0][1] <= drawn.centres[1][1], list(drawn.curves)
    (True, [(0, 1)])
    """
    rows = _rows(parents, widths)
    beside: list[list[int]] = [list(own) for own in parents]
    for child, own in enumerate(parents):
        for parent in own:
            beside[parent].append(child)
    lengths = [sum(widths[v] + BOX_GAP for v in row) - BOX_GAP for row in rows]
    width = max(lengths, default=0.0)
    x = [0.0] * len(widths)
    for row, length in zip(rows, lengths, strict=True):
        _put(row, x, widths, length, width)
    for sweep in range(SWEEPS):
        for number in range(len(rows))[:: 1 if sweep % 2 == 0 else -1]:
            means = {
                v: sum(x[other] for other in beside[v]) / len(beside[v]) if beside[v] else x[v]
                for v in rows[number]
            }
            rows[number].sort(key=means.__getitem__)
            _put(rows[number], x, widths, lengths[number], width)
    step = BOX_HEIGHT + ROW_GAP
    row_of = {v: number for number, row in enumerate(rows) for v in row}
    top = BULGE * ROW_GAP + BOX_HEIGHT / 2
    centres = [(x[v], top + step * row_of[v]) for v in range(len(widths))]
    curves = {
        (parent, child): _curve(centres[parent], centres[child])
        for child, own in enumerate(parents)
        for parent in own
    }
    return Compact(centres, curves, width, top + step * len(rows) - ROW_GAP - BOX_HEIGHT / 2)


def _rows(parents: Sequence[Sequence[int]], widths: Sequence[float]) -> list[list[int]]:
    """Deal the variables out to rows, parents first, so that all has the shape of a screen."""
    if not widths:
        return []
    layer = layers_of(parents)
    order = sorted(range(len(widths)), key=lambda v: (layer[v], v))
    total = sum(width + BOX_GAP for width in widths)
    longest = max(max(widths), math.sqrt(WIDTH_TO_HEIGHT * total * (BOX_HEIGHT + ROW_GAP)))
    count = max(1, math.ceil(total / longest))
    rows: list[list[int]] = [[] for _ in range(count)]
    taken = 0.0
    for v in order:
        rows[min(count - 1, int(count * taken / total))].append(v)
        taken += widths[v] + BOX_GAP
    return [row for row in rows if row]


def _put(
    row: Sequence[int], x: list[float], widths: Sequence[float], length: float, width: float
) -> None:
    """Spread a row over the whole width."""
    extra = (width - length) / (len(row) + 1)
    left = extra
    for v in row:
        x[v] = left + widths[v] / 2
        left += widths[v] + BOX_GAP + extra


def _curve(start: Point, end: Point) -> list[Point]:
    (x0, y0), (x1, y1) = start, end
    half = BOX_HEIGHT / 2
    if y0 == y1:
        top = y0 - half - BULGE * ROW_GAP
        return [(x0, y0 - half), (x0, top), (x1, top), (x1, y1 - half)]
    reach = max(ROW_GAP * 0.6, (y1 - y0) / 3)
    return [(x0, y0 + half), (x0, y0 + half + reach), (x1, y1 - half - reach), (x1, y1 - half)]
