"""Answers by trying everything, from the reference scores: oracles for scoring and for searches."""

from __future__ import annotations

import itertools
import math
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from anytimebn.checker.formulas import local_cost

if TYPE_CHECKING:
    from anytimebn.data.dataset import Dataset
    from anytimebn.knowledge.constraints import Knowledge, ResolvedKnowledge
    from anytimebn.scores.store import LocalScores

Sets = dict[frozenset[int], float]  # cost of each parent set of a child


def candidates(
    data: Dataset, resolved: ResolvedKnowledge, child: int, score: str, ess: float = 1.0
) -> Sets:
    """Cost of every parent set that the constraints allow."""
    required = set(resolved.required[child])
    free = sorted(set(resolved.allowed[child]) - required)
    return {
        frozenset(required.union(chosen)): local_cost(
            data, child, sorted(required.union(chosen)), score, ess
        )
        for size in range(resolved.limits[child] - len(required) + 1)
        for chosen in itertools.combinations(free, size)
    }


def is_near_rounding(cost: float) -> bool:
    """Whether an error of 1e-8 could round a cost to another millionth of a nat."""
    return abs(cost * 1e6 % 1 - 0.5) < 0.01


def possibly_optimal(costs: Sets) -> tuple[Sets, set[frozenset[int]]]:
    """The sets that no proper subset matches, and those for which rounding could go either way."""
    kept, unclear = {}, set()
    for parents, cost in costs.items():
        rival = min((c for other, c in costs.items() if other < parents), default=math.inf)
        if abs(rival - cost) <= 3e-6 and (is_near_rounding(rival) or is_near_rounding(cost)):
            unclear.add(parents)
        elif rival == math.inf or round(cost * 1e6) < round(rival * 1e6):
            kept[parents] = cost
    return kept, unclear


@cache
def all_networks(variables: int) -> np.ndarray:
    """Parents of every variable, as bit masks, in every acyclic graph."""
    own = np.arange(2 ** (variables - 1))
    # Bits of the other variables: a zero is slipped in at the variable's own place.
    masks = [(own >> v << (v + 1)) | (own & ((1 << v) - 1)) for v in range(variables)]
    parents = np.array(np.meshgrid(*masks, indexing="ij")).reshape(variables, -1)
    placed = np.zeros(parents.shape[1], dtype=np.int64)
    for _ in range(variables):
        for v in range(variables):
            placed |= ((parents[v] & ~placed) == 0).astype(np.int64) << v
    return parents[:, placed == 2**variables - 1]


def permits(knowledge: Knowledge, names: tuple[str, ...], child: int, mask: int) -> bool:
    """Whether single parents are as the constraints want them, read from these alone."""
    tier_of = {name: tier for tier, group in enumerate(knowledge.tiers) for name in group}
    own = names[child]
    parents = {name for v, name in enumerate(names) if mask >> v & 1}
    return (
        {parent for parent, other in knowledge.required if other == own} <= parents
        and not {parent for parent, other in knowledge.forbidden if other == own} & parents
        and len(parents) <= knowledge.max_parents.get(own, len(names))
        and all(tier_of.get(parent, -1) <= tier_of.get(own, len(names)) for parent in parents)
    )


def lowest_cost(data: Dataset, knowledge: Knowledge, limit: int, score: str) -> float:
    """Try all networks."""
    n = data.variables
    networks = all_networks(n)
    total = np.zeros(networks.shape[1])
    for child in range(n):
        costs = np.full(2**n, np.inf)
        for mask in range(2**n):
            own = [v for v in range(n) if mask >> v & 1]
            fits = child not in own and len(own) <= limit
            if fits and permits(knowledge, data.names, child, mask):
                costs[mask] = local_cost(data, child, own, score)
        total += costs[networks[child]]
    return float(total.min())


def parent_masks(scores: LocalScores) -> list[list[tuple[int, int]]]:
    """Bit mask and cost (in whole millionths of a nat) of all parent sets of each variable."""
    return [
        [
            (sum(1 << p for p in scores.parents(number)), round(scores.costs[number] * 1e6))
            for number in range(scores.first_set[child], scores.first_set[child + 1])
        ]
        for child in range(scores.variables)
    ]


def step_costs(scores: LocalScores) -> list[list[float]]:
    """By variable and by the set of placed ones: the cheapest parents; infinite if none fit."""
    return [
        [
            min((cost for mask, cost in own if mask & ~placed == 0), default=math.inf)
            for placed in range(2**scores.variables)
        ]
        for own in parent_masks(scores)
    ]


def costs_to_go(steps: list[list[float]]) -> list[float]:
    """By the set of placed variables: the cheapest way to place all others; that of 0 is optimal.

    Silander and Myllymaki's recursion from the full set down, one line of it.
    """
    n = len(steps)
    costs: list[float] = [0] * 2**n
    for placed in range(2**n - 2, -1, -1):
        costs[placed] = min(
            steps[x][placed] + costs[placed | 1 << x] for x in range(n) if not placed >> x & 1
        )
    return costs
