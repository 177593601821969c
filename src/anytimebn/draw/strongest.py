"""The strongest arcs of a dense network, so that there is something to see in a drawing of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from anytimebn.draw.part import Arc

MANY_ARCS = 120
"""As long as there are no more, all of them are drawn."""

ARCS_A_VARIABLE = 1.5
"""So many can be followed by eye, also where there are many variables."""


def arcs_to_follow(variables: int, arcs: int) -> int:
    """Tell how many arcs to draw where all of them would only be a tangle.

    Examples
    --------
    >>> arcs_to_follow(50, 110), arcs_to_follow(100, 400), arcs_to_follow(700, 900)
    (110, 150, 900)
    """
    return arcs if arcs <= MANY_ARCS else min(arcs, round(ARCS_A_VARIABLE * variables))


def strongest(
    parents: Sequence[Sequence[int]], weights: Mapping[Arc, float], most: int
) -> list[list[int]]:
    """Give the parents that are left if only so many arcs are drawn.

    The strongest arc of each variable comes first, so that none seems to be alone which is not; all
    of these stay, even if they are more.

    Parameters
    ----------
    parents
        Of each variable.
    weights
        Of arcs (parent, child); those that are not there weigh nothing.
    most
        How many arcs to keep.

    Examples
    --------
    >>> weights = {(0, 1): 5.0, (0, 2): 1.0, (1, 2): 4.0, (0, 3): 0.1, (1, 3): 0.2}
    >>> strongest([[], [0], [0, 1], [0, 1]], weights, 3)
    [[], [0], [1], [1]]
    """
    arcs = [(parent, child) for child, own in enumerate(parents) for parent in own]
    arcs.sort(key=lambda arc: -weights.get(arc, 0.0))
    met: set[int] = set()
    first = []
    for arc in arcs:
        if not met.issuperset(arc):
            first.append(arc)
            met.update(arc)
    chosen = set(first)
    chosen.update([arc for arc in arcs if arc not in chosen][: max(0, most - len(chosen))])
    return [
        [parent for parent in own if (parent, child) in chosen] for child, own in enumerate(parents)
    ]
