"""Where local scores come from: the table, how it was read, and what was asked of the scoring."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from anytimebn.base.checks import LARGEST_COUNT, is_list, is_number, is_whole
from anytimebn.base.errors import InputError
from anytimebn.data.completion import Completion
from anytimebn.data.options import TableOptions
from anytimebn.knowledge.constraints import Knowledge
from anytimebn.scores.space import Grown


@dataclass(frozen=True, kw_only=True)
class Provenance:
    """Where local scores come from; None where that is not known, or there is nothing to tell.

    Attributes
    ----------
    rows, rows_dropped : int or None
        Rows that were counted, and those that were left out for missing values.
    ess : float or None
        Equivalent sample size, of scores that have one.
    constraints : Knowledge or None
        Under which the parent sets were chosen.
    bins : mapping of str to tuple of float, or None
        Inner cut points of the columns that were discretised.
    max_parents : int or None
        Size of the largest parent set that was considered.
    max_parents_exact : bool or None
        Whether larger sets are ruled out for all variables.
    complete_variables : tuple of str, or None
        For which variables they are, if not for all: larger than those that are all there.
    space : Grown or None
        Which families there are, where these are not all up to a size.
    sets_counted : int or None
        Joint tables that were counted.
    factor : float or None
        How much worse than its best subset a parent set may be and still be there; infinite if all
        are.
    table_options : TableOptions or None
        How the table was read.
    completion : Completion or None
        How missing values were completed.
    source : str or None
        Name of the score file.
    others : mapping
        What else a score file tells, or tells in another form.

    Examples
    --------
    >>> told = Provenance.from_json({"rows": 50, "author": "me", "max_parents": "few"})
    >>> told.rows, told.max_parents, told.others
    (50, None, {'author': 'me', 'max_parents': 'few'})
    >>> told.to_json()
    {'rows': 50, 'author': 'me', 'max_parents': 'few'}
    """

    rows: int | None = None
    ess: float | None = None
    constraints: Knowledge | None = None
    bins: Mapping[str, tuple[float, ...]] | None = None
    rows_dropped: int | None = None
    max_parents: int | None = None
    max_parents_exact: bool | None = None
    complete_variables: tuple[str, ...] | None = None
    space: Grown | None = None
    sets_counted: int | None = None
    factor: float | None = None
    table_options: TableOptions | None = None
    completion: Completion | None = None
    source: str | None = None
    others: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """What is known, as JSON values: the metadata of score files, and the source."""
        known = {
            key: _JSON_OF[key](value) if key in _JSON_OF else value
            for key in _TAKEN
            if (value := getattr(self, key)) is not None
        }
        # Files tell how a table was read where that is not as usual.
        if not known.get("table_options"):
            known.pop("table_options", None)
        source = {"source": known.pop("source")} if "source" in known else {}
        return known | {key: own for key, own in self.others.items() if key not in known} | source

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> Provenance:
        """Take what `to_json` gave, or what a file of another program tells."""
        known: dict[str, Any] = {}
        others: dict[str, Any] = {}
        for key, value in content.items():
            taken = _TAKEN[key](value) if key in _TAKEN else None
            if taken is None:
                others[key] = value
            else:
                known[key] = taken
        if any(others.get(key) is not None for key in _LEAVE_OUT):
            # Which networks were left out nobody knows: nothing is said to be complete.
            for key in ("max_parents_exact", "complete_variables", "space"):
                if known.pop(key, None) is not None:
                    others[key] = content[key]
        return cls(**known, others=others)

    @staticmethod
    def not_understood(content: Mapping[str, Any]) -> tuple[str, str] | None:
        """Name the first value that claims rest on and is not what it should be, and what that is.

        Words are those of another program, which may tell what it likes: they claim nothing here.

        Examples
        --------
        >>> Provenance.not_understood({"max_parents": -1})
        ('max_parents', 'a whole number from 0')
        >>> Provenance.not_understood({"max_parents": "few", "rows": -1})
        """
        for key, expected in _EXPECTED.items():
            value = content.get(key)
            if not (value is None or isinstance(value, str)) and _TAKEN[key](value) is None:
                return key, expected
        return None

    def told(self, *keys: str) -> dict[str, Any]:
        """Some of `to_json`: of these keys those that are known, and what they should be."""
        content = self.to_json()
        return {key: content[key] for key in keys if getattr(self, key) is not None}


def _count(value: Any) -> int | None:
    return int(value) if is_whole(value) and 0 <= value <= LARGEST_COUNT else None


def _factor(value: Any) -> float | None:
    if value == "all":
        return math.inf
    return float(value) if _is_finite(value) and value >= 1 else None


def _is_finite(value: Any) -> bool:
    return is_number(value) and abs(value) <= sys.float_info.max


def _names(value: Any) -> tuple[str, ...] | None:
    return tuple(value) if is_list(value) and all(isinstance(name, str) for name in value) else None


def _cuts(value: Any) -> dict[str, tuple[float, ...]] | None:
    if not isinstance(value, Mapping):
        return None
    if not all(is_list(cuts) and all(map(_is_finite, cuts)) for cuts in value.values()):
        return None
    return {name: tuple(cuts) for name, cuts in value.items()}


def _constraints(value: Any) -> Knowledge | None:
    try:
        return Knowledge.from_json(value)
    except InputError:
        return None


def _table_options(value: Any) -> TableOptions | None:
    try:
        return TableOptions.from_json(value)
    except InputError:
        return None


_TAKEN: dict[str, Callable[[Any], Any]] = {
    "rows": _count,
    "ess": lambda value: value if _is_finite(value) else None,
    "constraints": _constraints,
    "bins": _cuts,
    "rows_dropped": _count,
    "max_parents": _count,
    "max_parents_exact": lambda value: value if isinstance(value, bool) else None,
    "complete_variables": _names,
    "space": Grown.from_json,
    "sets_counted": _count,
    "factor": _factor,
    "table_options": _table_options,
    "completion": Completion.from_json,
    "source": lambda value: value if isinstance(value, str) else None,
}
"""How each is taken from JSON, where None says that it is not what it should be."""

_EXPECTED = {
    "max_parents": "a whole number from 0",
    "max_parents_exact": "true or false",
    "complete_variables": "a list of names",
    "constraints": "constraints as results have them",
    "space": "what results have as 'space'",
    "factor": 'a number from 1, or "all"',
    "completion": "what results have as 'completion'",
}
"""What claims rest on: the values that there are."""

_LEAVE_OUT = ("constraints", "max_parents", "space", "completion")
"""What says that something was left out, or that the table is another one."""

_JSON_OF: dict[str, Callable[[Any], Any]] = {
    "constraints": Knowledge.to_json,
    "complete_variables": list,
    "bins": lambda cuts_of: {name: list(cuts) for name, cuts in cuts_of.items()},
    "space": Grown.to_json,
    "table_options": TableOptions.to_json,
    "completion": Completion.to_json,
    "factor": lambda factor: "all" if math.isinf(factor) else factor,
}
