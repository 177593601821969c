"""Parent sets that are nearly as good as their best subset: kept when they are asked for."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import pytest
from brute_force import candidates
from hypothesis import given
from hypothesis import strategies as st
from search_problems import few
from strategies import problems, random_table

import anytimebn as ab
from anytimebn.scores.registry import score_names

if TYPE_CHECKING:
    from pathlib import Path

DATA = random_table([2, 3, 2, 2], rows=60, seed=2, noise=0.4)


@pytest.mark.parametrize("score", score_names())
@few
@given(problem=problems(arities=(2, 4)), factor=st.sampled_from([1.0, 3.0, 500.0, math.inf]))
def test_sets_within_the_factor_are_kept_and_no_others(score, problem, factor) -> None:
    data, knowledge, limit = problem
    scores = ab.score(data, score, max_parents=limit, knowledge=knowledge, factor=factor, jobs=1)
    resolved = knowledge.resolve(data.names, limit)
    for child, name in enumerate(data.names):
        costs = candidates(data, resolved, child, score)
        found = {
            frozenset(map(data.names.index, parents)): cost
            for cost, parents in scores.parent_sets(name)
        }
        for parents, cost in costs.items():
            best = min((c for other, c in costs.items() if other < parents), default=cost)
            if cost < best + math.log(factor) - 1e-5:
                assert found[parents] == pytest.approx(cost, abs=1e-7, rel=1e-10)
            elif cost > best + math.log(factor) + 1e-5:
                assert parents not in found


def test_a_larger_limit_on_parents_changes_nothing_where_it_is_said_to_be_exact() -> None:
    for factor in (1.0, 20.0, 1e6):
        some = ab.score(DATA, factor=factor, max_parents=2)
        more = ab.score(DATA, factor=factor, max_parents=3)
        assert not some.provenance.max_parents_exact or some.pops == more.pops
        assert more.provenance.max_parents_exact
    assert ab.score(DATA, factor=1.0).pops < ab.score(DATA, factor=math.inf).pops == 4 * 8


@pytest.mark.parametrize("suffix", [".jkl", ".pss"])
@pytest.mark.parametrize("factor", [None, 1.0, 2.5, math.inf])
def test_score_files_tell_which_sets_were_kept(
    suffix: str, factor: float | None, tmp_path: Path
) -> None:
    path = tmp_path / f"scores{suffix}"
    ab.score(DATA, factor=factor).save(path)
    assert ab.LocalScores.load(path).provenance.factor == factor


def test_factors_that_make_no_sense_are_refused() -> None:
    for factor in (0.5, math.nan, "all"):
        with pytest.raises(ab.InputError, match="factor must be"):
            ab.score(DATA, factor=factor)


def test_the_best_network_is_the_same_with_more_sets() -> None:
    assert ab.search(ab.score(DATA, factor=50)).cost == ab.search(ab.score(DATA)).cost
