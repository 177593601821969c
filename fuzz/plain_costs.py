"""Costs of families counted in plain Python, straight from the definitions of the scores.

A column is a list of values; the values that occur are all there are. Slow, and short enough to be
checked by reading.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Sequence
from functools import cache

Column = Sequence[Hashable]


def family_cost(
    columns: Sequence[Column], child: int, parents: Sequence[int], score: str, ess: float
) -> float:
    """Cost of a variable with its parents, in nats."""
    rows = len(columns[child])
    of_parents = [tuple(columns[p][row] for p in parents) for row in range(rows)]
    configurations = math.prod(len(set(columns[p])) for p in parents)
    values = len(set(columns[child]))
    given = Counter(of_parents)
    family = Counter(zip(of_parents, columns[child], strict=True))
    if score == "bdeu":
        row, cell = ess / configurations, ess / (configurations * values)
        return -math.fsum(
            [
                *(math.lgamma(row) - math.lgamma(row + count) for count in given.values()),
                *(math.lgamma(cell + count) - math.lgamma(cell) for count in family.values()),
            ]
        )
    likelihood = math.fsum(
        count * math.log(count / given[configuration])
        for (configuration, _), count in family.items()
    )
    if score in ("mdl", "bic"):
        return math.log(rows) / 2 * (values - 1) * configurations - likelihood
    if score == "aic":
        return (values - 1) * configurations - likelihood
    if score == "fnml":
        return math.fsum(math.log(normaliser(values, n)) for n in given.values()) - likelihood
    assert score == "qnml", score
    return (
        math.log(normaliser(configurations * values, rows))
        - math.log(normaliser(configurations, rows))
        - likelihood
    )


@cache
def normaliser(values: int, rows: int) -> float:
    """Sum of the largest likelihoods of all data of so many rows and values.

    By its definition, over how many rows have the last value; halves of the values at a time.
    """
    if values == 1 or rows == 0:
        return 1.0
    first = values // 2
    return math.fsum(
        math.comb(rows, hits)
        * (hits / rows) ** hits
        * ((rows - hits) / rows) ** (rows - hits)
        * normaliser(first, hits)
        * normaliser(values - first, rows - hits)
        for hits in range(rows + 1)
    )
