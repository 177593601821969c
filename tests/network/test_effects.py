"""Members of classes, effects and adjustment sets against their definitions."""

from __future__ import annotations

import itertools
from collections import defaultdict
from typing import TYPE_CHECKING

import networkx as nx
import numpy as np
import pytest
from joint_tables import asked, joint_table
from test_equivalence import networks, skeleton_and_v_structures

from anytimebn.base.errors import ConstraintError, InputError
from anytimebn.knowledge.constraints import Knowledge
from anytimebn.network.members import extension, members_by_parents, refactored
from anytimebn.network.network import Network
from anytimebn.network.random import generate_network
from anytimebn.network.restricted_class import members_within

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

BUDGET = 2**30


def test_members_have_all_sets_of_parents_of_the_class() -> None:
    classes = defaultdict(list)
    for network in networks(4):
        classes[skeleton_and_v_structures(network)].append(network)
    for key, members in classes.items():
        for variable in range(4):
            expected = {member.parents[variable] for member in members}
            found = list(members_by_parents(members[0], variable))
            assert found[0][variable] == members[0].parents[variable]
            assert {parents[variable] for parents in found} == expected
            assert len(found) == len(expected)
            for parents in found:
                other = Network(members[0].names, parents)
                assert skeleton_and_v_structures(other) == key


def all_known(names: tuple[str, ...], random: np.random.Generator) -> Knowledge:
    """Draw a few arcs that are required or forbidden, and sometimes tiers."""
    arcs = list(itertools.permutations(names, 2))
    picked = [arcs[place] for place in random.choice(len(arcs), 2, replace=False)]
    kind = random.integers(4)
    if kind == 3:
        mixed = [names[place] for place in random.permutation(len(names))]
        return Knowledge(tiers=(tuple(mixed[:2]), tuple(mixed[2:])))
    return Knowledge(
        required=frozenset(picked[: 2 - kind]), forbidden=frozenset(picked[2 - kind :])
    )


def classes_of_four() -> list[list[Network]]:
    classes = defaultdict(list)
    for network in networks(4):
        classes[skeleton_and_v_structures(network)].append(network)
    return list(classes.values())


def some_classes_of_six() -> list[list[Network]]:
    """All members of the classes of random networks, by every way to direct their edges."""
    classes = []
    for seed in range(60):
        network = generate_network(6, 3, seed=seed)
        network = Network(tuple("abcdef"), network.parents)
        edges = [(p, child) for child, own in enumerate(network.parents) for p in own]
        key = skeleton_and_v_structures(network)
        members = [network]
        for turned in itertools.product((False, True), repeat=len(edges)):
            parents: list[set[int]] = [set() for _ in range(6)]
            for turn, (parent, child) in zip(turned, edges, strict=True):
                parents[parent if turn else child].add(child if turn else parent)
            graph = nx.DiGraph((p, c) for c, own in enumerate(parents) for p in own)
            if any(turned) and nx.is_directed_acyclic_graph(graph):
                other = Network(network.names, tuple(tuple(sorted(own)) for own in parents))
                if skeleton_and_v_structures(other) == key:
                    members.append(other)
        classes.append(members)
    return classes


@pytest.mark.parametrize("classes", [classes_of_four, some_classes_of_six])
def test_members_within_knowledge_have_all_sets_of_parents_of_those_that_obey(
    classes: Callable[[], list[list[Network]]],
) -> None:
    random = np.random.default_rng(1)
    refused = narrowed = 0
    for members in classes():
        count = len(members[0].names)
        for _ in range(6):
            knowledge = all_known(members[0].names, random)
            try:
                knowledge.check(members[0].names)
            except ConstraintError:
                continue
            obeying = [member for member in members if not knowledge.violations(member)]
            narrowed += 0 < len(obeying) < len(members)
            for variable in range(count):
                if not obeying:
                    refused += 1
                    with pytest.raises(ConstraintError, match="learn the network with the same"):
                        list(members_within(members[0], variable, knowledge))
                    continue
                found = list(members_within(members[0], variable, knowledge))
                expected = {member.parents[variable] for member in obeying}
                assert {parents[variable] for parents in found} == expected
                assert len(found) == len(expected)
                if members[0].parents[variable] in expected:
                    assert found[0][variable] == members[0].parents[variable]
                for parents in found:
                    assert parents in {member.parents for member in obeying}
    assert refused > 20
    assert narrowed > 20


def test_effects_are_restricted_by_knowledge() -> None:
    table = np.array([[0, 0], [0, 1], [1, 1], [1, 1]])
    network = Network.from_parents({"rain": [], "wet": ["rain"]}).fit(table, 0)
    assert len(network.effect(of="rain", on="wet").possible) == 2
    for known in (
        Knowledge(required=frozenset({("rain", "wet")})),
        Knowledge(forbidden=frozenset({("wet", "rain")})),
        Knowledge(tiers=(("rain",), ("wet",))),
    ):
        found = network.effect(of="rain", on="wet", knowledge=known)
        assert found.is_determined
        np.testing.assert_allclose(found.possible[0].probabilities, [[0.5, 0.5], [0.0, 1.0]])
    known = Knowledge(required=frozenset({("rain", "wet")}))
    with pytest.raises(InputError, match="leave one of the two out"):
        network.effect(of="rain", on="wet", equivalence=False, knowledge=known)
    with pytest.raises(InputError, match="leave max_parents out"):
        network.effect(of="rain", on="wet", knowledge=Knowledge(max_parents={"wet": 1}))
    with pytest.raises(InputError, match="must be a Knowledge"):
        network.effect(of="rain", on="wet", knowledge=["rain->wet"])  # type: ignore[arg-type]


def test_extension_is_a_member() -> None:
    for network in networks(4):
        found = network.cpdag()
        parents = extension(sorted(found.names), list(found.directed), list(found.undirected))
        assert Network(tuple(sorted(found.names)), parents).cpdag() == found


@pytest.mark.parametrize("seed", range(12))
def test_refactored_network_has_the_same_distribution(seed: int) -> None:
    network = generate_network(6, 2, arity=(2, 3), seed=seed)
    expected = joint_table(network)
    for variable in range(6):
        for parents in members_by_parents(network, variable):
            other = refactored(network, parents, BUDGET)
            np.testing.assert_allclose(joint_table(other), expected, atol=1e-13)


def truncated(network: Network, cause: int, result: int) -> np.ndarray:
    """P(result | do(cause)): the joint table without the factor of the cause, value by value."""
    tables = list(network.probabilities)
    tables[cause] = np.ones_like(tables[cause])
    letters = "abcdefghij"[: len(network.names)]
    families = [
        "".join(letters[v] for v in (*members, child))
        for child, members in enumerate(network.parents)
    ]
    joint = np.einsum(f"{','.join(families)}->{letters[cause]}{letters[result]}", *tables)
    return joint / joint.sum(axis=1, keepdims=True)


@pytest.mark.parametrize("seed", range(12))
def test_effects_are_those_of_all_members(seed: int) -> None:
    network = generate_network(5, 2, arity=(2, 3), seed=seed)
    for cause, result in itertools.permutations(range(5), 2):
        of, on = network.names[cause], network.names[result]
        plain = network.effect(of=of, on=on, equivalence=False)
        (only,) = plain.possible
        np.testing.assert_allclose(
            only.probabilities, truncated(network, cause, result), atol=1e-13
        )
        assert plain.is_determined
        found = network.effect(of=of, on=on)
        members = list(members_by_parents(network, cause))
        assert len(found.possible) == len(members)
        for parents, one in zip(members, found.possible, strict=True):
            member = refactored(network, parents, BUDGET)
            assert one.parents == member.parents_of(of)
            expected = truncated(member, cause, result)
            np.testing.assert_allclose(one.probabilities, expected, atol=1e-13)
            if on in one.parents:  # a cause is not changed by what it causes
                np.testing.assert_allclose(one.probabilities[0], network.query(on).probabilities)


def adjusted(network: Network, cause: str, result: str, others: tuple[str, ...]) -> np.ndarray:
    """The sum over z of P(z) P(result | cause, z), from the joint table alone."""
    joint = asked(network, [*others, cause, result], {})
    joint = joint.reshape(-1, *joint.shape[-2:])
    weights = joint.sum(axis=(1, 2))
    return np.einsum("z,zxy->xy", weights, joint / joint.sum(axis=2, keepdims=True))


def serves(network: Network, cause: str, result: str, others: set[str]) -> bool:
    """The adjustment criterion, by its definition."""
    graph = network.to_networkx()
    between = (nx.descendants(graph, cause) & (nx.ancestors(graph, result) | {result})) - {cause}
    after = set().union(*({one} | nx.descendants(graph, one) for one in between))
    if others & after:
        return False
    graph.remove_edges_from([(cause, one) for one in between])
    return nx.is_d_separator(graph, {cause}, {result}, others)


def minimal_sets(network: Network, cause: str, result: str) -> set[tuple[str, ...]]:
    rest = [name for name in network.names if name not in (cause, result)]
    sets = [
        one
        for size in range(len(rest) + 1)
        for one in itertools.combinations(rest, size)
        if serves(network, cause, result, set(one))
    ]
    return {one for one in sets if not any(set(other) < set(one) for other in sets)}


def test_adjustment_sets_are_all_minimal_ones_of_small_networks() -> None:
    for network in networks(4)[::3]:
        for cause, result in itertools.permutations(network.names, 2):
            found = network.adjustment_sets(of=cause, on=result)
            assert len(set(found)) == len(found)
            assert set(found) == minimal_sets(network, cause, result)


@pytest.mark.parametrize("seed", range(8))
def test_adjusting_gives_the_effect(seed: int) -> None:
    network = generate_network(7, 3, arity=(2, 3), seed=seed)
    for cause, result in itertools.permutations(network.names[::2], 2):
        found = network.adjustment_sets(of=cause, on=result)
        assert set(found) == minimal_sets(network, cause, result)
        assert list(map(len, found)) == sorted(map(len, found))
        effect = network.effect(of=cause, on=result, equivalence=False)
        for others in found:
            expected = adjusted(network, cause, result, others)
            np.testing.assert_allclose(effect.possible[0].probabilities, expected, atol=1e-12)
        assert set(network.adjustment_sets(of=cause, on=result, most=1)) <= set(found)


@pytest.mark.parametrize("classes", [classes_of_four, some_classes_of_six])
def test_adjustment_sets_of_classes_serve_in_all_networks_that_are_left(
    classes: Callable[[], list[list[Network]]],
) -> None:
    random = np.random.default_rng(2)
    some = none = without = 0
    for members in classes()[::2]:
        names = members[0].names
        knowledge = all_known(names, random)
        try:
            knowledge.check(names)
            obeying = [member for member in members if not knowledge.violations(member)]
        except ConstraintError:
            obeying = []
        pairs = list(itertools.permutations(names, 2))
        for place in random.choice(len(pairs), 4, replace=False):
            cause, result = pairs[place]
            for left, options in ((members, {}), (obeying, {"knowledge": knowledge})):
                if not left:
                    continue
                found = members[0].adjustment_sets(of=cause, on=result, equivalence=True, **options)
                assert set(found) == minimal_sets_of_all(left, cause, result)
                assert list(map(len, found)) == sorted(map(len, found))
                some += len(left) > 1 and bool(found)
                none += len(left) > 1 and not found
                # A set that serves in one network may not serve in another.
                without += not found and bool(minimal_sets(left[0], cause, result))
    assert min(some, none, without) > 10


def minimal_sets_of_all(members: list[Network], cause: str, result: str) -> set[tuple[str, ...]]:
    rest = [name for name in members[0].names if name not in (cause, result)]
    sets = [
        one
        for size in range(len(rest) + 1)
        for one in itertools.combinations(rest, size)
        if all(serves(member, cause, result, set(one)) for member in members)
    ]
    return {one for one in sets if not any(set(other) < set(one) for other in sets)}


def test_adjustment_sets_take_knowledge_as_effects_do(tmp_path: Path) -> None:
    network = Network.from_parents({"a": [], "b": ["a"], "x": ["a"], "y": ["b", "x"]})
    asked_for = {"of": "x", "on": "y"}
    assert network.adjustment_sets(**asked_for, equivalence=True) == ()
    file = tmp_path / "known.json"
    file.write_text('{"tiers": [["a", "b"], ["x"], ["y"]]}', encoding="utf-8")
    for known in (
        Knowledge(required=frozenset({("a", "x")})),
        Knowledge(tiers=(("a",), ("x",))),
        file,
    ):
        # Knowledge is about the class, so that it need not be said that the class is meant.
        assert network.adjustment_sets(**asked_for, knowledge=known) == (("a",), ("b",))
    with pytest.raises(ConstraintError, match="learn the network with the same knowledge"):
        network.adjustment_sets(**asked_for, knowledge=Knowledge(required=frozenset({("y", "x")})))
    with pytest.raises(InputError, match="leave max_parents out"):
        network.adjustment_sets(**asked_for, knowledge=Knowledge(max_parents={"y": 1}))


def test_effects_can_be_read_and_converted() -> None:
    states = (("0", "1"), ("0", "1", "5"))
    table = np.array([[0.5, 0.5, 0.0], [0.1, 0.4, 0.5]])
    network = Network(("a", "b"), ((), (0,)), states, (np.array([0.25, 0.75]), table))
    effect = network.effect(of="a", on="b")
    assert not effect.is_determined
    assert effect.change(1, 0, outcome=5) == (0.0, pytest.approx(0.5))
    assert effect.change(1, 0) == (0.0, pytest.approx(0.4 + 2.5 - 0.5))
    assert "data cannot tell these 2 possibilities apart" in repr(effect)
    frame = effect.to_pandas()
    assert list(frame.columns) == ["parents", "do(a)", "b", "probability"]
    assert len(frame) == 12
    assert effect.to_polars().shape == (12, 4)
    page = effect._repr_html_()
    assert page.count("<table>") == 2
    assert "<td>0.4000</td>" in page
    assert "if a is caused by nothing" in page
    assert "data cannot tell these 2 possibilities apart" in page
    only = network.effect(of="a", on="b", equivalence=False)
    assert "caused" not in repr(only)
    assert "does not change" not in repr(only)
    nothing = network.effect(of="b", on="a", equivalence=False)
    assert repr(nothing).endswith("setting b does not change a")
    assert "<div>setting b does not change a</div>" in nothing._repr_html_()
    for arguments, message in (
        ({"of": "a", "on": "a"}, "no effect on itself"),
        ({"of": "a", "on": "z"}, "no variable 'z'"),
    ):
        with pytest.raises(InputError, match=message):
            network.effect(**arguments)
        with pytest.raises(InputError, match=message):
            network.adjustment_sets(**arguments)
    words = Network(("a", "b"), ((), ()), (("x", "y"),) * 2, (np.full(2, 0.5),) * 2)
    with pytest.raises(InputError, match=r"no numbers.* name the outcome .* outcome='y'"):
        words.effect(of="a", on="b").change("x", "y")
    cut = Network(
        ("a", "b"), ((), ()), (("x", "y"), ("(-inf, 2)", "[2, inf)")), words.probabilities
    )
    with pytest.raises(InputError, match="are intervals, so that they have no mean"):
        cut.effect(of="a", on="b").change("x", "y")
    assert cut.effect(of="a", on="b").change("x", "y", outcome=3) == (0.0, 0.0)
