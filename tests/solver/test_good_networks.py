"""All networks within a factor: each once, the best first, and none is missing."""

from __future__ import annotations

import csv
import itertools
import json
import math
from typing import TYPE_CHECKING

import numpy as np
import pytest
from brute_force import all_networks, permits
from hypothesis import assume, given
from hypothesis import strategies as st
from search_problems import few, random_scores
from strategies import problems, random_table
from typer.testing import CliRunner

import anytimebn as ab
from anytimebn import _native
from anytimebn.checker.formulas import local_cost
from anytimebn.cli.application import application
from anytimebn.result.certificates import Rows, Stage, ZeroHalfRow
from anytimebn.solver import good_networks
from anytimebn.solver.good_networks import GoodNetworks
from anytimebn.solver.reduction import families_below, priced_rows
from anytimebn.solver.settings import SearchSettings

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from anytimebn.scores.store import LocalScores

Arcs = frozenset[tuple[str, str]]


def costs_of(scores: LocalScores) -> np.ndarray:
    """By variable and by parents as bits: what the families cost; infinite if there is none."""
    costs = np.full((scores.variables, 2**scores.variables), np.inf)
    for child, ends in enumerate(itertools.pairwise(scores.first_set.tolist())):
        for s in range(*ends):
            costs[child, sum(1 << p for p in scores.parents(s))] = scores.costs[s]
    return costs


def within(costs: np.ndarray, names: tuple[str, ...], nats: float) -> dict[Arcs, float]:
    """Try all networks, and give those whose costs are at most so far from the lowest."""
    networks = all_networks(len(costs))
    totals = sum(own[masks] for own, masks in zip(costs, networks, strict=True))
    best = totals.min()
    assume((np.abs(totals - best - nats) > 1e-5).all())
    return {
        frozenset(
            (names[p], names[c])
            for c, mask in enumerate(networks[:, i].tolist())
            for p in range(len(names))
            if mask >> p & 1
        ): float(totals[i])
        for i in np.flatnonzero(totals <= best + nats).tolist()
    }


def classes_of(networks: Iterable[Arcs]) -> list[int]:
    """Sizes of the equivalence classes, by skeletons and v-structures."""
    sizes: dict[object, int] = {}
    for arcs in networks:
        skeleton = frozenset(map(frozenset, arcs))
        collisions = frozenset(
            (frozenset((a, b)), c)
            for (a, c), (b, d) in itertools.combinations(arcs, 2)
            if c == d and frozenset((a, b)) not in skeleton
        )
        sizes[skeleton, collisions] = sizes.get((skeleton, collisions), 0) + 1
    return sorted(sizes.values())


def check_list(found: GoodNetworks, truth: dict[Arcs, float]) -> None:
    listed = [(frozenset(own.network.arcs), own.cost) for own in found]
    assert found.complete
    assert len({arcs for arcs, _ in listed}) == len(listed)
    assert dict(listed) == {arcs: pytest.approx(cost, abs=1e-9) for arcs, cost in truth.items()}
    assert all(a <= b + 1e-7 for (_, a), (_, b) in itertools.pairwise(listed))
    assert sorted(own.size for own in found.classes) == classes_of(truth)
    best = min(truth.values())
    for own in found.networks:
        assert own.factor == pytest.approx(math.exp(own.cost - best), rel=1e-6)


@pytest.mark.parametrize("call", [1, 2, 5, 20, 37])
def test_ctrl_c_keeps_what_was_found_and_claims_no_more(
    monkeypatch: pytest.MonkeyPatch, call: int
) -> None:
    scores = ab.score(random_table([2] * 5, 60, seed=1), factor=1e4)
    whole = ab.networks_within(scores, 1e4).find_all()
    assert len(whole) > 50
    really, calls = GoodNetworks._network, 0

    def interrupted(found: GoodNetworks, sets: list[int]) -> good_networks.GoodNetwork:
        nonlocal calls
        calls += 1
        if calls == call:
            raise KeyboardInterrupt
        return really(found, sets)

    monkeypatch.setattr(GoodNetworks, "_network", interrupted)
    found = ab.networks_within(scores, 1e4).find_all()
    found.find_all()
    assert not found.complete
    assert found.claim.endswith("interrupted")
    assert len(found) >= call
    assert list(found) == list(whole)[: len(found)]


def test_a_claim_names_its_conditions() -> None:
    data = random_table([2] * 4, 60, seed=1)
    first, second = data.names[:2]
    found = ab.networks_within(data, 2, forbid=[(first, second)]).find_all()
    assert found.claim.endswith("of the best, of those within the constraints")


def test_scores_take_no_options_of_tables(tmp_path: Path) -> None:
    path = tmp_path / "scores.jkl"
    ab.score(random_table([2] * 4, 60, seed=1), factor=math.inf).save(path)
    for command in (["enumerate", str(path), "--factor", "2"], ["posterior", str(path)]):
        ended = CliRunner().invoke(application, [*command, "--max-parents", "1"])
        assert ended.exit_code == 2
        assert "is for tables" in ended.output


some_scores = st.builds(
    random_scores,
    st.integers(1, 5),
    st.integers(0, 2**32),
    sets=st.integers(1, 12),
    largest=st.integers(1, 4),
    levels=st.integers(1, 12),
    blocks=st.integers(1, 2),
)


@given(some_scores, st.sampled_from([0.5, 1.5, 3.5, 8.5]))
def test_networks_equal_those_of_trying_everything(scores, nats) -> None:
    truth = within(costs_of(scores), scores.names, nats)
    check_list(ab.networks_within(scores, math.exp(nats)), truth)


@few
@given(some_scores, st.sampled_from([0.5, 1.5, 3.5]))
def test_networks_are_the_same_where_a_search_comes_first(scores, nats) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(good_networks, "FEW_VARIABLES", 0)
        truth = within(costs_of(scores), scores.names, nats)
        check_list(ab.networks_within(scores, math.exp(nats), jobs=1), truth)


def list_of(scores: LocalScores, nats: float, settings: SearchSettings, **options: object):
    lowest = np.minimum.reduceat(scores.costs, scores.first_set[:-1])
    regrets = scores.costs - np.repeat(lowest, np.diff(scores.first_set))
    sets = _native.ParentSets(
        scores.first_set,
        np.rint(1e9 * regrets).astype(np.int64),
        scores.first_member,
        scores.members,
    )
    own = settings.native(scores.names)
    return _native.NetworkList(sets, own, allowed=round(1e9 * nats), **options), lowest.sum()


def random_rows(n: int, seed: int) -> Rows:
    random = np.random.default_rng(seed)
    clusters = tuple(
        tuple(random.choice(n, size=random.integers(1, n + 1), replace=False).tolist())
        for _ in range(4)
    )
    halves = (
        ZeroHalfRow((0, 1, 2), tuple(random.choice(n, size=n // 2, replace=False).tolist())),
        ZeroHalfRow((1, 3), ()),
        ZeroHalfRow((4, 2, 3), (0,)),
    )
    stages = tuple(
        Stage(tuple(range(7)), tuple(random.integers(0, 4_000_000, 7).tolist()), 2) for _ in "ab"
    )
    return Rows(clusters, halves, stages)


@given(some_scores, st.sampled_from([0.5, 2.5]), st.integers(1, 3), st.integers(0, 2**32))
def test_networks_do_not_depend_on_the_bounds(scores, nats, largest, seed) -> None:
    """Tables that are too small for a component, and any rows, give the same list."""
    truth = within(costs_of(scores), scores.names, nats)
    listed, base = list_of(scores, nats, SearchSettings(jobs=1))
    assert listed.is_exact
    optimum = round(1e9 * (min(truth.values()) - base))
    split, _ = list_of(
        scores,
        nats,
        SearchSettings(jobs=1),
        optimum=optimum,
        largest_table=largest,
        **priced_rows(random_rows(scores.variables, seed), 10**9),
    )
    lists = []
    for own in (listed, split):
        lists.append([])
        more = True
        while more:
            more = own.find(3)
            lists[-1] += own.take_found()
        assert own.status == "finished"
    found, again = lists
    assert len(found) == len(truth)
    assert sorted(found) == sorted(again)


@few
@given(
    problems(variables=(2, 4), arities=(2, 3)),
    st.sampled_from(["mdl", "bdeu", "aic", "qnml"]),
    st.sampled_from([1.2, 3.0, 40.0]),
)
def test_networks_of_tables_are_not_lost_to_pruning(problem, score, factor) -> None:
    data, knowledge, limit = problem
    n = data.variables
    costs = np.full((n, 2**n), np.inf)
    for child, mask in itertools.product(range(n), range(2**n)):
        own = [v for v in range(n) if mask >> v & 1]
        fits = child not in own and len(own) <= limit
        if fits and permits(knowledge, data.names, child, mask):
            costs[child, mask] = local_cost(data, child, own, score)
    truth = within(costs, data.names, math.log(factor))
    found = ab.networks_within(
        data, factor, score=score, max_parents=limit, knowledge=knowledge, jobs=1
    )
    assert {frozenset(own.network.arcs) for own in found} == set(truth)
    assert found.complete


def test_lists_that_were_stopped_are_the_beginning_of_the_whole() -> None:
    scores = random_scores(5, 7, sets=9, levels=4)
    whole = GoodNetworks(scores, 40, SearchSettings(jobs=1)).find_all()
    assert whole.complete
    assert len(whole) > 50
    complete = False
    for stop in itertools.chain(range(1, 60), itertools.count(60, 37)):
        for limit in ({"stop_at_check": stop}, {"refuse_memory_at": stop}):
            found = GoodNetworks(scores, 40, SearchSettings(jobs=1, **limit)).find_all()
            assert found.networks == whole.networks[: len(found)]
            assert found.complete == (len(found) == len(whole))
            if not found.complete:
                assert found.status == ("memory" if "refuse_memory_at" in limit else "interrupted")
                assert "not complete" in found.claim
                assert not found.find_all().complete
            complete = complete or ("stop_at_check" in limit and found.complete)
        if complete:
            break


def test_a_count_gives_the_best_and_says_so() -> None:
    scores = random_scores(5, 7, sets=9, levels=4)
    whole = ab.networks_within(scores, 40).find_all()
    found = ab.networks_within(scores, 40, count=5)
    assert [own.cost for own in found] == [own.cost for own in whole.networks[:5]]
    assert found.status == "count"
    assert found.claim.startswith("the best 5 networks; not complete: more were not asked for")


def test_networks_are_searched_only_as_far_as_they_are_wanted() -> None:
    found = ab.networks_within(random_scores(5, 7, sets=9, levels=4), 40)
    assert len(found) == 0
    first = next(iter(found))
    assert len(found) == 1
    assert found.status == "running"
    assert next(iter(found)) is first
    assert len(list(found)) == len(found) > 50


@given(some_scores, st.sampled_from([0.5, 1.5, 4.5]), st.integers(0, 2**32))
def test_families_of_good_networks_are_never_ruled_out(scores, nats, seed) -> None:
    """Whatever rows and multipliers there are, they prove a bound."""
    good = within(costs_of(scores), scores.names, nats)
    limit = min(good.values()) + nats
    possible = families_below(scores, random_rows(scores.variables, seed), limit)
    for arcs in good:
        network = ab.Network.from_parents(
            {name: [p for p, c in arcs if c == name] for name in scores.names}
        )
        for child, own in enumerate(network.parents):
            numbers = range(scores.first_set[child], scores.first_set[child + 1])
            assert any(possible[s] and scores.parents(s) == tuple(sorted(own)) for s in numbers)


def test_scores_without_the_sets_that_matter_are_refused(tmp_path: Path) -> None:
    data = random_table([2, 3, 2, 2], rows=60, seed=2, noise=0.4)
    with pytest.raises(ab.InputError, match="--factor 3, in Python factor=3"):
        ab.networks_within(ab.score(data), 3)
    path = tmp_path / "scores.pss"
    ab.score(data, factor=3).save(path)
    assert ab.networks_within(path, 3).find_all().complete
    assert ab.networks_within(path, 2).find_all().claim.startswith("all ")
    with pytest.raises(ab.InputError, match="within a factor of 3 of their best subset"):
        ab.networks_within(path, 3.5)


def test_a_list_without_a_network_has_at_least_the_best(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a search came first, its network is not lost when the list cannot be begun."""
    monkeypatch.setattr(good_networks, "FEW_VARIABLES", 0)
    scores = random_scores(5, 7, sets=9, levels=4)
    whole = ab.networks_within(scores, 40).find_all()
    found = ab.networks_within(scores, 40)
    monkeypatch.setattr(good_networks, "_kept", _refusing_memory(found))
    found.find_all()
    assert found.status == "memory"
    assert [own.cost for own in found] == [whole.networks[0].cost]
    assert found.claim.startswith("the best 1 network; not complete: memory ended the search")


def _refusing_memory(found: GoodNetworks):
    kept = good_networks._kept

    def refuse(*arguments: object) -> object:
        found._settings = SearchSettings(jobs=1, refuse_memory_at=1)
        return kept(*arguments)

    return refuse


def test_what_is_not_known_of_the_sets_is_said() -> None:
    scores = random_scores(3, 1)
    assert ab.networks_within(scores, 2).find_all().claim.endswith("over the given parent sets")
    data = random_table([2, 2, 2, 2], rows=60, seed=2)
    limited = ab.networks_within(data, 2, score="bdeu", max_parents=1).find_all()
    assert limited.claim.endswith(", of those with up to 1 parent")
    assert not ab.networks_within(data, 2, score="bdeu").find_all().claim.endswith("parents")


def test_wrong_questions_are_refused() -> None:
    scores = random_scores(3, 1)
    for factor in (0.5, math.nan, "3", math.inf):
        with pytest.raises(ab.InputError, match="factor must be"):
            ab.networks_within(scores, factor)
    with pytest.raises(ab.InputError, match="count must be at least 1"):
        ab.networks_within(scores, 2, count=0)
    with pytest.raises(ab.InputError, match="up to 64"):
        ab.networks_within(random_scores(65, 1, sets=1, largest=1), 2)


def test_lists_are_written_whole(tmp_path: Path) -> None:
    found = ab.networks_within(random_scores(4, 3, levels=4), 4).find_all()
    found.save(tmp_path / "list.json")
    found.save(tmp_path / "list.csv")
    content = json.loads((tmp_path / "list.json").read_text())
    assert content["complete"] is True
    assert [own["cost"] for own in content["networks"]] == [own.cost for own in found]
    assert sum(own["size"] for own in content["classes"]) == len(found)
    counted = np.bincount([own["class"] for own in content["networks"]]).tolist()
    assert counted == [own["size"] for own in content["classes"]]
    with (tmp_path / "list.csv").open(newline="") as file:
        rows = {(row["parent"], row["child"]): float(row["weight"]) for row in csv.DictReader(file)}
    assert rows == found.arc_weights
    with pytest.raises(ab.InputError, match="cannot be written"):
        found.save(tmp_path / "list.txt")


def test_enumerate_command_prints_and_writes(tmp_path: Path) -> None:
    table, scores, out = tmp_path / "t.csv", tmp_path / "s.jkl", tmp_path / "out.json"
    table.write_text("A,B,C\n" + "0,0,1\n1,1,0\n0,0,0\n1,1,1\n" * 10)

    def run(*arguments: object) -> tuple[int, str]:
        ended = CliRunner().invoke(application, [str(argument) for argument in arguments])
        return ended.exit_code, ended.output

    assert run("score", table, "-o", scores)[0] == 0
    status, text = run("enumerate", scores, "--factor", 10)
    assert status == 2
    assert "--factor 10" in text
    assert run("score", table, "--factor", 10, "-o", scores)[0] == 0
    status, text = run("enumerate", scores, "--factor", 10, "-o", out)
    assert status == 0, text
    assert "all 8 networks within a factor of 10 of the best\n3 equivalence classes\n" in text
    assert "    3  cost 64.6740  factor 6.325  +C->B" in text
    assert len(json.loads(out.read_text())["networks"]) == 8
    status, text = run("enumerate", table, "--factor", 10, "--classes")
    assert status == 0
    assert text.count("of its class") == 3
    status, text = run("enumerate", table, "--factor", 10, "--count", 3, "--show", 1)
    assert "the best 3 networks; not complete" in text
    assert run("score", table, "--factor", "few", "-o", scores)[0] == 2
    assert run("enumerate", table, "--factor", 10, "--time-limit", 0)[0] == 4
