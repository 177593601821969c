"""Discrete data: a matrix of small codes with the names they mean."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from anytimebn.base.checks import is_list
from anytimebn.base.errors import InputError
from anytimebn.base.text import listed, shown

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from anytimebn.data.options import TableOptions


MAX_STATES = 2**16
"""As many values as a code can tell apart."""


@dataclass(frozen=True, eq=False, repr=False)
class Dataset:
    """Discrete data, one row of codes per variable.

    Attributes
    ----------
    names : tuple of str
        Names of the variables.
    states : tuple of tuple of str
        Value names: code ``c`` of variable ``v`` means ``states[v][c]``.
    codes : ndarray of uint16, shape (variables, rows)
        C-contiguous and read-only.
    bins : dict of str to tuple of float
        Inner cut points of the columns that were discretised; a number ``x`` of column ``name``
        has the code ``numpy.searchsorted(bins[name], x, side="right")``.
    rows_dropped : int
        Rows that were left out because they had missing values.
    table_options : TableOptions or None
        How the table was read, if it was.
    holes : ndarray of int64, or None
        Cells that were missing and are to be completed, as positions in ``codes.ravel()``.
    completed : bool
        Whether they have been: what stands there until then is the most frequent value.

    Examples
    --------
    >>> data = Dataset(("rain", "wet"), (("no", "yes"),) * 2, np.array([[0, 1, 1], [0, 1, 0]]))
    >>> data
    Dataset(2 variables, 3 rows: rain (2 values), wet (2 values))
    >>> data.arities, data.rows, data.variables
    ((2, 2), 3, 2)
    """

    names: tuple[str, ...]
    states: tuple[tuple[str, ...], ...]
    codes: NDArray[np.uint16]
    bins: dict[str, tuple[float, ...]] = field(default_factory=dict)
    rows_dropped: int = 0
    table_options: TableOptions | None = None
    holes: NDArray[np.int64] | None = None
    completed: bool = False

    def __post_init__(self) -> None:
        given = np.asarray(self.codes)
        if not (is_list(self.names) and is_list(self.states) and all(map(is_list, self.states))):
            raise InputError(
                f"a dataset needs a tuple of names and one of states per variable: got "
                f"{shown(self.names)} and {shown(self.states)}"
            )
        if given.dtype.kind not in "biuf" or (given.dtype.kind == "f" and (given % 1 > 0).any()):
            raise InputError(f"a dataset needs codes that are whole numbers: got {shown(given)}")
        if given.ndim != 2 or len(given) != len(self.names) or len(given) != len(self.states):
            raise InputError(
                f"a dataset needs one row of codes and one tuple of states per variable: got "
                f"{len(self.names)} names, {len(self.states)} states, codes of shape {given.shape}"
            )
        for name, states, row in zip(self.names, self.states, given, strict=True):
            if len(set(states)) != len(states) or len(states) > MAX_STATES:
                raise InputError(
                    f"variable {name!r}: states must be distinct, and at most {MAX_STATES}"
                )
            if row.size and not 0 <= row.min() <= row.max() < len(states):
                raise InputError(
                    f"variable {name!r}: codes must lie between 0 and {len(states) - 1}, "
                    f"found {row.min()} to {row.max()}"
                )
        # A view, so that the array of the caller stays as writable as it was.
        codes = np.ascontiguousarray(given, dtype=np.uint16).view()
        codes.flags.writeable = False
        object.__setattr__(self, "codes", codes)

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Come out of a pickle, whose arrays could be written to."""
        vars(self).update(state)
        self.codes.flags.writeable = False

    @property
    def arities(self) -> tuple[int, ...]:
        """Number of values of each variable."""
        return tuple(len(states) for states in self.states)

    @property
    def rows(self) -> int:
        """Number of rows."""
        return int(self.codes.shape[1])

    @property
    def variables(self) -> int:
        """Number of variables."""
        return len(self.names)

    @property
    def completion(self) -> NDArray[np.uint16] | None:
        """The codes of the cells that were missing, if they have been completed."""
        if self.holes is None or not self.completed:
            return None
        return self.codes.ravel()[self.holes]

    def with_completion(self, codes: NDArray[np.uint16]) -> Dataset:
        """Complete what was missing."""
        if self.holes is None or len(codes) != len(self.holes):
            there = 0 if self.holes is None else len(self.holes)
            raise InputError(
                f"a table with {there} missing values cannot be completed by {len(codes)}"
            )
        filled = self.codes.copy()
        filled.ravel()[self.holes] = codes
        return replace(self, codes=filled, completed=True)

    def take(self, rows: NDArray[np.int64]) -> Dataset:
        """Take some rows, perhaps several times; what was missing is to be completed again.

        Examples
        --------
        >>> data = Dataset(("a", "b"), (("x", "y"),) * 2, np.array([[0, 1, 1], [0, 1, 0]]))
        >>> data.take(np.array([2, 2])).codes.tolist()
        [[1, 1], [0, 0]]
        """
        holes = None
        if self.holes is not None:
            is_hole = np.zeros(self.codes.shape, dtype=bool)
            is_hole.ravel()[self.holes] = True
            holes = np.flatnonzero(is_hole[:, rows])
        return replace(self, codes=self.codes[:, rows], holes=holes, completed=False)

    def to_arrow(self) -> Any:
        """Convert to a `pyarrow.Table` of value names, or of numbers where all names are numbers.

        Examples
        --------
        >>> data = Dataset(("n", "wet"), (("1", "2"), ("no", "yes")), np.array([[0, 1], [1, 1]]))
        >>> data.to_arrow().to_pydict()
        {'n': [1, 2], 'wet': ['yes', 'yes']}
        """
        from anytimebn.data.frames import to_arrow

        return to_arrow(self)

    def to_pandas(self) -> Any:
        """Convert to a `pandas.DataFrame`; text becomes categorical columns."""
        from anytimebn.data.frames import to_pandas

        return to_pandas(self)

    def to_polars(self) -> Any:
        """Convert to a `polars.DataFrame`; text becomes categorical columns."""
        from anytimebn.data.frames import to_polars

        return to_polars(self)

    def __repr__(self) -> str:
        shown = [
            f"{name} ({arity} value{'s' * (arity != 1)})"
            for name, arity in zip(self.names, self.arities, strict=True)
        ]
        return f"Dataset({self.variables} variables, {self.rows} rows: {listed(shown)})"
