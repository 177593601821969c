"""The figures of the paper's tables, as printed there, for comparison.

B. Malone and C. Yuan, *Evaluating anytime algorithms for learning optimal Bayesian networks* (UAI
2013). Its programs had two hours for each data set: anytime window A* (window 0, one more an
iteration), GOBNILP 1.1 with its defaults, anytime repairing A* (weight 1.25, 0.05 less an
iteration) and anytime weighted A* (weight 1.25), the A* ones with static pattern databases.

In ``table1.csv``, ``-`` stands for no network after 60 seconds, and ``*`` for memory that ran out.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path

from docs.findings import ILP, REPAIRING, WEIGHTED, WINDOW

FOLDER = Path(__file__).parent
COLUMNS = {WINDOW: "window", ILP: "ilp", REPAIRING: "repairing", WEIGHTED: "weighted"}
"""How the columns of an algorithm end."""

MISPRINTS = {"11.025": "1.025"}
"""33.3.10k, repairing A* after 60 seconds: no other ratio is above 1.1."""


@dataclass(frozen=True)
class PublishedRow:
    """One algorithm on one data set of Table 1; named as in `anytimebn.evaluation.tables`."""

    data_set: str
    pops: int
    best_cost: float
    proven: bool
    algorithm: str
    ratio_at_snapshot: float | None
    error_bound_at_snapshot: float | None
    ratio: float
    error_bound: float
    bound_seconds: float
    out_of_memory: bool


@dataclass(frozen=True)
class PublishedDataSet:
    """One line of Table 2."""

    data_set: str
    share_below: float  # fraction of all nodes with f below the optimum
    parents_generated: float
    parents_learned: float
    hamming_distance: int


def table1(path: Path = FOLDER / "table1.csv") -> dict[str, dict[str, PublishedRow]]:
    """Read Table 1, by data set and algorithm."""
    return {
        line["data"]: {
            name: PublishedRow(
                data_set=line["data"],
                pops=int(line["pops"]),
                best_cost=float(line["best_score"]),
                proven=line["proven"] == "yes",
                algorithm=name,
                ratio_at_snapshot=_number(line[f"score_60s_{end}"]),
                error_bound_at_snapshot=_number(line[f"bound_60s_{end}"]),
                ratio=float(line[f"score_end_{end}"]),
                error_bound=float(line[f"bound_end_{end}"]),
                bound_seconds=float(line[f"seconds_{end}"].rstrip("*")),
                out_of_memory=line[f"seconds_{end}"].endswith("*"),
            )
            for name, end in COLUMNS.items()
        }
        for line in _lines(path)
    }


def table2(path: Path = FOLDER / "table2.csv") -> dict[str, PublishedDataSet]:
    """Read Table 2, by data set."""
    return {
        line["data"]: PublishedDataSet(
            data_set=line["data"],
            share_below=float(line["percent_below_optimum"]) / 100,
            parents_generated=float(line["parents_generating"]),
            parents_learned=float(line["parents_learned"]),
            hamming_distance=int(line["structural_hamming_distance"]),
        )
        for line in _lines(path)
    }


def _lines(path: Path) -> list[dict[str, str]]:
    text = path.read_text(encoding="utf-8").splitlines()
    return list(csv.DictReader(line for line in text if not line.startswith("#")))


def _number(text: str) -> float | None:
    return None if text == "-" else float(MISPRINTS.get(text, text))
