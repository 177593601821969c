"""Arrow arrays and numpy arrays hold the same, whatever part of a buffer they are."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anytimebn._native import number_texts
from anytimebn.data.arrow_arrays import (
    numbers_of,
    positions_array,
    text_array,
    text_dictionaries,
)


@given(
    st.lists(st.none() | st.integers(0, 100), max_size=20),
    st.integers(0, 20),
    st.sampled_from([pa.int8(), pa.int32(), pa.uint64(), pa.float32(), pa.float64()]),
)
def test_numbers_are_those_of_the_array(
    values: list[int | None], start: int, kind: pa.DataType
) -> None:
    array = pa.array(values, kind).slice(min(start, len(values)))
    numbers = numbers_of(array, 111)
    assert numbers.dtype == kind.to_pandas_dtype()
    assert numbers.tolist() == [111 if value is None else value for value in array.to_pylist()]


def test_numbers_of_nothing_but_nulls() -> None:
    assert numbers_of(pa.nulls(3, pa.int32()), -1).tolist() == [-1, -1, -1]


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"])), max_size=10))
def test_texts_are_kept(texts: list[str]) -> None:
    array = text_array(texts)
    array.validate(full=True)
    assert array.equals(pa.array(texts, pa.string()))


@pytest.mark.parametrize("positions", [[], [3, 0, 3]])
def test_positions_are_kept(positions: list[int]) -> None:
    assert positions_array(np.array(positions, dtype=np.int64)).to_pylist() == positions
    assert positions_array(np.array([0, 9, 1, 9])[::2]).to_pylist() == [0, 1]


cells = st.text(max_size=20) | st.sampled_from(["", "0", "1", "no", "yes", "12345678", "a" * 300])


@given(st.lists(st.lists(cells, max_size=30), max_size=4), st.integers(0, 3))
def test_dictionaries_have_the_texts_in_order_of_appearance(
    chunks: list[list[str]], skipped: int
) -> None:
    arrays = [pa.array(chunk, pa.string()).slice(skipped) for chunk in chunks]
    column = pa.chunked_array(arrays, pa.string())
    for found in text_dictionaries([column, column]):
        found.validate(full=True)
        assert found.to_pylist() == column.to_pylist()
        assert found.dictionary.to_pylist() == list(dict.fromkeys(column.to_pylist()))


@pytest.mark.parametrize("ends", [[0, 2, 1], [-1, 2], [0, 4]])
def test_ends_that_no_texts_have_are_refused(ends: list[int]) -> None:
    chunk = (np.array(ends, np.int32), np.frombuffer(b"abc", np.uint8))
    with pytest.raises(ValueError, match="within the bytes"):
        number_texts([[chunk]], 1)
