"""Runs of a study on workers of an executor.

A worker does a run as the study itself would: in a process of its own, which is ended if it does
not keep its limits. The scores are sent to it once, and what comes back is the whole run.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from anytimebn.base.clock import SYSTEM_CLOCK, Stopwatch
from anytimebn.base.executors import MOST_TRIES, Shared, worker_died
from anytimebn.evaluation.specification import Json, Specification, scoring_run_of
from anytimebn.evaluation.store import Run, RunFolder

if TYPE_CHECKING:
    from collections.abc import Sequence
    from concurrent.futures import Executor

    from anytimebn.base.clock import Clock

POLL_SECONDS = 0.05
Sent = tuple[Json, "bytes | None"]


def can_be_sent(spec: Specification) -> bool:
    """Whether a run needs no file that only this machine may have: all but to read a table."""
    return spec.kind != "scoring" or spec.data["kind"] == "generated"


class Scores:
    """Score files as workers get them, each read and sent once."""

    def __init__(self, folder: RunFolder, executor: Executor) -> None:
        self._folder, self._executor = folder, executor
        self._sent: dict[str, Shared] = {}

    def of(self, spec: Specification) -> Shared:
        """Give what the tasks of this data set share."""
        scoring = scoring_run_of(spec)
        key = "" if spec.kind == "scoring" else scoring.key
        if key not in self._sent:
            path = self._folder.scores_path(scoring)
            content = path.read_bytes() if key else None
            self._sent[key] = Shared((path.suffix, content), self._executor)
        return self._sent[key]

    def forget(self) -> None:
        """Let go of all of them."""
        for shared in self._sent.values():
            shared.__exit__(None, None, None)
        self._sent.clear()


class RemoteRun:
    """A run under way on a worker, or waiting for one."""

    def __init__(
        self,
        folder: RunFolder,
        spec: Specification,
        command: Sequence[str],
        scores: Scores,
        clock: Clock,
    ) -> None:
        self.spec = spec
        self.title = f"{spec.data_set} {spec.label}"
        self._folder, self._command, self._scores = folder, list(command), scores
        self._stopwatch = Stopwatch.started(clock)
        self._tries = 0
        self._begin()

    def _begin(self) -> None:
        self._tries += 1
        shared = self._scores.of(self.spec)
        self._future = shared.submit(run_on_worker, self.spec.to_json(), self._command)

    @property
    def seconds(self) -> float:
        """Since it was handed over."""
        return self._stopwatch.elapsed()

    def poll(self) -> Run | None:
        """Give the run if it has ended; begin it again if its worker died."""
        if not self._future.done():
            return None
        try:
            values, scores = self._future.result()
        except BaseException as error:
            if not worker_died(error) or self._tries >= MOST_TRIES:
                raise
            self._scores.of(self.spec).send_again()
            self._begin()
            return None
        if scores is not None:
            path = self._folder.scores_path(self.spec)
            path.write_bytes(scores)
        return Run(self.spec, values)

    def kill(self) -> None:
        """Take it back, if nobody has begun it."""
        self._future.cancel()


def run_on_worker(scores: tuple[str, bytes | None], asked: Json, command: list[str]) -> Sent:
    """Do a run in a folder of its own; give it, and the scores if it made them."""
    from anytimebn.evaluation.runner import Process

    suffix, content = scores
    spec = Specification.from_json(asked)
    scoring = scoring_run_of(spec)
    with tempfile.TemporaryDirectory(prefix="anytimebn-") as name:
        folder = RunFolder(Path(name))
        folder.create()
        path = Path(name) / "scores" / f"scores{suffix}"
        if content is not None:
            path.write_bytes(content)
        folder.claim(spec)
        process = Process(folder, spec, scoring, command, SYSTEM_CLOCK, scores=path)
        try:
            while (run := process.poll()) is None:
                time.sleep(POLL_SECONDS)
        finally:
            process.kill()
            folder.release(spec)
        made = spec.kind == "scoring" and run.result is not None
        return dict(run.values), path.read_bytes() if made else None
