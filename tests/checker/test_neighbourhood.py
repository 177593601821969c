"""Claims about a neighbourhood: what proves them again, and what is caught."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import datasets, knowledge_of, random_table

import anytimebn as ab
from anytimebn.base.clock import Deadline
from anytimebn.checker.claim import Claim
from anytimebn.checker.formulas import local_cost
from anytimebn.checker.neighbourhood import neighbourhood_costs
from anytimebn.checker.verify import verify
from anytimebn.network.files.network_json import tables_json
from anytimebn.scores.neighbourhood import score_neighbourhood
from anytimebn.scores.on_demand import CountedScores
from anytimebn.scores.space import is_near

SCORES = ["mdl", "bic", "aic", "bdeu", "fnml", "qnml"]


def learned(data: ab.Dataset, **options: Any) -> ab.Result:
    return ab.learn(data, space="neighbourhood", progress=None, **options)


@given(st.data(), st.sampled_from(SCORES))
@settings(deadline=None, max_examples=40)
def test_its_families_are_those_within_one_change(drawn: st.DataObject, score: str) -> None:
    data = drawn.draw(datasets(variables=(2, 5), rows=(2, 40)))
    knowledge = drawn.draw(knowledge_of(data))
    result = learned(data, score=score, knowledge=knowledge)
    claim = Claim.of(result.to_json())
    resolved = knowledge.resolve(data.names, data.variables - 1)
    for child, costs in enumerate(neighbourhood_costs(claim, data)):
        own = frozenset(result.network.parents[child])
        others = [v for v in range(data.variables) if v != child]
        names = result.network.names
        expected = {
            frozenset(parents)
            for bits in range(2 ** len(others))
            for parents in [[v for place, v in enumerate(others) if bits >> place & 1]]
            if is_near(own, frozenset(parents))
            and claim.space.allows(names[child], [names[v] for v in parents])
            and set(resolved.allowed[child]).issuperset(parents)
        }
        assert set(costs) == expected
        for parents, cost in costs.items():
            assert cost == pytest.approx(
                local_cost(data, child, sorted(parents), score), abs=1e-9, rel=1e-12
            )


@given(st.data(), st.sampled_from(SCORES))
@settings(deadline=None, max_examples=40)
def test_claims_hold_and_are_proven_again_from_the_data(drawn: st.DataObject, score: str) -> None:
    data = drawn.draw(datasets(variables=(2, 5), rows=(2, 40)))
    knowledge = drawn.draw(knowledge_of(data))
    result = learned(data, score=score, knowledge=knowledge)
    assert result.claim == "neighbourhood-optimal"
    verification = verify(result.to_json(), data=data)
    assert verification.ok, verification.failures
    assert cheapest_near(result, data, score) >= result.cost - 1e-5


def cheapest_near(result: ab.Result, data: ab.Dataset, score: str) -> float:
    """Try every order of the variables, with every family within one change."""
    claim = Claim.of(result.to_json())
    n = data.variables
    families = [
        [
            (sum(1 << v for v in own), local_cost(data, child, sorted(own), score))
            for own in neighbourhood_costs(claim, data)[child]
        ]
        for child in range(n)
    ]
    best = [0.0] + [np.inf] * (2**n - 1)
    for placed in range(2**n):
        for child in range(n):
            if not placed >> child & 1:
                fitting = [cost for own, cost in families[child] if own & ~placed == 0]
                after = placed | 1 << child
                best[after] = min(best[after], best[placed] + min(fitting, default=np.inf))
    return float(best[-1])


def wide() -> ab.Dataset:
    return random_table([2, 3] * 6, 400, seed=5)


def test_a_family_that_is_missing_in_the_scores_is_caught() -> None:
    data = wide()
    result = learned(data)
    counted = CountedScores(data)
    scores = score_neighbourhood(counted, [result.network.parents], deadline=Deadline.after(None))
    assert verify(result.to_json(), data=data, scores=scores).ok
    chosen = {(child, frozenset(own)) for child, own in enumerate(result.network.parents)}
    near = [
        number
        for child, own in enumerate(result.network.parents)
        for number in range(scores.first_set[child], scores.first_set[child + 1])
        if is_near(frozenset(own), frozenset(scores.parents(number)))
        and (child, frozenset(scores.parents(number))) not in chosen
    ]
    assert near
    for number in near[:: max(1, len(near) // 10)]:
        found = verify(result.to_json(), data=data, scores=without(scores, number))
        assert [check.name for check in found.failures] == ["neighbourhood"]


def without(scores: ab.LocalScores, number: int) -> ab.LocalScores:
    """Take one family out."""
    sizes = np.delete(np.diff(scores.first_member), number)
    begin, end = scores.first_member[number], scores.first_member[number + 1]
    return replace(
        scores,
        first_set=scores.first_set - (scores.first_set > number),
        costs=np.delete(scores.costs, number),
        first_member=np.concatenate([[0], np.cumsum(sizes)]),
        members=np.delete(scores.members, slice(begin, end)),
    )


def test_a_worse_network_is_not_the_best_of_its_neighbourhood() -> None:
    """A bound that holds elsewhere does not hold around another network."""
    data = wide()
    good = learned(data, algorithm="relaxation")
    assert good.claim == "neighbourhood-optimal"
    assert "no search needed" in verify(good.to_json(), data=data).checks[-1].detail
    empty = ab.Network(data.names, ((),) * data.variables, data.states).fit(data)
    cost = sum(local_cost(data, child, []) for child in range(data.variables))
    forged = good.to_json() | {
        "parents": {name: [] for name in empty.names},
        **tables_json(empty),
        "cost": cost,
        "score": -cost,
        "lower_bound": cost,
        "error_bound": 1.0,
        "events": [],
    }
    failures = [check.name for check in verify(forged, data=data).failures]
    assert failures == ["single changes", "search of all orders"]
    honest = forged | {"lower_bound": good.lower_bound, "status": "time", "claim": None}
    honest["error_bound"] = cost / good.lower_bound
    assert verify(honest, data=data).ok


@pytest.mark.parametrize(
    "forged",
    [
        {"claim": "optimal"},
        {"claim": "optimal up to 3 parents"},
        {"status": "time"},
        {"space": None, "max_parents": None},
    ],
)
def test_a_claim_that_is_not_about_its_space_is_caught(forged: dict[str, Any]) -> None:
    result = learned(wide()).to_json() | forged
    assert "space" in [check.name for check in verify(result).failures]


@pytest.mark.parametrize(
    "space",
    [
        7,
        {},
        {"complete": 1, "all_up_to": 1, "neighbourhood": True, "grown": 1, "largest": 1},
        {"complete": False, "all_up_to": 1, "neighbourhood": "yes", "grown": 1, "largest": 1},
        {"complete": False, "all_up_to": 1, "neighbourhood": True, "grown": -1, "largest": 1},
    ],
)
def test_a_space_that_makes_no_sense_is_refused(space: object) -> None:
    result = learned(wide()).to_json() | {"space": space}
    assert [check.name for check in verify(result).failures] == ["schema"]


def test_required_arcs_leave_no_way_back() -> None:
    """What would close a cycle with required arcs is in no network: the search does not ask it."""
    for seed in range(30):
        data = random_table([2, 2, 2, 3, 2], 12, seed=seed)
        _, b, c, d, e = data.names
        known = ab.Knowledge(required=frozenset({(d, b), (b, c), (c, e)}))
        result = learned(data, score="fnml", knowledge=known, algorithm="relaxation")
        assert verify(result.to_json(), data=data).failures == ()


def is_proven(result: dict[str, Any], **given: Any) -> bool:
    return verify(result, **given).proven


def test_scores_prove_no_more_than_what_they_have() -> None:
    data = random_table([2] * 6, 200, seed=3)
    few = ab.score(data, max_parents=1)
    sound = ab.learn(data, max_parents=1, algorithm="relaxation").to_json()
    assert sound["claim"] == "optimal up to 1 parent"
    assert is_proven(sound, data=data, scores=few)
    everything = {**sound, "claim": "optimal", "max_parents_exact": True}
    everything["space"] = {**sound["space"], "complete": True}
    more = {**sound, "claim": "optimal up to 3 parents", "max_parents": 3}
    more["space"] = {**sound["space"], "all_up_to": 3, "largest": 3}
    for forged in (everything, more):
        for scores in (None, few, ab.score(data)):
            assert not is_proven(forged, data=data, scores=scores)


def test_scores_under_constraints_prove_nothing_without_them() -> None:
    data = random_table([2] * 5, 200, seed=3)
    first, second = data.names[:2]
    known = ab.Knowledge(
        forbidden=frozenset({(first, second), (second, first)}), max_parents={first: 1}
    )
    scores = ab.score(data, knowledge=known)
    sound = ab.search(scores, algorithm="relaxation").to_json()
    assert is_proven(sound, scores=scores)
    assert not is_proven({**sound, "constraints": None}, scores=scores)


@pytest.mark.parametrize(
    "change", [{"complete": True}, {"all_up_to": 4}, {"neighbourhood": True}, {"largest": 5}]
)
def test_a_space_that_contradicts_the_rest_is_refused(change: dict[str, Any]) -> None:
    data = random_table([2] * 5, 100, seed=1)
    result = ab.learn(data, max_parents=1).to_json()
    assert verify(result, data=data).ok
    for claim in (result["claim"], None):
        forged = {**result, "claim": claim, "space": {**result["space"], **change}}
        assert not is_proven(forged, data=data)
        if "neighbourhood" not in change:
            assert [check.name for check in verify(forged, data=data).failures] == ["space"]
