"""Discrete data: any table becomes a `Dataset`, a matrix of small codes with the names they mean.

A table arrives as *columns* (`anytimebn.columns`). `encode` settles missing values, cuts
many-valued numbers into intervals (`anytimebn.intervals`), and puts the values in order.

A value that was never seen is not a value: what a pandas ``Categorical`` or an Arrow dictionary
could hold does not count. The exceptions are ``.dat`` files and nominal attributes of ARFF files:
there the file declares the domain of its variables, and the scores depend on its size.
"""

from __future__ import annotations

import logging
import os
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence, Sized
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

import numpy as np

from anytimebn.argument_checks import are_names, did_you_mean, is_list, shown, unknown_name
from anytimebn.columns import (
    BLANKS,
    LISTED_IN_A_MESSAGE,
    MISSING_TEXT,
    Column,
    array_columns,
    as_numbers,
    duplicates,
    find_values,
    frame_columns,
    listed,
    ordered,
)
from anytimebn.errors import DataWarning, InputError
from anytimebn.intervals import BinMethod, cut, interval_names

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = [
    "BLANKS",
    "MAX_DISTINCT_NUMBERS",
    "MAX_STATES",
    "MISSING_TEXT",
    "BinMethod",
    "Bins",
    "Column",
    "Dataset",
    "MissingMethod",
    "TableLike",
    "as_numbers",
    "encode",
    "find_values",
    "to_dataset",
]

LOG = logging.getLogger(__name__)

READING = ("bins", "bin_method", "missing", "header", "exclude")
"""Options of `to_dataset` that functions which take tables pass on."""

MAX_STATES = 2**16
"""As many values as a code can tell apart."""

MAX_DISTINCT_NUMBERS = 32
"""A column with more distinct numbers than this is a measurement, not a category."""

MissingMethod = Literal["error", "drop", "category"]
Bins = int | Mapping[str, int] | None

TableLike: TypeAlias = Any
"""What `to_dataset` takes: frames share no type that could be named without importing them all."""


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
        if not (is_list(self.names) and is_list(self.states) and all(map(is_list, self.states))):
            raise InputError(
                f"a dataset needs a tuple of names and one of states a variable: got "
                f"{shown(self.names)} and {shown(self.states)}"
            )
        if given.dtype.kind not in "biuf" or (given.dtype.kind == "f" and (given % 1 > 0).any()):
            raise InputError(f"a dataset needs codes that are whole numbers: got {shown(given)}")
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

    def to_arrow(self) -> Any:
        """Convert to a `pyarrow.Table` of value names, or of numbers where all names are numbers.

        Examples
        --------
        >>> data = Dataset(("n", "wet"), (("1", "2"), ("no", "yes")), np.array([[0, 1], [1, 1]]))
        >>> data.to_arrow().to_pydict()
        {'n': [1, 2], 'wet': ['yes', 'yes']}
        """
        from anytimebn.frames import to_arrow

        return to_arrow(self)

    def to_pandas(self) -> Any:
        """Convert to a `pandas.DataFrame`; text becomes categorical columns."""
        from anytimebn.frames import to_pandas

        return to_pandas(self)

    def to_polars(self) -> Any:
        """Convert to a `polars.DataFrame`; text becomes categorical columns."""
        from anytimebn.frames import to_polars

        return to_polars(self)

    def __repr__(self) -> str:
        shown = [
            f"{name} ({arity} value{'s' * (arity != 1)})"
            for name, arity in zip(self.names, self.arities, strict=True)
        ]
        return f"Dataset({self.variables} variables, {self.rows} rows: {listed(shown)})"


def to_dataset(
    table: TableLike,
    *,
    bins: Bins = None,
    bin_method: BinMethod = "quantile",
    missing: MissingMethod = "error",
    header: bool = True,
    exclude: Sequence[str] = (),
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
    exclude : sequence of str
        Columns to leave out, such as numbers of rows.
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
        if not is_list(exclude) or exclude:
            raise InputError("columns cannot be left out of a Dataset: do it when it is made")
        return table
    if isinstance(table, str | os.PathLike):
        from anytimebn.formats.tables import read_table

        return read_table(
            table,
            header=header,
            exclude=exclude,
            bins=bins,
            bin_method=bin_method,
            missing=missing,
            names=names,
        )
    return encode(
        array_columns(table) if isinstance(table, np.ndarray) else frame_columns(table),
        source="the table",
        exclude=exclude,
        bins=bins,
        bin_method=bin_method,
        missing=missing,
        names=names,
    )


def encode(
    columns: Sequence[Column],
    *,
    source: str,
    place: Callable[[int], str] = "row {} (counted from 0)".format,
    exclude: Sequence[str] = (),
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
    exclude, bins, bin_method, missing, names
        As for `to_dataset`.

    Returns
    -------
    Dataset
        The data, encoded.
    """
    if bin_method not in get_args(BinMethod):
        raise InputError(unknown_name("bin_method", bin_method, get_args(BinMethod)))
    if missing not in get_args(MissingMethod):
        raise InputError(unknown_name("value of missing", missing, get_args(MissingMethod)))
    _check_count(names, columns, source)
    columns, names = _without(exclude, columns, names, source)
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
            cuts, code_of_seen = cut(numbers, counts[seen], wanted, bin_method, where)
            cuts_of[name] = cuts
            state_names = interval_names(cuts)
        else:
            if len(seen) > MAX_STATES:
                raise InputError(
                    f"{source}: column {name!r} has {len(seen)} distinct values, more than the "
                    f"{MAX_STATES} that are possible; leave it out if it only tells rows apart"
                )
            state_names, code_of_seen = ordered(values, numbers, column.declared)
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
            f"{listed(refused)}; cut them into intervals with --bins K (bins=K in Python), "
            f"or leave the column out"
        )
    dataset = Dataset(final_names, tuple(states), codes, cuts_of, all_rows - rows)
    _tell(dataset, source)
    return dataset


def _tell(dataset: Dataset, source: str) -> None:
    """Log what was read, and warn of columns that only tell rows apart."""
    LOG.info(
        "%s: %s rows, %s variables of %s to %s values%s%s",
        source,
        f"{dataset.rows:,}",
        f"{dataset.variables:,}",
        min(map(len, dataset.states)),
        max(map(len, dataset.states)),
        f"; {dataset.rows_dropped:,} rows with missing values dropped"
        if dataset.rows_dropped
        else "",
        f"; cut into intervals: {', '.join(dataset.bins)}" if dataset.bins else "",
    )
    most = max(dataset.rows / 2, MAX_DISTINCT_NUMBERS)
    for name, own, codes in zip(dataset.names, dataset.states, dataset.codes, strict=True):
        if len(own) > most and (seen := len(np.unique(codes))) > most:
            warnings.warn(
                f"{source}: column {name!r} has {seen} values in {dataset.rows} rows; leave it out "
                f"(--exclude, in Python exclude=[{name!r}]) if it only tells them apart",
                DataWarning,
                stacklevel=2,
            )


def _without(
    exclude: Sequence[str],
    columns: Sequence[Column],
    names: Sequence[str] | None,
    source: str,
) -> tuple[Sequence[Column], Sequence[str] | None]:
    """Leave columns out, by the names that they are to have."""
    if not are_names(exclude):
        raise InputError(f"exclude must be a list of names of columns, not {shown(exclude)}")
    called = [column.name for column in columns] if names is None else list(map(str, names))
    for name in exclude:
        if name not in called:
            raise InputError(f"{source}: exclude: {unknown_name('column', name, called)}")
    kept = [number for number, name in enumerate(called) if name not in exclude]
    return [columns[number] for number in kept], None if names is None else [
        called[number] for number in kept
    ]


def _check_count(names: Sequence[str] | None, columns: Sequence[Column], source: str) -> None:
    if names is not None and (isinstance(names, str) or not isinstance(names, Sized)):
        raise InputError(f"{source}: names must be a list of names, not {shown(names)}")
    if names is not None and len(names) != len(columns):
        raise InputError(
            f"{source}: {len(names)} names were given for {len(columns)} columns; give one for each"
        )


def _checked_names(
    columns: Sequence[Column], names: Sequence[str] | None, source: str
) -> tuple[str, ...]:
    final = tuple(map(str, names)) if names is not None else tuple(c.name for c in columns)
    for number, name in enumerate(final, start=1):
        if not name.strip():
            raise InputError(
                f"{source}: column {number} has no name; name it, or leave it out if it only "
                f"numbers the rows"
            )
    if len(set(final)) < len(final):
        raise InputError(f"{source}: {duplicates(final)}")
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
        first = next(name for name in by_name if name not in names)
        raise InputError(
            f"{source}: bins for unknown column {listed(unknown)}{did_you_mean(first, names)}; the "
            f"columns are {listed([repr(name) for name in names])}"
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
        for name, holes in with_missing[:LISTED_IN_A_MESSAGE]
    ]
    raise InputError(
        f"{source}: missing values in column {listed(told, of=len(with_missing))}; drop their "
        f"rows or make missing a value of its own with --missing drop|category "
        f'(missing="drop" or "category" in Python)'
    )


def _unused_name(name: str, taken: Iterable[str]) -> str:
    taken = set(taken)
    while name in taken:
        name += "_"
    return name
