"""Variables that could change places, and the arcs among them that need not be tried.

Two variables are interchangeable if every parent set becomes one of the same cost when they change
places, in it and as its child. In any network, those of one class can then be renamed so that they
come in ascending order in some order of all variables, and the network costs what it did. So if
there is a better network, there is one in which no variable has a parent of its own class that
comes after it. Without that, a search tries every one of the networks that differ in nothing but
names.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from anytimebn import _native

MOST_SETS = 20_000  # that are looked at; every pair of variables that may match costs as much


def sets_out_of_order(cuts: _native.CuttingPlanes) -> NDArray[np.bool_]:
    """Tell for each set whether it need not be tried, because of those that change places with it.

    All sets count here, also those that are ruled out: what rules out a set holds for every network
    that is better than the incumbent, and so for the renamed one.
    """
    child, regret = cuts.child_of, cuts.regrets
    none = np.zeros(cuts.sets, dtype=bool)
    if cuts.sets > MOST_SETS or not _some_match(child, regret):
        return none
    members = [sum(1 << v for v in cuts.members(s)) for s in range(cuts.sets)]
    later = [0] * cuts.variables
    for own in classes(child.tolist(), members, regret.tolist()):
        for place, x in enumerate(own):
            later[x] = sum(1 << y for y in own[place + 1 :])
    found = np.array([bool(own & later[x]) for x, own in zip(child.tolist(), members, strict=True)])
    # A variable that nothing is left for would need a word of its own.
    return found if set(child[~found].tolist()) == set(child.tolist()) else none


def classes(
    child: Sequence[int], members: Sequence[int], cost: Sequence[int]
) -> list[tuple[int, ...]]:
    """Give the classes of two or more interchangeable variables.

    Parameters
    ----------
    child, members, cost
        Of each parent set; members as bits.

    Examples
    --------
    Either of two may be the parent of the other, at the same cost; the third differs.

    >>> classes([0, 0, 1, 1, 2], [0b00, 0b10, 0b00, 0b01, 0b00], [5, 3, 5, 3, 5])
    [(0, 1)]
    """
    own: dict[int, dict[int, int]] = {}
    for x, bits, price in zip(child, members, cost, strict=True):
        own.setdefault(x, {})[bits] = price
    found: list[list[int]] = []
    for x in sorted(own):
        for others in found:  # one of them speaks for all
            if _change_places(own, others[0], x):
                others.append(x)
                break
        else:
            found.append([x])
    return [tuple(others) for others in found if len(others) > 1]


def _change_places(own: dict[int, dict[int, int]], one: int, other: int) -> bool:
    if sorted(own[one].values()) != sorted(own[other].values()):
        return False
    both = 1 << one | 1 << other

    def changed(bits: int) -> int:
        return bits ^ both if (bits & both) not in (0, both) else bits

    renamed = {one: other, other: one}
    return all(
        own[renamed.get(x, x)].get(changed(bits)) == cost
        for x, sets in own.items()
        for bits, cost in sets.items()
        if x in renamed or changed(bits) != bits
    )


def _some_match(child: NDArray[np.uint32], regret: NDArray[np.int64]) -> bool:
    """Whether two variables have sets of the same costs, which is soon seen."""
    seen: set[bytes] = set()
    for x in np.unique(child):
        costs = np.sort(regret[child == x]).tobytes()
        if costs in seen:
            return True
        seen.add(costs)
    return False
