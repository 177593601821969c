"""What people see while a study runs: a line for each run that ended, and how long it will take."""

from __future__ import annotations

from typing import TYPE_CHECKING

from anytimebn.base.text import format_seconds
from anytimebn.evaluation.rendering import rounded_up
from anytimebn.result.event import error_bound
from anytimebn.watch.terminal import make_console

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from anytimebn.evaluation.runner import Standing
    from anytimebn.evaluation.store import Run


class StudyDisplay:
    """Shows the standing of a study; the bar on a terminal only."""

    def __init__(self, *, quiet: bool) -> None:
        self._console = make_console(quiet=quiet)
        self._bar: tuple[Progress, TaskID] | None = None
        self._begun = False

    def __enter__(self) -> StudyDisplay:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar[0].stop()

    def watch(self, standing: Standing) -> None:
        """Show where the study stands."""
        if not self._begun:
            self._begin(standing)
        done = standing.done_before + standing.ended + standing.blocked
        if standing.last is not None:
            text = f"[{done}/{standing.total}] {ended_line(standing.last)}"
            self._console.print(text, soft_wrap=True)
        if self._bar is not None:
            bar, task = self._bar
            left = standing.seconds_left
            bar.update(
                task,
                completed=done,
                left="" if left is None else f"about {format_seconds(left)} left",
                running=_running(standing),
            )

    def _begin(self, standing: Standing) -> None:
        self._begun = True
        to_do = standing.total - standing.done_before
        text = f"{standing.total} runs: {standing.done_before} done before, {to_do} to do"
        self._console.print(text)
        if self._console.is_terminal and not self._console.quiet:
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

            bar = Progress(
                BarColumn(bar_width=24),
                MofNCompleteColumn(),
                TextColumn("{task.fields[left]}", markup=False),
                TextColumn("{task.fields[running]}", markup=False),
                console=self._console,
                transient=True,
                refresh_per_second=4,
            )
            task = bar.add_task("study", total=standing.total, left="", running="")
            self._bar = (bar, task)
            bar.start()


def ended_line(run: Run) -> str:
    """Say how a run ended, in a line."""
    spec, result = run.specification, run.result
    taken = format_seconds(float(run.values["seconds"]))
    if result is None or run.failed:
        told = f"{run.outcome}: {run.explain()}"
    elif spec.kind == "scoring":
        told = f"{result['pops']:,} parent sets"
    elif spec.kind in ("search", "network"):
        bound = error_bound(float(result["cost"]), float(result["lower_bound"]))
        told = f"{result['status']}, cost {result['cost']:.2f}, bound {rounded_up(bound)}"
    else:
        told = f"optimum {result['optimum']:.2f}"
    return f"{spec.data_set} {spec.label}: {told}, {taken}"


def _running(standing: Standing) -> str:
    shown = ", ".join(standing.running)
    if standing.elsewhere and not standing.running:
        shown = f"{standing.elsewhere} run by another process"
    return shown
