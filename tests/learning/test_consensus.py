"""The average of networks against all acyclic ones."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from brute_force import all_networks
from hypothesis import given, settings
from hypothesis import strategies as st

import anytimebn as ab
from anytimebn.base.errors import DataWarning, InputError
from anytimebn.learning import consensus as module
from anytimebn.learning.consensus import consensus
from anytimebn.learning.resampling import Bootstrap, Edge, Replicate

Counts = dict[tuple[int, int], int]


@st.composite
def arc_counts(draw: Any, most: int = 5) -> tuple[int, Counts]:
    size = draw(st.integers(2, most))
    arcs = list(itertools.permutations(range(size), 2))
    chosen = draw(st.lists(st.sampled_from(arcs), unique=True))
    # Small numbers: many ties, and many cycles that must be broken somewhere.
    return size, {arc: draw(st.integers(0, 6)) for arc in chosen}


def largest_sum(size: int, counts: Counts) -> int:
    """Try all acyclic networks: those with arcs that are not there are worth nothing more."""
    worth = np.zeros((size, 2**size), dtype=np.int64)
    for child, mask in itertools.product(range(size), range(2**size)):
        worth[child, mask] = sum(counts.get((p, child), 0) for p in range(size) if mask >> p & 1)
    networks = all_networks(size)
    return int(sum(worth[child, networks[child]] for child in range(size)).max())


def sum_of(network: ab.Network, counts: Counts) -> int:
    arcs = [(network.index_of(one), network.index_of(other)) for one, other in network.arcs]
    assert all(counts.get(arc, 0) > 0 for arc in arcs)  # none that no replicate has
    return sum(counts[arc] for arc in arcs)


@given(arc_counts(), st.sampled_from([1, 2, 8]))
@settings(max_examples=80)
def test_consensus_has_the_largest_sum(problem: tuple[int, Counts], together: int) -> None:
    size, counts = problem
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "MOST_ARCS_TOGETHER", together)  # with helpers, and without
        found = consensus(tuple("abcde"[:size]), counts, list(range(size)))
    assert sum_of(found, counts) == largest_sum(size, counts)


def test_consensus_of_a_tournament_is_the_same_with_helpers() -> None:
    random = np.random.default_rng(5)
    counts = {arc: int(random.integers(0, 50)) for arc in itertools.permutations(range(9), 2)}
    names = tuple("abcdefghi")
    whole = consensus(names, counts, list(range(9)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "MOST_ARCS_TOGETHER", 3)
        helped = consensus(names, counts, list(range(9)))
    assert sum_of(whole, counts) == sum_of(helped, counts)


def bootstrap_of(edges: list[Edge], network: ab.Network, replicates: int = 10) -> Bootstrap:
    result = ab.learn(np.array([[0, 1, 0], [1, 0, 1]] * 10), names=list(network.names))
    one = Replicate(0, network, "optimal", 1.0, 1.0)
    return Bootstrap(result, tuple(edges), (one,) * replicates, replicates, "bootstrap", 0, 1.0)


def edge(first: str, second: str, forward: float, backward: float) -> Edge:
    return Edge(first, second, forward, backward, 0.0, 0.0, forward + backward)


def test_average_counts_pairs_in_either_direction() -> None:
    structure = ab.Network.from_parents({"a": [], "b": [], "c": []})
    edges = [edge("a", "b", 0.4, 0.5), edge("b", "c", 0.3, 0.1), edge("a", "c", 0.7, 0.0)]
    found = bootstrap_of(edges, structure)
    assert found.average(0.5).arcs == (("b", "a"), ("a", "c"))
    assert found.average(0.3).arcs == (("b", "a"), ("a", "c"), ("b", "c"))
    assert found.average(0.95).arcs == ()
    assert found.average().states == found.result.network.states
    for wrong in (-0.1, 1.5, "half"):
        with pytest.raises(InputError, match="a share between 0 and 1"):
            found.average(wrong)  # type: ignore[arg-type]


def test_average_breaks_a_cycle_where_it_costs_least() -> None:
    structure = ab.Network.from_parents({"a": [], "b": [], "c": []})
    cycle = [edge("a", "b", 0.9, 0.1), edge("b", "c", 0.8, 0.0), edge("a", "c", 0.1, 0.6)]
    assert set(bootstrap_of(cycle, structure).average(0.5).arcs) == {
        ("a", "b"),
        ("b", "c"),
        ("a", "c"),
    }


def test_average_that_is_not_proven_says_so() -> None:
    random = np.random.default_rng(1)
    counts = {arc: int(random.integers(1, 50)) for arc in itertools.permutations(range(12), 2)}
    names = tuple("abcdefghijkl")
    with pytest.warns(DataWarning, match="may not be the best"):
        found = consensus(names, counts, list(range(12)), algorithm="hill-climbing", seed=1)
    assert sum_of(found, counts) > 0


def test_frequencies_become_frames_and_labels() -> None:
    structure = ab.Network.from_parents({"a": [], "b": [], "c": []})
    found = bootstrap_of([edge("a", "b", 0.4, 0.5)], structure)
    frame = found.to_pandas()
    assert frame.loc[0, "adjacent"] == pytest.approx(0.9)
    assert list(found.to_polars().columns) == list(frame.columns)
    figure = found.plot(network=found.average())
    assert "90%" in [text.get_text() for text in figure.axes[0].texts]
    figure = found.plot(network=found.average(), labels=False)
    assert "90%" not in [text.get_text() for text in figure.axes[0].texts]
