"""``python -m benchmarks [SUITE ...]``: measure, print a table, and write the raw results."""

from __future__ import annotations

import argparse
import json
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich import box
from rich.console import Console
from rich.table import Table

from benchmarks.machine import describe
from benchmarks.suite import MeasurementError, run_apart
from benchmarks.suites import BY_DEFAULT, SUITE_NAMES, load

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from benchmarks.suite import Case, Suite

RESULTS = Path(__file__).resolve().parent / "results"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the suites that are asked for; return the exit status."""
    options = _parser().parse_args(arguments)
    console = Console()
    if not console.is_terminal:
        console = Console(width=150)  # a file or a pipe has no width of its own
    failed = False
    for name in options.suites or BY_DEFAULT:
        suite = load(name)
        cases = [case for case in suite.cases if not options.only or case.name in options.only]
        if not cases:
            known = ", ".join(dict.fromkeys(case.name for case in suite.cases))
            console.print(f"{name} has no case named {' or '.join(options.only)}; it has: {known}")
            failed = True
            continue
        about = {"suite": name, **describe(), "repeat": options.repeat}
        # A part of a suite never replaces the whole one; what is done is kept if the rest is not.
        part = options.out / f"{name}.local.json"
        runs, failures = _run(suite, cases, options.repeat, console, partial(_write, part, about))
        failed |= bool(failures)
        console.print(_table(suite, runs))
        for failure in failures:
            console.print(f"[red]{failure}")
        whole = len(cases) == len(suite.cases) and not failures
        path = options.out / f"{name}.json" if whole else part
        _write(path, about, runs)
        console.print(f"raw results: {path}")
    return int(failed)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("suites", nargs="*", metavar="SUITE", help=f"of {', '.join(SUITE_NAMES)}")
    parser.add_argument("--only", action="append", metavar="NAME", help="cases of this name only")
    parser.add_argument("--repeat", type=int, default=1, metavar="K", help="print the fastest of K")
    parser.add_argument(
        "--out", type=Path, default=RESULTS, metavar="FOLDER", help="of raw results"
    )
    return parser


def _write(path: Path, about: dict[str, Any], runs: Sequence[dict[str, Any]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({**about, "runs": runs}, indent=1) + "\n", encoding="utf-8")


def _run(
    suite: Suite,
    cases: Sequence[Case],
    repeat: int,
    console: Console,
    save: Callable[[list[dict[str, Any]]], None],
) -> tuple[list[dict[str, Any]], list[str]]:
    """Measure every case; one that fails is told and does not stop the others."""
    runs, failures = [], []
    with console.status(suite.summary) as status:
        for repetition in range(repeat):
            for case in cases:
                status.update(f"{suite.name}: {case.name} {case.options.get('jobs', '')}")
                try:
                    results = run_apart(suite, case)
                except MeasurementError as error:
                    failures.append(str(error))
                    continue
                runs.append(
                    {"case": case.name, "repetition": repetition, **case.options, **results}
                )
                save(runs)
    return runs, failures


def _table(suite: Suite, runs: Sequence[dict[str, Any]]) -> Table:
    table = Table(title=suite.summary, box=box.SIMPLE_HEAD)
    table.add_column("case", no_wrap=True)
    for column in suite.columns:
        table.add_column(column.title, justify="right", no_wrap=True)
    for case in suite.cases:
        options = dict(case.options)
        own = [
            run
            for run in runs
            if run["case"] == case.name and all(run[key] == options[key] for key in options)
        ]
        if own:
            fastest = min(own, key=lambda run: float(run["seconds"]))
            table.add_row(case.name, *(column.text(fastest) for column in suite.columns))
    return table


if __name__ == "__main__":
    raise SystemExit(main())
