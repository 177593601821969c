"""Problems of a few variables in Python's own integers, their optima, and numbers that overflow."""

from __future__ import annotations

import itertools

from hypothesis import strategies as st

from anytimebn.checker.families import Family, Problem

moderate = st.integers(-1000, 1000)
huge = st.one_of(
    st.integers(0, 100),
    st.builds(
        lambda power, offset: max(0, 2**power + offset), st.integers(0, 130), st.integers(-2, 2)
    ),
    st.builds(lambda power: 10**power, st.integers(0, 400)),
)
"""Whole numbers around all the limits at which machine integers break."""


def least_order(families: list[dict[frozenset[int], int]]) -> int:
    """Try all orders: each variable takes its cheapest parents among those before it."""
    return min(
        sum(
            min(
                cost
                for parents, cost in families[child].items()
                if parents.issubset(order[:position])
            )
            for position, child in enumerate(order)
        )
        for order in itertools.permutations(range(len(families)))
    )


def optimum_of(problem: Problem) -> int:
    return least_order([{own.parents: own.cost for own in f} for f in problem.families])


@st.composite
def problems(draw: st.DrawFn, costs: st.SearchStrategy[int] = moderate) -> Problem:
    """Some families of each variable, one of them without parents; the network has no arcs."""
    size = draw(st.integers(1, 5))
    families = []
    for child in range(size):
        others = st.integers(0, size - 1).filter(lambda other, child=child: other != child)
        sets = draw(st.sets(st.frozensets(others, max_size=3) if size > 1 else st.nothing()))
        listed = sorted(sets | {frozenset()}, key=sorted)
        families.append(tuple(Family(parents, draw(costs)) for parents in listed))
    network = tuple(next(own.cost for own in sets_of if not own.parents) for sets_of in families)
    return Problem(tuple(families), network)
