"""The score that is lost without an arc, against the plain scores."""

from __future__ import annotations

import itertools
import json
import math
from typing import TYPE_CHECKING

import pytest
from brute_force import all_networks
from strategies import random_table

import anytimebn as ab
from anytimebn.checker.formulas import SCORE_NAMES, local_cost

if TYPE_CHECKING:
    from pathlib import Path

DATA = random_table([2, 3, 2, 2], rows=200, seed=1, noise=0.1)


def cheapest(child: str, candidates: tuple[str, ...], score: str) -> float:
    """Try all subsets of the candidates."""
    number = DATA.names.index
    return min(
        local_cost(DATA, number(child), sorted(map(number, chosen)), score)
        for size in range(len(candidates) + 1)
        for chosen in itertools.combinations(candidates, size)
    )


@pytest.mark.parametrize("score", ["mdl", "bdeu"])
def test_strength_is_what_the_child_costs_more(score: str) -> None:
    scores = ab.score(DATA, score)
    for column in all_networks(4).T[::40]:
        parents = tuple(tuple(v for v in range(4) if mask >> v & 1) for mask in column)
        network = ab.Network(DATA.names, parents)
        for found in (network.arc_strengths(scores), network.arc_strengths(DATA, score=score)):
            assert set(found) == set(network.arcs)
            for (parent, child), nats in found.items():
                own = network.parents_of(child)
                others = tuple(name for name in own if name != parent)
                expected = cheapest(child, others, score) - cheapest(child, own, score)
                assert nats == pytest.approx(expected, abs=1e-4)


def test_result_has_the_strengths_of_its_arcs(tmp_path: Path) -> None:
    result = ab.learn(DATA)
    assert result.arc_strengths == pytest.approx(result.network.arc_strengths(DATA))
    assert min(result.arc_strengths.values()) > 0
    result.save(tmp_path / "result.json")
    saved = json.loads((tmp_path / "result.json").read_text())["arc_strengths"]
    assert {(parent, child): nats for parent, child, nats in saved} == result.arc_strengths


def test_required_arc_cannot_be_missed(tmp_path: Path) -> None:
    result = ab.learn(DATA, require=["X0->X1"])
    assert result.arc_strengths["X0", "X1"] == math.inf
    result.save(tmp_path / "result.json")
    saved = json.loads((tmp_path / "result.json").read_text())["arc_strengths"]
    assert ["X0", "X1", None] in saved
    result.plot_network(tmp_path / "net.svg")


def test_plot_makes_strong_arcs_wide() -> None:
    from matplotlib.patches import FancyArrowPatch

    network = ab.Network.from_parents({"a": [], "b": ["a"], "c": ["a"], "d": [], "e": ["d"]})
    weights = {("a", "b"): 1.0, ("a", "c"): 400.0, ("d", "e"): 100.0}
    axes = network.plot(weights=weights).axes[0]
    widths = sorted(p.get_linewidth() for p in axes.patches if isinstance(p, FancyArrowPatch))
    assert widths[0] < widths[1] < widths[2]
    assert axes.texts[0].get_text() == "width: score lost without the arc (nats), 1 to 400"
    plain = network.plot().axes[0]
    assert [text.get_text() for text in plain.texts] == list("abcde")


@pytest.mark.parametrize("score", SCORE_NAMES)
def test_searches_on_data_count_what_is_lost_without_each_arc(score: str) -> None:
    result = ab.learn(DATA, algorithm="hill-climbing", score=score)
    data, network = DATA, result.network
    assert result.arc_strengths.keys() == set(network.arcs)
    for child, own in enumerate(network.parents):
        cost = local_cost(data, child, own, score)
        for parent in own:
            others = [other for other in own if other != parent]
            lost = local_cost(data, child, others, score) - cost
            found = result.arc_strengths[network.names[parent], network.names[child]]
            assert found == pytest.approx(max(0.0, lost), abs=1e-6)
