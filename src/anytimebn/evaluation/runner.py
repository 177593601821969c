"""Runs a study: each run in its own process, several at a time, each saved as it ends.

What was done before is not done again. A run that crashes or is killed is kept as such and does not
stop the others. Two commands may work on the same folder: each takes runs that the other has not.
"""

from __future__ import annotations

import json
import logging
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import IO, TYPE_CHECKING, Any

from anytimebn.base.clock import SYSTEM_CLOCK, Clock, Deadline, Stopwatch
from anytimebn.base.memory_units import parse_memory
from anytimebn.base.resources import resident_bytes
from anytimebn.evaluation.elsewhere import RemoteRun, Scores, can_be_sent
from anytimebn.evaluation.machine import describe_machine, describe_versions, now
from anytimebn.evaluation.specification import Json, Specification, scoring_run, scoring_run_of
from anytimebn.evaluation.store import FORMAT, Run, RunFolder, write_json
from anytimebn.evaluation.worker import LIMIT, REFUSED

if TYPE_CHECKING:
    from concurrent.futures import Executor
    from pathlib import Path

    from anytimebn.evaluation.specification import StudyTable

LOG = logging.getLogger(__name__)

POLL_SECONDS = 0.05
GRACE_SECONDS = 10.0
"""After it was asked to end, a run may take so long to write what it has."""
KEPT_ERRORS = 4000  # characters
EXPECTED_SECONDS = 10.0
"""What a run without a time limit is thought to take, until one of its kind has ended."""

# Algorithms keep their limits themselves; a run is ended from outside when it is so far beyond.
LEAST_EXTRA_SECONDS, EXTRA_TIME = 60.0, 0.5
EXTRA_MEMORY = 1.1


@dataclass(frozen=True)
class Plan:
    """Runs that are wanted: scores of data sets first, and what needs them."""

    runs: tuple[Specification, ...]

    @classmethod
    def of(
        cls,
        data_sets: Sequence[StudyTable],
        scoring: Mapping[str, Any],
        wanted: Callable[[Specification], Sequence[Specification]],
    ) -> Plan:
        """Plan the wanted runs of each data set, by its scoring run."""
        runs = []
        for data in data_sets:
            scored = scoring_run(data, scoring)
            runs += [scored, *wanted(scored)]
        return cls(tuple(runs))


@dataclass
class Standing:
    """How far a study is."""

    total: int
    done_before: int = 0
    ended: int = 0
    failed: int = 0
    blocked: int = 0  # their scores could not be made
    elsewhere: int = 0  # another process is at them
    running: list[str] = field(default_factory=list)
    seconds_left: float | None = None
    last: Run | None = None


Watcher = Callable[[Standing], None]


class StudyRunner:
    """Runs a plan in a folder.

    Parameters
    ----------
    folder
        Where runs are kept.
    jobs
        How many at a time.
    retry
        Whether to run again what failed.
    command
        The command line that asked for this, to be kept with the runs.
    watch
        Called a few times a second, and whenever a run has ended (which is then ``last``).
    clock
        By which runs are told to end, if they do not keep their time limits themselves.
    executor
        Whose workers do the runs, `jobs` of them at a time; but for tables in files, which are
        scored here.
    """

    def __init__(
        self,
        folder: RunFolder,
        *,
        jobs: int = 1,
        retry: bool = False,
        command: Sequence[str] = (),
        watch: Watcher | None = None,
        clock: Clock = SYSTEM_CLOCK,
        executor: Executor | None = None,
    ) -> None:
        self._folder = folder
        self._jobs = jobs
        self._retry = retry
        self._command = list(command)
        self._watch = watch or (lambda _: None)
        self._clock = clock
        self._scores = None if executor is None else Scores(folder, executor)
        self._active: list[Process | RemoteRun] = []
        self._ended: dict[str, Run] = {}  # by key
        self._seconds: dict[str, list[float]] = {}  # of ended runs, by label

    def run(self, plan: Plan) -> Standing:
        """Do all runs that are not done; on any exception, end those that are under way."""
        self._folder.create()
        self._folder.plan(list(plan.runs))
        waiting = list({spec.key: spec for spec in plan.runs}.values())
        standing = Standing(total=len(waiting))
        for spec in list(waiting):
            run = self._done(spec)
            if run is not None:
                waiting.remove(spec)
                self._note(run)
                standing.done_before += 1
        try:
            while waiting or self._active:
                self._start_some(waiting, standing)
                self._end_some(standing)
                standing.running = [process.title for process in self._active]
                standing.seconds_left = self._seconds_left(waiting)
                self._watch(standing)
                standing.last = None
                if waiting or self._active:
                    time.sleep(POLL_SECONDS)
        finally:
            for process in self._active:
                process.kill()
                self._folder.release(process.spec)
            if self._scores is not None:
                self._scores.forget()
        self._watch(standing)
        return standing

    def _done(self, spec: Specification) -> Run | None:
        """Give a run that need not be done again."""
        run = self._folder.find(spec)
        if run is None or (run.failed and self._retry):
            return None
        has_scores = spec.kind == "scoring" and run.result is not None
        if has_scores and not self._folder.scores_path(spec).exists():
            return None
        return run

    def _start_some(self, waiting: list[Specification], standing: Standing) -> None:
        standing.elsewhere = 0
        for spec in list(waiting):
            if len(self._active) >= self._jobs:
                return
            scoring = scoring_run_of(spec)
            if spec.kind != "scoring":
                scored = self._ended.get(scoring.key)
                if scored is None:
                    continue
                if scored.result is None:
                    waiting.remove(spec)
                    standing.blocked += 1
                    continue
            if not self._folder.claim(spec):
                standing.elsewhere += 1
                continue
            # Another process may have done it since.
            run = self._done(spec)
            if run is not None:
                self._folder.release(spec)
                self._note(run)
                standing.done_before += 1
            else:
                self._active.append(self._begin(spec, scoring))
            waiting.remove(spec)

    def _begin(self, spec: Specification, scoring: Specification) -> Process | RemoteRun:
        if self._scores is not None and can_be_sent(spec):
            return RemoteRun(self._folder, spec, self._command, self._scores, self._clock)
        return Process(self._folder, spec, scoring, self._command, self._clock)

    def _end_some(self, standing: Standing) -> None:
        for process in list(self._active):
            run = process.poll()
            if run is None:
                continue
            self._folder.save(run)
            self._active.remove(process)
            self._folder.release(process.spec)
            self._note(run)
            standing.ended += 1
            standing.failed += run.failed
            standing.running = [other.title for other in self._active]
            standing.last = run
            self._watch(standing)
            standing.last = None

    def _note(self, run: Run) -> None:
        spec = run.specification
        LOG.info("%s %s: %s", spec.data_set, spec.label, run.values["outcome"]["message"])
        self._ended[run.specification.key] = run
        if not run.failed:
            seconds = float(run.values["seconds"])
            self._seconds.setdefault(run.specification.label, []).append(seconds)

    def _seconds_left(self, waiting: Sequence[Specification]) -> float:
        """What ended runs of the same kind took, and otherwise what the limit allows."""
        work = sum(self._expected(spec) for spec in waiting)
        work += sum(max(0.0, self._expected(p.spec) - p.seconds) for p in self._active)
        return work / self._jobs

    def _expected(self, spec: Specification) -> float:
        known = self._seconds.get(spec.label)
        if known:
            return sum(known) / len(known)
        return float(spec.settings.get("time_limit") or EXPECTED_SECONDS)


class Process:
    """A run under way, in a process of its own."""

    def __init__(
        self,
        folder: RunFolder,
        spec: Specification,
        scoring: Specification,
        command: list[str],
        clock: Clock,
        *,
        scores: Path | None = None,
    ) -> None:
        self.spec = spec
        self.title = f"{spec.data_set} {spec.label}"
        self._study_command = command
        self._machine = describe_machine()
        self._started = now()
        self._stopwatch = Stopwatch.started(clock)
        self._grace: Deadline | None = None  # when it was asked to end
        self._reason: str | None = None
        self._work = folder.work_path(spec)
        shutil.rmtree(self._work, ignore_errors=True)
        self._work.mkdir(parents=True)
        scores = folder.scores_path(scoring) if scores is None else scores
        write_json(
            self._work / "task.json",
            {"specification": spec.to_json(), "scores": str(scores), "runner": os.getpid()},
        )
        self._again = _command_to_repeat(spec, folder.scores_path(scoring))
        self._errors: IO[bytes] = (self._work / "errors.txt").open("wb")
        self._arguments = ["-m", "anytimebn.evaluation.worker", str(self._work)]
        # In a session of its own: Ctrl-C is for us, who decide what becomes of the runs.
        self._process = subprocess.Popen(
            [sys.executable, *self._arguments],
            stdin=subprocess.DEVNULL,
            stdout=self._errors,
            stderr=self._errors,
            start_new_session=True,
        )
        folder.note_worker(spec, self._process.pid)

    @property
    def seconds(self) -> float:
        """Since it was started."""
        return self._stopwatch.elapsed()

    def poll(self) -> Run | None:
        """Give the run if it has ended; see to its limits otherwise."""
        # Not Popen.poll: only this tells the memory and the time of one process.
        pid, status, usage = os.wait4(self._process.pid, os.WNOHANG)
        if pid == 0:
            self._see_to_limits()
            return None
        seconds = self.seconds
        self._process.returncode = os.waitstatus_to_exitcode(status)
        self._errors.close()
        factor = 1 if sys.platform == "darwin" else 1024
        result = self._read_result()
        outcome = self._outcome(result)
        peak = (result or {}).pop("process_peak_memory_bytes", None)
        values: Json = {
            "format": FORMAT,
            "specification": self.spec.to_json(),
            "outcome": outcome,
            "seconds": round(seconds, 3),
            "cpu_seconds": round(usage.ru_utime + usage.ru_stime, 3),
            "peak_memory_bytes": peak or usage.ru_maxrss * factor,
            "started": self._started,
            "study_command": self._study_command,
            "command": ["python", *self._arguments[:2], self._work.name],
            "again": self._again,
            "versions": describe_versions(),
            "machine": self._machine,
            "result": result,
        }
        shutil.rmtree(self._work, ignore_errors=True)
        return Run(self.spec, values)

    def kill(self) -> None:
        """End it without keeping anything."""
        if self._process.returncode is None:
            self._process.kill()
            self._process.wait()
        self._errors.close()
        shutil.rmtree(self._work, ignore_errors=True)

    def _read_result(self) -> Json | None:
        try:
            text = (self._work / "result.json").read_text(encoding="utf-8")
        except FileNotFoundError:
            return None
        result: Json = json.loads(text)
        return result

    def _outcome(self, result: Json | None) -> Json:
        status = self._process.returncode
        errors = (self._work / "errors.txt").read_text(encoding="utf-8", errors="replace")
        said = errors.strip()[-KEPT_ERRORS:]
        last_line = said.splitlines()[-1] if said else ""
        if self._reason is not None:
            kind = "memory" if self._reason == "memory" else "late"
            what = "used more memory than" if kind == "memory" else "did not end within"
            message = f"{what} its limit and was ended from outside"
        elif status == 0 and result is not None:
            kind = "memory" if result.get("status") == "memory" else "done"
            message = str(result.get("status", "done"))
        elif status == LIMIT:
            kind, message = "limit", last_line
        elif status == REFUSED:
            kind, message = "refused", last_line
        elif status is not None and status < 0:
            name = signal.Signals(-status).name
            kind, message = "killed", f"killed by {name}"
        else:
            kind, message = "crashed", f"exit status {status}: {last_line or 'no message'}"
        return {"kind": kind, "message": message, "exit_status": status, "errors": said}

    def _see_to_limits(self) -> None:
        """End a run that does not keep its limits."""
        if self._grace is not None:
            if self._grace.passed():
                self._process.kill()
            return
        if self._is_late():
            self._reason = "time"
        elif self._is_too_large():
            self._reason = "memory"
        else:
            return
        self._grace = Deadline.after(GRACE_SECONDS, self._stopwatch.clock)
        self._process.send_signal(signal.SIGINT)

    def _is_late(self) -> bool:
        limit: float | None = self.spec.settings.get("time_limit")
        if limit is None:
            return False
        return self.seconds > limit + max(LEAST_EXTRA_SECONDS, EXTRA_TIME * limit)

    def _is_too_large(self) -> bool:
        limit: str | None = self.spec.settings.get("memory_limit")
        if limit is None:
            return False
        return resident_bytes(self._process.pid) > EXTRA_MEMORY * parse_memory(limit)


def _command_to_repeat(spec: Specification, scores: Path) -> str | None:
    """The command line that does a search by itself."""
    if "algorithm" not in spec.settings:
        return None
    settings = spec.settings
    words = ["anytimebn", "learn", scores.name, "--algorithm", settings["algorithm"]]
    if settings["heuristic"]:
        words += ["--heuristic", settings["heuristic"]]
    for name, value in settings["parameters"].items():
        words += ["--parameter", f"{name}={value:g}"]
    words += [f"--no-{switch}" for switch in settings.get("turned_off", ())]
    for name in ("time_limit", "memory_limit", "seed", "threads"):
        if settings[name] is not None:
            option = {"threads": "jobs"}.get(name, name.replace("_", "-"))
            words += [f"--{option}", f"{settings[name]}"]
    return " ".join(words)
