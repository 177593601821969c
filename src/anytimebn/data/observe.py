"""What rows tell about the variables of a network, which may be less than all.

Unlike `anytimebn.data.align`, where a row must be known from end to end, cells may be missing here,
and whole columns: then nothing is known of these variables. A value that the network does not know
tells nothing, either, but is probably a mistake that its owner wants to hear of.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from anytimebn.base.errors import DataWarning, InputError
from anytimebn.base.text import listed, listed_names, shown
from anytimebn.base.warn import warn_caller
from anytimebn.data.align import columns_for, known_codes, value_message
from anytimebn.data.columns import array_columns

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from anytimebn.data.columns import Column
    from anytimebn.data.options import TableOptions
    from anytimebn.data.read import TableLike

Unknown = Literal["missing", "error"]

NOTHING = -1
"""The code of a cell of which nothing is known."""


def code_of_value(name: str, states: Sequence[str], value: Any) -> int:
    """Find the state that a single value means: by its name, its worth, or in its interval.

    Examples
    --------
    >>> code_of_value("age", ["(-inf, 40)", "[40, inf)"], 43)
    1
    """
    if isinstance(value, list | tuple | set | dict | np.ndarray):
        raise InputError(f"{name!r} is given as {shown(value)}; a single value is needed")
    cell = np.empty((1, 1), dtype=object)
    cell[0, 0] = value
    (column,) = array_columns(cell)
    code = int(known_codes(column, states)[0])
    if code < 0:
        raise InputError(
            f"{name!r} has no value {shown(value)}; it has {listed([repr(s) for s in states])}"
        )
    return code


def observed_codes(
    data: TableLike,
    names: Sequence[str],
    states: Sequence[Sequence[str]],
    *,
    unknown: Unknown = "missing",
    missing_is_a_value: bool = True,
    table_options: TableOptions | None = None,
) -> tuple[NDArray[np.int32], list[Column | None]]:
    """Encode what a table tells of variables.

    Parameters
    ----------
    data
        A `Dataset`, a data frame, the path of a table, or an array whose columns are in the order
        of `names`. Other columns are left out, and some may be absent, but not all.
    names, states
        The variables, and their values.
    unknown
        Whether a value that is not among the states counts as missing, with a `DataWarning`, or is
        an error.
    missing_is_a_value
        Whether a missing cell has the state ``missing``, where there is such a state.
    table_options
        How a text file is read: its separator, its encoding, whether it has a header.

    Returns
    -------
    codes : ndarray of int32, shape (variables, rows)
        `NOTHING` where a cell is missing.
    columns : list of Column or None
        Where they come from.

    Examples
    --------
    >>> import pyarrow as pa
    >>> frame = pa.table({"b": [2.0, None, 7.0]})
    >>> observed_codes(frame, ["a", "b"], (("no", "yes"), ("2", "7")))[0]
    array([[-1, -1, -1],
           [ 0, -1,  1]], dtype=int32)
    """
    columns, row_place = columns_for(data, names, table_options)
    by_name = {column.name: column for column in columns}
    found = [by_name.get(name) for name in names]
    if not any(found):
        raise InputError(
            f"the data have no column of the network; their columns are "
            f"{listed_names([column.name for column in columns])}, and the variables of the "
            f"network are {listed_names(names)}"
        )
    codes = np.full((len(names), len(columns[0].codes)), NOTHING, dtype=np.int32)
    for number, (column, known) in enumerate(zip(found, states, strict=True)):
        if column is None:
            continue
        own = known_codes(column, known, missing_is_a_value=missing_is_a_value)
        wrong = np.flatnonzero((own < 0) & (column.codes >= 0))
        if len(wrong):
            message = value_message(column, names[number], known, int(wrong[0]), row_place)
            if unknown == "error":
                raise InputError(message)
            many = "" if len(wrong) == 1 else f" ({len(wrong):,} such rows)"
            warn_caller(f"{message}{many}: it counts as missing", DataWarning)
        codes[number] = own
    return codes, found
