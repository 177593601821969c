"""Relatives of variables, and separation, against their definitions."""

from __future__ import annotations

import itertools

import networkx as nx
import numpy as np
import pytest
from test_equivalence import networks

from anytimebn.base.errors import InputError
from anytimebn.network.network import Network
from anytimebn.network.random import generate_network


@pytest.mark.parametrize("seed", range(5))
def test_relatives_are_those_of_networkx(seed: int) -> None:
    network = generate_network(12, 2, seed=seed)
    graph = network.to_networkx()
    for name in network.names:
        assert set(network.children_of(name)) == set(graph.successors(name))
        assert set(network.ancestors_of(name)) == nx.ancestors(graph, name)
        assert set(network.descendants_of(name)) == nx.descendants(graph, name)
        assert list(network.descendants_of(name)) == sorted(network.descendants_of(name))


def test_separation_is_that_of_networkx_in_all_small_networks() -> None:
    for network in networks(4):
        graph = network.to_networkx()
        for one, other in itertools.combinations(network.names, 2):
            rest = [name for name in network.names if name not in (one, other)]
            for size in range(3):
                for given in itertools.combinations(rest, size):
                    expected = nx.is_d_separator(graph, {one}, {other}, set(given))
                    assert network.is_separated(one, other, given) == expected


@pytest.mark.parametrize("seed", range(20))
def test_separation_of_groups_is_that_of_networkx(seed: int) -> None:
    network = generate_network(10, 2, seed=seed)
    graph = network.to_networkx()
    for number in range(20):
        order = list(np.random.default_rng([seed, number]).permutation(network.names))
        one, other, given = map(list, (order[:2], order[2:4], order[4 : 4 + number % 6]))
        expected = nx.is_d_separator(graph, set(one), set(other), set(given))
        assert network.is_separated(one, other, given) == expected


def test_separation_says_what_is_wrong() -> None:
    network = Network.from_parents({"a": [], "b": ["a"]})
    assert not network.is_separated("a", "a")
    for arguments, message in (
        (("a", "z"), "no variable 'z'"),
        (("a", "b", "b"), "'b' is asked about and given"),
        (("a", []), "at least one variable on each side"),
    ):
        with pytest.raises(InputError, match=message):
            network.is_separated(*arguments)  # type: ignore[arg-type]
