"""The best network by dynamic programming over sets of variables, in Python's own numbers.

Families are given as one object a variable: from parents, as a bit mask, to a cost. Nothing here
knows the product.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TypeAlias

Families: TypeAlias = Sequence[Mapping[int, float]]


def lowest_cost(families: Families) -> float:
    """Cost of the cheapest network without cycles; infinite if there is none.

    The last variable of an order has its parents among all the others; the rest is the same problem
    with a variable less.
    """
    count = len(families)
    cheapest = [_cheapest_within(own, count) for own in families]
    best: list[float] = [0] * 2**count
    for placed in range(1, 2**count):
        best[placed] = min(
            best[placed & ~(1 << last)] + cheapest[last][placed & ~(1 << last)]
            for last in range(count)
            if placed >> last & 1
        )
    return best[-1]


def _cheapest_within(own: Mapping[int, float], count: int) -> list[float]:
    """By a set of variables: the cost of the cheapest parents within it."""
    least: list[float] = [own.get(mask, math.inf) for mask in range(2**count)]
    for bit in range(count):
        for mask in range(2**count):
            if mask >> bit & 1:
                least[mask] = min(least[mask], least[mask & ~(1 << bit)])
    return least


def is_acyclic(parents: Sequence[int]) -> bool:
    """Whether variables can be put in an order in which parents, as bit masks, come first."""
    placed, left = 0, set(range(len(parents)))
    while left:
        ready = {v for v in left if parents[v] & ~placed == 0}
        if not ready:
            return False
        placed |= sum(1 << v for v in ready)
        left -= ready
    return True


def mask_of(members: Sequence[int]) -> int:
    """Give a set as a bit mask."""
    return sum(1 << member for member in members)


def members_of(mask: int) -> list[int]:
    """Give a bit mask as a list, ascending."""
    return [bit for bit in range(mask.bit_length()) if mask >> bit & 1]


def is_near(one: int, other: int) -> bool:
    """Whether one parent at most is added, and one at most is removed."""
    return (one & ~other).bit_count() <= 1 and (other & ~one).bit_count() <= 1
