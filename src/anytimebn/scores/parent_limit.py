"""How many parents to consider: what can be optimal, and what is feasible."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from anytimebn.base.errors import InputError
from anytimebn.base.memory_units import format_memory
from anytimebn.base.resources import available_memory_bytes
from anytimebn.scores.registry import find_score

if TYPE_CHECKING:
    from collections.abc import Callable

    from anytimebn import _native
    from anytimebn.data.dataset import Dataset
    from anytimebn.knowledge.constraints import Knowledge


AUTO_CELL_VISITS = 5e9
"""``max_parents="auto"`` never plans more work than this: a fixed number, not a measured time, so
that the same data give the same answer everywhere."""

AUTO_MEMORY_BYTES = 2**30


def auto_max_parents(
    dataset: Dataset,
    score: str,
    knowledge: Knowledge,
    task: Callable[[int], _native.ScoringTask],
    memory_bytes: float = math.inf,
    most: int | None = None,
) -> int:
    """Give the size beyond which no set can be optimal, or less where that is too much work.

    With `most`, that size is known already.
    """
    from anytimebn import _native

    required = knowledge.resolve(dataset.names, dataset.variables - 1).required
    most = most_useful_parents(dataset, task) if most is None else most
    limit = min(most, max(1, *(len(parents) for parents in required)))
    while limit < most:
        estimate = _native.estimate_scoring(task(limit + 1))
        if (
            estimate.cell_visits > AUTO_CELL_VISITS
            or estimate.memory_bytes > min(AUTO_MEMORY_BYTES, memory_bytes)
            or largest_table(dataset, limit + 1) > find_score(score).largest_table
        ):
            break
        limit += 1
    return limit


def most_useful_parents(dataset: Dataset, task: Callable[[int], _native.ScoringTask]) -> int:
    """Give the size beyond which no parent set can be optimal, as far as the score tells.

    Why there are none is in ``native/scores/local_scores.cpp``.
    """
    from anytimebn import _native

    return max(_native.most_useful_parents(task(dataset.variables - 1)))


def largest_table(dataset: Dataset, max_parents: int) -> float:
    """Cells of the largest joint table of a variable and this many parents."""
    return math.prod(float(r) for r in sorted(dataset.arities)[-(max_parents + 1) :])


def refuse_what_cannot_fit(
    estimate: _native.ScoringEstimate, limit: int, memory_limit: int | None
) -> None:
    """Refuse scoring that is predicted to need more memory than there is."""
    available = available_memory_bytes()
    allowed = memory_limit if memory_limit is not None else available
    if allowed is None or estimate.memory_bytes <= allowed:
        return
    whose = "the memory limit is" if memory_limit is not None else "free memory is"
    raise InputError(
        f"scoring up to {limit} parents needs about {format_memory(estimate.memory_bytes)} for "
        f"{estimate.sets:.3g} joint tables, but {whose} {format_memory(allowed)}: "
        f"lower --max-parents (now {limit}), or use --max-parents auto"
    )


def fewer_parents(limit: int) -> str:
    """Say how to make scoring smaller."""
    return f"lower --max-parents (now {limit}), in Python max_parents"
