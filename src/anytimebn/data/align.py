"""New data in the terms of a network: its variables, and the states that it knows.

A value is found by its name, as text. Numbers are also found by what they are worth, because the
same numbers are named differently in different tables (``1`` among whole numbers, ``1.0`` among
others), and in the interval that they fall into where the network was learnt from intervals.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from anytimebn.base.errors import InputError
from anytimebn.base.text import did_you_mean, listed, listed_names
from anytimebn.data.columns import Column, as_numbers, value_names
from anytimebn.data.dataset import Dataset
from anytimebn.data.intervals import interval_names
from anytimebn.data.read import ROW_PLACE, columns_of, to_dataset

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from anytimebn.data.read import TableLike

States = tuple[tuple[str, ...], ...]

MISSING_STATE = re.compile("missing_*")  # what `to_dataset` calls missing values that it keeps


def codes_for(
    data: TableLike, names: Sequence[str], states: States | None
) -> tuple[NDArray[np.uint16], States]:
    """Encode a table for a network.

    Parameters
    ----------
    data
        A `Dataset`, a data frame, the path of a table, or an array whose columns are in the order
        of `names`. Columns that the network does not have are left out.
    names, states
        Those of the network; without states, all values of the data become states.

    Returns
    -------
    codes : ndarray of uint16, shape (variables, rows)
        A row a variable, in the order of `names`.
    states : tuple of tuple of str
        What the codes mean.

    Examples
    --------
    >>> codes_for(np.array([[1.0, 7.0], [0.5, 2.0]]), ["a", "b"], (("0.5", "1"), ("2", "7")))[0]
    array([[1, 0],
           [1, 0]], dtype=uint16)
    """
    if states is None:
        given = names if isinstance(data, np.ndarray) else None
        dataset = to_dataset(data, names=given)
        place = _places(dataset.names, names)
        rows = [place[name] for name in names]
        return dataset.codes[rows], tuple(dataset.states[row] for row in rows)
    if isinstance(data, Dataset):
        return _codes_of_dataset(data, names, states), states
    columns, row_place = columns_of(data)
    if isinstance(data, np.ndarray):
        columns = _renamed(columns, names)
    place = _places([column.name for column in columns], names)
    codes = [
        _codes(columns[place[name]], name, known, row_place)
        for name, known in zip(names, states, strict=True)
    ]
    return np.array(codes, dtype=np.uint16), states


def _codes_of_dataset(dataset: Dataset, names: Sequence[str], states: States) -> NDArray[np.uint16]:
    """Take the codes of a dataset as they are where they mean the same to the network."""
    place = _places(dataset.names, names)
    rows = [place[name] for name in names]
    codes = dataset.codes[rows]
    for number, (row, known) in enumerate(zip(rows, states, strict=True)):
        own = dataset.states[row]
        if own != known[: len(own)]:
            import pyarrow as pa

            values = pa.array(own, pa.string())
            column = Column(names[number], dataset.codes[row].astype(np.int32), values)
            codes[number] = _codes(column, names[number], known, ROW_PLACE)
    return codes


def _places(columns: Sequence[str], names: Sequence[str]) -> dict[str, int]:
    place = {name: position for position, name in enumerate(columns)}
    absent = [name for name in names if name not in place]
    if absent:
        raise InputError(
            f"the data have no column {absent[0]!r}{did_you_mean(absent[0], columns)}; their "
            f"columns are {listed_names(columns)}"
        )
    return place


def _renamed(columns: Sequence[Column], names: Sequence[str]) -> list[Column]:
    """Give the columns of an array the names of the network."""
    if len(columns) != len(names):
        raise InputError(
            f"the array has {len(columns)} columns and the network {len(names)} variables; give "
            "one column for each, in the order of the network's names"
        )
    return [replace(column, name=name) for name, column in zip(names, columns, strict=True)]


def _codes(
    column: Column, name: str, states: Sequence[str], row_place: Callable[[int], str]
) -> NDArray[np.int64]:
    """Replace the numbers of a column's own values by those of the states."""
    position = {state: code for code, state in enumerate(states)}
    found = np.array([position.get(value, -1) for value in value_names(column.values)] + [-1])
    unknown = np.flatnonzero(found[:-1] < 0)
    if len(unknown):
        numbers = as_numbers(column.values.take(unknown))
        if numbers is not None:
            found[unknown] = _codes_of_numbers(numbers, states)
    if MISSING_STATE.fullmatch(states[-1]):
        found[-1] = len(states) - 1
    codes = found[column.codes]
    first = int(np.argmax(codes < 0)) if len(codes) else 0
    if len(codes) and codes[first] < 0:
        known = listed([repr(state) for state in states])
        if column.codes[first] < 0:
            raise InputError(
                f"column {name!r} has a missing value at {row_place(first)}, for which "
                f"the network has no state; it has {known}"
            )
        value = column.values[int(column.codes[first])].as_py()
        raise InputError(
            f"column {name!r} has the value {value!r} at {row_place(first)}, which the "
            f"network does not know; it has {known}"
        )
    return codes


def _codes_of_numbers(numbers: NDArray[np.float64], states: Sequence[str]) -> NDArray[np.int64]:
    """Find numbers by value among states that are numbers or intervals; -1 if not found."""
    cuts = cut_points(states)
    if cuts is not None:
        codes = np.searchsorted(np.array(cuts), numbers, side="right")
        return np.where(np.isnan(numbers), -1, codes)
    worth: dict[float, int] = {}
    for code, state in enumerate(states):
        number = _number(state)
        if number is not None:
            worth.setdefault(number, code)
    return np.array([worth.get(float(number), -1) for number in numbers], dtype=np.int64)


def cut_points(states: Sequence[str]) -> tuple[float, ...] | None:
    """Read the cut points back from the names of intervals, or None if that is not what they are.

    Examples
    --------
    >>> cut_points(["(-inf, 0.5)", "[0.5, 2)", "[2, inf)"])
    (0.5, 2.0)
    >>> cut_points(["no", "yes"]) is None
    True
    """
    intervals = [state for state in states if not MISSING_STATE.fullmatch(state)]
    starts = [_number(state[1:].partition(",")[0]) for state in intervals[1:]]
    cuts = tuple(number for number in starts if number is not None)
    if not intervals or interval_names(cuts) != intervals:
        return None
    return cuts


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
