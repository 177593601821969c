"""Missing values completed by expectation maximisation, and what is proven then."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

import anytimebn as ab
from anytimebn.base.clock import Deadline
from anytimebn.checker.formulas import local_cost
from anytimebn.cli.application import application
from anytimebn.data.completion import Completion
from anytimebn.learning.completion import completed
from anytimebn.network.random import generate
from anytimebn.result.words import status_line
from anytimebn.scores.scoring import ScoringOptions
from anytimebn.solver.settings import SearchSettings

if TYPE_CHECKING:
    from pathlib import Path

NETWORK, DATA = generate(6, 2, 1500, arity=(2, 3), seed=7)
WHOLE = DATA.to_pandas().astype(str)
FRAME = WHOLE.mask(np.random.default_rng(7).random(WHOLE.shape) < 0.15)
LACKS = int(FRAME.isna().sum().sum())


def pairs(network: ab.Network) -> set[frozenset[str]]:
    return set(map(frozenset, network.arcs))


@pytest.mark.filterwarnings("ignore:.* rows, .* are dropped:anytimebn.DataWarning")
def test_completed_tables_tell_more_than_complete_rows() -> None:
    data = ab.to_dataset(WHOLE)
    best = ab.learn(WHOLE).cost

    def cost(network: ab.Network) -> float:
        return sum(local_cost(data, child, own) for child, own in enumerate(network.parents))

    lost = {"em": 0.0, "drop": 0.0, "category": 0.0}
    for seed in range(3):
        lacking = WHOLE.mask(np.random.default_rng(seed).random(WHOLE.shape) < 0.25)
        for missing in lost:
            found = ab.learn(lacking, missing=missing)  # type: ignore[arg-type]
            lost[missing] += cost(found.network) - best
    assert lost["em"] < lost["drop"] / 2
    assert lost["em"] < lost["category"] / 2
    # Probabilities are near those of the table before it lost anything.
    result = ab.learn(FRAME, missing="em")
    for own, other in zip(
        result.network.fit(WHOLE).probabilities or (),
        result.network.probabilities or (),
        strict=True,
    ):
        assert np.abs(own - other).mean() < 0.05


def test_what_is_proven_is_about_the_completed_table(tmp_path: Path) -> None:
    result = ab.learn(FRAME, missing="em")
    assert result.claim == "optimal"
    assert "no network for the completed table costs less" in status_line(result)
    checked = ab.verify(result, data=FRAME)
    assert (checked.ok, checked.proven) == (True, True)
    assert "no network for the completed table costs less is proven again" in checked.verdict
    result.save(tmp_path / "result.json")
    back = ab.Result.load(tmp_path / "result.json")
    assert ab.verify(back, data=FRAME).proven
    # It is the optimum of that table, found by reading it as one that never lacked anything.
    told = Completion.from_json(back.details["completion"])
    assert told is not None
    table = told.applied_to(ab.to_dataset(FRAME, missing="em"))
    assert ab.learn(table.to_pandas().astype(str)).cost == pytest.approx(result.cost)


def test_a_forged_completion_is_found_out() -> None:
    content = ab.learn(FRAME, missing="em").to_json()
    told = Completion.from_json(content["completion"])
    assert told is not None
    data = told.applied_to(ab.to_dataset(FRAME, missing="em"))
    codes = data.completion
    assert codes is not None
    other = Completion.of(data.with_completion(np.zeros_like(codes)))
    assert other is not None
    assert not ab.verify({**content, "completion": other.to_json()}, data=FRAME).ok
    wrong: list[tuple[Any, str]] = [
        ({"values": LACKS, "codes": "?"}, "completed cannot be read"),
        ({"values": LACKS, "codes": other.codes[:-8]}, "completed cannot be read"),
        ({"values": LACKS - 1, "codes": other.codes}, "is not the table that the network"),
        (None, "does not tell how missing values were completed"),
    ]
    for spoiled, message in wrong:
        with pytest.raises(ab.InputError, match=message):
            ab.verify({**content, "completion": spoiled}, data=FRAME)
    with pytest.raises(ab.InputError, match="not the table that the network was learned from"):
        ab.verify(content, data=FRAME.iloc[30:])


def test_completion_depends_on_the_seed_and_nothing_else() -> None:
    one, same, other = (ab.learn(FRAME, missing="em", seed=seed) for seed in (1, 1, 2))
    assert one.details["completion"] == same.details["completion"]
    assert (one.cost, one.network) == (same.cost, same.network)
    assert one.details["completion"] != other.details["completion"]


def test_a_table_that_lacks_nothing_is_as_it_is() -> None:
    result, plain = ab.learn(WHOLE, missing="em"), ab.learn(WHOLE)
    assert (result.cost, result.network) == (plain.cost, plain.network)
    assert "completion" not in result.details


def test_rows_without_any_value_tell_nothing() -> None:
    frame = FRAME.copy()
    frame.iloc[:3] = None
    data = ab.to_dataset(frame, missing="em")
    assert (data.rows, data.rows_dropped) == (len(FRAME) - 3, 3)
    with pytest.raises(ab.InputError, match=r"column 'empty' has no value at all; leave it out"):
        ab.to_dataset(FRAME.assign(empty=None), missing="em")


def test_a_checkpoint_keeps_the_completion(tmp_path: Path) -> None:
    path, checkpoint = tmp_path / "holes.csv", tmp_path / "run.checkpoint"
    FRAME.to_csv(path, index=False)
    # No time is left for anything but a first completion and a first network.
    ended = ab.learn(path, missing="em", time_limit=0, checkpoint=checkpoint)
    again = ab.resume(checkpoint, time_limit=float("inf"))
    assert again.details["completion"] == ended.details["completion"]
    assert again.claim == "optimal"
    assert ab.verify(again, data=path).proven
    # A run that has come to its end gives its result at once.
    assert ab.resume(checkpoint).network == again.network


def test_time_that_has_passed_ends_the_rounds() -> None:
    data = ab.to_dataset(FRAME, missing="em")
    found = completed(data, ScoringOptions(), ab.Knowledge(), SearchSettings(), Deadline.after(0.0))
    assert found.completed
    assert found.completion is not None
    assert len(found.completion) == LACKS


def test_constraints_hold_while_values_are_completed() -> None:
    names = list(FRAME.columns)
    result = ab.learn(FRAME, missing="em", require=[(names[3], names[0])], max_parents=2)
    assert (names[3], names[0]) in result.network.arcs


def test_replicates_are_completed_one_by_one() -> None:
    found = ab.bootstrap(FRAME, missing="em", replicates=4, seed=3, jobs=1)
    same = ab.bootstrap(FRAME, missing="em", replicates=4, seed=3, jobs=2)
    assert len(found.replicates) == 4
    assert found.edges == same.edges
    assert {replicate.status for replicate in found.replicates} <= {"optimal", "gap"}


def test_a_stream_completes_first() -> None:
    stream = ab.stream(FRAME, missing="em")
    events = list(stream)
    assert events[-1].cost == pytest.approx(ab.learn(FRAME, missing="em").cost)


def test_what_needs_no_network_refuses_to_complete() -> None:
    with pytest.raises(ab.InputError, match=r'missing="em" completes values when a network is'):
        ab.score(FRAME, missing="em")
    data = ab.to_dataset(FRAME, missing="em")
    with pytest.raises(ab.InputError, match="completes values when a network is learned"):
        ab.Network.from_parents({name: [] for name in FRAME}).fit(data)


def test_the_command_line_completes_and_verifies(tmp_path: Path) -> None:
    path, result = tmp_path / "holes.csv", tmp_path / "result.json"
    FRAME.to_csv(path, index=False)
    learn = ["learn", str(path), "--missing", "em", "--json", str(result)]
    ended = CliRunner().invoke(application, learn)
    assert ended.exit_code == 0, ended.stderr
    assert f"{LACKS:,} missing values completed" in ended.stdout
    assert json.loads(result.read_text())["completion"]["values"] == LACKS
    ended = CliRunner().invoke(application, ["verify", str(result), "--data", str(path)])
    assert ended.exit_code == 0, ended.stdout


def test_many_completed_columns_are_proven_by_scores_of_the_same_table(tmp_path: Path) -> None:
    whole = generate(16, 2, 300, seed=5)[1].to_pandas().astype(str)
    frame = whole.mask(np.random.default_rng(5).random(whole.shape) < 0.03)
    table, result, scores = (tmp_path / name for name in ("t.csv", "r.json", "s.jkl"))
    frame.to_csv(table, index=False)

    def run(*arguments: object) -> tuple[int, str]:
        ended = CliRunner().invoke(application, [str(argument) for argument in arguments])
        return ended.exit_code, ended.output

    assert run("learn", table, "--missing", "em", "--json", result)[0] == 0
    status, told = run("verify", result, "--data", table)
    assert status == 6
    assert "anytimebn score DATA --completed-by RESULT.json -o FILE.jkl" in told
    # The advice can be taken.
    assert run("score", table, "--completed-by", result, "-o", scores)[0] == 0
    status, told = run("verify", result, "--data", table, "--scores", scores)
    assert status == 0
    assert "for the completed table costs less is proven again" in told
    status, told = run("score", table, "--completed-by", result, "--bins", 3, "-o", scores)
    assert (status, "leave --bins, --missing" in told) == (2, True)


def test_numbers_are_cut_before_they_are_completed() -> None:
    random = np.random.default_rng(1)
    x = random.normal(size=400)
    frame = pd.DataFrame({"x": x, "y": x + random.normal(size=400), "z": random.random(400)})
    frame = frame.mask(random.random(frame.shape) < 0.1)
    result = ab.learn(frame, bins=3, missing="em")
    assert pairs(result.network) == {frozenset("xy")}
    assert ab.verify(result, data=frame).proven
