"""The sweep over all nodes of the order graph equals trying every subset in plain Python."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import pytest
from brute_force import costs_to_go, parent_masks, step_costs
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import knowledge_of, random_table

import anytimebn as ab
from anytimebn import _native
from anytimebn.evaluation.order_graph import sweep_order_graph
from anytimebn.solver import registry

if TYPE_CHECKING:
    from pathlib import Path

HEURISTICS = [choice.name for choice in registry.heuristics()]


def scores_of(
    variables: int, seed: int, *, arity: int = 2, rows: int = 60, max_parents: int = 9
) -> ab.LocalScores:
    return ab.score(random_table([arity] * variables, rows, seed), "aic", max_parents=max_parents)


def exact_costs(scores: ab.LocalScores) -> list[float]:
    """By the set of placed variables: the cheapest way to place them."""
    steps = step_costs(scores)
    costs: list[float] = [0] + [math.inf] * (2**scores.variables - 1)
    for placed in range(2**scores.variables):
        for x in range(scores.variables):
            if placed >> x & 1:
                before = placed & ~(1 << x)
                costs[placed] = min(costs[placed], costs[before] + steps[x][before])
    return costs


def heuristic_values(scores: ab.LocalScores, heuristic: str) -> list[int]:
    n = scores.variables
    placed = [[v for v in range(n) if node >> v & 1] for node in range(2**n)]
    return _native.heuristic_values(scores.native, heuristic, {}, [], placed)


def remaining_lowest(scores: ab.LocalScores, node: int) -> int:
    """What the variables that are not placed cost at least."""
    return sum(
        int(scores.fixed_costs[scores.first_set[x]])
        for x in range(scores.variables)
        if not node >> x & 1
    )


@pytest.mark.parametrize("heuristic", HEURISTICS)
@pytest.mark.parametrize("variables", [2, 3, 4, 7, 10])
def test_share_below_the_optimum_equals_brute_force(heuristic: str, variables: int) -> None:
    scores = scores_of(variables, seed=variables, max_parents=4)
    exact, h = exact_costs(scores), heuristic_values(scores, heuristic)
    f = [exact[u] + remaining_lowest(scores, u) + h[u] for u in range(2**variables)]
    found = sweep_order_graph(scores, [heuristic])
    (own,) = found.f_costs
    assert round(found.optimum * 1e6) == exact[-1]
    assert own.share_below == sum(value < exact[-1] for value in f) / 2**variables
    assert own.at_optimum == sum(value == exact[-1] for value in f)
    for placed in range(variables + 1):
        layer = [u for u in range(2**variables) if u.bit_count() == placed]
        assert own.below[placed] == sum(f[u] < exact[-1] for u in layer)
    bins = [0] * len(own.bins)
    for value in f:
        bins[int((value - round(own.first_bin * 1e6)) // round(own.bin_width * 1e6))] += 1
    assert list(own.bins) == bins
    assert own.dead == 0


@pytest.mark.parametrize("variables", [2, 5, 9])
def test_parents_by_layer_equal_brute_force(variables: int) -> None:
    scores = scores_of(variables, seed=3, arity=3)
    masks, exact = parent_masks(scores), exact_costs(scores)

    def cheapest(x: int, placed: int) -> tuple[int, int]:
        return min((cost, mask.bit_count()) for mask, cost in masks[x] if mask & ~placed == 0)

    networks = [(0, 0)]  # by node: cost and arcs of the cheapest one, the smallest of equal cost
    last = [0]
    for u in range(1, 2**variables):
        ways = []
        for x in range(variables):
            if u >> x & 1:
                (cost, parents), (before, arcs) = (
                    cheapest(x, u & ~(1 << x)),
                    networks[u & ~(1 << x)],
                )
                ways.append((before + cost, arcs + parents, parents))
        networks.append(min(ways)[:2])
        last.append(min(ways)[2])
    assert [cost for cost, _ in networks] == exact

    found = sweep_order_graph(scores, [])
    every = 2**variables - 1
    assert found.cheapest_parents == sum(
        cheapest(x, every & ~(1 << x))[1] for x in range(variables)
    )
    for layer in found.layers:
        nodes = [u for u in range(2**variables) if u.bit_count() == layer.placed]
        steps = [(x, u) for u in nodes for x in range(variables) if not u >> x & 1]
        assert (layer.nodes, layer.reachable) == (len(nodes), len(nodes))
        assert layer.steps == len(steps)
        assert layer.step_parents == sum(cheapest(x, u)[1] for x, u in steps)
        assert layer.last_parents == sum(last[u] for u in nodes)
        assert layer.network_parents == sum(networks[u][1] for u in nodes)


def test_costs_that_leave_no_room_for_arcs_are_swept_without_counting_them(tmp_path: Path) -> None:
    path = tmp_path / "large.jkl"
    # The largest costs that are accepted have 47 bits, and up to 12 arcs of sets of 3 need 6 more.
    path.write_text("4\na 2\n-9e7 0\n-1.0 3 b c d\nb 1\n-2.0 0\nc 1\n-3.0 0\nd 1\n-4.0 0\n")
    found = sweep_order_graph(ab.LocalScores.load(path), ["simple"])
    assert found.optimum == pytest.approx(10.0)
    assert [layer.network_parents for layer in found.layers] == [None] * 5
    assert found.cheapest_parents == 3


@settings(max_examples=25)
@given(st.data())
def test_nodes_that_no_network_goes_through_are_dead(data: st.DataObject) -> None:
    table = random_table([2] * data.draw(st.integers(2, 6)), 40, data.draw(st.integers(0, 99)))
    knowledge = data.draw(knowledge_of(table))
    scores = ab.score(table, "bdeu", max_parents=3, knowledge=knowledge)
    n = scores.variables
    exact, left = exact_costs(scores), costs_to_go(step_costs(scores))
    steps = step_costs(scores)
    found = sweep_order_graph(scores, ["simple"])
    for layer in found.layers:
        nodes = [u for u in range(2**n) if u.bit_count() == layer.placed]
        assert layer.reachable == sum(exact[u] < math.inf for u in nodes)
        assert layer.steps == sum(
            steps[x][u] < math.inf for u in nodes for x in range(n) if not u >> x & 1
        )
    assert round(found.optimum * 1e6) == left[0]
    (own,) = found.f_costs
    assert own.dead + sum(own.bins) == 2**n
    assert own.dead == sum(cost == math.inf for cost in exact)


@pytest.fixture(scope="module")
def several_blocks() -> ab.LocalScores:
    """Enough variables for blocks of several layers, on upper and middle variables."""
    return scores_of(15, seed=1, rows=200, max_parents=3)


@pytest.mark.parametrize("known_optimum", [None, "right", "wrong"])
def test_sweep_depends_neither_on_threads_nor_on_a_known_optimum(
    several_blocks: ab.LocalScores, known_optimum: str | None
) -> None:
    optimum = ab.search(several_blocks, algorithm="astar").cost
    one = sweep_order_graph(several_blocks, ["static-pd"], jobs=1)
    known = {None: None, "right": optimum, "wrong": optimum + 1}[known_optimum]
    two = sweep_order_graph(several_blocks, ["static-pd"], jobs=2, known_optimum=known)
    assert (one.optimum, one.layers, one.f_costs) == (two.optimum, two.layers, two.f_costs)
    assert one.optimum == pytest.approx(optimum, abs=1e-5)


def test_sweep_of_several_blocks_equals_brute_force(
    several_blocks: ab.LocalScores, instruction_set: str
) -> None:
    n = several_blocks.variables
    nodes = np.arange(2**n)
    layer_of = np.array([node.bit_count() for node in range(2**n)])
    sizes = np.zeros((n, 2**n), dtype=np.int64)
    regrets = np.zeros((n, 2**n), dtype=np.int64)
    for x, own in enumerate(parent_masks(several_blocks)):
        best = np.full(2**n, 2**60)
        for mask, cost in own:
            best[mask] = min(
                best[mask], (cost - min(own, key=lambda s: s[1])[1]) * n + mask.bit_count()
            )
        for y in range(n):  # the cheapest of all subsets
            pairs = best.reshape(-1, 2, 1 << y)
            np.minimum(pairs[:, 1], pairs[:, 0], out=pairs[:, 1])
        regrets[x], sizes[x] = best // n, best % n
    exact = np.zeros(2**n, dtype=np.int64)
    for node in range(1, 2**n):
        members = [x for x in range(n) if node >> x & 1]
        exact[node] = min(exact[node ^ 1 << x] + regrets[x, node ^ 1 << x] for x in members)

    found = sweep_order_graph(several_blocks, ["simple"])
    (own_f,) = found.f_costs
    for layer in found.layers:
        inside = layer_of == layer.placed
        parents = sum(int(sizes[x][inside & (nodes >> x & 1 == 0)].sum()) for x in range(n))
        assert layer.step_parents == parents, instruction_set
        assert own_f.below[layer.placed] == (exact[inside] < exact[-1]).sum()


@pytest.mark.parametrize("heuristic", [h.name for h in registry.heuristics() if h.consistent])
def test_nodes_below_the_optimum_are_what_astar_expands(
    several_blocks: ab.LocalScores, heuristic: str
) -> None:
    (own,) = sweep_order_graph(several_blocks, [heuristic]).f_costs
    expanded = ab.search(
        several_blocks,
        algorithm="astar",
        heuristic=heuristic,
        components=False,
        path_extension=False,
    ).expanded
    assert sum(own.below) <= expanded <= sum(own.below) + own.at_optimum


def test_limits_of_a_sweep_are_told(several_blocks: ab.LocalScores) -> None:
    with pytest.raises(ab.LimitReached, match="time limit"):
        sweep_order_graph(scores_of(20, seed=1, max_parents=2), time_limit=0.0)
    with pytest.raises(ab.LimitReached, match="are allowed"):
        sweep_order_graph(several_blocks, memory_limit="100kB")
    with pytest.raises(ab.InputError, match="no parameter 'k'"):
        sweep_order_graph(several_blocks, [("static-pd", {"k": 3})])
    with pytest.raises(ab.InputError, match="at most 32"):
        sweep_order_graph(scores_of(33, seed=1, max_parents=1))
    with pytest.raises(ab.InputError, match="did you mean 'static-pd'"):
        sweep_order_graph(several_blocks, ["static-dp"])
