"""What works at the moment, for those who ask how it stands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from anytimebn.learning.beside import OrdersBeside
    from anytimebn.learning.kept_scores import ScoredStage
    from anytimebn.solver.proving_again import Evidence
    from anytimebn.solver.run import Run


@dataclass
class AtWork:
    """The search of the present stage, and what goes on beside it."""

    space: str | None = None
    run: Run | None = None
    beside: OrdersBeside | None = None
    is_taken_up: bool = False  # where an earlier run ended, if there was one
    scored: ScoredStage | None = None  # of the present stage, where that took long
    stages: int = 0  # that have begun

    def begin(self, space: str | None, run: Run) -> None:
        """Hear that a search begins, and which networks it is about; None if that is not known."""
        self.space, self.run = space, run
        self.stages += 1

    def end(self) -> None:
        """Hear that it has ended, and what it found was taken."""
        self.space = self.run = None

    @property
    def leads(self) -> tuple[int, int]:
        """The number of the stage, and how many leads its search has had."""
        return self.stages, 0 if self.run is None else self.run.lead_count

    @property
    def evidence(self) -> dict[str, tuple[Evidence, ...]]:
        """What proves its bound, or will when it is computed again, by the name of the space."""
        if self.run is None or self.space is None:
            return {}
        found = self.run.leads
        return {self.space: found} if found else {}
