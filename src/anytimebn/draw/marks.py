"""What sets an arc of a drawing apart from others: its colour, its heads, and what it says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from anytimebn.draw.fonts import USUAL
from anytimebn.draw.style import ARC, LABEL_SIZE, TEXT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

Point = tuple[float, float]


@dataclass(frozen=True)
class ArcMark:
    """How an arc is drawn.

    Attributes
    ----------
    colour
        Of the line.
    dashed
        Whether it is.
    head
        At which end of the arc the arrowhead is. An arc that leads up the layers is given the other
        way round, with the head at its start.
    label
        A few letters on it.
    """

    colour: str = ARC
    dashed: bool = False
    head: Literal["end", "start", "none"] = "end"
    label: str = ""

    @property
    def arrow_style(self) -> str:
        """The name by which matplotlib knows such heads."""
        if self.head == "none":
            return "-"
        ends = "-|>" if self.head == "end" else "<|-"
        return f"{ends},head_length=0.6,head_width=0.24"

    @property
    def line_style(self) -> str | tuple[int, tuple[int, ...]]:
        """The name by which matplotlib knows such lines."""
        return (0, (4, 3)) if self.dashed else "solid"


PLAIN = ArcMark()

# A third of the way along: arcs that cross do so in the middle, and would share the place there.
LABEL_PLACE = (8 / 27, 12 / 27, 6 / 27, 1 / 27)


def draw_label(axes: Axes, vertices: Sequence[Point], text: str) -> None:
    """Write a label on a curve, given the control points of its Bézier pieces."""
    pieces = [vertices[start : start + 4] for start in range(0, len(vertices) - 1, 3)]
    longest = max(pieces, key=lambda piece: _squared(piece[0], piece[3]))
    x, y = (
        sum(weight * number for weight, number in zip(LABEL_PLACE, numbers, strict=True))
        for numbers in zip(*longest, strict=True)
    )
    axes.text(
        x,
        y,
        text,
        ha="center",
        va="center",
        fontsize=LABEL_SIZE,
        family=USUAL,  # like the names, whatever else is set
        color=TEXT,
        parse_math=False,
        zorder=1.5,  # above arcs, below boxes
        bbox={
            "boxstyle": "round,pad=0.12",
            "facecolor": "white",
            "edgecolor": "none",
            "alpha": 0.8,
        },
    )


def _squared(one: Point, other: Point) -> float:
    return (one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2
