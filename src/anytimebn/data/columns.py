"""Columns of a table: the distinct values of each, and for every row the number of its value.

Values are found with Arrow and never one cell at a time; only columns of Python objects that Arrow
does not understand are looked at cell by cell.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from anytimebn.base.errors import InputError
from anytimebn.base.text import listed
from anytimebn.data.arrow_arrays import null_scalar, numbers_of, text_array
from anytimebn.data.intervals import is_whole, number_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

MISSING_TEXT = ("", "NA", "N/A", "NaN", "nan", "null", "NULL", "?")
"""What counts as a missing value in a text file."""

BLANKS = " \t\r\n\v\f"
"""What is stripped from both ends of names and values in a text file."""


@dataclass(frozen=True, eq=False)
class Column:
    """A column before it is encoded; `values` is an Arrow array of distinct values, none null."""

    name: str
    codes: NDArray[np.int32]  # number of each row's value; -1 where it is missing
    values: Any
    declared: bool = False  # all of `values` are states, in this order, whether seen or not
    category: bool = False  # numbers among `values` are labels: not to be cut, however many


def find_values(
    name: str, cells: Any, *, from_text: bool = False, domain: Iterable[str] = ()
) -> Column:
    """Find the distinct values of an Arrow array.

    Parameters
    ----------
    name : str
        Name of the column.
    cells : pyarrow.Array or pyarrow.ChunkedArray
        Its cells.
    from_text : bool
        Whether they come from a text file, where blanks are stripped, some words mean missing, and
        numbers are written like all else.
    domain : iterable of str
        Values that are declared and so never mean missing.

    Returns
    -------
    Column
        Values in order of first appearance, or all those of a dictionary, in its order.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    declared = pa.types.is_dictionary(cells.type) and not from_text
    kind = cells.type.value_type if pa.types.is_dictionary(cells.type) else cells.type
    if pa.types.is_nested(kind):
        raise InputError(f"column {name!r} holds {kind}; a cell must hold a single value")
    try:
        if pa.types.is_null(kind) or cells.type == pa.string_view():
            cells = cells.cast(pa.string())
        elif kind == pa.string_view():
            cells = _with_plain_text(cells)
        elif pa.types.is_float16(kind):
            cells = cells.cast(pa.float32())
        if not pa.types.is_dictionary(cells.type):
            cells = pc.dictionary_encode(cells)
        if isinstance(cells, pa.ChunkedArray):
            cells = cells.unify_dictionaries().combine_chunks()
        codes = numbers_of(cells.indices.cast(pa.int32()), -1)
        values = cells.dictionary
        if pa.types.is_floating(values.type):
            values = pc.add(values, pa.scalar(0.0, values.type))  # -0.0 and 0.0 are one value
            is_missing = pc.is_nan(values)
            values = pc.if_else(is_missing, null_scalar(values.type), values)
        elif from_text:
            values = pc.utf8_trim(values, characters=BLANKS)
            words = text_array(sorted(set(MISSING_TEXT) - set(domain))).cast(values.type)
            is_missing = pc.is_in(values, value_set=words)
            values = pc.if_else(is_missing, null_scalar(values.type), values)
        # What was two values may be one now, and what was a value may be missing.
        again = values.dictionary_encode()
    except pa.ArrowException as error:
        raise InputError(f"column {name!r} holds {kind}, which cannot be used: {error}") from error
    if len(again.dictionary) < len(values):
        codes = np.append(numbers_of(again.indices, -1), np.int32(-1))[codes]
    return Column(
        name,
        codes.astype(np.int32, copy=False),
        again.dictionary,
        declared=declared,
        category=declared or (is_text(again.dictionary.type) and not from_text),
    )


def _with_plain_text(cells: Any) -> Any:
    """Write the dictionaries of an array in a form that all of Arrow knows."""
    import pyarrow as pa

    chunks = cells.chunks if isinstance(cells, pa.ChunkedArray) else [cells]
    plain = [
        pa.DictionaryArray.from_arrays(chunk.indices, chunk.dictionary.cast(pa.large_string()))
        for chunk in chunks
    ]
    return pa.chunked_array(plain, pa.dictionary(cells.type.index_type, pa.large_string()))


def array_columns(array: NDArray[Any]) -> list[Column]:
    """Find the values of each column of a 2-D array, named X0, X1 and so on."""
    import pyarrow as pa

    if array.ndim != 2:
        raise InputError(
            f"the table is an array of {array.ndim} dimension{'s' * (array.ndim != 1)}; "
            f"2 are needed: rows and columns"
        )
    columns = []
    for number, cells in enumerate(array.T):
        name = f"X{number}"
        if array.dtype == object:
            columns.append(object_column(name, cells.tolist()))
            continue
        try:
            arrow = pa.array(cells)
        except pa.ArrowException as error:
            raise InputError(
                f"the table is an array of {array.dtype}; integers, floats, booleans, text or "
                f"objects are needed"
            ) from error
        columns.append(find_values(name, arrow))
    return columns


def frame_columns(table: Any) -> list[Column]:
    """Find the values of each column of whatever data frame narwhals knows."""
    import narwhals as nw
    import pyarrow as pa

    try:
        frame = nw.from_native(table, pass_through=True)
    except nw.exceptions.DuplicateError as error:
        labels = getattr(table, "column_names", None) or table.columns
        raise InputError(f"the table: {duplicates(map(str, labels))}") from error
    if isinstance(frame, nw.LazyFrame):
        frame = frame.collect()
    if not isinstance(frame, nw.DataFrame):
        raise InputError(
            f"a table cannot be a {type(table).__module__}.{type(table).__qualname__}; give the "
            f"path of a file, a data frame (pandas, polars, pyarrow), or a 2-D numpy array, such "
            f"as pandas.DataFrame(...) of what you have"
        )
    columns = []
    for label, series in zip(frame.columns, frame.iter_columns(), strict=True):
        name = str(label)
        # Arrow would read the objects of a polars column as their addresses.
        if series.dtype == nw.Object:
            columns.append(object_column(name, series.to_list()))
            continue
        try:
            cells = series.to_arrow()
        except pa.ArrowException:
            cells = None  # such as a pandas Categorical over unlike values
        if cells is None or _is_extension(cells.type):
            if isinstance(series.dtype, nw.Categorical | nw.Enum):
                columns.append(_labels_of_pandas(name, series.to_native().cat))
            else:
                columns.append(object_column(name, series.to_list()))
            continue
        column = find_values(name, cells)
        if series.dtype == nw.Categorical and series.implementation.is_polars():
            # It declares nothing: its list grows with values, also those of other columns.
            column = replace(column, declared=False)
        columns.append(column)
    return columns


def _is_extension(kind: Any) -> bool:
    """Tell whether an Arrow type, or that of its values, is one of another package."""
    import pyarrow as pa

    values = kind.value_type if pa.types.is_dictionary(kind) else kind
    return isinstance(values, pa.BaseExtensionType)


def _labels_of_pandas(name: str, labels: Any) -> Column:
    """Take the categories of a pandas column by their text, such as those of intervals."""
    column = object_column(name, [str(label) for label in labels.categories])
    codes = np.append(column.codes, np.int32(-1))[labels.codes.to_numpy()]
    return replace(column, codes=codes, declared=True, category=True)


def object_column(name: str, cells: list[Any]) -> Column:
    """Find the values of a column of Python objects, of which no two need be of one type."""
    import pyarrow as pa

    try:
        return find_values(name, pa.array(cells, from_pandas=True))
    except pa.ArrowException:
        return find_values(name, pa.array([_object_text(name, cell) for cell in cells]))


def _object_text(name: str, cell: Any) -> str | None:
    # The missing values of pandas are known by name: pandas need not be installed.
    if cell is None or type(cell).__name__ in ("NAType", "NaTType"):
        return None
    if isinstance(cell, list | tuple | set | dict | np.ndarray):
        raise InputError(
            f"column {name!r} holds a {type(cell).__name__}; a cell must hold a single value"
        )
    if isinstance(cell, float | np.floating):
        if math.isnan(cell):
            return None
        return number_text(float(cell))
    return str(cell)


def as_numbers(values: Any) -> NDArray[np.float64] | None:
    """Return the values of an Arrow array as numbers, or None if one of them is not a number."""
    import pyarrow as pa

    kind = values.type
    if pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind):
        return numbers_of(values.cast(pa.float64(), safe=False), np.nan)
    if not is_text(kind) or len(values) == 0:
        return None
    try:
        numbers = numbers_of(values.cast(pa.float64()), np.nan)
    except pa.ArrowInvalid:
        return None
    return None if np.isnan(numbers).any() else numbers


def is_text(kind: Any) -> bool:
    """Tell whether an Arrow type is one of text."""
    import pyarrow as pa

    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def ordered(
    values: Any, numbers: NDArray[np.float64] | None, declared: bool
) -> tuple[list[str], NDArray[np.int64]]:
    """Return the names of the values in order, and the position of each value in that order."""
    names = value_names(values)
    order = list(range(len(names)))
    if not declared:
        # Text breaks ties, such as those of "1" and "1.0", which are kept as they were written.
        order.sort(key=lambda i: (0.0 if numbers is None else numbers[i], names[i]))
    position = np.empty(len(order), dtype=np.int64)
    position[order] = np.arange(len(order))
    return [names[i] for i in order], position


def value_names(values: Any) -> list[str]:
    """Name the values of an Arrow array."""
    import pyarrow as pa

    kind = values.type
    if pa.types.is_floating(kind):
        floats = numbers_of(values, np.nan)
        # str of a numpy float is the shortest text that reads back as this float32 or float64.
        whole = all(map(is_whole, floats))
        return [str(int(number)) if whole else str(number) for number in floats]
    if not pa.types.is_boolean(kind):  # which Arrow would call "true" and "false"
        try:
            names: list[str] = values.cast(pa.string()).to_pylist()
        except pa.ArrowException:
            return [str(value) for value in values.to_pylist()]
        if pa.types.is_timestamp(kind):
            if all(name.rstrip("0").endswith(".") for name in names):
                names = [name.rstrip("0")[:-1] for name in names]
            if all(name.endswith(" 00:00:00") for name in names):
                names = [name.removesuffix(" 00:00:00") for name in names]
        return names
    return [str(value) for value in values.to_pylist()]


def duplicates(names: Iterable[str]) -> str:
    """Say which names occur more than once."""
    repeated = [repr(name) for name, count in Counter(names).items() if count > 1]
    return f"duplicate column names: {listed(repeated)}"
