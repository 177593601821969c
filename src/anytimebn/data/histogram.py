"""The histogram that describes numbers in the fewest bits.

Kontkanen and Myllymäki 2007, "MDL histogram density estimation": of all ways to choose some of the
candidate cut points, the one with the shortest code by normalised maximum likelihood, found by
dynamic programming. Intervals may differ in width; how many there are follows from the numbers.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

CANDIDATES = 64
"""Cut points to choose from, by rows, and as many by width: the work grows with their square."""


def histogram_cuts(
    distinct: NDArray[np.float64], rows: NDArray[np.float64], most: int
) -> list[tuple[float, float]]:
    """Find where to cut: for each cut the numbers between which it lies.

    Parameters
    ----------
    distinct
        The numbers, ascending, at least two.
    rows
        How many rows have each.
    most
        Intervals that there may be, at least two. There are two at least: where one would be
        shortest, the shape tells nothing, and the halves tell most about other columns.

    Examples
    --------
    >>> numbers = np.concatenate([np.linspace(0, 1, 200), np.linspace(9, 10, 300)])
    >>> [(round(low), round(high)) for low, high in histogram_cuts(numbers, np.ones(500), 8)]
    [(1, 9)]
    """
    # Relative to the largest, no difference can overflow.
    points = distinct / (float(np.abs(distinct).max()) or 1.0)
    before, places = _candidates(points, rows)
    below = np.cumsum(rows)
    beyond = np.median(np.diff(points)) / 2
    edges = np.concatenate([[points[0] - beyond], places, [points[-1] + beyond]])
    reached = np.concatenate([[0.0], below[before - 1], below[-1:]])
    # An interval without a number joins its neighbour: two edges within one gap are one cut.
    chosen = sorted({int(before[edge - 1]) for edge in _best_edges(edges, reached, most)})
    if not chosen:
        chosen = [int(np.argmin(np.abs(below[:-1] - below[-1] / 2))) + 1]
    return [(float(distinct[number - 1]), float(distinct[number])) for number in chosen]


def _candidates(
    points: NDArray[np.float64], rows: NDArray[np.float64]
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Choose edges, evenly by rows and evenly by width: the number behind each, and its place.

    There are two in a wide gap, as near to the numbers on both sides as numbers usually are to each
    other: what is between them is empty, and thins out neither side.
    """
    before = np.arange(1, len(points))
    if len(points) > 2 * CANDIDATES:
        shares = np.arange(1, CANDIDATES) / CANDIDATES
        by_rows = np.searchsorted(np.cumsum(rows), shares * rows.sum()) + 1
        by_width = np.searchsorted(points, points[0] * (1 - shares) + points[-1] * shares)
        before = np.unique(np.concatenate([by_rows, by_width]))
        before = before[(before > 0) & (before < len(points))]
    low, high = points[before - 1], points[before]
    reach = np.minimum(np.median(np.diff(points)) / 2, (high - low) / 2)
    doubled = np.concatenate([before, before])
    places = np.concatenate([low + reach, high - reach])
    order = np.lexsort([places, doubled])
    different = np.append(True, np.diff(places[order]) > 0)
    return doubled[order][different], places[order][different]


def _best_edges(edges: NDArray[np.float64], reached: NDArray[np.float64], most: int) -> list[int]:
    """Choose inner edges by dynamic programming over the number of intervals."""
    total, candidates = reached[-1], len(edges) - 2
    inside = reached[None, :] - reached[:, None]
    width = np.maximum(edges[None, :] - edges[:, None], np.finfo(float).tiny)
    # What one interval from edge i to edge j adds to the code of the numbers.
    with np.errstate(divide="ignore", invalid="ignore"):
        cost = np.where(inside > 0, -inside * (np.log(inside / total) - np.log(width)), 0.0)
    cost[np.tril_indices(len(edges))] = math.inf
    length = cost[0]
    came_from: list[NDArray[np.int64]] = []
    best, intervals = float(length[-1]), 1
    for count in range(2, min(most, candidates + 1) + 1):
        longer = length[:, None] + cost
        came_from.append(longer.argmin(axis=0))
        length = longer.min(axis=0)
        choice = (
            math.lgamma(candidates + 1) - math.lgamma(count) - math.lgamma(candidates - count + 2)
        )
        code = float(length[-1]) + _log_normaliser(count, int(total)) + choice
        if code < best:
            best, intervals = code, count
    chosen: list[int] = []
    edge = len(edges) - 1
    for origins in reversed(came_from[: intervals - 1]):
        edge = int(origins[edge])
        chosen.insert(0, edge)
    return chosen


def _log_normaliser(values: int, rows: int) -> float:
    """Logarithm of the normaliser of a multinomial: C(r + 2) = C(r + 1) + rows / r * C(r).

    Examples
    --------
    >>> round(math.exp(_log_normaliser(2, 2)), 12), round(math.exp(_log_normaliser(3, 2)), 12)
    (2.5, 4.5)
    """
    # Terms of Ramanujan's sum fall off like exp(-k² / 2n): those left out do not show.
    factors = 1 - np.arange(min(rows, 10 * math.isqrt(rows) + 20)) / rows
    second = 1 + float(np.cumprod(factors).sum())
    logarithm, quotient = math.log(second), second
    for r in range(1, values - 1):
        quotient = 1 + rows / (r * quotient)
        logarithm += math.log(quotient)
    return logarithm
