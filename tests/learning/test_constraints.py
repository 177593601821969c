"""Background knowledge as users give it: obeyed by every algorithm, and exact."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from brute_force import lowest_cost, permits
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import problems, random_table
from typer.testing import CliRunner

import anytimebn as ab
from anytimebn.cli.application import application
from anytimebn.knowledge.constraints import Knowledge
from anytimebn.knowledge.files import read_knowledge
from anytimebn.solver import registry

if TYPE_CHECKING:
    from pathlib import Path

DATA = random_table([2, 3, 2, 2, 2], rows=200, seed=4, noise=0.1)


@pytest.mark.parametrize("algorithm", [choice.name for choice in registry.algorithms()])
@given(problem=problems(variables=(2, 5), rows=(5, 40)), score=st.sampled_from(["mdl", "bdeu"]))
@settings(max_examples=settings.default.max_examples // 5)
def test_every_algorithm_obeys_constraints(
    algorithm: str, problem: tuple[ab.Dataset, Knowledge, int], score: str
) -> None:
    data, knowledge, limit = problem
    result = ab.learn(
        data, score=score, max_parents=limit, knowledge=knowledge, algorithm=algorithm, jobs=1
    )
    network = result.network
    assert knowledge.violations(network) == []
    for child, members in enumerate(network.parents):
        mask = sum(1 << parent for parent in members)
        assert permits(knowledge, data.names, child, mask)
        assert len(members) <= limit
    optimum = lowest_cost(data, knowledge, limit, score)
    assert result.lower_bound is None or result.lower_bound <= optimum + 1e-5
    assert result.cost >= optimum - 1e-5
    if registry.algorithm(algorithm).proves:
        assert result.status == "optimal"
        assert result.cost == pytest.approx(optimum, abs=1e-5)


@given(problem=problems(variables=(2, 5)), draw=st.data())
def test_violations_are_what_the_constraints_say(
    problem: tuple[ab.Dataset, Knowledge, int], draw: st.DataObject
) -> None:
    data, knowledge, _ = problem
    order = draw.draw(st.permutations(range(data.variables)))
    parents = [()] * data.variables
    for place, child in enumerate(order):
        earlier = order[:place]
        chosen = draw.draw(st.sets(st.sampled_from(earlier)) if earlier else st.just(set()))
        parents[child] = tuple(sorted(chosen))
    network = ab.Network(data.names, tuple(parents))
    fits = all(
        permits(knowledge, data.names, child, sum(1 << parent for parent in own))
        for child, own in enumerate(parents)
    )
    assert (knowledge.violations(network) == []) == fits


# ---- knowledge in files ----

TOML = """
require = ["X0 -> X1", ["X1", "X2"]]
forbid = ["X4 -> X3"]
tiers = [["X0", "X1"], ["X4"]]

[max_parents]
X2 = 1
"""
KNOWN = Knowledge(
    required=frozenset({("X0", "X1"), ("X1", "X2")}),
    forbidden=frozenset({("X4", "X3")}),
    tiers=(("X0", "X1"), ("X4",)),
    max_parents={"X2": 1},
)
YAML = """
required:
  - X0 -> X1
  - [X1, X2]
forbidden: [X4 -> X3]
tiers:
  - [X0, X1]
  - [X4]
max_parents: {X2: 1}
"""


@pytest.mark.parametrize(
    ("name", "text"),
    [("k.toml", TOML), ("k.json", json.dumps(KNOWN.to_json())), ("k.yaml", YAML), ("k.yml", YAML)],
)
def test_knowledge_files_say_the_same(tmp_path: Path, name: str, text: str) -> None:
    if name.startswith("k.y"):
        pytest.importorskip("yaml")
    (tmp_path / name).write_text(text)
    assert read_knowledge(tmp_path / name) == KNOWN
    result = ab.learn(DATA, knowledge=tmp_path / name)
    assert KNOWN.violations(result.network) == []
    assert result.constraints == KNOWN.to_json()


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("k.txt", "", r"ends in \.toml, \.json, \.yaml"),
        ("k.toml", "require = = 1", "not TOML: .*line 1"),
        ("k.json", "{", "line 1: not JSON: "),
        ("k.json", "[]", "expected the keys require, forbid"),
        ("k.toml", "requires = []", "unknown key 'requires' .did you mean 'require'"),
        ("k.toml", "require = []\nrequired = []", "key 'required': the file has 'require' twice"),
        ("k.toml", 'require = "A->B"', "key 'require': expected a list of arcs"),
        ("k.toml", 'forbid = ["A-B"]', "key 'forbid': cannot read the arc 'A-B'"),
        ("k.toml", 'forbid = [["A"]]', r"key 'forbid': .*found \['A'\]"),
        ("k.toml", 'tiers = ["A"]', "key 'tiers': expected lists of names"),
        ("k.toml", "max_parents = 3", "key 'max_parents': expected a whole number for each"),
        ("k.toml", "[max_parents]\nA = 1.5", "key 'max_parents': expected a whole number"),
    ],
)
def test_knowledge_files_that_are_wrong_are_explained(
    tmp_path: Path, name: str, text: str, message: str
) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(ab.InputError, match=message) as caught:
        read_knowledge(tmp_path / name)
    assert str(tmp_path / name) in str(caught.value)


def test_knowledge_and_options_are_added_up(tmp_path: Path) -> None:
    (tmp_path / "k.toml").write_text(TOML)
    result = ab.learn(
        DATA, knowledge=tmp_path / "k.toml", forbid=["X0->X3"], parent_limits={"X2": 2, "X3": 0}
    )
    assert result.constraints["forbid"] == [["X0", "X3"], ["X4", "X3"]]
    assert result.constraints["max_parents"] == {"X2": 2, "X3": 0}
    with pytest.raises(ab.InputError, match="tiers are given twice"):
        ab.learn(DATA, knowledge=KNOWN, tiers=[["X0"], ["X1"]])
    with pytest.raises(ab.ConstraintError, match="form a cycle: X0 -> X1 -> X2 -> X0"):
        ab.learn(DATA, knowledge=KNOWN, require=["X2->X0"])


# ---- a network to begin with ----


def test_start_network_is_the_first_incumbent() -> None:
    scores = ab.score(DATA, "mdl")
    best = ab.search(scores)
    empty = ab.Network.from_parents({name: [] for name in DATA.names})
    without_arcs = sum(scores.best(name, [])[0] for name in DATA.names)
    for start, cost in ((best.network, best.cost), (empty, without_arcs)):
        result = ab.search(scores, start=start, algorithm="astar")
        assert result.events[0].cost == pytest.approx(cost, abs=1e-5)
        assert result.status == "optimal"
        assert result.cost == pytest.approx(best.cost)


def test_start_network_is_kept_when_there_is_no_time() -> None:
    scores = ab.score(DATA, "mdl")
    best = ab.search(scores)
    kept = ab.search(scores, start=best.network, max_expansions=0, local_search=False)
    assert kept.network.arcs == best.network.arcs
    assert kept.cost == best.cost


def test_start_network_is_reduced_to_stored_sets() -> None:
    scores = ab.score(DATA, "mdl", max_parents=1)
    full = ab.Network.from_parents({n: list(DATA.names[:i]) for i, n in enumerate(DATA.names)})
    result = ab.search(scores, start=full, max_expansions=0, local_search=False)
    expected = sum(scores.best(n, DATA.names[:i])[0] for i, n in enumerate(DATA.names))
    assert result.events[0].cost == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize(
    "algorithm", [choice.name for choice in registry.algorithms() if choice.from_data]
)
def test_searches_on_data_begin_with_the_start_network(algorithm: str) -> None:
    best = ab.learn(DATA)
    part = ab.Network.from_parents({best.network.names[0]: []})
    for start in (best.network, part):
        result = ab.learn(DATA, algorithm=algorithm, start=start)
        expected = best.cost if start is best.network else ab.learn(DATA, max_parents=0).cost
        assert result.events[0].cost == pytest.approx(expected, abs=1e-4)
        assert result.cost <= result.events[0].cost + 1e-4
    chain = {name: list(DATA.names[i : i + 1]) for i, name in enumerate(DATA.names[1:])}
    start = ab.Network.from_parents({DATA.names[0]: []} | chain)
    with pytest.raises(ab.InputError, match="'X1' 1 parents; at most 0 are considered"):
        ab.learn(DATA, algorithm=algorithm, start=start, max_parents=0)


@pytest.mark.parametrize("algorithm", [choice.name for choice in registry.algorithms()])
def test_start_network_changes_no_proof(algorithm: str) -> None:
    scores = ab.score(DATA, "bdeu")
    empty = ab.Network.from_parents({name: [] for name in DATA.names})
    with_start = ab.search(scores, algorithm=algorithm, start=empty)
    optimum = ab.search(scores, algorithm="dynamic-programming").cost
    assert with_start.lower_bound <= optimum + 1e-9
    if registry.algorithm(algorithm).proves:
        assert with_start.status == "optimal"
        assert with_start.cost == pytest.approx(optimum, abs=1e-6)


@pytest.mark.parametrize(
    ("parents", "options", "message"),
    [
        ({"X0": [], "X9": []}, {}, "start network: unknown variable 'X9'"),
        ({"X0": ["X1"], "X1": []}, {"forbid": ["X1->X0"]}, "has the forbidden arc X1 -> X0"),
        ({"X0": [], "X1": []}, {"require": ["X0->X1"]}, "lacks the required arc X0 -> X1"),
        (
            {"X0": ["X1"], "X1": []},
            {"tiers": [["X0"], ["X1"]]},
            "its arc X1 -> X0 goes back from tier 2 to tier 1",
        ),
        (
            {"X0": ["X1"], "X1": []},
            {"parent_limits": {"X0": 0}},
            "'X0' has 1 parents in it, and may have 0",
        ),
    ],
)
@pytest.mark.parametrize("algorithm", ["auto", "hill-climbing"])
def test_start_network_that_cannot_be_used_is_explained(
    algorithm: str, parents: dict[str, list[str]], options: dict[str, object], message: str
) -> None:
    start = ab.Network.from_parents(parents)
    with pytest.raises(ab.InputError, match=message):
        ab.learn(DATA, start=start, algorithm=algorithm, **options)
    with pytest.raises(ab.InputError, match=message):
        ab.stream(DATA, start=start, algorithm=algorithm, **options)
    with pytest.raises(ab.InputError, match="start is a dict"):
        ab.learn(DATA, start={"X0": []})


def test_command_line_takes_start_knowledge_and_limits(tmp_path: Path) -> None:
    table, known = tmp_path / "table.csv", tmp_path / "known.toml"
    DATA.to_pandas().to_csv(table, index=False)
    known.write_text(TOML)
    first, second = tmp_path / "first.json", tmp_path / "second.json"
    options = ["--knowledge", str(known), "--parent-limit", "X3=0", "--quiet"]
    ended = CliRunner().invoke(application, ["learn", str(table), *options, "--json", str(first)])
    assert ended.exit_code == 0, ended.stderr
    options += ["--start", str(first), "--max-expansions", "0", "--no-local-search"]
    ended = CliRunner().invoke(application, ["learn", str(table), *options, "--json", str(second)])
    assert ended.exit_code == 0, ended.stderr
    one, two = (json.loads(path.read_text()) for path in (first, second))
    assert two["events"][0]["cost"] == pytest.approx(one["cost"], abs=1e-5)
    assert two["constraints"]["max_parents"] == {"X2": 1, "X3": 0}
    assert two["parents"]["X3"] == []
    scores = tmp_path / "scores.jkl"
    ended = CliRunner().invoke(
        application, ["score", str(table), "-o", str(scores), "--parent-limit", "X3=0"]
    )
    assert ended.exit_code == 0
    assert [parents for _, parents in ab.LocalScores.load(scores).parent_sets("X3")] == [()]


@pytest.mark.parametrize(
    ("options", "status", "message"),
    [
        (["--parent-limit", "X3"], 2, "--parent-limit is 'X3'; give NAME=K"),
        (["--parent-limit", "X3=-1"], 2, "give NAME=K with a whole number"),
        (["--parent-limit", "X9=1"], 2, "limit on parents: no variable is named 'X9'"),
        (["--start", "there_is_none.bif"], 2, "there_is_none.bif: cannot be read"),
        (["--knowledge", "there_is_none.toml"], 2, "cannot read there_is_none.toml"),
        (
            ["--require", "X0->X1", "--require", "X1->X0"],
            3,
            "the required arcs form a cycle: X0 -> X1 -> X0",
        ),
    ],
)
def test_command_line_explains_what_is_wrong(
    tmp_path: Path, options: list[str], status: int, message: str
) -> None:
    table = tmp_path / "table.csv"
    DATA.to_pandas().to_csv(table, index=False)
    ended = CliRunner().invoke(application, ["learn", str(table), *options])
    assert ended.exit_code == status
    assert message in ended.stderr
    assert "Traceback" not in ended.stderr
