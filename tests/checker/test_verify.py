"""`verify` as people call it: what it takes, what it proves again, and how it says so."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from itertools import chain, combinations
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import pytest
from brute_force import lowest_cost
from hypothesis import given, settings
from small_problems import huge, optimum_of, problems

import anytimebn as ab
from anytimebn.checker import orders, whole_space
from anytimebn.checker.claim import Claim
from anytimebn.checker.formulas import local_cost
from anytimebn.checker.orders import least_cost
from anytimebn.checker.whole_space import costs_of_space
from anytimebn.network.random import generate

if TYPE_CHECKING:
    from pathlib import Path

    from anytimebn.checker.families import Problem

TABLE = generate(5, 2, 200, arity=(2, 3), seed=3)[1]
FRAME = pd.DataFrame(
    {
        name: [states[code] for code in codes]
        for name, states, codes in zip(TABLE.names, TABLE.states, TABLE.codes, strict=True)
    }
)


@settings(max_examples=60, deadline=None)
@given(problem=problems() | problems(huge))
def test_the_search_of_all_orders_finds_the_optimum(problem: Problem) -> None:
    assert least_cost(problem) == optimum_of(problem)


@pytest.mark.parametrize("score", ["mdl", "bdeu", "aic"])
@pytest.mark.parametrize(
    "limits", [{}, {"max_parents": 1}, {"max_parents": 2, "parent_limits": {"X2": 0}}]
)
def test_optimality_in_few_variables_is_proven_from_the_table_alone(
    score: str, limits: dict[str, Any]
) -> None:
    for seed in range(3):
        data = generate(4, 2, 60, arity=(2, 3), seed=seed)[1]
        data = ab.Dataset(("X1", "X2", "X3", "X4"), data.states, data.codes)
        result = ab.learn(data, score=score, forbid=["X1->X3"], **limits)
        found = ab.verify(result, data=data)
        assert found.proven, str(found)
        # Another network, of which the same is claimed, is told apart by the best one's cost.
        knowledge = ab.Knowledge(
            forbidden=frozenset({("X1", "X3")}), max_parents=limits.get("parent_limits", {})
        )
        least = lowest_cost(data, knowledge, limits.get("max_parents", 3), score)
        assert result.cost == pytest.approx(least, abs=4e-6)
        parents: dict[str, list[str]] = {name: [] for name in data.names}
        cost = ab.score(data, score, max_parents=0).costs.sum()
        forged = result.to_json() | {
            "parents": parents,
            "cost": cost,
            "score": -cost,
            "lower_bound": cost,
            "events": [],
        }
        worse = cost > least + 1e-4
        assert ab.verify(forged, data=data).ok != worse


@pytest.mark.parametrize("score", ["mdl", "aic", "bdeu", "fnml", "qnml"])
@pytest.mark.parametrize("require", [[], ["X0->X1"]])
def test_families_that_are_not_counted_again_cost_more_than_some_that_are(
    score: str, require: list[str]
) -> None:
    left_out = 0
    for seed in range(3):
        data = generate(6, 2, 40, arity=(2, 3), seed=seed)[1]
        data = ab.Dataset(tuple(f"X{n}" for n in range(6)), data.states, data.codes)
        result = ab.learn(data, score=score, require=require)
        found = costs_of_space(Claim.of(result.to_json()), data)
        assert found is not None
        for child, costs in enumerate(found):
            others = [other for other in range(6) if other != child]
            for members in chain.from_iterable(combinations(others, size) for size in range(6)):
                parents = frozenset(members)
                if parents in costs or (require and child == 1 and 0 not in parents):
                    continue
                if require and child == 0 and 1 in parents:  # against the required arc
                    continue
                left_out += 1
                cost = local_cost(data, child, members, score)
                assert any(own <= cost and less < parents for less, own in costs.items())
        assert ab.verify(result, data=data).proven
    assert (left_out > 0) == (score in ("mdl", "aic"))


def test_sizes_that_are_said_to_be_ruled_out_are_counted_all_the_same() -> None:
    result = ab.learn(TABLE, score="aic", max_parents=1)
    assert result.claim == "optimal up to 1 parent"
    lie = result.to_json() | {"max_parents_exact": True, "claim": "optimal"}
    lie["space"] = {**lie["space"], "complete": True}
    failures = ab.verify(lie, data=TABLE).failures
    assert [check.name for check in failures] == ["search of all orders"]


def test_many_families_or_orders_are_left_to_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    result, scores = ab.learn(TABLE), ab.score(TABLE)
    assert ab.verify(result, data=TABLE).proven
    assert ab.verify(result, scores=scores).proven
    monkeypatch.setattr(whole_space, "MOST_FAMILIES", 5 * 5)  # those of one parent at most
    found = ab.verify(result, data=TABLE)
    assert (found.ok, found.proven, found.claim) == (True, False, "optimal")
    assert found.verdict.endswith("is claimed, not proven again")
    monkeypatch.setattr(orders, "LARGEST_GROUP", 1)
    found = ab.verify(result, scores=scores)
    assert (found.ok, found.proven) == (True, False)
    assert "not repeated: more than" in found.checks[-1].detail


def test_every_form_of_result_table_and_scores_is_taken(tmp_path: Path) -> None:
    result = ab.learn(FRAME, exclude=[FRAME.columns[0]])
    result.save(tmp_path / "r.json")
    FRAME.to_csv(tmp_path / "table.csv", index=False)
    ab.score(FRAME, exclude=[FRAME.columns[0]]).save(tmp_path / "s.jkl")
    scores = ab.LocalScores.load(tmp_path / "s.jkl")
    for claimed in (result, result.to_json(), str(tmp_path / "r.json"), tmp_path / "r.json"):
        for grounds in (
            {"data": FRAME},
            {"data": tmp_path / "table.csv"},
            {"scores": tmp_path / "s.jkl"},
            {"data": str(tmp_path / "table.csv"), "scores": scores},
        ):
            found = ab.verify(claimed, **grounds)
            assert found.proven, str(found)


def test_options_win_over_what_the_result_tells() -> None:
    data = pd.DataFrame({"x": [0.5 * i for i in range(60)], "y": [i % 3 for i in range(60)]})
    result = ab.learn(data, bins=3)
    assert ab.verify(result, data=data).proven
    with (
        pytest.warns(ab.DataWarning, match="read with bins=4"),
        pytest.raises(ab.InputError, match="column 'x' is cut at"),
    ):
        ab.verify(result, data=data, bins=4)


@pytest.mark.parametrize(
    ("result", "options", "message"),
    [
        (5, {}, "a Result, or the path of RESULT.json, is needed, not 5"),
        ("", {}, "the path of a file is needed"),
        ("no such file", {}, "no such file: cannot be read"),
        ({}, {"bins": 3}, "bins: how to read a table matters only with data"),
        ({}, {"data": FRAME, "bin": 3}, "unknown option 'bin'"),
    ],
)
def test_what_is_no_result_is_refused(result: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(ab.InputError, match=message):
        ab.verify(result, **options)


def test_scores_of_the_wrong_type_are_refused() -> None:
    with pytest.raises(ab.InputError, match="the path of a file is needed"):
        ab.verify(ab.learn(TABLE), scores=np.zeros(3))


def test_the_report_is_readable() -> None:
    found = ab.verify(ab.learn(TABLE))
    assert isinstance(found, ab.Verification)
    lines = str(found).splitlines()
    assert len(lines) == len(found.checks) + 1
    assert lines[0] == "✓ schema: complete"
    assert lines[-1] == found.verdict
    assert repr(found).startswith(f"Verification({len(found.checks)} of {len(found.checks)} checks")
    wrong = ab.verify({**ab.learn(TABLE).to_json(), "score": 1.0})
    assert (wrong.ok, wrong.proven, wrong.verdict) == (False, False, "not verified: score")
    assert "✗ score" in str(wrong)


def test_costs_of_the_whole_space_are_those_of_scoring() -> None:
    scores = ab.score(TABLE, "bdeu", max_parents=2)  # of which none can be left out uncounted
    claim = Claim.of(ab.learn(TABLE, score="bdeu", max_parents=2).to_json())
    costs = costs_of_space(claim, TABLE)
    assert costs is not None
    for child, name in enumerate(TABLE.names):
        assert len(costs[child]) == 1 + 4 + 6
        for cost, parents in scores.parent_sets(name):
            own = frozenset(TABLE.names.index(parent) for parent in parents)
            assert costs[child][own] == pytest.approx(cost, abs=1e-8)


def tampered(result: ab.Result, how: str) -> dict[str, Any]:
    """Change one thing that a result says of its table."""
    content = json.loads(json.dumps(result.to_json()))
    child = next(name for name, parents in content["parents"].items() if parents)
    table, own = content["probabilities"], content["states"]
    if how == "rows":
        content["rows"] += 1
    elif how == "rows dropped":
        content["rows_dropped"] = 3
    elif how == "states renamed":
        own[child][0] = "else"
    elif how == "one state more":
        own[child].append("more")
    elif how == "probabilities of two values":
        first = table[child][0]
        while isinstance(first[0], list):
            first = first[0]
        first[0], first[1] = first[0] / 2, first[1] + first[0] / 2
    elif how == "parents exchanged":
        table[child] = table[child][::-1]
    return content


@pytest.mark.parametrize(
    ("how", "check"),
    [
        ("rows", "rows"),
        ("rows dropped", "rows"),
        ("states renamed", "states"),
        ("one state more", "states"),
        ("probabilities of two values", "probabilities"),
        ("parents exchanged", "probabilities"),
    ],
)
def test_what_a_result_says_of_its_table_is_counted_again(how: str, check: str) -> None:
    result = ab.learn(FRAME)
    assert ab.verify(tampered(result, "nothing"), data=FRAME).proven
    found = ab.verify(tampered(result, how), data=FRAME)
    assert [failure.name for failure in found.failures] == [check]
    assert not found.proven


@pytest.mark.parametrize(
    ("key", "value", "check"),
    [
        ("rows", -1, "rows"),
        ("rows", "many", "rows"),
        ("rows_dropped", 0.5, "rows"),
        ("states", {}, "states"),
        ("states", None, "states"),
        ("states", {"a": ["0", "0"], "b": ["0", "1"]}, "states"),
        ("states", {"a": [], "b": ["0", "1"]}, "states"),
        ("states", {"a": "01", "b": ["0", "1"]}, "states"),
        ("probabilities", [], "probabilities"),
        ("probabilities", {"a": [0.5, 0.5]}, "probabilities"),
        ("probabilities", {"a": [0.5, 0.4], "b": [0.5, 0.5]}, "probabilities"),
        ("probabilities", {"a": [1.5, -0.5], "b": [0.5, 0.5]}, "probabilities"),
        ("probabilities", {"a": [True, False], "b": [0.5, 0.5]}, "probabilities"),
        ("probabilities", {"a": ["0.5", "0.5"], "b": [0.5, 0.5]}, "probabilities"),
        ("probabilities", {"a": [[0.5, 0.5]], "b": [0.5, 0.5]}, "probabilities"),
        ("probabilities", {"a": [0.5, 0.5, 0.0], "b": [0.5, 0.5]}, "probabilities"),
        ("probabilities", {"a": [math.nan, 0.5], "b": [0.5, 0.5]}, "probabilities"),
        ("probabilities", {"a": 1, "b": [0.5, 0.5]}, "probabilities"),
    ],
)
def test_tables_that_cannot_be_are_refused_without_data(key: str, value: Any, check: str) -> None:
    table = np.array([[0, 0], [0, 1], [1, 0], [1, 1]] * 5)
    result = ab.learn(ab.to_dataset(table, names=["a", "b"])).to_json()
    assert result["parents"] == {"a": [], "b": []}
    assert ab.verify(result).ok
    found = ab.verify(result | {key: value})
    assert [failure.name for failure in found.failures] == [check], str(found)


def test_states_may_come_in_another_order() -> None:
    result = ab.learn(FRAME)
    states = {name: list(own)[::-1] for name, own in result.to_json()["states"].items()}
    network = ab.Network.from_parents(result.to_json()["parents"], states=states).fit(FRAME)
    assert ab.verify(replace(result, network=network), data=FRAME).proven


def test_results_of_scores_and_completed_tables_are_verified_as_well() -> None:
    scores = ab.score(TABLE)
    assert ab.verify(ab.learn(scores), scores=scores).proven
    holes = FRAME.copy()
    holes.iloc[::7, 1] = None
    result = ab.learn(holes, missing="em")
    assert ab.verify(result, data=holes).ok
