"""Draw how many nodes of the order graph survive in each layer, with weaker and stronger bounds.

    .venv/bin/python docs/figures/surviving_nodes.py

A node U survives when g(U) + h(U) is below the cost of an optimal network: a search that knows this
network must still visit it. g and h are computed for all subsets, in whole millionths of a nat and
in plain numpy; scores, clusters and multipliers come from anytimebn, except for the tuned ones. The
method, and the names used here, are explained in docs/method.md. Takes about 15 seconds.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure

import anytimebn as ab
from anytimebn import _native
from anytimebn.network.random import generate
from anytimebn.scores.store import UNITS_PER_NAT
from anytimebn.solver.linear.program import LinearProgram
from anytimebn.solver.run import start_run

VARIABLES, GENERATING_PARENTS, ROWS, MAX_PARENTS, SEED = 21, 3, 5_000, 7, 1
NEVER = 2**50
OUTPUT = Path(__file__).with_suffix(".png")

# From the weakest to the strongest bound.
COLOURS = ("#8d99ae", "#e09f3e", "#3d5a80", "#c1442e")

Masks = np.ndarray[Any, np.dtype[np.int64]]
Costs = np.ndarray[Any, np.dtype[np.int64]]


# ---- the bounds ----


@dataclass(frozen=True)
class Clusters:
    """Groups, clusters (sets of variables as masks) and a multiplier of each cluster."""

    groups: list[list[int]]
    members: Masks
    multipliers: Any  # whole units, or fractions of them while they are looked for


@dataclass(frozen=True)
class ParentSets:
    """By child: its parent sets as masks, and what each costs, in units of 1e-6 nat."""

    masks: list[Masks]
    costs: list[Costs]

    @classmethod
    def of(cls, scores: ab.LocalScores) -> ParentSets:
        """Take all parent sets of local scores."""
        masks, costs = [], []
        for first, end in itertools.pairwise(scores.first_set.tolist()):
            own = [sum(1 << p for p in scores.parents(number)) for number in range(first, end)]
            masks.append(np.array(own))
            costs.append(scores.fixed_costs[first:end])
        return cls(masks, costs)

    def adjusted(self, x: int, clusters: Clusters) -> Any:
        """s'(x, P) of each P: multipliers taken off where P misses a cluster with x."""
        costs = self.costs[x].astype(clusters.multipliers.dtype)
        for cluster, multiplier in zip(clusters.members, clusters.multipliers, strict=True):
            if cluster >> x & 1 and multiplier > 0:
                costs -= np.where(self.masks[x] & cluster, 0, multiplier)
        return costs


def gather(sets: Masks, variables: list[int]) -> Masks:
    """The bits of some variables, moved together."""
    return sum(((sets >> v & 1) << i for i, v in enumerate(variables)), np.zeros_like(sets))


def layers_of(size: int) -> list[Masks]:
    """All subsets of so many variables, by how many they have."""
    sets = np.arange(1 << size)
    counts = sum(sets >> bit & 1 for bit in range(size))
    return [sets[counts == k] for k in range(size + 1)]


class GroupTables:
    """D'_G of one group, for every set of its members that are placed."""

    def __init__(self, sets: ParentSets, clusters: Clusters, group: list[int]) -> None:
        self.group = group
        k = len(group)
        self.best, self.chosen = (
            [],
            [],
        )  # of each member, by what is placed
        for x in group:
            costs = sets.adjusted(x, clusters)
            inside = gather(sets.masks[x], group)
            order = np.argsort(-costs, kind="stable")  # so that the cheapest is written last
            best = np.full(1 << k, NEVER, dtype=costs.dtype)
            chosen = np.zeros(1 << k, dtype=np.int64)
            best[inside[order]] = costs[order]
            chosen[inside[order]] = sets.masks[x][order]
            for bit in range(k):
                low_high = (-1, 2, 1 << bit)
                b, c = best.reshape(low_high), chosen.reshape(low_high)
                cheaper = b[:, 0] < b[:, 1]
                b[:, 1] = np.where(cheaper, b[:, 0], b[:, 1])
                c[:, 1] = np.where(cheaper, c[:, 0], c[:, 1])
            self.best.append(best)
            self.chosen.append(chosen)
        self.rest = np.full(1 << k, NEVER, dtype=self.best[0].dtype)
        self.rest[-1] = 0
        for layer in reversed(layers_of(k)[:-1]):
            for i in range(k):
                free = layer[layer >> i & 1 == 0]
                through = self.best[i][free] + self.rest[free | 1 << i]
                self.rest[free] = np.minimum(self.rest[free], through)

    def choose(self, placed: Masks, parents: Masks) -> None:
        """Fill in the parents that the relaxation chooses for members that are not placed."""
        inside = gather(placed, self.group)
        bits = 1 << np.arange(len(self.group))
        for _ in self.group:
            through = np.stack(
                [
                    np.where(inside & bit, np.inf, best[inside] + self.rest[inside | bit])
                    for bit, best in zip(bits, self.best, strict=True)
                ]
            )
            following = np.argmin(through, axis=0)
            for i, x in enumerate(self.group):
                now = (following == i) & (inside & bits[i] == 0)
                parents[now, x] = self.chosen[i][inside[now]]
                inside[now] |= bits[i]


def bound(sets: ParentSets, clusters: Clusters, placed: Masks) -> Any:
    """h(U) of some sets of placed variables."""
    tables = [GroupTables(sets, clusters, group) for group in clusters.groups]
    return bound_from(tables, clusters, placed)


def bound_from(tables: list[GroupTables], clusters: Clusters, placed: Masks) -> Any:
    """The same, from tables that are there already."""
    total = sum(table.rest[gather(placed, table.group)] for table in tables)
    for cluster, multiplier in zip(clusters.members, clusters.multipliers, strict=True):
        total = total + np.where(placed & cluster, 0, multiplier)
    return total


def cost_of_placing(sets: ParentSets) -> Costs:
    """g(U) for all U: dynamic programming over the whole order graph."""
    n = len(sets.masks)
    best = []
    for x in range(n):
        table = np.full(1 << n, NEVER)
        table[sets.masks[x]] = sets.costs[x]
        for bit in range(n):
            halves = table.reshape(-1, 2, 1 << bit)
            np.minimum(halves[:, 1], halves[:, 0], out=halves[:, 1])
        best.append(table)
    cost = np.full(1 << n, NEVER)
    cost[0] = 0
    for layer in layers_of(n)[:-1]:
        for x in range(n):
            free = layer[layer >> x & 1 == 0]
            after = free | 1 << x
            cost[after] = np.minimum(cost[after], cost[free] + best[x][free])
    return cost


# ---- clusters and multipliers ----


def plain(groups: list[list[int]]) -> Clusters:
    """Static pattern databases: no clusters."""
    return Clusters(groups, np.zeros(0, np.int64), np.zeros(0, np.int64))


def linear_program_clusters(scores: ab.LocalScores) -> Clusters:
    """Multipliers of the linear program with cluster rows, and every variable its own group."""
    run = start_run(scores, ab.SearchSettings(components=False, seed=SEED)).native
    run.prepare()
    cuts = _native.CuttingPlanes(run, SEED)
    program = LinearProgram(cuts, UNITS_PER_NAT, lambda: False)
    program.add_columns(np.arange(cuts.sets, dtype=np.uint32))
    while program.solve(math.inf):
        found = cuts.separate_clusters(*program.support(), 4, 1e-4, 200, program.rows)
        if not found:
            break
        program.add_rows(found)
    used = np.flatnonzero(program.multipliers >= 1)
    members = [sum(1 << v for v in cuts.row(program.rows[i]).variables) for i in used]
    multipliers = np.rint(program.multipliers[used]).astype(np.int64)
    return Clusters([[x] for x in range(scores.variables)], np.array(members), multipliers)


def certified_clusters(scores: ab.LocalScores, certificate: dict[str, Any]) -> Clusters:
    """What a search has found: the content of its certificate."""
    number = {name: v for v, name in enumerate(scores.names)}
    return Clusters(
        [[number[name] for name in group] for group in certificate["groups"]],
        np.array([sum(1 << number[name] for name in c) for c in certificate["clusters"]]),
        np.array(certificate["multipliers"], dtype=np.int64),
    )


def tuned(
    sets: ParentSets, start: Clusters, limit: int, placed: Masks, costs: Costs, iterations: int
) -> Clusters:
    """Other multipliers for the same clusters, that are good for these sets of placed variables.

    As `climb` in native/clusters/ascent.cpp, which also looks for more clusters.
    """
    now = start.multipliers.astype(np.float64)
    best, least_missing = now, math.inf
    direction = np.zeros(len(now))
    step, idle = 1.0, 0
    everything = (1 << len(sets.masks)) - 1
    for _ in range(iterations):
        clusters = Clusters(start.groups, start.members, now)
        tables = [GroupTables(sets, clusters, group) for group in start.groups]
        missing = limit - costs - bound_from(tables, clusters, placed)
        total = np.maximum(0, missing).sum()
        idle = 0 if total < (1 - 1e-3) * least_missing else idle + 1
        if total < least_missing:
            best, least_missing = now, total
        if total == 0:
            break
        if idle > 8:
            step, idle, now = 0.6 * step, 0, best
            direction[:] = 0
            continue
        below = placed[missing > 0]
        parents = np.zeros((len(below), len(sets.masks)), dtype=np.int64)
        for table in tables:
            table.choose(below, parents)
        free = everything & ~below
        for c, cluster in enumerate(start.members.tolist()):
            inside = [x for x in range(len(sets.masks)) if cluster >> x & 1]
            paid = sum(((free >> x & 1) & (parents[:, x] & cluster == 0)).sum() for x in inside)
            gradient = (below & cluster == 0).sum() - paid
            direction[c] = gradient + 0.6 * direction[c]
        direction[(direction < 0) & (now <= 0)] = 0
        now = np.maximum(0, now + 0.3 * step * total / (direction**2).sum() * direction)
    return Clusters(start.groups, start.members, np.rint(best).astype(np.int64))


def sample_survivors(survives: Any, most: int) -> Masks:
    """Draw sets of 6 to 14 variables, 120 of each size, and keep some of those that survive."""
    random = np.random.default_rng(SEED)
    found = []
    for size in range(6, 15):
        for _ in range(120):
            placed = sum(1 << v for v in random.permutation(VARIABLES)[:size].tolist())
            if survives[placed]:
                found.append(placed)
    return np.array(found[:: max(1, math.ceil(len(found) / most))])


# ---- the figure ----


def draw(counts: dict[str, Any]) -> Figure:
    """One line a bound, over the layers of the order graph."""
    figure = Figure(figsize=(8, 4.8), layout="constrained")
    axes = figure.add_subplot()
    layers = np.arange(VARIABLES + 1)
    everything = [math.comb(VARIABLES, layer) for layer in layers]
    axes.fill_between(layers, everything, color="#eef0f3", label=f"all subsets: {1 << VARIABLES:,}")
    for (name, count), colour in zip(counts.items(), COLOURS, strict=True):
        alive = np.where(count > 0, count, np.nan)
        axes.plot(layers, alive, marker="o", markersize=4, linewidth=2, color=colour, label=name)
    axes.set_yscale("log")
    axes.set_xlim(0, VARIABLES)
    axes.set_ylim(0.8, 2 * max(everything))
    axes.set_xticks(layers[::3])
    axes.set_xlabel("layer: number of placed variables")
    axes.set_ylabel("surviving nodes")
    axes.set_title(
        f"{VARIABLES} binary variables, {ROWS:,} rows, MDL, at most {MAX_PARENTS} parents",
        fontsize=11,
    )
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(axis="y", color="#dddddd", linewidth=0.6)
    axes.set_axisbelow(True)
    figure.legend(loc="outside lower center", ncols=2, frameon=False, fontsize=9)
    return figure


def main() -> None:
    """Compute all bounds for all nodes, and draw how many survive."""
    _, table = generate(VARIABLES, GENERATING_PARENTS, ROWS, seed=SEED)
    scores = ab.score(table, "mdl", max_parents=MAX_PARENTS)
    result = ab.search(scores, algorithm="block-sweep", components=False, seed=SEED)
    assert result.certificate is not None
    sets = ParentSets.of(scores)
    cost = cost_of_placing(sets)
    optimum = int(cost[-1])
    nodes = np.arange(1 << VARIABLES)

    certified = certified_clusters(scores, result.certificate)
    groups_and_multipliers = bound(sets, certified, nodes)
    sample = sample_survivors(cost + groups_and_multipliers < optimum, 200)
    second = tuned(sets, certified, optimum, sample, cost[sample], 150)
    bounds = {
        "plain pattern databases": bound(sets, plain(certified.groups), nodes),
        "LP multipliers": bound(sets, linear_program_clusters(scores), nodes),
        "groups + multipliers": groups_and_multipliers,
        "with a tuned vector": np.maximum(groups_and_multipliers, bound(sets, second, nodes)),
    }
    layer = sum(nodes >> v & 1 for v in range(VARIABLES))
    counts = {}
    for name, h in bounds.items():
        alive = cost + h < optimum
        gap = 100 * (optimum - int(h[0])) / optimum
        counts[f"{name}: {alive.sum():,} (gap at the root {gap:.2f} %)"] = np.bincount(
            layer[alive], minlength=VARIABLES + 1
        )
    draw(counts).savefig(OUTPUT, dpi=130, metadata={"Software": None})


if __name__ == "__main__":
    main()
