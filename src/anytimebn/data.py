"""Discrete data: any table becomes a `Dataset`, a matrix of small codes with the names they mean.

A table arrives as *columns*: the distinct values of each column, found with Arrow and never one
cell at a time, and for every row the number of its value. `encode` then settles missing values,
cuts many-valued numbers into intervals, and puts the values in order.

A value that was never seen is not a value: what a pandas ``Categorical`` or an Arrow dictionary
could hold does not count. The exceptions are ``.dat`` files and nominal attributes of ARFF files:
there the file declares the domain of its variables, and the scores depend on its size.
"""

from __future__ import annotations

import math
import os
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

import numpy as np

from anytimebn.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

MAX_STATES = 2**16
"""As many values as a code can tell apart."""

MAX_DISTINCT_NUMBERS = 32
"""A column with more distinct numbers than this is a measurement, not a category."""

MISSING_TEXT = ("", "NA", "N/A", "NaN", "nan", "null", "NULL", "?")
"""What counts as a missing value in a text file."""

BLANKS = " \t\r\n\v\f"
"""What is stripped from both ends of names and values in a text file."""

BinMethod = Literal["quantile", "width"]
MissingMethod = Literal["error", "drop", "category"]
Bins = int | Mapping[str, int] | None

TableLike: TypeAlias = Any
"""What `to_dataset` takes: frames share no type that could be named without importing them all."""

_LISTED_IN_A_MESSAGE = 5


@dataclass(frozen=True, eq=False, repr=False)
class Dataset:
    """Discrete data, one row of codes a variable.

    Attributes
    ----------
    names : tuple of str
        Names of the variables.
    states : tuple of tuple of str
        Value names: code ``c`` of variable ``v`` means ``states[v][c]``.
    codes : ndarray of uint16, shape (variables, rows)
        C-contiguous and read-only.
    bins : dict of str to tuple of float
        Inner cut points of the columns that were discretised; a number ``x`` of column ``name``
        has the code ``numpy.searchsorted(bins[name], x, side="right")``.
    rows_dropped : int
        Rows that were left out because they had missing values.

    Examples
    --------
    >>> data = Dataset(("rain", "wet"), (("no", "yes"),) * 2, np.array([[0, 1, 1], [0, 1, 0]]))
    >>> data
    Dataset(2 variables, 3 rows: rain (2 values), wet (2 values))
    >>> data.arities, data.rows, data.variables
    ((2, 2), 3, 2)
    """

    names: tuple[str, ...]
    states: tuple[tuple[str, ...], ...]
    codes: NDArray[np.uint16]
    bins: dict[str, tuple[float, ...]] = field(default_factory=dict)
    rows_dropped: int = 0

    def __post_init__(self) -> None:
        given = np.asarray(self.codes)
        if given.ndim != 2 or len(given) != len(self.names) or len(given) != len(self.states):
            raise InputError(
                f"a dataset needs one row of codes and one tuple of states a variable: got "
                f"{len(self.names)} names, {len(self.states)} states, codes of shape {given.shape}"
            )
        for name, states, row in zip(self.names, self.states, given, strict=True):
            if len(set(states)) != len(states) or len(states) > MAX_STATES:
                raise InputError(
                    f"variable {name!r}: states must be distinct, and at most {MAX_STATES}"
                )
            if row.size and not 0 <= row.min() <= row.max() < len(states):
                raise InputError(
                    f"variable {name!r}: codes must lie between 0 and {len(states) - 1}, "
                    f"found {row.min()} to {row.max()}"
                )
        # A view, so that the array of the caller stays as writable as it was.
        codes = np.ascontiguousarray(given, dtype=np.uint16).view()
        codes.flags.writeable = False
        object.__setattr__(self, "codes", codes)

    @property
    def arities(self) -> tuple[int, ...]:
        """Number of values of each variable."""
        return tuple(len(states) for states in self.states)

    @property
    def rows(self) -> int:
        """Number of rows."""
        return int(self.codes.shape[1])

    @property
    def variables(self) -> int:
        """Number of variables."""
        return len(self.names)

    def __repr__(self) -> str:
        shown = [
            f"{name} ({arity} value{'s' * (arity != 1)})"
            for name, arity in zip(self.names, self.arities, strict=True)
        ]
        return f"Dataset({self.variables} variables, {self.rows} rows: {_listed(shown)})"


def to_dataset(
    table: TableLike,
    *,
    bins: Bins = None,
    bin_method: BinMethod = "quantile",
    missing: MissingMethod = "error",
    header: bool = True,
    names: Sequence[str] | None = None,
) -> Dataset:
    """Make a `Dataset` of any table.

    Parameters
    ----------
    table : Dataset, path, data frame or 2-D array
        A `Dataset` is returned as it is; a path is read by `anytimebn.formats.tables.read_table`;
        frames are those of pandas, polars (lazy ones are collected), pyarrow and whatever else
        narwhals knows; arrays may hold integers, floats, booleans, text or objects.
    bins : int or mapping of str to int, optional
        Cut columns with more than 32 distinct numbers into so many intervals (a number), or
        these columns into these many intervals (a mapping). Without it such columns are refused.
    bin_method : {"quantile", "width"}
        Intervals with about as many rows each, or of the same width. Equal values always share an
        interval, and intervals without a row are merged with their neighbour, so there can be
        fewer than asked for.
    missing : {"error", "drop", "category"}
        What to do with missing values (null and NaN in frames; in text files also empty cells,
        ``NA``, ``N/A``, ``NaN``, ``nan``, ``null``, ``NULL`` and ``?``): refuse them, drop their
        rows, or make missing a value of its own.
    header : bool
        Whether the first line of a ``.csv`` or ``.tsv`` file has the names.
    names : sequence of str, optional
        Names to use instead of those of the table.

    Returns
    -------
    Dataset
        Values in ascending order when all are numbers, else in the order of their text, or as the
        file declares them. Only values that occur count, unless the file declares the domain.

    Raises
    ------
    InputError
        If the table cannot be used; the message names the place.

    Examples
    --------
    >>> data = to_dataset(np.array([[1, 10], [0, 2], [1, 2]]), names=["A", "B"])
    >>> data.states
    (('0', '1'), ('2', '10'))
    >>> data.codes
    array([[1, 0, 1],
           [1, 0, 0]], dtype=uint16)
    """
    if isinstance(table, Dataset):
        return table
    if isinstance(table, str | os.PathLike):
        from anytimebn.formats.tables import read_table

        return read_table(
            table, header=header, bins=bins, bin_method=bin_method, missing=missing, names=names
        )
    return encode(
        _array_columns(table) if isinstance(table, np.ndarray) else _frame_columns(table),
        source="the table",
        bins=bins,
        bin_method=bin_method,
        missing=missing,
        names=names,
    )


# --- columns: the distinct values of a column, and for every row the number of its value ---


@dataclass(frozen=True, eq=False)
class Column:
    """A column before it is encoded; `values` is an Arrow array of distinct values, none null."""

    name: str
    codes: NDArray[np.int32]  # number of each row's value; -1 where it is missing
    values: Any
    declared: bool = False  # all of `values` are states, in this order, whether seen or not


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
        Whether they come from a text file, where blanks are stripped and some words mean missing.
    domain : iterable of str
        Values that are declared and so never mean missing.

    Returns
    -------
    Column
        Values in order of first appearance.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    kind = cells.type.value_type if pa.types.is_dictionary(cells.type) else cells.type
    if pa.types.is_nested(kind):
        raise InputError(f"column {name!r} holds {kind}; a cell must hold a single value")
    try:
        if pa.types.is_null(kind) or cells.type == pa.string_view():
            cells = cells.cast(pa.string())
        elif pa.types.is_float16(kind):
            cells = cells.cast(pa.float32())
        if not pa.types.is_dictionary(cells.type):
            cells = pc.dictionary_encode(cells)
        if isinstance(cells, pa.ChunkedArray):
            cells = cells.unify_dictionaries().combine_chunks()
        codes = cells.indices.cast(pa.int32()).fill_null(-1).to_numpy()
        values = cells.dictionary
        if pa.types.is_floating(values.type):
            values = pc.add(values, pa.scalar(0.0, values.type))  # -0.0 and 0.0 are one value
            is_missing = pc.is_nan(values)
            values = pc.if_else(is_missing, pa.scalar(None, values.type), values)
        elif from_text:
            values = pc.utf8_trim(values, characters=BLANKS)
            words = pa.array(sorted(set(MISSING_TEXT) - set(domain)), values.type)
            is_missing = pc.is_in(values, value_set=words)
            values = pc.if_else(is_missing, pa.scalar(None, values.type), values)
        # What was two values may be one now, and what was a value may be missing.
        again = values.dictionary_encode()
    except pa.ArrowException as error:
        raise InputError(f"column {name!r} holds {kind}, which cannot be used: {error}") from error
    if len(again.dictionary) < len(values):
        codes = np.append(again.indices.fill_null(-1).to_numpy(), -1)[codes]
    return Column(name, codes.astype(np.int32, copy=False), again.dictionary)


def _array_columns(array: NDArray[Any]) -> list[Column]:
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
            columns.append(_object_column(name, cells.tolist()))
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


def _frame_columns(table: Any) -> list[Column]:
    import narwhals as nw
    import pyarrow as pa

    try:
        frame = nw.from_native(table, pass_through=True)
    except nw.exceptions.DuplicateError as error:
        labels = getattr(table, "column_names", None) or table.columns
        raise InputError(f"the table: {_duplicates(map(str, labels))}") from error
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
            columns.append(_object_column(name, series.to_list()))
            continue
        try:
            cells = series.to_arrow()
        except pa.ArrowException:  # such as a pandas Categorical over unlike values
            columns.append(_object_column(name, series.to_list()))
            continue
        columns.append(find_values(name, cells))
    return columns


def _object_column(name: str, cells: list[Any]) -> Column:
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
        return _number_text(float(cell))
    return str(cell)


# --- encoding ---


def encode(
    columns: Sequence[Column],
    *,
    source: str,
    place: Callable[[int], str] = "row {} (counted from 0)".format,
    bins: Bins = None,
    bin_method: BinMethod = "quantile",
    missing: MissingMethod = "error",
    names: Sequence[str] | None = None,
) -> Dataset:
    """Make a `Dataset` of columns.

    Parameters
    ----------
    columns : sequence of Column
        At least two, of the same length.
    source : str
        What messages call the table.
    place : callable
        What messages call a row, given its number.
    bins, bin_method, missing, names
        As for `to_dataset`.

    Returns
    -------
    Dataset
        The data, encoded.
    """
    if bin_method not in get_args(BinMethod):
        raise InputError(f"bin_method is {bin_method!r}; choose one of {get_args(BinMethod)}")
    if missing not in get_args(MissingMethod):
        raise InputError(f"missing is {missing!r}; choose one of {get_args(MissingMethod)}")
    final_names = _checked_names(columns, names, source)
    bins_for_all, bins_of = _checked_bins(bins, final_names, source)
    all_rows = len(columns[0].codes)
    if all_rows == 0:
        raise InputError(f"{source}: no rows of data")

    keep = _rows_to_keep(columns, final_names, missing, source, place)
    rows = all_rows if keep is None else int(keep.sum())
    if rows == 0:
        raise InputError(f"{source}: every one of the {all_rows} rows has a missing value")

    codes = np.empty((len(columns), rows), dtype=np.uint16)
    states: list[tuple[str, ...]] = []
    cuts_of: dict[str, tuple[float, ...]] = {}
    refused: list[str] = []
    for row, (name, column) in enumerate(zip(final_names, columns, strict=True)):
        found = column.codes if keep is None else column.codes[keep]
        # The last count is that of the missing values, whose code -1 also indexes it below.
        counts = np.bincount(
            np.where(found < 0, len(column.values), found), minlength=len(column.values) + 1
        )
        seen = np.flatnonzero((counts[:-1] > 0) | column.declared)
        values = column.values.take(seen)
        numbers = as_numbers(values)
        wanted = bins_of.get(name)
        many = numbers is not None and len(seen) > MAX_DISTINCT_NUMBERS and not column.declared
        if many and wanted is None:
            if bins_for_all is None:
                refused.append(f"{name!r} ({len(seen)} distinct numbers)")
                continue
            wanted = bins_for_all
        if wanted is not None:
            where = f"{source}: column {name!r}"
            if numbers is None:
                raise InputError(f"{where} cannot be cut into bins: not all its values are numbers")
            cuts, code_of_seen = _cut(numbers, counts[seen], wanted, bin_method, where)
            cuts_of[name] = cuts
            state_names = _interval_names(cuts)
        else:
            if len(seen) > MAX_STATES:
                raise InputError(
                    f"{source}: column {name!r} has {len(seen)} distinct values, more than the "
                    f"{MAX_STATES} that are possible; leave it out if it only tells rows apart"
                )
            state_names, code_of_seen = _ordered(values, numbers, column.declared)
        if counts[-1]:
            state_names.append(_unused_name("missing", state_names))
            if len(state_names) > MAX_STATES:
                raise InputError(f"{source}: column {name!r} has more than {MAX_STATES} values")
        code_of_value = np.full(len(counts), len(state_names) - 1, dtype=np.uint16)
        code_of_value[seen] = code_of_seen
        codes[row] = code_of_value[found]
        states.append(tuple(state_names))
    if refused:
        raise InputError(
            f"{source}: too many distinct numbers (more than {MAX_DISTINCT_NUMBERS}) in column "
            f"{_listed(refused)}; cut them into intervals with --bins K (bins=K in Python), "
            f"or leave the column out"
        )
    return Dataset(final_names, tuple(states), codes, cuts_of, all_rows - rows)


def _checked_names(
    columns: Sequence[Column], names: Sequence[str] | None, source: str
) -> tuple[str, ...]:
    if names is not None and (isinstance(names, str) or len(names) != len(columns)):
        raise InputError(f"{source}: {len(names)} names were given for {len(columns)} columns")
    final = tuple(map(str, names)) if names is not None else tuple(c.name for c in columns)
    for number, name in enumerate(final, start=1):
        if not name.strip():
            raise InputError(
                f"{source}: column {number} has no name; name it, or leave it out if it only "
                f"numbers the rows"
            )
    if len(set(final)) < len(final):
        raise InputError(f"{source}: {_duplicates(final)}")
    if len(final) < 2:
        raise InputError(
            f"{source}: {f'only one column, {final[0]!r}' if final else 'no columns'}; at least "
            f"two are needed"
        )
    return final


def _checked_bins(
    bins: Bins, names: tuple[str, ...], source: str
) -> tuple[int | None, dict[str, int]]:
    """Check both forms of `bins`; return that for all many-valued columns and those by name."""
    by_name = dict(bins) if isinstance(bins, Mapping) else {}
    for_all = None if isinstance(bins, Mapping) else bins
    asked = [("bins", for_all)] if for_all is not None else []
    for option, wanted in asked + [(f"bins of {name!r}", k) for name, k in by_name.items()]:
        if isinstance(wanted, bool) or not isinstance(wanted, int | np.integer):
            raise InputError(f"{option} is {wanted!r}; a whole number is needed")
        if not 2 <= wanted <= MAX_STATES:
            raise InputError(f"{option} is {wanted}; it must be from 2 to {MAX_STATES}")
    unknown = [repr(name) for name in by_name if name not in names]
    if unknown:
        raise InputError(
            f"{source}: bins for unknown column {_listed(unknown)}; the columns are "
            f"{_listed([repr(name) for name in names])}"
        )
    return for_all, by_name


def _rows_to_keep(
    columns: Sequence[Column],
    names: tuple[str, ...],
    missing: MissingMethod,
    source: str,
    place: Callable[[int], str],
) -> NDArray[np.bool_] | None:
    """Which rows to keep, or None for all of them; refuse missing values where that is asked."""
    if missing == "category":
        return None
    with_missing = [(n, c.codes < 0) for n, c in zip(names, columns, strict=True)]
    with_missing = [(name, holes) for name, holes in with_missing if holes.any()]
    if not with_missing:
        return None
    if missing == "drop":
        complete: NDArray[np.bool_] = ~np.any([holes for _, holes in with_missing], axis=0)
        return complete
    # The place of a row may cost a look at the file again: only for columns that are listed.
    told = [
        f"{name!r} ({holes.sum()} missing, first at {place(int(holes.argmax()))})"
        for name, holes in with_missing[:_LISTED_IN_A_MESSAGE]
    ]
    raise InputError(
        f"{source}: missing values in column {_listed(told, of=len(with_missing))}; drop their "
        f"rows or make missing a value of its own with --missing drop|category "
        f'(missing="drop" or "category" in Python)'
    )


# --- values: their names, their order, and intervals of them ---


def as_numbers(values: Any) -> NDArray[np.float64] | None:
    """Return the values of an Arrow array as numbers, or None if one of them is not a number."""
    import pyarrow as pa

    kind = values.type
    if pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind):
        return np.asarray(values.cast(pa.float64(), safe=False).to_numpy(zero_copy_only=False))
    if not (pa.types.is_string(kind) or pa.types.is_large_string(kind)) or len(values) == 0:
        return None
    try:
        numbers = np.asarray(values.cast(pa.float64()).to_numpy(zero_copy_only=False))
    except pa.ArrowInvalid:
        return None
    return None if np.isnan(numbers).any() else numbers


def _ordered(
    values: Any, numbers: NDArray[np.float64] | None, declared: bool
) -> tuple[list[str], NDArray[np.int64]]:
    """Return the names of the values in order, and the position of each value in that order."""
    names = _value_names(values)
    order = list(range(len(names)))
    if not declared:
        # Text breaks ties, such as those of "1" and "1.0", which are kept as they were written.
        order.sort(key=lambda i: (0.0 if numbers is None else numbers[i], names[i]))
    position = np.empty(len(order), dtype=np.int64)
    position[order] = np.arange(len(order))
    return [names[i] for i in order], position


def _value_names(values: Any) -> list[str]:
    import pyarrow as pa

    kind = values.type
    if pa.types.is_floating(kind):
        floats = values.to_numpy(zero_copy_only=False)
        # str of a numpy float is the shortest text that reads back as this float32 or float64.
        whole = all(map(_is_whole, floats))
        return [str(int(number)) if whole else str(number) for number in floats]
    if not pa.types.is_boolean(kind):  # which Arrow would call "true" and "false"
        try:
            names: list[str] = values.cast(pa.string()).to_pylist()
        except pa.ArrowException:
            return [str(value) for value in values.to_pylist()]
        if pa.types.is_timestamp(kind) and all(name.rstrip("0").endswith(".") for name in names):
            return [name.rstrip("0")[:-1] for name in names]
        return names
    return [str(value) for value in values.to_pylist()]


def _cut(
    numbers: NDArray[np.float64],
    counts: NDArray[np.int64],
    bins: int,
    method: BinMethod,
    where: str,
) -> tuple[tuple[float, ...], NDArray[np.int64]]:
    """Cut numbers into intervals; return the inner cut points and the interval of each number.

    Both methods first propose boundaries *between* neighbouring distinct values, so that equal
    values are never separated and no interval is empty. A quantile is a boundary nearest to the
    wanted share of rows rather than a value: a value that fills more than one share would
    otherwise be its own upper neighbour, and swallow the whole column.
    """
    if not np.isfinite(numbers).all():
        raise InputError(f"{where} cannot be cut into bins: it has infinite values")
    distinct, place = np.unique(numbers, return_inverse=True)
    if len(distinct) < 2:
        return (), np.zeros(len(numbers), dtype=np.int64)
    shares = np.arange(1, bins) / bins
    if method == "width":
        low, high = distinct[0], distinct[-1]
        # Four digits of the width are plenty, and make cut points that people can read.
        digits = 3 - math.floor(math.log10(high / bins - low / bins or math.ulp(0.0)))
        proposed = np.array([round(float(c), digits) for c in low * (1 - shares) + high * shares])
        boundaries, first = np.unique(np.searchsorted(distinct, proposed), return_index=True)
        inner = (boundaries > 0) & (boundaries < len(distinct))
        cuts = proposed[first[inner]]
    else:
        rows_below = np.cumsum(np.bincount(place, weights=counts))
        wanted = shares * rows_below[-1]
        # rows_below[j] rows lie below a boundary in front of value j + 1.
        after = np.clip(np.searchsorted(rows_below, wanted), 1, len(distinct) - 1)
        before = after - 1
        nearer_before = wanted - rows_below[before] <= rows_below[after] - wanted
        boundaries = np.where(nearer_before, before, after) + 1
        above = np.unique(np.minimum(boundaries, len(distinct) - 1))
        cuts = np.array([_shortest(distinct[i - 1], distinct[i]) for i in above])
    return tuple(cuts.tolist()), np.searchsorted(cuts, numbers, side="right")


def _shortest(below: float, above: float) -> float:
    """Return a number with few digits that is more than `below` and at most `above`."""
    middle = below / 2 + above / 2
    for digits in range(1, 17):
        for number in (float(f"{above:.{digits}g}"), float(f"{middle:.{digits}g}")):
            if below < number <= above:
                return number
    return float(above)


def _interval_names(cuts: Sequence[float]) -> list[str]:
    ends = ["-inf", *map(_number_text, cuts), "inf"]
    opening = ["(", *("[" for _ in cuts)]
    return [
        f"{bracket}{low}, {high})"
        for bracket, low, high in zip(opening, ends[:-1], ends[1:], strict=True)
    ]


def _number_text(number: float) -> str:
    return str(int(number)) if _is_whole(number) else repr(number)


def _is_whole(number: float) -> bool:
    return bool(abs(number) < 2**53 and number == int(number))


def _unused_name(name: str, taken: Iterable[str]) -> str:
    taken = set(taken)
    while name in taken:
        name += "_"
    return name


def _duplicates(names: Iterable[str]) -> str:
    repeated = [repr(name) for name, count in Counter(names).items() if count > 1]
    return f"duplicate column names: {_listed(repeated)}"


def _listed(items: Sequence[str], of: int | None = None) -> str:
    shown = list(items[:_LISTED_IN_A_MESSAGE])
    rest = (len(items) if of is None else of) - len(shown)
    return ", ".join(shown) + (f" and {rest} more" if rest else "")
