"""The paper's study in parts, each of which ends within an hour on one core.

``make paper`` runs all parts that are not packed yet, one after another; ``make paper
PART=table1-29`` those whose names begin so, ``make paper JOBS=2`` two at a time, and ``make
paper-parts`` lists them. Two at a time share nothing but the machine's caches and memory, up to 8
GiB each, and halve the hours; on cores that are two threads of one, searches would be slower, and
seconds could not be compared with those of other parts. A part is a few
``anytimebn evaluate`` commands that share a folder in ``runs/paper``; stopped, it goes on where it
was. At its end its runs are packed into ``docs/paper/packed``; to repeat a part, remove its file
there and its folder.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING

from docs.findings import AUTO, ILP, REPAIRING, WEIGHTED, WINDOW, WITHOUT_START

from anytimebn.evaluation.store import ARCHIVE_SUFFIX

if TYPE_CHECKING:
    from collections.abc import Sequence

PACKED = Path(__file__).parent / "packed"
RUNS = Path("runs") / "paper"

VARIABLES, MAX_PARENTS = (29, 31, 33, 35), (3, 6)
ROWS, FEW_ROWS = (1000, 5000, 10000, 20000), (1000, 5000)
VISITED_VARIABLES, VISITED_MAX_PARENTS = 29, (2, 4, 6, 8)  # of Table 2
VISITED_HEURISTICS = ("simple", "static-pd")
FURTHER_SEEDS, FURTHER_SCORES = (2, 3), ("bdeu", "fnml")
SENSITIVITY_VARIABLES = 29

# As the paper ran them: the default parameters are its own. It had no local search before A*, and
# its integer program was solved by SCIP from the start.
AS_IN_THE_PAPER = (
    WINDOW + WITHOUT_START,
    REPAIRING + WITHOUT_START,
    WEIGHTED + WITHOUT_START,
    f"{ILP},from-scratch=1{WITHOUT_START}",
)
# Malone & Yuan 2012, on which the paper relies: how much a bounded error saves, and how weighted A*
# compares with what others used.
WEIGHTS = (1.02, 1.05, 1.1, 1.25)
ASTAR = f"astar{WITHOUT_START}"
WEIGHTED_ONCE = tuple(f"weighted-astar,weight={weight}{WITHOUT_START}" for weight in WEIGHTS)
RIVALS = {
    "hill-climbing": "hill climbing",
    "optimal-reinsertion": "optimal reinsertion",
    f"branch-and-bound,steps=0{WITHOUT_START}": "branch and bound",
}
PREDECESSOR_VARIABLES = (20, 24, 29)

SNAPSHOT, TIME_LIMIT = 60, 120
UNTIL_PROOF = 1800  # of auto, which is expected to prove every data set long before
VISIT_LIMIT = 1800
LIMITS = ("--memory-limit", "8GiB", "--threads", "1")


@dataclass(frozen=True)
class Part:
    """Some runs that are done and packed together."""

    name: str
    commands: tuple[tuple[str, ...], ...]  # arguments of ``anytimebn evaluate``
    minutes: int  # an estimate of what it takes at most

    @property
    def packed(self) -> Path:
        """Where its runs are kept."""
        return PACKED / f"{self.name}{ARCHIVE_SUFFIX}"


def table1_part(
    name: str,
    variables: int,
    max_parents: int,
    *,
    rows: tuple[int, ...] = ROWS,
    seed: int = 1,
    score: str | None = None,
) -> Part:
    """Run the paper's algorithms until the limit, and ``auto`` until it has a proof."""
    common = (
        "table1",
        *("--variables", f"{variables}"),
        *("--max-parents", f"{max_parents}"),
        *("--rows", *map(str, rows)),
        *("--seed", f"{seed}"),
        *(() if score is None else ("--score", score)),
        *("--snapshot", f"{SNAPSHOT}"),
        *LIMITS,
    )
    limited = (*common, "--algorithms", *AS_IN_THE_PAPER, "--time-limit", f"{TIME_LIMIT}")
    proof = (*common, "--algorithms", AUTO, "--time-limit", f"{UNTIL_PROOF}")
    # Searches of two minutes, and about three for the scores and the proof.
    return Part(name, (limited, proof), len(rows) * (len(AS_IN_THE_PAPER) * TIME_LIMIT // 60 + 3))


def predecessor_part(name: str, variables: int) -> Part:
    """Compare weighted A* with A*, and with other ways to a network."""
    command = (
        "table1",
        *("--variables", f"{variables}"),
        *("--max-parents", *map(str, MAX_PARENTS)),
        *("--rows", *map(str, FEW_ROWS)),
        *("--seed", "1"),
        *("--snapshot", f"{SNAPSHOT}"),
        *LIMITS,
        *("--algorithms", ASTAR, *WEIGHTED_ONCE, *RIVALS),
        *("--time-limit", f"{TIME_LIMIT}"),
    )
    # Branch and bound takes all its time, and so may A*.
    return Part(name, (command,), len(MAX_PARENTS) * len(FEW_ROWS) * (2 * TIME_LIMIT // 60 + 1))


def table2_part(max_parents: int) -> Part:
    """Learn a network and visit all nodes, for each number of rows."""
    command = (
        "table2",
        *("--variables", f"{VISITED_VARIABLES}"),
        *("--max-parents", f"{max_parents}"),
        *("--rows", *map(str, ROWS)),
        *("--seed", "1"),
        *("--heuristics", *VISITED_HEURISTICS),
        *("--time-limit", f"{VISIT_LIMIT}"),
        *LIMITS,
    )
    return Part(f"table2-{VISITED_VARIABLES}.{max_parents}", (command,), 5 * len(ROWS))


def all_parts() -> list[Part]:
    """Give the parts, in the order in which they are run."""
    n = SENSITIVITY_VARIABLES
    return [
        *(table1_part(f"table1-{v}.{p}", v, p) for v in VARIABLES for p in MAX_PARENTS),
        *map(table2_part, VISITED_MAX_PARENTS),
        *(
            table1_part(f"seed{seed}-{n}.{p}", n, p, seed=seed)
            for seed in FURTHER_SEEDS
            for p in MAX_PARENTS
        ),
        *(
            table1_part(f"{score}-{n}.{p}", n, p, rows=FEW_ROWS, score=score)
            for score in FURTHER_SCORES
            for p in MAX_PARENTS
        ),
        *(predecessor_part(f"predecessor-{v}", v) for v in PREDECESSOR_VARIABLES),
    ]


def run(part: Part) -> int:
    """Do what is missing of a part and pack it; give the exit status of what failed, or 0."""
    folder = RUNS / part.name
    PACKED.mkdir(exist_ok=True)
    commands = [(*command, "--out", str(folder)) for command in part.commands]
    commands.append(("report", str(folder), "--quiet", "--pack", str(part.packed)))
    for arguments in commands:
        done = subprocess.run([sys.executable, "-m", "anytimebn", "evaluate", *arguments])
        if done.returncode != 0:
            return done.returncode
    return 0


def run_at_once(parts: Sequence[Part], jobs: int) -> int:
    """Run several parts at a time, each kept on a core of its own where the system can do that.

    After a failure no further part is begun. Gives the exit status of one that failed, or 0.
    """
    cores: SimpleQueue[int] = SimpleQueue()
    for core in cores_to_use():
        cores.put(core)

    def keep_on_a_core() -> None:
        # Of this thread alone, and so of the programs that it starts.
        if not cores.empty():
            os.sched_setaffinity(0, {cores.get()})

    with ThreadPoolExecutor(jobs, initializer=keep_on_a_core) as pool:
        under_way = [pool.submit(run, part) for part in parts]
        try:
            for done in as_completed(under_way):
                if done.result() != 0:
                    return done.result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
    return 0


def cores_to_use() -> list[int]:
    """Give the numbers of the cores that we may use; none where the system does not tell."""
    return sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []


def main() -> int:
    """List the parts, or run some."""
    parser = argparse.ArgumentParser(description="The paper's study in parts.")
    parser.add_argument("--run", metavar="NAME", help="run the parts whose names begin so")
    parser.add_argument("--jobs", type=int, default=1, help="parts at a time, a core each")
    arguments = parser.parse_args()
    parts = all_parts()
    if arguments.run is None:
        for part in parts:
            state = "packed" if part.packed.exists() else f"up to about {part.minutes} minutes"
            print(f"{part.name:<12}  {state}")
        return 0
    chosen = [part for part in parts if part.name.startswith(arguments.run)]
    if not chosen:
        print(f"no part begins with '{arguments.run}': make paper-parts lists them")
        return 2
    cores = len(cores_to_use()) or os.cpu_count() or 1
    if not 1 <= arguments.jobs <= cores:
        print(f"--jobs is {arguments.jobs}; with a core for each part, 1 to {cores} are possible")
        return 2
    waiting = []
    for part in chosen:
        if part.packed.exists():
            print(f"{part.name}: packed already")
        else:
            print(f"{part.name}: up to about {part.minutes} minutes")
            waiting.append(part)
    if arguments.jobs > 1:
        return run_at_once(waiting, arguments.jobs)
    return next((status for status in map(run, waiting) if status != 0), 0)


if __name__ == "__main__":
    try:
        raise SystemExit(main())
    except KeyboardInterrupt:  # runs that are done are kept: the same command goes on
        raise SystemExit(130) from None
