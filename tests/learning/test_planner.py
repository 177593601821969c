"""The stages of learning from a table: a network first, and the best of all stages in the end."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from strategies import random_table

import anytimebn as ab
from anytimebn.base.clock import Deadline, Stopwatch
from anytimebn.learning import planner
from anytimebn.learning.planner import Planner
from anytimebn.network.random import generate
from anytimebn.result.words import status_line, summary_of
from anytimebn.scores.scoring import ScoringOptions, limit_may_matter


def table(seed: int = 1) -> ab.Dataset:
    return generate(8, 3, 500, seed=seed)[1]


def with_few_parents(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let parent sets of more than one member be too much work."""
    monkeypatch.setattr("anytimebn.scores.parent_limit.AUTO_CELL_VISITS", 0)


@pytest.mark.parametrize(
    ("ended", "status"), [(ab.LimitReached("late"), "time"), (KeyboardInterrupt(), "interrupted")]
)
@pytest.mark.parametrize("algorithm", ["auto", "astar"])
def test_whatever_ends_scoring_leaves_a_network(
    monkeypatch: pytest.MonkeyPatch, ended: BaseException, status: str, algorithm: str
) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise ended

    monkeypatch.setattr(planner, "score", fail)
    data = table()
    result = ab.learn(data, algorithm=algorithm)
    assert (result.status, result.algorithm) == (status, algorithm)
    assert result.lower_bound is None
    assert "not all parent sets had been scored" in status_line(result)
    assert result.network.probabilities is not None
    empty = ab.Network(data.names, ((),) * 8)
    assert result.cost < sum(cost for cost, _ in (ab.score(data).best(n, ()) for n in empty.names))


@pytest.mark.parametrize("score", ["mdl", "aic", "bdeu", "fnml", "qnml"])
@pytest.mark.parametrize("seed", [1, 2])
def test_the_first_network_changes_no_proven_cost(score: str, seed: int) -> None:
    data = table(seed)
    result = ab.learn(data, score=score)
    alone = ab.search(ab.score(data, score))
    assert result.status == alone.status == "optimal"
    assert result.cost == pytest.approx(alone.cost, abs=1e-5)
    costs = [event.cost for event in result.events]
    assert costs == sorted(costs, reverse=True)
    seconds = [event.seconds for event in result.events]
    assert seconds == sorted(seconds)


def test_a_start_network_is_never_made_worse() -> None:
    data = table()
    best = ab.learn(data).network
    again = ab.learn(data, start=best, max_expansions=0)
    assert again.cost == pytest.approx(ab.learn(data).cost, abs=1e-5)


def test_a_network_beyond_the_limit_is_preferred_and_said_to_be(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    data = table()
    best = ab.learn(data)
    assert max(map(len, best.network.parents)) > 1
    with_few_parents(monkeypatch)
    assert limit_may_matter(data, ab.Knowledge(), ScoringOptions())
    assert not limit_may_matter(data, ab.Knowledge(), ScoringOptions(max_parents=1))
    result = ab.learn(data)
    assert result.cost == pytest.approx(best.cost, abs=1e-5)
    assert (result.status, result.lower_bound, result.max_parents) == ("finished", None, None)
    within = result.details["within_limit"]
    assert within["max_parents"] == 1
    assert result.cost < within["lower_bound"] <= within["cost"]
    assert "at most 1 parents a variable" in status_line(result)
    assert "cost at least" in summary_of(result)["within limit"]
    limited = ab.learn(data, max_parents=1)
    assert limited.status == "optimal"
    assert limited.cost == pytest.approx(within["cost"], abs=1e-5)


def test_order_search_goes_on_beside_a_limited_search(monkeypatch: pytest.MonkeyPatch) -> None:
    with_few_parents(monkeypatch)
    data = table()
    result = ab.learn(data, time_limit=60)
    assert "within_limit" in result.details
    assert result.cost < result.details["within_limit"]["lower_bound"]


def test_a_network_below_a_proven_optimum_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    data = table()
    found = ab.learn(data, algorithm="best-order-search")

    def too_cheap(*_: Any, **__: Any) -> ab.Result:
        return replace(found, cost=found.cost - 1, seconds={"orders": 0.0})

    monkeypatch.setattr(Planner, "first_network", too_cheap)
    with pytest.raises(RuntimeError, match="cheaper than one that was proven optimal"):
        ab.learn(data)


def test_the_first_network_repeats_whatever_the_threads() -> None:
    data = random_table([2, 3] * 6, 300, seed=2)
    found = [
        Planner(
            dataset=data,
            scoring=ScoringOptions(),
            knowledge=ab.Knowledge(),
            settings=ab.SearchSettings(jobs=jobs, seed=4),
            start=None,
            watch=Stopwatch.started(),
            deadline=Deadline.after(None),
        ).first_network()
        for jobs in (1, 2, 3)
    ]
    assert len({own.network for own in found}) == 1
