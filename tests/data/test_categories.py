"""Declared categories are obeyed: their order, those that no row shows, and however many."""

from __future__ import annotations

import datetime as dt
import sqlite3
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import anytimebn as ab

if TYPE_CHECKING:
    from pathlib import Path

SIZES = ["small", "medium", "large", "huge"]
SHOWN = ["large", "small", "large", "medium", "small", "small"]
OTHER = [1, 0, 1, 1, 0, 0]
FRAMES: dict[str, Any] = {
    "pandas": pd.DataFrame({"size": pd.Categorical(SHOWN, SIZES), "other": OTHER}),
    "pandas, ordered": pd.DataFrame(
        {"size": pd.Categorical(SHOWN, SIZES, ordered=True), "other": OTHER}
    ),
    "polars": pl.DataFrame({"size": pl.Series(SHOWN, dtype=pl.Enum(SIZES)), "other": OTHER}),
    "pyarrow": pa.table(
        {
            "size": pa.DictionaryArray.from_arrays([SIZES.index(size) for size in SHOWN], SIZES),
            "other": OTHER,
        }
    ),
}


@pytest.mark.parametrize("kind", FRAMES)
def test_declared_categories_keep_their_order_and_those_that_no_row_shows(kind: str) -> None:
    data = ab.to_dataset(FRAMES[kind])
    assert data.states == (tuple(SIZES), ("0", "1"))
    assert data.codes[0].tolist() == [SIZES.index(size) for size in SHOWN]
    assert ab.learn(FRAMES[kind]).network.states == data.states


@pytest.mark.parametrize("suffix", [".parquet", ".feather", ".arrow"])
def test_declared_categories_come_through_files(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"sizes{suffix}"
    frame = FRAMES["pandas, ordered"]
    (frame.to_parquet if suffix == ".parquet" else frame.to_feather)(path)
    assert ab.to_dataset(path).states[0] == tuple(SIZES)


def test_a_written_dataset_keeps_its_states(tmp_path: Path) -> None:
    from anytimebn.data.files.tables import write_table

    data = ab.to_dataset(FRAMES["polars"])
    write_table(data, tmp_path / "sizes.parquet")
    assert ab.to_dataset(tmp_path / "sizes.parquet").states == data.states
    assert ab.to_dataset(data.to_arrow()).states == data.states


def test_a_polars_categorical_has_the_values_that_occur() -> None:
    # Its list of categories is shared with other columns, so it declares nothing.
    frame = pl.DataFrame({"a": ["y", "x"], "b": ["v", "u"]}, schema_overrides={"a": pl.Categorical})
    frame = frame.with_columns(pl.col("b").cast(pl.Categorical))
    assert ab.to_dataset(frame).states == (("x", "y"), ("u", "v"))


def test_categories_of_dropped_rows_stay() -> None:
    frame = FRAMES["pandas"].assign(other=[1, None, 1, 1, None, None])
    assert ab.to_dataset(frame, missing="drop").states == (tuple(SIZES), ("1",))


def test_intervals_of_pandas_are_categories() -> None:
    frame = pd.DataFrame({"age": pd.cut([1, 2, 9, 9], [0, 3, 6, 10]), "b": [1, 0, 1, 0]})
    data = ab.to_dataset(frame)
    assert data.states[0] == ("(0, 3]", "(3, 6]", "(6, 10]")
    assert data.codes[0].tolist() == [0, 0, 2, 2]


MANY = [code % 50 for code in range(200)]
HALF = [code % 2 for code in range(200)]


@pytest.mark.parametrize(
    "codes",
    [
        pd.Categorical(MANY),
        pd.Categorical(MANY, ordered=True),
        [f"{code:03}" for code in MANY],
        pd.Series([str(code) for code in MANY], dtype="string"),
    ],
    ids=["categories", "ordered categories", "text", "text of pandas"],
)
@pytest.mark.filterwarnings("ignore:.* cuts no column:anytimebn.DataWarning")
def test_many_codes_are_neither_refused_nor_cut(codes: Any) -> None:
    frame = pd.DataFrame({"code": codes, "other": HALF})
    for options in ({}, {"bins": 3}):
        data = ab.to_dataset(frame, **options)
        assert (data.arities, data.bins) == ((50, 2), {})
    assert data.states[0] == tuple(sorted(data.states[0], key=int))


def test_text_that_looks_like_numbers_is_cut_where_it_is_named() -> None:
    frame = pd.DataFrame({"code": [str(code) for code in MANY], "other": HALF})
    assert ab.to_dataset(frame, bins={"code": 2}).arities == (2, 2)
    declared = frame.astype({"code": "category"})
    with pytest.raises(ab.InputError, match="'code' cannot be cut into bins: it is categorical"):
        ab.to_dataset(declared, bins={"code": 2})


@pytest.mark.parametrize("categorical", [["code"], ("code",), {"code"}, "all"])
@pytest.mark.filterwarnings("ignore:.* cuts no column:anytimebn.DataWarning")
def test_numbers_that_are_said_to_be_codes_are_values(categorical: Any, tmp_path: Path) -> None:
    frame = pd.DataFrame({"code": MANY, "other": HALF})
    frame.to_csv(tmp_path / "codes.csv", index=False)
    for table in (frame, tmp_path / "codes.csv"):
        with pytest.raises(ab.InputError, match=r"'code' \(50 distinct .*--categorical NAME"):
            ab.to_dataset(table)
        data = ab.to_dataset(table, categorical=categorical, bins=3)
        assert data.states[0] == tuple(map(str, range(50)))


def test_codes_can_stand_beside_numbers_that_are_cut() -> None:
    frame = pd.DataFrame({"code": MANY, "size": np.linspace(0, 1, 200)})
    assert ab.to_dataset(frame, categorical=["code"], bins=4).arities == (50, 4)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"categorical": ["cod"]}, r"categorical: unknown column 'cod' \(did you mean 'code'\?\)"),
        ({"categorical": "code"}, "categorical must be a list of names of columns, not 'code'"),
        ({"categorical": ["code"], "bins": {"code": 3}}, "'code' cannot be cut into bins: it is"),
    ],
)
def test_what_cannot_be_categorical_is_told(options: Any, message: str) -> None:
    with pytest.raises(ab.InputError, match=message):
        ab.to_dataset(pd.DataFrame({"code": MANY, "other": HALF}), **options)


def test_truth_values_and_dates_are_values() -> None:
    days = [dt.date(2024, 1, 1) + dt.timedelta(days=day) for day in MANY]
    frame = pd.DataFrame({"flag": [bool(half) for half in HALF], "day": pd.to_datetime(days)})
    frame["text"] = frame["day"].dt.strftime("%d.%m.%Y")
    data = ab.to_dataset(frame)
    assert data.states[0] == ("False", "True")
    assert data.states[1][0] == "2024-01-01"
    assert data.arities == (2, 50, 50)
    assert ab.to_dataset(pl.from_pandas(frame)).arities == data.arities


def test_the_answer_of_a_query_is_a_table() -> None:
    connection = sqlite3.connect(":memory:")
    pd.DataFrame({"rain": ["yes", "no", None], "wet": [1, 0, 1]}).to_sql("days", connection)
    found = pd.read_sql_query("select rain, wet, wet > 0 as is_wet from days", connection)
    connection.close()
    data = ab.to_dataset(found, missing="category")
    assert data.states == (("no", "yes", "missing"), ("0", "1"), ("0", "1"))
