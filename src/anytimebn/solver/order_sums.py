"""Sums over all orders of the variables, and all networks that agree with each.

The work is done in the core (``native/all_networks/posterior.h``): here it is watched, and what
cannot be done is refused.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from anytimebn.base.errors import InputError, LimitReached
from anytimebn.base.memory_units import format_memory
from anytimebn.base.report import SUMMING, Report, Sink
from anytimebn.base.resources import memory_to_use
from anytimebn.base.threads import run_native

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from anytimebn import _native
    from anytimebn.base.clock import Deadline, Stopwatch
    from anytimebn.scores.store import LocalScores


def sum_over_orders(
    scores: LocalScores,
    weights: NDArray[np.float64],
    jobs: int,
    memory_bytes: int | None = None,
    deadline: Deadline | None = None,
    progress: Sink | None = None,
    watch: Stopwatch | None = None,
    *,
    families: bool = True,
) -> _native.PosteriorSums:
    """Sum over all orders, or say why that is not possible."""
    from anytimebn import _native

    variables, largest = scores.variables, int(np.diff(scores.first_member).max())
    if variables > _native.most_posterior_variables:
        raise InputError(
            f"there are {variables} variables, and sums over all orders are possible up to "
            f"{_native.most_posterior_variables}: leave some out (--exclude, in Python exclude), "
            "or use bootstrap"
        )
    needed = _native.posterior_memory(variables, largest, families, jobs)
    allowed = memory_to_use(None) if memory_bytes is None else memory_bytes
    if needed > allowed:
        raise InputError(
            f"the posterior of {variables} variables with up to {largest} parents needs about "
            f"{format_memory(needed)}, and {format_memory(allowed)} may be used: lower "
            "--max-parents, raise --memory-limit, or leave variables out (--exclude)"
        )
    # The largest weight of each variable is 1: so logarithms are small, and their errors too.
    starts = scores.first_set[:-1]
    largest_of = np.maximum.reduceat(weights, starts)
    if np.isneginf(largest_of).any():  # no network has the feature
        largest_of = np.where(np.isneginf(largest_of), 0.0, largest_of)
    shifted = weights - np.repeat(largest_of, np.diff(scores.first_set))
    control = _native.Control()

    def report() -> None:
        if deadline is not None and deadline.passed():
            control.stop()
        if progress is not None and watch is not None:
            progress(
                Report(
                    phase=SUMMING,
                    seconds=watch.elapsed(),
                    fraction=control.fraction_done,
                    memory_bytes=needed,
                )
            )

    report()  # the time may be over already
    sums = run_native(
        lambda: _native.sum_over_orders(
            scores.first_set,
            shifted,
            scores.first_member,
            scores.members,
            families=families,
            jobs=jobs,
            control=control,
        ),
        control,
        report,
    )
    if not sums.complete:
        raise LimitReached(
            f"the time limit ended the sums over all orders when {control.fraction_done:.0%} was "
            "done, and parts of them say nothing: allow more time, lower --max-parents, or leave "
            "variables out"
        )
    sums.log_total += math.fsum(largest_of.tolist())
    return sums
