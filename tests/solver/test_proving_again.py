"""Bounds of earlier runs: proven again by the search that goes on, and never believed."""

from __future__ import annotations

import itertools
import json
import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from search_problems import random_scores
from small_problems import huge

import anytimebn as ab
from anytimebn.base.clock import SYSTEM_CLOCK
from anytimebn.checker.clusters import cluster_bound
from anytimebn.checker.families import Family, Problem
from anytimebn.checker.rows import row_bound
from anytimebn.result.certificates import Clusters, Rows, Stage, ZeroHalfRow, claimed
from anytimebn.scores.store import UNITS_PER_NAT
from anytimebn.solver.linear import loop as loops
from anytimebn.solver.linear.lead import Lead, LeadBook, LeadStage
from anytimebn.solver.linear.proof import Stage as LoopStage
from anytimebn.solver.proving_again import prove_again
from anytimebn.solver.run import ParentSetRun
from anytimebn.solver.search import search_with

if TYPE_CHECKING:
    from anytimebn.scores.store import LocalScores
    from anytimebn.solver.proving_again import Evidence

VARIABLES = 6
HARD = {"easy-expansions": 0.0}  # at once with cluster bounds

problems = st.builds(
    random_scores,
    st.just(VARIABLES),
    st.integers(0, 2**32),
    sets=st.integers(1, 10),
    levels=st.sampled_from([4, 1000]),
    blocks=st.sampled_from([1, 2]),
)
some = st.sets(st.integers(0, VARIABLES - 1), min_size=1).map(lambda own: tuple(sorted(own)))
usual = st.integers(0, 3 * UNITS_PER_NAT)


@st.composite
def cluster_certificates(draw: st.DrawFn) -> Clusters:
    clusters = tuple(draw(st.lists(some, max_size=6)))
    number = draw(st.sampled_from([usual, usual, huge]))
    group_of = [draw(st.integers(0, 2)) for _ in range(VARIABLES)]
    groups = tuple(
        tuple(v for v in range(VARIABLES) if group_of[v] == group) for group in set(group_of)
    )
    return Clusters(groups, clusters, tuple(draw(number) for _ in clusters))


@st.composite
def leads(draw: st.DrawFn) -> Lead:
    rows: list[tuple[tuple[int, ...], tuple[int, ...]]] = [((0, 1), ())]
    for _ in range(draw(st.integers(0, 6))):
        parents = draw(st.sets(st.integers(0, len(rows) - 1), max_size=3))
        rows.append((draw(some), tuple(sorted(parents))))
    number = draw(st.sampled_from([usual, usual, st.integers(0, 2**63 - 1)]))
    stages = []
    for _ in range(draw(st.integers(0, 3))):
        own = sorted(draw(st.sets(st.sampled_from(range(len(rows))))))
        multipliers = np.array([draw(number) for _ in own], dtype=np.int64)
        shift = draw(st.sampled_from([0, 2, 20, 40]))
        stages.append(LeadStage(np.array(own, dtype=np.uint32), multipliers, shift))
    return Lead(tuple(rows), tuple(stages), 0.0)


@st.composite
def row_certificates(draw: st.DrawFn) -> Rows:
    clusters = tuple(draw(st.lists(some.filter(lambda c: len(c) > 1), min_size=1, max_size=6)))
    count = len(clusters)
    zero_half = []
    for _ in range(draw(st.integers(0, 2))):
        rows = draw(st.sets(st.integers(0, count + len(zero_half) - 1), min_size=1))
        zero_half.append(ZeroHalfRow(tuple(sorted(rows)), draw(some)))
    number = draw(st.sampled_from([usual, usual, huge]))
    every = range(count + len(zero_half))
    stages = tuple(
        Stage(
            tuple(own := sorted(draw(st.sets(st.sampled_from(every))))),
            tuple(draw(number) for _ in own),
            draw(st.sampled_from([1, 4, 2**20, 3, 2**41])),
        )
        for _ in range(draw(st.integers(0, 3)))
    )
    return Rows(clusters, tuple(zero_half), stages)


def problem_of(scores: LocalScores, network: ab.Network) -> Problem:
    families = tuple(
        tuple(
            Family(frozenset(scores.parents(number)), int(scores.fixed_costs[number]))
            for number in range(scores.first_set[child], scores.first_set[child + 1])
        )
        for child in range(scores.variables)
    )
    costs = tuple(
        next(one.cost for one in own if one.parents == frozenset(parents))
        for own, parents in zip(families, network.parents, strict=True)
    )
    return Problem(families, costs)


def proven(scores: LocalScores, network: ab.Network, proof: Evidence) -> int:
    run = ParentSetRun(scores, ab.SearchSettings(local_search=False), network, SYSTEM_CLOCK)
    assert run.native.prepare()
    again = prove_again(run.native, (proof,), seed=0)
    bound = sum(run.native.component_bounds)
    for one in again.certificates:
        assert claimed(one) <= bound / UNITS_PER_NAT
    return bound


@given(problems, cluster_certificates())
def test_clusters_prove_what_the_checker_says_and_never_too_much(
    scores: LocalScores, proof: Clusters
) -> None:
    best = ab.search(scores, algorithm="dynamic-programming")
    problem = problem_of(scores, best.network)
    optimum = sum(problem.network or ())
    bound = proven(scores, best.network, proof)
    trivial = sum(min(own.cost for own in families) for families in problem.families)
    assert trivial <= bound <= optimum
    # Groups that reach from one component into another are left out.
    if len(proof.groups) == 1 or sum(proof.multipliers) >= 2**47:
        return
    if ParentSetRun(
        scores, ab.SearchSettings(components=False), best.network, SYSTEM_CLOCK
    ).native.prepare():
        run = ParentSetRun(
            scores, ab.SearchSettings(components=False), best.network, SYSTEM_CLOCK
        ).native
        run.prepare()
        prove_again(run, (proof,), seed=0)
        expected = min(optimum, max(trivial, cluster_bound(proof, problem)))
        assert sum(run.component_bounds) == expected


@given(problems, row_certificates())
def test_rows_prove_what_the_checker_says_and_never_too_much(
    scores: LocalScores, proof: Rows
) -> None:
    best = ab.search(scores, algorithm="dynamic-programming")
    problem = problem_of(scores, best.network)
    optimum = sum(problem.network or ())
    bound = proven(scores, best.network, proof)
    assert bound <= optimum
    small = all(sum(stage.multipliers) < 2**40 for stage in proof.stages)
    if small and all(stage.denominator not in (3, 2**41) for stage in proof.stages):
        run = ParentSetRun(
            scores, ab.SearchSettings(components=False), best.network, SYSTEM_CLOCK
        ).native
        run.prepare()
        prove_again(run, (proof,), seed=0)
        assert sum(run.component_bounds) >= row_bound(proof, problem)


@given(problems, leads())
def test_leads_prove_nothing_that_is_wrong(scores: LocalScores, lead: Lead) -> None:
    best = ab.search(scores, algorithm="dynamic-programming")
    optimum = sum(problem_of(scores, best.network).network or ())
    again = Lead.from_json(json.loads(json.dumps(lead.to_json(scores.names))), scores.names)
    assert again.rows == lead.rows
    for one, other in zip(again.stages, lead.stages, strict=True):
        assert one.shift == other.shift
        assert one.rows.tolist() == other.rows.tolist()
        assert one.multipliers.tolist() == other.multipliers.tolist()
    assert proven(scores, best.network, again) <= optimum


@pytest.mark.parametrize(
    ("what", "value"),
    [
        ("rows", [[[0, 9], []]]),
        ("rows", [[[], []]]),
        ("rows", [[[0, 1], [0]]]),
        ("rows", [[[0, 1], []], "row"]),
        ("stages", ["0 !"]),
        ("stages", ["0 eJw="]),
        ("stages", ["63 eJxjZGBgYGQAAAAfAAU="]),
        ("stages", [7]),
        ("lower_bound", "high"),
    ],
)
def test_damaged_leads_are_refused(what: str, value: object) -> None:
    stage = LeadStage(np.array([0], dtype=np.uint32), np.array([4]), 0)
    content: dict[str, Any] = Lead((((0, 1), ()),), (stage,), 3.5).to_json(())
    content = json.loads(json.dumps(content))
    assert len(Lead.from_json(content, "ABC").stages) == 1
    damaged = json.dumps(json.loads(content["text"]) | {what: value})
    for text in (damaged, damaged[1:], "[" * 100_000, 7):
        with pytest.raises(ab.InputError):
            Lead.from_json(content | {"text": text}, "ABC")


@pytest.mark.parametrize("algorithm", ["relaxation", "auto"])
def test_search_goes_on_where_a_linear_program_was_killed(algorithm: str) -> None:
    """All that it had proven is proven at once, and it ends as if nothing had been."""
    scores = random_scores(16, 3, sets=40, levels=1000)
    whole = ab.search(scores, algorithm="auto")
    killed = ab.SearchSettings(algorithm="relaxation", certify_along=True)
    run = ParentSetRun(scores, killed, whole.network, SYSTEM_CLOCK)
    told: list[Lead] = []
    follow = run.follow
    run._told = lambda lead: (told.append(lead), follow(lead))[1]
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(loops, "TELLING", math.inf)  # after every solve
        patched.setattr(loops, "TELL_EVERY", 0.0)
        run()
    for lead in told[:: max(1, len(told) // 3)]:
        after = ab.search(scores, algorithm=algorithm, start=whole.network, proofs=(lead,))
        bound = after.events[0].lower_bound
        assert bound is not None
        assert bound >= lead.lower_bound - scores.hidden_units / UNITS_PER_NAT - 1e-6
        assert after.cost == whole.cost
        if algorithm == "auto":
            assert after.status == "optimal"
    assert len(told) > 5


def test_ascent_goes_on_where_it_was_killed() -> None:
    scores = random_scores(20, 5, sets=100, levels=100_000)
    settings = ab.SearchSettings(algorithm="auto", certify_along=True, parameters=HARD, jobs=1)
    for check in (100, 300, 1000):
        run = ParentSetRun(scores, replace(settings, stop_at_check=check), None, SYSTEM_CLOCK)
        run()
        network = ab.Network(scores.names, run.parents() or ())
        again = replace(settings, proofs=run.leads)
        after = search_with(scores, again, start=network)
        assert after.status == "optimal"


@pytest.mark.parametrize("algorithm", ["auto", "block-sweep", "relaxation", "astar"])
@pytest.mark.parametrize("seed", range(4))
def test_search_begins_with_what_was_proven_before(algorithm: str, seed: int) -> None:
    scores = random_scores(14, seed, sets=40, levels=1000)
    for first in ("relaxation", "block-sweep"):
        before = ab.search(scores, algorithm=first, certify_along=True)
        assert before.proof is not None
        after = ab.search(scores, algorithm=algorithm, start=before.network, proofs=(before.proof,))
        bound = after.events[0].lower_bound
        assert bound is not None
        assert bound >= claimed(before.proof) - 1e-9
        # What was proven without search stays proven without search.
        assert claimed(after.proof) >= claimed(before.proof) - 1e-9
        if "optimal" in (before.status, after.status):
            costs = {round(one.cost, 5) for one in (before, after) if one.status == "optimal"}
            assert len(costs) == 1


def test_proofs_of_other_variables_are_refused() -> None:
    scores = random_scores(5, 1)
    for proof in (Clusters(((7,),), ((7,),), (1,)), Rows(((0, 7),), (), ())):
        with pytest.raises(ab.InputError, match="other variables"):
            ab.search(scores, proofs=(proof,))
    with pytest.raises(ab.InputError, match="proofs"):
        ab.search(scores, proofs=("yes",))


def test_certificates_on_the_way_prove_bounds_of_that_moment() -> None:
    """Each is checked by the checker, whatever the search does later."""
    scores = random_scores(16, 5, sets=60, levels=1000)
    settings = ab.SearchSettings(algorithm="auto", certify_along=True)
    run = ParentSetRun(scores, settings, None, SYSTEM_CLOCK)
    seen = []
    keep = run.keep
    run.keep = lambda proof: (seen.append(proof), keep(proof))[1]  # type: ignore[method-assign]
    run()
    best = ab.Network(scores.names, run.parents() or ())
    problem = problem_of(scores, best)
    for proof in itertools.chain(seen, run.evidence):
        check = cluster_bound if isinstance(proof, Clusters) else row_bound
        assert claimed(proof) <= check(proof, problem) / UNITS_PER_NAT + 1e-9  # type: ignore[arg-type]


def test_evidence_never_changes_a_result() -> None:
    scores = random_scores(12, 2, sets=40, levels=1000)
    plain = ab.search(scores, algorithm="block-sweep")
    along = ab.search(scores, algorithm="block-sweep", certify_along=True)
    same = replace(along, events=plain.events, seconds=plain.seconds, proof=plain.proof)
    assert same == plain


ORIGINS: dict[int, tuple[list[int], list[int], list[int], int]] = {
    5: ([0, 1], [], [], 0),
    6: ([1, 2], [], [], 0),
    7: ([0, 2], [], [], 0),
    8: ([0, 1, 2], [5, 6, 7], [0, 1, 2], 1),  # made of the others
}


def test_book_leaves_out_rows_of_bounds_that_are_no_longer_the_best() -> None:
    asked: list[int] = []

    def origin(row: int) -> tuple[list[int], list[int], list[int], int]:
        asked.append(row)
        return ORIGINS[row]

    def stage(*rows: int) -> LoopStage:
        return LoopStage(list(rows), np.ones(len(rows), np.int64), 0)

    nothing, first = np.zeros(0, np.uint32), np.array([3], np.uint32)
    book = LeadBook(origin)
    book.add(stage(5), ruled_out=first, is_best=True)
    book.add(stage(6), ruled_out=nothing, is_best=True)
    book.add(stage(7), ruled_out=nothing, is_best=True)
    assert asked == []  # nobody has asked for it yet
    standing = book.standing([8], nothing, nothing, nothing, rounds=1, stalled=0)
    lead = book.lead(1.0, standing)
    assert lead.rows == (((0, 1), ()), ((0, 2), ()))
    assert [own.rows.tolist() for own in lead.stages] == [[0], [1]]
    assert [own.ruled_out.tolist() for own in lead.stages] == [[3], []]
    assert standing.rows == (((1, 2), ()), ((0, 1, 2), (0, 2, 1)))
    assert standing.active.tolist() == [3]
    names = ["a", "b", "c"]
    again = Lead.from_json(lead.to_json(names), names)
    assert again.rows == lead.rows
    assert again.standing is not None
    assert again.standing.rows == standing.rows
    assert len(asked) == len(set(asked)) == 4
    # Stages that were told stay as they are.
    book.add(stage(8), ruled_out=nothing, is_best=True)
    later = book.lead(2.0)
    assert later.rows[:2] == lead.rows
    assert later.stages[0] is lead.stages[0]
    assert later.stages[1].rows.tolist() == [3]
