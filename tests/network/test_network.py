from __future__ import annotations

import pickle
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anytimebn.base.errors import InputError
from anytimebn.data.dataset import Dataset
from anytimebn.data.read import to_dataset
from anytimebn.network.network import Network

if TYPE_CHECKING:
    from pathlib import Path


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
        (lambda: sprinkler().markov_blanket("Rian"), r"'Rian' \(did you mean 'rain'\?\); it has"),
        (lambda: sprinkler().parents_of(["rain"]), r"no variable \['rain'\]; it has"),
        (lambda: sprinkler().fit(sprinkler().sample(5).to_pandas()[["rain"]]), "no column"),
        (lambda: sprinkler().sample("5"), "rows must be a whole number, at least 1, not '5'"),
        (lambda: sprinkler().sample(5, None), "seed must be a whole number, at least 0, not None"),
        (lambda: sprinkler().structural_hamming_distance("b"), "with a Network, not 'b'"),
        (lambda: sprinkler().plot(weights=[1]), r"weights must be numbers by arc.*not \[1\]"),
        (lambda: sprinkler().save(None), "the path of a file is needed, not None"),
        (lambda: sprinkler().save("no/such/folder.bif"), "folder.bif: cannot be written: No such"),
        (lambda: Network.load(3), "the path of a file is needed, not 3"),
        (lambda: Network.from_parents([("a", "b")]), "lists of names by name"),
        (lambda: Network.from_parents({"a": None}), "parents of 'a' are None: give a list"),
        (lambda: Network.from_parents({1: []}), "variable 0 is named 1; a non-empty string"),
        (lambda: Network.from_parents({"a": []}, states={"a": "xy"}), "values of 'a' are 'xy'"),
        (lambda: Network.from_parents({"a": []}, states={"a": [0, 1]}), "give a list of strings"),
        (lambda: sprinkler().plot(weights={("rain", "grass"): "1"}), "weights must be numbers"),
        (lambda: Network.from_pgmpy(None), "of pgmpy, not of NoneType"),
        (lambda: Network.from_pyagrum("a"), "of pyAgrum, not of str"),
        (lambda: Network("ab", ((), ())), "names must be a tuple of strings, not 'ab'"),
        (lambda: Network(("a", "b"), (None, ())), "parents of 'a' are None; give a tuple"),
        (lambda: Network(("a", "b"), (("b",), ())), "the parent index 'b'; indices run"),
        (lambda: Network(("a",), ((),), (("x", "y"),), ([0.5, 0.5],)), "give an array of numbers"),
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


@pytest.mark.parametrize("arities", [(2,), (1, 256), (255, 1), (16, 16), (257, 2), (300, 300)])
def test_fit_counts_large_tables_too(arities):
    # Around the sizes at which the numbers of cells need a larger type.
    random = np.random.default_rng(1)
    columns = [random.integers(0, arity, 2000) for arity in arities]
    states = tuple(tuple(map(str, range(arity))) for arity in arities)
    names = tuple("abc"[: len(arities)])
    data = Dataset(names, states, np.array(columns))
    parents = tuple(tuple(range(v)) for v in range(len(arities)))
    fitted = Network(names, parents, states).fit(data, 1.0)
    counts = np.full(arities, 1 / np.prod(arities))
    np.add.at(counts, tuple(columns), 1)
    expected = counts / counts.sum(axis=-1, keepdims=True)
    assert np.allclose(fitted.probabilities[-1], expected, rtol=1e-12)


def test_fit_rejects_other_columns_and_negative_weights():
    data = sprinkler().sample(5, 0)
    with pytest.raises(InputError, match="no column 'x'"):
        Network.from_parents({"x": []}).fit(data)
    with pytest.raises(InputError, match="at least 0"):
        Network.from_parents({"rain": []}).fit(data, equivalent_sample_size=-1)


def test_fit_keeps_the_states_of_the_network():
    data = pd.DataFrame({"a": ["y", "y"], "b": ["u", "v"]})
    structure = Network.from_parents(
        {"a": [], "b": ["a"]}, states={"a": ["x", "y"], "b": ["v", "u"]}
    )
    fitted = structure.fit(data, equivalent_sample_size=0)
    assert fitted.states == (("x", "y"), ("v", "u"))
    np.testing.assert_array_equal(fitted.probabilities[0], [0, 1])
    with pytest.raises(InputError, match="column 'b' has the value 'w' at row 1 "):
        structure.fit(pd.DataFrame({"a": ["y", "y"], "b": ["u", "w"]}))


def test_log_likelihood_multiplies_the_families():
    network = sprinkler()
    rows = [("no", "off", "dry"), ("yes", "on", "wet"), ("no", "on", "damp")]
    by_hand = [0.8 * 0.6 * 0.9, 0.2 * 0.2 * 0.9, 0.8 * 0.4 * 0.3]
    frame = pd.DataFrame(rows, columns=["rain", "sprinkler", "grass"])
    expected = np.log(by_hand)
    for table in (
        frame,
        frame[["grass", "rain", "sprinkler"]].assign(other=1.5),
        pl.DataFrame(frame.to_dict("list")),
        frame.to_numpy(dtype=object),
        Dataset(network.names, network.states, np.array([[0, 1, 0], [0, 1, 1], [0, 2, 1]])),
    ):
        np.testing.assert_allclose(network.row_log_likelihoods(table), expected)
        assert np.isclose(network.log_likelihood(table), expected.sum())


def test_log_likelihood_is_minus_infinity_for_what_cannot_be():
    row = pd.DataFrame({"rain": ["no"], "sprinkler": ["off"], "grass": ["wet"]})
    assert sprinkler().log_likelihood(row) == -np.inf


def test_log_likelihood_reads_tables_and_names_the_line(tmp_path):
    path = tmp_path / "new.csv"
    path.write_text("grass,rain,sprinkler\ndry,no,off\nsoaked,no,on\n")
    with pytest.raises(InputError, match=r"'grass' has the value 'soaked' at .*3.*'dry', 'damp'"):
        sprinkler().log_likelihood(path)


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        ({"rain": ["no"], "sprinkler": ["off"]}, "no column 'grass'; their columns are 'rain'"),
        ({"rain": ["no"], "sprinkler": [None], "grass": ["dry"]}, "'sprinkler' has a missing"),
        ({"rain": [3], "sprinkler": ["on"], "grass": ["dry"]}, "'rain' has the value 3 at row 0"),
    ],
)
def test_log_likelihood_says_what_the_network_does_not_know(frame, message):
    with pytest.raises(InputError, match=message):
        sprinkler().log_likelihood(pd.DataFrame(frame))


def test_log_likelihood_needs_probabilities_and_all_columns_of_an_array():
    with pytest.raises(InputError, match="fit it to data first"):
        Network.from_parents({"a": [], "b": []}).log_likelihood(np.zeros((1, 2)))
    with pytest.raises(InputError, match="2 columns and the network 3 variables"):
        sprinkler().log_likelihood(np.zeros((1, 2)))


def test_log_likelihood_finds_numbers_by_their_worth():
    network = Network.from_parents({"a": [], "b": []}).fit(np.array([[1, 0], [2, 0], [2, 1]]))
    assert network.states == (("1", "2"), ("0", "1"))
    whole = network.row_log_likelihoods(np.array([[1, 0], [2, 1]]))
    for other in (
        np.array([[1.0, 0.0], [2.0, 1.0]]),
        np.array([["1", "0"], ["2", "1"]]),
        pd.DataFrame({"b": ["0.0", "1.0"], "a": ["1", "2.0"]}),
    ):
        np.testing.assert_array_equal(network.row_log_likelihoods(other), whole)
    with pytest.raises(InputError, match=r"'a' has the value 1\.5"):
        network.log_likelihood(np.array([[1.5, 0.0]]))


def test_log_likelihood_cuts_numbers_as_learning_did():
    random = np.random.default_rng(0)
    frame = pd.DataFrame({"x": random.normal(size=500), "y": random.integers(0, 2, 500)})
    from anytimebn.data.read import to_dataset

    data = to_dataset(frame, bins=4)
    network = Network.from_parents({"x": [], "y": ["x"]}).fit(data)
    np.testing.assert_array_equal(
        network.row_log_likelihoods(frame), network.row_log_likelihoods(data)
    )
    far = pd.DataFrame({"x": [-1e9, 1e9], "y": [0, 0]})
    assert np.isfinite(network.row_log_likelihoods(far)).all()


def test_log_likelihood_knows_missing_as_a_category():
    from anytimebn.data.read import to_dataset

    frame = pd.DataFrame({"x": ["a", None, "a"], "y": ["u", "v", "v"]})
    data = to_dataset(frame, missing="category")
    network = Network.from_parents({"x": [], "y": ["x"]}).fit(data)
    np.testing.assert_array_equal(
        network.row_log_likelihoods(frame), network.row_log_likelihoods(data)
    )


def test_samples_become_frames_that_read_back():
    from anytimebn.data.read import to_dataset

    states = (("no", "yes"), ("0", "1", "10"), ("0.5", "1.5"), ("False", "True"))
    data = Dataset(tuple("abcd"), states, np.array([[0, 1, 1], [2, 1, 0], [0, 1, 1], [1, 0, 0]]))
    frame = data.to_pandas()
    assert frame["a"].tolist() == ["no", "yes", "yes"]
    assert frame["b"].tolist() == [10, 1, 0]
    assert frame["c"].tolist() == [0.5, 1.5, 1.5]
    assert frame["d"].tolist() == [True, False, False]
    assert data.to_polars()["b"].to_list() == [10, 1, 0]
    for table in (frame, data.to_polars(), data.to_arrow()):
        back = to_dataset(table)
        assert back.states == data.states
        np.testing.assert_array_equal(back.codes, data.codes)


def test_network_survives_pickling():
    network = sprinkler()
    _ = network.topological_order
    back = pickle.loads(pickle.dumps(network))
    assert (back.names, back.parents, back.states) == (
        network.names,
        network.parents,
        network.states,
    )
    for one, other in zip(back.probabilities, network.probabilities, strict=True):
        np.testing.assert_array_equal(one, other)


def test_network_saves_and_loads(tmp_path):
    sprinkler().save(tmp_path / "net.bif")
    assert Network.load(tmp_path / "net.bif").arcs == sprinkler().arcs


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
@settings(max_examples=50)
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


def test_parents_may_come_one_by_one() -> None:
    network = Network.from_parents({"a": [], "b": (name for name in ["a"])})
    assert network.arcs == (("a", "b"),)


def test_networks_with_the_same_content_are_equal(tmp_path: Path) -> None:
    structure = Network.from_parents({"a": [], "b": ["a"]})
    assert structure == Network.from_parents({"a": [], "b": ["a"]})
    assert structure != Network.from_parents({"a": ["b"], "b": []})
    assert structure != "a -> b"
    assert {structure} == {Network(["a", "b"], [[], [0]])}
    fitted = structure.fit(to_dataset(np.array([[0, 1], [1, 0], [1, 1]]), names=["a", "b"]))
    fitted.save(tmp_path / "network.json")
    again = Network.load(tmp_path / "network.json")
    assert fitted == again
    assert fitted != structure
    assert fitted != fitted.fit(to_dataset(np.array([[0, 1], [1, 0]]), names=["a", "b"]))
    assert len({structure, fitted, again}) == 2
