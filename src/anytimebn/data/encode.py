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
from typing import TYPE_CHECKING

import numpy as np

from anytimebn.base.errors import DataWarning, InputError
from anytimebn.base.text import LISTED_IN_A_MESSAGE, did_you_mean, listed, unknown_name
from anytimebn.data.arrow_arrays import positions_array
from anytimebn.data.columns import (
    Column,
    as_numbers,
    duplicates,
    ordered,
)
from anytimebn.data.dataset import MAX_STATES, Dataset
from anytimebn.data.intervals import cut, interval_names

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

    from numpy.typing import NDArray

    from anytimebn.data.options import MissingMethod, TableOptions

LOG = logging.getLogger(__name__)


MAX_DISTINCT_NUMBERS = 32
"""A column with more distinct numbers than this is a measurement, not a category."""


def encode(
    columns: Sequence[Column],
    options: TableOptions,
    *,
    source: str,
    place: Callable[[int], str],
) -> Dataset:
    """Make a `Dataset` from columns.

    Parameters
    ----------
    columns : sequence of Column
        At least two, of the same length.
    options : TableOptions
        What to leave out, how to name and cut the rest, and what to do with missing values.
    source : str
        What messages call the table.
    place : callable
        What messages call a row, given its number.

    Returns
    -------
    Dataset
        The data, encoded.
    """
    _check_count(options.names, columns, source)
    columns, names = _without(options.exclude, columns, options.names, source)
    final_names = _checked_names(columns, names, source)
    bins_by_name = options.bins_by_name
    _check_binned(bins_by_name, final_names, source)
    all_rows = len(columns[0].codes)
    if all_rows == 0:
        raise InputError(f"{source}: no rows of data")

    keep = _rows_to_keep(columns, final_names, options.missing, source, place)
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
        values = column.values.take(positions_array(seen))
        numbers = as_numbers(values)
        wanted = bins_by_name.get(name)
        many = numbers is not None and len(seen) > MAX_DISTINCT_NUMBERS and not column.declared
        if many and wanted is None:
            if options.bins_of_all is None:
                refused.append(f"{name!r} ({len(seen)} distinct numbers)")
                continue
            wanted = options.bins_of_all
        if wanted is not None:
            where = f"{source}: column {name!r}"
            if numbers is None:
                raise InputError(f"{where} cannot be cut into bins: not all its values are numbers")
            cuts, code_of_seen = cut(numbers, counts[seen], wanted, options.bin_method, where)
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
    dataset = Dataset(final_names, tuple(states), codes, cuts_of, all_rows - rows, options)
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
    exclude: Collection[str],
    columns: Sequence[Column],
    names: Sequence[str] | None,
    source: str,
) -> tuple[Sequence[Column], Sequence[str] | None]:
    """Leave columns out, by the names that they are to have."""
    called = [column.name for column in columns] if names is None else list(names)
    for name in exclude:
        if name not in called:
            raise InputError(f"{source}: exclude: {unknown_name('column', name, called)}")
    kept = [number for number, name in enumerate(called) if name not in exclude]
    return [columns[number] for number in kept], None if names is None else [
        called[number] for number in kept
    ]


def _check_count(names: Sequence[str] | None, columns: Sequence[Column], source: str) -> None:
    if names is not None and len(names) != len(columns):
        raise InputError(
            f"{source}: {len(names)} names were given for {len(columns)} columns; give one for each"
        )


def _checked_names(
    columns: Sequence[Column], names: Sequence[str] | None, source: str
) -> tuple[str, ...]:
    final = tuple(c.name for c in columns) if names is None else tuple(names)
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


def _check_binned(by_name: Iterable[str], names: Sequence[str], source: str) -> None:
    """Refuse to cut columns that are not there."""
    unknown = [name for name in by_name if name not in names]
    if unknown:
        raise InputError(
            f"{source}: bins for unknown column {listed(list(map(repr, unknown)))}"
            f"{did_you_mean(unknown[0], names)}; the columns are "
            f"{listed([repr(name) for name in names])}"
        )


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
