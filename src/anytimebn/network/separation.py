"""What the arcs of a network say: relatives of variables, and which are independent given others.

Variables are indices here. Two of them are separated by others (d-separated, Pearl 1988) if no path
between them is open; then they are independent given these others, whatever the probabilities.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from anytimebn.network.structure import Structure


def children_lists(parents: Sequence[Sequence[int]]) -> list[list[int]]:
    """Give the children of each variable, ascending.

    Examples
    --------
    >>> children_lists([[], [0], [0, 1]])
    [[1, 2], [2], []]
    """
    children: list[list[int]] = [[] for _ in parents]
    for child, members in enumerate(parents):
        for parent in members:
            children[parent].append(child)
    return children


def reachable(start: Iterable[int], steps: Sequence[Sequence[int]]) -> set[int]:
    """Find what can be reached in any number of steps, the start included.

    Given parents these are ancestors, given children descendants.

    Examples
    --------
    >>> reachable([2], [[], [0], [1], [2]])
    {0, 1, 2}
    """
    found = set(start)
    waiting = list(found)
    while waiting:
        for one in steps[waiting.pop()]:
            if one not in found:
                found.add(one)
                waiting.append(one)
    return found


def connected_given(
    parents: Sequence[Sequence[int]], start: Collection[int], given: Collection[int]
) -> set[int]:
    """Find the variables that are not separated from the start by those that are given.

    A ball bounces through the network (Shachter 1998): it passes through a variable that is not
    given unless it came from a parent and leaves to one, and it turns back to the parents of one
    that is given, or has a given descendant, if it came from a parent.

    Examples
    --------
    >>> parents = [[], [], [0, 1]]  # a v-structure
    >>> connected_given(parents, [0], []), connected_given(parents, [0], [2])
    ({0, 2}, {0, 1})
    """
    children = children_lists(parents)
    observed = set(given)
    above_observed = reachable(observed, parents)
    waiting = [(variable, True) for variable in start]  # as if it came from a child
    seen = set()
    while waiting:
        step = waiting.pop()
        if step in seen:
            continue
        seen.add(step)
        variable, from_child = step
        if variable not in observed:
            waiting += [(child, False) for child in children[variable]]
            if from_child:
                waiting += [(parent, True) for parent in parents[variable]]
        if not from_child and variable in above_observed:
            waiting += [(parent, True) for parent in parents[variable]]
    return {variable for variable, _ in seen} - observed


def are_separated(
    network: Structure, one: Sequence[str], other: Sequence[str], given: Sequence[str]
) -> bool:
    """Tell whether two groups of variables are separated; see `Network.is_separated`."""
    from anytimebn.base.errors import InputError

    first, second, observed = (
        [network.index_of(name) for name in names] for names in (one, other, given)
    )
    for names, indices in ((one, first), (other, second)):
        both = set(indices) & set(observed)
        if both:
            name = network.names[min(both)]
            raise InputError(
                f"{name!r} is asked about and given at the same time: leave it out of one"
            )
        if not names:
            raise InputError("name at least one variable on each side")
    if set(first) & set(second):
        return False
    return not connected_given(network.parents, first, observed) & set(second)
