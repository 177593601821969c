"""An improvement of the network or of the bound."""

from __future__ import annotations

import math
from dataclasses import dataclass

from anytimebn.base.text import rounded_down


@dataclass(frozen=True)
class Event:
    """An improvement of the network or of the bound: when, and what was known then.

    ``space`` says which networks the bound is about, from this event on: where it is not None, the
    bound may be lower than before.
    """

    seconds: float
    cost: float
    lower_bound: float | None  # None where nothing is known
    expanded: int
    space: str | None = None

    @property
    def error_bound(self) -> float | None:
        """Cost over lower bound: 1 is optimal, 1.01 at most one percent above."""
        return error_bound(self.cost, self.lower_bound)


def error_bound(cost: float, lower_bound: float | None) -> float | None:
    """Cost over lower bound, or None where that ratio says nothing.

    Examples
    --------
    >>> error_bound(102.0, 100.0)
    1.02
    >>> error_bound(5.0, 0.0) is None
    True
    """
    if lower_bound is None:
        return None
    if cost <= lower_bound:
        return 1.0
    if lower_bound <= 0:
        return None
    ratio = cost / lower_bound
    return ratio if math.isfinite(ratio) else None  # the bound is as good as none


def bound_in_words(lower_bound: float | None, cost: float | None, digits: int) -> str:
    """Show a lower bound: as the cost where they are equal, and elsewhere never above itself.

    Examples
    --------
    >>> bound_in_words(1234.56789, 1234.56789, 3), bound_in_words(1234.56789, 1300.0, 3)
    ('1,234.568', '1,234.567')
    """
    if lower_bound is None:
        return "none"
    if lower_bound == cost:
        return f"{cost:,.{digits}f}"
    return rounded_down(lower_bound, digits)
