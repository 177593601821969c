"""Commands in processes of their own: forked from this one, which is quick, or started afresh."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import traceback
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from fuzz.campaign import Failure, require

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

PATIENCE = 120.0
"""Seconds after which a process hangs, on a machine that does much else."""

POLL_SECONDS, LONG_POLL_SECONDS = 0.002, 0.05

ROOT = Path(__file__).resolve().parent.parent


@dataclass
class Child:
    """A process, and files with what it prints."""

    pid: int
    out: Path
    err: Path
    status: int | None = None
    popen: subprocess.Popen[bytes] | None = None  # kept, so that nobody else waits for it

    def ended(self) -> bool:
        """Whether it has ended; then its status is known, negative if a signal ended it."""
        if self.status is None:
            if self.popen is not None:
                self.status = self.popen.poll()
            else:
                pid, status = os.waitpid(self.pid, os.WNOHANG)
                if pid:
                    self.status = os.waitstatus_to_exitcode(status)
        return self.status is not None

    def wait(self) -> int:
        """Wait for the end; `Failure` if it never comes, or the process was aborted."""
        self.wait_until(self.ended)
        if not self.ended():
            self.kill()
            raise Failure(f"it hangs: {self.said()}")
        assert self.status is not None
        # Aborts and violations of memory.
        require(self.status not in (-6, -7, -8, -11, 134, 139), f"{self.status}: {self.said()}")
        return self.status

    def wait_until(self, condition: Callable[[], bool], seconds: float = PATIENCE) -> None:
        """Wait for something, or for the end of the process.

        Seconds that are waited through count, and no others: a machine may sleep in between.
        """
        for _ in range(int(seconds / POLL_SECONDS)):
            if self.ended() or condition():
                return
            time.sleep(POLL_SECONDS)

    def send(self, kind: int) -> None:
        """Send a signal, unless it has ended."""
        if not self.ended():
            os.kill(self.pid, kind)

    def kill(self) -> None:
        """End it, whatever it does."""
        self.send(signal.SIGKILL)
        while not self.ended():
            time.sleep(POLL_SECONDS)

    def left_behind(self) -> list[str]:
        """Name the processes that it started and that are still there, after a while."""
        for _ in range(int(PATIENCE / LONG_POLL_SECONDS)):
            if not _in_session(self.pid):
                return []
            time.sleep(LONG_POLL_SECONDS)
        return _in_session(self.pid)

    def said(self) -> str:
        """What it printed to standard error, the end of it."""
        return self.err.read_text(errors="replace")[-2000:] if self.err.exists() else ""


def _in_session(session: int) -> list[str]:
    found = []
    for folder in Path("/proc").iterdir():
        try:
            # Whatever stands in parentheses is a name, and may have blanks.
            name, _, rest = (folder / "stat").read_text().rpartition(")")
        except OSError:  # no process, or one that has just ended
            continue
        if rest.split()[3] == str(session):
            found.append(f"{name}) {rest.split()[0]}")
    return found


def started(arguments: Sequence[object], folder: Path) -> Child:
    """Start Python afresh."""
    out, err = folder / "out.txt", folder / "err.txt"
    with out.open("wb") as output, err.open("wb") as errors:
        popen = subprocess.Popen(
            [sys.executable, *map(str, arguments)],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=errors,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (ROOT, *sys.path[1:])))},
            start_new_session=True,
        )
    return Child(popen.pid, out, err, popen=popen)


def forked(work: Callable[[], object], folder: Path) -> Child:
    """Do something in a copy of this process."""
    out, err = folder / "out.txt", folder / "err.txt"
    sys.stdout.flush()
    sys.stderr.flush()
    pid = os.fork()
    if pid:
        return Child(pid, out, err)
    status = 1
    try:
        for number, path in ((1, out), (2, err)):
            os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
        os.setsid()  # whoever it starts can be found by this
        signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            work()
            status = 0
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else 0 if end.code is None else 1
        except BaseException:
            traceback.print_exc()
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(status)


def command_line(arguments: Sequence[object]) -> Callable[[], object]:
    """What runs the command line with these arguments, in a copy of this process."""

    def work() -> None:
        from anytimebn.cli import main

        sys.argv = ["anytimebn", *map(str, arguments)]
        main()

    return work
