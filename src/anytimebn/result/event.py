"""An improvement of the network or of the bound."""

from __future__ import annotations

from dataclasses import dataclass


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
    return cost / lower_bound if lower_bound > 0 else None
