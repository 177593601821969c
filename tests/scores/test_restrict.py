"""Scores in which some variables are fixed: what is left of them, and what it is good for."""

from __future__ import annotations

import numpy as np
import pytest
from strategies import random_table

import anytimebn as ab
from anytimebn.scores.restrict import fixed_outside
from anytimebn.solver.start import sets_of_start


def test_all_sets_of_free_variables_are_kept_and_one_of_others() -> None:
    scores = ab.score(random_table([2, 3, 2, 2, 3], 80, seed=4), "bdeu")
    network = ab.search(scores).network
    chosen = sets_of_start(scores, network)
    fewer = fixed_outside(scores, [1, 3], chosen)
    for variable, name in enumerate(scores.names):
        sets = list(scores.parent_sets(name))
        expected = (
            sets if variable in (1, 3) else [sets[chosen[variable] - scores.first_set[variable]]]
        )
        assert list(fewer.parent_sets(name)) == expected
    assert fewer.names == scores.names
    assert fewer.provenance.max_parents is None  # nobody knows which were considered
    assert sets_of_start(fewer, network) == [
        int(fewer.first_set[v])
        if v not in (1, 3)
        else chosen[v] - scores.first_set[v] + fewer.first_set[v]
        for v in range(5)
    ]


def test_nothing_fixed_changes_nothing() -> None:
    scores = ab.score(random_table([2, 3, 2], 50, seed=1))
    same = fixed_outside(scores, range(3), scores.first_set[:-1])
    for part in ("first_set", "costs", "first_member", "members"):
        np.testing.assert_array_equal(getattr(same, part), getattr(scores, part))
        assert getattr(same, part).dtype == getattr(scores, part).dtype


@pytest.mark.parametrize("seed", range(5))
def test_parts_that_are_optimal_one_by_one_are_so_together(seed: int) -> None:
    data = random_table([2, 3, 2, 2, 3, 2, 2, 2], 120, seed)
    tiers = (data.names[:3], data.names[3:6], data.names[6:])  # arcs from one into the next
    scores = ab.score(data, "bdeu", knowledge=ab.Knowledge(tiers=tiers))
    empty = ab.Network(scores.names, ((),) * 8)
    chosen = sets_of_start(scores, empty)
    begin = sum(scores.costs[chosen])
    gained = sum(
        begin - ab.search(fixed_outside(scores, part, chosen)).cost
        for part in ((0, 1, 2), (3, 4, 5), (6, 7))
    )
    assert begin - gained == pytest.approx(ab.search(scores).cost, abs=1e-4)
