"""Learning as a stream of events."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from anytimebn.base.checks import check_options
from anytimebn.base.clock import Deadline
from anytimebn.data.read import READING
from anytimebn.knowledge.combine import as_knowledge
from anytimebn.learning.learn import LEARN_OPTIONS, scores_of, works_on_data
from anytimebn.solver.settings import SearchSettings
from anytimebn.solver.start import Start, read_start
from anytimebn.solver.stream import Stream

if TYPE_CHECKING:
    from anytimebn.data.read import TableLike
    from anytimebn.scores.store import LocalScores


def stream(
    data: TableLike | LocalScores,
    *,
    time_limit: float | None = None,
    start: Start = None,
    **options: Any,
) -> Stream:
    """Learn as `learn` does, yielding each improvement of network or bound as it comes.

    Leaving the loop stops the search, and so does leaving a ``with`` block; the stream has the best
    ``network`` at any time and the ``result`` at the end.

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
    check_options("stream", options, [o for o in LEARN_OPTIONS if "progress" not in o])
    scoring = ("score", "max_parents", "ess", "jobs")
    knowledge = ("require", "forbid", "tiers", "parent_limits", "knowledge")
    settings = {
        key: value
        for key, value in options.items()
        if key == "jobs" or key not in (*scoring, *READING, *knowledge)
    }
    checked = SearchSettings(time_limit=time_limit, **settings)
    deadline = Deadline.after(time_limit)
    start = read_start(start)
    scores, _ = scores_of(
        data,
        as_knowledge(**{key: options[key] for key in knowledge if key in options}),
        start=start,
        from_data=works_on_data(checked),
        time_limit=time_limit,
        table_options={key: options[key] for key in READING if key in options},
        **{key: options[key] for key in scoring if key in options},
    )
    return Stream(scores, SearchSettings(time_limit=deadline.limit, **settings), start)
