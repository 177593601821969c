from __future__ import annotations

import logging
import math
import warnings
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from anytimebn.base.errors import InputError
from anytimebn.network.files.dot import dot_text
from anytimebn.network.files.networks import check_network_path, read_network, write_network
from anytimebn.network.network import Network
from anytimebn.network.random import generate_network

if TYPE_CHECKING:
    from pathlib import Path

TABLE_FORMATS = [".bif", ".xmlbif", ".net", ".json"]


def awkward_network() -> Network:
    names = ("blood pressure", "<30", ">30", "type", "c")
    states = (
        ("a b", "no", "1.5"),
        ("[0, 1)", "[1, 2)"),
        ("0", "1"),
        ("table", 'with "quotes" & <marks>'),
        ("-1", "1e5", "é"),
    )
    parents = ((), (0,), (0, 1), (2,), (1, 2, 3))
    random = np.random.default_rng(0)
    tables = tuple(
        random.dirichlet(np.ones(len(states[v])), size=tuple(len(states[p]) for p in parents[v]))
        for v in range(len(names))
    )
    return Network(names, parents, states, tables)


def assert_same(one: Network, other: Network) -> None:
    assert one.names == other.names
    assert one.parents == other.parents
    assert one.states == other.states
    for left, right in zip(one.probabilities, other.probabilities, strict=True):
        np.testing.assert_array_equal(left, right)


@pytest.mark.parametrize("suffix", TABLE_FORMATS)
@pytest.mark.parametrize(
    "network", [awkward_network(), generate_network(12, 3, arity=(2, 4), seed=5)]
)
def test_write_then_read_gives_the_same_network(tmp_path, suffix, network):
    path = tmp_path / f"net{suffix}"
    write_network(network, path)
    assert_same(read_network(path), network)


words = st.text(
    st.characters(codec="utf-8", categories=["L", "N", "P", "S", "Zs"]), min_size=1, max_size=6
).filter(lambda word: word == word.strip())


@given(
    names=st.lists(words, min_size=2, max_size=3, unique=True),
    values=st.lists(words, min_size=2, max_size=3, unique=True),
)
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@pytest.mark.parametrize("suffix", TABLE_FORMATS)
def test_any_names_survive_writing_and_reading(tmp_path, suffix, names, values):
    size = len(values)
    tables = [np.full(size, 1 / size)] + [np.full((size, size), 1 / size)] * (len(names) - 1)
    parents = [()] + [(child - 1,) for child in range(1, len(names))]
    network = Network(tuple(names), tuple(parents), (tuple(values),) * len(names), tuple(tables))
    path = tmp_path / f"net{suffix}"
    write_network(network, path)
    assert_same(read_network(path), network)


def test_bif_writes_plain_words_only(tmp_path):
    path = tmp_path / "net.bif"
    write_network(awkward_network(), path)
    text = path.read_text(encoding="utf-8")
    assert text.isascii()
    assert '"' not in text
    assert "variable blood_pressure {" in text
    assert "probability ( _30_2 | blood_pressure, _30 ) {" in text


def test_hugin_writes_states_that_pgmpy_takes_for_words(tmp_path):
    path = tmp_path / "net.net"
    write_network(awkward_network(), path)
    text = path.read_text(encoding="utf-8")
    assert text.isascii()
    assert 'states = ("[0_1_" "[1_2_");' in text
    assert 'states = ("a_b" "no" "1.5");' in text


def test_structure_alone_goes_to_json_and_dot(tmp_path):
    network = Network.from_parents({"a": [], 'b "2"': ["a"]})
    write_network(network, tmp_path / "net.json")
    assert read_network(tmp_path / "net.json").arcs == network.arcs
    write_network(network, tmp_path / "net.dot")
    assert (tmp_path / "net.dot").read_text() == dot_text(network)
    assert '"a" -> "b \\"2\\"";' in dot_text(network)


@pytest.mark.parametrize("suffix", [".bif", ".xmlbif", ".net"])
def test_table_formats_explain_that_a_structure_has_no_probabilities(tmp_path, suffix):
    with pytest.raises(InputError, match=r"score file has no data.*write \.dot or \.json"):
        write_network(Network.from_parents({"a": []}), tmp_path / f"net{suffix}")


def test_unknown_suffixes_name_the_accepted_ones():
    with pytest.raises(InputError, match=r"'\.txt'; use \.bif, .*\.net, \.dot, \.json, \.png"):
        check_network_path("net.txt")
    with pytest.raises(InputError, match=r"'\.dot'; use \.bif, \.xmlbif, .*\.json"):
        read_network("net.dot")
    with pytest.raises(InputError, match="cannot be read"):
        read_network("there_is_no_such_file.bif")


BIF = """network "sprinkler" { property made by hand; }
// a comment
variable Rain { type discrete [ 2 ] { yes, no }; }
variable "Wet grass" { /* two
lines */ type discrete [ 3 ] { dry damp "very wet" }; property x = 1; }
probability ( Rain ) { table 0.25 0.75; }
probability ( "Wet grass" | Rain ) {
  default 0.2, 0.3, 0.5;
  (no) 1e-1, 0.2, 0.7;
}
"""


def test_bif_reader_takes_quotes_comments_and_defaults(tmp_path):
    path = tmp_path / "net.bif"
    path.write_text(BIF)
    network = read_network(path)
    assert network.names == ("Rain", "Wet grass")
    assert network.states[1] == ("dry", "damp", "very wet")
    np.testing.assert_array_equal(network.probabilities[1], [[0.2, 0.3, 0.5], [0.1, 0.2, 0.7]])


def test_bif_table_with_parents_has_the_child_slowest(tmp_path):
    path = tmp_path / "net.bif"
    rows = "default 0.2, 0.3, 0.5;\n  (no) 1e-1, 0.2, 0.7;"
    path.write_text(BIF.replace(rows, "table 0.1, 0.2, 0.3, 0.3, 0.6, 0.5;"))
    np.testing.assert_array_equal(
        read_network(path).probabilities[1], [[0.1, 0.3, 0.6], [0.2, 0.3, 0.5]]
    )


def test_bif_reader_reorders_parents(tmp_path):
    path = tmp_path / "net.bif"
    path.write_text(
        "network n { }\n"
        "variable A { type discrete [ 2 ] { a, b }; }\n"
        "variable B { type discrete [ 3 ] { x, y, z }; }\n"
        "variable C { type discrete [ 2 ] { 0, 1 }; }\n"
        "probability ( A ) { table 0.5, 0.5; }\n"
        "probability ( B ) { table 0.5, 0.25, 0.25; }\n"
        "probability ( C | B, A ) { default 0.5, 0.5; (z, a) 0.125, 0.875; }\n"
    )
    network = read_network(path)
    assert network.parents[2] == (0, 1)
    np.testing.assert_array_equal(network.probabilities[2][0, 2], [0.125, 0.875])
    assert network.probabilities[2][1, 0, 0] == 0.5


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("variable Rain", "varable Rain", "line 3: 'varable' stands where"),
        ("[ 2 ]", "[ 3 ]", "line 3: 'Rain' lists 2 values but announces 3"),
        ("[ 2 ]", "[ two ]", "line 3: 'two' stands where a number"),
        ("0.25 0.75", "0.25", "line 6: 'Rain' has 1 probabilities; .* need 2"),
        ("0.25 0.75", "0.25 x", "line 6: '0.25 x' are not all numbers"),
        ("0.25 0.75", "0.25 0.25", "sum to 1"),
        ("| Rain", "| Snow", "line 7: variable 'Snow' was not declared"),
        ("(no)", "(maybe)", "line 9: 'Rain' has no value 'maybe'; it has yes, no"),
        ("  default 0.2, 0.3, 0.5;\n", "", "line 9: 'Wet grass' lacks the probabilities for 1"),
        ("0.7;\n}", "0.7;\n", "line 9: the file ends"),
        ("probability ( Rain ) { table 0.25 0.75; }", "", "variable 'Rain' has no probabilities"),
        ('( "Wet grass" |', '( "Wet grass |', "line 7: a quoted name"),
    ],
)
def test_bif_errors_name_the_line(tmp_path, old, new, message):
    assert old in BIF
    path = tmp_path / "net.bif"
    path.write_text(BIF.replace(old, new, 1))
    with pytest.raises(InputError, match=message):
        read_network(path)


XML = """<?xml version="1.0"?>
<BIF VERSION="0.3"><NETWORK><NAME>n</NAME>
<VARIABLE TYPE="nature"><NAME>A</NAME><OUTCOME>x</OUTCOME><OUTCOME>y</OUTCOME></VARIABLE>
<DEFINITION><FOR>A</FOR>
<TABLE>0.5 0.5</TABLE></DEFINITION>
</NETWORK></BIF>
"""


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("</NETWORK>", "", "line 6: not well-formed XML"),
        ("0.5 0.5", "0.5", "line 4: 'A' has 1 probabilities"),
        ("0.5 0.5", "half half", "line 4: .*not a number"),
        ("<FOR>A", "<FOR>B", "line 4: variable 'B' has no <VARIABLE>"),
        ("<NAME>A</NAME>", "", "line 3: <VARIABLE> has 0 <NAME>"),
        ("<OUTCOME>y", "<OUTCOME>x", "line 3: variable 'A' has an <OUTCOME> twice"),
    ],
)
def test_xmlbif_errors_name_the_line(tmp_path, old, new, message):
    path = tmp_path / "net.xmlbif"
    path.write_text(XML)
    assert read_network(path).states == (("x", "y"),)
    path.write_text(XML.replace(old, new, 1))
    with pytest.raises(InputError, match=message):
        read_network(path)


NET = """net
{
  node_size = (80 40);
}
% a comment; with { marks
node Rain { label = "it \\"rains\\""; position = (10 20); states = ("yes" "no"); }
discrete node Wet
{
  states = ("dry" "damp" "very wet"); % three
}
potential (Rain) { data = (0.25 0.75); }
potential (Wet | Rain)
{
  data = ((0.2 0.3 0.5)   % yes
          (1e-1 0.2 0.7)); % no
}
"""


def test_hugin_reader_takes_comments_and_attributes(tmp_path):
    path = tmp_path / "net.net"
    path.write_text(NET)
    network = read_network(path)
    assert network.names == ("Rain", "Wet")
    assert network.states[1] == ("dry", "damp", "very wet")
    np.testing.assert_array_equal(network.probabilities[1], [[0.2, 0.3, 0.5], [0.1, 0.2, 0.7]])
    start = NET.index("node Rain")
    path.write_text("class c {\n inputs = ();\n" + NET[start:] + "}\n")
    assert read_network(path).arcs == (("Rain", "Wet"),)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("node Rain", "nod Rain", "line 6: 'nod' stands where"),
        ("discrete node", "continuous node", "line 7: a continuous node"),
        ('("yes" "no")', '("yes" "yes")', "line 6: node 'Rain' has a state twice"),
        ('states = ("yes" "no");', "", "line 6: node 'Rain' has no states"),
        ("0.25 0.75", "0.25", "line 11: 'Rain' has 1 probabilities; .* need 2"),
        ("0.25 0.75", "0.25 x", "line 11: the data of 'Rain' are not all numbers"),
        ("| Rain", "| Snow", "line 12: node 'Snow' was not declared"),
        ("potential (Rain) { data = (0.25 0.75); }", "", "variable 'Rain' has no probabilities"),
        ("data = ((0.2", "model_data = ((0.2", "line 12: 'Wet' has a model instead"),
        ("; % no\n}", "; % no\n", "line 15: the file ends"),
    ],
)
def test_hugin_errors_name_the_line(tmp_path, old, new, message):
    assert old in NET
    path = tmp_path / "net.net"
    path.write_text(NET.replace(old, new, 1))
    with pytest.raises(InputError, match=message):
        read_network(path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"variables":\n [}', "line 2: not JSON"),
        ("[]", "'variables' and 'parents'"),
        ("[" * 100_000, "net.json: not JSON that can be read: "),
        ("\udc80", "net.json: expected UTF-8 text, found other bytes; give a network"),
        ('{"variables": ["a"]}', "key 'parents'"),
        ('{"variables": ["a"], "parents": {"a": ["b"]}}', "unknown parent 'b'"),
        ('{"variables": ["a", "b"], "parents": {"a": ["b"], "b": ["a"]}}', "cycle"),
        ('{"variables": ["a"], "parents": {"a": "b"}}', "key 'parents.a'"),
    ],
)
def test_json_errors_name_the_place(tmp_path, text, message):
    path = tmp_path / "net.json"
    path.write_text(text, errors="surrogateescape")
    with pytest.raises(InputError, match=message):
        read_network(path)


@pytest.mark.peers
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("suffix", [".bif", ".xmlbif", ".net"])
def test_pgmpy_reads_our_files(tmp_path, suffix):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pgmpy import readwrite
    logging.getLogger("pgmpy").setLevel(logging.ERROR)
    network, path = awkward_network(), tmp_path / f"net{suffix}"
    write_network(network, path)
    readers = {".bif": "BIFReader", ".xmlbif": "XMLBIFReader", ".net": "NETReader"}
    model = getattr(readwrite, readers[suffix])(str(path)).get_model()
    assert len(model.nodes) == 5
    assert len(model.edges) == len(network.arcs)
    table = np.moveaxis(model.get_cpds("c").values, 0, -1)
    np.testing.assert_allclose(table, network.probabilities[4], atol=1e-9)


@pytest.mark.peers
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("suffix", [".bif", ".xmlbif"])
def test_pyagrum_reads_our_files(tmp_path, suffix):
    import pyagrum

    network, path = awkward_network(), tmp_path / f"net{suffix}"
    write_network(network, path)
    if suffix == ".xmlbif":  # the name under which pyAgrum knows the format
        path = path.rename(path.with_suffix(".bifxml"))
    model = pyagrum.loadBN(str(path))
    assert model.sizeArcs() == len(network.arcs)
    names = ("_30", "_30_2", "_type") if suffix == ".bif" else ("<30", ">30", "type")
    table = model.cpt("c")
    for key in np.ndindex(2, 2, 2):
        where = dict(zip(names, key, strict=True))
        ours = network.probabilities[4][key]
        assert all(
            math.isclose(a, b, abs_tol=1e-6) for a, b in zip(table[where], ours, strict=True)
        )


@pytest.mark.parametrize("suffix", [".bif", ".net"])
def test_a_few_lines_do_not_stand_for_millions_of_numbers(suffix: str, tmp_path: Path) -> None:
    """However much memory is free: a file of 1.5 kB took 2 GB and nine seconds."""
    names = [f"v{number}" for number in range(28)]
    if suffix == ".bif":
        text = "".join(f"variable {v} {{ type discrete [ 2 ] {{ a, b }}; }}\n" for v in names)
        text += f"probability ( v0 | {', '.join(names[1:])} ) {{ default 0.5, 0.5; }}"
    else:
        text = "".join(f'node {v} {{ states = ("a" "b"); }}\n' for v in names)
        text += f"potential (v0 | {' '.join(names[1:])}) {{ }}"
    path = tmp_path / f"wide{suffix}"
    path.write_text(text)
    with pytest.raises(InputError, match="268,435,456 probabilities, which"):
        read_network(str(path))
