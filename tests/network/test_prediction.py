"""Predictions row by row against queries one by one, and what tables look like afterwards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import anytimebn as ab
from anytimebn.base.errors import DataWarning, InputError
from anytimebn.network.network import Network
from anytimebn.network.random import generate_network

if TYPE_CHECKING:
    from pathlib import Path

WEATHER = pd.DataFrame(
    {"rain": ["no", "no", "yes", "yes"] * 5, "wet": ["no", "no", "yes", "no"] * 5}
)
NETWORK = Network.from_parents({"rain": [], "wet": ["rain"]}).fit(WEATHER)


@given(st.integers(2, 9), st.integers(0, 1000), st.sampled_from([0.0, 0.2, 0.6, 1.0]), st.data())
@settings(max_examples=30)
def test_probabilities_of_rows_are_those_of_queries(
    size: int, seed: int, holes: float, data: Any
) -> None:
    network = generate_network(size, 3, arity=(2, 4), seed=seed)
    frame = network.sample(12, seed=seed).to_arrow().to_pandas().astype(object)
    frame = frame.mask(np.random.default_rng(seed).random(frame.shape) < holes)
    target = data.draw(st.sampled_from(network.names))
    found = network.predict_proba(frame, target)
    predicted = network.predict(frame, target)
    states = network.states[network.index_of(target)]
    assert list(found.columns) == list(states)
    for row in range(12):
        cells = frame.iloc[row].drop(target).dropna()
        answer = network.query(target, cells.to_dict())
        np.testing.assert_allclose(found.iloc[row], answer.probabilities, atol=1e-13)
        assert str(predicted.iloc[row]) == states[int(found.iloc[row].to_numpy().argmax())]


def test_many_rows_are_answered_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    network = generate_network(8, 2, arity=3, seed=1)
    codes = network.sample(200, seed=1).codes
    frame = pd.DataFrame(
        {n: [network.states[v][c] for c in codes[v]] for v, n in enumerate(network.names)}
    )
    frame.iloc[::3, 2] = None
    whole = network.predict_proba(frame, network.names[0])
    monkeypatch.setattr("anytimebn.network.prediction.NUMBERS_AT_ONCE", 200)
    np.testing.assert_allclose(network.predict_proba(frame, network.names[0]), whole, atol=1e-14)


def test_predictions_look_like_what_was_given() -> None:
    index = [f"r{row}" for row in range(len(WEATHER))]
    frame = WEATHER.set_axis(index)
    assert list(NETWORK.predict_proba(frame, "wet").index) == index
    predicted = NETWORK.predict(frame, "wet")
    assert predicted.name == "wet"
    assert list(predicted.index) == index
    polars = pl.from_pandas(WEATHER)
    assert isinstance(NETWORK.predict_proba(polars, "wet"), pl.DataFrame)
    assert NETWORK.predict(polars.lazy(), "wet").to_list() == predicted.to_list()
    arrow = pa.Table.from_pandas(WEATHER)
    assert isinstance(NETWORK.predict_proba(arrow, "wet"), pa.Table)
    arrays = (WEATHER.to_numpy(), WEATHER[["rain"]].to_numpy(), ab.to_dataset(WEATHER))
    for table in arrays:
        assert isinstance(NETWORK.predict_proba(table, "wet"), np.ndarray)
        assert NETWORK.predict(table, "wet").tolist() == predicted.to_list()
    with pytest.raises(InputError, match="the array has 3 columns"):
        NETWORK.predict(np.zeros((2, 3)), "wet")


def test_column_of_the_target_is_not_looked_at() -> None:
    strange = WEATHER.assign(wet="soaked")
    pd.testing.assert_frame_equal(
        NETWORK.predict_proba(strange, "wet"), NETWORK.predict_proba(WEATHER[["rain"]], "wet")
    )


def test_columns_that_are_not_there_are_summed_over() -> None:
    found = NETWORK.predict_proba(pd.DataFrame({"wet": ["yes"]}), "rain")
    assert found.loc[0, "yes"] == NETWORK.query("rain", {"wet": "yes"})["yes"]
    with pytest.raises(InputError, match="no column of the network; their columns are 'snow'"):
        NETWORK.predict(pd.DataFrame({"snow": ["yes"]}), "rain")


def test_unknown_values_are_told_and_count_as_missing() -> None:
    frame = pd.DataFrame({"rain": ["yes", "hail", "hail"]})
    with pytest.warns(DataWarning, match=r"'hail' at row 1 .*\(2 such rows\).*counts as missing"):
        found = NETWORK.predict_proba(frame, "wet")
    assert found.loc[1, "yes"] == pytest.approx(NETWORK.query("wet")["yes"])
    with pytest.raises(InputError, match="the value 'hail' at row 1"):
        NETWORK.predict(frame, "wet", unknown="error")
    with pytest.raises(InputError, match="choose one of missing, error"):
        NETWORK.predict(frame, "wet", unknown="ignore")  # type: ignore[arg-type]


def test_numbers_among_words_are_found_in_their_intervals() -> None:
    network = Network(
        ("age", "y"),
        ((), (0,)),
        (("(-inf, 40)", "[40, inf)"), ("0", "1")),
        (np.array([0.5, 0.5]), np.array([[0.9, 0.1], [0.2, 0.8]])),
    )
    assert network.predict(pd.DataFrame({"age": [12, 70.5]}), "y").tolist() == [0, 1]
    words = pd.DataFrame({"age": ["12", "old", "70"]})
    with pytest.warns(DataWarning, match="'old'"):
        assert network.predict(words, "y").tolist() == [0, 0, 1]


def test_row_that_the_network_rules_out_is_named() -> None:
    network = Network(("a", "b"), ((), (0,)), (("0", "1"),) * 2, (np.array([1.0, 0.0]), np.eye(2)))
    with pytest.raises(InputError, match=r"row 1 \(counted from 0\): what it tells has the prob"):
        network.predict(pd.DataFrame({"b": [0, 1]}), "a")


def test_missing_as_a_value_is_evidence() -> None:
    frame = pd.DataFrame({"a": ["x", None, "y"] * 6, "b": ["u", "v", "u"] * 6})
    network = ab.learn(frame, missing="category").network
    assert network.predict(frame, "b").tolist() == frame["b"].tolist()
    assert network.query("b", {"a": None})["v"] > 0.9
    filled = network.impute(frame)
    assert set(filled["a"]) == {"x", "y"}  # never with "missing"


@pytest.mark.parametrize(
    "column",
    [
        pd.Series(["no", "yes", None, "yes"]),
        pd.Series(pd.Categorical(["no", "yes", None, "yes"], categories=["yes", "no"])),
        pd.Series(["no", "yes", None, "yes"], dtype="string"),
    ],
)
def test_impute_keeps_types_of_pandas(column: pd.Series) -> None:
    frame = pd.DataFrame({"other": [1, 2, 3, 4], "wet": column, "rain": ["no", "yes"] * 2})
    frame.index = [7, 8, 9, 10]
    frame["wet"] = column.set_axis(frame.index)
    filled = NETWORK.impute(frame)
    assert list(filled.columns) == ["other", "wet", "rain"]
    assert list(filled.index) == [7, 8, 9, 10]
    assert filled["wet"].dtype == column.dtype
    assert filled["wet"].tolist() == ["no", "yes", "no", "yes"]
    assert frame["wet"].isna().sum() == 1  # the caller's stays as it was


def test_impute_keeps_types_of_other_frames() -> None:
    values = {"rain": ["no", None], "wet": [None, "yes"]}
    kinds = [pl.String, pl.Categorical, pl.Enum(["no", "yes"])]
    for kind in kinds:
        frame = pl.DataFrame(values, schema=dict.fromkeys(values, kind))
        filled = NETWORK.impute(frame)
        assert filled.schema == frame.schema
        assert filled.to_dict(as_series=False) == {"rain": ["no", "yes"], "wet": ["no", "yes"]}
    table = pa.table({name: pa.array(cells).dictionary_encode() for name, cells in values.items()})
    assert NETWORK.impute(table).to_pydict() == {"rain": ["no", "yes"], "wet": ["no", "yes"]}
    array = np.array([["no", None], [None, "yes"]], dtype=object)
    assert NETWORK.impute(array).tolist() == [["no", "no"], ["yes", "yes"]]
    shares = np.array([0.1, 0.9])
    longer = Network(("a", "b"), ((), ()), (("s", "much longer"),) * 2, (shares, shares))
    with pytest.warns(DataWarning, match="'-'"):
        assert longer.impute(np.array([["-", "s"]])).tolist() == [["much longer", "s"]]
    with pytest.raises(InputError, match="a Dataset has no missing cells"):
        NETWORK.impute(ab.to_dataset(WEATHER))


def test_impute_reads_files(tmp_path: Any) -> None:
    path = tmp_path / "weather.csv"
    path.write_text("rain,wet\nno,\n?,yes\n")
    assert NETWORK.impute(path).to_pydict() == {"rain": ["no", "yes"], "wet": ["no", "yes"]}


def written(path: Path, table: str) -> Path:
    """Write a table as some programs do: without a header, semicolons, and not in UTF-8."""
    path.write_bytes(table.encode("cp1252"))
    return path


def test_networks_read_files_as_learning_does(tmp_path: Path) -> None:
    rows = "groß;ja;1\nklein;nein;7\ngroß;ja;2\nklein;nein;9\n"
    table = written(tmp_path / "sizes.csv", rows * 10)
    reading = {"header": False, "encoding": "cp1252", "names": ["size", "dear", "price"]}
    result = ab.learn(table, bins={"price": [5]}, progress=False, **reading)
    network = result.network
    holes = written(tmp_path / "holes.csv", "groß;;1\n;nein;7\ngroß;ja;\n")
    for options in (reading, {"table_options": result.table_options}):
        assert network.predict(table, "size", **options)[:2].tolist() == ["groß", "klein"]
        assert network.predict_proba(table, "dear", **options).shape == (40, 2)
        assert network.impute(holes, **options).to_pydict() == {
            "size": ["groß", "klein", "groß"],
            "dear": ["ja", "nein", "ja"],
            "price": ["1", "7", "1"],
        }
        assert network.fit(table, **options) == network
        dataset = ab.to_dataset(table, table_options=result.table_options)
        assert network.log_likelihood(table, **options) == network.log_likelihood(dataset)
    with pytest.raises(InputError, match=r"predict: unknown option 'sep'.* separator"):
        network.predict(table, "size", sep=";")
    with pytest.raises(InputError, match="2 names were given for 3 columns"):
        network.impute(table, **reading | {"names": ["size", "dear"]})


def test_fit_counts_rows_as_learning_does() -> None:
    frame = pd.DataFrame(
        {"a": ["x", "y", "x", None, "z"], "b": [1, 2, 2, 1, 1], "n": [3, 1, 0, 2, 0]}
    )
    structure = Network.from_parents({"a": [], "b": ["a"]})
    repeated = pd.DataFrame({"a": ["x"] * 3 + ["y"], "b": [1, 1, 1, 2]})
    expected = structure.fit(repeated)
    options = {"weights": "n", "missing": "drop"}
    assert structure.fit(frame, **options) == expected
    # A network with states counts the same rows, and does not mind the others.
    assert expected.fit(frame, **options) == expected
    found = expected.log_likelihood(frame, **options)
    assert found == pytest.approx(expected.log_likelihood(repeated))
    assert len(expected.row_log_likelihoods(frame, **options)) == 4
    kept = frame.dropna().query("a != 'z'")
    assert expected.fit(frame.query("a != 'z'"), missing="drop") == expected.fit(kept)
    with pytest.raises(InputError, match="weights: unknown column 'm'"):
        expected.fit(frame, weights="m")
    with pytest.raises(InputError, match="completes values when a network is learned"):
        expected.fit(frame, missing="em")
    with pytest.raises(InputError, match=r"'z' at row 4 .*which the network does not know"):
        expected.fit(frame, missing="drop")


def test_impute_gives_numbers_of_the_interval() -> None:
    network = Network(
        ("age", "y"),
        ((), (0,)),
        (("(-inf, 40)", "[40, inf)"), ("0", "1")),
        (np.array([0.5, 0.5]), np.array([[0.9, 0.1], [0.2, 0.8]])),
    )
    frame = pd.DataFrame({"age": [10.0, 20, 30, np.nan, np.nan], "y": [0, 0, 0, 0, 1]})
    assert network.impute(frame)["age"].tolist() == [10, 20, 30, 20, 40]
    whole = pl.DataFrame({"age": [10, 21, None], "y": [0, 0, 0]})
    assert network.impute(whole)["age"].to_list() == [10, 21, 16]


def test_drawn_cells_have_their_joint_distribution() -> None:
    states = (("0", "1"),) * 3
    same = np.array([[0.95, 0.05], [0.05, 0.95]])
    network = Network(("a", "b", "c"), ((), (0,), (1,)), states, (np.full(2, 0.5), same, same))
    frame = pd.DataFrame({"a": [np.nan] * 4000, "b": [np.nan] * 4000, "c": [1.0] * 4000})
    filled = network.impute(frame, method="sample", seed=3)
    expected = network.query(["a", "b"], {"c": 1}).probabilities
    counts = np.histogram2d(filled["a"], filled["b"], bins=2)[0] / 4000
    np.testing.assert_allclose(counts, expected, atol=0.03)
    pd.testing.assert_frame_equal(filled, network.impute(frame, method="sample", seed=3))
    assert set(network.impute(frame)["a"]) == {1.0}
    with pytest.raises(InputError, match="choose one of mode, sample"):
        network.impute(frame, method="mean")  # type: ignore[arg-type]
