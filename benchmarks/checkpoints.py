"""What a checkpoint costs: the same run with and without one, in seconds of processors.

The linear program alone does the same rounds every time, so that the two differ in nothing else.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anytimebn as ab
from anytimebn.network.random import generate
from benchmarks.suite import Case, Column, Suite

if TYPE_CHECKING:
    from collections.abc import Mapping


def measure(variables: int, rows: int, seed: int, max_parents: int) -> dict[str, Any]:
    """Learn without a checkpoint, with one, and without one again."""
    _, data = generate(variables, 3, rows, seed=seed)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "run")
        without = [_learn(data, max_parents, None)]
        seconds = _learn(data, max_parents, file)
        without.append(_learn(data, max_parents, None))
        return {
            "seconds": seconds,
            "seconds_without": without,
            "bytes": file.stat().st_size,
        }


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
        Column("file", lambda m: f"{m['bytes'] / 1e6:.2f} MB"),
    ],
)
