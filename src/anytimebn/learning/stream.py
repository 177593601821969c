"""Learning as a stream of events."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from anytimebn.data.options import takes_table_keywords
from anytimebn.learning.task import make_task

if TYPE_CHECKING:
    from anytimebn.data.read import TableLike
    from anytimebn.scores.store import LocalScores
    from anytimebn.solver.stream import Stream, Work


@takes_table_keywords()
def stream(data: TableLike | LocalScores, **options: Any) -> Stream[Work]:
    """Learn as `learn` does, yielding each improvement of the network or the bound as it is found.

    The first events have no lower bound: a network comes before anything is proven. A bound is
    about the space that the last event with a ``space`` names; where that changes, it may fall.
    Leaving the loop stops the search, and so does leaving a ``with`` block; the stream has the best
    ``network`` at any time and the ``result`` at the end.

    Parameters
    ----------
    data, **options
        As in `learn`, but for its two progress functions.

    Examples
    --------
    >>> import numpy as np
    >>> import anytimebn as ab
    >>> table = np.array([[0, 0, 1], [1, 1, 0], [0, 0, 0], [1, 1, 1]] * 10)
    >>> events = ab.stream(table)
    >>> for event in events:
    ...     last = event
    >>> last.error_bound, events.result.status
    (1.0, 'optimal')
    """
    return make_task("stream", data, options).stream()
