"""Ask `verify` what it makes of a result."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from anytimebn.checker.verify import verify
from fuzz.campaign import require

if TYPE_CHECKING:
    from anytimebn.data.dataset import Dataset
    from anytimebn.scores.store import LocalScores


@dataclass(frozen=True)
class Verdict:
    """What `verify` says.

    Parameters
    ----------
    holds
        Whether it found nothing wrong.
    proven
        Whether it also proved the lower bound again, all of it.
    told
        In its own words.
    """

    holds: bool
    proven: bool
    told: str


def verified(
    content: Any, *, data: Dataset | None = None, scores: LocalScores | None = None
) -> Verdict:
    """Verify the content of a result file."""
    found = verify(content, data=data, scores=scores)
    told = "; ".join(f"{c.name}: {c.detail}" for c in found.checks if not (c.passed and c.whole))
    return Verdict(found.ok, found.ok and found.bound_proven, told)


def require_verified(verdict: Verdict) -> None:
    """Fail if something was found to be wrong."""
    require(verdict.holds, f"verify: {verdict.told}")
