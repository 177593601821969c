"""Heuristics of the order graph: never above what is still to come, for every node."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import pytest
from brute_force import costs_to_go, parent_masks, step_costs
from hypothesis import given
from hypothesis import strategies as st
from search_problems import (
    every_heuristic,
    feasible_problems,
    few,
    optimum_of,
    random_scores,
    small_problems,
    units,
)

import anytimebn as ab
from anytimebn import _native
from anytimebn.solver import registry
from anytimebn.solver import settings as search_settings
from anytimebn.solver.run import start_run

if TYPE_CHECKING:
    from anytimebn.scores.store import LocalScores


# ---- heuristics ----


def values(
    scores: LocalScores, heuristic: str, parameters: dict[str, float], groups: list[list[int]]
) -> list[int]:
    """For every placed set, by its bit mask."""
    n = scores.variables
    placed = [[v for v in range(n) if mask >> v & 1] for mask in range(2**n)]
    return _native.heuristic_values(scores.native, heuristic, parameters, groups, placed)


def check_heuristic(
    scores: LocalScores,
    heuristic: str,
    parameters: dict[str, float] | None = None,
    groups: list[list[int]] | None = None,
) -> list[float]:
    """Check against the true regrets to go, which are returned with the bounds."""
    n = scores.variables
    lowest = [min(cost for _, cost in own) for own in parent_masks(scores)]
    regrets = [[c - lowest[x] for c in own] for x, own in enumerate(step_costs(scores))]
    to_go = costs_to_go(regrets)
    h = values(scores, heuristic, parameters or {}, groups or [])
    assert h[-1] == 0
    for placed in range(2**n):
        assert 0 <= h[placed] <= to_go[placed]
        if registry.heuristic(heuristic).consistent:
            for x in range(n):
                if not placed >> x & 1:
                    assert h[placed] <= regrets[x][placed] + h[placed | 1 << x]
    return [bound - true for bound, true in zip(h, to_go, strict=True)]


@every_heuristic
@few
@given(scores=small_problems, draw=st.data())
def test_heuristic_is_admissible(scores: LocalScores, heuristic: str, draw: st.DataObject) -> None:
    check_heuristic(scores, heuristic)
    parameters = {}
    for parameter in registry.heuristic(heuristic).parameters:
        highest = {"groups": scores.variables, "k": 4}.get(parameter.name, 3)
        parameters[parameter.name] = float(
            draw.draw(st.integers(max(1, int(parameter.lowest)), highest), label=parameter.name)
        )
    if parameters:
        check_heuristic(scores, heuristic, parameters)


@few
@given(scores=small_problems, draw=st.data())
def test_static_pd_is_admissible_with_any_groups(scores: LocalScores, draw: st.DataObject) -> None:
    n = scores.variables
    group_of = draw.draw(st.lists(st.integers(0, 3), min_size=n, max_size=n))
    groups = [[v for v in range(n) if group_of[v] == g] for g in range(4)]
    check_heuristic(scores, "static-pd", groups=groups)


@few
@given(scores=small_problems.filter(lambda s: abs(s.costs).max() < 400 and optimum_of(s) < 1e15))
def test_static_pd_with_one_group_is_exact(scores: LocalScores) -> None:
    """As far as its 32 bits reach: where placing the rest is impossible, it stops there."""
    differences = check_heuristic(scores, "static-pd", {"groups": 1.0})
    assert set(differences) <= {0, -math.inf}
    differences = check_heuristic(scores, "static-pd", groups=[list(range(scores.variables))])
    assert set(differences) <= {0, -math.inf}


@few
@given(scores=feasible_problems, draw=st.data())
def test_astar_with_chosen_groups_finds_the_optimum(
    scores: LocalScores, draw: st.DataObject
) -> None:
    group_of = draw.draw(
        st.lists(st.integers(0, 3), min_size=scores.variables, max_size=scores.variables)
    )
    groups = [
        [name for name, own in zip(scores.names, group_of, strict=True) if own == g]
        for g in range(4)
    ]
    for components in (True, False):
        result = ab.search(scores, algorithm="astar", groups=groups, components=components)
        assert result.status == "optimal"
        assert units(result.cost) == optimum_of(scores)


@pytest.mark.parametrize(
    "groups",
    [
        [("X0", "X1", "X2"), ("X2", "X3")],
        [("X0", "X1", "X1"), ("X2", "X3")],
        [("X0", "X1")],
    ],
    ids=["overlap", "repeated", "incomplete"],
)
def test_groups_that_are_no_partition_are_refused(groups: list[tuple[str, ...]]) -> None:
    scores = random_scores(4, 1, blocks=2)
    with pytest.raises(ab.InputError, match="group"):
        start_run(scores, search_settings.SearchSettings(algorithm="astar", groups=groups))
