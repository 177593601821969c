"""Tables in: what every kind of table becomes, and what is refused and how."""

from __future__ import annotations

import datetime as dt
import gzip
import re
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from anytimebn.base.errors import DataWarning, InputError
from anytimebn.data.columns import MISSING_TEXT
from anytimebn.data.dataset import Dataset
from anytimebn.data.encode import MAX_DISTINCT_NUMBERS
from anytimebn.data.files.delimited import _has_decimal_commas
from anytimebn.data.files.tables import TABLE_SUFFIXES, table_suffix, write_table
from anytimebn.data.read import to_dataset
from anytimebn.learning.learn import learn
from anytimebn.scores.scoring import score

COLUMNS: dict[str, list[Any]] = {
    "count": [10, 2, 2, 0],
    "rain": ["yes", "no", "yes", "maybe"],
    "wet": [True, False, True, True],
    "size": [1.5, 2.0, 1.5, -0.5],
    "whole": [1.0, 2.0, 2.0, 1.0],
}
STATES = (
    ("0", "2", "10"),
    ("maybe", "no", "yes"),
    ("False", "True"),
    ("-0.5", "1.5", "2.0"),
    ("1", "2"),
)
CODES = [[2, 1, 1, 0], [2, 1, 2, 0], [1, 0, 1, 1], [1, 2, 1, 0], [0, 1, 1, 0]]


def assert_same(one: Dataset, other: Dataset) -> None:
    assert one.names == other.names
    assert one.states == other.states
    assert one.codes.tolist() == other.codes.tolist()
    assert one.bins == other.bins


def written(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


# --- frames and arrays ---


def object_array() -> np.ndarray:
    return np.array(list(zip(*COLUMNS.values(), strict=True)), dtype=object)


FRAMES = {
    "pandas": lambda: pd.DataFrame(COLUMNS),
    "pandas objects": lambda: pd.DataFrame(COLUMNS, dtype=object),
    "pandas categories": lambda: pd.DataFrame(COLUMNS).astype("category"),
    "pandas, odd index": lambda: pd.DataFrame(COLUMNS, index=[7, 7, 3, 1]),
    "polars": lambda: pl.DataFrame(COLUMNS),
    "polars lazy": lambda: pl.DataFrame(COLUMNS).lazy(),
    "polars categories": lambda: pl.DataFrame(COLUMNS).with_columns(
        pl.col("rain").cast(pl.Categorical)
    ),
    "pyarrow": lambda: pa.table(COLUMNS),
    "pyarrow chunks": lambda: pa.concat_tables(
        [pa.table(COLUMNS).slice(0, 3), pa.table(COLUMNS).slice(3)]
    ),
    "pyarrow dictionaries": lambda: pa.table(pd.DataFrame(COLUMNS).astype("category")),
    "pyarrow string views": lambda: pa.table(
        {**COLUMNS, "rain": pa.array(COLUMNS["rain"], pa.string_view())}
    ),
}


@pytest.mark.parametrize("kind", FRAMES)
def test_every_kind_of_frame_gives_the_same_dataset(kind: str) -> None:
    data = to_dataset(FRAMES[kind]())
    assert data.names == tuple(COLUMNS)
    assert data.states == STATES
    assert data.codes.tolist() == CODES


def test_object_array_gives_the_same_dataset() -> None:
    data = to_dataset(object_array(), names=list(COLUMNS))
    assert (data.names, data.states) == (tuple(COLUMNS), STATES)
    assert data.codes.tolist() == CODES


def test_parquet_gives_the_same_dataset(tmp_path: Path) -> None:
    pq.write_table(pa.table(COLUMNS), tmp_path / "a.parquet")
    pd.DataFrame(COLUMNS, index=[4, 3, 2, 1]).to_parquet(tmp_path / "b.parquet")
    for name in ("a.parquet", "b.parquet"):
        assert_same(to_dataset(tmp_path / name), to_dataset(pa.table(COLUMNS)))


def test_dataset_is_returned_as_it_is() -> None:
    data = to_dataset(pa.table(COLUMNS))
    assert to_dataset(data) is data


def test_codes_are_contiguous_small_and_read_only() -> None:
    data = to_dataset(pa.table(COLUMNS))
    assert data.codes.dtype == np.uint16
    assert data.codes.flags.c_contiguous
    assert not data.codes.flags.writeable
    assert (data.variables, data.rows, data.arities) == (5, 4, (3, 3, 2, 3, 2))


def test_dataset_leaves_the_array_it_is_given_writable() -> None:
    codes = np.zeros((2, 3), dtype=np.uint16)
    Dataset(("A", "B"), (("x",), ("y",)), codes)
    assert codes.flags.writeable


@pytest.mark.parametrize(
    ("array", "states"),
    [
        (np.array([[1, 2], [0, 10]]), (("0", "1"), ("2", "10"))),
        (np.array([[1, 2], [0, 10]], dtype=np.int8), (("0", "1"), ("2", "10"))),
        (np.asfortranarray([[1.0, 0.5], [0.0, 1.0]]), (("0", "1"), ("0.5", "1.0"))),
        (np.array([[0.1, 1], [0.2, 1]], dtype=np.float32), (("0.1", "0.2"), ("1",))),
        (np.array([[0.5, 1], [0.25, 1]], dtype=np.float16), (("0.25", "0.5"), ("1",))),
        (np.array([[0.0, 0.5], [-0.0, 0.5]]), (("0",), ("0.5",))),
        (np.array([[True, False], [True, True]]), (("True",), ("False", "True"))),
        (np.array([["b", "x"], ["a", "x"]]), (("a", "b"), ("x",))),
        (np.array([[1, "b"], ["a", 2.0]], dtype=object), (("1", "a"), ("2", "b"))),
        (np.array([["10", "b"], ["9", "b"]]), (("9", "10"), ("b",))),
        (np.array([[2**63 - 1, 1], [-5, 1]]), (("-5", str(2**63 - 1)), ("1",))),
        (np.array([[1e300, 1], [-2.0, 1]]), (("-2.0", "1e+300"), ("1",))),
    ],
)
def test_array_values_have_plain_names_in_order(
    array: np.ndarray, states: tuple[tuple[str, ...], ...]
) -> None:
    data = to_dataset(array)
    assert data.names == ("X0", "X1")
    assert data.states == states


def test_masked_array_cells_are_missing() -> None:
    array = np.ma.masked_array([[1, 2], [3, 4]], mask=[[True, False], [False, False]])
    assert to_dataset(array, missing="drop").states == (("3",), ("4",))


def test_one_row_and_constant_columns_are_accepted() -> None:
    data = to_dataset(np.array([[1, 2]]))
    assert (data.rows, data.arities) == (1, (1, 1))


def test_values_of_dropped_rows_do_not_count() -> None:
    data = to_dataset(pl.DataFrame({"A": ["a", "b"], "B": [1, None]}), missing="drop")
    assert (data.states, data.rows_dropped) == ((("a",), ("1",)), 1)


def test_dates_are_values() -> None:
    days = [dt.date(2024, 2, 1), dt.date(2023, 12, 31)]
    moments = [dt.datetime(2024, 2, 1), dt.datetime(2023, 12, 31, 5)]
    for frame in (pd.DataFrame, pl.DataFrame, pa.table):
        data = to_dataset(frame({"day": days, "moment": moments}))
        assert data.states == (
            ("2023-12-31", "2024-02-01"),
            ("2023-12-31 05:00:00", "2024-02-01 00:00:00"),
        )


def test_numbered_pandas_columns_get_names() -> None:
    assert to_dataset(pd.DataFrame([[1, 2], [3, 4]])).names == ("0", "1")


def test_import_is_light() -> None:
    code = (
        "import sys, anytimebn.data.encode, anytimebn.data.files.tables; "
        "sys.exit(any(m in sys.modules for m in ('pandas', 'polars', 'pyarrow', 'narwhals')))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


# --- text files ---


def test_csv_values_are_kept_as_written(tmp_path: Path) -> None:
    text = (
        "\ufeffwhen, flag ,text,n\r\n"
        '2024-01-02,true,"a, ""b""\nc",10\r\n'
        "2024-01-01, false ,None,9\r\n"
        "2024-01-01,false,None,09\r\n\r\n   \r\n"
    )
    data = to_dataset(written(tmp_path, "a.csv", text))
    assert data.names == ("when", "flag", "text", "n")
    assert data.states == (
        ("2024-01-01", "2024-01-02"),
        ("false", "true"),
        ("None", 'a, "b"\nc'),
        ("09", "9", "10"),
    )
    assert data.codes.tolist() == [[1, 0, 0], [1, 0, 0], [1, 0, 0], [2, 1, 0]]


@pytest.mark.parametrize("text", ["A,B\n1,x\n2,y", "\n \nA,B\n1,x\n\n2,y\n\n", "A,B\r1,x\r2,y\r"])
def test_blank_lines_and_line_ends_do_not_matter(tmp_path: Path, text: str) -> None:
    data = to_dataset(written(tmp_path, "a.csv", text))
    assert data.names == ("A", "B")
    assert data.states == (("1", "2"), ("x", "y"))


def test_header_may_span_lines(tmp_path: Path) -> None:
    data = to_dataset(written(tmp_path, "a.csv", '"A\nB",C\n1,2\n'))
    assert (data.names, data.rows) == (("A\nB", "C"), 1)


def test_table_without_header_gets_names(tmp_path: Path) -> None:
    path = written(tmp_path, "a.tsv", "1\tx\n2\ty\n")
    assert to_dataset(path, header=False).names == ("X0", "X1")
    assert to_dataset(path, header=False).rows == 2
    assert to_dataset(str(path), header=False, names=["A", "B"]).names == ("A", "B")


def test_compressed_csv_is_read(tmp_path: Path) -> None:
    path = written(tmp_path, "a.CSV.gz", gzip.compress(b"A,B\n1,x\n2,y\n"))
    assert to_dataset(path).states == (("1", "2"), ("x", "y"))


def test_values_in_many_blocks_are_one_domain(tmp_path: Path) -> None:
    rows = 200_000
    lines = [f"{i % 3},{'early' if i < rows // 2 else 'late'}" for i in range(rows)]
    data = to_dataset(written(tmp_path, "a.csv", "A,B\n" + "\n".join(lines)))
    assert data.states == (("0", "1", "2"), ("early", "late"))
    assert (data.codes[0] == np.arange(rows) % 3).all()
    assert (data.codes[1] == (np.arange(rows) >= rows // 2)).all()


def test_dat_keeps_declared_arities(tmp_path: Path) -> None:
    text = "# made by hand\nA B  C D E\n3 2 3 2 4\n\n0 1 x 1 1\n# more\n2 2 y 1 4\n"
    data = to_dataset(written(tmp_path, "a.dat", text))
    assert data.names == ("A", "B", "C", "D", "E")
    assert data.states == (
        ("0", "1", "2"),
        ("1", "2"),
        ("x", "y", "unused1"),
        ("0", "1"),
        ("1", "2", "3", "4"),
    )
    assert data.codes.tolist() == [[0, 2], [0, 1], [0, 1], [1, 1], [0, 3]]


def test_dat_with_many_declared_values_is_not_refused(tmp_path: Path) -> None:
    rows = "".join(f"{i} 0\n" for i in range(50)) * 2
    assert to_dataset(written(tmp_path, "a.dat", "A B\n60 2\n" + rows)).arities == (60, 2)


ARFF = """% weather
@RELATION weather
@attribute outlook {sunny, overcast, 'very rainy'}
@attribute 'the temperature' REAL
@attribute windy{FALSE,TRUE}
@attribute note string
@data
'very rainy',21.5,TRUE,'don\\'t, please'
% a comment
sunny, 3, TRUE ,"ok"
"""


def test_arff_keeps_declared_domains(tmp_path: Path) -> None:
    data = to_dataset(written(tmp_path, "a.arff", ARFF))
    assert data.names == ("outlook", "the temperature", "windy", "note")
    assert data.states == (
        ("sunny", "overcast", "very rainy"),
        ("3", "21.5"),
        ("FALSE", "TRUE"),
        ("don't, please", "ok"),
    )
    assert data.codes.tolist() == [[2, 0], [1, 0], [1, 1], [0, 1]]


def test_arff_value_that_is_declared_is_not_missing(tmp_path: Path) -> None:
    text = "@attribute A {NA, b}\n@attribute B {x}\n@data\nNA,x\nb,x\n?,x\n"
    data = to_dataset(written(tmp_path, "a.arff", text), missing="category")
    assert data.states == (("NA", "b", "missing"), ("x",))
    assert data.codes[0].tolist() == [0, 1, 2]


# --- missing values ---


@pytest.mark.parametrize("word", ["", "NA", "N/A", "NaN", "nan", "null", "NULL", "?", " ", " ? "])
def test_missing_words_are_told_with_their_line(tmp_path: Path, word: str) -> None:
    text = f'A,B\n1,"x\ny"\n\n2,{word}\n{word},y\n'
    path = written(tmp_path, "a.csv", text)
    with pytest.raises(
        InputError, match=r"'A' \(1 missing, first at line 6\), 'B' \(1 missing, first at line 5\)"
    ):
        to_dataset(path)
    data = to_dataset(path, missing="drop")
    assert (data.rows, data.rows_dropped) == (1, 2)
    assert data.states == (("1",), ("x\ny",))
    assert to_dataset(path, missing="category").states == (
        ("1", "2", "missing"),
        ("x\ny", "y", "missing"),
    )


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame({"A": [1.0, None, 2.0], "B": ["x", "y", None]}),
        pd.DataFrame({"A": [1, pd.NA, 2], "B": ["x", "y", None]}, dtype=object),
        pl.DataFrame({"A": [1, None, 2], "B": ["x", "y", None]}),
        pl.DataFrame({"A": [1.0, float("nan"), 2.0], "B": ["x", "y", None]}),
        pa.table({"A": [1, None, 2], "B": ["x", "y", None]}),
    ],
)
def test_missing_cells_of_frames_are_told_with_their_row(frame: Any) -> None:
    with pytest.raises(InputError, match=r"'A' \(1 missing, first at row 1 .*--missing drop\|cat"):
        to_dataset(frame)
    assert to_dataset(frame, missing="drop").states == (("1",), ("x",))
    data = to_dataset(frame, missing="category")
    assert data.states == (("1", "2", "missing"), ("x", "y", "missing"))
    assert data.codes.tolist() == [[0, 2, 1], [0, 1, 2]]


def test_missing_state_gets_a_name_of_its_own() -> None:
    data = to_dataset(pl.DataFrame({"A": ["missing", None], "B": [1, 1]}), missing="category")
    assert data.states[0] == ("missing", "missing_")


def test_none_and_empty_text_are_values_of_frames() -> None:
    data = to_dataset(pl.DataFrame({"A": ["None", ""], "B": ["NA", " x"]}))
    assert data.states == (("", "None"), (" x", "NA"))


# --- bins ---


def test_many_numbers_are_refused_by_name_unless_binned() -> None:
    n = MAX_DISTINCT_NUMBERS + 1
    frame = pl.DataFrame({"few": [i % 3 for i in range(n)], "many": range(n)})
    with pytest.raises(InputError, match=rf"'many' \({n} distinct numbers\).*--bins.*bins="):
        to_dataset(frame)
    with pytest.warns(DataWarning, match="'many' has 33 values in 33 rows; leave it out"):
        data = to_dataset(frame, bins=3)
    assert data.states == (("0", "1", "2"), ("(-inf, 11)", "[11, 22)", "[22, inf)"))
    assert data.bins == {"many": (11.0, 22.0)}
    assert np.bincount(data.codes[1]).tolist() == [11, 11, 11]
    with pytest.warns(DataWarning):
        assert_same(to_dataset(frame, bins=np.int64(3)), data)  # type: ignore[arg-type]


def test_as_many_numbers_as_the_limit_are_values() -> None:
    assert to_dataset(pl.DataFrame({"A": [*range(32), 0], "B": ["x"] * 33})).arities == (32, 1)


def test_numbers_written_as_text_count_as_numbers(tmp_path: Path) -> None:
    text = "A,B\n" + "".join(f"{i / 8},x\n" for i in range(40))
    with pytest.raises(InputError, match=r"'A' \(40 distinct numbers\)"):
        to_dataset(written(tmp_path, "a.csv", text))
    data = to_dataset(tmp_path / "a.csv", bins={"A": 2}, bin_method="width")
    assert data.states[0] == ("(-inf, 2.438)", "[2.438, inf)")


def test_columns_that_are_left_out_need_not_be_usable() -> None:
    frame = pl.DataFrame({"A": [1, 2, None], "B": [1, 0, 1], "C": [1, 1, 0]})
    assert to_dataset(frame, exclude=["A"]).names == ("B", "C")
    array = np.arange(300).reshape(100, 3) % [300, 2, 3]
    assert to_dataset(array, exclude=["N"], names=["N", "A", "B"]).names == ("A", "B")
    with pytest.raises(InputError, match="only one column, 'B'"):
        to_dataset(frame, exclude=["A", "C"])
    for several in (np.array(["A"]), pd.Index(["A"]), {"A"}):
        assert to_dataset(frame, exclude=several).names == ("B", "C")  # type: ignore[arg-type]


@pytest.mark.parametrize("exclude", ["A", None, [1], iter(["A"])])
def test_what_is_no_list_of_columns_to_leave_out_is_refused(exclude: Any) -> None:
    with pytest.raises(InputError, match="exclude must be a list of names of columns, not"):
        to_dataset(pl.DataFrame(TWO), exclude=exclude)


def test_names_are_counted_before_columns_are_left_out() -> None:
    array = np.array([[0, 1, 0], [1, 0, 1]])
    for names in (["A", "B"], ["A", "B", "C", "D"]):
        with pytest.raises(InputError, match=f"{len(names)} names were given for 3 columns"):
            to_dataset(array, names=names, exclude=["A"])


def test_columns_cannot_be_left_out_of_what_is_made() -> None:
    data = to_dataset(pl.DataFrame({"A": [1, 0], "B": [1, 0], "C": [0, 1]}))
    assert to_dataset(data, exclude=[]) is data
    with pytest.raises(InputError, match="cannot be left out of a Dataset"):
        learn(data, exclude=["A"])
    with pytest.raises(InputError, match="cannot be left out of scores"):
        learn(score(data), exclude=["A"])


def test_many_words_are_values() -> None:
    with pytest.warns(DataWarning, match="'A' has 500 values in 500 rows"):
        data = to_dataset(pl.DataFrame({"A": [f"w{i}" for i in range(500)], "B": [1] * 500}))
    assert data.arities == (500, 1)


def test_named_bins_apply_to_few_numbers_too() -> None:
    frame = pl.DataFrame({"A": [1, 2, 3, 4], "B": [1, 2, 3, 4]})
    assert to_dataset(frame, bins={"A": 2}).states == (("(-inf, 3)", "[3, inf)"), tuple("1234"))


def test_value_that_fills_most_rows_is_still_cut_off() -> None:
    numbers = [0.0] * 90 + [i / 7 for i in range(1, 41)]
    data = to_dataset(pl.DataFrame({"A": numbers, "B": ["x"] * 130}), bins=3)
    assert data.codes[0][:90].tolist() == [0] * 90
    assert data.codes[0][90:].min() == 1


def test_empty_intervals_are_merged() -> None:
    numbers = [*range(40), 0, 1000]
    data = to_dataset(pl.DataFrame({"A": numbers, "B": [1] * 42}), bins=10, bin_method="width")
    assert data.arities == (2, 1)
    assert data.bins["A"] == (100.0,)


def test_missing_numbers_are_no_interval() -> None:
    frame = pl.DataFrame({"A": [*range(40), None], "B": [1] * 41})
    data = to_dataset(frame, bins=2, missing="category")
    assert data.states[0] == ("(-inf, 20)", "[20, inf)", "missing")
    assert data.codes[0][-1] == 2


@given(
    numbers=st.lists(
        st.floats(allow_nan=False, allow_infinity=False) | st.integers(0, 3).map(float),
        min_size=1,
        max_size=60,
    ),
    bins=st.integers(2, 9),
    method=st.sampled_from(["quantile", "width"]),
)
@example(numbers=[-1.7e308, 1.7e308], bins=2, method="width")
@example(numbers=[0.0, 5e-324], bins=9, method="width")
def test_bins_partition_the_numbers(numbers: list[float], bins: int, method: Any) -> None:
    array = np.column_stack([numbers, np.zeros(len(numbers))])
    data = to_dataset(array, bins={"X0": bins}, bin_method=method)
    cuts = data.bins["X0"]
    assert list(cuts) == sorted(set(cuts))
    assert data.arities[0] == len(cuts) + 1 <= bins
    assert data.codes[0].tolist() == np.searchsorted(cuts, numbers, side="right").tolist()
    assert set(data.codes[0].tolist()) == set(range(data.arities[0]))
    assert method == "width" or len(cuts) > 0 or len(set(numbers)) == 1


# --- round trips ---

NAMES = st.text(st.characters(codec="utf-8"), min_size=1, max_size=6).filter(
    lambda text: text.strip() == text and text[0] != "\ufeff" and text not in MISSING_TEXT
)


@st.composite
def tables(draw: st.DrawFn) -> dict[str, list[str]]:
    rows = draw(st.integers(1, 12))
    value = NAMES | st.sampled_from(["1", "02", "-3.5", "1e3", 'a"b', "a,b", "a\tb", "a\r\nb", "é"])
    names = draw(st.lists(NAMES, min_size=2, max_size=5, unique=True))
    return {name: draw(st.lists(value, min_size=rows, max_size=rows)) for name in names}


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".parquet"])
@given(table=tables())
@example(table={"A": ["1", "2", "2"], "\0": ["x", "y", "\0"]})
@example(table={"A": ["1", "2,5", "2"], "B": ["x", "1,5", "x"]})
@example(table={"A": ["1,2,3", "1", "2"], "B": ["x", "1,5", "x"]})
def test_written_tables_read_back(suffix: str, table: dict[str, list[str]]) -> None:
    data = to_dataset(pa.table(table))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "table" + suffix)
        if suffix == ".tsv" and any(map(_has_decimal_commas, data.states)):
            with pytest.raises(InputError, match="would be read back with decimal points"):
                write_table(data, path)
            return
        write_table(data, path)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DataWarning)  # names may look like values
            assert_same(to_dataset(path), data)


@pytest.mark.parametrize("state", ["NA", "?", "", " x", "x\t", "\ufeffx"])
def test_values_that_text_cannot_hold_are_not_written(tmp_path: Path, state: str) -> None:
    data = Dataset(("A", "B"), ((state,), ("y",)), np.zeros((2, 2), np.uint16))
    with pytest.raises(InputError, match=r"would not read back .* \.parquet"):
        write_table(data, tmp_path / "a.csv")
    assert not (tmp_path / "a.csv").exists()
    write_table(data, tmp_path / "a.parquet")
    assert_same(to_dataset(tmp_path / "a.parquet"), data)


@pytest.mark.parametrize("name", ["a.dat", "a.csv.gz", "a", "no/such/folder/a.csv"])
def test_tables_that_cannot_be_written_are_told(tmp_path: Path, name: str) -> None:
    data = Dataset(("A", "B"), (("x",), ("y",)), np.zeros((2, 2), np.uint16))
    with pytest.raises(InputError, match=rf"{name}: (not a table .*\.parquet|cannot be written)"):
        write_table(data, tmp_path / name)


def test_every_suffix_is_known_in_any_case() -> None:
    for suffix in TABLE_SUFFIXES:
        assert table_suffix(f"Some.File{suffix.upper()}") == suffix
    assert table_suffix("scores.jkl") is None


# --- what is refused ---

IDS = "".join(f"id{i},x\n" for i in range(2**16 + 1))
HEAD = "@attribute A {a,b}\n@attribute B numeric\n"
MALFORMED: dict[str, tuple[str, str | bytes, str]] = {
    "empty csv": ("a.csv", "", r"a\.csv: the file is empty"),
    "blank csv": ("a.csv", "\n  \n\n", r"a\.csv: the file is empty"),
    "header only": ("a.csv", "A,B\n", r"a\.csv: no rows"),
    "one column": ("a.csv", "A:B\n1:2\n", r"line 1 has only one column, 'A:B'.*--separator"),
    "short row": ("a.csv", "A,B,C\n1,2,3\n1,2\n", r"line 3 has 2 cells, expected 3"),
    "long row": ("a.csv", "A,B\n1,2\n1,2,3\n", r"line 3 has 3 cells, expected 2"),
    "ragged after quoted newline": (
        "a.csv",
        '\n"A\nx",B\n1,"2\n\n2"\n\n1\n',
        r"line 8 has 1 cell, expected 2",
    ),
    "ragged far on": (
        "a.csv",
        "A,B\n" + "1,2\n" * 600_000 + "1\n",
        r"line 600002 has 1 cell, expected 2",
    ),
    "ragged tsv": ("a.tsv", "A\tB\n1\t2\n1\t2\t\n", r"line 3 has 3 cells, expected 2"),
    "ragged gz": ("a.csv.gz", gzip.compress(b"A,B\n1\n"), r"line 2 has 1 cell, expected 2"),
    "broken gz": ("a.csv.gz", b"A,B\n1,2\n", r"a\.csv\.gz: cannot be read"),
    "cut gz": ("a.csv.gz", gzip.compress(b"A,B\n1,2\n" * 99)[:-12], r"a\.csv\.gz: cannot be read"),
    "duplicate names": ("a.csv", "A,B,A,C, B\n1,2,3,4,5\n", r"duplicate column names: 'A', 'B'"),
    "empty name": ("a.csv", "A,,B\n0,1,2\n", r"column 2 has no name"),
    "empty name of a group": ("a.csv", ",A,B\n0,1,2\n0,1,1\n", r"column 1 has no name"),
    "not utf-8 cell": ("a.csv", b"A,B\n1,2\n1,\xe9\n", r"line 3 is not UTF-8"),
    "not utf-8 name": ("a.csv", b"A,\xe9\n1,2\n", r"line 1 is not UTF-8"),
    "utf-16": ("a.csv", "A,B\n1,2\n".encode("utf-16"), r"line 1 is not UTF-8"),
    "open quote, last cell": ("a.csv", 'A,B\n1,2\n1,"2\n1,2\n', r"line 3: a quote is opened"),
    "open quote, first cell": ("a.csv", 'A,B\n1,2\n"1,2\n1,2\n', r"line 3: a quote is opened"),
    "open quote, long": ("a.csv", 'A,B\n"1,2\n' + "1,2\n" * 600_000, r"line 2: .*quote"),
    "open quote in header": ("a.csv", 'A,"B\n1,2\n1,2\n', r"line 1: a quote is opened"),
    "too many values": ("a.csv", "A,B\n" + IDS, r"column 'A' has 65537 distinct values.*65536"),
    "many numbers": ("a.csv", "A,B\n" + IDS.replace("id", ""), r"'A' \(65537 distinct numbers\)"),
    "missing everywhere": ("a.csv", "A,B\n1,\n,2\n", r"'A' .* line 3\), 'B' .* line 2\)"),
    "unknown suffix": ("a.doc", "A,B\n1,2\n", r"a\.doc: not a table.*\.csv, \.tsv, \.parquet"),
    "no suffix": ("table", "A,B\n1,2\n", r"table: not a table"),
    "empty parquet": ("a.parquet", b"", r"a\.parquet: the file is empty"),
    "broken parquet": ("a.parquet", b"PAR1 broken PAR1", r"a\.parquet: not a parquet file"),
    "empty dat": ("a.dat", "# nothing\n\n", r"a\.dat: the file is empty"),
    "dat without arities": ("a.dat", "A B\n", r"a\.dat: line 2: the numbers of values"),
    "dat with few arities": ("a.dat", "A B\n2\n0 1\n", r"line 2 has 1 cell, expected 2"),
    "dat with odd arity": ("a.dat", "A B\n2 x\n0 1\n", r"line 2: .* of 'B' is 'x'"),
    "dat with no value": ("a.dat", "A B\n2 0\n0 1\n", r"line 2: .* of 'B' is '0'"),
    "dat with huge arity": ("a.dat", "A B\n2 65537\n0 1\n", r"line 2: .* of 'B' is '65537'"),
    "dat without rows": ("a.dat", "A B\n2 2\n", r"a\.dat: no rows"),
    "ragged dat": ("a.dat", "A B\n2 2\n0 1\n\n0 1 1\n", r"line 5 has 3 cells, expected 2"),
    "dat with more values": (
        "a.dat",
        "A B\n2 2\n0 1\n0 0\n# x\n0 2\n0 3\n",
        r"line 6: '2' is one value more than the 2 that line 2 declares for 'B'",
    ),
    "dat with missing": ("a.dat", "A B\n2 2\n0 1\n? 0\n", r"'A' \(1 missing, first at line 4"),
    "dat not utf-8": ("a.dat", b"A B\n2 2\n\xff 1\n", r"line 3 is not UTF-8"),
    "dat of one variable": ("a.dat", "A\n2\n0\n1\n", r"only one column, 'A'"),
    "empty arff": ("a.arff", "% nothing\n", r"a\.arff: the file is empty"),
    "arff without data": ("a.arff", "@relation x\n" + HEAD, r"line 3: the file ends before @data"),
    "arff without attributes": ("a.arff", "@relation x\n@data\n1\n", r"line 2: @data comes before"),
    "arff without rows": ("a.arff", HEAD + "@data\n", r"a\.arff: no rows"),
    "arff with odd line": ("a.arff", HEAD + "oops\n@data\n", r"line 3: expected @relation"),
    "arff with odd type": ("a.arff", "@attribute A colour\n@data\n", r"line 1: type 'colour'"),
    "arff without type": ("a.arff", "@attribute A\n@data\n", r"line 1: expected '@attribute"),
    "arff relational": ("a.arff", "@attribute A relational\n", r"line 1: type 'relational'"),
    "arff domain twice": ("a.arff", "@attribute A {a,a}\n", r"line 1: the values of 'A' must be"),
    "arff empty domain": ("a.arff", "@attribute A {}\n", r"line 1: the values of 'A' must be"),
    "arff open domain": ("a.arff", "@attribute A {a,b\n", r"line 1: expected '@attribute"),
    "arff undeclared value": (
        "a.arff",
        HEAD + "@data\na,1\n% x\nc,2\n",
        r"line 6: 'c' is not one of the values declared for 'A': 'a, b'",
    ),
    "arff ragged": ("a.arff", HEAD + "@data\na,1\na\n", r"line 5 has 1 cell, expected 2"),
    "arff open quote": ("a.arff", HEAD + "@data\n'a,1\n", r"line 4: a quote"),
    "arff sparse": ("a.arff", HEAD + "@data\n{0 a}\n", r"line 4: sparse rows"),
    "arff duplicate": ("a.arff", (HEAD + HEAD + "@data\na,1,b,2\n"), r"duplicate .* 'A', 'B'"),
}


@pytest.mark.parametrize("case", MALFORMED)
def test_malformed_file_is_refused_with_its_place(tmp_path: Path, case: str) -> None:
    name, content, message = MALFORMED[case]
    with pytest.raises(InputError, match=message) as caught:
        to_dataset(written(tmp_path, name, content))
    assert str(caught.value).startswith(str(tmp_path / name))


def test_paths_that_are_no_files_are_refused(tmp_path: Path) -> None:
    (tmp_path / "folder.csv").mkdir()
    with pytest.raises(InputError, match=r"none\.csv: no such file"):
        to_dataset(tmp_path / "none.csv")
    with pytest.raises(InputError, match=r"folder\.csv: this is a directory"):
        to_dataset(str(tmp_path / "folder.csv"))
    with pytest.raises(InputError, match=r"x: cannot be read|x.csv: "):
        to_dataset("x" * 5000 + ".csv")


def test_nested_parquet_column_is_refused_with_its_file(tmp_path: Path) -> None:
    pq.write_table(pa.table({"A": [1], "B": [[1, 2]]}), tmp_path / "a.parquet")
    with pytest.raises(InputError, match=r"a\.parquet: column 'B' holds list"):
        to_dataset(tmp_path / "a.parquet")


TWO = {"A": ["x", "y"], "B": [1, 2]}
INFINITE = [float("inf"), *range(40)]
UNUSABLE: dict[str, tuple[Any, dict[str, Any], str]] = {
    "dict": (TWO, {}, r"cannot be a builtins\.dict.*pandas\.DataFrame"),
    "lists": ([[1, 2], [3, 4]], {}, r"cannot be a builtins\.list"),
    "nothing": (None, {}, r"cannot be a builtins\.NoneType"),
    "series": (pd.Series([1, 2]), {}, r"cannot be a pandas.*Series"),
    "1-D": (np.arange(3), {}, r"an array of 1 dimension;"),
    "3-D": (np.zeros((2, 2, 2)), {}, r"an array of 3 dimensions;"),
    "complex": (np.zeros((2, 2), dtype=complex), {}, r"an array of complex128"),
    "no rows": (np.zeros((0, 2)), {}, r"no rows"),
    "no columns": (pd.DataFrame(), {}, r"no columns"),
    "one column": (pd.DataFrame({"A": [1]}), {}, r"only one column, 'A'"),
    "duplicate pandas": (pd.DataFrame([[1, 2]], columns=["A", "A"]), {}, r"names: 'A'$"),
    "duplicate pyarrow": (pa.table([[1], [2]], names=["A", "A"]), {}, r"names: 'A'$"),
    "empty name": (pa.table([[1], [2]], names=["A", " "]), {}, r"column 2 has no name"),
    "list cells, pandas": (pd.DataFrame({"A": [1], "B": [[1]]}), {}, r"column 'B' holds list"),
    "list cells, polars": (pl.DataFrame({"A": [1], "B": [[1]]}), {}, r"column 'B' holds"),
    "dict cells": (pa.table({"A": [1], "B": [{"x": 1}]}), {}, r"column 'B' holds struct"),
    "unlike nested": (pd.DataFrame({"A": [1, 2], "B": [1, [1]]}), {}, r"column 'B' holds a list"),
    "wrong names": (pl.DataFrame(TWO), {"names": ["A"]}, r"1 names were given for 2 columns"),
    "same names": (pl.DataFrame(TWO), {"names": ["A", "A"]}, r"duplicate column names: 'A'"),
    "one bin": (pl.DataFrame(TWO), {"bins": 1}, r"bins is 1; it must be from 2"),
    "named one bin": (pl.DataFrame(TWO), {"bins": {"B": 1}}, r"bins of 'B' is 1"),
    "half a bin": (pl.DataFrame(TWO), {"bins": 2.5}, r"bins is 2\.5; a whole number"),
    "unknown bins": (pl.DataFrame(TWO), {"bins": {"C": 2}}, r"unknown column 'C'.*'A', 'B'"),
    "bins of words": (pl.DataFrame(TWO), {"bins": {"A": 2}}, r"column 'A' cannot be cut"),
    "bins of infinity": (
        pl.DataFrame({"A": INFINITE, "B": INFINITE}, strict=False),
        {"bins": 2},
        r"column 'A' cannot be cut into bins: it has infinite",
    ),
    "bin method": (
        pl.DataFrame(TWO),
        {"bin_method": "magic"},
        r"bin_method 'magic'.*quantile, width",
    ),
    "missing method": (pl.DataFrame(TWO), {"missing": "keep"}, r"missing 'keep'.*drop, category"),
    "all missing": (
        pl.DataFrame({"A": [None, 1], "B": [2, None]}),
        {"missing": "drop"},
        r"every one of the 2 rows has a missing value",
    ),
}


@pytest.mark.parametrize("case", UNUSABLE)
def test_unusable_table_is_refused_with_its_place(case: str) -> None:
    table, options, message = UNUSABLE[case]
    with pytest.raises(InputError, match=message):
        to_dataset(table, **options)


@pytest.mark.parametrize(
    ("states", "codes"),
    [
        ((("x",), ("y",)), np.zeros(2)),
        ((("x",),), np.zeros((2, 2))),
        ((("x",), ("y",)), np.ones((2, 2))),
        ((("x",), ("y",)), -np.ones((2, 2))),
        ((("x", "x"), ("y",)), np.zeros((2, 2))),
    ],
)
def test_dataset_that_contradicts_itself_is_refused(states: Any, codes: np.ndarray) -> None:
    with pytest.raises(InputError, match=re.compile("shape|codes must lie|distinct")):
        Dataset(("A", "B"), states, codes)


@pytest.mark.parametrize("codes", [np.full((2, 2), 0.5), np.full((2, 2), "0"), None])
def test_codes_that_are_no_whole_numbers_are_refused(codes: Any) -> None:
    with pytest.raises(InputError, match="codes that are whole numbers"):
        Dataset(("A", "B"), (("x", "y"), ("x", "y")), codes)
    with pytest.raises(InputError, match="tuple of names and one of states"):
        Dataset(("A", "B"), None, codes)  # type: ignore[arg-type]
