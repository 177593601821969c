"""``kill -9`` at any moments of ``learn --checkpoint``, resumed each time: nothing is lost."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from anytimebn.network.random import generate
from fuzz.campaign import Campaign, Case, Failure, require
from fuzz.children import POLL_SECONDS, ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    import anytimebn as ab

TICKS = os.sysconf("SC_CLK_TCK")
OPTIMAL = "optimal"

MOST_WORK = 20.0
"""Seconds of processors after which a table is left alone: some take minutes to prove."""

MOST_AGAIN, MOST_AGAIN_SECONDS = 3.0, 30.0
"""A last piece hangs that takes so many times the whole, and so many seconds more."""


def draw(random: Random) -> Case:
    """Draw a table that takes seconds, and when it is killed: parts of the work of a whole run."""
    variables, rows, most = random.choice(
        [(26, 1000, 3), (30, 2000, 4), (45, 1000, 2), (60, 1500, 2), (80, 1000, 2)]
    )
    return {
        "table": {"variables": variables, "rows": rows, "seed": random.randrange(10**6)},
        "options": ["--max-parents", most, "--jobs", random.choice([1, 2])],
        "kills": draw_moments(random, random.randint(1, 4)),
    }


def draw_moments(random: Random, count: int) -> list[float]:
    """Draw when it is killed."""
    return sorted(round(random.random(), 4) for _ in range(count))


def run(case: Case) -> Iterator[str]:
    """Learn undisturbed, then with kills, and compare."""
    with tempfile.TemporaryDirectory(prefix="fuzz-") as name:
        work = Killed(case, Path(name))
        undisturbed = work.undisturbed(MOST_WORK)
        if undisturbed is None:
            yield "takes too long"
            return
        work.disturbed(undisturbed)
        work.check()
        yield from ["killed"] * len(case["kills"])
        yield f"resumed, {work.results[-1]['status']}"


class Killed:
    """One job, done as a whole and in pieces.

    Seconds are those of processors: how busy the machine is otherwise changes nothing.
    """

    def __init__(self, case: Case, folder: Path) -> None:
        self._case = case
        self._folder = folder
        self._table = folder / "table.csv"
        table = case["table"]
        _, data = generate(table["variables"], 3, table["rows"], seed=table["seed"])
        _write_table(self._table, data)
        self.results: list[dict[str, Any]] = []

    def undisturbed(self, most: float | None = None) -> float | None:
        """Do it as a whole, without a checkpoint; the seconds that it took, if not too many."""
        spent, ended = _work_for(["learn", self._table, *self._options("whole.json")], most)
        if not ended:
            require(most is not None, "it was killed by somebody else")
            return None
        self._take("whole.json")
        return spent

    def disturbed(self, undisturbed: float) -> float:
        """Do it in pieces; the seconds that all of them took."""
        most = MOST_AGAIN * undisturbed + MOST_AGAIN_SECONDS
        checkpoint = self._folder / "run"
        pieces = [later - earlier for earlier, later in pairwise([0.0, *self._case["kills"]])]
        whole = 0.0
        for piece in [*(undisturbed * piece for piece in pieces), most]:
            if checkpoint.exists():
                command = ["resume", checkpoint, "--json", self._folder / "pieces.json"]
            else:  # it was killed before it could save anything
                command = ["learn", self._table, "--checkpoint", checkpoint]
                command += self._options("pieces.json")
            spent, ended = _work_for(command, piece)
            whole += spent
            if ended:
                break
        else:
            raise Failure(f"no end after {whole:.0f} seconds of work, {undisturbed:.0f} in one go")
        self._take("pieces.json")
        return whole

    def check(self) -> None:
        """See that both came to the same."""
        first, second = self.results
        if first["status"] != OPTIMAL:
            return
        require(second["status"] == OPTIMAL, f"the status is {second['status']}, not optimal")
        require(
            abs(second["cost"] - first["cost"]) < 1e-6 * self._case["table"]["variables"],
            f"the cost is {second['cost']}, not {first['cost']}",
        )

    def _options(self, result: str) -> list[Any]:
        return ["--json", self._folder / result, *self._case["options"]]

    def _take(self, result: str) -> None:
        self.results.append(json.loads((self._folder / result).read_text()))


def _work_for(command: list[Any], seconds: float | None) -> tuple[float, bool]:
    """Run a command until it has used the processors for so long, and kill it then.

    Returns
    -------
    tuple
        The seconds that it used, and whether it came to its end.
    """
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (ROOT, *sys.path[1:])))}
    env.pop("PYTHONDONTWRITEBYTECODE", None)  # nobody's Python compiles all modules every time
    process = subprocess.Popen(
        [sys.executable, "-m", "anytimebn", *map(str, command)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env=env,
    )
    assert process.stderr is not None
    while True:
        pid, status, used = os.wait4(process.pid, os.WNOHANG)
        if pid:
            break
        if seconds is not None and _used(process.pid) >= seconds:
            process.send_signal(signal.SIGKILL)
            _, status, used = os.wait4(process.pid, 0)
            break
        time.sleep(POLL_SECONDS)
    process.returncode = os.waitstatus_to_exitcode(status)
    said = process.stderr.read().decode(errors="replace")
    process.stderr.close()
    killed = process.returncode == -signal.SIGKILL
    require(killed or process.returncode == 0, f"the exit status is {process.returncode}: {said}")
    return used.ru_utime + used.ru_stime, not killed


def _used(pid: int) -> float:
    """Seconds of processors that a process has used."""
    # Whatever stands in parentheses is a name, and may have blanks.
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def _write_table(path: Path, data: ab.Dataset) -> None:
    lines = [",".join(data.names), *(",".join(map(str, row)) for row in data.codes.T.tolist())]
    path.write_text("\n".join(lines) + "\n")


CAMPAIGN = Campaign(
    name="kills",
    summary="kill -9 at any moments of learn, resumed each time: the same optimum",
    draw=draw,
    run=run,
    patience=3600.0,  # work is counted, and ends by itself
    in_suite=range(2),
)
