"""Any table becomes a `Dataset`: a file, a data frame, or an array."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from anytimebn.base.checks import is_list
from anytimebn.base.errors import InputError
from anytimebn.data.columns import array_columns, frame_columns
from anytimebn.data.dataset import Dataset
from anytimebn.data.encode import Bins, MissingMethod, encode

if TYPE_CHECKING:
    from collections.abc import Sequence

    from anytimebn.data.intervals import BinMethod

READING = ("bins", "bin_method", "missing", "header", "exclude")
"""Options of `to_dataset` that functions which take tables pass on."""


TableLike: TypeAlias = Any
"""What `to_dataset` takes: frames share no type that could be named without importing them all."""


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
    """Make a `Dataset` from any table.

    Parameters
    ----------
    table : Dataset, path, data frame or 2-D array
        A `Dataset` is returned as it is; paths are those of files that
        `anytimebn.data.files.tables.read_table` reads; frames are those of pandas, polars (lazy
        ones are collected), pyarrow and whatever else narwhals knows; arrays may hold integers,
        floats, booleans, text or objects.
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
        from anytimebn.data.files.tables import read_table

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
