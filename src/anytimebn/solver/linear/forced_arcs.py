"""Arcs that are in every remaining network, and the parent sets that contradict them.

A child whose possible sets all have a parent in common has an arc from it. No variable can then
have a parent that is below it by such arcs: parent sets with one are closed out, which can force
more arcs. Sets of variables are bits of whole numbers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def closing_sets(
    sets_of: Mapping[int, Sequence[int]], members: Sequence[int], possible: Sequence[bool]
) -> list[int] | None:
    """Possible sets that would close a cycle with forced arcs; None if no network is left at all.

    Parameters
    ----------
    sets_of
        The numbers of each variable's sets.
    members
        Of each set, as bits.
    possible
        Whether each set may still be chosen.

    Examples
    --------
    Variable 0 always has the parent 1, and so 1 cannot have the parent 0.

    >>> closing_sets({0: [0], 1: [1, 2]}, [0b10, 0b01, 0b00], [True, True, True])
    [1]
    """
    closing: list[int] = []
    left = {x: [s for s in own if possible[s]] for x, own in sets_of.items()}
    while True:
        parents: dict[int, int] = {}
        for x, own in left.items():
            if not own:
                return None
            common = members[own[0]]
            for s in own:
                common &= members[s]
                if not common:
                    break
            if common:
                parents[x] = common
        below = _descendants(parents)
        if below is None:
            return None
        more = [s for x in below if x in left for s in left[x] if members[s] & below[x]]
        if not more:
            return closing
        closing += more
        gone = set(more)
        for x in below:
            if x in left:
                left[x] = [s for s in left[x] if s not in gone]


def _descendants(parents: Mapping[int, int]) -> dict[int, int] | None:
    """Everything below each parent, given the parents of each child; None if there is a cycle."""
    children: dict[int, list[int]] = {}
    missing: dict[int, int] = {}  # parents that are not in the order yet
    for child, own in parents.items():
        missing[child] = own.bit_count()
        while own:
            lowest = own & -own
            children.setdefault(lowest.bit_length() - 1, []).append(child)
            own ^= lowest
    order = [x for x in children if x not in parents]
    for x in order:  # which grows
        for child in children.get(x, ()):
            missing[child] -= 1
            if not missing[child]:
                order.append(child)
    if any(missing.values()):
        return None
    below: dict[int, int] = {}
    for x in reversed(order):
        below[x] = 0
        for child in children.get(x, ()):
            below[x] |= below[child] | 1 << child
    return below
