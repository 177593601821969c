"""One learner of the suite `wide`: ``python -m benchmarks.wide_learner METHOD TABLE SECONDS``.

The last line of the output is JSON, with the keys that `benchmarks.wide` says other programs may
use. The clock starts before the table is read; to import `learn`, or a peer, is not learning.
"""

from __future__ import annotations

import json
import math
import re
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

SEED = 1
OURS: dict[str, dict[str, str]] = {
    "default": {},
    "best-order-search": {"algorithm": "best-order-search"},
    "hill-climbing": {"algorithm": "hill-climbing"},
    "equivalence-search": {"algorithm": "equivalence-search"},
}
# They know no time limit.
PEERS = ("pgmpy hill climbing", "pgmpy GES", "pyAgrum greedy", "pyAgrum tabu")


def learn_by_us(method: str, table: str, seconds: float) -> dict[str, Any]:
    """Learn with no options but the limit, the seed and, for some, the algorithm."""
    from anytimebn import learn

    at_limit: list[float] = []  # what a machine that is not calm does to seconds, this shows
    timer = threading.Timer(seconds, lambda: at_limit.append(time.process_time()))
    timer.start()
    start = time.perf_counter()
    result = learn(table, time_limit=seconds, seed=SEED, **OURS[method])
    ended, used = time.perf_counter() - start, time.process_time()
    timer.cancel()
    network = result.network
    return {
        "seconds": ended,
        "cpu_seconds_after_limit": used - at_limit[0] if at_limit else 0.0,
        "parents": {name: list(network.parents_of(name)) for name in network.names},
        "cost": result.cost,
        "status": result.status,
        "parent_sets": result.pops,
        "gap_percent": None if result.gap is None else 100 * result.gap,
        "first_network_seconds": result.events[0].seconds if result.events else None,
        "events": thinned([(event.seconds, event.cost) for event in result.events]),
        "seconds_of_stages": result.seconds,
    }


def thinned(events: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Keep the last event before each doubling of the time: there can be thousands."""
    return list({math.frexp(seconds)[1]: (seconds, cost) for seconds, cost in events}.values())


def learn_by_peer(method: str, table: str) -> dict[str, Any]:
    """Learn with the choices of the peer, however long that takes."""
    import pandas as pd

    from benchmarks.greedy import LEARNERS, load

    load(method)
    start = time.perf_counter()
    frame: pd.DataFrame = pd.read_csv(table, dtype=str, keep_default_na=False)
    parents = LEARNERS[method](frame)
    return {
        "seconds": time.perf_counter() - start,
        "parents": {name: list(members) for name, members in parents.items()},
        "status": "finished",
    }


def own_peak() -> dict[str, int]:
    """Say how much memory this process has held, where the system tells.

    What the parent of a process is told counts the moment at which the two were one, too.
    """
    status = Path("/proc/self/status")
    if not status.exists():
        return {}
    (kilobytes,) = re.findall(r"^VmHWM:\s*(\d+) kB$", status.read_text(), re.MULTILINE)
    return {"peak_memory_bytes": 1024 * int(kilobytes)}


def main() -> None:
    """Learn, and print what was found."""
    method, table, seconds = sys.argv[1:]
    if method in OURS:
        found = learn_by_us(method, table, float(seconds))
    else:
        found = learn_by_peer(method, table)
    print(json.dumps(found | own_peak()))


if __name__ == "__main__":
    main()
