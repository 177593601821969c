"""What a suite of measurements is: cases, a function that measures one, and columns to print.

Every measurement runs in a process of its own: the peak memory of a process never falls, and what
an earlier case left in memory or caches must not help or hurt a later one.
"""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class Case:
    """One thing to measure."""

    name: str
    options: Mapping[str, Any]  # arguments of the suite's function; JSON


@dataclass(frozen=True)
class Column:
    """One figure of the printed table."""

    title: str
    text: Callable[[Mapping[str, Any]], str]  # of the options and results of a measurement


@dataclass(frozen=True)
class Suite:
    """Cases that one function measures.

    Parameters
    ----------
    name
        As on the command line, and of the module in this package that has the suite as ``SUITE``.
    summary
        The title of the table.
    cases
        What is measured, in this order.
    measure
        Called with the options of a case, in a process of its own; returns results for JSON.
        ``seconds`` must be among them: the fastest repetition is the one that is printed.
    columns
        What is printed of each case.
    choose
        For suites with options of their own: turns arguments of the command line into cases.
    """

    name: str
    summary: str
    cases: Sequence[Case]
    measure: Callable[..., dict[str, Any]]
    columns: Sequence[Column] = field(default=())
    choose: Callable[[Sequence[str]], Sequence[Case]] | None = None


class MeasurementError(RuntimeError):
    """A measurement that ended without a result."""


def run_apart(suite: Suite, case: Case) -> dict[str, Any]:
    """Measure a case in a fresh process."""
    command = [sys.executable, "-m", "benchmarks.worker", suite.name, json.dumps(case.options)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        reason = done.stderr.strip().splitlines()[-1:] or ["no message"]
        raise MeasurementError(f"{suite.name} {case.name}: status {done.returncode} ({reason[0]})")
    result: dict[str, Any] = json.loads(done.stdout)
    return result
