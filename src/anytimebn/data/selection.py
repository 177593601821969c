"""Which columns of a table are variables, under which names, and how often each row counts."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from anytimebn.base.errors import DataWarning, InputError
from anytimebn.base.memory_units import format_memory
from anytimebn.base.resources import memory_to_use
from anytimebn.base.text import did_you_mean, listed, listed_names, unknown_name
from anytimebn.base.warn import warn_caller
from anytimebn.data.columns import as_numbers, duplicates, value_names
from anytimebn.data.faults import Faults

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from anytimebn.data.columns import Column
    from anytimebn.data.options import TableOptions

UNNAMED = re.compile(r"|Unnamed: 0(\.\d+)?")
"""What the row labels of a data frame are called in a file, and by those who read that file."""

MOST_ROWS = 2**31 - 1
"""As many as the core can count."""


@dataclass(frozen=True, eq=False)
class Selection:
    """The variables, and the weight of each row; None if all count once."""

    names: tuple[str, ...]
    columns: Sequence[Column]
    weights: NDArray[np.int64] | None = None


def select(columns: Sequence[Column], options: TableOptions, source: str) -> Selection:
    """Take the columns that are variables, or say what is wrong with them."""
    called = names_of(columns, options, source)
    faults = Faults(source)
    with faults.gathered():
        _check_known("exclude", options.exclude, called)
    weights = None
    left_out = set(options.exclude)
    if options.weights is not None:
        with faults.gathered():
            _check_known("weights", [options.weights], called)
            weights = weights_of(columns[called.index(options.weights)], options.weights)
        left_out.add(options.weights)
    chosen = [
        (name, column) for name, column in zip(called, columns, strict=True) if name not in left_out
    ]
    if len(chosen) > 1 and _is_numbering(*chosen[0]):
        _warn_of_row_labels(chosen.pop(0)[0], source)
    final = tuple(name for name, _ in chosen)
    for check in (_check_named, _check_distinct, _check_several):
        with faults.gathered():
            check(final)
    if options.categorical != "all":
        with faults.gathered():
            _check_known("categorical", options.categorical, final)
    with faults.gathered():
        _check_binned(options.bins_by_name, final)
    if weights is not None:
        with faults.gathered():
            _check_room(int(weights.sum()), len(final))
    faults.tell()
    return Selection(final, [column for _, column in chosen], weights)


def names_of(columns: Sequence[Column], options: TableOptions, source: str) -> list[str]:
    """Give what the columns are called: as the options say, or as the table does."""
    names = options.names
    if names is None:
        return [column.name for column in columns]
    if len(names) != len(columns):
        raise InputError(
            f"{source}: {len(names)} names were given for {len(columns)} columns; give one for each"
        )
    return list(names)


def _is_numbering(name: str, column: Column) -> bool:
    """Whether a first column holds the row labels that a data frame writes to a file."""
    if not UNNAMED.fullmatch(name) or (column.codes < 0).any():
        return False
    if len(np.unique(column.codes)) < len(column.codes):
        return False
    # Without a name it can be nothing else; with one that pandas has given, it must count rows.
    if not name:
        return True
    numbers = as_numbers(column.values)
    if numbers is None:
        return False
    counted = numbers[column.codes]
    return bool((np.diff(counted) == 1).all())


def _warn_of_row_labels(name: str, source: str) -> None:
    what = "without a name" if not name else repr(name)
    warn_caller(
        f"{source}: the first column, {what}, labels the rows and is left out; write the file "
        f"without row labels (DataFrame.to_csv(..., index=False)), or give the column another name "
        f"to keep it",
        DataWarning,
    )


def weights_of(column: Column, name: str) -> NDArray[np.int64]:
    """Read how often each row counts."""
    where = f"weights: column {name!r}"
    missing = column.codes < 0
    if missing.any():
        raise InputError(f"{where} has {missing.sum()} missing values; every row needs a weight")
    numbers = as_numbers(column.values)
    if numbers is None:
        raise InputError(f"{where} has values that are not numbers; give one of whole numbers")
    for number, value in zip(numbers.tolist(), value_names(column.values), strict=True):
        if not number >= 0 or number > MOST_ROWS:
            raise InputError(f"{where} has the value {value}; weights go from 0 to {MOST_ROWS:,}")
        if number != int(number):
            raise InputError(
                f"{where} has the value {value}; weights say how often a row counts, in whole "
                f"numbers: divide them by their mean, and round them"
            )
    counts = numbers.astype(np.int64)[column.codes]
    if len(counts) and not counts.any():
        raise InputError(f"{where} is 0 in every row; no row would count")
    return counts


def _check_room(rows: int, columns: int) -> None:
    """Refuse weights that repeat rows so often that they cannot be held."""
    needed, room = bytes_of_repeated_rows(rows, columns), memory_to_use(None)
    if rows > MOST_ROWS or needed > room:
        raise InputError(
            f"weights sum up to {rows:,} rows of {columns} columns, which take "
            f"{format_memory(needed)}; {format_memory(room)} can be used: divide the weights by "
            f"what makes them smaller, and round them"
        )


def bytes_of_repeated_rows(rows: int, columns: int) -> int:
    """Give the memory that a table takes while its rows are repeated by weights.

    Every row has a code in each column and the number of the row that it repeats. The column at
    hand has its values, as they are and for being counted, and counting makes a copy; the codes of
    the column before are still there.

    Examples
    --------
    >>> bytes_of_repeated_rows(1_000_000, columns=6)
    38000000
    """
    code, value, number = (np.dtype(kind).itemsize for kind in (np.uint16, np.int32, np.int64))
    return rows * ((columns + 1) * code + 2 * value + 2 * number)


def _check_named(names: Sequence[str]) -> None:
    nameless = [str(number) for number, name in enumerate(names, start=1) if not name.strip()]
    if len(nameless) == 1:
        raise InputError(
            f"column {nameless[0]} has no name; name it, or leave it out if it only numbers the "
            f"rows"
        )
    if nameless:
        raise InputError(f"columns {listed(nameless)} have no name; name them")


def _check_distinct(names: Sequence[str]) -> None:
    if len(set(names)) < len(names):
        raise InputError(duplicates(names))


def _check_several(names: Sequence[str]) -> None:
    if len(names) < 2:
        raise InputError(
            f"{f'only one column, {names[0]!r}' if names else 'no columns'}; at least two are "
            f"needed"
        )


def _check_known(option: str, given: Iterable[str], names: Sequence[str]) -> None:
    unknown = [name for name in given if name not in names]
    if len(unknown) == 1:
        raise InputError(f"{option}: {unknown_name('column', unknown[0], names)}")
    if unknown:
        told = [f"{name!r}{did_you_mean(name, names)}" for name in unknown]
        raise InputError(
            f"{option}: unknown columns {listed(told)}; the columns are {listed_names(names)}"
        )


def _check_binned(by_name: Iterable[str], names: Sequence[str]) -> None:
    """Refuse to cut columns that are not there."""
    unknown = [name for name in by_name if name not in names]
    if unknown:
        raise InputError(
            f"bins for unknown column {listed(list(map(repr, unknown)))}"
            f"{did_you_mean(unknown[0], names)}; the columns are "
            f"{listed([repr(name) for name in names])}"
        )
