"""Counting that an executor shares out: each task has the sets of columns with some highest column.

Every set is in one part, so that nothing is counted twice however many parts there are. What comes
back is put together here, and compared here, on all threads of this machine.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from anytimebn.base.executors import Tasks, dealt_out

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Executor

    import numpy as np
    from numpy.typing import NDArray

    from anytimebn import _native
    from anytimebn.data.dataset import Dataset
    from anytimebn.knowledge.constraints import Knowledge

MOST_PARTS = 64
"""They do not depend on the number of workers, of which nobody may know."""


@dataclass(frozen=True, eq=False)
class CountingJob:
    """What is counted: the arguments of `anytimebn.scores.scoring.scoring_task`."""

    dataset: Dataset
    knowledge: Knowledge
    max_parents: int
    score: str
    ess: float
    factor: float | None

    def task(self, jobs: int) -> _native.ScoringTask:
        """Make the task of it."""
        from anytimebn.scores.scoring import scoring_task

        return scoring_task(
            self.dataset,
            self.knowledge,
            self.max_parents,
            self.score,
            self.ess,
            jobs,
            self.factor,
        )


def count_elsewhere(
    job: CountingJob, executor: Executor, go_on: Callable[[float], bool]
) -> list[tuple[list[int], Any]] | None:
    """Have all sets counted by an executor, on one thread a task.

    Parameters
    ----------
    job
        What to count.
    executor
        Who counts.
    go_on
        Called a few times a second with the share that is done; False ends it.

    Returns
    -------
    list or None
        Parts for `_native.compute_local_scores`; None if it was ended.
    """
    from anytimebn import _native

    sets = _native.sets_by_highest_column(job.task(1))
    columns = dealt_out(sets, min(MOST_PARTS, max(1, len(sets))))
    total = sum(sets) or 1.0
    parts: list[tuple[list[int], Any]] = []
    done = 0.0
    with Tasks[int, "NDArray[np.float64]"](_count, job, executor) as tasks:
        for number, own in enumerate(columns):
            tasks.begin(number, own)
        for found in tasks.come_back():
            for number, values in found:
                parts.append((columns[number], values))
                done += sum(sets[column] for column in columns[number])
            if not go_on(done / total):
                return None
    return parts


def _count(job: CountingJob, columns: list[int]) -> NDArray[np.float64]:
    """Count a part, in whatever process this is."""
    from anytimebn import _native
    from anytimebn.base.threads import run_native

    task, control = job.task(1), _native.Control()
    return run_native(lambda: _native.count_part(task, columns, control), control)
