"""Row weights: the table is what it would be with every row repeated."""

from __future__ import annotations

import tracemalloc
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

import anytimebn as ab
from anytimebn.cli.application import application
from anytimebn.data import selection
from anytimebn.data.selection import bytes_of_repeated_rows

if TYPE_CHECKING:
    from pathlib import Path

RANDOM = np.random.default_rng(5)
ROWS = 60
FRAME = pd.DataFrame(
    {
        "a": RANDOM.integers(0, 2, ROWS),
        "b": RANDOM.choice(["x", "y", "z"], ROWS),
        "x": RANDOM.normal(size=ROWS).round(2),
        "n": RANDOM.integers(0, 6, ROWS),
    }
)
FRAME["c"] = FRAME["a"] ^ (RANDOM.random(ROWS) < 0.2)
REPEATED = FRAME.loc[FRAME.index.repeat(FRAME["n"])].drop(columns="n")


def assert_same(one: ab.Dataset, other: ab.Dataset) -> None:
    assert (one.names, one.states, one.bins) == (other.names, other.states, other.bins)
    assert one.codes.tolist() == other.codes.tolist()
    assert one.rows_dropped == other.rows_dropped


@pytest.mark.parametrize("method", ["quantile", "width", "mdl"])
def test_weights_are_repeated_rows_in_all_that_is_read(method: Any) -> None:
    weighted = ab.to_dataset(FRAME, weights="n", bins=3, bin_method=method)
    assert_same(weighted, ab.to_dataset(REPEATED, bins=3, bin_method=method))


@pytest.mark.parametrize("missing", ["drop", "category", "em"])
def test_weights_count_missing_values_as_often(missing: Any) -> None:
    holes = FRAME.assign(b=FRAME["b"].where(RANDOM.random(ROWS) < 0.8))
    repeated = holes.loc[holes.index.repeat(holes["n"])].drop(columns="n")
    weighted = ab.to_dataset(holes, weights="n", bins=3, missing=missing)
    expected = ab.to_dataset(repeated, bins=3, missing=missing)
    assert_same(weighted, expected)
    if missing == "em":
        assert weighted.holes is not None
        assert expected.holes is not None
        assert weighted.holes.tolist() == expected.holes.tolist()


@pytest.mark.parametrize("columns", [2, 6, 20])
def test_the_memory_that_is_told_is_what_repeating_rows_takes(columns: int) -> None:
    rows = 400_000
    frame = pd.DataFrame({f"c{number}": [0, 1, 0, 1] for number in range(columns)})
    frame["n"] = rows // 4
    ab.to_dataset(frame, weights="n")  # so that whatever is loaded first is there
    tracemalloc.start()
    try:
        ab.to_dataset(frame, weights="n")
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert bytes_of_repeated_rows(rows, columns) == pytest.approx(peak, rel=0.05)


def test_weights_that_need_more_memory_than_there_is_are_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    weights = int(FRAME["n"].sum())
    monkeypatch.setattr(selection, "memory_to_use", lambda _: 20 * weights)
    with pytest.raises(ab.InputError, match=f"weights sum up to {weights} rows of 4 columns"):
        ab.to_dataset(FRAME, weights="n", bins=3)


@settings(max_examples=20)
@given(st.lists(st.integers(0, 5), min_size=ROWS, max_size=ROWS).filter(sum))
def test_weights_give_the_scores_of_repeated_rows(weights: list[int]) -> None:
    frame = FRAME[["a", "b", "c"]]
    repeated = frame.loc[frame.index.repeat(weights)]
    for score in ("mdl", "bdeu", "fnml"):
        one = ab.score(frame.assign(n=weights), score, weights="n")
        other = ab.score(repeated, score)
        assert one.costs.tolist() == other.costs.tolist()
        assert one.members.tolist() == other.members.tolist()
        assert one.provenance.rows == sum(weights)


def test_weights_give_the_result_of_repeated_rows(tmp_path: Path) -> None:
    path = tmp_path / "counts.csv"
    FRAME.to_csv(path, index=False)
    checkpoint = tmp_path / "run.checkpoint"
    options: dict[str, Any] = {"bins": 3, "space": "complete"}
    result = ab.learn(path, weights="n", checkpoint=checkpoint, **options)
    expected = ab.learn(REPEATED, **options)
    assert (result.cost, result.network) == (expected.cost, expected.network)
    assert result.table_options.weights == "n"
    assert result.to_json()["rows"] == len(REPEATED)
    # Verify and resume read the table in the same way.
    checked = ab.verify(result, data=path)
    assert (checked.ok, checked.proven) == (True, True)
    plain = FRAME.drop(columns="x")
    counted = ab.learn(plain, weights="n")
    assert ab.verify(counted, data=plain).ok
    assert not ab.verify(counted, data=plain.assign(n=1)).ok
    assert ab.resume(checkpoint).cost == result.cost
    searched = ab.learn(path, weights="n", algorithm="hill-climbing", bins=3)
    assert searched.cost == ab.learn(REPEATED, algorithm="hill-climbing", bins=3).cost
    found = ab.bootstrap(path, weights="n", replicates=3, seed=1, bins=3)
    same = ab.bootstrap(REPEATED, replicates=3, seed=1, bins=3)
    assert found.edges == same.edges


def test_the_command_line_takes_weights(tmp_path: Path) -> None:
    path, json = tmp_path / "counts.csv", tmp_path / "result.json"
    FRAME.drop(columns="x").to_csv(path, index=False, sep=";")
    learn = ["learn", str(path), "--weights", "n", "--json", str(json), "--categorical", "a"]
    ended = CliRunner().invoke(application, learn)
    assert ended.exit_code == 0, ended.stderr
    told = ab.Result.load(json).table_options.to_json()
    assert told == {"weights": "n", "categorical": ["a"]}
    ended = CliRunner().invoke(application, ["verify", str(json), "--data", str(path)])
    assert ended.exit_code == 0, ended.stdout


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([0.5] * ROWS, r"'n' has the value 0.5; weights say how often .* round them"),
        ([-1] * ROWS, r"'n' has the value -1; weights go from 0"),
        (["often"] * ROWS, r"'n' has values that are not numbers"),
        ([None, *[1] * (ROWS - 1)], r"'n' has 1 missing values; every row needs a weight"),
        ([0] * ROWS, r"'n' is 0 in every row"),
        ([2**31 - 1] * ROWS, r"weights sum up to 128,849,018,820 rows of 3 columns"),
        ([float("inf")] * ROWS, r"'n' has the value inf; weights go from 0"),
    ],
)
def test_weights_that_cannot_be_used_are_refused(weights: list[Any], message: str) -> None:
    with pytest.raises(ab.InputError, match=message):
        ab.to_dataset(FRAME[["a", "b", "c"]].assign(n=weights), weights="n")


def test_weights_must_be_a_column() -> None:
    with pytest.raises(ab.InputError, match=r"weights: unknown column 'N' \(did you mean 'n'\?\)"):
        ab.to_dataset(FRAME, weights="N", bins=3)
    with pytest.raises(ab.InputError, match=r"weights must be the name of a column, not \['n'\]"):
        ab.to_dataset(FRAME, weights=["n"])  # type: ignore[arg-type]
