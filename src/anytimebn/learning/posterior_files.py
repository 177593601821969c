"""Probabilities of arcs in files and frames: JSON with everything, CSV with one arc per line."""

from __future__ import annotations

import csv
import json
from typing import TYPE_CHECKING, Any

from anytimebn.base.checks import as_path
from anytimebn.base.errors import InputError
from anytimebn.base.files import replacing, write_text
from anytimebn.base.optional import optional

if TYPE_CHECKING:
    import os
    from pathlib import Path

    from anytimebn.learning.posterior import Posterior

SUFFIXES = (".json", ".csv", ".png", ".svg")
COLUMNS = ("parent", "child", "probability")
SHOWN_PARENT_SETS = 5


def write_posterior(found: Posterior, path: str | os.PathLike[str]) -> None:
    """Write probabilities in the format that the suffix names; ``.png`` and ``.svg`` draw them."""
    path = as_path(path)
    check_posterior_path(path)
    suffix = path.suffix.lower()
    if suffix == ".json":
        write_text(path, json.dumps(posterior_json(found), indent=1) + "\n")
    elif suffix == ".csv":
        with replacing(path) as passing, passing.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(COLUMNS)
            writer.writerows(found.sorted_arcs())
    else:
        found.plot(path)


def check_posterior_path(path: Path) -> None:
    """Raise unless `write_posterior` knows the suffix; lets a long run fail before it starts."""
    if path.suffix.lower() not in SUFFIXES:
        raise InputError(
            f"{path}: probabilities of arcs cannot be written to {path.suffix!r}; use "
            f"{', '.join(SUFFIXES)}"
        )


def posterior_json(found: Posterior) -> dict[str, Any]:
    """All of it as JSON values; of the parent sets, the most probable of each variable."""
    return {
        "variables": list(found.names),
        "score": found.scores.score_name,
        **found.scores.provenance.told(
            "ess", "rows", "constraints", "bins", "rows_dropped", "completion"
        ),
        "max_parents": found.max_parents,
        "prior": found.prior,
        "seconds": found.seconds,
        "arcs": [dict(zip(COLUMNS, arc, strict=True)) for arc in found.sorted_arcs()],
        "parent_sets": {
            name: [
                {"parents": list(parents), "probability": probability}
                for probability, parents in found.parent_sets(name)[:SHOWN_PARENT_SETS]
            ]
            for name in found.names
        },
    }


def arcs_to_pandas(found: Posterior) -> Any:
    """Make a `pandas.DataFrame` with a row for each arc."""
    pandas = optional("pandas", needed_for="a pandas data frame", install="pandas")
    return pandas.DataFrame(found.sorted_arcs(), columns=list(COLUMNS))


def arcs_to_polars(found: Posterior) -> Any:
    """Make a `polars.DataFrame` with a row for each arc."""
    polars = optional("polars", needed_for="a polars data frame", install="polars")
    return polars.DataFrame(found.sorted_arcs(), schema=list(COLUMNS), orient="row")
