"""Branch and cut: it agrees with dynamic programming, and its bounds hold wherever it stops."""

from __future__ import annotations

import itertools
import json
import math
import signal
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import pytest
from brute_force import all_networks
from hypothesis import given, settings
from hypothesis import strategies as st
from search_problems import (
    check,
    feasible_problems,
    generated,
    hard,
    optimum_of,
    random_scores,
    units,
)
from stopping import GUARD, Told

import anytimebn as ab
from anytimebn import _native
from anytimebn.base.threads import run_native
from anytimebn.checker.verify import verify
from anytimebn.solver.linear import scip_tree
from anytimebn.solver.linear.algorithms import run_ilp
from anytimebn.solver.linear.first_rows import small_rows
from anytimebn.solver.linear.forced_arcs import closing_sets
from anytimebn.solver.linear.loop import CuttingPlaneLoop
from anytimebn.solver.linear.scip_tree import Tree, branch_and_cut
from anytimebn.solver.outcome import events_of, result_of
from anytimebn.solver.run import start_run

if TYPE_CHECKING:
    from anytimebn.scores.store import LocalScores

few = settings(max_examples=max(1, settings.default.max_examples // 8))
ways = pytest.mark.parametrize(
    "parameters", [{"from-scratch": 1}, {"rounds": 2}], ids=["from-scratch", "after-rounds"]
)


def branching(variables: int, seed: int, **options: Any) -> LocalScores:
    """Everyone wants many others, at prices that tie: cutting planes alone prove little."""
    return random_scores(variables, seed, sets=12, largest=2, **options)


class BareTree(Tree):
    """Leaves it all to branching: cuts of whole cycles and networks of SCIP only."""

    nodes_of_all: ClassVar[list[int]]

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.first_rows, self.rows = [], {}

    def offer(self, values: np.ndarray) -> None:
        if np.all((values < 1e-6) | (values > 1 - 1e-6)):
            super().offer(values)

    def separate(self, _values: np.ndarray, *, hard: bool) -> list[int]:  # noqa: ARG002
        return []

    def solve(self) -> None:
        super().solve()
        self.nodes_of_all.append(self.nodes)


class TreeWithoutPropagation(BareTree):
    def closing_sets(self, _possible: list[bool]) -> list[int]:
        return []


def search_by(tree: type[Tree], scores: LocalScores, **options: Any) -> ab.Result:
    """Search from scratch as `ilp` does, but by this tree."""
    run = start_run(scores, ab.SearchSettings(algorithm="ilp", **options))
    assert run.native.prepare()
    branch_and_cut(run.native, seed=0, rounds=0, tree=tree)
    run.native.finish()
    return result_of(run, events_of(run))


# ---- results ----


@pytest.mark.parametrize("tree", [BareTree, TreeWithoutPropagation])
def test_tree_agrees_with_dynamic_programming(tree: type[BareTree]) -> None:
    tree.nodes_of_all = []
    for seed in range(8):
        scores = branching(
            6 + seed % 4, seed, levels=(2, 5, 50, 10**4)[seed % 4], scale=(1, 10**6)[seed % 2]
        )
        optimum = optimum_of(scores)
        whole = search_by(tree, scores, local_search=False)
        check(scores, whole, optimum)
        assert whole.status == "optimal"
        for expansions in {1, whole.expanded // 2, whole.expanded - 1}:
            result = search_by(tree, scores, local_search=False, max_expansions=expansions)
            check(scores, result, optimum)
    assert max(tree.nodes_of_all) > 5


@ways
@few
@given(scores=feasible_problems, seed=st.integers(0, 3), components=st.booleans())
def test_small_problems_are_solved(
    parameters: dict[str, float], scores: LocalScores, seed: int, components: bool
) -> None:
    result = ab.search(
        scores, algorithm="ilp", parameters=parameters, seed=seed, components=components
    )
    check(scores, result, optimum_of(scores))
    assert units(result.cost) == optimum_of(scores)
    verification = verify(json.loads(json.dumps(result.to_json())), scores=scores)
    assert verification.ok, verification.failures


@ways
@few
@given(
    variables=st.integers(4, 10),
    seed=st.integers(0, 2**32),
    levels=st.sampled_from([2, 5, 1000]),
    scale=st.sampled_from([1, 10**6]),
    blocks=st.sampled_from([1, 2]),
)
def test_branching_agrees_with_dynamic_programming(
    parameters: dict[str, float],
    variables: int,
    seed: int,
    levels: int,
    scale: int,
    blocks: int,
) -> None:
    scores = branching(variables, seed, levels=levels, scale=scale, blocks=blocks)
    result = ab.search(scores, algorithm="ilp", parameters=parameters, local_search=False)
    check(scores, result, optimum_of(scores))
    assert result.status == "optimal"


@ways
def test_results_repeat(parameters: dict[str, float]) -> None:
    scores = branching(14, 3, levels=50)
    results = [ab.search(scores, algorithm="ilp", parameters=parameters) for _ in range(2)]
    check(scores, results[0], optimum_of(scores))
    assert results[0].status == "optimal"
    assert results[0].expanded == results[1].expanded
    assert results[0].network.parents == results[1].network.parents
    assert "dual tolerance" in results[0].details["bound_rests_on"]


def test_what_cutting_planes_prove_rests_on_nothing_else() -> None:
    scores = generated(18)
    result = ab.search(scores, algorithm="ilp")
    assert result.status == "optimal"
    assert "bound_rests_on" not in result.details
    verification = verify(json.loads(json.dumps(result.to_json())), scores=scores)
    assert verification.ok, verification.failures
    assert "no search needed" in verification.checks[-1].detail
    scratch = ab.search(scores, algorithm="ilp", parameters={"from-scratch": 1})
    assert scratch.cost == result.cost
    assert scratch.certificate is None
    assert "bound_rests_on" in scratch.details


@ways
@pytest.mark.parametrize("size", [10**3, 10**7])
def test_regrets_that_are_too_large_for_the_tolerance_are_not_called_optimal(
    parameters: dict[str, float], size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scip_tree, "DUAL_TOLERANCE", 1e-4)
    scores = branching(9, 7, levels=size, scale=5)
    result = ab.search(scores, algorithm="ilp", parameters=parameters, local_search=False)
    check(scores, result, optimum_of(scores))
    assert result.status == ("optimal" if size == 10**3 else "finished")
    assert units(result.cost) - units(result.lower_bound) <= (0 if size == 10**3 else 10**5)


# ---- stopping ----


@ways
@pytest.mark.parametrize("variables", [9, 12])
def test_bounds_hold_wherever_it_stops(parameters: dict[str, float], variables: int) -> None:
    scores = hard(variables)
    optimum = optimum_of(scores)
    whole = ab.search(scores, algorithm="ilp", parameters=parameters)
    for expansions in sorted({*range(8), *np.linspace(8, whole.expanded - 1, 8).astype(int)}):
        result = ab.search(
            scores, algorithm="ilp", parameters=parameters, max_expansions=int(expansions)
        )
        check(scores, result, optimum)
        assert result.expanded <= expansions
        assert result.status in ("expansions", "optimal")


@ways
def test_it_stops_at_every_check(parameters: dict[str, float]) -> None:
    scores = hard(8)
    optimum = optimum_of(scores)
    for number in itertools.count(1):
        result = ab.search(scores, algorithm="ilp", parameters=parameters, stop_at_check=3 * number)
        check(scores, result, optimum)
        if result.status == "optimal":
            break
        assert result.status == "interrupted"
    assert number > 3


@ways
def test_gap_is_enough(parameters: dict[str, float]) -> None:
    result = ab.search(hard(14), algorithm="ilp", parameters=parameters, gap=0.05)
    assert result.status == "gap"
    assert result.gap is not None
    assert 0 < result.gap <= 0.05


@ways
def test_time_limit_ends_the_tree(parameters: dict[str, float]) -> None:
    result = ab.search(hard(60), algorithm="ilp", parameters=parameters, time_limit=0.5)
    assert result.status == "time"  # to the end it would take days


@ways
def test_memory_limit_ends_the_tree(parameters: dict[str, float]) -> None:
    result = ab.search(hard(40), algorithm="ilp", parameters=parameters, memory_limit=1)
    assert result.status == "memory"


@ways
def test_leaving_a_stream_ends_the_tree(parameters: dict[str, float]) -> None:
    stream = ab.stream(hard(60), algorithm="ilp", parameters=parameters)
    first = next(stream)
    for event in stream:
        if event.lower_bound > first.lower_bound:
            break
    result = stream.close()
    assert result.status == "interrupted"
    assert result.lower_bound > first.lower_bound


@ways
def test_stop_ends_the_tree_at_once(parameters: dict[str, float]) -> None:
    run = start_run(hard(60), ab.SearchSettings(algorithm="ilp", parameters=parameters))
    told = Told(run)

    def stop_when_it_branches() -> None:
        if run.native.snapshot().expanded > 10:
            raise KeyboardInterrupt

    run_native(run, told, stop_when_it_branches, keep_on_interrupt=True)
    assert run.native.status == "interrupted"
    assert told.expanded_after <= 5  # rounds of separation, or nodes


def test_interrupt_from_the_keyboard_keeps_the_result(tmp_path: Path) -> None:
    program = textwrap.dedent(
        f"""
        import sys
        sys.path.insert(0, {str(sys.path[0])!r})
        sys.path.insert(0, {str(Path(__file__).parents[1])!r})
        from search_problems import hard
        import anytimebn as ab
        def watch(progress):
            if progress.expanded > 5:
                print("ready", flush=True)
        result = ab.search(
            hard(60), algorithm="ilp", parameters={{"from-scratch": 1}}, progress=watch
        )
        print("status", result.status, flush=True)
        """
    )
    child = subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, cwd=tmp_path
    )
    assert child.stdout is not None
    assert child.stdout.readline() == "ready\n"
    child.send_signal(signal.SIGINT)
    rest = child.communicate(timeout=GUARD)[0]
    assert rest.splitlines()[-1] == "status interrupted"
    assert child.returncode == 0


def test_failure_of_a_callback_is_raised() -> None:
    class Broken(Tree):
        def separate(self, _values: np.ndarray, *, hard: bool) -> list[int]:  # noqa: ARG002
            raise RuntimeError("separation is broken")

    with pytest.raises(RuntimeError, match="separation is broken"):
        search_by(Broken, hard(12))


def test_bounds_of_the_tree_rise() -> None:
    offered = []

    class Noting(Tree):
        def report_bound(self, bound: float) -> None:
            offered.append(bound)
            super().report_bound(bound)

    assert search_by(Noting, hard(9)).status == "optimal"
    assert offered == sorted(offered)


def test_another_thread_may_find_the_network() -> None:
    scores = hard(12)
    settings_ = ab.SearchSettings(
        algorithm="ilp", parameters={"from-scratch": 1}, local_search=False
    )
    run = start_run(scores, settings_).native
    assert run.prepare()
    best = ab.search(scores, algorithm="astar")
    number = {
        (scores.names[x], frozenset(scores.parents(s))): s
        for x in range(scores.variables)
        for s in range(scores.first_set[x], scores.first_set[x + 1])
    }
    sets = [
        number[name, frozenset(own)]
        for name, own in zip(scores.names, best.network.parents, strict=True)
    ]
    run.offer_network(sets)
    assert run_ilp(run, settings_) is None
    run.finish()
    assert run.status == "optimal"


# ---- parts ----


@given(variables=st.integers(2, 4), seed=st.integers(0, 2**32), share=st.floats(0.05, 1))
def test_propagation_keeps_every_network(variables: int, seed: int, share: float) -> None:
    random = np.random.default_rng(seed)
    families = [
        (child, mask)
        for child in range(variables)
        for mask in range(2**variables)
        if not mask >> child & 1
    ]
    possible = [bool(random.random() < share) for _ in families]
    sets_of = {
        child: [i for i, family in enumerate(families) if family[0] == child]
        for child in range(variables)
    }
    members = [mask for _, mask in families]
    allowed = {family for family, may in zip(families, possible, strict=True) if may}
    used: set[tuple[int, int]] = set()
    for masks in all_networks(variables).T.tolist():
        network = set(enumerate(masks))
        if network <= allowed:
            used |= network
    closing = closing_sets(sets_of, members, possible)
    if closing is None:
        assert not used
    else:
        assert not used & {families[i] for i in closing}
        assert all(possible[i] for i in closing)


def test_propagation_follows_paths() -> None:
    # 0 -> 1 -> 2 is forced, so that 0 cannot have the parent 2; then 3 -> 0 is forced as well.
    families = [(0, 0b0100), (0, 0b1000), (1, 0b0001), (2, 0b0010), (3, 0b0001), (3, 0b0000)]
    sets_of = {x: [i for i, (child, _) in enumerate(families) if child == x] for x in range(4)}
    members = [mask for _, mask in families]
    assert closing_sets(sets_of, members, [True] * 6) == [0, 4]
    assert closing_sets(sets_of, members, [True, False, True, True, True, True]) is None


@pytest.mark.parametrize("variables", [3, 4])
def test_small_rows_hold_for_every_network(variables: int) -> None:
    from test_relaxation import all_sets, check_rows

    networks = [
        [frozenset(v for v in range(variables) if mask >> v & 1) for mask in masks]
        for masks in all_networks(variables).T.tolist()
    ]
    run = start_run(
        all_sets(variables, 0), ab.SearchSettings(algorithm="ilp", components=False)
    ).native
    assert run.prepare()
    cuts = _native.CuttingPlanes(run, 0)
    pairs, triples = small_rows(cuts)
    assert len(pairs) == math.comb(variables, 2)
    assert len(triples) == math.comb(variables, 3)
    check_rows(cuts, pairs + triples, iter(networks))
    for row in triples:
        added = cuts.row(row)
        assert added.right_hand_side == 1
        assert set(added.coefficients) == {1}
        for s in added.sets:
            child = cuts.child_of[s]
            assert set(added.variables) <= {child, *cuts.members(s)}


def test_cycles_are_found() -> None:
    run = start_run(branching(6, 1), ab.SearchSettings(algorithm="ilp", components=False)).native
    assert run.prepare()
    loop = CuttingPlaneLoop(run, _native.CuttingPlanes(run, 0), 0)
    tree = Tree(run, loop, 0, 0)
    random = np.random.default_rng(1)
    cyclic = 0
    for _ in range(100):
        chosen = [own[random.integers(len(own))] for own in tree.columns_of.values()]
        values = np.zeros(len(tree.sets))
        values[chosen] = 1
        parents = {tree.child[i]: tree.members[i] for i in chosen}
        cycle = tree.cycle(values)
        for child, parent in itertools.pairwise([*cycle, *cycle[:1]]):
            assert parent in parents[child]
        placed: set[int] = set()
        for _ in parents:
            placed |= {x for x, own in parents.items() if placed.issuperset(own)}
        assert bool(cycle) == (len(placed) < len(parents))
        cyclic += bool(cycle)
    assert 0 < cyclic < 100
