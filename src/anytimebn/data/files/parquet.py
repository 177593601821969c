"""Tables in ``.parquet`` files."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from anytimebn.base.errors import InputError
from anytimebn.data.columns import Column, find_values

if TYPE_CHECKING:
    from pathlib import Path

    from anytimebn.data.dataset import Dataset


def read_parquet(path: Path) -> list[Column]:
    """Read the columns, without the row labels of pandas."""
    import pyarrow as pa
    import pyarrow.parquet

    try:
        with pyarrow.parquet.ParquetFile(path) as file:
            table = file.read()
    except (pa.ArrowException, OSError) as error:
        raise InputError(f"{path}: not a parquet file that can be read: {error}") from error
    try:
        return [
            find_values(name, cells)
            for name, cells in zip(table.column_names, table.columns, strict=True)
            if not re.fullmatch(r"__index_level_\d+__", name)  # the row labels of pandas
        ]
    except InputError as error:
        raise InputError(f"{path}: {error}") from error


def write_parquet(dataset: Dataset, path: Path) -> None:
    """Write each column with its values as a dictionary."""
    import pyarrow as pa
    import pyarrow.parquet

    columns: list[Any] = [
        pa.DictionaryArray.from_arrays(pa.array(row), pa.array(states, pa.string()))
        for row, states in zip(dataset.codes, dataset.states, strict=True)
    ]
    pyarrow.parquet.write_table(pa.table(columns, names=list(dataset.names)), path)
