"""What scoring says about itself when it is stopped."""

from __future__ import annotations

import pytest

from anytimebn import _native
from anytimebn.data.read import to_dataset
from anytimebn.knowledge.constraints import Knowledge
from anytimebn.network.random import generate
from anytimebn.scores.scoring import scoring_task


@pytest.mark.parametrize("arity", [2, 7])  # by bits, and row by row
@pytest.mark.parametrize("jobs", [1, 2])
def test_what_was_not_counted_is_not_said_to_be_done(arity: int, jobs: int) -> None:
    dataset = to_dataset(generate(8, 2, 200, arity=(arity, arity), seed=1)[1])
    task = scoring_task(dataset, Knowledge(), 3, "mdl", 1.0, jobs)
    control = _native.Control()
    control.stop()
    assert not _native.compute_local_scores(task, control).complete
    assert control.fraction_done == 0
    assert _native.compute_local_scores(task, whole := _native.Control()).complete
    assert 0.9 < whole.fraction_done <= 1
