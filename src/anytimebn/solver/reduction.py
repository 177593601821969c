"""Families that no good network has, by a bound on all networks with one of them.

Multipliers of the rows of a linear program (clusters, zero-half rows) prove a lower bound whatever
parent sets there are; how much it rises when a variable is made to take one of its sets is the
reduced cost of that set. Where bound and reduced cost exceed the limit, the set is in no network
within it.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from anytimebn.result.certificates import Rows

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from anytimebn.result.certificates import Certificate, Stage
    from anytimebn.scores.store import LocalScores

MILLIONTH = 1e-6
MOST_ROWS = 4096
SAFETY_NATS = 1e-5
"""More than the errors of sums in floating point: nothing is left out because of them."""


def families_below(
    scores: LocalScores, proof: Certificate | None, limit: float
) -> NDArray[np.bool_]:
    """Tell which families a network may have whose cost is at most the limit, in nats."""
    possible = np.ones(scores.pops, dtype=bool)
    stages: list[tuple[list[int], list[float]]] = [([], [])]
    rows = _Rows(scores)
    if proof is not None:
        for members in proof.clusters:
            rows.add_cluster(members)
        if isinstance(proof, Rows):
            for row in proof.zero_half:
                rows.add_zero_half(row.rows, row.variables)
            stages += [_multipliers(stage) for stage in proof.stages]
        else:
            units = [MILLIONTH * multiplier for multiplier in proof.multipliers]
            stages.append((list(range(len(units))), units))
    # What one stage leaves out, the next need not count with.
    for numbers, multipliers in [*stages, *stages[-1:]]:
        reduced, bound = rows.reduced_costs(numbers, multipliers, possible)
        possible &= bound + reduced <= limit + SAFETY_NATS
    return possible


def priced_rows(proof: Certificate | None, units_per_nat: int) -> dict[str, Any]:
    """Give the rows of a certificate with its last multipliers, as a list of networks takes them.

    Those without a multiplier are left out, unless others are made of them.
    """
    if not isinstance(proof, Rows) or not proof.stages:
        return {}
    numbers, multipliers = _multipliers(proof.stages[-1])
    units = [0] * (len(proof.clusters) + len(proof.zero_half))
    for number, multiplier in zip(numbers, multipliers, strict=True):
        units[number] += math.floor(multiplier * units_per_nat)
    used = {number for number, own in enumerate(units) if own}
    first = len(proof.clusters)
    for number in range(len(units) - 1, first - 1, -1):
        if number in used:
            used |= set(proof.zero_half[number - first].rows)
    kept = sorted(used)
    place = {number: i for i, number in enumerate(kept)}
    if len(kept) > MOST_ROWS:
        return {}
    return {
        "clusters": [sorted(set(proof.clusters[number])) for number in kept if number < first],
        "zero_half": [
            (
                [place[part] for part in proof.zero_half[number - first].rows],
                list(proof.zero_half[number - first].variables),
            )
            for number in kept
            if number >= first
        ],
        "multipliers": [units[number] for number in kept],
    }


def _multipliers(stage: Stage) -> tuple[list[int], list[float]]:
    unit = MILLIONTH / stage.denominator
    return list(stage.rows), [unit * multiplier for multiplier in stage.multipliers]


class _Rows:
    """Rows "sum of coefficients of the chosen families is at most ...", over all families."""

    def __init__(self, scores: LocalScores) -> None:
        self._scores = scores
        self._child = np.repeat(np.arange(scores.variables), np.diff(scores.first_set))
        sizes = np.diff(scores.first_member)
        set_of_member = np.repeat(np.arange(scores.pops), sizes)
        self._has = np.zeros((scores.variables, scores.pops), dtype=bool)
        self._has[scores.members, set_of_member] = True
        self._rows: list[tuple[NDArray[np.int32], int]] = []

    def add_cluster(self, members: tuple[int, ...]) -> None:
        """At most all but one of the members have parents inside."""
        own = sorted(set(members))
        inside = np.isin(self._child, own) & self._has[own].any(axis=0)
        self._rows.append((inside.astype(np.int32), len(own) - 1))

    def add_zero_half(self, rows: tuple[int, ...], variables: tuple[int, ...]) -> None:
        """Half of the sum of rows, and of "one family" of some variables, rounded down."""
        coefficients = np.zeros(self._scores.pops, dtype=np.int32)
        right_hand_side = 0
        for number in rows:
            coefficients += self._rows[number][0]
            right_hand_side += self._rows[number][1]
        for variable in variables:
            coefficients += self._child == variable
            right_hand_side += 1
        self._rows.append((coefficients // 2, right_hand_side // 2))

    def reduced_costs(
        self, numbers: list[int], multipliers: list[float], possible: NDArray[np.bool_]
    ) -> tuple[NDArray[np.float64], float]:
        """What each family adds to the bound over those that are possible, and that bound."""
        priced = self._scores.costs.copy()
        bound = 0.0
        for number, multiplier in zip(numbers, multipliers, strict=True):
            coefficients, right_hand_side = self._rows[number]
            priced += multiplier * coefficients
            bound -= multiplier * right_hand_side
        priced[~possible] = np.inf
        for begin, end in pairwise(self._scores.first_set.tolist()):
            lowest = priced[begin:end].min()
            bound += lowest
            priced[begin:end] -= lowest
        return priced, bound
