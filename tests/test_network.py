from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anytimebn.data import Dataset
from anytimebn.errors import InputError
from anytimebn.network import Network


def sprinkler() -> Network:
    states = (("no", "yes"), ("off", "on"), ("dry", "damp", "wet"))
    tables = (
        np.array([0.8, 0.2]),
        np.array([[0.6, 0.4], [0.8, 0.2]]),
        np.array([[[0.9, 0.1, 0.0], [0.1, 0.3, 0.6]], [[0.1, 0.4, 0.5], [0.0, 0.1, 0.9]]]),
    )
    return Network(("rain", "sprinkler", "grass"), ((), (0,), (0, 1)), states, tables)


def test_network_names_arcs_and_order():
    network = Network.from_parents({"c": ["b", "a"], "b": ["a"], "a": []})
    assert network.parents == ((1, 2), (2,), ())
    assert network.arcs == (("b", "c"), ("a", "c"), ("a", "b"))
    assert network.parents_of("c") == ("b", "a")
    assert network.topological_order == ("a", "b", "c")
    assert repr(network) == "Network(3 variables, 3 arcs, structure only)"


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: Network(("a", "a"), ((), ())), "two variables are named 'a'"),
        (lambda: Network(("a", ""), ((), ())), "non-empty"),
        (lambda: Network(("a", "b"), ((),)), "1 parent sets"),
        (lambda: Network(("a", "b"), ((), (2,))), "indices run from 0 to 1"),
        (lambda: Network(("a", "b"), ((), (1,))), "its own parent"),
        (lambda: Network(("a", "b", "c"), ((), (), (1, 0))), "ascending"),
        (lambda: Network(("a", "b", "c"), ((2,), (0,), (1,))), "'a' -> 'b' -> 'c' -> 'a'"),
        (lambda: Network(("a",), ((),), (("x", "x"),)), "'x' twice"),
        (lambda: Network(("a",), ((),), None, (np.ones(1),)), "without states"),
        (lambda: Network(("a",), ((),), (("x", "y"),), (np.ones(3) / 3,)), "shape"),
        (lambda: Network(("a",), ((),), (("x", "y"),), (np.array([0.5, 0.4]),)), "sum to 1"),
        (lambda: Network(("a",), ((),), (("x", "y"),), (np.array([1.5, -0.5]),)), "negative"),
        (lambda: Network.from_parents({"a": ["z"]}), "unknown parent 'z'"),
        (lambda: Network.from_parents({"a": [], "b": "a"}), "list of names"),
        (lambda: Network.from_parents({"a": []}).parents_of("b"), "no variable 'b'"),
        (lambda: Network.from_parents({"a": []}).sample(5, 1), "fit it to data"),
        (lambda: sprinkler().sample(0, 1), "at least 1"),
    ],
)
def test_network_rejects_what_is_wrong_and_says_why(build, message):
    with pytest.raises(InputError, match=message):
        build()


def test_to_networkx_keeps_nodes_arcs_and_tables():
    graph = sprinkler().to_networkx()
    assert list(graph.nodes) == ["rain", "sprinkler", "grass"]
    assert set(graph.edges) == set(sprinkler().arcs)
    assert graph.nodes["grass"]["states"] == ("dry", "damp", "wet")


def test_fit_counts_and_smooths_by_hand():
    codes = np.array([[0, 0, 0, 1], [0, 1, 1, 1]], dtype=np.uint16)
    data = Dataset(("a", "b"), (("0", "1", "2"), ("0", "1")), codes)
    structure = Network.from_parents({"b": ["a"], "a": []})  # another order than the data
    likely = structure.fit(data, equivalent_sample_size=0)
    np.testing.assert_allclose(likely.probabilities[0], [[1 / 3, 2 / 3], [0, 1], [0.5, 0.5]])
    np.testing.assert_allclose(likely.probabilities[1], [0.75, 0.25, 0])
    smooth = structure.fit(data, equivalent_sample_size=6)
    np.testing.assert_allclose(
        smooth.probabilities[0], [[2 / 5, 3 / 5], [1 / 3, 2 / 3], [0.5, 0.5]]
    )
    np.testing.assert_allclose(smooth.probabilities[1], [0.5, 0.3, 0.2])


def test_fit_rejects_other_columns_and_negative_weights():
    data = sprinkler().sample(5, 0)
    with pytest.raises(InputError, match="no column 'x'"):
        Network.from_parents({"x": []}).fit(data)
    with pytest.raises(InputError, match="at least 0"):
        Network.from_parents({"rain": []}).fit(data, equivalent_sample_size=-1)


def test_sample_is_repeatable_and_follows_the_tables():
    network = sprinkler()
    data = network.sample(40_000, seed=3)
    assert data.names == network.names
    assert data.states == network.states
    assert data.codes.flags.c_contiguous
    assert np.array_equal(data.codes, network.sample(40_000, seed=3).codes)
    assert not np.array_equal(data.codes, network.sample(40_000, seed=4).codes)
    for fitted, table in zip(network.fit(data).probabilities, network.probabilities, strict=True):
        np.testing.assert_allclose(fitted, table, atol=0.05)
    wet, dry = data.codes[2] == 2, (data.codes[0] == 0) & (data.codes[1] == 0)
    assert not (wet & dry).any()  # probability zero


@given(st.integers(1, 8), st.data())
@settings(max_examples=50, deadline=None)
def test_topological_order_puts_parents_first(size, draw):
    order = draw.draw(st.permutations(range(size)))
    parents = [()] * size
    for position, child in enumerate(order):
        earlier = order[:position]
        chosen = draw.draw(st.sets(st.sampled_from(earlier)) if earlier else st.just(set()))
        parents[child] = tuple(sorted(chosen))
    network = Network(tuple(f"v{i}" for i in range(size)), tuple(parents))
    position = {name: i for i, name in enumerate(network.topological_order)}
    assert all(position[parent] < position[child] for parent, child in network.arcs)
