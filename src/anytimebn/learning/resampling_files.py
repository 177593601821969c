"""Frequencies of arcs in files: JSON with everything, CSV with one pair of variables per line."""

from __future__ import annotations

import csv
import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from anytimebn.base.checks import as_path
from anytimebn.base.errors import InputError
from anytimebn.base.files import replacing, write_text
from anytimebn.draw.style import PICTURE_SUFFIXES

if TYPE_CHECKING:
    import os
    from pathlib import Path

    from anytimebn.learning.resampling import Bootstrap

SUFFIXES = (".json", ".csv", *PICTURE_SUFFIXES)
COLUMNS = (
    *("first", "second", "adjacent", "forward", "backward"),
    *("directed_forward", "directed_backward", "undirected"),
)


def write_bootstrap(found: Bootstrap, path: str | os.PathLike[str]) -> None:
    """Write frequencies in the format that the suffix names; pictures draw them."""
    path = as_path(path)
    check_bootstrap_path(path)
    suffix = path.suffix.lower()
    if suffix == ".json":
        write_text(path, json.dumps(bootstrap_json(found), indent=1) + "\n")
    elif suffix == ".csv":
        with replacing(path) as passing, passing.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(COLUMNS)
            writer.writerows([getattr(edge, name) for name in COLUMNS] for edge in found.edges)
    else:
        found.plot(path)


def check_bootstrap_path(path: Path) -> None:
    """Raise unless `write_bootstrap` knows the suffix; lets a long run fail before it starts."""
    if path.suffix.lower() not in SUFFIXES:
        raise InputError(
            f"{path}: frequencies of arcs cannot be written to {path.suffix!r}; use "
            f"{', '.join(SUFFIXES)}"
        )


def bootstrap_json(found: Bootstrap) -> dict[str, Any]:
    """All of it as JSON values."""
    return {
        "replicates": len(found.replicates),
        "asked": found.asked,
        "method": found.method,
        "seed": found.seed,
        "seconds": found.seconds,
        "variables": list(found.result.network.names),
        "edges": [asdict(edge) | {"adjacent": edge.adjacent} for edge in found.edges],
        "networks": [
            {
                "number": replicate.number,
                "status": replicate.status,
                "cost": replicate.cost,
                "lower_bound": replicate.lower_bound,
                "arcs": [list(arc) for arc in replicate.network.arcs],
            }
            for replicate in found.replicates
        ],
        "result": found.result.to_json(),
    }
