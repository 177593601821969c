"""Learn a network from benchpress's data; Snakemake runs this, with `snakemake` in its names.

The time limit is kept by the search itself, which then has its best network so far: a `timeout`
costs no result, unlike one that ends the process.
"""

from __future__ import annotations

import csv
import time
from pathlib import Path
from typing import Any

import numpy as np

import anytimebn as ab


def read(path: str) -> ab.Dataset:
    """Read discrete data: names, then the number of values of each column, then codes from 0."""
    with Path(path).open(encoding="utf-8", newline="") as file:
        names = [name.strip() for name in next(csv.reader(file))]
        cells = np.loadtxt(file, delimiter=",", dtype=np.int64, ndmin=2)
    arities, codes = cells[0], cells[1:]
    if len(codes) == 0 or (codes < 0).any() or (codes >= arities).any():
        raise SystemExit(
            f"{path}: anytimebn learns from discrete data, whose second line has the number of "
            "values of each column, and whose values are 0, 1, ..."
        )
    states = tuple(tuple(map(str, range(arity))) for arity in arities)
    return ab.Dataset(tuple(names), states, np.ascontiguousarray(codes.T))


def value(text: str, kind: Any) -> Any:
    """Read a wildcard; what the configuration leaves out is None."""
    return None if text in ("None", "") else kind(text)


def main(snakemake: Any) -> None:
    """Learn, and write what benchpress reads: a matrix, seconds, and that nothing was tested."""
    asked = snakemake.wildcards
    data = read(snakemake.input["data"])
    started = time.perf_counter()
    limit = asked["max_parents"]
    ess = value(asked["ess"], float)
    result = ab.learn(
        data,
        score=asked["score"],
        max_parents="auto" if limit in ("auto", "None") else int(limit),
        ess=1.0 if ess is None else ess,
        gap=value(asked["gap"], float) or 0.0,
        time_limit=value(asked["timeout"], float),
        seed=int(asked["replicate"]),
        jobs=max(1, getattr(snakemake, "threads", 1)),
        progress=False,
    )
    seconds = time.perf_counter() - started
    network = result.network
    matrix = [[int(own in network.parents_of(other)) for other in data.names] for own in data.names]
    with Path(snakemake.output["adjmat"]).open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([data.names, *matrix])
    Path(snakemake.output["time"]).write_text(str(seconds), encoding="utf-8")
    Path(snakemake.output["ntests"]).write_text("None", encoding="utf-8")


if "snakemake" in globals():
    main(globals()["snakemake"])
