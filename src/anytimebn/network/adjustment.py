"""Which variables to adjust for, to estimate an effect from data: all minimal sets.

A set serves if it has no variable that the effect passes through, nor any that follows from one,
and separates cause and result once the arcs out of the cause that begin such a path are taken away
(Perkovic, Textor, Kalisch and Maathuis 2018). The minimal ones are the minimal separators of both
in the moral graph of their ancestors (van der Zander, Liskiewicz and Textor 2019), which are listed
from the cause on, each by moving one variable of another to the cause's side (Takata 2010).
"""

from __future__ import annotations

from collections import deque
from itertools import combinations, islice
from typing import TYPE_CHECKING

from anytimebn.base.checks import check_whole
from anytimebn.base.errors import InputError
from anytimebn.network.separation import children_lists, reachable

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from anytimebn.network.network import Network

Graph = dict[int, set[int]]


def adjustment_sets(network: Network, of: str, on: str, most: int) -> tuple[tuple[str, ...], ...]:
    """List minimal sets to adjust for; see `Network.adjustment_sets`."""
    check_whole("most", most, 1)
    cause, result = network.index_of(of), network.index_of(on)
    if cause == result:
        raise InputError(f"{of!r} has no effect on itself: name two variables")
    children = children_lists(network.parents)
    between = reachable([cause], children) & reachable([result], network.parents) - {cause}
    parents = [
        [p for p in members if not (p == cause and child in between)]
        for child, members in enumerate(network.parents)
    ]
    excluded = reachable(between, children) | {cause, result}
    graph = _moral_graph(parents, reachable([cause, result], parents))
    # Taking a variable away and joining its neighbours leaves what others separate as it is.
    for variable in sorted(excluded & set(graph) - {cause, result}):
        around = graph.pop(variable)
        for one in around:
            graph[one] |= around - {one}
            graph[one].discard(variable)
    found = islice(_minimal_separators(graph, cause, result), most)
    sets = sorted(found, key=lambda one: (len(one), sorted(one)))
    return tuple(tuple(network.names[variable] for variable in sorted(one)) for one in sets)


def _moral_graph(parents: list[list[int]], variables: set[int]) -> Graph:
    graph: Graph = {variable: set() for variable in variables}
    for child in variables:
        for one, other in combinations([*parents[child], child], 2):
            graph[one].add(other)
            graph[other].add(one)
    return graph


def _minimal_separators(graph: Graph, start: int, end: int) -> Iterator[frozenset[int]]:
    """Give all minimal sets that separate two vertices, those close to the first one first."""
    if end in graph[start]:
        return
    waiting = deque([{start}])
    seen = set()
    while waiting:
        near = waiting.popleft()
        # What the end reaches without touching the near side or its neighbours.
        border = _neighbours(graph, near)
        if end in border:
            continue
        far = _component(graph, end, border)
        separator = frozenset(_neighbours(graph, far))
        if separator in seen:
            continue
        seen.add(separator)
        yield separator
        side = _component(graph, start, separator)
        waiting.extend(side | {one} for one in sorted(separator))


def _neighbours(graph: Mapping[int, set[int]], group: set[int]) -> set[int]:
    return set().union(*(graph[one] for one in group)) - group


def _component(
    graph: Mapping[int, set[int]], start: int, without: set[int] | frozenset[int]
) -> set[int]:
    found, waiting = {start}, [start]
    while waiting:
        for one in graph[waiting.pop()] - without - found:
            found.add(one)
            waiting.append(one)
    return found
