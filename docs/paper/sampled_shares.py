"""Shares of nodes below the optimum with other groups of variables, on nodes drawn at random.

The paper's pattern databases had two groups of variables in the order of the data (X. Fan, C. Yuan
and B. Malone, *Tightening bounds for Bayesian network structure learning*, AAAI 2014, say so of the
earlier work); ours keep variables that want each other as parents together. A visit of all nodes
takes the groups that the heuristic chooses, so this draws nodes instead, and computes their exact
costs one by one: ``python -m docs.paper.sampled_shares`` adds the data sets that are missing to
``sampled_shares.csv``, which takes about a minute of one core for each.
"""

from __future__ import annotations

import csv
import statistics
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from docs.paper.parts import ROWS, VISITED_MAX_PARENTS, VISITED_VARIABLES

import anytimebn as ab
from anytimebn import _native
from anytimebn.base.files import write_text
from anytimebn.scores.store import UNITS_PER_NAT

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

FILE = Path(__file__).parent / "sampled_shares.csv"
NODES = 400  # a share of a half is then known to 0.025
RANDOM_HALVES = 10
SIMPLE, OURS, IN_ORDER, AT_RANDOM = "simple", "static-pd", "in order", "at random"

Groups = list[list[int]]


@dataclass(frozen=True)
class SampledShares:
    """Fractions of the drawn nodes with f below the optimum, by heuristic.

    ``random_low``, ``random_median`` and ``random_high`` are of pattern databases with halves drawn
    at random.
    """

    data: str
    nodes: int
    simple: float
    own_groups: float
    halves_in_order: float
    random_low: float
    random_median: float
    random_high: float


def read(path: Path = FILE) -> dict[str, SampledShares]:
    """Read what has been drawn, by data set."""
    if not path.exists():
        return {}
    with path.open(encoding="utf-8", newline="") as file:
        return {
            line["data"]: SampledShares(
                line["data"],
                int(line["nodes"]),
                *(float(line[field.name]) for field in fields(SampledShares)[2:]),
            )
            for line in csv.DictReader(file)
        }


def write(found: Mapping[str, SampledShares], path: Path = FILE) -> None:
    """Keep them, in the order of the paper's table."""
    names = [field.name for field in fields(SampledShares)]
    ordered = sorted(found.values(), key=lambda own: _size(own.data))
    lines = [",".join(str(asdict(own)[name]) for name in names) for own in ordered]
    write_text(path, "\n".join([",".join(names), *lines]) + "\n")


def _size(name: str) -> list[int]:
    return [int(number) for number in name.replace("k", "000").split(".")]


# --- nodes ---


class Subsets:
    """Exact costs of networks of some of the variables."""

    def __init__(self, scores: ab.LocalScores) -> None:
        self.scores = scores
        self._sizes = np.diff(scores.first_member)
        self._child_of_set = np.repeat(np.arange(scores.variables), np.diff(scores.first_set))
        self._set_of_member = np.repeat(np.arange(scores.pops), self._sizes)

    def cost(self, placed: NDArray[np.bool_]) -> float:
        """Cost of the cheapest network of the placed variables."""
        if not placed.any():
            return 0.0
        return ab.search(self._scores_of(placed), algorithm="dynamic-programming", jobs=1).cost

    def _scores_of(self, placed: NDArray[np.bool_]) -> ab.LocalScores:
        scores = self.scores
        outside = np.bincount(
            self._set_of_member, weights=~placed[scores.members], minlength=scores.pops
        )
        kept = placed[self._child_of_set] & (outside == 0)
        position = np.cumsum(placed) - 1
        sets = np.bincount(position[self._child_of_set[kept]], minlength=int(placed.sum()))
        return ab.LocalScores(
            names=tuple(name for name, there in zip(scores.names, placed, strict=True) if there),
            first_set=_begins(sets),
            costs=scores.costs[kept],
            first_member=_begins(self._sizes[kept]),
            members=position[scores.members[kept[self._set_of_member]]].astype(np.int32),
        )


def _begins(counts: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)


def shares_below(
    scores: ab.LocalScores,
    optimum: float,
    nodes: NDArray[np.bool_],
    heuristics: Mapping[str, tuple[str, Groups]],
) -> dict[str, float]:
    """Give the share of some nodes with f below the optimum.

    Parameters
    ----------
    scores
        Of all variables.
    optimum
        The cost of an optimal network.
    nodes
        A row for each node: which variables are placed.
    heuristics
        Names of heuristics and groups of variables (none: the heuristic chooses them), by whatever
        they are called in the answer.
    """
    subsets = Subsets(scores)
    exact = np.array([subsets.cost(placed) for placed in nodes])
    # What variables cost at least, to which the values of a heuristic are added.
    rest = ~nodes @ (scores.fixed_costs[scores.first_set[:-1]] / UNITS_PER_NAT)
    placed = [np.flatnonzero(row).tolist() for row in nodes]
    rounding = scores.variables / UNITS_PER_NAT
    found = {}
    for title, (name, groups) in heuristics.items():
        values = _native.heuristic_values(scores.native, name, {}, groups, placed)
        f = exact + rest + np.array(values) / UNITS_PER_NAT
        found[title] = float(np.mean(f < optimum - rounding))
    return found


def halves(order: Sequence[int]) -> Groups:
    """Cut an order of the variables into two groups."""
    middle = (len(order) + 1) // 2
    return [sorted(order[:middle]), sorted(order[middle:])]


# --- data sets ---


def draw(variables: int, max_parents: int, rows: int, seed: int = 1) -> SampledShares:
    """Do one data set: make and score it, learn its optimum, and draw nodes."""
    _, table = ab.generate(variables, max_parents, rows, seed=seed)
    scores = ab.score(table, jobs=1)
    learned = ab.search(scores, jobs=1)
    random = np.random.default_rng(seed)
    nodes = random.random((NODES, variables)) < 0.5
    heuristics = {
        SIMPLE: ("simple", []),
        OURS: ("static-pd", []),
        IN_ORDER: ("static-pd", halves(range(variables))),
    }
    for number in range(RANDOM_HALVES):
        order = random.permutation(variables).tolist()
        heuristics[f"{AT_RANDOM} {number}"] = ("static-pd", halves(order))
    found = shares_below(scores, learned.cost, nodes, heuristics)
    at_random = [share for title, share in found.items() if title.startswith(AT_RANDOM)]
    return SampledShares(
        f"{variables}.{max_parents}.{rows // 1000}k",
        NODES,
        found[SIMPLE],
        found[OURS],
        found[IN_ORDER],
        min(at_random),
        round(statistics.median(at_random), 6),
        max(at_random),
    )


def main() -> None:
    """Draw what is missing."""
    found = read()
    for rows in ROWS:
        for max_parents in VISITED_MAX_PARENTS:
            name = f"{VISITED_VARIABLES}.{max_parents}.{rows // 1000}k"
            if name not in found:
                found[name] = draw(VISITED_VARIABLES, max_parents, rows)
                write(found)
                print(found[name], flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
