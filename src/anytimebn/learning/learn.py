"""The main job: from a table, or a score file, to a network with its bounds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from anytimebn.base.checks import check_options, check_progress
from anytimebn.base.executors import check_executor
from anytimebn.base.report import SCORING, Report, Sink
from anytimebn.base.signatures import shows
from anytimebn.learning.on_page import run_with_page
from anytimebn.learning.task import SHOWN_OPTIONS, TASK_OPTIONS, make_task
from anytimebn.watch.page.serving import check_live
from anytimebn.watch.watching import Progress, check_watched, watching

if TYPE_CHECKING:
    import os
    from concurrent.futures import Executor

    from anytimebn.data.read import TableLike
    from anytimebn.result.result import Result
    from anytimebn.scores.store import LocalScores


@shows(SHOWN_OPTIONS)
def learn(
    data: TableLike | LocalScores,
    *,
    checkpoint: str | os.PathLike[str] | None = None,
    progress: Progress = "auto",
    scoring_progress: Sink | Literal[False] | None = None,
    live: bool | int = False,
    executor: Executor | None = None,
    **options: Any,
) -> Result:
    """Learn the best Bayesian network for a table, with a proof of how good it is.

    A network is there at once, by a search over orders. Then it is proven, or improved until it is
    proven, that no network of some space costs less; ``claim`` of the result says which space.

    Parameters
    ----------
    data
        A data frame (pandas, polars, pyarrow), a 2-D array, a `Dataset`, `LocalScores`, or the path
        of a table or of a score file.
    score, ess
        As in `anytimebn.score`; not used when `data` are scores already.
    max_parents
        The most parents of any variable: then all parent sets of up to so many are searched, and no
        others (but see `space`). ``"auto"`` leaves out no network, except where all sets must be
        scored: there it is as in `anytimebn.score`. Algorithms that work on data (``anytimebn list
        algorithms``) have no limit unless one is given.
    jobs
        Threads for scoring and searching; by default all cores.
    require, forbid, tiers
        Arcs, as ``"A->B"`` or pairs of names, that must or must not be there; groups of variables,
        or a file of them, whose members have no parents in later groups.
    parent_limits
        The largest number of parents of single variables, by name.
    knowledge
        The same four as a `Knowledge`, or in a ``.toml``, ``.json`` or ``.yaml`` file; what is
        given beside it is added.
    start
        A network, or a file with one, to begin with; parents that are not considered are left out.
    space
        Which parent sets are searched. ``"complete"``: all up to a size. ``"neighbourhood"``: those
        of the best network with one parent added, removed or exchanged, again and again, until no
        network of these is better; none has more than `max_parents`. ``"grow"``: all up to
        `max_parents`, if that is a number. Otherwise all, where that is feasible, and elsewhere the
        neighbourhood, then wider spaces as long as they pay.
    table_options
        How the table is read. Its fields may also be given as keywords: ``bins``, ``missing``,
        ``exclude``, ...; see `anytimebn.TableOptions`.
    time_limit, memory_limit
        Seconds and bytes (or text such as ``"8GiB"``) for all of this together. Without a time
        limit it ends when nothing is left to prove, or when a wider space would take longer than
        all that was done before.
    checkpoint
        A file in which it is saved where learning stands, at every better network and at least
        every 30 seconds, so that `resume` can go on if the process is killed.
    progress
        Called a few times a second with a `Report`, whose ``phase`` says what is being done. By
        default a notebook shows a live view, and a terminal a line; where the output is no
        terminal, or with False, nothing is shown.
    scoring_progress
        Called with the reports of scoring, which `progress` then does not get.
    live
        Whether to serve a page that shows the search in a browser of this machine; a number is the
        port. A notebook shows its address, and elsewhere it is written to standard error. The page
        can stop the search, which then returns what it has found, as with Ctrl-C.
    executor
        Any `concurrent.futures.Executor`, such as a process pool or ``client.get_executor()`` of a
        Dask client, whose workers help ``auto``: they search orders with other seeds, and prove
        beside the search here. Nothing that they find is taken without scoring it, or proving
        it, once more here.
    **options
        The fields of `TableOptions`, and further ones of `SearchSettings`: ``algorithm``,
        ``heuristic``, ``gap``, ``seed``, ...

    Returns
    -------
    Result
        Ctrl-C during the search returns what was found so far, with the status ``interrupted``.

    Examples
    --------
    >>> import numpy as np
    >>> import anytimebn as ab
    >>> table = np.array([[0, 0, 1], [1, 1, 0], [0, 0, 0], [1, 1, 1]] * 10)
    >>> result = ab.learn(table)
    >>> result.claim, result.network.arcs
    ('optimal', (('X1', 'X0'),))
    >>> ab.learn(table, max_parents=1).claim, ab.learn(table, space="neighbourhood").claim
    ('optimal up to 1 parent', 'neighbourhood-optimal')
    """
    check_options("learn", options, (*TASK_OPTIONS, *(learn.__kwdefaults__ or ())))
    scoring = check_progress("scoring_progress", scoring_progress)
    check_watched(progress)
    check_live(live)
    check_executor(executor)
    task = make_task("learn", data, options)
    saved = None
    if checkpoint is not None:
        from anytimebn.learning.checkpoint import Checkpoint, check_free

        check_free(checkpoint)
        saved = Checkpoint(checkpoint, task)
    found: list[Result] = []
    try:
        with watching(progress, task.settings.time_limit) as sink:
            if scoring is not None:
                sink = _with_scoring(scoring, sink)
            found.append(
                run_with_page(task, live, progress=sink, checkpoint=saved, executor=executor)
            )
    except KeyboardInterrupt:  # while the view was closed: what was found is there all the same
        if not found:
            raise
    return found[0]


def _with_scoring(scoring: Sink, others: Sink | None) -> Sink:
    """Hand on the reports of scoring to one sink, and all others to another."""

    def hand_on(report: Report) -> None:
        if report.phase == SCORING:
            scoring(report)
        elif others is not None:
            others(report)

    return hand_on
