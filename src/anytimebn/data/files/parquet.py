"""Tables in ``.parquet`` files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from anytimebn.base.errors import InputError
from anytimebn.data.files.arrow_tables import columns_of_table, name_that_is_no_text
from anytimebn.data.files.room import Room

if TYPE_CHECKING:
    from pathlib import Path

    from anytimebn.data.columns import Column
    from anytimebn.data.dataset import Dataset


def read_parquet(path: Path) -> list[Column]:
    """Read the columns, without the row labels of pandas."""
    import pyarrow as pa
    import pyarrow.parquet

    try:
        with pyarrow.parquet.ParquetFile(path) as file:
            told = file.metadata
            Room(path).check(told.num_rows, told.num_columns)
            table = file.read()
            table.validate(full=True)  # text may be none
    except UnicodeDecodeError as error:
        raise name_that_is_no_text(path) from error
    except (pa.ArrowException, OSError) as error:
        raise InputError(f"{path}: not a parquet file that can be read: {error}") from error
    return columns_of_table(path, table)


def write_parquet(dataset: Dataset, path: Path) -> None:
    """Write each column with its values as a dictionary."""
    import pyarrow as pa
    import pyarrow.parquet

    columns: list[Any] = [
        pa.DictionaryArray.from_arrays(pa.array(row), pa.array(states, pa.string()))
        for row, states in zip(dataset.codes, dataset.states, strict=True)
    ]
    pyarrow.parquet.write_table(pa.table(columns, names=list(dataset.names)), path)
