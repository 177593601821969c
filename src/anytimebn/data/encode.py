"""From columns to a `Dataset`, a matrix of small codes with the names they mean.

A table arrives as *columns* (`anytimebn.data.columns`). `encode` leaves out what is no variable
(`anytimebn.data.selection`), repeats rows by their weights, settles missing values, cuts
many-valued numbers into intervals (`anytimebn.data.intervals`), and puts the values in order.

A value that was never seen is not a value, unless it is declared: by a categorical type, a ``.dat``
file, or a nominal attribute of an ARFF file. Scores depend on the size of the domain.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from anytimebn.base.errors import InputError
from anytimebn.base.text import LISTED_IN_A_MESSAGE, listed
from anytimebn.data.arrow_arrays import positions_array
from anytimebn.data.columns import Column, as_numbers, ordered
from anytimebn.data.dataset import MAX_STATES, Dataset
from anytimebn.data.doubts import (
    many_values,
    number_rows,
    warn_of_dropped,
    warn_of_identifiers,
    warn_of_uncut,
)
from anytimebn.data.faults import Faults
from anytimebn.data.intervals import MAX_DISTINCT_NUMBERS, cut, interval_names
from anytimebn.data.selection import Selection, select

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

    from anytimebn.data.options import Cuts, TableOptions

LOG = logging.getLogger(__name__)

WORTH_DROPPING = 0.1
"""The share of rows that may be lost for a first look at a table with missing values."""


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
    chosen = select(columns, options, source)
    all_rows = len(chosen.columns[0].codes)
    if all_rows == 0:
        raise InputError(f"{source}: no rows of data")
    faults = Faults(source)
    rows, dropped = None, 0
    with faults.gathered():
        rows, dropped = _rows_to_count(chosen, options, place)
    lacks = bool(len(faults))
    count = all_rows if rows is None else len(rows)
    if count == 0:
        raise InputError(
            f"{source}: every one of the {all_rows} rows has a missing value; keep rows with "
            f'--missing category|em (missing="category" or "em" in Python), or leave out what '
            f"lacks most with --exclude NAME (exclude=[...])"
        )

    codes = np.empty((len(chosen.columns), count), dtype=np.uint16)
    states: list[tuple[str, ...]] = []
    holes: list[NDArray[np.int64]] = []
    cuts_of: dict[str, tuple[float, ...]] = {}
    too_many: list[str] = []
    uncut: dict[str, int] = {}
    identifiers: dict[str, int] = {}
    for number, (name, column) in enumerate(zip(chosen.names, chosen.columns, strict=True)):
        with faults.gathered():
            found = column.codes if rows is None else column.codes[rows]
            made = _encode_column(name, column, found, options)
            if isinstance(made, _TooManyNumbers):
                too_many.append(f"{name!r} ({made.numbers} distinct numbers)")
                continue
            codes[number] = made.codes
            states.append(made.states)
            if made.holes.size:
                holes.append(number * count + made.holes)
            if made.cuts is not None:
                cuts_of[name] = made.cuts
                if chosen.weights is None and number_rows(made.numbers, count):
                    identifiers[name] = count
            elif made.numbers is not None:
                uncut[name] = len(made.numbers)
    with faults.gathered():
        _refuse_many_numbers(too_many)
    mendable = len(faults) == lacks + bool(too_many)
    faults.tell(_first_look(chosen, lacks=lacks, uncut=bool(too_many)) if mendable else "")
    if options.bins_of_all is not None:
        warn_of_uncut(options.bins_of_all, uncut, source, any_cut=bool(cuts_of))
    dataset = Dataset(
        chosen.names,
        tuple(states),
        codes,
        cuts_of,
        dropped,
        options,
        holes=np.concatenate(holes) if holes else None,
    )
    _tell(dataset, source)
    if options.missing == "drop":
        lacking = {
            n: int((c.codes < 0).sum()) for n, c in zip(chosen.names, chosen.columns, strict=True)
        }
        warn_of_dropped(lacking, dataset, source)
    warn_of_identifiers(identifiers | many_values(dataset), dataset, source)
    return dataset


class _Encoded(NamedTuple):
    """A column as it is going to be used."""

    codes: NDArray[np.uint16]
    states: tuple[str, ...]
    holes: NDArray[np.int64]  # rows whose value is to be completed
    cuts: tuple[float, ...] | None  # None if it is not cut
    numbers: NDArray[np.float64] | None  # its distinct values, if they are numbers to be cut


class _TooManyNumbers(NamedTuple):
    """A column that would have to be cut, and nobody said how."""

    numbers: int


def _encode_column(
    name: str, column: Column, found: NDArray[np.int32], options: TableOptions
) -> _Encoded | _TooManyNumbers:
    """Encode one column, given the codes of the rows that count."""
    all_counts = np.bincount(found + 1, minlength=len(column.values) + 1)
    missing, counts = int(all_counts[0]), all_counts[1:]
    seen = np.flatnonzero((counts > 0) | column.declared)
    values = column.values.take(positions_array(seen))
    numbers = as_numbers(values)
    where = f"column {name!r}"
    wanted = _cuts_wanted(name, column, len(seen), numbers, options, where)
    if wanted == 0:
        return _TooManyNumbers(len(seen))
    cuts = None
    if wanted is not None:
        if numbers is None:
            raise InputError(f"{where} cannot be cut into bins: not all its values are numbers")
        cuts, code_of_seen = cut(numbers, counts[seen], wanted, options.bin_method, where)
        state_names = interval_names(cuts)
    else:
        if len(seen) > MAX_STATES:
            raise InputError(
                f"{where} has {len(seen)} distinct values, more than the {MAX_STATES} that are "
                f"possible; leave it out if it only identifies rows"
            )
        state_names, code_of_seen = ordered(values, numbers, column.declared)
        if _are_labels(name, column, options):
            numbers = None
    code_of_missing = len(state_names) - 1
    holes = np.empty(0, dtype=np.int64)
    if missing and options.missing == "em":
        if not seen.size:
            raise InputError(f"{where} has no value at all; leave it out")
        holes = np.flatnonzero(found < 0)
        code_of_missing = int(code_of_seen[np.argmax(counts[seen])])  # until it is completed
    elif missing:
        state_names.append(_unused_name("missing", state_names))
        if len(state_names) > MAX_STATES:
            raise InputError(f"{where} has more than {MAX_STATES} values")
        code_of_missing += 1
    # What is missing has the number -1, which is the last of these.
    code_of_value = np.full(len(counts) + 1, code_of_missing, dtype=np.uint16)
    code_of_value[seen] = code_of_seen
    return _Encoded(code_of_value.take(found), tuple(state_names), holes, cuts, numbers)


def _cuts_wanted(
    name: str,
    column: Column,
    values: int,
    numbers: NDArray[np.float64] | None,
    options: TableOptions,
    where: str,
) -> Cuts | None:
    """How a column is to be cut: None for not at all, 0 if it must be and nobody said how."""
    wanted = options.bins_by_name.get(name)
    if wanted is not None:
        if column.declared or options.is_categorical(name):
            raise InputError(
                f"{where} cannot be cut into bins: it is categorical; make it numbers, or leave it "
                f"out of bins"
            )
        return wanted
    if numbers is None or _are_labels(name, column, options) or values <= MAX_DISTINCT_NUMBERS:
        return None
    if options.bins_of_all is not None:
        return options.bins_of_all
    return MAX_DISTINCT_NUMBERS if options.bin_method == "mdl" else 0


def _are_labels(name: str, column: Column, options: TableOptions) -> bool:
    """Whether numbers in a column are not meant as such."""
    return column.declared or column.category or options.is_categorical(name)


def _refuse_many_numbers(columns: Sequence[str]) -> None:
    if columns:
        raise InputError(
            f"too many distinct numbers (more than {MAX_DISTINCT_NUMBERS}) in "
            f"{'column' if len(columns) == 1 else 'columns'} {listed(columns)}; cut them into "
            f"intervals with --bins K (bins=K in Python), say that they are codes with "
            f"--categorical NAME (categorical=[...]), or leave the column out with --exclude NAME "
            f"(exclude=[...])"
        )


def _first_look(chosen: Selection, *, lacks: bool, uncut: bool) -> str:
    """Give options with which a table can be read that lacks values, or has numbers to be cut."""
    options = {"bins": "4"} if uncut else {}
    if lacks:
        # Dropping is the simplest, but only few rows are worth that.
        dropped = np.any([column.codes < 0 for column in chosen.columns], axis=0)
        options["missing"] = "drop" if dropped.mean() <= WORTH_DROPPING else "em"
    typed = " ".join(f"--{name} {value}" for name, value in options.items())
    python = ", ".join(
        f"{name}={value}" if value.isdigit() else f'{name}="{value}"'
        for name, value in options.items()
    )
    return f"For a first look: {typed} ({python} in Python)" if options else ""


def _tell(dataset: Dataset, source: str) -> None:
    """Log what was read."""
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


def _rows_to_count(
    chosen: Selection, options: TableOptions, place: Callable[[int], str]
) -> tuple[NDArray[np.int64] | None, int]:
    """Which rows to count, each as often as its weight says, and how many are left out.

    None for all rows once. Missing values are refused where that is asked for.
    """
    weights = chosen.weights
    with_missing = [(n, c.codes < 0) for n, c in zip(chosen.names, chosen.columns, strict=True)]
    if weights is not None:  # what does not count may lack anything
        with_missing = [(name, holes & (weights > 0)) for name, holes in with_missing]
    with_missing = [(name, holes) for name, holes in with_missing if holes.any()]
    keep: NDArray[np.bool_] | None = None
    if with_missing and options.missing == "drop":
        keep = ~np.any([holes for _, holes in with_missing], axis=0)
    elif len(with_missing) == len(chosen.columns) and options.missing == "em":
        # A row without any value tells nothing.
        keep = ~np.all([holes for _, holes in with_missing], axis=0)
    elif with_missing and options.missing == "error":
        # The place of a row may cost a look at the file again: only for columns that are listed.
        told = [
            f"{name!r} ({holes.sum()} missing, first at {place(int(holes.argmax()))})"
            for name, holes in with_missing[:LISTED_IN_A_MESSAGE]
        ]
        raise InputError(
            f"missing values in {'column' if len(with_missing) == 1 else 'columns'} "
            f"{listed(told, of=len(with_missing))}; drop their rows, make missing a value of its "
            f'own, or have them completed, with --missing drop|category|em (missing="drop", '
            f'"category" or "em" in Python)'
        )
    if weights is None:
        return (None, 0) if keep is None else (np.flatnonzero(keep), int((~keep).sum()))
    total = int(weights.sum())
    if keep is not None:
        weights = np.where(keep, weights, 0)
    return np.repeat(np.arange(len(weights)), weights), total - int(weights.sum())


def _unused_name(name: str, taken: Iterable[str]) -> str:
    taken = set(taken)
    while name in taken:
        name += "_"
    return name
