"""Going on with a run that was killed, or that a limit has ended."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from anytimebn.base.checks import as_path
from anytimebn.base.errors import InputError
from anytimebn.base.executors import check_executor
from anytimebn.base.files import remove_what_was_left
from anytimebn.learning.checkpoint import Checkpoint
from anytimebn.learning.checkpoint_file import read_checkpoint
from anytimebn.learning.finished_run import finished_result
from anytimebn.learning.kept_scores import path_beside, read_scores
from anytimebn.learning.on_page import run_with_page
from anytimebn.learning.recipe import task_of
from anytimebn.learning.task import has_scores
from anytimebn.watch.page.serving import check_live
from anytimebn.watch.watching import Progress, check_watched, watching

if TYPE_CHECKING:
    import os
    from concurrent.futures import Executor

    from anytimebn.data.read import TableLike
    from anytimebn.result.result import Result
    from anytimebn.scores.store import LocalScores


def resume(
    checkpoint: str | os.PathLike[str],
    *,
    data: TableLike | LocalScores | None = None,
    time_limit: float | None = None,
    memory_limit: int | str | None = None,
    jobs: int | None = None,
    progress: Progress = "auto",
    live: bool | int = False,
    executor: Executor | None = None,
) -> Result:
    """Go on with a run of `learn` that had a `checkpoint`, and was killed or ended by a limit.

    Nothing in the file is believed without proof: the network is scored again, and the lower bound
    is what the certificate in the file proves again. What the earlier run had proven by search
    alone is searched again. A run that had come to its end returns its result at once.

    Parameters
    ----------
    checkpoint
        The file that was named in `learn`; it is written on.
    data
        The same table or scores, if they are not where they were, or were no file.
    time_limit
        Seconds from now; by default as many as the earlier run had. ``math.inf`` for no limit.
    memory_limit, jobs
        By default those of the earlier run.
    progress, live, executor
        As in `learn`.

    Returns
    -------
    Result
        Its events are those of all runs, on one clock that stands still between them;
        ``details["resumed_at"]`` has the seconds at which runs were taken up.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import numpy as np
    >>> import anytimebn as ab
    >>> table = np.array([[0, 0, 1], [1, 1, 0], [0, 0, 0], [1, 1, 1]] * 10)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "run.checkpoint")
    ...     learned = ab.learn(table, checkpoint=file)
    ...     ab.resume(file, data=table).cost == learned.cost
    True
    """
    check_watched(progress)
    check_live(live)
    check_executor(executor)
    path = as_path(checkpoint)
    saved = read_checkpoint(path)
    try:
        task = task_of(saved.recipe, data)
    except InputError as error:
        raise InputError(f"{path}: {error}") from error
    given: dict[str, Any] = {"time_limit": time_limit, "memory_limit": memory_limit, "jobs": jobs}
    changed = {name: value for name, value in given.items() if value is not None}
    task = replace(task, settings=replace(task.settings, **changed))
    if saved.result is not None:
        return finished_result(path, task, saved)
    for file in (path, path_beside(path)):
        remove_what_was_left(file)
    own = Checkpoint(path, task)
    kept = None
    if not has_scores(task.data):
        kept = read_scores(path_beside(path), saved.scores)
        own.keep_scores(None if kept is None else saved.scores)
    found: list[Result] = []
    try:
        with watching(progress, task.settings.time_limit) as sink:
            result = run_with_page(
                task,
                live,
                progress=sink,
                checkpoint=own,
                resumed=saved,
                kept_scores=kept,
                executor=executor,
            )
            found.append(result)
    except KeyboardInterrupt:  # as in `learn`: while the view was closed
        if not found:
            raise
    return found[0]
