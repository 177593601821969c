"""``python -m benchmarks [SUITE ...]``: measure, print a table, and write the raw results."""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from fnmatch import fnmatch
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
    options, further = _parser().parse_known_args(arguments)
    console = Console()
    if not console.is_terminal:
        console = Console(width=150)  # a file or a pipe has no width of its own
    failed = False
    for name in options.suites or BY_DEFAULT:
        suite = load(name)
        if suite.choose is not None:
            suite = replace(suite, cases=suite.choose(further))
        elif further:
            _parser().error(f"{name} has no option {further[0]}")
        cases = [case for case in suite.cases if _is_asked_for(case, options.only)]
        if not cases:
            known = ", ".join(dict.fromkeys(case.name for case in suite.cases))
            console.print(f"{name} has no case named {' or '.join(options.only)}; it has: {known}")
            failed = True
            continue
        about = {"suite": name, **describe(), "repeat": options.repeat}
        # A part of a suite never replaces the whole one; what is done is kept if the rest is not.
        part = options.out / f"{name}.local.json"
        done = _read_runs(part) if options.resume else []
        runs, failures = _run(
            suite, cases, options.repeat, done, console, partial(_write, part, about)
        )
        failed |= bool(failures)
        console.print(_table(suite, runs))
        for failure in failures:
            console.print(f"[red]{failure}")
        usual = suite.choose is None or not further
        whole = usual and len(cases) == len(suite.cases) and not failures
        path = options.out / f"{name}.json" if whole else part
        _write(path, about, runs)
        console.print(f"raw results: {path}")
    return int(failed)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description=__doc__,
        epilog="wide has further options: see benchmarks/README.md",
        allow_abbrev=False,
    )
    parser.add_argument("suites", nargs="*", metavar="SUITE", help=f"of {', '.join(SUITE_NAMES)}")
    parser.add_argument(
        "--only", action="append", metavar="NAME", help="cases of this name or pattern only"
    )
    parser.add_argument("--repeat", type=int, default=1, metavar="K", help="print the fastest of K")
    parser.add_argument(
        "--resume", action="store_true", help="measure only what SUITE.local.json does not have"
    )
    parser.add_argument(
        "--out", type=Path, default=RESULTS, metavar="FOLDER", help="of raw results"
    )
    return parser


def _is_asked_for(case: Case, names: Sequence[str] | None) -> bool:
    return not names or any(fnmatch(case.name, name) for name in names)


def _read_runs(path: Path) -> list[dict[str, Any]]:
    if not path.exists():
        return []
    runs: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))["runs"]
    return runs


def _is_of(run: dict[str, Any], case: Case) -> bool:
    return run["case"] == case.name and all(
        key in run and run[key] == value for key, value in case.options.items()
    )


def _write(path: Path, about: dict[str, Any], runs: Sequence[dict[str, Any]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({**about, "runs": runs}, indent=1) + "\n", encoding="utf-8")


def _run(
    suite: Suite,
    cases: Sequence[Case],
    repeat: int,
    done: Sequence[dict[str, Any]],
    console: Console,
    save: Callable[[list[dict[str, Any]]], None],
) -> tuple[list[dict[str, Any]], list[str]]:
    """Measure what is not done yet; a case that fails is told and does not stop the others."""
    runs, failures = list(done), []
    with console.status(suite.summary) as status:
        for repetition in range(repeat):
            for case in cases:
                if any(_is_of(run, case) and run["repetition"] == repetition for run in done):
                    continue
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
        own = [run for run in runs if _is_of(run, case)]
        if own:
            fastest = min(own, key=lambda run: float(run["seconds"]))
            table.add_row(case.name, *(column.text(fastest) for column in suite.columns))
    return table


if __name__ == "__main__":
    raise SystemExit(main())
