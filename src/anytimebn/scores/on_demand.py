"""Local scores of a table that are counted when a search asks for them.

For searches that look at few of the parent sets: none is counted before, and none is too large.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from anytimebn.base.errors import InputError
from anytimebn.base.text import unknown_name
from anytimebn.knowledge.constraints import Knowledge
from anytimebn.scores.scoring import ScoringOptions, provenance_of, scoring_task

if TYPE_CHECKING:
    from anytimebn import _native
    from anytimebn.data.dataset import Dataset
    from anytimebn.scores.provenance import Provenance


@dataclass(frozen=True, eq=False)
class CountedScores:
    """Scores for searches that work on data, as `LocalScores` are for all others.

    Parameters
    ----------
    dataset
        The table.
    score_name, ess, knowledge
        As in `anytimebn.score`.
    max_parents
        Of any variable; None for no limit.

    Examples
    --------
    >>> import numpy as np
    >>> from anytimebn.data.read import to_dataset
    >>> table = np.array([[0, 0, 1], [1, 1, 0], [0, 0, 0], [1, 1, 1]] * 10)
    >>> CountedScores(to_dataset(table))
    CountedScores(3 variables, 40 rows, mdl)
    """

    dataset: Dataset
    score_name: str = "mdl"
    ess: float = 1.0
    max_parents: int | None = None
    knowledge: Knowledge = field(default_factory=Knowledge)
    pops = None  # parent sets are not kept

    def __post_init__(self) -> None:
        limit: int | Literal["auto"] = "auto" if self.max_parents is None else self.max_parents
        ScoringOptions(score=self.score_name, max_parents=limit, ess=self.ess)  # which checks them
        self.knowledge.check(self.names, max_parents=self.max_parents)
        if self.max_parents is not None:  # as Python's own number, which can be saved
            object.__setattr__(self, "max_parents", int(self.max_parents))

    @property
    def names(self) -> tuple[str, ...]:
        """The variables."""
        return self.dataset.names

    @property
    def provenance(self) -> Provenance:
        """The table, and what was asked."""
        return provenance_of(self.dataset, self.knowledge, self.score_name, self.ess)

    def index(self, name: str) -> int:
        """Position of a variable."""
        if name not in self.names:
            raise InputError(unknown_name("variable", name, self.names))
        return self.names.index(name)

    def task(self, jobs: int) -> _native.ScoringTask:
        """What the core needs to count with."""
        most = self.dataset.variables - 1
        limit = most if self.max_parents is None else min(self.max_parents, most)
        return scoring_task(self.dataset, self.knowledge, limit, self.score_name, self.ess, jobs)

    def __repr__(self) -> str:
        return (
            f"CountedScores({len(self.names)} variables, {self.dataset.rows} rows, "
            f"{self.score_name})"
        )
