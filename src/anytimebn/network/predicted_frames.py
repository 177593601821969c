"""Predictions and filled tables, as the kind of frame or array that was given."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from anytimebn.base.checks import check_whole
from anytimebn.base.errors import InputError
from anytimebn.base.resources import memory_to_use
from anytimebn.base.text import unknown_name
from anytimebn.data.align import MISSING_STATE, columns_for, cut_points, known_codes
from anytimebn.data.columns import Column, as_numbers
from anytimebn.data.dataset import Dataset
from anytimebn.data.frames import typed_values
from anytimebn.data.intervals import is_whole, number_text
from anytimebn.data.observe import NOTHING, Unknown, observed_codes
from anytimebn.network.evidence import tables_of, values_of
from anytimebn.network.prediction import (
    drawn,
    most_probable,
    posteriors,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from anytimebn.data.options import TableOptions
    from anytimebn.data.read import TableLike
    from anytimebn.network.model import Model

Filling = Literal["mode", "sample"]


def predict_proba(
    network: Model,
    data: TableLike,
    target: str,
    *,
    unknown: Unknown,
    memory_limit: int | str | None,
    table_options: TableOptions | None,
) -> Any:
    """Give the probabilities of the target's values, row by row; see `Network.predict_proba`."""
    found = target_probabilities(network, data, target, unknown, memory_limit, table_options)
    frame = _frame(data)
    if frame is None:
        return found
    import narwhals as nw

    states = values_of(network)[network.index_of(target)]
    columns = {state: found[:, code] for code, state in enumerate(states)}
    made = nw.from_dict(columns, backend=frame.implementation).to_native()
    return _with_index_of(made, frame)


def predict(
    network: Model,
    data: TableLike,
    target: str,
    *,
    unknown: Unknown,
    memory_limit: int | str | None,
    table_options: TableOptions | None,
) -> Any:
    """Give the most probable value of the target, row by row; see `Network.predict`."""
    found = target_probabilities(network, data, target, unknown, memory_limit, table_options)
    states = values_of(network)[network.index_of(target)]
    typed = typed_values(states)
    values = (np.array(states) if typed is None else typed)[found.argmax(axis=1)]
    frame = _frame(data)
    if frame is None:
        return values
    import narwhals as nw

    made = nw.new_series(target, values.tolist(), backend=frame.implementation).to_native()
    return _with_index_of(made, frame)


def target_probabilities(
    network: Model,
    data: TableLike,
    target: str,
    unknown: Unknown = "missing",
    memory_limit: int | str | None = None,
    table_options: TableOptions | None = None,
) -> NDArray[np.float64]:
    """Give the probabilities of the target's values as an array with a row for each row."""
    codes = _codes_without(network, data, target, unknown, table_options)
    return posteriors(network, codes, network.index_of(target), memory_to_use(memory_limit))


def _codes_without(
    network: Model,
    data: TableLike,
    target: str,
    unknown: Unknown,
    table_options: TableOptions | None,
) -> NDArray[np.int32]:
    """Encode what a table tells of all variables but the target, which it may have or not."""
    tables_of(network)
    _check_unknown(unknown)
    variable = network.index_of(target)
    states = values_of(network)
    others = [other for other in range(len(network.names)) if other != variable]
    # Arrays may have a column for the target or not.
    if isinstance(data, np.ndarray) and data.ndim == 2 and data.shape[1] == len(network.names):
        data = np.delete(data, variable, axis=1)
    if not others:
        raise InputError(f"{target!r} is the only variable: there is nothing to predict it from")
    names = [network.names[other] for other in others]
    own, _ = observed_codes(
        data,
        names,
        [states[other] for other in others],
        unknown=unknown,
        table_options=table_options,
    )
    codes = np.full((len(network.names), own.shape[1]), NOTHING, dtype=np.int32)
    codes[others] = own
    return codes


def impute(
    network: Model,
    data: TableLike,
    *,
    method: Filling,
    seed: int | np.random.Generator,
    unknown: Unknown,
    memory_limit: int | str | None,
    table_options: TableOptions | None,
) -> Any:
    """Fill missing cells; see `Network.impute`."""
    tables_of(network)
    _check_unknown(unknown)
    if method not in get_args(Filling):
        raise InputError(unknown_name("method", method, get_args(Filling)))
    if not isinstance(seed, np.random.Generator):
        check_whole("seed", seed, 0)
    if isinstance(data, str | os.PathLike):
        data = read_cells(data, table_options)
    frame = _frame(data)
    if frame is None and not isinstance(data, np.ndarray):
        raise InputError(
            "impute needs a data frame, a 2-D array or the path of a table; a Dataset has no "
            "missing cells"
        )
    states = values_of(network)
    codes, columns = observed_codes(
        data, network.names, states, unknown=unknown, missing_is_a_value=False
    )
    allowed = [len(own) - bool(len(own) > 1 and MISSING_STATE.fullmatch(own[-1])) for own in states]
    # Columns that are not there tell nothing, and are not made up either.
    there = [0 if column is None else most for column, most in zip(columns, allowed, strict=True)]
    budget_bytes = memory_to_use(memory_limit)
    if method == "mode":
        filled = most_probable(network, codes, budget_bytes, there)
    else:
        random = np.random.default_rng(seed)
        filled = drawn(network, codes, budget_bytes, there, random)
    changes = {}
    for variable, column in enumerate(columns):
        rows = np.flatnonzero(codes[variable] == NOTHING)
        if column is None or not len(rows):
            continue
        values = _values(column, states[variable])
        changes[network.names[variable]] = (rows, [values[c] for c in filled[variable, rows]])
    if frame is not None:
        return _replaced(frame, changes)
    made = np.array(data)
    for variable, name in enumerate(network.names):
        if name in changes:
            rows, cells = changes[name]
            if made.dtype.kind == "U":  # where a longer text would be cut off
                made = made.astype(np.result_type(made.dtype, np.array(cells).dtype))
            made[rows, variable] = cells
    return made


def _values(column: Column, states: Sequence[str]) -> list[Any]:
    """Give a value of the column's own kind for each state.

    That is the value that the column has for it. Where the state is an interval, it is the median
    of the numbers that the column has there.
    """
    distinct = Column(column.name, np.arange(len(column.values), dtype=np.int32), column.values)
    codes = known_codes(distinct, states)
    cuts = cut_points(states)
    numbers = None if cuts is None else as_numbers(column.values)
    typed = typed_values(states)
    values = []
    for code, state in enumerate(states):
        own = np.flatnonzero(codes == code)
        if numbers is not None and cuts is not None and code <= len(cuts):
            rows = np.isin(column.codes, own)
            number = float(np.median(numbers[column.codes[rows]])) if rows.any() else None
            values.append(_like(column, _inside(cuts, code) if number is None else number))
        elif len(own):
            values.append(column.values[int(own[0])].as_py())
        else:
            values.append(state if typed is None else typed[code].item())
    return values


def _inside(cuts: Sequence[float], code: int) -> float:
    """Give a number in an interval that has none yet: its lower end, if it has one."""
    if code > 0:
        return cuts[code - 1]
    return float(np.nextafter(cuts[0], -np.inf)) if cuts else 0.0


def _like(column: Column, number: float) -> Any:
    import pyarrow as pa

    if pa.types.is_integer(column.values.type):
        return round(number)
    if not pa.types.is_string(column.values.type):
        return number
    numbers = as_numbers(column.values)
    # Text that has whole numbers only is to have no others.
    whole = numbers is not None and all(map(is_whole, numbers))
    return number_text(round(number) if whole else number)


def read_cells(path: str | os.PathLike[str], options: TableOptions | None) -> Any:
    """Read a file into an Arrow table."""
    import pyarrow as pa

    columns, _ = columns_for(path, (), options)
    cells = [
        column.values.take(pa.array(column.codes, mask=column.codes < 0)) for column in columns
    ]
    return pa.table(cells, names=[column.name for column in columns])


def _frame(data: TableLike) -> Any:
    """Give a narwhals frame of a data frame, or None for everything else."""
    if isinstance(data, str | os.PathLike | np.ndarray | Dataset):
        return None
    import narwhals as nw

    frame = nw.from_native(data, pass_through=True)
    if isinstance(frame, nw.LazyFrame):
        frame = frame.collect()
    return frame if isinstance(frame, nw.DataFrame) else None


def _with_index_of(made: Any, frame: Any) -> Any:
    if frame.implementation.is_pandas_like():
        made.index = frame.to_native().index
    return made


def _replaced(frame: Any, changes: dict[str, tuple[NDArray[np.intp], list[Any]]]) -> Any:
    import narwhals as nw

    columns = []
    for label, series in zip(frame.columns, frame.iter_columns(), strict=True):
        rows, cells = changes.get(str(label), ((), []))
        if len(rows):
            if frame.implementation.is_pyarrow() and isinstance(series.dtype, nw.Categorical):
                series = series.cast(nw.String)
            columns.append(series.scatter(list(rows), cells))
    return frame.with_columns(*columns).to_native()


def _check_unknown(unknown: str) -> None:
    if unknown not in get_args(Unknown):
        raise InputError(unknown_name("way to treat unknown values", unknown, get_args(Unknown)))
