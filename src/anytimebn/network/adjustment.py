"""Which variables to adjust for, to estimate an effect from data: all minimal sets.

A set serves if it has no variable that the effect passes through, nor any that follows from one,
and separates cause and result once the arcs out of the cause that begin such a path are taken away
(Perkovic, Textor, Kalisch and Maathuis 2018). The minimal ones are the minimal separators of both
in the moral graph of their ancestors (van der Zander, Liskiewicz and Textor 2019), which are listed
from the cause on, each by moving one variable of another to the cause's side (Takata 2010).

Where directions are open, a set is to serve in every network that is left. There is none if some of
these have an effect along an edge at the cause that others turn round. Otherwise all of them agree
on which sets separate, and a set has to do without the variables that the effect passes through in
any of them (Perkovic, Kalisch and Maathuis 2017).
"""

from __future__ import annotations

from collections import deque
from itertools import combinations, islice
from typing import TYPE_CHECKING

from anytimebn.base.checks import check_whole
from anytimebn.base.errors import InputError
from anytimebn.knowledge.combine import as_knowledge
from anytimebn.network.members import undirected_neighbours
from anytimebn.network.restricted_class import PartlyDirected, class_within
from anytimebn.network.separation import children_lists, reachable

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator, Mapping, Sequence

    from anytimebn.knowledge.constraints import Knowledge
    from anytimebn.network.structure import Structure

Graph = dict[int, set[int]]


def adjustment_sets(
    network: Structure,
    of: str,
    on: str,
    *,
    most: int,
    equivalence: bool,
    knowledge: Knowledge | str | os.PathLike[str] | None,
) -> tuple[tuple[str, ...], ...]:
    """List minimal sets to adjust for; see `Network.adjustment_sets`."""
    check_whole("most", most, 1)
    cause, result = network.index_of(of), network.index_of(on)
    if cause == result:
        raise InputError(f"{of!r} has no effect on itself: name two variables")
    parents: Sequence[Sequence[int]] = network.parents
    passed = None
    if equivalence or knowledge is not None:
        found = (
            PartlyDirected(*undirected_neighbours(network))
            if knowledge is None
            else class_within(network, as_knowledge(knowledge=knowledge))
        )
        if _depends_on_open_edges(found, cause, result):
            return ()
        parents, passed = found.member(), _passed_in_any(found, cause, result)
    graph = _to_separate(parents, cause, result, passed)
    sets = sorted(
        islice(_minimal_separators(graph, cause, result), most),
        key=lambda one: (len(one), sorted(one)),
    )
    return tuple(tuple(network.names[variable] for variable in sorted(one)) for one in sets)


def _depends_on_open_edges(found: PartlyDirected, cause: int, result: int) -> bool:
    """Whether an edge at the cause with either direction can be the first one of an effect."""
    for other in found.beside[cause]:
        directed = found.copy()
        directed.direct(cause, other)
        if result in directed.possibly_after({other}):
            return True
    return False


def _passed_in_any(found: PartlyDirected, cause: int, result: int) -> set[int]:
    """Give what the effect passes through in any network that is left, and what can follow.

    As no open edge at the cause matters, all that the effect passes through follows from the cause
    in every network.
    """
    after = reachable([cause], children_lists(list(map(sorted, found.parents))))
    return found.possibly_after(after & found.possibly_before({result}) - {cause})


def _to_separate(
    parents: Sequence[Sequence[int]], cause: int, result: int, passed: set[int] | None
) -> Graph:
    """Make the graph in which the sets to adjust for separate cause and result."""
    children = children_lists(parents)
    between = reachable([cause], children) & reachable([result], parents) - {cause}
    if passed is None:
        passed = reachable(between, children)
    others = [
        [p for p in members if not (p == cause and child in between)]
        for child, members in enumerate(parents)
    ]
    graph = _moral_graph(others, reachable([cause, result], others))
    # Taking a variable away and joining its neighbours leaves what others separate as it is.
    for variable in sorted(passed & set(graph) - {cause, result}):
        around = graph.pop(variable)
        for one in around:
            graph[one] |= around - {one}
            graph[one].discard(variable)
    return graph


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
