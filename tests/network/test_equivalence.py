"""Equivalence classes against their definition, over all small networks."""

from __future__ import annotations

import itertools
from collections import defaultdict

import pytest
from brute_force import all_networks

from anytimebn.base.errors import InputError
from anytimebn.network.network import Network


def networks(variables: int) -> list[Network]:
    names = tuple("abcd"[:variables])
    return [
        Network(
            names,
            tuple(tuple(v for v in range(variables) if mask >> v & 1) for mask in column),
        )
        for column in all_networks(variables).T
    ]


def skeleton_and_v_structures(network: Network) -> tuple[frozenset, frozenset]:
    adjacent = frozenset(frozenset(arc) for arc in network.arcs)
    v_structures = frozenset(
        (frozenset(pair), child)
        for child in network.names
        for pair in itertools.combinations(network.parents_of(child), 2)
        if frozenset(pair) not in adjacent
    )
    return adjacent, v_structures


@pytest.mark.parametrize(("variables", "classes"), [(1, 1), (2, 2), (3, 11), (4, 185)])
def test_cpdag_has_the_arcs_that_the_whole_class_has(variables: int, classes: int) -> None:
    members = defaultdict(list)
    for network in networks(variables):
        members[skeleton_and_v_structures(network)].append(network)
    assert len(members) == classes  # as Gillispie and Perlman counted them
    for (adjacent, _), own in members.items():
        shared = frozenset.intersection(*(frozenset(network.arcs) for network in own))
        for network in own:
            found = network.cpdag()
            assert found.names == frozenset(network.names)
            assert found.directed == shared
            assert {frozenset(pair) for pair in found.undirected} == adjacent - {
                frozenset(arc) for arc in shared
            }
            assert {frozenset(pair) for pair in found.skeleton} == adjacent


def test_distance_counts_the_pairs_that_differ() -> None:
    everything = networks(3)
    pairs = list(itertools.combinations("abc", 2))

    def between(network: Network, pair: tuple[str, str]) -> tuple[bool, ...]:
        found = network.cpdag()
        return (
            pair in found.directed,
            pair[::-1] in found.directed,
            pair in found.undirected,
        )

    def arcs_between(network: Network, pair: tuple[str, str]) -> tuple[bool, ...]:
        return pair in network.arcs, pair[::-1] in network.arcs

    for one, other in itertools.product(everything, repeat=2):
        classes = sum(between(one, pair) != between(other, pair) for pair in pairs)
        arcs = sum(arcs_between(one, pair) != arcs_between(other, pair) for pair in pairs)
        assert one.structural_hamming_distance(other) == classes
        assert one.structural_hamming_distance(other, of="networks") == arcs
        same = skeleton_and_v_structures(one) == skeleton_and_v_structures(other)
        assert (classes == 0) == same


def test_distance_does_not_depend_on_the_order_of_the_variables() -> None:
    one = Network.from_parents({"a": [], "b": ["a"], "c": ["b"]})
    other = Network.from_parents({"c": ["b"], "b": [], "a": ["b"]})
    assert one.structural_hamming_distance(other) == 0
    assert one.structural_hamming_distance(other, of="networks") == 1


def test_distance_refuses_what_cannot_be_compared() -> None:
    one = Network.from_parents({"a": [], "b": []})
    with pytest.raises(InputError, match="only one of them has 'c'"):
        one.structural_hamming_distance(Network.from_parents({"a": [], "b": [], "c": []}))
    with pytest.raises(InputError, match="'classes' or 'networks'"):
        one.structural_hamming_distance(one, of="skeletons")  # type: ignore[arg-type]


def reachable_given(network: Network, start: str, given: set[str]) -> set[str]:
    """Variables that d-separation does not separate: walk (variable, came from a child or not)."""
    ancestors = set(given)
    for name in reversed(network.topological_order):
        if name in ancestors:
            ancestors.update(network.parents_of(name))
    children = {name: [c for p, c in network.arcs if p == name] for name in network.names}
    waiting, seen = [(start, True)], set()
    while waiting:
        name, from_child = step = waiting.pop()
        if step in seen:
            continue
        seen.add(step)
        if name not in given:
            waiting += [(child, False) for child in children[name]]
            if from_child:
                waiting += [(parent, True) for parent in network.parents_of(name)]
        if not from_child and name in ancestors:
            waiting += [(parent, True) for parent in network.parents_of(name)]
    return {name for name, _ in seen} - given - {start}


def test_markov_blanket_is_the_smallest_that_separates() -> None:
    for network in networks(4):
        for name in network.names:
            blanket = network.markov_blanket(name)
            assert name not in blanket
            assert reachable_given(network, name, set(blanket)) == set()
            for one in blanket:
                assert reachable_given(network, name, set(blanket) - {one}) != set()


def test_markov_blanket_names_an_unknown_variable() -> None:
    with pytest.raises(InputError, match="no variable 'z'"):
        Network.from_parents({"a": []}).markov_blanket("z")
