"""What a result claims, read from a file whose form has been checked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from anytimebn.scores.space import Space

if TYPE_CHECKING:
    from collections.abc import Mapping

ROUNDING_NATS = 1e-6
"""Costs are rounded to this, once a variable."""

RELATIVE_ROUNDING = 1e-11
"""Of a cost: what sums of floating-point numbers can be off by, with much to spare."""


@dataclass(frozen=True)
class ClaimedEvent:
    """An improvement that a result tells of: when, and what was known then, if anything."""

    seconds: float
    cost: float | None
    lower_bound: float | None
    space: str | None = None  # which networks bounds are about from here on


@dataclass(frozen=True)
class Claim:
    """The parts of a result that are checked, in numbers and by names."""

    status: str
    cost: float
    score: float
    lower_bound: float | None
    error_bound: float | None
    names: tuple[str, ...]
    parents: dict[str, tuple[str, ...]]
    score_name: str
    ess: float
    space: Space
    told: str | None  # what is proven, in short
    told_space: Mapping[str, Any] | None  # of which families, as readers see it
    events: tuple[ClaimedEvent, ...]
    of_completed_table: bool

    @classmethod
    def of(cls, result: Mapping[str, Any]) -> Claim:
        """Read a result that has passed `anytimebn.result.schema.schema_problems`."""
        return cls(
            status=result["status"],
            cost=float(result["cost"]),
            score=float(result["score"]),
            lower_bound=_number(result["lower_bound"]),
            error_bound=_number(result["error_bound"]),
            names=tuple(result["variables"]),
            parents={name: tuple(result["parents"][name]) for name in result["variables"]},
            score_name=result["score_name"],
            ess=1.0 if result.get("ess") is None else float(result["ess"]),
            space=Space.from_json(result),
            told=result.get("claim"),
            told_space=result.get("space"),
            events=tuple(
                ClaimedEvent(
                    seconds=float(event["seconds"]),
                    cost=_number(event.get("cost")),
                    lower_bound=_number(event.get("lower_bound")),
                    space=event.get("space"),
                )
                for event in result["events"]
            ),
            of_completed_table=result.get("completion") is not None,
        )

    @property
    def claims_neighbourhood(self) -> bool:
        """Whether the lower bound is about the network's neighbourhood, and maybe more."""
        grown = self.space.grown
        return self.lower_bound is not None and grown is not None and grown.neighbourhood

    @property
    def tolerance(self) -> float:
        """Nats by which sums may differ."""
        return ROUNDING_NATS * len(self.names) + RELATIVE_ROUNDING * abs(self.cost)

    def agree(self, one: float, other: float) -> bool:
        """Tell whether two sums differ by rounding at most."""
        return abs(one - other) <= self.tolerance


def _number(value: float | None) -> float | None:
    return None if value is None else float(value)
