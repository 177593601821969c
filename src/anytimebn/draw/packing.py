"""Where the unconnected parts of a drawing go, so that its letters can be as large as possible."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

PART_GAP = 30.0  # between unconnected parts, in points
WIDTH_TO_HEIGHT = 1.6  # of a screen, or of a page that is turned
TRIED_WIDTHS = 24


class Size(NamedTuple):
    """Of a drawing or a part of it, in points."""

    width: float
    height: float

    @property
    def screen(self) -> float:
        """How high a screen must be that shows all of it: the smaller, the larger the letters."""
        return max(self.width / WIDTH_TO_HEIGHT, self.height)


def pack(sizes: Sequence[Size]) -> tuple[list[tuple[float, float]], Size]:
    """Place rectangles beside and below each other; give their upper left corners, and the whole.

    Each goes as high up as it can, and there as far left (Baker, Coffman and Rivest 1980), for
    several widths of the whole; the best of these is taken.

    Examples
    --------
    >>> pack([Size(100, 50), Size(40, 50), Size(40, 20)])
    ([(0.0, 0.0), (130.0, 0.0), (0.0, 80.0)], Size(width=170.0, height=100.0))
    """
    if not sizes:
        return [], Size(0.0, 0.0)
    widest = max(size.width for size in sizes)
    all_in_a_row = sum(size.width + PART_GAP for size in sizes) - PART_GAP
    steps = TRIED_WIDTHS - 1
    tried = (
        _packed(sizes, widest + (all_in_a_row - widest) * (step / steps) ** 2)
        for step in range(TRIED_WIDTHS)
    )
    return min(tried, key=lambda packed: packed[1].screen)


def _packed(sizes: Sequence[Size], limit: float) -> tuple[list[tuple[float, float]], Size]:
    # What is taken so far, seen from below: pieces (from x, to x, down to y), from left to right.
    skyline = [(0.0, limit + PART_GAP, 0.0)]
    corners = []
    width = height = 0.0
    for size in sizes:
        needed = size.width + PART_GAP
        best = (float("inf"), 0.0)
        for left, _, _ in skyline:
            if left + needed <= limit + PART_GAP + 1e-6:
                top = max(y for x0, x1, y in skyline if x0 < left + needed - 1e-6 and x1 > left)
                best = min(best, (top, left))
        top, left = best
        corners.append((left, top))
        width, height = max(width, left + size.width), max(height, top + size.height)
        right, bottom = left + needed, top + size.height + PART_GAP
        cut = [(x0, min(x1, left), y) for x0, x1, y in skyline if x0 < left]
        cut.append((left, right, bottom))
        cut += [(max(x0, right), x1, y) for x0, x1, y in skyline if x1 > right + 1e-6]
        skyline = sorted(cut)
    return corners, Size(width, height)
