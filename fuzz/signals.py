"""Signals at any moment of ``anytimebn learn``: what was found is written whole, and is true."""

from __future__ import annotations

import json
import signal
import tempfile
import time
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import anytimebn as ab
import anytimebn.cli.application
import anytimebn.cli.summary
import anytimebn.watch.terminal  # what a copy of this process need not import again
from fuzz.campaign import Campaign, Case, require
from fuzz.children import Child, command_line, forked, started
from fuzz.verifying import require_verified, verified

if TYPE_CHECKING:
    from collections.abc import Iterator

KINDS = ("SIGINT", "SIGTERM", "SIGHUP")
FOUND, NOTHING = 0, 4
"""Exit status: a network was found; nothing was."""

OLDER = "older\n"


def draw(random: Random) -> Case:
    """Draw a table, options, and when which signals are sent."""
    rows, count = random.choice([(200, 12), (400, 18), (300, 26), (100, 40)])
    return {
        "table": {"seed": random.randrange(10**9), "rows": rows, "columns": count},
        "options": random.choice(
            [
                [],
                [],
                ["--space", "neighbourhood"],
                ["--max-parents", "2"],
                ["--algorithm", "dynamic-programming", "--max-parents", "2"],
                ["--algorithm", "best-order-search"],
                ["--algorithm", "relaxation", "--max-parents", "2"],
                ["--algorithm", "ilp", "--max-parents", "2"],
            ]
        ),
        "jobs": random.choice([1, 2]),
        "older": random.random() < 0.3,
        "afresh": random.random() < 0.05,
        "after": random.choice(["start", "network", "network"]),
        "signals": [
            [random.choice(KINDS), round(random.expovariate(8), 4)]
            for _ in range(random.choice([1, 2, 3, 5]))
        ],
    }


def table_text(seed: int, rows: int, columns: int) -> str:
    """Make a table of columns that depend on earlier ones."""
    random = Random(seed)
    made: list[list[int]] = []
    for number in range(columns):
        parents = random.sample(range(number), min(number, random.choice([0, 1, 2, 3])))
        made.append(
            [
                (sum(made[p][row] for p in parents) + (random.random() < 0.2)) % 2
                for row in range(rows)
            ]
        )
    names = ",".join(f"v{number}" for number in range(columns))
    return "\n".join([names, *(",".join(map(str, row)) for row in zip(*made, strict=True))]) + "\n"


def run(case: Case) -> Iterator[str]:
    """Start it, send signals, and look at what it leaves behind."""
    with tempfile.TemporaryDirectory(prefix="fuzz-") as name:
        folder = Path(name)
        table, output, log = folder / "table.csv", folder / "out" / "r.json", folder / "log.txt"
        table.write_text(table_text(**case["table"]))
        output.parent.mkdir()
        if case["older"]:
            output.write_text(OLDER)
        command: list[Any] = ["--log", "debug", "--log-file", log, "learn", table, "--json", output]
        command += ["--time-limit", 10, "--jobs", case["jobs"], *case["options"]]
        if case["afresh"]:
            child = started(["-m", "anytimebn", *command], folder)
        else:
            child = forked(command_line(command), folder)
        announced = _wait(child, case, log)
        sent = 0
        for kind, pause in case["signals"]:
            time.sleep(pause)
            sent += not child.ended()
            child.send(getattr(signal, kind))
        status = child.wait()
        yield _check(child, status, announced, case, table, output)
        yield from ["signal"] * sent


def _wait(child: Child, case: Case, log: Path) -> bool:
    """Wait until it has begun, or has a network; tell whether it has one."""

    def has_begun() -> bool:
        return log.exists()

    def has_network() -> bool:
        return log.exists() and ": cost " in log.read_text()

    if case["after"] == "network":
        child.wait_until(has_network)
    elif not case["afresh"]:  # a copy of this process is its own only when it has begun
        child.wait_until(has_begun)
    return log.exists() and has_network()


def _check(
    child: Child, status: int, announced: bool, case: Case, table: Path, output: Path
) -> str:
    said = child.said()
    # Nobody can say what happens while Python itself starts, before it reads a line of ours.
    ours = "anytimebn" in said
    if case["afresh"] and case["after"] == "start" and not ours and status not in (FOUND, NOTHING):
        require(not any(output.parent.glob(".*")), "it leaves passing files")
        return "ended before it began"
    require("Traceback" not in said, f"a traceback: {said}")
    require(status in (FOUND, NOTHING), f"the exit status is {status}: {said}")
    require(status == FOUND or not announced, f"a network was found, but is lost: {said}")
    left = sorted(path.name for path in output.parent.iterdir())
    if status == NOTHING:
        require(left == (["r.json"] if case["older"] else []), f"it leaves {left}")
        require(not case["older"] or output.read_text() == OLDER, "an older file is lost")
        return "nothing found"
    require(left == ["r.json"], f"it leaves {left}")
    content = json.loads(output.read_text())
    require_verified(verified(content, data=ab.to_dataset(table)))
    return f"found, {content['status']}"


CAMPAIGN = Campaign(
    name="signals",
    summary="signals at any moment of learn: exit status, and a whole result or none",
    draw=draw,
    run=run,
    in_suite=range(6),
)
