"""One run for all searches: families with ids that stay, contributors, offers from outside."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from search_problems import hard, local_scores, random_scores

import anytimebn as ab
from anytimebn import _native
from anytimebn.data.read import to_dataset
from anytimebn.network.random import generate
from anytimebn.scores.on_demand import CountedScores
from anytimebn.scores.store import UNITS_PER_NAT
from anytimebn.solver.run import start_run

if TYPE_CHECKING:
    from anytimebn.scores.store import LocalScores

ASTAR = ab.SearchSettings(algorithm="astar")
WITHOUT_LOCAL_SEARCH = ab.SearchSettings(algorithm="astar", local_search=False)


def small_store(scores: LocalScores, chosen: list[bool]) -> _native.FamilyStore:
    """Some of the sets; of each variable the dearest at least."""
    owner = np.repeat(np.arange(scores.variables), np.diff(scores.first_set))
    keep = np.resize(chosen, scores.pops)
    keep[scores.first_set[1:] - 1] = True
    sizes = np.diff(scores.first_member)
    return _native.FamilyStore(
        np.concatenate([[0], np.cumsum(np.bincount(owner[keep], minlength=scores.variables))]),
        scores.fixed_costs[keep],
        np.concatenate([[0], np.cumsum(sizes[keep])]),
        scores.members[np.repeat(keep, sizes)],
    )


def grow(store: _native.FamilyStore, scores: LocalScores) -> list[int]:
    """Append all sets; the id of each."""
    owner = np.repeat(np.arange(scores.variables), np.diff(scores.first_set))
    return [
        store.append(int(child), scores.parents(s), int(scores.fixed_costs[s]))
        for s, child in enumerate(owner)
    ]


def searched(store: _native.FamilyStore, scores: LocalScores) -> _native.SearchRun:
    run = _native.SearchRun(_native.ParentSets(store), ASTAR.native(scores.names))
    run.run()
    return run


# ---- families ----


@given(seed=st.integers(0, 2**32), first=st.lists(st.booleans(), min_size=20, max_size=20))
def test_grown_store_is_searched_as_if_all_had_been_there(seed: int, first: list[bool]) -> None:
    scores = random_scores(6, seed)
    store = small_store(scores, first)
    ids = grow(store, scores)
    assert sorted(ids) == list(range(len(store))) == list(range(scores.pops))
    run = searched(store, scores)
    best = ab.search(scores, algorithm="astar")
    assert run.status == best.status == "optimal"
    assert run.snapshot().cost == round(best.cost * UNITS_PER_NAT)
    families = [store.family(number) for number in run.chosen_sets()]
    assert [child for child, _, _ in families] == list(range(scores.variables))
    assert [parents for _, parents, _ in families] == run.parents()
    assert sum(cost for _, _, cost in families) == run.snapshot().cost


def test_network_of_before_a_store_grew_is_the_same_network_after() -> None:
    scores = random_scores(6, 3)
    store = small_store(scores, [False, True, False])
    before = searched(store, scores)
    ids = grow(store, scores)
    assert ids != list(range(scores.pops))  # later sets stand between earlier ones
    options = WITHOUT_LOCAL_SEARCH.native(scores.names)
    options.start = before.chosen_sets()
    begun = _native.SearchRun(_native.ParentSets(store), options)
    assert begun.prepare()
    assert begun.chosen_sets() == before.chosen_sets()
    assert begun.parents() == before.parents()
    assert begun.snapshot().cost == before.snapshot().cost


def test_run_keeps_to_the_families_that_it_began_with() -> None:
    scores = local_scores([{frozenset(): 9}, {frozenset(): 4}, {frozenset({1}): 2, frozenset(): 3}])
    store = small_store(scores, [True])
    run = searched(store, scores)
    later = store.append(0, [1, 2], 5)
    assert later == scores.pops
    assert store.append(0, [1, 2], 7) == later  # known already, with its cost
    assert store.family(later) == (0, [1, 2], 5)
    with pytest.raises(ValueError, match="not one of this run"):
        run.offer_network([later, *run.chosen_sets()[1:]])
    assert run.parents() == [[], [], [1]]
    assert searched(store, scores).parents() == [[1, 2], [], [1]]


def test_families_need_variables_that_exist() -> None:
    store = small_store(random_scores(4, 1), [True])
    for child, parents in ((4, [0]), (0, [4])):
        with pytest.raises(ValueError, match="variables that exist"):
            store.append(child, parents, 0)
    with pytest.raises(IndexError, match="no such family"):
        store.family(len(store))


# ---- contributors ----


def test_contributors_share_limits_and_add_up() -> None:
    settings = ab.SearchSettings(algorithm="astar", max_expansions=3)
    run = start_run(hard(8), settings).native
    assert isinstance(run, _native.SearchRun)
    assert run.prepare()
    first, second = run.contributor(), run.contributor()
    assert [first.expand() for _ in range(4)] == [True, True, True, False]
    assert second.expand()
    second.use_memory(0, 1)  # reports
    assert run.snapshot().expanded == 4
    assert first.stopped()
    assert not second.stopped()
    run.stop()
    assert second.stopped()
    run.finish()
    # The first could do no more, but it was not that which ended the work.
    assert run.status == "interrupted"


# ---- searches on data are runs as well ----


def test_search_on_data_takes_offers() -> None:
    table = generate(6, 2, 200, seed=1)[1]
    settings = ab.SearchSettings(algorithm="hill-climbing", max_expansions=20)
    run = start_run(CountedScores(to_dataset(table), max_parents=2), settings)
    run()
    native = run.native
    assert run.parents() == tuple(map(tuple, native.parents()))
    assert not native.offer_network(native.chosen_sets())
    with pytest.raises(ValueError, match="each variable"):
        native.offer_network([])
    assert not native.solved()
    native.offer_bound(0, 10**12)
    assert native.solved()
    native.finish()
    assert native.status == "optimal"


def test_an_event_that_ctrl_c_took_away_is_told_in_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    data = ab.generate(8, 3, 200, seed=3)[1]
    monkeypatch.setattr("anytimebn.solver.search.events_of", lambda _: [])
    for scores in (data, ab.score(data)):
        result = ab.learn(scores, algorithm="hill-climbing", progress=False)
        assert [event.cost for event in result.events] == [pytest.approx(result.cost, abs=1e-5)]
