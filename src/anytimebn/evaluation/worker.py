"""The process of one run: ``python -m anytimebn.evaluation.worker WORK_FOLDER``.

Reads ``task.json`` there and writes ``result.json``; how it ended is seen from its exit status.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from anytimebn.base.clock import Stopwatch
from anytimebn.base.errors import InputError, LimitReached
from anytimebn.evaluation.specification import Json, Specification
from anytimebn.evaluation.store import write_json

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from anytimebn.network.network import Network
    from anytimebn.result.event import Event
    from anytimebn.scores.store import LocalScores

REFUSED, LIMIT = 2, 4  # exit statuses
THINNING = 1.05
PARENT_CHECK_SECONDS = 0.5


def main() -> int:
    """Do the run of a work folder."""
    folder = Path(sys.argv[1])

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    signal.signal(signal.SIGTERM, interrupt)
    task = json.loads((folder / "task.json").read_text(encoding="utf-8"))
    # Not os.getppid() here: the runner may have been killed before we came so far.
    threading.Thread(target=_end_with, args=(task["runner"],), daemon=True).start()
    spec = Specification.from_json(task["specification"])
    scores = Path(task["scores"])
    do = {"scoring": _score, "search": _search, "network": _search, "order-graph": _sweep}
    try:
        result = do[spec.kind](spec, scores)
    except LimitReached as error:
        print(error, file=sys.stderr)  # noqa: T201  the runner keeps it
        return LIMIT
    except InputError as error:
        print(error, file=sys.stderr)  # noqa: T201
        return REFUSED
    peak = {"process_peak_memory_bytes": _peak_memory_bytes()}
    # Not among what is refused above: what cannot be written here is no fault of the input.
    write_json(folder / "result.json", {**result, **peak})
    return 0


def _peak_memory_bytes() -> int | None:
    """Most memory that this process has held; what the system counts may be the parent's."""
    try:
        lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    except OSError:
        return None
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM")), None)


def _end_with(runner: int) -> None:
    """Nobody would keep the result of a run whose study was killed."""
    while os.getppid() == runner:
        time.sleep(PARENT_CHECK_SECONDS)
    os._exit(1)


def _score(spec: Specification, path: Path) -> Json:
    """Score a table, and tell how many parent sets there are."""
    import anytimebn as ab

    watch = Stopwatch.started()
    found: Json = {}
    if spec.data["kind"] == "scores":
        scores = ab.LocalScores.load(path)
    else:
        options = dict(spec.scoring)
        table_options = ab.TableOptions.from_json(options.pop("table", {}))
        if spec.data["kind"] == "generated":
            from anytimebn.network.random import generate

            network, table = generate(
                spec.data["variables"],
                spec.data["max_parents"],
                spec.data["rows"],
                seed=spec.data["seed"],
            )
            found["generating_network"] = _parents(network)
        else:
            table = ab.to_dataset(spec.data["path"], table_options)
        watch = Stopwatch.started()
        scores = ab.score(table, **options)
        scores.save(path)
    return {
        **_describe(scores),
        **found,
        "score_name": scores.score_name,
        "max_parents": scores.provenance.max_parents,
        "max_parents_exact": scores.provenance.max_parents_exact,
        "rows": scores.provenance.rows,
        "seconds": watch.elapsed(),
    }


def _search(spec: Specification, path: Path) -> Json:
    """Run an algorithm."""
    import anytimebn as ab
    from anytimebn.learning.task import LearnTask

    scores = ab.LocalScores.load(path)
    settings = spec.settings
    off: Json = {switch.replace("-", "_"): False for switch in settings.get("turned_off", ())}
    search = ab.SearchSettings(
        algorithm=settings["algorithm"],
        heuristic=settings["heuristic"] or "static-pd",
        parameters=settings["parameters"],
        time_limit=settings["time_limit"],
        memory_limit=settings["memory_limit"],
        seed=settings["seed"],
        jobs=settings["threads"],
        **off,
    )
    result = LearnTask(data=scores, settings=search).run()
    found = result.to_json()
    # Certificates can be many times larger than all the rest; what they prove is in the bounds.
    certificate = found.pop("certificate")
    found["certificate_kind"] = certificate and certificate["kind"]
    found["events"] = [event_row(event) for event in thin(result.events, settings["snapshot"])]
    found["events_in_all"] = len(result.events)
    return {**_describe(scores), **found}


def _sweep(spec: Specification, path: Path) -> Json:
    """Visit all nodes of the order graph."""
    import anytimebn as ab
    from anytimebn.evaluation.order_graph import sweep_order_graph

    scores = ab.LocalScores.load(path)
    settings = spec.settings
    graph = sweep_order_graph(
        scores,
        [(name, parameters) for name, parameters in settings["heuristics"]],
        seed=settings["seed"],
        jobs=settings["threads"],
        time_limit=settings["time_limit"],
        memory_limit=settings["memory_limit"],
    )
    return {**_describe(scores), **graph.to_json()}


def _describe(scores: LocalScores) -> Json:
    import numpy as np

    return {
        "variables": list(scores.names),
        "pops": scores.pops,
        "pops_by_size": np.bincount(np.diff(scores.first_member)).tolist(),
        "pops_by_variable": np.diff(scores.first_set).tolist(),
    }


def _parents(network: Network) -> Mapping[str, list[str]]:
    return {name: list(network.parents_of(name)) for name in network.names}


def thin(events: Sequence[Event], *instants: float) -> list[Event]:
    """Keep the events that a curve on a logarithmic axis of time needs.

    All that improve the network, the first and the last, the last before each of the instants, and
    of those that only raise the bound one every five percent of time.
    """
    kept = set(_before(events, instants))
    last_kept, last_cost = 0.0, float("inf")
    for number, event in enumerate(events):
        first_or_last = number in (0, len(events) - 1)
        if first_or_last or event.cost < last_cost or event.seconds >= last_kept * THINNING:
            kept.add(number)
            last_kept, last_cost = event.seconds, event.cost
    return [events[number] for number in sorted(kept)]


def event_row(event: Event) -> list[Any]:
    """Write an event as a row of numbers, which `Run.events` reads."""
    return [round(event.seconds, 6), event.cost, event.lower_bound, event.expanded]


def _before(events: Sequence[Event], instants: Iterable[float]) -> Iterable[int]:
    for instant in instants:
        earlier = [number for number, event in enumerate(events) if event.seconds <= instant]
        yield from earlier[-1:]


if __name__ == "__main__":
    raise SystemExit(main())
