"""A part of a graph: what is near some of its variables."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


class View(NamedTuple):
    """Some variables of a graph, and the arcs among them.

    Attributes
    ----------
    members : list of int
        The variables, in their order.
    parents : list of list of int
        Those of each member, as positions in `members`.
    cut : list of bool
        Whether a member has parents or children that are left out.
    """

    members: list[int]
    parents: list[list[int]]
    cut: list[bool]


def view_of(
    parents: Sequence[Sequence[int]], around: Iterable[int] | None = None, hops: int = 1
) -> View:
    """Take the variables within so many arcs of some, whichever way the arcs go; or all.

    Examples
    --------
    >>> view_of([[], [0], [1], [2]], around=[0], hops=1)
    View(members=[0, 1], parents=[[], [0]], cut=[False, True])
    """
    near: list[set[int]] = [set(members) for members in parents]
    for child, members in enumerate(parents):
        for parent in members:
            near[parent].add(child)
    reached = set(range(len(parents)) if around is None else around)
    for _ in range(0 if around is None else hops):
        reached |= {other for variable in reached for other in near[variable]}
    members = sorted(reached)
    index = {variable: position for position, variable in enumerate(members)}
    return View(
        members,
        [[index[parent] for parent in parents[v] if parent in index] for v in members],
        [not near[variable] <= reached for variable in members],
    )
