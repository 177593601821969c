"""What a checkpoint costs, in seconds of processors.

The same run with and without one: the linear program alone does the same rounds every time, so that
the two differ in nothing else. That is as exact as the machine is calm, and a few per cent between
two runs of the same are usual. So what is done for the checkpoint and for nothing else is counted
as well: every call to it, the thread that writes, and what the linear program takes down for it.
"""

from __future__ import annotations

import tempfile
import threading
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anytimebn as ab
from anytimebn.learning.checkpoint import Checkpoint
from anytimebn.network.random import generate
from anytimebn.solver.linear.lead import LeadBook
from anytimebn.solver.linear.loop import CuttingPlaneLoop
from benchmarks.suite import Case, Column, Suite

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping


def measure(variables: int, rows: int, seed: int, max_parents: int) -> dict[str, Any]:
    """Learn without a checkpoint, with one, and without one again."""
    _, data = generate(variables, 3, rows, seed=seed)
    assert ab.__version__  # every result asks for it, the first one for long
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "run")
        without = [_learn(data, max_parents, None)]
        with counting() as own:
            seconds = _learn(data, max_parents, file)
        without.append(_learn(data, max_parents, None))
        return {
            "seconds": seconds,
            "seconds_without": without,
            "seconds_of_checkpoint": own,
            "bytes": file.stat().st_size,
        }


CALLS: tuple[tuple[type, str], ...] = (
    (Checkpoint, "follow"),
    (Checkpoint, "hear"),
    (Checkpoint, "__call__"),
    (Checkpoint, "_write"),
    (Checkpoint, "_saved"),
    (CuttingPlaneLoop, "tell"),
    (CuttingPlaneLoop, "lately_ruled_out"),
    (LeadBook, "add"),
)
"""All that is called for a checkpoint only, in whichever thread."""


@contextmanager
def counting() -> Iterator[dict[str, float]]:
    """Count the seconds of processors that the calls take, each by its own thread."""
    seconds = dict.fromkeys((f"{owner.__name__}.{name}" for owner, name in CALLS), 0.0)
    inside = threading.local()  # what one of them calls is counted once

    def counted(own: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def replaced(*arguments: Any, **keywords: Any) -> Any:
            if getattr(inside, "call", False):
                return call(*arguments, **keywords)
            inside.call, began = True, time.thread_time()
            try:
                return call(*arguments, **keywords)
            finally:
                inside.call = False
                seconds[own] += time.thread_time() - began

        return replaced

    before = [getattr(owner, name) for owner, name in CALLS]
    for (owner, name), call in zip(CALLS, before, strict=True):
        setattr(owner, name, counted(f"{owner.__name__}.{name}", call))
    try:
        yield seconds
    finally:
        for (owner, name), call in zip(CALLS, before, strict=True):
            setattr(owner, name, call)


def _learn(data: ab.Dataset, max_parents: int, checkpoint: Path | None) -> float:
    began = time.process_time()
    ab.learn(
        data,
        algorithm="relaxation",
        max_parents=max_parents,
        jobs=1,
        checkpoint=checkpoint,
        progress=None,
    )
    return time.process_time() - began


def _share(measured: Mapping[str, Any]) -> str:
    own = sum(measured["seconds_of_checkpoint"].values())
    return f"{own:.2f} s, {own / (measured['seconds'] - own):.2%}"


def _ratio(measured: Mapping[str, Any]) -> str:
    usual = sum(measured["seconds_without"]) / len(measured["seconds_without"])
    return f"{measured['seconds'] / usual:.3f}"


SUITE = Suite(
    name="checkpoints",
    summary="The same run with and without a checkpoint, in seconds of processors",
    cases=[
        Case(
            f"{variables}.{rows}.{seed}",
            {"variables": variables, "rows": rows, "seed": seed, "max_parents": most},
        )
        for variables, rows, seed, most in (
            (60, 1500, 1, 2),
            (100, 2500, 2, 3),
            (120, 2500, 1, 3),
            (100, 2500, 1, 3),
        )
    ],
    measure=measure,
    columns=[
        Column("without", lambda m: ", ".join(f"{own:.2f} s" for own in m["seconds_without"])),
        Column("with", lambda m: f"{m['seconds']:.2f} s"),
        Column("ratio", _ratio),
        Column("counted", _share),
        Column("file", lambda m: f"{m['bytes'] / 1e6:.2f} MB"),
    ],
)
