"""Which layer each variable of a drawing is in."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

TIGHTENING_ROUNDS = 8


def layers_of(parents: Sequence[Sequence[int]]) -> list[int]:
    """Give each variable its layer: longest paths first, then sinking towards the children.

    Sinking shortens arcs where more of them leave a variable than enter it; above all it keeps
    roots from crowding the first layer.

    Examples
    --------
    >>> layers_of([[], [0], [1], [2, 4], []])
    [0, 1, 2, 3, 2]
    """
    children = _children(parents)
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


def wrapped(
    layer_of: Sequence[int],
    parents: Sequence[Sequence[int]],
    lengths: Sequence[float],
    longest: float,
) -> list[int]:
    """Wrap layers that are too long: each becomes several, among which its members are dealt out.

    Members of a layer do not depend on each other, so that parents stay above their children.

    Parameters
    ----------
    layer_of, parents
        Of each variable.
    lengths
        What each takes of its layer, its distance to the next included.
    longest
        How long a layer may be, about.

    Examples
    --------
    >>> wrapped([0, 1, 1, 1, 2], [[], [0], [0], [0], [1, 2]], [10.0] * 5, 20.0)
    [0, 1, 2, 1, 3]
    """
    members: dict[int, list[int]] = {}
    for variable in _depth_first(parents):
        members.setdefault(layer_of[variable], []).append(variable)
    new = [0] * len(layer_of)
    first = 0
    for layer in sorted(members):
        own = members[layer]
        rows = max(1, math.ceil(sum(lengths[variable] for variable in own) / longest))
        for position, variable in enumerate(own):
            new[variable] = first + position % rows
        first += min(rows, len(own))
    _tighten(new, parents, lengths, longest)
    return new


def _tighten(
    layer: list[int], parents: Sequence[Sequence[int]], lengths: Sequence[float], longest: float
) -> None:
    """Move variables to where their arcs are shorter, as far as there is room in the layers."""
    children = _children(parents)
    taken = [0.0] * (max(layer) + 1)
    for variable, own in enumerate(layer):
        taken[own] += lengths[variable]
    for _ in range(TIGHTENING_ROUNDS):
        moved = False
        for down in (True, False):
            for variable in sorted(range(len(layer)), key=lambda v: layer[v], reverse=down):
                above, below = parents[variable], children[variable]
                if down and len(below) > len(above):
                    tried = range(min(layer[v] for v in below) - 1, layer[variable], -1)
                elif not down and len(above) > len(below):
                    tried = range(max(layer[v] for v in above) + 1, layer[variable])
                else:
                    continue
                for new in tried:  # the farthest first: each step makes more arcs shorter
                    if taken[new] + lengths[variable] <= longest:
                        taken[layer[variable]] -= lengths[variable]
                        taken[new] += lengths[variable]
                        layer[variable] = new
                        moved = True
                        break
        if not moved:
            break
    used = {number: place for place, number in enumerate(sorted(set(layer)))}
    layer[:] = [used[number] for number in layer]


def _depth_first(parents: Sequence[Sequence[int]]) -> list[int]:
    """List the variables so that what belongs together comes together."""
    children = _children(parents)
    seen = [False] * len(parents)
    found = []
    stack = [variable for variable in range(len(parents)) if not parents[variable]][::-1]
    while stack:
        variable = stack.pop()
        if not seen[variable]:
            seen[variable] = True
            found.append(variable)
            stack += children[variable][::-1]
    return found


def _children(parents: Sequence[Sequence[int]]) -> list[list[int]]:
    children: list[list[int]] = [[] for _ in parents]
    for child, members in enumerate(parents):
        for parent in members:
            children[parent].append(child)
    return children
