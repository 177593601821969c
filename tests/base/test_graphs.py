"""Parts of graphs, beside those of networkx."""

from __future__ import annotations

import networkx as nx
from hypothesis import given
from hypothesis import strategies as st

from anytimebn.base.graphs import joined, strong_parts

NODES = 9
arcs = st.lists(st.tuples(st.integers(0, NODES - 1), st.integers(0, NODES - 1)), max_size=30)


@given(arcs)
def test_strong_parts_are_those_of_networkx(drawn: list[tuple[int, int]]) -> None:
    graph = nx.DiGraph(drawn)
    graph.add_nodes_from(range(NODES))
    assert strong_parts(NODES, drawn) == sorted(
        sorted(part) for part in nx.strongly_connected_components(graph)
    )


def test_strong_parts_of_a_long_path_need_no_deep_recursion() -> None:
    length = 50_000
    assert len(strong_parts(length, [(i, i + 1) for i in range(length - 1)])) == length


@given(st.lists(st.lists(st.integers(0, NODES - 1), min_size=1, max_size=4), max_size=6))
def test_joined_groups_are_the_connected_parts_of_networkx(groups: list[list[int]]) -> None:
    graph = nx.Graph()
    graph.add_nodes_from(range(NODES))
    for group in groups:
        nx.add_path(graph, group)
    assert joined(NODES, groups) == sorted(sorted(part) for part in nx.connected_components(graph))
