"""Where the boxes and arcs of a layered drawing go.

The method of Sugiyama, Tagawa and Toda (1981): layers by longest paths, an order within each layer
by barycentre sweeps, then positions. A long arc is split into *waypoints*, one in every layer that
it passes, which take part in ordering and positioning like boxes of no width; so arcs go round
boxes instead of through them. Lengths are in points; y grows downwards.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

BOX_HEIGHT = 24.0
BOX_GAP = 18.0  # between neighbours in a layer
WAYPOINT_GAP = 12.0  # between a passing arc and its neighbours
SMALLEST_LAYER_GAP = 38.0
LARGEST_LAYER_GAP = 84.0
PART_GAP = 30.0  # between unconnected parts
PORT_GAP = 9.0  # between arcs at the same side of a box
PORT_MARGIN = 10.0  # between the first arc and the corner of a box
LAYER_GAP_A_MOVE, LAYER_GAP_AN_ARC = 0.1, 1.2  # what sideways moves and many arcs add to a gap
BEND_WEIGHT = 4.0  # a bend in a passing arc disturbs more than a slanted end of one
WIDTH_TO_HEIGHT = 1.6  # of all parts together, about
ORDER_SWEEPS = 24
SWAP_ROUNDS = 8
POSITION_SWEEPS = 60

Point = tuple[float, float]


@dataclass(frozen=True)
class Layout:
    """Centres of the boxes; points that each arc (parent, child) goes through, downwards."""

    centres: dict[int, Point]
    arcs: dict[tuple[int, int], list[Point]]
    width: float
    height: float


def layered_layout(parents: Sequence[Sequence[int]], widths: Sequence[float]) -> Layout:
    """Place the boxes of an acyclic graph, of the given widths, and route its arcs.

    Examples
    --------
    >>> layout = layered_layout([[], [0]], [40.0, 40.0])
    >>> layout.centres[0][0] == layout.centres[1][0]
    True
    """
    parts = [_Part(parents, members, widths).layout() for members in _components(parents)]
    return _packed(parts)


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


def _packed(parts: list[Layout]) -> Layout:
    """Put parts side by side, and start a new row where one would grow too wide."""
    if not parts:
        return Layout({}, {}, 0.0, 0.0)
    area = sum((part.width + PART_GAP) * (part.height + PART_GAP) for part in parts)
    limit = max(parts[0].width, WIDTH_TO_HEIGHT * area**0.5)
    centres: dict[int, Point] = {}
    arcs: dict[tuple[int, int], list[Point]] = {}
    x = y = row_height = width = 0.0
    for part in parts:
        if x > 0 and x + part.width > limit:
            x, y, row_height = 0.0, y + row_height + PART_GAP, 0.0
        for variable, (own_x, own_y) in part.centres.items():
            centres[variable] = (own_x + x, own_y + y)
        for arc, points in part.arcs.items():
            arcs[arc] = [(own_x + x, own_y + y) for own_x, own_y in points]
        row_height = max(row_height, part.height)
        width = max(width, x + part.width)
        x += part.width + PART_GAP
    return Layout(centres, arcs, width, y + row_height)


class _Part:
    """One connected part while it is laid out. Items are its variables, then the waypoints."""

    def __init__(
        self, parents: Sequence[Sequence[int]], members: Sequence[int], widths: Sequence[float]
    ) -> None:
        index = {variable: item for item, variable in enumerate(members)}
        self.members = list(members)
        self.parents = [[index[parent] for parent in parents[variable]] for variable in members]
        self.widths = [widths[variable] for variable in members]
        self.layer_of = _layers(self.parents)
        self.chains: list[list[int]] = []  # items along each arc, its two ends included
        for child, own in enumerate(self.parents):
            for parent in own:
                chain = [parent]
                for layer in range(self.layer_of[parent] + 1, self.layer_of[child]):
                    chain.append(len(self.layer_of))
                    self.layer_of.append(layer)
                    self.widths.append(0.0)
                self.chains.append([*chain, child])
        self.above: list[list[int]] = [[] for _ in self.layer_of]
        self.below: list[list[int]] = [[] for _ in self.layer_of]
        for chain in self.chains:
            for upper, lower in itertools.pairwise(chain):
                self.below[upper].append(lower)
                self.above[lower].append(upper)

    def layout(self) -> Layout:
        order = self._order()
        x = self._positions(order)
        tops = self._tops(order, x)
        centres = {
            variable: (x[item], tops[self.layer_of[item]] + BOX_HEIGHT / 2)
            for item, variable in enumerate(self.members)
        }
        right = max(x[item] + self.widths[item] / 2 for item in range(len(x)))
        return Layout(centres, self._arcs(x, tops), right, tops[-1] + BOX_HEIGHT)

    def _order(self) -> list[list[int]]:
        """Order each layer so that few arcs cross: barycentre sweeps, the best order seen."""
        layers: list[list[int]] = [[] for _ in range(max(self.layer_of) + 1)]
        # Depth first from the roots, so that what belongs together starts together.
        seen = [False] * len(self.layer_of)
        stack = [item for item in range(len(self.layer_of)) if not self.above[item]][::-1]
        while stack:
            item = stack.pop()
            if not seen[item]:
                seen[item] = True
                layers[self.layer_of[item]].append(item)
                stack += self.below[item][::-1]
        best, fewest = [list(layer) for layer in layers], self._crossings(layers)
        for sweep in range(ORDER_SWEEPS):
            downwards = sweep % 2 == 0
            beside = self.above if downwards else self.below
            rows = range(1, len(layers)) if downwards else range(len(layers) - 2, -1, -1)
            for row in rows:
                fixed = layers[row - 1 if downwards else row + 1]
                place = {item: position for position, item in enumerate(fixed)}
                current = {item: position for position, item in enumerate(layers[row])}
                scale = len(fixed) / len(layers[row])

                def barycentre(
                    item: int,
                    place: dict[int, int] = place,
                    current: dict[int, int] = current,
                    scale: float = scale,
                    beside: list[list[int]] = beside,
                ) -> float:
                    if not beside[item]:
                        return current[item] * scale
                    return sum(place[other] for other in beside[item]) / len(beside[item])

                layers[row].sort(key=barycentre)
            self._transpose(layers)
            crossings = self._crossings(layers)
            if crossings < fewest:
                best, fewest = [list(layer) for layer in layers], crossings
        return best

    def _transpose(self, layers: list[list[int]]) -> None:
        """Swap neighbours wherever that removes a crossing, a few rounds at most."""
        place = {item: position for layer in layers for position, item in enumerate(layer)}
        for _ in range(SWAP_ROUNDS):
            changed = False
            for layer in layers:
                for left in range(len(layer) - 1):
                    one, other = layer[left], layer[left + 1]
                    gain = 0
                    for beside in (self.above, self.below):
                        for a in beside[one]:
                            for b in beside[other]:
                                gain += (place[a] > place[b]) - (place[a] < place[b])
                    if gain > 0:
                        layer[left], layer[left + 1] = other, one
                        place[one], place[other] = left + 1, left
                        changed = True
            if not changed:
                return

    def _crossings(self, layers: list[list[int]]) -> int:
        place = {item: position for layer in layers for position, item in enumerate(layer)}
        total = 0
        for layer in layers[:-1]:
            ends = [end for upper in layer for end in sorted(place[o] for o in self.below[upper])]
            array = np.array(ends)
            total += int(np.triu(array[:, None] > array[None, :], 1).sum())
        return total

    def _positions(self, order: list[list[int]]) -> list[float]:
        """Move items towards their neighbours in other layers, keeping order and distances."""
        x = np.zeros(len(self.layer_of))
        offsets = []
        for layer in order:
            gaps = [0.0]
            for left, right in itertools.pairwise(layer):
                both_boxes = self.widths[left] > 0 and self.widths[right] > 0
                gaps.append(
                    (self.widths[left] + self.widths[right]) / 2
                    + (BOX_GAP if both_boxes else WAYPOINT_GAP)
                )
            offset = np.cumsum(gaps)
            offsets.append(offset)
            x[layer] = offset - offset.mean()
        boxes = len(self.members)
        for sweep in range(POSITION_SWEEPS):
            downwards = sweep % 2 == 0
            rows = range(len(order)) if downwards else range(len(order) - 1, -1, -1)
            for row in rows:
                layer = order[row]
                wanted, weights = np.empty(len(layer)), np.empty(len(layer))
                for position, item in enumerate(layer):
                    near = [*self.above[item], *self.below[item]]
                    passing = [item >= boxes and other >= boxes for other in near]
                    strength = [BEND_WEIGHT if bend else 1.0 for bend in passing]
                    if near:
                        wanted[position] = np.average(x[near], weights=strength)
                        weights[position] = sum(strength)
                    else:
                        wanted[position], weights[position] = x[item], 1.0
                x[layer] = offsets[row] + _isotonic(wanted - offsets[row], weights)
        x -= min(x[item] - self.widths[item] / 2 for item in range(len(x)))
        return [float(value) for value in x]

    def _tops(self, order: list[list[int]], x: list[float]) -> list[float]:
        """Give each layer its height; wide horizontal moves get more room to be told apart."""
        tops = [0.0]
        for layer in order[:-1]:
            moves = [abs(x[upper] - x[lower]) for upper in layer for lower in self.below[upper]]
            gap = (
                SMALLEST_LAYER_GAP
                + LAYER_GAP_A_MOVE * max(moves, default=0.0)
                + LAYER_GAP_AN_ARC * len(moves)
            )
            tops.append(tops[-1] + BOX_HEIGHT + min(gap, LARGEST_LAYER_GAP))
        return tops

    def _arcs(self, x: list[float], tops: list[float]) -> dict[tuple[int, int], list[Point]]:
        """Run each arc from a port of the upper box past the layers between to one of the lower."""
        leaves = self._ports(x, [(chain[0], chain[1]) for chain in self.chains])
        enters = self._ports(x, [(chain[-1], chain[-2]) for chain in self.chains])
        arcs = {}
        for number, chain in enumerate(self.chains):
            points = [(leaves[number], tops[self.layer_of[chain[0]]] + BOX_HEIGHT)]
            points += [
                (x[item], tops[self.layer_of[item]] + BOX_HEIGHT / 2) for item in chain[1:-1]
            ]
            points.append((enters[number], tops[self.layer_of[chain[-1]]]))
            arcs[self.members[chain[0]], self.members[chain[-1]]] = points
        return arcs

    def _ports(self, x: list[float], ends: list[tuple[int, int]]) -> list[float]:
        """Spread the arcs at one side of each box, in the order in which they arrive there."""
        at: dict[int, list[int]] = {}
        for number, (box, _) in enumerate(ends):
            at.setdefault(box, []).append(number)
        ports = [0.0] * len(ends)
        for box, numbers in at.items():
            numbers.sort(key=lambda number: x[ends[number][1]])
            room = max(self.widths[box] - 2 * PORT_MARGIN, 0.0)
            gap = min(PORT_GAP, room / max(len(numbers) - 1, 1))
            for position, number in enumerate(numbers):
                ports[number] = x[box] + gap * (position - (len(numbers) - 1) / 2)
        return ports


def _layers(parents: Sequence[Sequence[int]]) -> list[int]:
    """Give each variable its layer: longest paths first, then sinking towards the children.

    Sinking shortens arcs where more of them leave a variable than enter it; above all it keeps
    roots from crowding the first layer.
    """
    children: list[list[int]] = [[] for _ in parents]
    for child, members in enumerate(parents):
        for parent in members:
            children[parent].append(child)
    layer = [0] * len(parents)
    waiting = [len(members) for members in parents]
    ready = [variable for variable, count in enumerate(waiting) if count == 0]
    for variable in ready:  # grows while it is walked
        for child in children[variable]:
            layer[child] = max(layer[child], layer[variable] + 1)
            waiting[child] -= 1
            if waiting[child] == 0:
                ready.append(child)
    for variable in reversed(ready):
        if len(children[variable]) > len(parents[variable]):
            layer[variable] = min(layer[child] for child in children[variable]) - 1
    first = min(layer, default=0)
    return [number - first for number in layer]


def _isotonic(wanted: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Find the non-decreasing values nearest to the wanted ones (pool adjacent violators)."""
    blocks: list[_Block] = []
    for value, weight in zip(wanted, weights, strict=True):
        block = _Block(float(value), float(weight), 1)
        while blocks and blocks[-1].mean > block.mean:
            block = blocks.pop().joined(block)
        blocks.append(block)
    return np.concatenate([np.full(block.length, block.mean) for block in blocks])


@dataclass(frozen=True)
class _Block:
    """Neighbours that share one position."""

    mean: float
    weight: float
    length: int

    def joined(self, other: _Block) -> _Block:
        weight = self.weight + other.weight
        mean = (self.mean * self.weight + other.mean * other.weight) / weight
        return _Block(mean, weight, self.length + other.length)
