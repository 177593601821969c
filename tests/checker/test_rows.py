"""Certificates of kind ``rows``: numbers of any size prove what they prove, and no more."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_problems import huge, optimum_of, problems

from anytimebn.base.errors import InputError
from anytimebn.checker.families import Problem
from anytimebn.checker.rows import row_bound
from anytimebn.result.certificates import Rows, Stage, ZeroHalfRow


@st.composite
def certificates(draw: st.DrawFn, variables: int) -> Rows:
    members = st.lists(st.integers(0, variables - 1), max_size=6).map(tuple)
    clusters = draw(st.lists(members.filter(bool), min_size=1, max_size=4))
    zero_half: list[ZeroHalfRow] = []
    for number in range(len(clusters), len(clusters) + draw(st.integers(0, 4))):
        parents = draw(st.lists(st.integers(0, number - 1), min_size=1, max_size=4))
        zero_half.append(ZeroHalfRow(tuple(parents), draw(members)))
    numbers = st.integers(0, len(clusters) + len(zero_half) - 1)
    stages = []
    for _ in range(draw(st.integers(0, 3))):
        rows = tuple(draw(st.lists(numbers, max_size=5)))
        multipliers = tuple(draw(huge) for _ in rows)
        stages.append(Stage(rows, multipliers, draw(huge) + 1))
    return Rows(tuple(clusters), tuple(zero_half), tuple(stages))


@given(st.data(), problems() | problems(huge))
@settings(deadline=None)
def test_numbers_of_any_size_prove_no_more_than_the_optimum(
    data: st.DataObject, problem: Problem
) -> None:
    certificate = data.draw(certificates(len(problem.families)))
    assert row_bound(certificate, problem) <= optimum_of(problem)


@given(st.data(), problems(), st.integers(1, 2**80))
@settings(deadline=None)
def test_a_common_factor_changes_nothing(
    data: st.DataObject, problem: Problem, factor: int
) -> None:
    certificate = data.draw(certificates(len(problem.families)))
    scaled = Rows(
        certificate.clusters,
        certificate.zero_half,
        tuple(
            Stage(
                stage.rows,
                tuple(factor * multiplier for multiplier in stage.multipliers),
                factor * stage.denominator,
            )
            for stage in certificate.stages
        ),
    )
    assert row_bound(scaled, problem) == row_bound(certificate, problem)


@given(problems())
def test_networks_that_are_not_in_the_scores_prove_nothing(problem: Problem) -> None:
    with pytest.raises(InputError, match="the parents of some variable are not in the scores"):
        row_bound(Rows((), (), ()), Problem(problem.families, None))
