"""Learning as a stream of events."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from anytimebn.base.executors import check_executor
from anytimebn.base.signatures import shows
from anytimebn.learning.task import SHOWN_OPTIONS, make_task

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from anytimebn.data.read import TableLike
    from anytimebn.scores.store import LocalScores
    from anytimebn.solver.stream import Stream, Work


@shows(SHOWN_OPTIONS)
def stream(
    data: TableLike | LocalScores, *, executor: Executor | None = None, **options: Any
) -> Stream[Work]:
    """Learn as `learn` does, yielding each improvement of the network or the bound as it is found.

    The first events have no lower bound: a network comes before anything is proven. A bound is
    about the space that the last event with a ``space`` names; where that changes, it may fall.
    Leaving the loop stops the search, and so does leaving a ``with`` block. The stream has the best
    ``network`` at any time, with its probabilities where there is a table, and the ``result`` as
    soon as the search has ended or was stopped.

    Parameters
    ----------
    data
        As in `learn`.
    executor
        As in `learn`.
    **options
        Those of `learn`, but for its checkpoint and its two progress functions.

    Examples
    --------
    >>> import numpy as np
    >>> import anytimebn as ab
    >>> table = np.array([[0, 0, 1], [1, 1, 0], [0, 0, 0], [1, 1, 1]] * 10)
    >>> with ab.stream(table) as events:
    ...     for event in events:
    ...         if event.error_bound is not None and event.error_bound < 1.01:
    ...             break
    >>> event.error_bound, events.result.claim, events.network.arcs
    (1.0, 'optimal', (('X1', 'X0'),))
    """
    check_executor(executor)
    return make_task("stream", data, options).stream(executor=executor)
