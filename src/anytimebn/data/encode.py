"""From columns to a `Dataset`, a matrix of small codes with the names they mean.

A table arrives as *columns* (`anytimebn.data.columns`). `encode` settles missing values, cuts
many-valued numbers into intervals (`anytimebn.data.intervals`), and puts the values in order.

A value that was never seen is not a value: what a pandas ``Categorical`` or an Arrow dictionary
could hold does not count. The exceptions are ``.dat`` files and nominal attributes of ARFF files:
there the file declares the domain of its variables, and the scores depend on its size.
"""

from __future__ import annotations

import logging
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence, Sized
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from anytimebn.base.checks import are_names
from anytimebn.base.errors import DataWarning, InputError
from anytimebn.base.text import LISTED_IN_A_MESSAGE, did_you_mean, listed, shown, unknown_name
from anytimebn.data.columns import (
    Column,
    as_numbers,
    duplicates,
    ordered,
)
from anytimebn.data.dataset import MAX_STATES, Dataset
from anytimebn.data.intervals import BinMethod, cut, interval_names

if TYPE_CHECKING:
    from numpy.typing import NDArray

LOG = logging.getLogger(__name__)


MAX_DISTINCT_NUMBERS = 32
"""A column with more distinct numbers than this is a measurement, not a category."""

MissingMethod = Literal["error", "drop", "category"]
Bins = int | Mapping[str, int] | None


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
    """Make a `Dataset` from columns.

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
                    f"{MAX_STATES} that are possible; leave it out if it only identifies rows"
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
    """Log what was read, and warn of columns that look like row identifiers."""
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
                f"(--exclude, in Python exclude=[{name!r}]) if it only identifies rows",
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
