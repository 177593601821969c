"""Networks within a factor in files: JSON with everything, CSV with the weight of each arc."""

from __future__ import annotations

import csv
import json
from typing import TYPE_CHECKING, Any

from anytimebn.base.checks import as_path
from anytimebn.base.errors import InputError
from anytimebn.base.files import replacing, write_text

if TYPE_CHECKING:
    import os
    from pathlib import Path

    from anytimebn.solver.good_networks import GoodNetworks

SUFFIXES = (".json", ".csv")


def write_good_networks(found: GoodNetworks, path: str | os.PathLike[str]) -> None:
    """Write what was found in the format that the suffix names."""
    path = as_path(path)
    check_good_networks_path(path)
    if path.suffix.lower() == ".json":
        write_text(path, json.dumps(good_networks_json(found), indent=1) + "\n")
        return
    with replacing(path) as passing, passing.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("parent", "child", "weight"))
        writer.writerows((*arc, weight) for arc, weight in found.arc_weights.items())


def check_good_networks_path(path: Path) -> None:
    """Raise unless `write_good_networks` knows the suffix."""
    if path.suffix.lower() not in SUFFIXES:
        raise InputError(
            f"{path}: lists of networks cannot be written to {path.suffix!r}; use "
            f"{' or '.join(SUFFIXES)}"
        )


def good_networks_json(found: GoodNetworks) -> dict[str, Any]:
    """What was found so far as JSON values."""
    told = found.scores.provenance.told(
        *("ess", "max_parents", "max_parents_exact", "rows", "constraints", "bins", "rows_dropped"),
        "completion",
    )
    class_of = {}
    classes = []
    for number, own in enumerate(found.classes):
        class_of[own.cpdag] = number
        classes.append(
            {
                "cost": own.best.cost,
                "size": own.size,
                "directed": [list(arc) for arc in sorted(own.cpdag.directed)],
                "undirected": [list(arc) for arc in sorted(own.cpdag.undirected)],
            }
        )
    return {
        "factor": found.factor,
        "status": found.status,
        "complete": found.complete,
        "claim": found.claim,
        "score": found.scores.score_name,
        **told,
        "seconds": found.seconds,
        "variables": list(found.scores.names),
        "classes": classes,
        "networks": [
            {
                "cost": own.cost,
                "factor": own.factor,
                "class": class_of[own.network.cpdag()],
                "arcs": [list(arc) for arc in own.network.arcs],
            }
            for own in found.networks
        ],
    }
