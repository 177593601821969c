"""Networks as objects and files of other packages, and back: the same probabilities."""

from __future__ import annotations

import logging
import warnings
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np
import pytest
from test_network_formats import awkward_network

from anytimebn.base.errors import InputError, MissingPackage
from anytimebn.network.files.networks import read_network, write_network
from anytimebn.network.network import Network
from anytimebn.network.random import generate_network

if TYPE_CHECKING:
    from pathlib import Path

NETWORK = generate_network(9, 3, arity=(2, 4), seed=5)


def assert_same_distribution(one: Network, other: Network, atol: float = 1e-12) -> None:
    """The same network, whatever the order of variables and of their states."""
    assert set(one.names) == set(other.names)
    assert set(one.arcs) == set(other.arcs)
    for child, name in enumerate(one.names):
        there = other.index_of(name)
        family = [*one.parents[child], child]
        own = [one.names[variable] for variable in family]
        in_other = [other.names[variable] for variable in (*other.parents[there], there)]
        table = other.probabilities[there].transpose([in_other.index(n) for n in own])
        for axis, variable in enumerate(own):
            values = other.states[other.index_of(variable)]
            wanted = one.states[one.index_of(variable)]
            assert set(values) == set(wanted)
            table = table.take([values.index(value) for value in wanted], axis=axis)
        np.testing.assert_allclose(table, one.probabilities[child], atol=atol)


@pytest.fixture
def pgmpy() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import pgmpy.readwrite
    logging.getLogger("pgmpy").setLevel(logging.ERROR)
    return pgmpy


@pytest.fixture
def pyagrum() -> Any:
    import pyagrum

    return pyagrum


@pytest.mark.parametrize("network", [NETWORK, awkward_network()])
def test_networkx_and_back_is_the_same(network: Network) -> None:
    back = Network.from_networkx(network.to_networkx())
    assert back.names == network.names
    assert back.states == network.states
    assert_same_distribution(back, network)


def test_from_networkx_takes_structures_and_other_labels() -> None:
    network = Network.from_networkx(nx.DiGraph([(1, 2), (0, 2)]))
    assert network.names == ("1", "2", "0")
    assert network.parents_of("2") == ("1", "0")
    assert network.states is None
    assert Network.from_networkx(nx.DiGraph()).names == ()


@pytest.mark.parametrize(
    ("graph", "message"),
    [
        (nx.Graph([("a", "b")]), "not of Graph"),
        (nx.MultiDiGraph([("a", "b")]), "not of MultiDiGraph"),
        ({"a": ["b"]}, "not of dict"),
        (nx.DiGraph([("a", "b"), ("b", "a")]), "cycle 'a' -> 'b' -> 'a'"),
    ],
)
def test_from_networkx_says_what_it_needs(graph: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Network.from_networkx(graph)


@pytest.mark.parametrize(("method", "package"), [("to_pgmpy", "pgmpy"), ("to_pyagrum", "pyagrum")])
def test_missing_package_is_named(
    method: str, package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    import anytimebn.base.optional

    def not_there(module: str) -> None:
        raise ModuleNotFoundError(name=module)

    monkeypatch.setattr(anytimebn.base.optional, "import_module", not_there)
    with pytest.raises(MissingPackage, match=f"needs {package}: pip install {package}"):
        getattr(NETWORK, method)()


@pytest.mark.peers
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("network", [NETWORK, awkward_network()])
@pytest.mark.usefixtures("pgmpy")
def test_pgmpy_and_back_is_the_same(network: Network) -> None:
    model = network.to_pgmpy()
    assert model.check_model()
    assert_same_distribution(Network.from_pgmpy(model), network)
    # Not only our own reading of it: pgmpy's probability of a row is ours.
    rows = network.sample(20, seed=1)
    ours = network.row_log_likelihoods(rows)
    for row in range(5):
        states = {
            name: values[code]
            for name, values, code in zip(
                network.names, network.states, rows.codes[:, row], strict=True
            )
        }
        assert np.isclose(np.log(model.get_state_probability(states)), ours[row], atol=1e-6)


@pytest.mark.peers
@pytest.mark.filterwarnings("ignore")
@pytest.mark.usefixtures("pgmpy")
def test_pgmpy_structure_is_taken_over() -> None:
    structure = Network.from_parents({"a": [], "b": ["a"], "c": []})
    assert set(structure.to_pgmpy().nodes) == {"a", "b", "c"}
    assert Network.from_pgmpy(structure.to_pgmpy()).arcs == (("a", "b"),)


@pytest.mark.peers
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("network", [NETWORK, awkward_network()])
@pytest.mark.usefixtures("pyagrum")
def test_pyagrum_and_back_is_the_same(network: Network) -> None:
    model = network.to_pyagrum()
    assert_same_distribution(Network.from_pyagrum(model), network)
    rows = network.sample(5, seed=1)
    ours = network.row_log_likelihoods(rows)
    for row in range(5):
        instance = model.completeInstantiation()
        for name, values, code in zip(
            network.names, network.states, rows.codes[:, row], strict=True
        ):
            instance.chgVal(name, values[code])
        assert np.isclose(np.log(model.jointProbability(instance)), ours[row])


@pytest.mark.peers
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("suffix", [".bif", ".xmlbif", ".net"])
@pytest.mark.usefixtures("pgmpy")
def test_files_go_to_pgmpy_and_back(tmp_path: Path, suffix: str) -> None:
    from pgmpy import readwrite

    reader, writer = {
        ".bif": (readwrite.BIFReader, readwrite.BIFWriter),
        ".xmlbif": (readwrite.XMLBIFReader, readwrite.XMLBIFWriter),
        ".net": (readwrite.NETReader, readwrite.NETWriter),
    }[suffix]
    path = tmp_path / f"ours{suffix}"
    write_network(NETWORK, path)
    model = reader(str(path)).get_model()
    assert_same_distribution(Network.from_pgmpy(model), NETWORK, atol=1e-9)

    theirs = tmp_path / f"theirs{suffix}"
    built = writer(NETWORK.to_pgmpy())
    getattr(built, f"write_{suffix[1:]}")(str(theirs))
    assert_same_distribution(read_network(theirs), NETWORK, atol=1e-6)


@pytest.mark.peers
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("suffix", [".bif", ".bifxml", ".net"])
def test_files_go_to_pyagrum_and_back(tmp_path: Path, suffix: str, pyagrum: Any) -> None:
    path = tmp_path / f"ours{suffix}"
    write_network(NETWORK, path)
    model = pyagrum.loadBN(str(path))
    assert_same_distribution(Network.from_pyagrum(model), NETWORK, atol=1e-6)

    theirs = tmp_path / f"theirs{suffix}"
    pyagrum.saveBN(NETWORK.to_pyagrum(), str(theirs))
    assert_same_distribution(read_network(theirs), NETWORK, atol=1e-4)
