from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anytimebn.base.errors import InputError
from anytimebn.network.random import generate, generate_network


@given(st.integers(2, 25), st.integers(1, 5), st.integers(0, 10**6))
@settings(max_examples=40)
def test_generated_networks_are_connected_acyclic_and_limited(variables, max_parents, seed):
    network = generate_network(variables, max_parents, seed=seed)
    graph = network.to_networkx()
    assert nx.is_directed_acyclic_graph(graph)
    assert nx.is_weakly_connected(graph)
    assert max(len(parents) for parents in network.parents) <= max_parents


def test_generated_structures_are_uniform_over_the_connected_ones():
    # Three variables, two parents: 18 connected acyclic graphs, 12 of them trees. The chain mixes
    # as exp(-steps / 36): reversing an arc takes a detour over a complete graph.
    counts: dict[tuple[tuple[str, str], ...], int] = {}
    for seed in range(1080):
        arcs = generate_network(3, 2, seed=seed, steps=500).arcs
        counts[arcs] = counts.get(arcs, 0) + 1
    assert len(counts) == 18
    statistic = sum((count - 60) ** 2 / 60 for count in counts.values())
    assert statistic < 45  # chi-square with 17 degrees of freedom: 1 in 4,000


def test_same_seed_same_network_and_data():
    network, data = generate(12, 3, 200, seed=7)
    again, data_again = generate(12, 3, 200, seed=7)
    assert network.arcs == again.arcs == generate_network(12, 3, seed=7).arcs
    assert np.array_equal(data.codes, data_again.codes)
    assert not np.array_equal(data.codes, generate(12, 3, 200, seed=8)[1].codes)
    assert data.rows == 200


def test_names_are_padded_and_arities_drawn_from_the_range():
    network = generate_network(101, 2, arity=(2, 4), seed=1)
    assert network.names[0] == "X001"
    assert generate_network(5, 2, seed=1).names[-1] == "X05"
    assert set(network.arities) == {2, 3, 4}
    for table in network.probabilities:
        np.testing.assert_allclose(table.sum(axis=-1), 1.0)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"variables": 1}, "variables must be at least 2, not 1"),
        ({"max_parents": 0}, "max_parents must be at least 1, not 0"),
        ({"rows": 0}, "rows must be at least 1, not 0"),
        ({"rows": 10**20}, "rows must be at most"),
        ({"rows": "5"}, "rows must be a whole number, at least 1, not '5'"),
        ({"seed": -1}, "seed must be at least 0, not -1"),
        ({"arity": "2"}, "arity is '2'; a number from 2"),
        ({"arity": 1}, "arity is 1"),
        ({"arity": (4, 2)}, "ascending"),
        ({"variables": 40, "max_parents": 39, "arity": 4}, "cells"),
    ],
)
def test_silly_parameters_are_named(arguments, message):
    sensible = {"variables": 5, "max_parents": 2, "rows": 10, "arity": 2, "seed": 1}
    with pytest.raises(InputError, match=message):
        generate(**{**sensible, **arguments})
