"""Variables that can change places: no network is lost by trying them in one order only."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from search_problems import check, local_scores, optimum_of

import anytimebn as ab
from anytimebn import _native
from anytimebn.scores.store import UNITS_PER_NAT
from anytimebn.solver.linear.interchangeable import classes, sets_out_of_order
from anytimebn.solver.linear.loop import CuttingPlaneLoop
from anytimebn.solver.linear.scip_tree import Tree
from anytimebn.solver.run import start_run


def by_number(variables: int, costs: list[float], dearer: tuple[float, ...] = ()) -> ab.LocalScores:
    """What costs as much as the number of parents says; for some variables more."""
    more = dict(enumerate(dearer))
    return local_scores(
        [
            {
                frozenset(parents): round(UNITS_PER_NAT * (cost + more.get(child, 0.0)))
                for size, cost in enumerate(costs)
                for parents in itertools.combinations(
                    [v for v in range(variables) if v != child], size
                )
            }
            for child in range(variables)
        ]
    )


@pytest.mark.parametrize("costs", [[10.0, 7.0, 5.0, 4.0], [10.0, 9.0, 8.0, 4.0]])
def test_files_that_know_only_numbers_of_parents_take_little_work(costs: list[float]) -> None:
    scores = by_number(9, costs)
    result = ab.search(scores, algorithm="ilp", max_expansions=30, local_search=False)
    assert result.status == "optimal"
    check(scores, result, optimum_of(scores))


@given(st.data())
def test_orders_of_classes_lose_no_optimum(data: st.DataObject) -> None:
    variables = data.draw(st.integers(2, 6))
    prices = st.integers(0, 4).map(float)
    costs = data.draw(st.lists(prices, min_size=1, max_size=min(4, variables)))
    dearer = tuple(data.draw(st.lists(prices, max_size=2)))
    scores = by_number(variables, costs, dearer)
    for scratch in (0.0, 1.0):
        result = ab.search(scores, algorithm="ilp", parameters={"from-scratch": scratch}, jobs=1)
        assert result.status == "optimal"
        check(scores, result, optimum_of(scores))


def test_what_each_class_costs_more_does_not_matter() -> None:
    """Everybody has one set, so that what all of them cost more is paid anyway."""
    scores = by_number(5, [5.0, 3.0, 2.0], (7.0, 1.0))
    run = start_run(scores, ab.SearchSettings(algorithm="ilp", local_search=False)).native
    assert run.prepare()
    cuts = _native.CuttingPlanes(run, 0)
    out = sets_out_of_order(cuts)
    for s in range(cuts.sets):
        assert out[s] == any(member > cuts.child_of[s] for member in cuts.members(s))


def test_who_differs_in_one_set_is_in_no_class() -> None:
    child, members = [0, 0, 1, 1, 2, 2], [0b000, 0b010, 0b000, 0b001, 0b000, 0b001]
    assert classes(child, members, [5, 3, 5, 3, 9, 9]) == []  # of 2, 0 is a parent and 1 is not
    assert classes(child[:5], members[:5], [5, 3, 5, 3, 9]) == [(0, 1)]
    assert classes(child[:5], members[:5], [5, 3, 5, 4, 9]) == []


def test_a_variable_without_a_set_to_try_proves_the_network() -> None:
    scores = by_number(4, [5.0, 3.0, 1.0])
    run = start_run(scores, ab.SearchSettings(algorithm="ilp")).native
    assert run.prepare()
    loop = CuttingPlaneLoop(run, _native.CuttingPlanes(run, 0), 0)
    Tree(run, loop, 0, 0, np.array(loop.cuts.child_of == 0)).solve()
    assert run.component_bounds == run.component_costs
