"""Probabilities of one or several variables as a value that people can read, index and convert."""

from __future__ import annotations

import html
import itertools
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from anytimebn.base.errors import InputError
from anytimebn.base.text import shown
from anytimebn.data.as_frames import BecomesFrame
from anytimebn.data.frames import typed_values
from anytimebn.data.observe import code_of_value

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

MOST_LINES = 20
"""Lines of a table that are printed; the frames have all."""


@dataclass(frozen=True, eq=False, repr=False)
class Distribution(BecomesFrame):
    """Probabilities of the values of variables, perhaps for each value of others.

    Attributes
    ----------
    names : tuple of str
        The variables that it is about.
    conditions : tuple of str
        Variables for each of whose values there is a distribution of its own: the parents, in a
        table of a network; none in the answer to a query.
    states : dict of str to tuple of str
        The values of all of these.
    probabilities : ndarray
        An axis for each condition, then one for each name.
    standard_errors : ndarray or None
        Of the probabilities, if they were estimated by sampling.
    evidence : dict of str to value
        What was given.

    Examples
    --------
    >>> import numpy as np
    >>> import anytimebn as ab
    >>> table = np.array([[0, 0], [0, 1], [1, 1], [1, 1]])
    >>> network = ab.Network.from_parents({"rain": [], "wet": ["rain"]}).fit(table, 0)
    >>> answer = network.query("rain", {"wet": 1})
    >>> answer
    P(rain | wet = 1)
      0  0.3333
      1  0.6667
    >>> answer[1], answer.most_probable
    (0.6666666666666666, '1')
    """

    names: tuple[str, ...]
    states: dict[str, tuple[str, ...]]
    probabilities: NDArray[np.float64]
    conditions: tuple[str, ...] = ()
    standard_errors: NDArray[np.float64] | None = None
    evidence: Mapping[str, Any] = field(default_factory=dict)

    @property
    def _axes(self) -> tuple[str, ...]:
        return (*self.conditions, *self.names)

    def __getitem__(self, values: Any) -> float:
        """Look up the probability of a value, or of a tuple with one for each condition and name.

        Numbers are found in their intervals, as everywhere.
        """
        key = values if isinstance(values, tuple) else (values,)
        axes = self._axes
        if len(key) != len(axes):
            raise InputError(
                f"{shown(values)} cannot be looked up: one value is needed for each of "
                f"{', '.join(axes)}"
            )
        place = tuple(
            code_of_value(name, self.states[name], value)
            for name, value in zip(axes, key, strict=True)
        )
        return float(self.probabilities[place])

    @property
    def most_probable(self) -> str | tuple[str, ...]:
        """The most probable value, or tuple of values of several variables; the first of equals."""
        if self.conditions:
            raise InputError(
                f"there is a most probable value for each value of {', '.join(self.conditions)}: "
                "look at the probabilities, or ask query with evidence"
            )
        place = np.unravel_index(int(self.probabilities.argmax()), self.probabilities.shape)
        found = tuple(self.states[name][code] for name, code in zip(self.names, place, strict=True))
        return found[0] if len(found) == 1 else found

    def to_dict(self) -> dict[Any, float]:
        """Give the probability of each value, or of each tuple of values of several variables.

        Examples
        --------
        >>> Distribution(("wet",), {"wet": ("no", "yes")}, np.array([0.25, 0.75])).to_dict()
        {'no': 0.25, 'yes': 0.75}
        """
        keys: Iterator[Any] = itertools.product(*(self.states[name] for name in self._axes))
        if len(self._axes) == 1:
            keys = (key for (key,) in keys)
        return dict(zip(keys, self.probabilities.ravel().tolist(), strict=True))

    def to_arrow(self) -> Any:
        """Convert to a `pyarrow.Table` with a row for each combination of values."""
        import pyarrow as pa

        places = np.indices(self.probabilities.shape).reshape(len(self._axes), -1)
        columns: dict[str, Any] = {}
        for name, codes in zip(self._axes, places, strict=True):
            typed = typed_values(self.states[name])
            values = pa.array(self.states[name] if typed is None else typed)
            columns[name] = values.take(pa.array(codes))
        columns[self._unused("probability")] = pa.array(self.probabilities.ravel())
        if self.standard_errors is not None:
            columns[self._unused("standard_error")] = pa.array(self.standard_errors.ravel())
        return pa.table(columns)

    def _unused(self, name: str) -> str:
        while name in self._axes:
            name += "_"
        return name

    def to_pandas(self) -> Any:
        """Convert to a `pandas.DataFrame`.

        With conditions it has a row for each combination of their values, and a column for each
        value of the variable; without, a row for each value, or combination of values.
        """
        frame = super().to_pandas().set_index(list(self._axes))
        if not self.conditions:
            return frame
        return frame[self._unused("probability")].unstack(list(self.names), sort=False)

    def _title(self) -> str:
        given = [*self.conditions, *(f"{name} = {_told(v)}" for name, v in self.evidence.items())]
        return f"P({', '.join(self.names)}{' | ' if given else ''}{', '.join(given)})"

    def _cells(self) -> tuple[list[str], Iterator[list[str]]]:
        """Give the head, and the lines, of a table for people."""
        if self.conditions:
            across = list(itertools.product(*(self.states[name] for name in self.names)))
            down = itertools.product(*(self.states[name] for name in self.conditions))
            rows = self.probabilities.reshape(-1, len(across))
            head = [*self.conditions, *(", ".join(values) for values in across)]
            return head, (
                [*values, *(f"{share:.4f}" for share in row)]
                for values, row in zip(down, rows, strict=True)
            )
        down = itertools.product(*(self.states[name] for name in self.names))
        head = [*self.names, "probability"] if len(self.names) > 1 else []
        if self.standard_errors is None:
            numbers = [f"{share:.4f}" for share in self.probabilities.ravel()]
        else:
            both = zip(self.probabilities.ravel(), self.standard_errors.ravel(), strict=True)
            numbers = [f"{share:.4f} ± {error:.4f}" for share, error in both]
        return head, ([*values, number] for values, number in zip(down, numbers, strict=True))

    def __repr__(self) -> str:
        head, cells = self._cells()
        lines = [*([head] if head else []), *itertools.islice(cells, MOST_LINES)]
        rest = sum(1 for _ in cells)
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        text = [
            "  " + "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True))
            for line in lines
        ]
        more = [f"  and {rest:,} more; to_pandas() has all"] if rest else []
        return "\n".join(line.rstrip() for line in [self._title(), *text, *more])

    def _repr_html_(self) -> str:
        from anytimebn.network.html import table_html

        head, cells = self._cells()
        table = table_html(head, itertools.islice(cells, MOST_LINES))
        rest = sum(1 for _ in cells)
        more = f"<div>and {rest:,} more; to_pandas() has all</div>" if rest else ""
        return f"<div><b>{html.escape(self._title())}</b>{table}{more}</div>"


def _told(value: Any) -> str:
    if isinstance(value, list | tuple | set | frozenset):
        return " or ".join(map(str, value))
    return str(value)
