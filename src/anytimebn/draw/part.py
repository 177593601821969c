"""One connected part of a layered drawing.

The method of Sugiyama, Tagawa and Toda (1981): layers, an order within each layer by barycentre
sweeps, then positions. A long arc is split into *waypoints*, one in every layer that it passes,
which take part in ordering and positioning like boxes of no width; so arcs go round boxes instead
of through them.

Layers lie below each other, or beside each other from left to right. All is computed in *steps*,
from layer to layer, and *places*, along a layer; only the finished part has x and y.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from anytimebn.draw.packing import Size

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

BOX_HEIGHT = 24.0
BOX_GAP = 18.0  # between neighbours in a layer
STACK_GAP = 10.0  # the same in layers from left to right, where neighbours lie below each other
WAYPOINT_GAP = 12.0  # between a passing arc and its neighbours
SMALLEST_LAYER_GAP = 38.0
LARGEST_LAYER_GAP = 84.0
LARGEST_NARROW_GAP = 48.0  # in drawings that are large already
PORT_GAP = 9.0  # between arcs at the same side of a box
PORT_MARGIN = 10.0  # between the first arc and the corner of a box
SIDE_MARGIN = 6.0  # the same at the left and right side of a box
LAYER_GAP_A_MOVE, LAYER_GAP_AN_ARC = 0.1, 1.2  # what moves along layers and many arcs add to a gap
BEND_WEIGHT = 4.0  # a bend in a passing arc disturbs more than a slanted end of one
ORDER_SWEEPS = 24
SWEEPS_WITHOUT_GAIN = 6
SWAP_ROUNDS = 8
POSITION_SWEEPS = 60

Point = tuple[float, float]
Arc = tuple[int, int]


class Way(NamedTuple):
    """How a part is drawn.

    Attributes
    ----------
    rightwards : bool
        Layers lie from left to right, not below each other.
    longest_layer : float
        Layers that are longer are wrapped.
    shared : bool
        Long arcs of one parent run together as far as they go the same way, and layers are closer
        to each other.
    """

    rightwards: bool = False
    longest_layer: float = float("inf")
    shared: bool = False


@dataclass(frozen=True)
class PartLayout:
    """Centres of the boxes, and the points that each arc (parent, child) goes through."""

    centres: dict[int, Point]
    arcs: dict[Arc, list[Point]]
    size: Size


class Part:
    """One connected part while it is laid out. Items are its variables, then the waypoints."""

    def __init__(
        self,
        parents: Sequence[Sequence[int]],
        members: Sequence[int],
        widths: Sequence[float],
        layer_of: Sequence[int],
        way: Way,
    ) -> None:
        index = {variable: item for item, variable in enumerate(members)}
        self.members = list(members)
        self.way = way
        self.parents = [[index[parent] for parent in parents[variable]] for variable in members]
        own = [widths[variable] for variable in members]
        tall = [BOX_HEIGHT] * len(own)
        self.lengths, self.depths = (tall, own) if way.rightwards else (own, tall)
        self.gap = STACK_GAP if way.rightwards else BOX_GAP
        self.layer_of = list(layer_of)
        self.chains: list[list[int]] = []  # items along each arc, its two ends included
        known: dict[tuple[int, int], int] = {}  # waypoints that arcs of a parent share
        for child, above in enumerate(self.parents):
            for parent in above:
                chain = [parent]
                for layer in range(self.layer_of[parent] + 1, self.layer_of[child]):
                    item = known.get((parent, layer)) if way.shared else None
                    if item is None:
                        item = known[parent, layer] = len(self.layer_of)
                        self.layer_of.append(layer)
                        self.lengths.append(0.0)
                        self.depths.append(0.0)
                    chain.append(item)
                self.chains.append([*chain, child])
        self.above: list[list[int]] = [[] for _ in self.layer_of]
        self.below: list[list[int]] = [[] for _ in self.layer_of]
        for upper, lower in dict.fromkeys(
            pair for chain in self.chains for pair in itertools.pairwise(chain)
        ):
            self.below[upper].append(lower)
            self.above[lower].append(upper)

    def expected_size(self) -> Size:
        """Tell about how large it will be, before it is laid out."""
        layers = max(self.layer_of) + 1
        lengths, depths = [0.0] * layers, [0.0] * layers
        for item, layer in enumerate(self.layer_of):
            box = item < len(self.members)
            lengths[layer] += self.lengths[item] + (self.gap if box else WAYPOINT_GAP)
            depths[layer] = max(depths[layer], self.depths[item])
        gaps = (SMALLEST_LAYER_GAP + self._largest_gap) / 2 * (layers - 1)
        return self._size(max(lengths) - self.gap, sum(depths) + gaps)

    @property
    def _largest_gap(self) -> float:
        return LARGEST_NARROW_GAP if self.way.shared else LARGEST_LAYER_GAP

    def _size(self, along: float, across: float) -> Size:
        return Size(across, along) if self.way.rightwards else Size(along, across)

    def layout(self) -> PartLayout:
        """Lay it out."""
        order = self._order()
        place = self._places(order)
        starts, depths = self._starts(order, place)
        steps = [
            starts[self.layer_of[item]] + depths[self.layer_of[item]] / 2
            for item in range(len(self.members))
        ]
        turned = self.way.rightwards

        def point(step: float, along: float) -> Point:
            return (step, along) if turned else (along, step)

        centres = {
            variable: point(steps[item], place[item]) for item, variable in enumerate(self.members)
        }
        arcs = {
            arc: [point(*passed) for passed in points]
            for arc, points in self._arcs(place, starts, depths).items()
        }
        end = max(place[item] + self.lengths[item] / 2 for item in range(len(place)))
        return PartLayout(centres, arcs, self._size(end, starts[-1] + depths[-1]))

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
        gained = 0
        for sweep in range(ORDER_SWEEPS):
            if fewest == 0 or sweep - gained > SWEEPS_WITHOUT_GAIN:
                break
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
                gained = sweep
        return best

    def _transpose(self, layers: list[list[int]]) -> None:
        """Swap neighbours wherever that removes a crossing, a few rounds at most."""
        place = [0] * len(self.layer_of)
        for layer in layers:
            for position, item in enumerate(layer):
                place[item] = position
        for _ in range(SWAP_ROUNDS):
            changed = False
            for layer in layers:
                for left in range(len(layer) - 1):
                    one, other = layer[left], layer[left + 1]
                    gain = 0
                    for beside in (self.above, self.below):
                        ends = [place[b] for b in beside[other]]
                        for a in beside[one]:
                            start = place[a]
                            for end in ends:
                                gain += (start > end) - (start < end)
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

    def _places(self, order: list[list[int]]) -> list[float]:
        """Move items towards their neighbours in other layers, keeping order and distances."""
        place = np.zeros(len(self.layer_of))
        offsets = []
        for layer in order:
            gaps = [0.0]
            for left, right in itertools.pairwise(layer):
                both_boxes = self.lengths[left] > 0 and self.lengths[right] > 0
                gaps.append(
                    (self.lengths[left] + self.lengths[right]) / 2
                    + (self.gap if both_boxes else min(self.gap, WAYPOINT_GAP))
                )
            offset = np.cumsum(gaps)
            offsets.append(offset)
            place[layer] = offset - offset.mean()
        rows = [self._row(layer) for layer in order]
        for sweep in range(POSITION_SWEEPS):
            layers = zip(order, offsets, rows, strict=True)
            for layer, offset, row in layers if sweep % 2 == 0 else reversed(list(layers)):
                pulled = np.bincount(row.owners, place[row.near] * row.pulls, len(layer))
                wanted = np.where(row.alone, place[layer], pulled / row.weights)
                place[layer] = offset + _isotonic(wanted - offset, row.weights)
        place -= min(place[item] - self.lengths[item] / 2 for item in range(len(place)))
        return [float(value) for value in place]

    def _row(self, layer: list[int]) -> _Row:
        """Say what pulls at the items of a layer."""
        boxes = len(self.members)
        pairs = [
            (position, other, BEND_WEIGHT if item >= boxes and other >= boxes else 1.0)
            for position, item in enumerate(layer)
            for other in (*self.above[item], *self.below[item])
        ]
        owners = np.array([owner for owner, _, _ in pairs], dtype=np.intp)
        pulls = np.array([pull for _, _, pull in pairs])
        weights = np.bincount(owners, pulls, len(layer))
        alone = weights == 0
        near = np.array([other for _, other, _ in pairs], dtype=np.intp)
        return _Row(owners, near, pulls, np.where(alone, 1.0, weights), alone)

    def _starts(
        self, order: list[list[int]], place: list[float]
    ) -> tuple[list[float], list[float]]:
        """Say where each layer starts, and how deep it is; wide moves get more room between."""
        depths = [max(self.depths[item] for item in layer) for layer in order]
        starts = [0.0]
        for layer, depth in zip(order[:-1], depths, strict=False):
            moves = [
                abs(place[upper] - place[lower]) for upper in layer for lower in self.below[upper]
            ]
            gap = (
                SMALLEST_LAYER_GAP
                + LAYER_GAP_A_MOVE * max(moves, default=0.0)
                + LAYER_GAP_AN_ARC * len(moves)
            )
            starts.append(starts[-1] + depth + min(gap, self._largest_gap))
        return starts, depths

    def _arcs(
        self, place: list[float], starts: list[float], depths: list[float]
    ) -> dict[Arc, list[Point]]:
        """Run each arc from a port of the upper box past the layers between to one of the lower."""
        leaves = self._ports(place, [(chain[0], chain[1]) for chain in self.chains])
        enters = self._ports(place, [(chain[-1], chain[-2]) for chain in self.chains])
        arcs = {}
        for number, chain in enumerate(self.chains):
            points = self._to_border(chain[0], leaves[number], starts, depths, leaving=True)
            for item in chain[1:-1]:
                start, depth = starts[self.layer_of[item]], depths[self.layer_of[item]]
                # Straight past wide boxes, and where arcs part that came together.
                if depth > BOX_HEIGHT or len(self.below[item]) > 1:
                    points += [(start, place[item]), (start + depth, place[item])]
                else:
                    points.append((start + depth / 2, place[item]))
            points += self._to_border(chain[-1], enters[number], starts, depths, leaving=False)
            arcs[self.members[chain[0]], self.members[chain[-1]]] = points
        return arcs

    def _to_border(
        self, box: int, port: float, starts: list[float], depths: list[float], *, leaving: bool
    ) -> list[Point]:
        """From a box to where its layer ends, straight, or the other way; both if they differ."""
        start, depth = starts[self.layer_of[box]], depths[self.layer_of[box]]
        side = 1 if leaving else -1
        middle = start + depth / 2
        own, outer = middle + side * self.depths[box] / 2, middle + side * depth / 2
        steps = [own] if abs(own - outer) < 1e-6 else [own, outer][::side]
        return [(step, port) for step in steps]

    def _ports(self, place: list[float], ends: list[Arc]) -> list[float]:
        """Spread the arcs at one side of each box, in the order in which they arrive there.

        Arcs that share their first waypoint share a port.
        """
        at: dict[int, set[int]] = {}
        for box, other in ends:
            at.setdefault(box, set()).add(other)
        margin = SIDE_MARGIN if self.way.rightwards else PORT_MARGIN
        ports: dict[Arc, float] = {}
        for box, others in at.items():
            room = max(self.lengths[box] - 2 * margin, 0.0)
            gap = min(PORT_GAP, room / max(len(others) - 1, 1))
            for position, other in enumerate(sorted(others, key=lambda item: (place[item], item))):
                ports[box, other] = place[box] + gap * (position - (len(others) - 1) / 2)
        return [ports[end] for end in ends]


class _Row(NamedTuple):
    """The neighbours in other layers of the items of a layer, in one list."""

    owners: NDArray[np.intp]  # whose neighbour, by its position in the layer
    near: NDArray[np.intp]
    pulls: NDArray[np.float64]
    weights: NDArray[np.float64]  # sums of the pulls, by position
    alone: NDArray[np.bool_]


def _isotonic(wanted: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Find the non-decreasing values nearest to the wanted ones (pool adjacent violators)."""
    # Neighbours that share one position: where it is, their weight, and how many they are.
    means: list[float] = []
    sums: list[float] = []
    lengths: list[int] = []
    for value, weight in zip(wanted.tolist(), weights.tolist(), strict=True):
        mean, total, length = value, weight, 1
        while means and means[-1] > mean:
            before = sums.pop()
            mean = (means.pop() * before + mean * total) / (before + total)
            total += before
            length += lengths.pop()
        means.append(mean)
        sums.append(total)
        lengths.append(length)
    return np.repeat(means, lengths)
