"""Saves where learning stands now and then, so that a run that is killed can go on.

A checkpoint listens as others do: it hears reports and events, and asks for the state when it is
time to write. Writing is done by a thread of its own, one at a time, and only if all that was
written so far, the next time and the last one together take less than a hundredth of the work, in
seconds of processors: on a busy machine it may be long until a write has got its turn, which keeps
nobody from working and is no reason to write less often.

A run that was killed before will be killed again, as far as anybody can tell. It is written more
often then: what is lost by a kill and what writing takes are least together if one writes every
sqrt(2 * seconds of a write * seconds between kills) seconds (Young 1974, "A first order
approximation to the optimum checkpoint interval").
"""

from __future__ import annotations

import logging
import math
import threading
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol

from anytimebn.base.checks import as_path
from anytimebn.base.clock import PROCESS_CLOCK, SYSTEM_CLOCK, THREAD_CLOCK, Clock, Stopwatch
from anytimebn.base.errors import CheckpointWarning, InputError
from anytimebn.base.threads import whatever_is_pressed
from anytimebn.base.warn import warn_caller
from anytimebn.data.completion import Completion
from anytimebn.data.dataset import Dataset
from anytimebn.learning.checkpoint_file import MAGIC, Saved, read_checkpoint, write_checkpoint
from anytimebn.learning.fingerprint import fingerprint
from anytimebn.learning.kept_scores import path_beside, write_scores
from anytimebn.learning.recipe import recipe_of

if TYPE_CHECKING:
    import os
    from collections.abc import Callable

    from anytimebn.base.report import Report
    from anytimebn.learning.kept_scores import ScoredStage
    from anytimebn.learning.run_state import RunState
    from anytimebn.learning.task import LearnTask
    from anytimebn.result.event import Event
    from anytimebn.result.result import Result
    from anytimebn.scores.store import LocalScores

LOG = logging.getLogger(__name__)

AT_LEAST_EVERY = 30.0  # seconds, when there is no news
NEWS_EVERY = 1.0  # seconds: nobody minds losing these
SHARE = 0.01  # of the work may go into writing


class Work(Protocol):
    """What can be saved: learning in stages, or by one search."""

    def state(self) -> RunState:
        """Tell what is needed to go on from here."""

    def scored(self) -> ScoredStage | None:
        """Give scores that are worth keeping, if there are any."""

    @property
    def leads(self) -> tuple[int, int]:
        """Another value means that what to go on from is another, whatever is proven by now."""

    @property
    def is_complete(self) -> bool:
        """Whether nothing is left to be done."""


class Checkpoint:
    """Writes the state of a run to a file.

    Parameters
    ----------
    path
        The file.
    task
        What is being done.
    clock
        By which it is written.
    working, writing
        Tell how long the process has worked, and the thread that asks.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        task: LearnTask,
        clock: Clock = SYSTEM_CLOCK,
        working: Clock = PROCESS_CLOCK,
        writing: Clock = THREAD_CLOCK,
    ) -> None:
        self.path = as_path(path)
        self._recipe = recipe_of(task)
        self._watch = Stopwatch.started(clock)
        self._clock = clock
        self._working = Stopwatch.started(working)
        self._writing = writing
        self._data = ""
        self._work: Work | None = None
        self._scores: dict[str, Any] | None = None  # of the file beside
        self._cost: float | None = None
        self._bound: float | None = None
        self._leads = (0, 0)
        self._news = True
        self._next = 0.0
        self._next_work = 0.0  # by the clock of the process
        self._asked, self._wrote = 0.0, 0.0  # seconds that went into it, by who counts them
        self._worked_before, self._kills = 0.0, 0  # of earlier runs
        self._stopped = False  # in order
        self._latest = AT_LEAST_EVERY
        self._writer: threading.Thread | None = None
        self._failure: InputError | None = None
        self._warned = False

    def follow(self, work: Work, data: Dataset | LocalScores, resumed: Saved | None = None) -> None:
        """Save this work on these data from now on."""
        self._work, self._data = work, fingerprint(data)
        if isinstance(data, Dataset) and (done := Completion.of(data)) is not None:
            self._recipe["completion"] = done.to_json()  # which may have depended on the time
        if resumed is not None:
            self._worked_before = max(0.0, resumed.worked)
            self._kills = resumed.kills + (not resumed.stopped)
        if resumed is not None and resumed.recipe == self._recipe:
            # The file says all that there is to say by now. Whoever is killed again and again has
            # no time to write it anew each time.
            self._news, self._leads = False, work.leads
            self._next = self._watch.elapsed() + NEWS_EVERY
            return
        self._write_now(None)  # the task can be taken up from here

    def saving(self, learn: Callable[[], Result]) -> Result:
        """Learn, and save the end: whether all is done, or it can go on."""
        try:
            result = learn()
        except BaseException:
            self._wait()
            raise
        assert self._work is not None
        done = result if self._work.is_complete else None
        self._stopped = True
        whatever_is_pressed(lambda: self._write_now(done))
        return result

    def keep_scores(self, told: dict[str, Any] | None) -> None:
        """Go on with the scores that an earlier run has left beside the file."""
        self._scores = told

    # ---- what it hears ----

    def hear(self, event: Event) -> None:
        """Hear of an event: a better network is saved soon."""
        if self._cost is None or event.cost < self._cost:
            self._cost = event.cost
            self._news = True

    def __call__(self, report: Report) -> None:
        """Hear a report, a few times a second: save the state if it is time for that."""
        now = self._watch.elapsed()
        if report.lower_bound is not None and report.lower_bound != self._bound:
            self._bound = report.lower_bound
            self._news = True
        if now < self._next or self._work is None or self._is_writing():
            return
        if self._working.elapsed() < self._next_work:
            return
        self._tell_failure()
        leads = self._work.leads
        if not self._news and leads == self._leads and now < self._latest:
            return
        self._news, self._leads = False, leads
        asking = Stopwatch.started(self._writing)
        saved = self._saved(None)
        stage = self._work.scored()
        self._asked += asking.elapsed()
        self._next = now + NEWS_EVERY
        self._latest = now + AT_LEAST_EVERY
        self._writer = threading.Thread(
            target=self._write, args=(saved, stage), name="anytimebn checkpoint", daemon=True
        )
        try:
            self._writer.start()
        except RuntimeError:  # there is no memory for a thread
            self._writer = None
            self._write(saved, stage)

    # ---- writing ----

    def _saved(self, result: Result | None) -> Saved:
        assert self._work is not None
        state = self._work.state()
        if result is not None:
            # Nobody goes on from here: the result has the proof, and it is large.
            state = replace(state, evidence={}, rows=None)
        return Saved(
            recipe=self._recipe,
            data=self._data,
            state=state,
            result=None if result is None else result.to_json(),
            scores=self._scores,
            worked=self._worked_before + self._working.elapsed(),
            kills=self._kills,
            stopped=self._stopped,
        )

    def _is_writing(self) -> bool:
        return self._writer is not None and self._writer.is_alive()

    def _write(self, saved: Saved, stage: ScoredStage | None = None) -> None:
        own, began = Stopwatch.started(self._writing), self._watch.elapsed()
        try:
            write_checkpoint(self.path, saved)
        except InputError as error:
            self._failure = error
        if self._failure is None:
            LOG.debug("wrote %s in %.3g s", self.path, self._watch.elapsed() - began)
        if stage is not None and stage.key != (self._scores or {}).get("key"):
            self._write_scores(stage)
        ended = self._watch.elapsed()
        self._next = max(self._next, 2 * ended - began)  # the disk belongs to others as well
        took = own.elapsed()
        self._wrote += took
        # The next time takes about as long, and so does the last one, which nothing can put off.
        self._next_work = (self._asked + self._wrote + 2 * took) / SHARE
        if self._kills:
            worked = self._working.elapsed()
            between = (self._worked_before + worked) / self._kills
            self._next_work = min(self._next_work, worked + math.sqrt(2 * took * between))

    def _write_scores(self, stage: ScoredStage) -> None:
        """Write scores once; the next checkpoint tells of them."""
        # Not worth it, or not possible: then it is not tried again.
        self._scores = {"key": stage.key}
        try:
            told = write_scores(path_beside(self.path), stage, self._clock)
        except InputError as error:
            self._failure = error
        else:
            self._scores = told or self._scores
        self._news = True

    def _write_now(self, result: Result | None) -> None:
        self._wait()
        self._write(self._saved(result))
        self._tell_failure()

    def _wait(self) -> None:
        if self._writer is not None:
            self._writer.join()

    def _tell_failure(self) -> None:
        failure, self._failure = self._failure, None
        if failure is not None and not self._warned:
            self._warned = True
            warn_caller(
                f"the checkpoint cannot be written, and the run goes on without: {failure}",
                CheckpointWarning,
            )


def check_free(path: str | os.PathLike[str]) -> None:
    """Refuse to write a checkpoint over a file that somebody may still need."""
    file = as_path(path)
    if file.is_dir():
        raise InputError(f"{file}: this is a directory; give the name of a file")
    if not file.parent.is_dir():
        raise InputError(f"{file}: there is no folder {file.parent}; make it first")
    if not file.exists():
        return
    try:
        with file.open("rb") as opened:
            known = opened.read(len(MAGIC)) == MAGIC
    except OSError as error:
        raise InputError(f"{file}: cannot be read: {error.strerror}") from error
    if not known:
        raise InputError(
            f"{file}: there is a file that is not a checkpoint; give another name, or remove it"
        )
    if read_checkpoint(file).result is None:
        raise InputError(
            f"{file}: there is a run that has not ended: go on with `anytimebn resume {file}`, "
            "give another name, or remove it"
        )
