"""Random local scores: as cases have them, for the oracle, and for the product."""

from __future__ import annotations

from itertools import accumulate, combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from anytimebn.scores.store import LocalScores
from fuzz.oracle import members_of

if TYPE_CHECKING:
    from random import Random

UNITS = 1_000_000
"""Of a nat: costs are whole numbers of these, so that sums are exact."""

Problem = list[list[list[int]]]
"""For each variable its parent sets: parents as a bit mask, and a cost in units."""


def draw_problem(random: Random, most_variables: int = 9, most_sets: int = 40) -> Problem:
    """Draw parent sets: few or many, with ties, in blocks, with huge, tiny or negative costs."""
    count = random.randint(1, most_variables)
    blocks = random.choice([1, 1, 1, 2, 3])
    block = [random.randrange(blocks) for _ in range(count)]
    levels = random.choice([1, 2, 3, 10, 1000, 10**6, 10**9])
    scale = random.choice([1, 1, UNITS, 1000])
    if levels * scale * count >= 10**13:
        scale = 1
    lowest = random.choice([0, 0, -levels, 10 * levels])
    without_empty = random.choice([0.0, 0.0, 0.3, 0.8])
    most = random.choice([0, 2, 4, 10, most_sets])
    largest = random.randint(1, max(1, count - 1))
    problem: Problem = []
    for child in range(count):
        others = [v for v in range(count) if v != child and block[v] == block[child]]
        own: dict[int, int] = {}
        for _ in range(random.randint(0, most) if others else 0):
            chosen = random.sample(others, random.randint(1, min(largest, len(others))))
            # Mostly cheaper with more parents, as scores of data are.
            cost = random.randrange(levels) + (levels // (1 + len(chosen)))
            own[sum(1 << v for v in chosen)] = (lowest + cost) * scale
        if not own or random.random() >= without_empty:
            own[0] = (lowest + levels + random.randrange(levels)) * scale
        problem.append([[mask, cost] for mask, cost in own.items()])
    return problem


def draw_symmetric(random: Random, most_variables: int = 6) -> Problem:
    """Draw costs that know only how many parents there are; some variables are dearer, or differ.

    Such problems have many networks that differ in nothing but names.
    """
    count = random.randint(2, most_variables)
    by_number = [random.randrange(10) for _ in range(random.randint(1, min(4, count)))]
    dearer = [random.choice([0, 0, 0, random.randrange(5)]) for _ in range(count)]
    odd = random.randrange(count) if random.random() < 0.3 else None
    return [
        [
            [sum(1 << v for v in parents), (cost + dearer[child]) * UNITS]
            for number, cost in enumerate(by_number)
            for parents in combinations([v for v in range(count) if v != child], number)
            if child != odd or number == 0 or random.random() < 0.7
        ]
        for child in range(count)
    ]


def names_of(count: int) -> list[str]:
    """Give variables names."""
    return [f"X{number}" for number in range(count)]


def as_families(problem: Problem) -> list[dict[int, float]]:
    """Give a problem as the oracle wants it."""
    return [{entry[0]: entry[1] for entry in own} for own in problem]


def as_scores(problem: Problem, **further: Any) -> LocalScores:
    """Give a problem as the product wants it."""
    ordered = [sorted(own, key=lambda entry: (entry[1], entry[0])) for own in problem]
    sets = [members_of(mask) for own in ordered for mask, _ in own]
    return LocalScores(
        names=tuple(names_of(len(problem))),
        first_set=np.array([0, *accumulate(map(len, ordered))], dtype=np.int64),
        costs=np.array([cost / UNITS for own in ordered for _, cost in own], dtype=np.float64),
        first_member=np.array([0, *accumulate(map(len, sets))], dtype=np.int64),
        members=np.array([member for own in sets for member in own], dtype=np.int32),
        **further,
    )
