"""Draw the spaces that a proof can be about, around a network of five variables.

    .venv/bin/python docs/figures/spaces.py

All networks of five variables are counted one by one: which of them are in which space. What the
spaces are is explained in docs/claims.md. Takes a few seconds.
"""

from __future__ import annotations

import itertools
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from matplotlib.figure import Figure
from matplotlib.patches import Circle, FancyArrowPatch, FancyBboxPatch

from anytimebn.draw.style import ARC, BORDER, COST_COLOUR, FAINT, TEXT
from anytimebn.scores.space import is_near

if TYPE_CHECKING:
    from matplotlib.axes import Axes

NAMES = "ABCDE"
LIMIT = 1  # parents
OUTPUT = Path(__file__).with_suffix(".png")

Parents = tuple[frozenset[int], ...]  # of each variable


def network(text: str) -> Parents:
    """Read a network: for each variable in turn the names of its parents, or a dash."""
    return tuple(frozenset(map(NAMES.index, own.strip("-"))) for own in text.split())


FOUND = network("- A AB BC D")


# ---- which networks there are ----


def is_acyclic(parents: Parents) -> bool:
    """Whether the variables can be ordered so that parents come first."""
    left = set(range(len(parents)))
    while ready := {x for x in left if left.isdisjoint(parents[x])}:
        left -= ready
    return not left


def all_networks() -> list[Parents]:
    """Every acyclic choice of parents."""
    numbers = range(len(NAMES))
    families = [
        [
            frozenset(members)
            for size in numbers
            for members in itertools.combinations([x for x in numbers if x != child], size)
        ]
        for child in numbers
    ]
    return [parents for parents in itertools.product(*families) if is_acyclic(parents)]


@dataclass(frozen=True)
class Place:
    """Which spaces a network is in."""

    near: bool
    small: bool
    mixed: bool  # each family is near, or small

    @classmethod
    def of(cls, parents: Parents) -> Place:
        """Compare a network with that which was found."""
        near = [is_near(own, other) for own, other in zip(FOUND, parents, strict=True)]
        small = [len(other) <= LIMIT for other in parents]
        return cls(all(near), all(small), all(a or b for a, b in zip(near, small, strict=True)))


DRAWN = [  # caption, network, where it is, and where it is drawn
    ("the network", FOUND, Place(True, False, True), (17, 38)),
    ("two families\nchanged", network("- A A BCA D"), Place(True, False, True), (34, 38)),
    ("all five\nchanged at once", network("B - B B A"), Place(True, True, True), (57, 38)),
    ("a tree", network("- A A A A"), Place(False, True, True), (80, 38)),
    ("D as it was,\nthe others small", network("- - - BC A"), Place(False, False, True), (25, 15)),
    (
        "two new parents\nof D and of E",
        network("- A AB AE AB"),
        Place(False, False, False),
        (106.5, 38),
    ),
]


# ---- the drawing ----


def draw_network(axes: Axes, parents: Parents, x: float, y: float, caption: str) -> None:
    """Draw a small network, with the arcs of changed families in another colour."""
    wide, high = 4.6, 4.2
    spots = [(0.0, 1.0), (1.0, 1.0), (-0.55, 0.0), (1.55, 0.0), (0.5, -0.85)]
    places = [(x + (a - 0.5) * wide, y + b * high) for a, b in spots]
    for child, own in enumerate(parents):
        changed = own != FOUND[child]
        for parent in own:
            axes.add_patch(
                FancyArrowPatch(
                    places[parent],
                    places[child],
                    arrowstyle="-|>",
                    mutation_scale=9,
                    shrinkA=7.5,
                    shrinkB=7.5,
                    linewidth=1.8 if changed else 1.2,
                    color=COST_COLOUR if changed else ARC,
                    zorder=4,
                )
            )
    for name, place, own, was in zip(NAMES, places, parents, FOUND, strict=True):
        edge = COST_COLOUR if own != was else BORDER
        axes.add_patch(
            Circle(place, 1.45, facecolor="white", edgecolor=edge, linewidth=1.3, zorder=5)
        )
        axes.text(*place, name, ha="center", va="center", fontsize=7.5, color=TEXT, zorder=6)
    axes.text(x, y - 7.0, caption, ha="center", va="top", fontsize=8, color=FAINT, zorder=6)


def draw_space(
    axes: Axes, box: tuple[float, float, float, float], colour: str, *, dashed: bool = False
) -> None:
    """Draw the border of a space: left, bottom, width, height."""
    left, bottom, width, height = box
    axes.add_patch(
        FancyBboxPatch(
            (left, bottom),
            width,
            height,
            boxstyle="round,pad=0,rounding_size=3",
            facecolor="none" if dashed else colour,
            edgecolor=BORDER,
            linewidth=1.4,
            linestyle="--" if dashed else "-",
            zorder=3 if dashed else 1,
        )
    )


def label(axes: Axes, x: float, y: float, name: str, claim: str) -> None:
    """Say what a space is called, and what its best network is."""
    axes.text(x, y, name, fontsize=9, color=TEXT, va="top", zorder=6)
    axes.text(x, y - 2.9, claim, fontsize=9, color=BORDER, va="top", weight="bold", zorder=6)


def draw(counts: Counter[Place]) -> Figure:
    """Draw nested spaces, with some networks where they are."""

    def networks(within: str) -> str:
        return f"{sum(count for place, count in counts.items() if getattr(place, within)):,}"

    figure = Figure(figsize=(9.6, 6.2), layout="constrained")
    axes = figure.add_subplot()
    axes.set_xlim(0, 120)
    axes.set_ylim(0, 77)
    axes.set_aspect("equal")
    axes.set_axis_off()

    draw_space(axes, (1, 1, 118, 75), "#f4f6f9")
    label(axes, 4, 74, f"all {counts.total():,} networks of five variables", "best one: optimal")
    draw_space(axes, (4, 4, 90, 62), "#e3ebf5")
    label(
        axes,
        7,
        64,
        f"the neighbourhood and all families of up to {LIMIT} parent: {networks('mixed')} networks",
        f"best one: neighbourhood-optimal, up to {LIMIT} parent",
    )
    draw_space(axes, (7, 24, 62, 32), "#cfdcee")
    label(
        axes, 10, 54, f"the neighbourhood: {networks('near')} networks",
        "best one: neighbourhood-optimal",
    )  # fmt: skip
    draw_space(axes, (46, 7, 45, 40), BORDER, dashed=True)
    label(
        axes, 49, 13.5, f"up to {LIMIT} parent: {networks('small')} networks",
        f"best one: optimal up to {LIMIT} parent",
    )  # fmt: skip

    for caption, parents, place, (x, y) in DRAWN:
        assert is_acyclic(parents)
        assert Place.of(parents) == place
        draw_network(axes, parents, x, y, caption)
    return figure


def main() -> None:
    """Count the networks of each space, and draw."""
    counts = Counter(map(Place.of, all_networks()))
    draw(counts).savefig(OUTPUT, dpi=130, metadata={"Software": None})


if __name__ == "__main__":
    main()
