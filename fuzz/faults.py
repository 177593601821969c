"""Memory that is refused, disks that are full: nothing is lost that was found, or was there."""

from __future__ import annotations

import errno
import json
import math
import os
import pathlib
import resource
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import anytimebn as ab
import anytimebn.cli.application
import anytimebn.cli.summary
import anytimebn.draw.figure
import anytimebn.watch.terminal  # what a copy of this process need not import again
from anytimebn.solver import registry
from fuzz.campaign import Campaign, Case, Failure, require
from fuzz.children import command_line, forked
from fuzz.oracle import is_acyclic, lowest_cost, mask_of
from fuzz.score_problems import UNITS, as_families, as_scores, draw_problem
from fuzz.signals import table_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from random import Random

DONE, BAD_INPUT, LIMIT_REACHED = 0, 2, 4
OLDER = "older\n"
CALLS: dict[str, tuple[Any, str]] = {
    "fsync": (os, "fsync"),
    "replace": (os, "replace"),
    "copyfile": (shutil, "copyfile"),
    "mkdtemp": (tempfile, "mkdtemp"),
    "open": (pathlib.Path, "open"),
    "write_text": (pathlib.Path, "write_text"),
    "chmod": (os, "chmod"),
}
"""What writing a file needs, and can fail."""


def draw(random: Random) -> Case:
    """Draw what fails, and when."""
    kind = random.choice(["refused", "refused", "refused", "write", "exhausted"])
    if kind == "refused":
        return _draw_refused(random)
    table = {"seed": random.randrange(10**9), "rows": random.choice([20, 100]), "columns": 6}
    if kind == "exhausted":
        table |= {"rows": random.choice([100, 1000]), "columns": random.choice([6, 12, 30])}
        return {
            "kind": kind,
            "table": table,
            "bytes": int(2 ** random.uniform(10, 27)),
            "jobs": random.choice([1, 2]),
            "older": random.random() < 0.5,
        }
    outputs = random.sample(
        ["r.json", "n.bif", "n.xmlbif", "n.net", "n.dot", "n.png", "n.svg"], random.randint(1, 3)
    )
    command = "learn"
    if random.random() < 0.2:
        command, outputs = "score", [random.choice(["s.jkl", "s.pss"])]
    fault: dict[str, Any] = {"call": random.choice(list(CALLS)), "at": random.randint(1, 4)}
    if random.random() < 0.5:
        fault = {"file_bytes": int(2 ** random.uniform(0, 16))}
    return {
        "kind": kind,
        "table": table,
        "command": command,
        "outputs": outputs,
        "older": [name for name in outputs if random.random() < 0.6],
        "fault": fault,
    }


def _draw_refused(random: Random) -> Case:
    chosen = random.choice([a for a in registry.algorithms() if a.name != "ilp"])
    settings: dict[str, Any] = {"algorithm": chosen.name, "jobs": random.choice([1, 2])}
    if chosen.uses_heuristic:
        settings["heuristic"] = random.choice(registry.heuristics()).name
    if chosen.name == "best-order-search":
        settings["parameters"] = {"generations": 1.0}
    if random.random() < 0.5:
        settings["local_search"] = False
    if random.random() < 0.3 and not chosen.proves:
        settings["bound"] = True
    return {
        "kind": "refused",
        "problem": draw_problem(random, 8, 20),
        "settings": settings,
        "up_to": random.choice([3, 8, 20]),
        "table": {"seed": random.randrange(10**9), "rows": 50, "columns": random.randint(2, 8)},
    }


def run(case: Case) -> Iterator[str]:
    """Let it fail, and see what is left."""
    ways: dict[str, Callable[[Case], Iterator[str]]] = {
        "refused": _run_refused,
        "write": _run_write,
        "exhausted": _run_exhausted,
    }
    yield from ways[case["kind"]](case)


# ---- memory that the budget refuses ----


def _run_refused(case: Case) -> Iterator[str]:
    families = as_families(case["problem"])
    optimum = lowest_cost(families)
    scores = as_scores(case["problem"])
    rows = [line.split(",") for line in table_text(**case["table"]).splitlines()[1:]]
    data = ab.to_dataset(np.array(rows))
    for at in range(1, case["up_to"] + 1):
        settings = {**case["settings"], "refuse_memory_at": at}
        if optimum < math.inf:
            yield f"search {_searched(scores, families, optimum, settings)}"
        try:
            learned = ab.learn(data, **settings, progress=None)
        except ab.LimitReached:
            yield "learn limit reached"
            continue
        except ab.InputError as error:
            require("equivalence" in str(error) or "memory" in str(error), f"refused: {error}")
            continue
        require(is_acyclic([mask_of(own) for own in learned.network.parents]), "there is a cycle")
        bound = -math.inf if learned.lower_bound is None else learned.lower_bound
        require(bound <= learned.cost, f"bound {bound} above the cost {learned.cost}")
        yield f"learn {learned.status}"


def _searched(
    scores: ab.LocalScores, families: Any, optimum: float, settings: dict[str, Any]
) -> str:
    try:
        result = ab.search(scores, **settings)
    except ab.LimitReached:
        return "limit reached"
    masks = [mask_of(parents) for parents in result.network.parents]
    require(is_acyclic(masks), "the network has a cycle")
    cost = sum(own[mask] for own, mask in zip(families, masks, strict=True))
    require(round(result.cost * UNITS) == cost, f"its cost is {cost}, not {result.cost}")
    moments: list[ab.Event | ab.Result] = [*result.events, result]
    for event in moments:
        bound = -math.inf if event.lower_bound is None else event.lower_bound
        require(bound * UNITS <= optimum + 0.5, f"bound {bound} above {optimum / UNITS}")
    if result.status == "optimal":
        require(cost == optimum, f"{cost} is called optimal, but {optimum} is")
    return result.status


# ---- files that cannot be written ----


def _run_write(case: Case) -> Iterator[str]:
    with tempfile.TemporaryDirectory(prefix="fuzz-") as name:
        folder = Path(name)
        table, out = folder / "table.csv", folder / "out"
        table.write_text(table_text(**case["table"]))
        out.mkdir()
        for older in case["older"]:
            (out / older).write_text(OLDER)
        command: list[Any] = [case["command"], table, "--jobs", 1]
        for output in case["outputs"]:
            command += ["--json" if output == "r.json" else "-o", out / output]
        work = command_line(command)

        def fail_and_work() -> None:
            _break(case["fault"])
            work()

        child = forked(fail_and_work, folder)
        status = child.wait()
        said = child.said()
        require("Traceback" not in said, f"a traceback: {said}")
        require(status in (DONE, BAD_INPUT), f"the exit status is {status}: {said}")
        left = sorted(path.name for path in out.iterdir())
        require(set(left) <= set(case["outputs"]), f"it leaves {left}")
        require(set(case["older"]) <= set(left), f"an older file is lost: {left}")
        new = [output for output in left if (out / output).read_bytes() != OLDER.encode()]
        for output in new:
            _check_whole(out / output)
        if status == DONE:
            require(sorted(case["outputs"]) == sorted(new), f"only {new} are written")
        elif "file_bytes" in case["fault"]:
            require(not new, f"{new} are written, but not all")
        printed = child.out.read_text()
        if case["command"] == "learn" and "call" in case["fault"]:
            require("cost" in printed, "what was found is not even printed")
        yield f"{case['command']} {'written' if status == DONE else 'not written'}"


def _break(fault: dict[str, Any]) -> None:
    """Make a call fail, or files end early; for this process and for good."""
    if "file_bytes" in fault:
        # What is printed would be cut as well.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        resource.setrlimit(resource.RLIMIT_FSIZE, (fault["file_bytes"],) * 2)
        return
    owner, name = CALLS[fault["call"]]
    real = getattr(owner, name)
    calls = 0

    def failing(*arguments: Any, **keywords: Any) -> Any:
        nonlocal calls
        writes = name != "open" or "w" in str(arguments[1:2]) or "w" in str(keywords.get("mode"))
        calls += writes
        if calls == fault["at"] and writes:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return real(*arguments, **keywords)

    setattr(owner, name, failing)


def _check_whole(path: Path) -> None:
    """A file that was written is complete: it can be read."""
    try:
        if path.name == "r.json":
            ab.Result.load(path)
            json.loads(path.read_text())
        elif path.suffix in (".jkl", ".pss"):
            ab.LocalScores.load(path)
        elif path.suffix in (".bif", ".xmlbif", ".net"):
            ab.Network.load(path)
        elif path.suffix == ".png":
            require(path.read_bytes().rstrip().endswith(b"IEND\xaeB`\x82"), "the picture is cut")
        else:
            require(path.read_text().rstrip()[-1:] in ("}", ">"), f"{path.name} is cut")
    except ab.InputError as error:
        raise Failure(f"what was written cannot be read: {error}") from None


# ---- memory that the system refuses ----


def _run_exhausted(case: Case) -> Iterator[str]:
    with tempfile.TemporaryDirectory(prefix="fuzz-") as name:
        folder = Path(name)
        table, output = folder / "table.csv", folder / "out" / "r.json"
        table.write_text(table_text(**case["table"]))
        output.parent.mkdir()
        if case["older"]:
            output.write_text(OLDER)
        # What is imported when it is first needed has to be there by then.
        small = folder / "small.csv"
        small.write_text("a,b\n0,1\n1,0\n")
        ab.learn(small, jobs=case["jobs"], progress=None)

        def starve_and_work() -> None:
            pages = int(Path("/proc/self/statm").read_text().split()[0])
            most = pages * resource.getpagesize() + case["bytes"]
            resource.setrlimit(resource.RLIMIT_AS, (most, most))
            try:
                found = ab.learn(table, time_limit=2, jobs=case["jobs"], progress=None)
                found.save(output)
            except (MemoryError, ab.LimitReached, ab.InputError):
                raise SystemExit(LIMIT_REACHED) from None

        child = forked(starve_and_work, folder)
        # Python waits for ever for a thread that it had no memory to start.
        child.wait_until(lambda: "thread started by" in child.said())
        if not child.ended() and "thread started by" in child.said():
            child.kill()
            yield "exhausted, no thread"
            return
        status = child.wait()
        said = child.said()
        require(status in (DONE, LIMIT_REACHED), f"the exit status is {status}: {said}")
        left = [path.name for path in output.parent.iterdir()]
        require(set(left) <= {"r.json"}, f"it leaves {left}")
        if status == DONE:
            ab.Result.load(output)
        else:
            require(left == (["r.json"] if case["older"] else []), f"it leaves {left}")
            require(not case["older"] or output.read_text() == OLDER, "an older file is lost")
        yield f"exhausted, status {status}"


CAMPAIGN = Campaign(
    name="faults",
    summary="memory that is refused and files that cannot be written: nothing is lost",
    draw=draw,
    run=run,
    in_suite=range(25),
)
