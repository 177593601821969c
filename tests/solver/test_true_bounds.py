"""Bounds hold for the true costs, although searches compare costs that are rounded."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import anytimebn as ab
from anytimebn.scores.store import UNITS_PER_NAT, LocalScores

ALGORITHMS = ["astar", "anytime-window-astar", "breadth-first-bnb", "auto", "relaxation"]


def made(costs: list[dict[tuple[int, ...], float]]) -> LocalScores:
    first_set, flat, first_member, members = [0], [], [0], []
    for own in costs:
        for parents, cost in sorted(own.items(), key=lambda pair: pair[1]):
            flat.append(cost)
            members += parents
            first_member.append(len(members))
        first_set.append(len(flat))
    return LocalScores(
        tuple(f"X{v}" for v in range(len(costs))),
        np.array(first_set, dtype=np.int64),
        np.array(flat),
        np.array(first_member, dtype=np.int64),
        np.array(members, dtype=np.int32),
    )


def exact_optimum(scores: LocalScores) -> Fraction:
    """Try all orders, and add without rounding."""
    sets = [
        [
            (frozenset(scores.parents(number)), Fraction(float(scores.costs[number])))
            for number in range(scores.first_set[child], scores.first_set[child + 1])
        ]
        for child in range(scores.variables)
    ]
    return min(
        sum(
            (
                min(cost for parents, cost in sets[child] if parents.issubset(order[:place]))
                for place, child in enumerate(order)
            ),
            start=Fraction(0),
        )
        for order in itertools.permutations(range(scores.variables))
    )


@st.composite
def nearly_equal_costs(draw: st.DrawFn) -> LocalScores:
    """Families that differ by about as much as rounding hides, at any distance from zero."""
    variables = draw(st.integers(2, 5))
    base = draw(st.sampled_from([0.0, 1.0, 12_345.678, 1e6]))
    numbers = st.integers(0, 30).map(lambda tenths: base + tenths / (10 * UNITS_PER_NAT))
    spread = draw(st.sampled_from([0.0, 1e-3, 1.0]))
    costs = []
    for child in range(variables):
        others = [v for v in range(variables) if v != child]
        sets = [()] + [own for size in (1, 2) for own in itertools.combinations(others, size)]
        costs.append({own: draw(numbers) + spread * draw(st.integers(0, 2)) for own in sets})
    return made(costs)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@settings(max_examples=25, deadline=None)
@given(scores=nearly_equal_costs(), most=st.integers(0, 12), gap=st.sampled_from([0.0, 1e-9, 1e-3]))
def test_no_bound_is_above_the_exact_optimum(
    algorithm: str, scores: LocalScores, most: int, gap: float
) -> None:
    optimum = exact_optimum(scores)
    for limits in ({}, {"max_expansions": most}, {"gap": gap}):
        result = ab.search(scores, algorithm=algorithm, **limits)
        told = result.lower_bound
        assert told is not None
        assert Fraction(result.cost) >= optimum - Fraction(1e-9)
        if result.status == "optimal":
            assert told == result.cost
            assert result.gap in (0.0, None)
            hides = Fraction(scores.variables, UNITS_PER_NAT) + Fraction(1e-9 * abs(result.cost))
            assert Fraction(result.cost) - optimum <= hides
        else:
            assert Fraction(told) <= optimum
        if result.status == "gap":
            assert result.cost <= (1 + gap) * told
        for event in result.events:
            assert event.lower_bound is not None
            if event.lower_bound < event.cost:
                assert Fraction(event.lower_bound) <= optimum
        for before, after in itertools.pairwise(result.events):
            assert before.lower_bound <= after.lower_bound
            assert before.cost >= after.cost
        assert ab.verify(result, scores=scores).ok


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10_000), algorithm=st.sampled_from(ALGORITHMS))
def test_bounds_hold_for_costs_of_tables(seed: int, algorithm: str) -> None:
    rng = np.random.default_rng(seed)
    table = rng.integers(0, 3, size=(int(rng.integers(2, 60)), int(rng.integers(2, 6))))
    scores = ab.score(table, "bdeu")
    optimum = exact_optimum(scores)
    for limits in ({}, {"max_expansions": int(rng.integers(0, 20))}):
        result = ab.search(scores, algorithm=algorithm, **limits)
        assert result.lower_bound is not None
        if result.status == "optimal":
            assert Fraction(result.cost) - optimum <= Fraction(scores.variables, UNITS_PER_NAT)
        else:
            assert Fraction(result.lower_bound) <= optimum


@pytest.mark.parametrize("algorithm", ["astar", "anytime-window-astar", "breadth-first-bnb"])
def test_a_bound_that_rounding_lifts_above_the_optimum_is_lowered(algorithm: str) -> None:
    """The cheapest families make a circle, and breaking it costs less than rounding adds."""
    unit = 1 / UNITS_PER_NAT
    low, high = 1 + 0.6 * unit, 5.0
    costs: list[dict[tuple[int, ...], float]] = [{(): low + unit, (4,): low}]
    costs += [{(): high, (v - 1,): low} for v in range(1, 5)]
    scores = made(costs)
    result = ab.search(scores, algorithm=algorithm, heuristic="simple", max_expansions=0)
    assert result.status == "expansions"
    optimum = exact_optimum(scores)
    assert Fraction(int(scores.fixed_costs[scores.first_set[:-1]].sum()), UNITS_PER_NAT) > optimum
    assert result.lower_bound is not None
    assert optimum - 5 * Fraction(unit) <= Fraction(result.lower_bound) <= optimum


@settings(max_examples=50, deadline=None)
@given(scores=nearly_equal_costs())
def test_what_rounding_hides_is_measured(scores: LocalScores) -> None:
    most = [
        max(
            abs(Fraction(int(scores.fixed_costs[n])) - UNITS_PER_NAT * Fraction(scores.costs[n]))
            for n in range(scores.first_set[v], scores.first_set[v + 1])
        )
        for v in range(scores.variables)
    ]
    assert sum(most) <= Fraction(scores.hidden_units)
    assert scores.hidden_units <= float(sum(most)) + 1e-2


def test_whole_costs_hide_nothing_that_could_be_seen() -> None:
    scores = made([{(): 3.0, (1,): 2.0}, {(): 5.0, (0,): 1.0}])
    assert scores.hidden_units < 1e-6
    assert math.isfinite(scores.hidden_units)
