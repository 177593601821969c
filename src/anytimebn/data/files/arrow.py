"""Tables in ``.arrow`` and ``.feather`` files: Arrow's own formats, whole or as a stream."""

from __future__ import annotations

from typing import TYPE_CHECKING

from anytimebn.base.errors import InputError
from anytimebn.data.files.arrow_tables import columns_of_table, name_that_is_no_text

if TYPE_CHECKING:
    from pathlib import Path

    from anytimebn.data.columns import Column


def read_arrow(path: Path) -> list[Column]:
    """Read the columns, without the row labels of pandas."""
    import pyarrow as pa
    import pyarrow.ipc

    with path.open("rb") as beginning:
        begins = beginning.read(6)
    try:
        if begins.startswith(b"FEA1"):  # the first version of feather
            from pyarrow.feather import read_table

            table = read_table(path, memory_map=False)
        else:
            opened = pyarrow.ipc.open_file if begins == b"ARROW1" else pyarrow.ipc.open_stream
            with pa.OSFile(str(path)) as source, opened(source) as file:
                table = file.read_all()
        table.validate(full=True)
    except UnicodeDecodeError as error:
        raise name_that_is_no_text(path) from error
    except (pa.ArrowException, OSError) as error:
        raise InputError(f"{path}: not an Arrow file that can be read: {error}") from error
    return columns_of_table(path, table)
