"""All networks that are nearly as good as the best: from a table, or from scores."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from anytimebn.base.checks import check_number, check_options, check_progress, check_whole
from anytimebn.base.clock import SYSTEM_CLOCK, Clock, Deadline
from anytimebn.base.errors import InputError
from anytimebn.data.options import TABLE_KEYWORDS, takes_table_keywords
from anytimebn.learning.kept_families import families_within
from anytimebn.learning.task import KNOWLEDGE_KEYWORDS, make_task
from anytimebn.solver.good_networks import GoodNetworks

if TYPE_CHECKING:
    from anytimebn.base.report import Sink
    from anytimebn.data.read import TableLike
    from anytimebn.scores.store import LocalScores


@takes_table_keywords()
def networks_within(
    data: TableLike | LocalScores,
    factor: float,
    *,
    count: int | None = None,
    score: str = "mdl",
    max_parents: int | Literal["auto"] = "auto",
    ess: float = 1.0,
    time_limit: float | None = None,
    memory_limit: int | str | None = None,
    jobs: int | None = None,
    seed: int = 0,
    progress: Sink | Literal[False] | None = None,
    clock: Clock = SYSTEM_CLOCK,
    **options: Any,
) -> GoodNetworks:
    """Find every network whose likelihood is within a factor of the best one's, best first.

    A network is within the factor if its cost is at most ``log(factor)`` above the lowest, give or
    take a millionth of a nat.

    Parameters
    ----------
    data
        A table, as `learn` takes it; or scores, or a file of them. Scores must have the parent sets
        that are within the factor of their best subset (``score(..., factor=...)``): those that
        can be optimal are not enough. Of files of other programs this is not known, and the claim
        says so.
    factor
        At least 1, which asks for all networks that are as good as the best.
    count
        Stop after so many networks; by default there is no limit.
    score, max_parents, ess
        As in `anytimebn.score`; not used when `data` are scores already.
    time_limit
        Seconds, from now on.
    memory_limit
        Bytes, or text such as ``"8GiB"``, for the whole process.
    jobs
        Threads; all cores by default.
    seed
        Of the search for the best network, where there are many variables.
    progress
        Called a few times a second with a `Report`.
    clock
        By which `time_limit` is kept while scoring.
    **options
        Constraints (``require``, ``forbid``, ``tiers``, ``parent_limits``, ``knowledge``) and how
        the table is read (``bins``, ...), as in `learn`.

    Returns
    -------
    GoodNetworks
        Loop over it to have the networks as they are found, or call ``find_all``. Limits and Ctrl-C
        end it; what was found until then are the best networks, and ``complete`` is False.

    Examples
    --------
    >>> import numpy as np
    >>> import anytimebn as ab
    >>> table = np.array([[0, 0, 1], [1, 1, 0], [0, 0, 0], [1, 1, 1]] * 10)
    >>> found = ab.networks_within(table, factor=10)
    >>> for one in found:
    ...     print(f"{one.factor:.2f}", one.network.arcs)
    1.00 (('X1', 'X0'),)
    1.00 (('X0', 'X1'),)
    6.32 (('X1', 'X0'), ('X2', 'X1'))
    6.32 (('X2', 'X0'), ('X0', 'X1'))
    6.32 (('X1', 'X0'), ('X1', 'X2'))
    6.32 (('X0', 'X1'), ('X1', 'X2'))
    6.32 (('X1', 'X0'), ('X0', 'X2'))
    6.32 (('X0', 'X1'), ('X0', 'X2'))
    >>> found
    GoodNetworks(all 8 networks within a factor of 10 of the best)
    >>> [own.size for own in found.classes]
    [2, 3, 3]
    """
    check_options(
        "networks_within",
        options,
        (
            *KNOWLEDGE_KEYWORDS,
            "table_options",
            *TABLE_KEYWORDS,
            *(networks_within.__kwdefaults__ or ()),
        ),
    )
    check_number("factor", factor, 1)
    if math.isinf(factor):
        raise InputError("factor must be finite: ask for a count of the best with a large factor")
    if count is not None:
        check_whole("count", count, 1)
    sink = check_progress("progress", progress)
    if time_limit is not None:
        check_number("time_limit", time_limit, 0, unit=" seconds")
    deadline = Deadline.after(time_limit, clock)
    asked = {
        "score": score,
        "max_parents": max_parents,
        "ess": ess,
        "seed": seed,
        "time_limit": time_limit,
        "memory_limit": memory_limit,
        "jobs": jobs,
    }
    task = make_task("networks_within", data, options | asked)
    scores = families_within(task, factor, deadline, sink)
    settings = replace(task.settings, time_limit=deadline.limit)
    return GoodNetworks(scores, factor, settings, count=count, progress=sink, clock=clock)
