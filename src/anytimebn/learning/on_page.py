"""Learning while a page shows it, if one is wanted."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from anytimebn.base.report import Sink, fan_out
from anytimebn.base.threads import whatever_is_pressed
from anytimebn.watch.page.serving import live_page, title_of_data

if TYPE_CHECKING:
    from anytimebn.learning.task import LearnTask
    from anytimebn.result.result import Result


def run_with_page(
    task: LearnTask,
    live: bool | int,
    *,
    progress: Sink | None = None,
    title: str | None = None,
    **how: Any,
) -> Result:
    """Run a task; serve a page meanwhile.

    Parameters
    ----------
    task
        What is done.
    live
        Whether there is a page; a number is its port.
    progress, **how
        As in `LearnTask.run`.
    title
        What the page is about; by default what the task learns from.
    """
    limit = task.settings.time_limit
    with live_page(live, title or title_of_data(task.data), limit) as page:
        if page is None:
            return task.run(progress=progress, **how)
        result = task.run(progress=fan_out(progress, page), began=page.begin, **how)
        whatever_is_pressed(partial(page.finish, result))
        return result
