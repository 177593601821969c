"""Tables of many columns at several time limits: our learners, greedy peers, and other programs.

A line is a table, a case is a line with a method and a limit, and each runs in a process of its
own, from the file to the network. Networks are scored again by the plain code of
`anytimebn.checker.formulas` (MDL). Peers know no limit: each runs once, for all limits, and is
ended somewhat after the longest. Not among the suites that run by default: it takes hours.

Another program takes part by ``--also NAME COMMAND``, where ``{table}`` and ``{seconds}`` in the
command are replaced. The last line that it prints is the cost of its network, a number, or a JSON
object with any of these keys: ``parents`` (lists of names by name; the cost is then computed
again), ``cost``, ``seconds`` (those of the whole process otherwise), ``status``, ``parent_sets``,
``gap_percent``, ``first_network_seconds``, ``peak_memory_bytes``.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import math
import os
import shlex
import signal
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anytimebn as ab
from benchmarks.greedy import cost_of
from benchmarks.suite import ROOT, Case, Column, Suite
from benchmarks.timed_search import percent
from benchmarks.wide_learner import OURS, PEERS
from benchmarks.wide_tables import Line, lines_of_folder, usual_lines

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

LIMITS = (1.0, 5.0, 20.0, 60.0)
# A process is ended so many seconds after this many limits. Whoever knows the limit and is late is
# waited for, to see by how much; a peer only has to start, which is not learning.
PATIENCE_WITH_LIMIT = 10.0
PATIENCE_WITH_PEERS = 1.0
SECONDS_TO_START = 10.0
MIB = 2**20


# ---- what is measured ----


def choose(arguments: Sequence[str]) -> list[Case]:
    """Give the cases that arguments of the command line ask for; all usual ones without any."""
    options = _parser().parse_args(arguments)
    lines = usual_lines()
    for folder in options.tables:
        found = lines_of_folder(folder)
        if not found:
            _parser().error(f"--tables: {folder} has no .csv and no .csv.gz file")
        lines += found
    if options.tables_only:
        lines = [line for line in lines if line.file is not None]
    return [
        Case(
            line.name, {"line": asdict(line), "method": method, "limit": limit, "command": command}
        )
        for line in lines
        for method, command, limits in _methods(options)
        for limit in limits
    ]


def _methods(options: argparse.Namespace) -> list[tuple[str, str | None, Sequence[float]]]:
    """Name, command if it is another program, and limits of those that take part."""
    own = [name for name in (*OURS, *PEERS) if options.methods is None or name in options.methods]
    return [
        *((name, None, options.limits if name in OURS else options.limits[-1:]) for name in own),
        *((name, command, options.limits) for name, command in options.also),
    ]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks wide",
        description="Further options of this suite.",
        add_help=False,
    )
    parser.add_argument(
        "--limits", type=_limits, default=LIMITS, metavar="S,S,...", help="seconds, 1,5,20,60"
    )
    parser.add_argument(
        "--methods",
        type=_method_names,
        metavar="NAME,NAME,...",
        help=f"of {', '.join((*OURS, *PEERS))}; none: only those of --also",
    )
    parser.add_argument(
        "--tables", action="append", default=[], type=_folder, metavar="DIR", help="tables as well"
    )
    parser.add_argument("--tables-only", action="store_true", help="those of --tables alone")
    parser.add_argument(
        "--also",
        action="append",
        default=[],
        nargs=2,
        metavar=("NAME", "COMMAND"),
        help="another program: 'solve {table} {seconds}'",
    )
    return parser


def _limits(text: str) -> tuple[float, ...]:
    limits = tuple(sorted({float(part) for part in text.split(",")}))
    if not all(0 < limit < math.inf for limit in limits):
        raise argparse.ArgumentTypeError("limits are seconds, more than none")
    return limits


def _method_names(text: str) -> list[str]:
    names = [] if text == "none" else [name.strip() for name in text.split(",")]
    for name in names:
        if name not in (*OURS, *PEERS):
            raise argparse.ArgumentTypeError(f"{name!r} is none of {', '.join((*OURS, *PEERS))}")
    return names


def _folder(text: str) -> Path:
    if not Path(text).is_dir():
        raise argparse.ArgumentTypeError(f"{text!r} is no folder")
    return Path(text)


# ---- one measurement ----


def measure(
    *, line: dict[str, Any], method: str, limit: float, command: str | None
) -> dict[str, Any]:
    """Learn once in another process, and judge what comes out."""
    own = Line(**line)
    table = own.table()
    by_peer = command is None and method in PEERS
    limits = PATIENCE_WITH_PEERS if by_peer else PATIENCE_WITH_LIMIT
    patience = limits * limit + SECONDS_TO_START
    ended = run_command(
        _command(method, table, limit, command), shell=command is not None, patience=patience
    )
    found = _last_line(ended.pop("output"))
    message = ended.pop("message")
    if ended.pop("killed"):
        found = {"seconds": patience, "status": "killed"}
    elif message or found is None:
        raise RuntimeError(f"{method}: {message or 'its last line is no cost and no JSON'}")
    seconds = found.get("seconds", ended["process_seconds"])
    parents = found.pop("parents", None)
    return {
        **ended,
        "status": "",
        "cost": None,
        "parent_sets": None,
        "gap_percent": None,
        "first_network_seconds": None,
        **found,
        **({} if parents is None else _judged(parents, own, table)),
        "seconds": seconds,
        "overrun_seconds": None if by_peer else max(0.0, seconds - limit),
    }


def _command(method: str, table: Path, limit: float, command: str | None) -> str | list[str]:
    if command is None:
        return [sys.executable, "-m", "benchmarks.wide_learner", method, str(table), f"{limit:g}"]
    return command.replace("{table}", shlex.quote(str(table))).replace("{seconds}", f"{limit:g}")


def run_command(command: str | list[str], *, shell: bool, patience: float) -> dict[str, Any]:
    """Run a command with all that it starts, and end it when it takes too long."""
    killed = threading.Event()
    with tempfile.TemporaryFile("w+") as output, tempfile.TemporaryFile("w+") as errors:
        start = time.perf_counter()
        process = subprocess.Popen(
            command, shell=shell, cwd=ROOT, stdout=output, stderr=errors, start_new_session=True
        )

        def kill() -> None:
            killed.set()
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)

        timer = threading.Timer(patience, kill)
        timer.start()
        try:
            _, status, used = os.wait4(process.pid, 0)  # which tells what this one process used
        except BaseException:  # Ctrl-C does not reach what has a session of its own
            kill()
            raise
        finally:
            timer.cancel()
        seconds = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        errors.seek(0)
        told = errors.read().strip().splitlines() or [f"status {process.returncode}"]
        return {
            "output": output.read(),
            "message": told[-1] if process.returncode else "",
            "killed": killed.is_set(),
            "process_seconds": seconds,
            "cpu_seconds": used.ru_utime + used.ru_stime,
            "peak_memory_bytes": used.ru_maxrss * (1 if sys.platform == "darwin" else 1024),
        }


def _last_line(output: str) -> dict[str, Any] | None:
    """Read what a learner said, or None if it said nothing that can be read."""
    try:
        said = json.loads(output.strip().splitlines()[-1])
    except (IndexError, ValueError):
        return None
    if isinstance(said, dict):
        return said
    return {"cost": float(said)} if isinstance(said, int | float) else None


def _judged(parents: Mapping[str, list[str]], line: Line, table: Path) -> dict[str, Any]:
    """Compute the cost again, and the distance to the generating class."""
    truth = line.generating_network()
    network = ab.Network.from_parents(parents)
    return {
        "cost": cost_of(parents, ab.to_dataset(table)),
        "arcs": len(network.arcs),
        "distance": None
        if truth is None
        else network.cpdag().structural_hamming_distance(truth.cpdag()),
    }


# ---- the table of all runs ----


def _number(value: float | None, text: str) -> str:
    return "" if value is None else format(value, text)


SUITE = Suite(
    name="wide",
    summary="Tables of many columns, from a file to a network, MDL",
    cases=choose([]),
    measure=measure,
    choose=choose,
    columns=[
        Column("method", lambda r: r["method"]),
        Column("limit", lambda r: f"{r['limit']:g}"),
        Column("seconds", lambda r: f"{r['seconds']:.2f}"),
        Column("over", lambda r: _number(r["overrun_seconds"], ".2f")),
        Column("over, CPU", lambda r: _number(r.get("cpu_seconds_after_limit"), ".2f")),
        Column("CPU s", lambda r: f"{r['cpu_seconds']:.1f}"),
        Column("first s", lambda r: _number(r["first_network_seconds"], ".2f")),
        Column("status", lambda r: r["status"]),
        Column("cost", lambda r: _number(r["cost"], ",.2f")),
        Column("SHD", lambda r: _number(r.get("distance"), ",d")),
        Column("sets", lambda r: _number(r["parent_sets"], ",d")),
        Column("gap", lambda r: percent(r["gap_percent"])),
        Column("peak MiB", lambda r: f"{r['peak_memory_bytes'] / MIB:,.0f}"),
    ],
)
