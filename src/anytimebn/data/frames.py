"""From a dataset back to the frames that people work with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from anytimebn.base.optional import optional

if TYPE_CHECKING:
    from collections.abc import Sequence

    from anytimebn.data.dataset import Dataset


def to_arrow(dataset: Dataset) -> Any:
    """Make a `pyarrow.Table` from a dataset."""
    import pyarrow as pa

    columns = []
    for states, codes in zip(dataset.states, dataset.codes, strict=True):
        values = typed_values(states)
        if values is None:
            columns.append(pa.DictionaryArray.from_arrays(pa.array(codes), pa.array(states)))
        else:
            columns.append(pa.array(values[codes]))
    return pa.table(columns, names=list(dataset.names))


def to_pandas(dataset: Dataset) -> Any:
    """Make a `pandas.DataFrame` from a dataset."""
    optional("pandas", needed_for="a pandas data frame", install="pandas")
    return to_arrow(dataset).to_pandas()


def to_polars(dataset: Dataset) -> Any:
    """Make a `polars.DataFrame` from a dataset."""
    polars = optional("polars", needed_for="a polars data frame", install="polars")
    return polars.from_arrow(to_arrow(dataset))


def typed_values(states: Sequence[str]) -> Any:
    """Numbers or truth values that are written exactly like these names, or None if some are not.

    Examples
    --------
    >>> typed_values(["1", "20"]), typed_values(["1", "02"]), typed_values(["False", "True"])
    (array([ 1, 20]), None, array([False,  True]))
    """
    if set(states) <= {"False", "True"}:
        return np.array([state == "True" for state in states])
    for kind, array_type in ((int, np.int64), (float, np.float64)):
        try:
            values = [kind(state) for state in states]
            if [str(value) for value in values] == list(states):
                return np.array(values, dtype=array_type)
        except (ValueError, OverflowError):
            continue
    return None
