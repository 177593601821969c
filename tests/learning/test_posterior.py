"""Posteriors: exact sums over all networks, each once for every order that agrees with it."""

from __future__ import annotations

import csv
import itertools
import json
import math
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
import pytest
from brute_force import all_networks, permits
from hypothesis import given
from hypothesis import strategies as st
from search_problems import few
from strategies import problems, random_table
from typer.testing import CliRunner

import anytimebn as ab
from anytimebn import _native
from anytimebn.checker.formulas import local_cost
from anytimebn.cli.application import application

if TYPE_CHECKING:
    from pathlib import Path

    from anytimebn.data.dataset import Dataset
    from anytimebn.knowledge.constraints import Knowledge
    from anytimebn.learning.posterior import Posterior

DATA = random_table([2, 3, 2, 2], rows=60, seed=2, noise=0.4)
PRIORS = st.sampled_from(["sizes", "sets"])


@cache
def orders_of(masks: tuple[int, ...]) -> int:
    """Count the orders of the variables that agree with a network."""
    n = len(masks)
    counts = {0: 1}
    for placed in range(1, 2**n):
        counts[placed] = sum(
            counts[placed ^ 1 << x]
            for x in range(n)
            if placed >> x & 1 and not masks[x] & ~(placed ^ 1 << x)
        )
    return counts[2**n - 1]


class EveryNetwork:
    """All networks with their weights, each computed on its own."""

    def __init__(
        self, data: Dataset, knowledge: Knowledge, limit: int, score: str, prior: str
    ) -> None:
        n = data.variables
        self.names = data.names
        costs = [[math.inf] * 2**n for _ in range(n)]
        for child, mask in itertools.product(range(n), range(2**n)):
            own = [v for v in range(n) if mask >> v & 1]
            fits = child not in own and len(own) <= limit
            if fits and permits(knowledge, data.names, child, mask):
                costs[child][mask] = local_cost(data, child, own, score)
                if prior == "sizes":
                    costs[child][mask] += math.log(math.comb(n - 1, len(own)))
        self.networks = []
        totals = []
        for masks in all_networks(n).T.tolist():
            cost = sum(costs[child][mask] for child, mask in enumerate(masks))
            if cost < math.inf:
                self.networks.append(tuple(masks))
                totals.append(cost - math.log(orders_of(tuple(masks))))
        weights = np.exp(min(totals) - np.array(totals))
        self.weights = weights / weights.sum()

    def probability(self, holds: object) -> float:
        return float(
            sum(w for masks, w in zip(self.networks, self.weights, strict=True) if holds(masks))
        )


@few
@given(problems(arities=(2, 3)), st.sampled_from(["bdeu", "mdl", "fnml"]), PRIORS, st.data())
def test_posterior_equals_all_networks_with_their_orders(problem, score, prior, draw) -> None:
    data, knowledge, limit = problem
    truth = EveryNetwork(data, knowledge, limit, score, prior)
    found = ab.posterior(
        data, score=score, max_parents=limit, prior=prior, knowledge=knowledge, jobs=1
    )
    for (i, parent), (j, child) in itertools.permutations(enumerate(data.names), 2):
        expected = truth.probability(lambda masks, i=i, j=j: masks[j] >> i & 1)
        assert found.arc(parent, child) == pytest.approx(expected, abs=1e-9)
    for child, name in enumerate(data.names):
        for probability, parents in found.parent_sets(name):
            mask = sum(1 << data.names.index(parent) for parent in parents)
            expected = truth.probability(lambda masks, c=child, mask=mask: masks[c] == mask)
            assert probability == pytest.approx(expected, abs=1e-9)
    # A feature of all families at once: some that are possible for each variable.
    possible = {
        name: draw.draw(st.sets(st.integers(0, 2**data.variables - 1))) for name in data.names
    }

    def mask_of(parents: frozenset[str]) -> int:
        return sum(1 << data.names.index(parent) for parent in parents)

    expected = truth.probability(
        lambda masks: all(
            mask in possible[name] for name, mask in zip(data.names, masks, strict=True)
        )
    )
    of_feature = found.probability(lambda child, parents: mask_of(parents) in possible[child])
    assert of_feature == pytest.approx(expected, abs=1e-9)


def check_sums(found: Posterior) -> None:
    scores = found.scores
    for child, name in enumerate(scores.names):
        own = found.families[scores.first_set[child] : scores.first_set[child + 1]]
        assert own.sum() == pytest.approx(1, abs=1e-9)
        assert (own >= 0).all()
        for parent in set(scores.names) - {name}:
            with_parent = sum(p for p, parents in found.parent_sets(name) if parent in parents)
            assert found.arc(parent, name) == pytest.approx(with_parent, abs=1e-12)
            assert found.adjacency(parent, name) <= 1
    assert (np.diag(found.arcs) == 0).all()


def test_posterior_sums_are_one_and_features_agree_with_arcs() -> None:
    data = random_table([2, 3, 2, 2, 2, 3, 2, 2, 2, 2], rows=300, seed=5)
    found = ab.posterior(data, max_parents=3)
    check_sums(found)
    assert found.probability(lambda *_: True) == pytest.approx(1, abs=1e-12)
    assert found.probability(lambda *_: False) == 0
    arc = found.probability(lambda child, parents: child != "X1" or "X0" in parents)
    assert arc == pytest.approx(found.arc("X0", "X1"), abs=1e-12)
    # Of both arcs between two variables, no network has more than one.
    both = found.probability(
        lambda child, parents: {"X0": "X1", "X1": "X0"}.get(child, "X2") in {*parents, "X2"}
    )
    assert both == 0


def weighted(variables: int, largest: int, weights: np.ndarray, jobs: int = 1):
    """Sums over all families of up to so many parents."""
    first_set, first_member, members = [0], [0], []
    for child in range(variables):
        others = [v for v in range(variables) if v != child]
        for size in range(largest + 1):
            for own in itertools.combinations(others, size):
                members.extend(own)
                first_member.append(len(members))
        first_set.append(len(first_member) - 1)
    arrays = np.array(first_set), np.array(first_member), np.array(members, dtype=np.int32)
    sums = _native.sum_over_orders(
        arrays[0],
        np.resize(weights, first_set[-1]),
        arrays[1],
        arrays[2],
        families=True,
        jobs=jobs,
        control=_native.Control(),
    )
    return sums.log_total, sums.take_probabilities(), arrays


@pytest.mark.parametrize("variables", [1, 8, 9, 11, 13])
def test_sums_do_not_depend_on_threads_or_instruction_set(variables: int) -> None:
    weights = np.random.default_rng(variables).normal(scale=900, size=5000)
    largest = min(3, variables - 1)
    log_total, families, _ = weighted(variables, largest, weights)
    total, again, _ = weighted(variables, largest, weights, jobs=3)
    assert total == log_total
    assert (again == families).all()
    before = _native.instruction_set()
    _native.limit_instruction_set("portable")
    try:
        total, again, _ = weighted(variables, largest, weights)
    finally:
        _native.limit_instruction_set(before)
    assert total == log_total
    assert (again == families).all()


def test_sums_are_exact_where_doubles_would_overflow() -> None:
    """Compare with logarithms that are added one by one, of weights that differ by e^100000."""
    weights = np.random.default_rng(1).uniform(-100_000, 0, size=200)
    log_total, families, (first_set, first_member, members) = weighted(5, 2, weights)
    logs: list[float] = []
    with_family: dict[int, list[float]] = {}
    for order in itertools.permutations(range(5)):
        choices = []
        for place, child in enumerate(order):
            before = set(order[:place])
            choices.append(
                [
                    s
                    for s in range(first_set[child], first_set[child + 1])
                    if before.issuperset(members[first_member[s] : first_member[s + 1]].tolist())
                ]
            )
        for chosen in itertools.product(*choices):
            logs.append(float(weights[list(chosen)].sum()))
            for s in chosen:
                with_family.setdefault(s, []).append(logs[-1])
    assert log_total == pytest.approx(np.logaddexp.reduce(logs), rel=1e-13)
    for s, probability in enumerate(families):
        expected = math.exp(np.logaddexp.reduce(with_family[s]) - np.logaddexp.reduce(logs))
        assert probability == pytest.approx(expected, abs=1e-9)


def test_posterior_takes_scores_of_all_sets_from_files(tmp_path: Path) -> None:
    path = tmp_path / "all.jkl"
    ab.score(DATA, "bdeu", factor=math.inf).save(path)
    found, from_file = ab.posterior(DATA), ab.posterior(path)
    assert found.arcs == pytest.approx(from_file.arcs, abs=1e-6)


def test_posterior_refuses_scores_without_all_sets(tmp_path: Path) -> None:
    for factor in (None, 3.0):
        path = tmp_path / "some.jkl"
        ab.score(DATA, "bdeu", factor=factor).save(path)
        with pytest.raises(ab.InputError, match="--factor all"):
            ab.posterior(path)
    ab.score(DATA, "bdeu", factor=math.inf, max_parents=2).save(path)
    lines = path.read_text().splitlines()
    first = next(i for i, line in enumerate(lines) if line.startswith("X0 "))
    count = int(lines[first].split()[1])
    lines[first] = f"X0 {count - 1}"
    del lines[first + count]
    path.write_text("\n".join(lines) + "\n")
    with pytest.raises(ab.InputError, match="'X0' has 6 of 7"):
        ab.posterior(path)
    foreign = tmp_path / "foreign.jkl"
    foreign.write_text("1\n0 1\n-3.5 0\n")
    with pytest.raises(ab.InputError, match="do not say that they have all parent sets"):
        ab.posterior(foreign)


def test_posterior_refuses_what_it_cannot_do() -> None:
    with pytest.raises(ab.LimitReached, match="time limit"):
        ab.posterior(DATA, time_limit=0)
    with pytest.raises(ab.InputError, match=r"memory limit is|may be used"):
        ab.posterior(DATA, memory_limit="1KB")
    with pytest.raises(ab.InputError, match="choose one of sizes, sets"):
        ab.posterior(DATA, prior="flat")
    with pytest.raises(ab.InputError, match="unknown option 'tiem_limit'"):
        ab.posterior(DATA, tiem_limit=3)
    constant = np.array([[0, 1, 1], [0, 0, 1]] * 4)
    with pytest.raises(ab.InputError, match="'X0' has one value only"):
        ab.posterior(constant)
    with pytest.raises(ab.InputError, match="possible up to 30"):
        ab.posterior(random_table([2] * 31, rows=9, seed=1), max_parents=1)
    with pytest.raises(ab.InputError, match="must be a function"):
        ab.posterior(DATA).probability("X0")


def test_sums_end_when_they_are_stopped() -> None:
    control = _native.Control()
    control.stop()
    families = np.array([0, 1, 2]), np.zeros(2), np.zeros(3, dtype=np.int64)
    sums = _native.sum_over_orders(
        *families, np.zeros(0, dtype=np.int32), families=True, jobs=1, control=control
    )
    assert not sums.complete


def test_whoever_watches_a_posterior_can_end_it() -> None:
    reports = []

    def watch(report: ab.Report) -> None:
        reports.append(report)
        if report.phase == "summing over orders":
            raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        ab.posterior(DATA, progress=watch)
    assert reports[-1].fraction is not None


def test_posterior_is_saved_and_shown(tmp_path: Path) -> None:
    found = ab.posterior(DATA, max_parents=2)
    for name in ("arcs.json", "arcs.csv", "arcs.svg"):
        found.save(tmp_path / name)
    content = json.loads((tmp_path / "arcs.json").read_text())
    assert content["max_parents"] == 2
    assert content["prior"] == "sizes"
    first = content["arcs"][0]
    assert found.arc(first["parent"], first["child"]) == first["probability"]
    with (tmp_path / "arcs.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["parent"], row["child"], float(row["probability"])) for row in rows] == list(
        found.sorted_arcs()
    )
    assert "<svg" in (tmp_path / "arcs.svg").read_text()
    assert "<img" in found._repr_html_()
    network = ab.Network.from_parents({"X0": [], "X1": ["X0"], "X2": ["X1"], "X3": []})
    figure = found.plot(network=network)
    assert len(figure.axes[0].texts) == 4 + 1  # names, and what widths mean
    frame = found.to_pandas()
    assert list(frame.columns) == ["parent", "child", "probability"]
    assert found.to_polars().rows() == found.sorted_arcs()
    with pytest.raises(ab.InputError, match=r"cannot be written to '\.txt'"):
        found.save(tmp_path / "arcs.txt")


def test_posterior_command_prints_and_writes(tmp_path: Path) -> None:
    table, out = tmp_path / "table.csv", tmp_path / "out.json"
    table.write_text("A,B,C\n" + "0,0,1\n1,1,0\n0,0,0\n1,1,1\n" * 10)
    arguments = ["posterior", str(table), "--forbid", "B->A", "-o", str(out), "--at-least", "0.5"]
    ended = CliRunner().invoke(application, arguments)
    assert ended.exit_code == 0, ended.output
    assert "A -> B  1.000" in ended.stdout
    assert "B -> A" not in ended.stdout
    assert json.loads(out.read_text())["constraints"]["forbid"] == [["B", "A"]]
    ended = CliRunner().invoke(application, ["posterior", str(table), "--time-limit", "0"])
    assert ended.exit_code == 4
