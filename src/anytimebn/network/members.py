"""Other members of a network's equivalence class: the same distribution with other arcs.

The edges that a class leaves undirected form parts, and each of these is chordal (Andersson,
Madigan and Perlman 1997). Directing the edges of a part along an order in which every variable's
earlier neighbours are adjacent to each other gives a member of the class, whatever the other parts
do. A search by maximum cardinality (Tarjan and Yannakakis 1984) finds such an order, and may begin
with any variables that are all adjacent to each other.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from anytimebn.network.checks import topological_order
from anytimebn.network.equivalence import compelled_arcs
from anytimebn.network.evidence import tables_of
from anytimebn.network.inference import posterior

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from anytimebn.network.model import Model
    from anytimebn.network.structure import Structure

Parents = tuple[tuple[int, ...], ...]


def undirected_neighbours(network: Structure) -> tuple[list[set[int]], list[set[int]]]:
    """Give for each variable the parents that all members share, and its undirected neighbours."""
    order = topological_order(network.names, network.parents)
    compelled = compelled_arcs(network.parents, order)
    shared: list[set[int]] = [set() for _ in network.names]
    beside: list[set[int]] = [set() for _ in network.names]
    for child, members in enumerate(network.parents):
        for parent in members:
            if (parent, child) in compelled:
                shared[child].add(parent)
            else:
                beside[child].add(parent)
                beside[parent].add(child)
    return shared, beside


def members_by_parents(network: Structure, variable: int) -> Iterator[Parents]:
    """Give one member for each set of parents that a variable has in some member of the class.

    Its parents are those that all members share, and any of its undirected neighbours that are all
    adjacent to each other: others would be a new v-structure (Maathuis, Kalisch and Buhlmann 2009,
    lemma 3.1). The member closest to the network comes first.
    """
    shared, beside = undirected_neighbours(network)
    own = set(network.parents[variable]) - shared[variable]
    groups = sorted(
        cliques(beside, beside[variable]),
        key=lambda group: (group != own, len(group), sorted(group)),
    )
    for before in groups:
        order = cardinality_order(beside, [*sorted(before), variable])
        position = {one: place for place, one in enumerate(order)}
        yield tuple(
            # Other undirected parts stay as they are in the network.
            tuple(
                sorted(shared[child] | {p for p in beside[child] if position[p] < position[child]})
            )
            if child in position
            else members
            for child, members in enumerate(network.parents)
        )


def cardinality_order(beside: Sequence[set[int]], first: Sequence[int]) -> list[int]:
    """Order the undirected part that these belong to, these first; see the head of this module."""
    order = list(first)
    placed = set(order)
    counts: dict[int, int] = {}
    for one in order:
        for other in beside[one] - placed:
            counts[other] = counts.get(other, 0) + 1
    while counts:
        chosen = max(counts, key=lambda one: (counts[one], -one))
        del counts[chosen]
        order.append(chosen)
        placed.add(chosen)
        for other in beside[chosen] - placed:
            counts[other] = counts.get(other, 0) + 1
    return order


def cliques(beside: Sequence[set[int]], candidates: set[int]) -> Iterator[set[int]]:
    """Give all sets of candidates that are adjacent to each other, the empty one first."""
    yield set()
    left = set(candidates)
    for one in sorted(candidates):
        left.discard(one)
        for others in cliques(beside, left & beside[one]):
            yield {one} | others


def refactored(network: Model, parents: Parents, budget_bytes: int) -> Model:
    """Write the distribution of a network with the arcs of another member of its class."""
    tables = list(tables_of(network))
    for child, members in enumerate(parents):
        if members != network.parents[child]:
            joint = posterior(network, (*members, child), {}, budget_bytes)
            totals = joint.sum(axis=-1, keepdims=True)
            uniform = np.full(joint.shape, 1.0 / joint.shape[-1])
            tables[child] = np.divide(joint, totals, out=uniform, where=totals > 0)
    return replace(network, parents=parents, probabilities=tuple(tables))


def extension(
    names: Sequence[str], directed: Sequence[tuple[str, str]], undirected: Sequence[tuple[str, str]]
) -> Parents:
    """Direct the undirected edges of an equivalence class: give the parents of one member."""
    place = {name: position for position, name in enumerate(names)}
    parents: list[set[int]] = [set() for _ in names]
    beside: list[set[int]] = [set() for _ in names]
    for parent, child in directed:
        parents[place[child]].add(place[parent])
    for one, other in undirected:
        beside[place[one]].add(place[other])
        beside[place[other]].add(place[one])
    done: set[int] = set()
    for start in range(len(names)):
        if start in done:
            continue
        order = cardinality_order(beside, [start])
        done.update(order)
        position = {one: at for at, one in enumerate(order)}
        for own in order:
            parents[own] |= {one for one in beside[own] if position[one] < position[own]}
    return tuple(tuple(sorted(own)) for own in parents)
