"""Tables that commands write for other programs: predictions, filled tables and answers."""

from __future__ import annotations

import csv
import json
from typing import TYPE_CHECKING, Any

from anytimebn.cli.outputs import check_paths, check_suffix, write_all

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

SUFFIXES = (".csv", ".tsv", ".parquet", ".json")


def check_tables(paths: Sequence[Path], what: str) -> None:
    """Refuse files that could not be written, before the work.

    Parameters
    ----------
    paths
        The files.
    what
        They hold, as a message names it.
    """
    for path in paths:
        check_suffix(path, what, SUFFIXES)
    check_paths(paths)


def write_tables(table: Any, paths: Sequence[Path]) -> None:
    """Write a `pyarrow.Table` to each of these files, in the format that its name tells."""
    # The suffixes are those of the final names: files are written under others first.
    write_all([(path, _writer(table, path.suffix.lower())) for path in paths])


def _writer(table: Any, suffix: str) -> Callable[[Path], None]:
    def write(path: Path) -> None:
        if suffix == ".parquet":
            import pyarrow.parquet as pq

            pq.write_table(table, path)
            return
        with path.open("w", encoding="utf-8", newline="") as file:
            if suffix == ".json":  # a line for each row, between brackets
                lines = (
                    json.dumps(row, ensure_ascii=False, default=str) for row in table.to_pylist()
                )
                file.write("[\n" + ",\n".join(lines) + "\n]\n")
                return
            separator = "," if suffix == ".csv" else "\t"
            writer = csv.writer(file, delimiter=separator, lineterminator="\n")
            writer.writerow(table.column_names)
            columns = [column.to_pylist() for column in table.columns]
            writer.writerows(zip(*columns, strict=True))

    return write
