"""Answers of a network against its whole joint table, and against pyAgrum."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from joint_tables import asked, joint_table

import anytimebn as ab
from anytimebn.base.errors import InputError, LimitReached
from anytimebn.network.contraction import ROWS, Factor, contract, plan_for, sizes_of
from anytimebn.network.network import Network
from anytimebn.network.random import generate_network


@st.composite
def questions(draw: Any) -> tuple[Network, list[str], dict[str, list[str]]]:
    """A network, targets, and evidence that leaves one or several values possible."""
    size = draw(st.integers(2, 7))
    network = generate_network(size, 3, arity=(2, 4), seed=draw(st.integers(0, 10_000)))
    names = draw(st.permutations(network.names))
    targets = names[: draw(st.integers(1, min(3, size)))]
    evidence = {}
    for name in names[len(targets) :][: draw(st.integers(0, size))]:
        states = network.states[network.index_of(name)]
        evidence[name] = draw(st.lists(st.sampled_from(states), min_size=1, unique=True))
    return network, targets, evidence


@given(questions())
@settings(max_examples=60)
def test_query_is_what_the_joint_table_says(
    question: tuple[Network, list[str], dict[str, list[str]]],
) -> None:
    network, targets, evidence = question
    expected = asked(network, targets, evidence)
    answer = network.query(targets, evidence)
    assert answer.names == tuple(targets)
    np.testing.assert_allclose(answer.probabilities, expected / expected.sum(), atol=1e-13)
    assert network.probability(evidence) == pytest.approx(expected.sum(), rel=1e-12)


def test_evidence_is_found_by_name_worth_and_interval() -> None:
    cut = ("(-inf, 40)", "[40, inf)")
    network = Network(
        ("age", "n", "b"),
        ((), (0,), (0,)),
        (cut, ("1", "2"), ("False", "True")),
        (np.array([0.5, 0.5]), np.array([[0.9, 0.1], [0.2, 0.8]]), np.full((2, 2), 0.5)),
    )
    for old in (43, 40.0, "43", np.int64(70), "[40, inf)"):
        assert network.query("n", {"age": old})[2] == pytest.approx(0.8)
    for two in (2, 2.0, "2", np.float32(2)):
        assert network.query("age", {"n": two})[50] == pytest.approx(0.8 / 0.9)
    assert network.query("age", {"b": True})[cut[0]] == pytest.approx(0.5)
    assert network.query("n", {"age": [3, 50]}).to_dict() == network.query("n").to_dict()


@pytest.mark.parametrize(
    ("target", "evidence", "message"),
    [
        ("z", {}, "no variable 'z'"),
        ("a", {"z": 1}, "no variable 'z'"),
        ("a", {"b": "maybe"}, "'b' has no value 'maybe'; it has "),
        ("a", {"b": None}, "'b' has no value None"),
        ("a", {"b": []}, "no value of 'b' is possible"),
        ("a", {"a": "s0"}, "'a' is asked for and given"),
        (["a", "a"], {}, "named twice"),
        ([], {}, "a name or a list of names"),
        ("a", [("b", 1)], "evidence must be values by variable"),
    ],
)
def test_query_says_what_is_wrong(target: Any, evidence: Any, message: str) -> None:
    network = Network(
        ("a", "b"), ((), (0,)), (("s0", "s1"),) * 2, (np.full(2, 0.5), np.full((2, 2), 0.5))
    )
    with pytest.raises(InputError, match=message):
        network.query(target, evidence)


def test_query_needs_probabilities() -> None:
    with pytest.raises(InputError, match="no probabilities; fit it"):
        Network.from_parents({"a": [], "b": []}).query("a")


def test_impossible_evidence_is_refused_wherever_it_is() -> None:
    states = (("no", "yes"),) * 3
    never = np.array([1.0, 0.0])
    network = Network(("a", "b", "c"), ((), (0,), ()), states, (never, np.eye(2), never))
    for evidence in ({"b": "yes"}, {"c": "yes"}):
        with pytest.raises(InputError, match=r"has the probability 0"):
            network.query("a", evidence)
        assert network.probability(evidence) == 0.0
    with pytest.raises(InputError, match="none of 50 samples fits the evidence"):
        network.query("a", {"b": "yes"}, method="sampling", samples=50)


def test_thousands_of_improbable_observations_do_not_vanish() -> None:
    size = 1500
    names = ("y", *(f"x{number}" for number in range(size)))
    # Each observation has the probability 0.002 or 0.001: their product is far below any float.
    table = np.array([[0.998, 0.002], [0.999, 0.001]])
    network = Network(
        names,
        ((), *((0,) for _ in range(size))),
        (("0", "1"),) * (size + 1),
        (np.array([2.0**-1, 2.0**-1]), *(table for _ in range(size))),
    )
    answer = network.query(
        "y", {**dict.fromkeys(names[1:3], "1"), **dict.fromkeys(names[3:5], "0")}
    )
    odds = (0.002 / 0.001) ** 2 * (0.998 / 0.999) ** 2
    assert answer["0"] == pytest.approx(odds / (1 + odds), rel=1e-12)
    half = size // 2
    mixed = dict.fromkeys(names[1 : half + 1], "1")
    answer = network.query("y", mixed)
    assert answer["1"] == pytest.approx(0.5**half / (1 + 0.5**half))
    assert answer["0"] == 1.0


def test_too_large_a_question_offers_sampling_which_works() -> None:
    network = generate_network(60, 3, arity=(3, 4), seed=2)
    target = network.topological_order[-1]
    with pytest.raises(LimitReached, match=r'GiB.* method="sampling"'):
        network.query(target, memory_limit="1B")
    with pytest.raises(LimitReached, match="an exact answer needs"):
        network.predict_proba(network.sample(3), target, memory_limit="1B")
    with pytest.raises(LimitReached, match="joint distribution of 60 targets"):
        network.query(network.names, method="sampling")
    found = network.query(target, method="sampling", samples=2000, seed=1)
    again = network.query(target, method="sampling", samples=2000, seed=1)
    assert np.array_equal(found.probabilities, again.probabilities)
    assert found.probabilities.sum() == pytest.approx(1)
    assert "±" in repr(found)


@pytest.mark.parametrize("seed", range(12))
def test_sampling_is_within_its_standard_errors(seed: int) -> None:
    network = generate_network(6, 2, arity=(2, 3), seed=seed)
    names = [network.names[v] for v in np.random.default_rng(seed).permutation(6)]
    targets, known = names[:2], names[2 : 2 + seed % 4]
    evidence = {name: [network.states[network.index_of(name)][0]] for name in known}
    expected = asked(network, targets, evidence)
    found = network.query(targets, evidence, method="sampling", samples=5000, seed=seed)
    off = np.abs(found.probabilities - expected / expected.sum())
    assert (off <= 5 * found.standard_errors).all()
    assert found.standard_errors.max() < 0.1


@given(questions(), st.integers(1, 5))
@settings(max_examples=25)
def test_contraction_of_rows_is_the_contraction_of_each(
    question: tuple[Network, list[str], Any], rows: int
) -> None:
    network, targets, _ = question
    tables = network.probabilities
    families = [(*members, child) for child, members in enumerate(network.parents)]
    weights = np.random.default_rng(rows).random((rows, tables[0].shape[-1]))
    factors = [Factor(labels, table) for labels, table in zip(families, tables, strict=True)]
    output = tuple(network.index_of(name) for name in targets)
    many, log_many = contract([*factors, Factor((ROWS, 0), weights)], (ROWS, *output))
    for row in range(rows):
        one, log_one = contract([*factors, Factor((0,), weights[row])], output)
        np.testing.assert_allclose(
            many[row] * np.exp(log_many[row]), one * np.exp(log_one), atol=1e-13
        )


@given(questions())
@settings(max_examples=25)
def test_plan_counts_at_least_what_is_held(
    question: tuple[Network, list[str], Any],
) -> None:
    """The products that are made, each beside its factors, are never larger than the plan says."""
    network, targets, _ = question
    families = [(*members, child) for child, members in enumerate(network.parents)]
    factors = [
        Factor(labels, table) for labels, table in zip(families, network.probabilities, strict=True)
    ]
    output = tuple(network.index_of(name) for name in targets)
    sizes = sizes_of(factors)
    plan = plan_for(families, output, sizes)
    made = dict(enumerate(map(set, families)))
    for number, step in enumerate(plan.steps, len(families)):
        taken = [made.pop(factor) for factor in step.taken]
        used = set(output).union(*made.values())
        assert step.kept == set().union(*taken) & used
        made[number] = set(step.kept)
        volume = sum(
            int(np.prod([sizes[label] for label in labels])) for labels in [*taken, *made.values()]
        )
        assert volume <= plan.numbers
    assert len(made) == 1


def test_answers_can_be_read_indexed_and_converted() -> None:
    frame = ab.to_dataset(np.array([[0, 0], [0, 1], [1, 1], [1, 1]]), names=["a", "b"])
    network = Network.from_parents({"a": [], "b": ["a"]}).fit(frame, 0)
    answer = network.query("a", {"b": 1})
    assert answer.to_dict() == {"0": pytest.approx(1 / 3), "1": pytest.approx(2 / 3)}
    assert answer.most_probable == "1"
    assert network.query(["b", "a"]).most_probable == ("1", "1")
    assert answer.to_pandas().loc[1, "probability"] == pytest.approx(2 / 3)
    assert answer.to_polars()["a"].to_list() == [0, 1]
    joint = network.query(["a", "b"])
    assert joint[0, 1] == 0.25
    assert joint.to_pandas().loc[(0, 1), "probability"] == 0.25
    with pytest.raises(InputError, match="one value is needed for each of a, b"):
        joint[0]
    with pytest.raises(InputError, match="'a' has no value 7"):
        joint[7, 0]
    table = network.table_of("b")
    assert table.conditions == ("a",)
    assert table[1, 0] == 0.0
    assert table.to_pandas().loc[0, 1] == 0.5
    assert table.to_polars().shape == (4, 3)
    assert network.table_of("a").to_pandas().loc[0, "probability"] == 0.5
    with pytest.raises(InputError, match="for each value of a"):
        _ = table.most_probable
    assert "<td>0.5000</td>" in table._repr_html_()
    large = generate_network(6, 2, arity=3, seed=1).query([f"X0{v}" for v in range(1, 5)])
    assert "and 61 more; to_pandas() has all" in repr(large)


@pytest.mark.parametrize("seed", range(5))
def test_joint_table_is_a_distribution(seed: int) -> None:
    """Of the oracle itself: it sums to one, and its rows have the probabilities of the network."""
    network = generate_network(6, 2, arity=(2, 3), seed=seed)
    joint = joint_table(network)
    assert joint.sum() == pytest.approx(1)
    rows = network.sample(10, seed=seed)
    logs = network.row_log_likelihoods(rows)
    np.testing.assert_allclose(np.log(joint[tuple(rows.codes.astype(int))]), logs)


@pytest.mark.peers
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("seed", range(25))
def test_query_equals_pyagrum(seed: int) -> None:
    import pyagrum

    random = np.random.default_rng(seed)
    size = int(random.integers(5, 26))
    network = generate_network(size, 3, arity=(2, 4), seed=seed)
    model = network.to_pyagrum()
    for _ in range(4):
        order = [network.names[v] for v in random.permutation(size)]
        targets = order[: random.integers(1, 3)]
        row = network.sample(1, seed=int(random.integers(1000))).codes[:, 0]
        evidence = {
            name: network.states[network.index_of(name)][row[network.index_of(name)]]
            for name in order[len(targets) :][: random.integers(0, size // 2)]
        }
        engine = pyagrum.LazyPropagation(model)
        engine.setEvidence(evidence)
        engine.addJointTarget(set(targets))
        engine.makeInference()
        theirs = engine.jointPosterior(set(targets))
        axes = list(theirs.names)[::-1]
        table = np.asarray(theirs.toarray()).transpose([axes.index(name) for name in targets])
        ours = network.query(targets, evidence).probabilities
        np.testing.assert_allclose(ours, table, rtol=0, atol=1e-12)


def test_variables_with_one_value_are_no_trouble() -> None:
    network = Network(
        ("a", "b", "c"),
        ((), (0,), (0, 1)),
        (("x",), ("0", "1"), ("0", "1")),
        (np.ones(1), np.array([[0.25, 0.75]]), np.array([[[0.5, 0.5], [0.1, 0.9]]])),
    )
    assert network.query("a", {"c": 1}).to_dict() == {"x": 1.0}
    assert network.query("c", {"a": "x", "b": 0})[1] == 0.5
    np.testing.assert_allclose(network.query(["a", "c"]).probabilities, [[0.2, 0.8]])
    assert network.predict(np.array([["x", "0"], ["x", "1"]]), "c").tolist() == [0, 1]
