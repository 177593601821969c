"""``python -m fuzz [CAMPAIGN ...]``: attack, and tell what was found."""

from __future__ import annotations

import argparse
import itertools
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from fuzz import regressions
from fuzz.campaigns import CAMPAIGN_NAMES, load
from fuzz.runner import run, run_again

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from fuzz.worker import Outcome


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the campaigns that are asked for; return the exit status."""
    parser = _parser()
    options = parser.parse_args(arguments)
    for name in options.campaigns:
        if name not in CAMPAIGN_NAMES:
            parser.error(f"there is no campaign {name!r}; there are {', '.join(CAMPAIGN_NAMES)}")
    if options.again:
        return max([_run_again(path) for path in options.again])
    failed = False
    usual = [name for name in CAMPAIGN_NAMES if not load(name).on_request]
    for name in options.campaigns or usual:
        failed |= _attack(name, options)
    return int(failed)


def _attack(name: str, options: argparse.Namespace) -> bool:
    print(f"{name}: {load(name).summary}", flush=True)
    begin = time.monotonic()

    def hear(outcome: Outcome) -> None:
        print(f"  FAILED with seed {outcome.seed}: {outcome.failure}")
        if options.verbose:
            print(outcome.trace)
        print(f"    again: python -m fuzz {name} --seed {outcome.seed} --cases 1 --verbose")
        if options.keep is not None:
            print(f"    kept:  {regressions.keep(name, outcome, options.keep)}")
        sys.stdout.flush()

    seeds: Iterator[int] = itertools.count(options.seed)
    if options.cases is not None:
        seeds = iter(range(options.seed, options.seed + options.cases))
    tally = run(
        name,
        seeds,
        seconds=float("inf") if options.cases is not None else options.seconds,
        jobs=options.jobs,
        hear=hear,
    )
    spent = time.monotonic() - begin
    checks = sum(tally.checks.values())
    print(
        f"  {tally.cases:,} cases from seed {options.seed} on, {checks:,} checks, "
        f"{len(tally.failures):,} failures, {spent:.0f} s; the slowest case took "
        f"{tally.slowest[0]:.1f} s, seed {tally.slowest[1]}"
    )
    for label, count in tally.checks.most_common(None if options.verbose else 8):
        print(f"  {count:>10,} {label}")
    sys.stdout.flush()
    return bool(tally.failures)


def _run_again(path: Path) -> int:
    outcome = run_again(*regressions.read(path))
    print(f"{path}: {outcome.failure or 'passed'}")
    if outcome.trace:
        print(outcome.trace)
    return int(outcome.failure is not None)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m fuzz", description=__doc__)
    parser.add_argument(
        "campaigns",
        nargs="*",
        metavar="CAMPAIGN",
        help=f"some of {', '.join(CAMPAIGN_NAMES)}; by default all that do not take long",
    )
    parser.add_argument("--seconds", type=float, default=20.0, help="for each campaign")
    parser.add_argument("--cases", type=int, help="run so many instead")
    parser.add_argument("--seed", type=int, default=0, help="of the first case; then come others")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument(
        "--keep",
        nargs="?",
        type=Path,
        const=regressions.FOLDER,
        metavar="FOLDER",
        help="write cases that fail to files, by default to tests/regressions",
    )
    parser.add_argument(
        "--again", nargs="+", type=Path, metavar="FILE", help="run cases of files once more"
    )
    parser.add_argument("--verbose", action="store_true", help="show tracebacks and all counts")
    return parser


if __name__ == "__main__":
    sys.exit(main())
