"""Whether two versions find the same: ``python -m benchmarks.same_results OLD NEW``.

OLD and NEW are Python interpreters, each with its own version of anytimebn installed. Both learn
from the same tables and score files with every algorithm and heuristic, on fixed seeds and with
limits that repeat; status, costs, bounds, networks, certificates, work and events must be equal bit
by bit. Only what both versions have is compared.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve()


def main() -> int:
    """Compare, and say what differs; the exit status is 1 if anything does."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.same_results", description=__doc__)
    parser.add_argument("old", help="a Python interpreter with the old version")
    parser.add_argument("new", help="one with the new version")
    options = parser.parse_args()
    found = [_run(python) for python in (options.old, options.new)]
    both = found[0].keys() & found[1].keys()
    different = [name for name in sorted(both) if found[0][name] != found[1][name]]
    for name in different:
        keys = [key for key in found[0][name] if found[0][name][key] != found[1][name].get(key)]
        print(f"{name}: {', '.join(keys)} differ")
    print(f"{len(both)} runs compared, {len(different)} differ")
    return int(bool(different) or not both)


def _run(python: str) -> dict[str, Any]:
    # By its path: the interpreter must import its own anytimebn, and needs nothing else of ours.
    done = subprocess.run([python, str(HERE), "--here"], capture_output=True, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def _measure() -> dict[str, Any]:
    """Run everything in this process, by public names alone."""
    import numpy as np

    import anytimebn as ab

    random = np.random.default_rng(1)
    runs: dict[str, Any] = {}

    def table(variables: int, rows: int, most_values: int) -> np.ndarray[Any, Any]:
        columns: list[np.ndarray[Any, Any]] = []
        for v in range(variables):
            noise = random.integers(0, most_values, rows)
            if v < 2:
                columns.append(noise)
                continue
            first, second = random.choice(v, 2, replace=False)
            copied = (columns[first] + columns[second]) % most_values
            columns.append(np.where(random.random(rows) < 0.6, copied, noise))
        return np.stack(columns, axis=1)

    def record(name: str, result: ab.Result) -> None:
        content = result.to_json()
        content["events"] = [
            {key: value for key, value in event.items() if key != "seconds"}
            for event in content["events"]
            # Raises of the bound are told by time.
        ][:1]
        for key in ("seconds", "version", "peak_memory_bytes", "table_options"):
            content.pop(key, None)
        runs[name] = content

    tables = {
        "7x3": table(7, 400, 3),
        "10x2": table(10, 300, 2),
        "12x2": table(12, 800, 2),
    }
    for label, data in tables.items():
        for score in ("mdl", "aic", "bdeu", "fnml", "qnml"):
            scores = ab.score(data, score, max_parents=4)
            runs[f"score {label} {score}"] = {
                "costs": scores.costs.tolist(),
                "members": scores.members.tolist(),
            }
        scores = ab.score(data, "mdl", max_parents=4)
        for algorithm, heuristic in _ways():
            settings = {"algorithm": algorithm, "heuristic": heuristic, "max_expansions": 200}
            record(f"search {label} {algorithm} {heuristic}", ab.search(scores, **settings))
        record(f"search {label} auto", ab.search(scores, jobs=1))
        record(f"learn {label} hill-climbing", ab.learn(data, algorithm="hill-climbing"))
        record(f"learn {label}", ab.learn(data, max_parents=3, seed=3))
    return runs


def _ways() -> list[tuple[str, str]]:
    try:
        from anytimebn.solver.registry import algorithms, heuristics
    except ImportError:  # as the modules were called before
        from anytimebn.registry import algorithms, heuristics
    return [
        (algorithm.name, heuristic.name)
        for algorithm in algorithms()
        for heuristic in heuristics()
        if algorithm.uses_heuristic or heuristic.name == "static-pd"
    ]


if __name__ == "__main__":
    if sys.argv[1:] == ["--here"]:
        print(json.dumps(_measure()))
    else:
        raise SystemExit(main())
