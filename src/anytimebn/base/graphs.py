"""Parts of directed graphs."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


def strong_parts(nodes: int, arcs: Iterable[tuple[int, int]]) -> list[list[int]]:
    """Give the strongly connected parts of a graph, each in ascending order, by their first nodes.

    Tarjan 1972, "Depth-first search and linear graph algorithms", without recursion.

    Parameters
    ----------
    nodes
        They are numbered from 0.
    arcs
        From one to another.

    Examples
    --------
    >>> strong_parts(5, [(0, 1), (1, 2), (2, 1), (2, 3), (3, 4)])
    [[0], [1, 2], [3], [4]]
    """
    following: list[list[int]] = [[] for _ in range(nodes)]
    for begin, end in arcs:
        following[begin].append(end)
    unseen, done = -1, nodes
    number = [unseen] * nodes  # in the order of the search; `done` once the part is known
    lowest = [0] * nodes  # number that is reached from here
    open_nodes: list[int] = []
    parts: list[list[int]] = []
    count = 0
    for root in range(nodes):
        if number[root] != unseen:
            continue
        path = [(root, iter(following[root]))]
        number[root] = lowest[root] = count
        count += 1
        open_nodes.append(root)
        while path:
            node, rest = path[-1]
            for end in rest:
                if number[end] == unseen:
                    number[end] = lowest[end] = count
                    count += 1
                    open_nodes.append(end)
                    path.append((end, iter(following[end])))
                    break
                if number[end] != done:
                    lowest[node] = min(lowest[node], number[end])
            else:
                path.pop()
                if path:
                    before = path[-1][0]
                    lowest[before] = min(lowest[before], lowest[node])
                if lowest[node] == number[node]:
                    part: list[int] = []
                    while not part or part[-1] != node:
                        part.append(open_nodes.pop())
                        number[part[-1]] = done
                    parts.append(sorted(part))
    return sorted(parts)


def joined(nodes: int, groups: Iterable[Iterable[int]]) -> list[list[int]]:
    """Join groups that have a node in common, until none have; nodes of no group stand alone.

    Examples
    --------
    >>> joined(5, [[0, 2], [2, 4], [3]])
    [[0, 2, 4], [1], [3]]
    """
    above = list(range(nodes))

    def top(node: int) -> int:
        while above[node] != node:
            above[node] = above[above[node]]
            node = above[node]
        return node

    for group in groups:
        members = list(group)
        for other in members[1:]:
            first, second = sorted((top(members[0]), top(other)))
            above[second] = first
    found: dict[int, list[int]] = {}
    for node in range(nodes):
        found.setdefault(top(node), []).append(node)
    return list(found.values())
