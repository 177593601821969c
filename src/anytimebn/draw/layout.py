"""Where the boxes and arcs of a layered drawing go.

Parents are above their children or, where that makes the letters larger, to the left of them. Parts
that are not connected are packed, and variables without arcs stand in a grid below. Lengths are in
points; y grows downwards.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from anytimebn.draw.layers import layers_of, wrapped
from anytimebn.draw.packing import PART_GAP, WIDTH_TO_HEIGHT, Size, pack
from anytimebn.draw.part import BOX_GAP, BOX_HEIGHT, STACK_GAP, Arc, Part, PartLayout, Point, Way

if TYPE_CHECKING:
    from collections.abc import Sequence

Direction = Literal["auto", "down", "right"]

COMFORTABLE = 1250.0
"""As high as a drawing may be whose letters can be read on a screen, or as wide in proportion: 10
inches, with letters of 6 points or more."""

LARGER_LETTERS = 1.25
"""How much larger they must be for layers that are wrapped or turned, which are less easy to follow
than plain ones."""

ROWS_A_LAYER = (1, 1.5, 2, 3, 4, 6, 8)  # into how many the longest layer is wrapped


@dataclass(frozen=True)
class Layout:
    """Centres of the boxes; points that each arc (parent, child) goes through, from it to it."""

    centres: dict[int, Point]
    arcs: dict[Arc, list[Point]]
    width: float
    height: float
    rightwards: bool = False

    @property
    def size(self) -> Size:
        """Of all."""
        return Size(self.width, self.height)


def layered_layout(
    parents: Sequence[Sequence[int]],
    widths: Sequence[float],
    direction: Direction = "auto",
) -> Layout:
    """Place the boxes of an acyclic graph, of the given widths, and route its arcs.

    Parameters
    ----------
    parents, widths
        Of each variable.
    direction
        Where children are: below their parents, to the right of them, or what is better. Wide
        layers are wrapped if it is not said.

    Examples
    --------
    >>> layout = layered_layout([[], [0]], [40.0, 40.0])
    >>> layout.centres[0][0] == layout.centres[1][0]
    True
    >>> layout = layered_layout([[], [0]], [40.0, 40.0], "right")
    >>> layout.centres[0][1] == layout.centres[1][1]
    True
    """
    components = [part for part in _components(parents) if len(part) > 1]
    graph = _Graph(parents, widths, components)
    if direction != "auto":
        way = Way(rightwards=direction == "right")
        return _assembled(graph.parts(way), graph.alone, widths, way)
    plain = _assembled(graph.parts(Way()), graph.alone, widths, Way())
    if plain.size.screen <= COMFORTABLE or not components:
        return plain
    way = graph.best_way()
    other = _assembled(graph.parts(way), graph.alone, widths, way)
    return other if LARGER_LETTERS * other.size.screen < plain.size.screen else plain


class _Graph:
    """What is drawn, and the ways in which it can be."""

    def __init__(
        self,
        parents: Sequence[Sequence[int]],
        widths: Sequence[float],
        components: list[list[int]],
    ) -> None:
        self.parents, self.widths, self.components = parents, widths, components
        connected = {variable for part in components for variable in part}
        self.alone = [variable for variable in range(len(parents)) if variable not in connected]
        self.layer_of = layers_of(parents)

    def part(self, members: list[int], way: Way) -> Part:
        index = {variable: item for item, variable in enumerate(members)}
        own_parents = [[index[parent] for parent in self.parents[v]] for v in members]
        layer_of = layers_of(own_parents)
        if math.isfinite(way.longest_layer):
            layer_of = wrapped(
                layer_of, own_parents, self._lengths(members, way), way.longest_layer
            )
        return Part(self.parents, members, self.widths, layer_of, way)

    def parts(self, way: Way) -> list[PartLayout]:
        return [self.part(members, way).layout() for members in self.components]

    def best_way(self) -> Way:
        """Choose how to draw what is too large, by the sizes to be expected."""
        largest = self.components[0]
        ways = []
        for rightwards in (False, True):
            longest = self._longest_layer(largest, Way(rightwards))
            ways += [Way(rightwards, longest / rows + 1, shared=True) for rows in ROWS_A_LAYER]

        def screen(way: Way) -> float:
            sizes = [self.part(members, way).expected_size() for members in self.components]
            return pack(sizes)[1].screen

        return min(ways, key=screen)

    def _longest_layer(self, members: list[int], way: Way) -> float:
        taken: dict[int, float] = {}
        for variable, length in zip(members, self._lengths(members, way), strict=True):
            layer = self.layer_of[variable]
            taken[layer] = taken.get(layer, 0.0) + length
        return max(taken.values())

    def _lengths(self, members: list[int], way: Way) -> list[float]:
        if way.rightwards:
            return [BOX_HEIGHT + STACK_GAP] * len(members)
        return [self.widths[variable] + BOX_GAP for variable in members]


def _components(parents: Sequence[Sequence[int]]) -> list[list[int]]:
    """Split the variables into connected parts, the larger ones first."""
    part_of = list(range(len(parents)))

    def find(variable: int) -> int:
        while part_of[variable] != variable:
            part_of[variable] = part_of[part_of[variable]]
            variable = part_of[variable]
        return variable

    for child, members in enumerate(parents):
        for parent in members:
            part_of[find(parent)] = find(child)
    parts: dict[int, list[int]] = {}
    for variable in range(len(parents)):
        parts.setdefault(find(variable), []).append(variable)
    return sorted(parts.values(), key=lambda part: (-len(part), part[0]))


def _assembled(
    parts: list[PartLayout], alone: list[int], widths: Sequence[float], way: Way
) -> Layout:
    """Put the parts together, and what has no arcs below them."""
    corners, size = pack([part.size for part in parts])
    centres: dict[int, Point] = {}
    arcs: dict[Arc, list[Point]] = {}
    for part, (left, top) in zip(parts, corners, strict=True):
        for variable, (x, y) in part.centres.items():
            centres[variable] = (x + left, y + top)
        for arc, points in part.arcs.items():
            arcs[arc] = [(x + left, y + top) for x, y in points]
    grid = _grid([widths[variable] for variable in alone], size.width)
    top = size.height + PART_GAP if parts else 0.0
    for variable, (x, y) in zip(alone, grid, strict=True):
        centres[variable] = (x, y + top)
    right = [centres[variable][0] + widths[variable] / 2 for variable in alone]
    bottom = [centres[variable][1] + BOX_HEIGHT / 2 for variable in alone]
    return Layout(
        centres,
        arcs,
        max([size.width, *right]),
        max([size.height, *bottom]),
        way.rightwards,
    )


def _grid(widths: list[float], width: float) -> list[Point]:
    """Place boxes in rows and columns, as wide as the rest of the drawing, or as a screen."""
    if not widths:
        return []
    cell, row = max(widths) + BOX_GAP, BOX_HEIGHT + BOX_GAP
    squarish = math.sqrt(WIDTH_TO_HEIGHT * cell * row * len(widths))
    columns = max(1, int((max(width, squarish) + BOX_GAP) // cell))
    return [
        ((number % columns) * cell + (cell - BOX_GAP) / 2, number // columns * row + BOX_HEIGHT / 2)
        for number in range(len(widths))
    ]
