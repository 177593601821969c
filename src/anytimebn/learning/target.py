"""The target of an estimator: a column that comes apart from the others, and its own values."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from anytimebn.base.errors import InputError
from anytimebn.data.columns import Column, array_columns, frame_columns, value_names
from anytimebn.data.encode import encode
from anytimebn.data.frames import typed_values
from anytimebn.data.options import TableOptions
from anytimebn.data.read import columns_of

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from numpy.typing import NDArray

    from anytimebn.data.dataset import Dataset
    from anytimebn.data.read import TableLike


@dataclass(frozen=True, eq=False)
class TargetColumn:
    """A column that was given as ``y``.

    Attributes
    ----------
    column
        Its values, under the name that it has in the network.
    values
        What each of its values was, by the name of the state.
    """

    column: Column
    values: Mapping[str, Any]
    kind: np.dtype[Any] | None

    @property
    def name(self) -> str:
        """Name of the variable."""
        return self.column.name

    def joined(self, table: TableLike, options: Mapping[str, Any]) -> Dataset:
        """Encode a table with this as its last column."""
        columns, place = columns_of(table)
        return encode(
            [*columns, self.column], TableOptions(**options), source="the table", place=place
        )

    def classes(self, states: Sequence[str]) -> NDArray[Any]:
        """Give the values that states stand for; the states themselves if they are others."""
        if not set(states) <= set(self.values):
            return np.array(states)
        return np.array([self.values[state] for state in states], dtype=self.kind)


def classes_of_states(states: Sequence[str]) -> NDArray[Any]:
    """Give the values of a target that was a column like others."""
    typed = typed_values(states)
    return np.array(states) if typed is None else np.asarray(typed)


def target_column(y: Any, name: str | None, taken: Collection[str]) -> TargetColumn:
    """Make a column of ``y``.

    Parameters
    ----------
    y
        A series, a list or an array with one value a row.
    name
        What to call it; by default its own name, or ``"y"``.
    taken
        Names of the other columns.

    Examples
    --------
    >>> found = target_column([3, 5, 3], None, ["X0", "X1"])
    >>> found.name, found.values
    ('y', {'3': 3, '5': 5})
    """
    if name is not None and name in taken:
        raise InputError(
            f"the target {name!r} is a column of X, and y was given as well: leave one of them out"
        )
    column, kind = _column(y)
    if name is None:
        own = getattr(y, "name", None)
        name = own if isinstance(own, str) and own and own not in taken else "y"
        while name in taken:
            name += "_"
    named = replace(column, name=name)
    return TargetColumn(
        named, dict(zip(value_names(column.values), column.values.to_pylist(), strict=True)), kind
    )


def _column(y: Any) -> tuple[Column, np.dtype[Any] | None]:
    import narwhals as nw

    series = nw.from_native(y, series_only=True, pass_through=True)
    if isinstance(series, nw.Series):
        (column,) = frame_columns(series.alias("y").to_frame().to_native())
        return column, None
    cells = np.asarray(y)
    if cells.ndim == 2 and cells.shape[1] == 1:
        cells = cells[:, 0]
    if cells.ndim != 1:
        raise InputError(
            f"y has the shape {cells.shape}; a single column is needed, with a value for each row"
        )
    (column,) = array_columns(cells[:, None])
    return column, cells.dtype
