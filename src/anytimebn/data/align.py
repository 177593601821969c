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
from anytimebn.base.text import did_you_mean, listed, listed_names, unknown_name
from anytimebn.data.columns import Column, as_numbers, value_names
from anytimebn.data.dataset import Dataset
from anytimebn.data.intervals import interval_names
from anytimebn.data.options import TableOptions
from anytimebn.data.read import ROW_PLACE, columns_of, source_of, to_dataset
from anytimebn.data.selection import names_of, weights_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from anytimebn.data.read import TableLike

States = tuple[tuple[str, ...], ...]

UNSEEN = "\0unseen"
"""A state for values that are not known, of networks that have such a state."""

MISSING_STATE = re.compile("missing_*")  # what `to_dataset` calls missing values that it keeps


def codes_for(
    data: TableLike,
    names: Sequence[str],
    states: States | None,
    options: TableOptions | None = None,
) -> tuple[NDArray[np.uint16], States]:
    """Encode a table for a network.

    Parameters
    ----------
    data
        A `Dataset`, a data frame, the path of a table, or an array whose columns are in the order
        of `names`. Columns that the network does not have are left out.
    names, states
        Those of the network; without states, all values of the data become states.
    options
        How a table is read. Where there are states, these tell how numbers are cut and what is a
        value, and the options the rest: which rows count, and how often.

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
    options = TableOptions() if options is None else options
    has_holes = isinstance(data, Dataset) and data.holes is not None and not data.completed
    if has_holes or (options.missing == "em" and not isinstance(data, Dataset)):
        raise InputError(
            'missing="em" completes values when a network is learned: use learn, or choose another '
            'way to read the table, such as missing="drop"'
        )
    if states is None:
        if isinstance(data, np.ndarray):
            options = replace(options, names=names)
        dataset = to_dataset(data, table_options=options)
        place = _places(dataset.names, names)
        rows = [place[name] for name in names]
        return dataset.codes[rows], tuple(dataset.states[row] for row in rows)
    if isinstance(data, Dataset):
        return _codes_of_dataset(data, names, states), states
    columns, row_place = columns_for(data, names, options)
    place = _places([column.name for column in columns], names)
    own = [columns[place[name]] for name in names]
    times = _times(own, columns, options)
    counted = None if times is None else np.flatnonzero(times)
    codes = np.array(
        [
            _codes(column, name, known, row_place, counted)
            for column, name, known in zip(own, names, states, strict=True)
        ],
        dtype=np.uint16,
    )
    return codes if times is None else codes.repeat(times[counted], axis=1), states


def _times(
    own: Sequence[Column], columns: Sequence[Column], options: TableOptions
) -> NDArray[np.int64] | None:
    """Tell how often each row counts; None if all count once."""
    times = None
    if options.weights is not None:
        by_name = {column.name: column for column in columns}
        if options.weights not in by_name:
            raise InputError(f"weights: {unknown_name('column', options.weights, list(by_name))}")
        times = weights_of(by_name[options.weights], options.weights)
    if options.missing == "drop":
        lacks = np.any([column.codes < 0 for column in own], axis=0)
        times = np.where(lacks, 0, 1 if times is None else times)
    return times


def _codes_of_dataset(dataset: Dataset, names: Sequence[str], states: States) -> NDArray[np.uint16]:
    """Take the codes of a dataset as they are where they mean the same to the network."""
    place = _places(dataset.names, names)
    rows = [place[name] for name in names]
    same = [
        dataset.states[row] == own[: len(dataset.states[row])]
        for row, own in zip(rows, states, strict=True)
    ]
    if all(same) and rows == list(range(dataset.variables)):
        return dataset.codes  # a copy of a large table takes longer than all that is counted in it
    codes = dataset.codes[rows]
    for number, (row, known) in enumerate(zip(rows, states, strict=True)):
        if not same[number]:
            column = _column_of_dataset(dataset, row)
            codes[number] = _codes(column, names[number], known, ROW_PLACE)
    return codes


def columns_for(
    data: TableLike, names: Sequence[str], options: TableOptions | None = None
) -> tuple[list[Column], Callable[[int], str]]:
    """Give the columns of a table, with these names if it is an array, and what to call a row."""
    if isinstance(data, Dataset):
        return [_column_of_dataset(data, row) for row in range(data.variables)], ROW_PLACE
    columns, row_place = columns_of(data, options)
    if isinstance(data, np.ndarray):
        return _renamed(columns, names), row_place
    if options is not None and options.names is not None:
        called = names_of(columns, options, source_of(data))
        columns = [replace(own, name=name) for own, name in zip(columns, called, strict=True)]
    return columns, row_place


def _column_of_dataset(dataset: Dataset, row: int) -> Column:
    import pyarrow as pa

    values = pa.array(dataset.states[row], pa.string())
    return Column(dataset.names[row], dataset.codes[row].astype(np.int32), values)


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
    column: Column,
    name: str,
    states: Sequence[str],
    row_place: Callable[[int], str],
    rows: NDArray[np.int64] | None = None,
) -> NDArray[np.int64]:
    """Replace the numbers of a column's own values by those of the states, which have them all.

    Of some rows only, if these are given: the others may be anything.
    """
    codes = known_codes(column, states)
    if rows is not None:
        codes = codes[rows]
    unknown = np.flatnonzero(codes < 0)
    if len(unknown):
        row = int(unknown[0] if rows is None else rows[unknown[0]])
        raise InputError(value_message(column, name, states, row, row_place))
    return codes


def known_codes(
    column: Column, states: Sequence[str], *, missing_is_a_value: bool = True
) -> NDArray[np.int64]:
    """Replace the numbers of a column's own values by those of the states; -1 if there is none.

    A missing cell has the last state if that is what missing values are called there, unless it is
    said to be no value.
    """
    position = {state: code for code, state in enumerate(states)}
    found = np.array([position.get(value, -1) for value in value_names(column.values)] + [-1])
    unknown = np.flatnonzero(found[:-1] < 0)
    if len(unknown):
        values = column.values.take(unknown)
        numbers = as_numbers(values)
        if numbers is None:  # some may be numbers, nevertheless
            written = [_number(str(value)) for value in values.to_pylist()]
            numbers = np.array([np.nan if one is None else one for one in written])
        found[unknown] = _codes_of_numbers(numbers, states)
    if UNSEEN in position:
        found[:-1][found[:-1] < 0] = position[UNSEEN]
    if missing_is_a_value and MISSING_STATE.fullmatch(states[-1]):
        found[-1] = len(states) - 1
    codes: NDArray[np.int64] = found[column.codes]
    return codes


def value_message(
    column: Column, name: str, states: Sequence[str], row: int, row_place: Callable[[int], str]
) -> str:
    """Say that the network does not know what a row has."""
    known = listed([repr(state) for state in states])
    if column.codes[row] < 0:
        return (
            f"column {name!r} has a missing value at {row_place(row)}, for which "
            f"the network has no state; it has {known}"
        )
    value = column.values[int(column.codes[row])].as_py()
    return (
        f"column {name!r} has the value {value!r} at {row_place(row)}, which the "
        f"network does not know; it has {known}"
    )


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
    intervals = [s for s in states if not MISSING_STATE.fullmatch(s) and s != UNSEEN]
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
