"""Families within one change of a network, compared with all families by brute force."""

from __future__ import annotations

import brute_force
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import datasets, knowledge_of, random_table

import anytimebn as ab
from anytimebn.base.clock import Deadline, ManualClock
from anytimebn.scores.neighbourhood import score_neighbourhood
from anytimebn.scores.on_demand import CountedScores
from anytimebn.scores.space import Space, is_near
from anytimebn.solver.search import search

SCORES = ["mdl", "bic", "aic", "bdeu", "fnml", "qnml"]
NEVER = Deadline.after(None)


def sets_of(scores: ab.LocalScores, child: int) -> dict[frozenset[int], float]:
    numbers = range(scores.first_set[child], scores.first_set[child + 1])
    return {frozenset(scores.parents(number)): float(scores.costs[number]) for number in numbers}


def some_network(counted: CountedScores, seed: int) -> ab.Network:
    """One that obeys the constraints, and is good where `seed` lets it."""
    limits = {"parameters": {"generations": seed % 2}, "max_expansions": 5, "seed": seed}
    return search(counted, algorithm="best-order-search", **limits).network


@given(st.data(), st.sampled_from(SCORES), st.integers(0, 9), st.none() | st.integers(1, 3))
@settings(deadline=None, max_examples=60)
def test_what_is_kept_is_what_no_subset_beats(
    drawn: st.DataObject, score: str, seed: int, limit: int | None
) -> None:
    data = drawn.draw(datasets(variables=(2, 5), arities=(2, 4)))
    knowledge = drawn.draw(knowledge_of(data))
    most = max((len(own) for own in knowledge.resolve(data.names, 9).required), default=0)
    limit = None if limit is None else max(limit, most)
    counted = CountedScores(data, score, 1.0, limit, knowledge)
    network = some_network(counted, seed)
    scores = score_neighbourhood(counted, [network.parents], deadline=NEVER)
    resolved = knowledge.resolve(data.names, data.variables - 1 if limit is None else limit)
    for child in range(data.variables):
        everything = brute_force.candidates(data, resolved, child, score)
        own = frozenset(network.parents[child])
        wanted = {parents: cost for parents, cost in everything.items() if is_near(own, parents)}
        kept = sets_of(scores, child)
        assert all(cost == pytest.approx(everything[p], abs=1e-7) for p, cost in kept.items())
        # One that is not kept is no cheaper than one that is, with some of its parents.
        for parents, cost in wanted.items():
            rivals = [cheaper for smaller, cheaper in kept.items() if smaller <= parents]
            assert min(rivals) <= cost + 1e-7
        for parents, cost in kept.items():
            assert not any(
                smaller < parents and cheaper <= cost for smaller, cheaper in kept.items()
            )
    space = Space.of_scores(scores)
    assert space.grown is not None
    assert space.grown.neighbourhood
    assert space.max_parents == limit


@given(st.data(), st.sampled_from(SCORES), st.integers(0, 9))
@settings(deadline=None, max_examples=40)
def test_further_families_are_those_with_one_parent_more(
    drawn: st.DataObject, score: str, seed: int
) -> None:
    data = drawn.draw(datasets(variables=(2, 5), arities=(2, 4)))
    knowledge = drawn.draw(knowledge_of(data))
    counted = CountedScores(data, score, 1.0, None, knowledge)
    network = [some_network(counted, seed).parents]
    near = score_neighbourhood(counted, network, deadline=NEVER)
    scores = score_neighbourhood(counted, network, further=True, deadline=NEVER)
    resolved = knowledge.resolve(data.names, data.variables - 1)
    for child in range(data.variables):
        everything = brute_force.candidates(data, resolved, child, score)
        kept, bases = sets_of(scores, child), sets_of(near, child)
        assert all(cost == pytest.approx(everything[p], abs=1e-7) for p, cost in kept.items())
        for parents, cost in everything.items():
            wanted = any(base <= parents and len(parents - base) <= 1 for base in bases)
            if wanted:
                assert min(kept[smaller] for smaller in kept if smaller <= parents) <= cost + 1e-7


@pytest.mark.parametrize("jobs", [2, 3])
def test_threads_change_nothing(jobs: int) -> None:
    data = random_table([2, 3] * 6, 300, seed=2)
    counted = CountedScores(data)
    network = some_network(counted, 1)
    one, many = (
        score_neighbourhood(counted, [network.parents], jobs=count, deadline=NEVER)
        for count in (1, jobs)
    )
    for part in ("first_set", "costs", "first_member", "members"):
        assert (getattr(one, part) == getattr(many, part)).all()


def test_levels_and_other_networks_are_there_too() -> None:
    data = random_table([2, 3, 2, 3, 2, 2], 300, seed=3)
    counted = CountedScores(data)
    first, second = (some_network(counted, seed).parents for seed in (1, 4))
    levels = ab.score(data, max_parents=2)
    both = score_neighbourhood(
        counted, [first], others=[[own] for own in second], levels=levels, deadline=NEVER
    )
    for child in range(data.variables):
        kept = sets_of(both, child)
        for parents, cost in [*sets_of(levels, child).items()]:
            rivals = [cheaper for smaller, cheaper in kept.items() if smaller <= parents]
            assert min(rivals) <= cost
        within = [cheaper for smaller, cheaper in kept.items() if smaller <= set(second[child])]
        own = CountedScores(data).task(1)
        assert own is not None
        assert within
    grown = Space.of_scores(both).grown
    assert grown is not None
    assert grown.all_up_to == 2
    assert ab.search(both).cost <= ab.search(levels).cost + 1e-6


@given(st.data(), st.integers(0, 9), st.integers(1, 2))
@settings(deadline=None, max_examples=60)
def test_complete_variables_have_all_families_that_can_be_optimal(
    drawn: st.DataObject, seed: int, level: int
) -> None:
    data = drawn.draw(datasets(variables=(4, 6), rows=(20, 120), arities=(2, 4)))
    network = some_network(CountedScores(data), seed)
    levels = ab.score(data, max_parents=level, jobs=1)
    scores = score_neighbourhood(
        CountedScores(data), [network.parents], levels=levels, deadline=NEVER
    )
    complete = scores.provenance.complete_variables
    assert complete == levels.provenance.complete_variables
    every = ab.score(data, max_parents=data.variables - 1, jobs=1)
    for name in complete or ():
        wanted, kept = (sets_of(own, data.names.index(name)) for own in (every, scores))
        assert wanted.items() <= kept.items()
        # Only rounding tells others from sets that are no better.
        for parents in kept.keys() - wanted.keys():
            rivals = [cost for smaller, cost in wanted.items() if smaller < parents]
            assert min(rivals) <= kept[parents] + 1e-6


def test_the_deadline_ends_it() -> None:
    data = random_table([3] * 4, 200, seed=3)
    with pytest.raises(ab.LimitReached):
        score_neighbourhood(
            CountedScores(data),
            [[()] * data.variables],
            deadline=Deadline.after(0.0, ManualClock()),
        )
