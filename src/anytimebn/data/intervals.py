"""Intervals: cutting many-valued numbers into a few ranges, and the names of these."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from anytimebn.base.errors import InputError
from anytimebn.data.histogram import histogram_cuts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from anytimebn.data.options import BinMethod, Cuts

MAX_DISTINCT_NUMBERS = 32
"""A column with more distinct numbers than this is a measurement, not a category."""


def cut(
    numbers: NDArray[np.float64],
    counts: NDArray[np.int64],
    bins: Cuts,
    method: BinMethod,
    where: str,
) -> tuple[tuple[float, ...], NDArray[np.int64]]:
    """Cut numbers into intervals; return the inner cut points and the interval of each number.

    All methods propose boundaries *between* neighbouring distinct values, so that equal
    values are never separated and no interval is empty. A quantile is a boundary nearest to the
    wanted share of rows rather than a value: a value that fills more than one share would
    otherwise be its own upper neighbour, and swallow the whole column.
    """
    if not np.isfinite(numbers).all():
        raise InputError(f"{where} cannot be cut into bins: it has infinite values")
    distinct, place = np.unique(numbers, return_inverse=True)
    if len(distinct) < 2:
        return (), np.zeros(len(numbers), dtype=np.int64)
    if isinstance(bins, tuple):
        cuts = _that_separate(np.array(bins), distinct)
        return tuple(cuts.tolist()), np.searchsorted(cuts, numbers, side="right")
    if method == "mdl":
        rows = np.bincount(place, weights=counts).astype(np.float64)
        cuts = np.array([_shortest(*ends) for ends in histogram_cuts(distinct, rows, bins)])
        return tuple(cuts.tolist()), np.searchsorted(cuts, numbers, side="right")
    shares = np.arange(1, bins) / bins
    if method == "width":
        low, high = distinct[0], distinct[-1]
        # Four digits of the width are plenty, and make cut points that people can read.
        digits = 3 - math.floor(math.log10(high / bins - low / bins or math.ulp(0.0)))
        proposed = np.array([round(float(c), digits) for c in low * (1 - shares) + high * shares])
        cuts = _that_separate(proposed, distinct)
    else:
        rows_below = np.cumsum(np.bincount(place, weights=counts))
        wanted = shares * rows_below[-1]
        # rows_below[j] rows lie below a boundary in front of value j + 1.
        after = np.clip(np.searchsorted(rows_below, wanted), 1, len(distinct) - 1)
        before = after - 1
        nearer_before = wanted - rows_below[before] <= rows_below[after] - wanted
        boundaries = np.where(nearer_before, before, after) + 1
        above = np.unique(np.minimum(boundaries, len(distinct) - 1))
        cuts = np.array([_shortest(distinct[i - 1], distinct[i]) for i in above])
    return tuple(cuts.tolist()), np.searchsorted(cuts, numbers, side="right")


def _that_separate(
    proposed: NDArray[np.float64], distinct: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Leave out cut points between which, or beyond which, there is no number."""
    boundaries, first = np.unique(np.searchsorted(distinct, proposed), return_index=True)
    return proposed[first[(boundaries > 0) & (boundaries < len(distinct))]]


def _shortest(below: float, above: float) -> float:
    """Return a number with few digits that is more than `below` and at most `above`."""
    middle = below / 2 + above / 2
    for digits in range(1, 17):
        for number in (float(f"{above:.{digits}g}"), float(f"{middle:.{digits}g}")):
            if below < number <= above:
                return number
    return float(above)


def interval_names(cuts: Sequence[float]) -> list[str]:
    """Name the intervals between cut points.

    Examples
    --------
    >>> interval_names([0.5, 2.0])
    ['(-inf, 0.5)', '[0.5, 2)', '[2, inf)']
    """
    ends = ["-inf", *map(number_text, cuts), "inf"]
    opening = ["(", *("[" for _ in cuts)]
    return [
        f"{bracket}{low}, {high})"
        for bracket, low, high in zip(opening, ends[:-1], ends[1:], strict=True)
    ]


def number_text(number: float) -> str:
    """Write a number, a whole one without its decimal point."""
    return str(int(number)) if is_whole(number) else repr(number)


def is_whole(number: float) -> bool:
    """Tell whether a float is a whole number that it holds exactly."""
    return bool(abs(number) < 2**53 and number == int(number))
