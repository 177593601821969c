"""Any table becomes a `Dataset`: a file, a data frame, or an array.

The way is one: the table is read into columns, and the columns are encoded.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from anytimebn.base.errors import InputError
from anytimebn.data.columns import array_columns, frame_columns
from anytimebn.data.dataset import Dataset
from anytimebn.data.encode import encode
from anytimebn.data.options import TableOptions, gather_table_options, takes_table_keywords

if TYPE_CHECKING:
    from collections.abc import Callable

    from anytimebn.data.columns import Column

TableLike: TypeAlias = Any
"""What `to_dataset` takes: frames share no type that could be named without importing them all."""

ROW_PLACE = "row {} (counted from 0)".format
"""What messages call a row of what is no file."""


@takes_table_keywords()
def to_dataset(
    table: TableLike, table_options: TableOptions | None = None, **options: Any
) -> Dataset:
    """Make a `Dataset` from any table.

    Parameters
    ----------
    table : Dataset, path, data frame or 2-D array
        A `Dataset` is returned as it is; paths are those of ``.csv``, ``.tsv``, ``.txt`` (also with
        ``.gz``), ``.parquet``, ``.feather``, ``.arrow``, ``.xlsx``, ``.arff`` and ``.dat`` files;
        frames are those of pandas, polars
        (lazy ones are collected), pyarrow and whatever else narwhals knows; arrays may hold
        integers, floats, booleans, text or objects.
    table_options : TableOptions, optional
        How to read it.
    **options
        The fields of `TableOptions` (``bins``, ``missing``, ``exclude``, ...) as keywords.

    Returns
    -------
    Dataset
        Values in ascending order when all are numbers, else in the order of their text; as they are
        declared, whether they occur or not, where the type of a column or the file does so.

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
    chosen = gather_table_options("to_dataset", table_options, options)
    if isinstance(table, Dataset):
        if chosen.exclude:
            raise InputError("columns cannot be left out of a Dataset: do so when you make it")
        return table
    columns, place = columns_of(table, chosen)
    return encode(columns, chosen, source=source_of(table), place=place)


def source_of(table: TableLike) -> str:
    """Give what messages call a table."""
    return str(table) if isinstance(table, str | os.PathLike) else "the table"


def columns_of(
    table: TableLike, options: TableOptions | None = None
) -> tuple[list[Column], Callable[[int], str]]:
    """Give the columns of a table that is not encoded, and a way to say where a row is."""
    if isinstance(table, str | os.PathLike):
        from anytimebn.data.files.tables import read_columns

        return read_columns(table, options)
    columns = array_columns(table) if isinstance(table, np.ndarray) else frame_columns(table)
    return columns, ROW_PLACE
