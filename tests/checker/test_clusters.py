"""Certificates of kind ``clusters``: numbers of any size prove what they prove, and no more."""

from __future__ import annotations

import itertools
import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_problems import huge, least_order, optimum_of, problems

from anytimebn.base.errors import InputError
from anytimebn.checker import clusters as checker
from anytimebn.checker.claim import Claim
from anytimebn.checker.clusters import cluster_bound
from anytimebn.checker.families import Family, Problem, problem_of
from anytimebn.checker.verify import verify
from anytimebn.result.certificates import Clusters
from anytimebn.scores.store import LocalScores


def bound_by_definition(certificate: Clusters, problem: Problem) -> int:
    """Try all orders of each group, in Python's own integers."""
    bound = sum(certificate.multipliers)
    for group in certificate.groups:
        place = {variable: position for position, variable in enumerate(group)}
        reduced: list[dict[frozenset[int], int]] = []
        for child in group:
            costs: dict[frozenset[int], int] = {}
            for own in problem.families[child]:
                cost = own.cost
                for cluster, multiplier in zip(
                    certificate.clusters, certificate.multipliers, strict=True
                ):
                    if child in cluster and not own.parents & set(cluster):
                        cost -= multiplier
                inside = frozenset(place[parent] for parent in own.parents if parent in place)
                costs[inside] = min(cost, costs.get(inside, cost))
            reduced.append(costs)
        bound += least_order(reduced)
    return bound


@st.composite
def certificates(draw: st.DrawFn, variables: int) -> Clusters:
    order = draw(st.permutations(range(variables)))
    cuts = sorted(draw(st.sets(st.integers(0, variables), max_size=3)) | {0, variables})
    clusters = draw(
        st.lists(
            st.lists(st.integers(0, variables - 1), min_size=1, unique=True).map(tuple),
            max_size=4,
        )
    )
    return Clusters(
        groups=tuple(tuple(order[a:b]) for a, b in itertools.pairwise(cuts)),
        clusters=tuple(clusters),
        multipliers=tuple(draw(huge) for _ in clusters),
    )


@given(st.data(), problems() | problems(huge))
@settings(deadline=None)
def test_bounds_are_exact_for_numbers_of_any_size(data: st.DataObject, problem: Problem) -> None:
    certificate = data.draw(certificates(len(problem.families)))
    bound = cluster_bound(certificate, problem)
    assert bound == bound_by_definition(certificate, problem)
    assert bound <= optimum_of(problem)


@pytest.mark.parametrize("offset", [-2, -1, 0, 1, 2])
def test_bounds_are_exact_where_the_integers_change(offset: int) -> None:
    """One variable: its cost is the sum of the largest numbers, and its bound."""
    cost = checker.SMALL + offset
    assert cluster_bound(Clusters(((0,),), (), ()), alone(cost)) == cost
    assert cluster_bound(Clusters(((0,),), (), ()), alone(-cost)) == -cost


def alone(cost: int) -> Problem:
    return Problem(((Family(frozenset(), cost),),), (cost,))


@given(st.data(), problems())
@settings(deadline=None, max_examples=30)
def test_both_kinds_of_integers_give_the_same(data: st.DataObject, problem: Problem) -> None:
    certificate = data.draw(certificates(len(problem.families)))
    bound = cluster_bound(certificate, problem)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(checker, "SMALL", 0)
        assert cluster_bound(certificate, problem) == bound


def test_problems_without_a_network_are_refused() -> None:
    circle = Problem(
        ((Family(frozenset({1}), 1),), (Family(frozenset({0}), 1),)),
        (1, 1),
    )
    with pytest.raises(InputError, match="no acyclic network has all its parent sets"):
        cluster_bound(Clusters(((0, 1),), (), ()), circle)
    with pytest.raises(InputError, match="no acyclic network has all its parent sets"):
        cluster_bound(Clusters(((0,),), (), ()), Problem(((),), None))


def test_groups_that_are_too_large_are_refused() -> None:
    count = checker.LARGEST_GROUP + 1
    problem = Problem(((Family(frozenset(), 1),),) * count, (1,) * count)
    with pytest.raises(InputError, match="a group has more than 22 variables, too many to check"):
        cluster_bound(Clusters((tuple(range(count)),), (), ()), problem)


# ---- attacks on the whole of verify ----


def forged(count: int, groups: list[int], multiplier: int) -> tuple[dict[str, Any], LocalScores]:
    """Make a result that claims to be optimal without any arc: 10 nats a variable.

    The last variable costs 1 with the first as its parent. Every other one has no choice, and loses
    the multiplier: twice 2 ** 63 for two of them, which is nothing in 64 bits.
    """
    names = tuple(f"v{i}" for i in range(count))
    scores = LocalScores(
        names=names,
        first_set=np.array([*range(count), count + 1]),
        costs=np.array([*[10.0] * (count - 1), 1.0, 10.0]),
        first_member=np.array([*[0] * count, 1, 1]),
        members=np.array([0], dtype=np.int32),
    )
    ends = list(itertools.accumulate(groups, initial=0))
    cost = 10.0 * count
    claim = {
        "status": "optimal",
        "cost": cost,
        "score": -cost,
        "lower_bound": cost,
        "error_bound": 1.0,
        "variables": list(names),
        "parents": {name: [] for name in names},
        "score_name": "unknown",
        "max_parents": 1,
        "constraints": {},
        "events": [],
        "certificate": {
            "kind": "clusters",
            "groups": [list(names[a:b]) for a, b in itertools.pairwise(ends)],
            "clusters": [list(names)],
            "multipliers": [multiplier],
            "lower_bound": cost,
        },
    }
    return json.loads(json.dumps(claim)), scores


@pytest.mark.parametrize("power", [*range(60, 68), 127, 128, 129, 4000])
@pytest.mark.parametrize(
    "groups", [[5], [2, 2, 1], [4, 1], [1, 1, 1, 1, 1], [3, 2], [2, 2, 2, 1], [6], [3, 3]]
)
def test_multipliers_that_overflow_prove_nothing(groups: list[int], power: int) -> None:
    for multiplier in (2**power - 1, 2**power, 2**power + 1, 10 ** (power // 3)):
        claim, scores = forged(sum(groups), groups, multiplier)
        failures = verify(claim, scores=scores).failures
        assert [failure.name for failure in failures] == ["certificate"]
        assert "proves only" in failures[0].detail


def test_scores_that_are_no_numbers_prove_nothing() -> None:
    for cost in (np.inf, -np.inf, np.nan, 1e305):
        claim, scores = forged(3, [3], 0)
        scores.costs[0] = cost
        assert not verify(claim, scores=scores).ok
        with pytest.raises(InputError, match="a finite number is needed"):
            problem_of(Claim.of(claim), scores)
