"""Rows of two and three variables, which need no search: many of them are violated at first.

Of three variables, at most one has both others as parents. This is the zero-half row of the three
pairs (Bartlett & Cussens 2017 start with such set-packing rows).
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from anytimebn import _native

MOST_SETS = 30_000  # with more, finding the triples takes too long
MOST_BYTES = 2**26  # of further rows, before memory is asked for


def small_rows(
    cuts: _native.CuttingPlanes, contributor: _native.Contributor | None = None
) -> tuple[list[int], list[int]]:
    """Add the rows of pairs, and those of triples, that the possible sets can violate.

    When the memory does not suffice for all of them, some.
    """
    arcs = {
        (parent, child)
        for child, parents in enumerate(cuts.possible_parents())
        for parent in parents
    }
    pairs = {}
    asked_for = cuts.memory_bytes
    for x, y in sorted(arcs):
        if x < y and (y, x) in arcs:
            pairs[x, y] = cuts.add_cluster([x, y])
        if cuts.memory_bytes > asked_for + MOST_BYTES:
            asked_for = cuts.memory_bytes
            if contributor and not contributor.use_memory(len(pairs), asked_for):
                return list(pairs.values()), []
    families: list[tuple[int, list[int]]] = []
    if cuts.possible_count <= MOST_SETS:
        possible = np.flatnonzero(cuts.possible)
        children = cuts.child_of[possible].tolist()
        families = [
            (child, cuts.members(s)) for child, s in zip(children, possible.tolist(), strict=True)
        ]
    having_both: dict[tuple[int, ...], set[int]] = {}
    for child, members in families:
        for two in combinations(members, 2):
            having_both.setdefault(tuple(sorted((child, *two))), set()).add(child)
    triples = [
        cuts.add_zero_half([pairs[two] for two in combinations(three, 2)], [])
        for three, having in having_both.items()
        if len(having) > 1 and all(two in pairs for two in combinations(three, 2))
    ]
    return list(pairs.values()), triples
