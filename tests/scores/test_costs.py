"""Costs at the edge of what the core can add up."""

from __future__ import annotations

import numpy as np
import pytest

import anytimebn as ab


def scores_with(cost: float) -> ab.LocalScores:
    return ab.LocalScores(
        ("A", "B"),
        np.array([0, 2, 4]),
        np.array([0.0, cost, 0.0, cost]),
        np.array([0, 1, 1, 2, 2]),
        np.array([1, 0], dtype=np.int32),
    )


@pytest.mark.parametrize("cost", [1e8, 6e7, 1e300])
def test_costs_too_large_for_the_core_are_refused(cost: float) -> None:
    with pytest.raises(ab.InputError, match="costs are too large"):
        ab.search(scores_with(cost))


@pytest.mark.parametrize("heuristic", ["simple", "static-pd", "dynamic-pd", "cluster-pd"])
@pytest.mark.parametrize("local_search", [True, False])
def test_largest_costs_are_added_up_exactly(heuristic: str, local_search: bool) -> None:
    cost = 4.9e7
    result = ab.search(scores_with(cost), heuristic=heuristic, local_search=local_search)
    assert (result.status, result.cost) == ("optimal", cost)
