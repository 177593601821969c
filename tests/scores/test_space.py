"""Which networks a bound is about."""

from __future__ import annotations

import itertools
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import anytimebn as ab
from anytimebn.network.random import generate
from anytimebn.scores.on_demand import CountedScores
from anytimebn.scores.space import Space

NAMES = ("a", "b", "c", "d")
arcs = st.sampled_from(list(itertools.permutations(NAMES, 2)))


@st.composite
def knowledge(draw: st.DrawFn) -> ab.Knowledge:
    order = draw(st.permutations(NAMES))
    first, second = sorted(draw(st.tuples(st.integers(0, 4), st.integers(0, 4))))
    limits = draw(st.dictionaries(st.sampled_from(NAMES), st.integers(0, 3)))
    return ab.Knowledge(
        required=draw(st.frozensets(arcs, max_size=2)),
        forbidden=draw(st.frozensets(arcs, max_size=4)),
        tiers=(tuple(order[:first]), tuple(order[first:second])),
        max_parents=limits,
    )


@given(knowledge(), st.none() | st.integers(0, 3))
def test_allowed_parents_are_those_of_networks_that_obey(
    known: ab.Knowledge, max_parents: int | None
) -> None:
    """One arc after another by `Knowledge.violations`, which knows no families."""
    space = Space(max_parents, None, known)
    for child in NAMES:
        others = [name for name in NAMES if name != child]
        for size in range(len(NAMES)):
            for parents in itertools.combinations(others, size):
                family = dict.fromkeys(NAMES, ()) | {child: parents}
                wrong = [
                    text
                    for text in known.violations(ab.Network.from_parents(family))
                    # that other variables lack their required parents is not about this family
                    if "lacks" not in text or text.endswith(f"-> {child}")
                ]
                within = max_parents is None or size <= max_parents
                assert space.allows(child, parents) == (within and not wrong)


@given(knowledge(), st.integers(0, 3), st.booleans() | st.none())
def test_space_reads_what_results_say(
    known: ab.Knowledge, max_parents: int, exact: bool | None
) -> None:
    content = {
        "max_parents": max_parents,
        "max_parents_exact": exact,
        "constraints": None if known.is_empty else known.to_json(),
    }
    space = Space.from_json(json.loads(json.dumps(content)))
    sorted_tiers = tuple(tuple(sorted(tier)) for tier in known.tiers)
    assert space.max_parents == max_parents
    assert space.larger_ruled_out is exact
    assert space.knowledge == ab.Knowledge(
        known.required, known.forbidden, sorted_tiers, known.max_parents
    )
    assert space.constrained is not known.is_empty
    assert space.limits_matter is (exact is not True)


def test_space_of_scores_is_that_of_results() -> None:
    known = ab.Knowledge(forbidden=frozenset({("X01", "X02")}), max_parents={"X03": 1})
    data = generate(5, 2, 100, seed=1)[1]
    scores = ab.score(data, max_parents=2, knowledge=known)
    space = Space.of_scores(scores)
    assert space == Space(2, scores.metadata["max_parents_exact"], known)
    assert ab.search(scores).space == space
    assert space.limit("X03") == 1
    assert space.limit("X04") == 2
    assert Space.of_scores(CountedScores(data, knowledge=known)) == Space(None, None, known)


@pytest.mark.parametrize(
    "constraints",
    [5, "none", [1], {"require": "a to b"}, {"tiers": ["a"]}, {"max_parents": {"a": "few"}}],
)
def test_constraints_in_other_words_are_not_taken_for_none(constraints: Any) -> None:
    space = Space.from_json({"max_parents": 2, "constraints": constraints})
    assert space.knowledge is None
    assert space.constrained
    assert space.allows("b", ["a"])
    assert not space.allows("b", ["a", "c", "d"])


@pytest.mark.parametrize("nothing", [None, {}, {"require": None}, {"tiers": [], "forbid": []}])
def test_no_constraints_are_none(nothing: Any) -> None:
    assert not Space.from_json({"constraints": nothing}).constrained
    assert Space.from_json({"constraints": nothing}).limit("a") is None


def test_exactness_in_other_words_is_not_believed() -> None:
    space = Space.from_json({"max_parents": 2, "max_parents_exact": "yes"})
    assert space.larger_ruled_out is None
    assert space.limits_matter
