"""Check a certificate of kind ``rows``: the bound of a linear relaxation, in whole numbers.

Every row says that a weighted number of chosen parent sets is at most a right-hand side, and holds
for every acyclic graph:

* the row of a cluster of k variables: at most k - 1 of them have a parent in the cluster;
* the zero-half row of some earlier rows and some variables: half of the sum of these rows, and of
  the rows "each of these variables has one parent set", everything rounded down.

A stage gives rows multipliers, whole numbers over a common denominator in units of 1e-6 nat. No
network costs less than: for each variable the least, over its parent sets, of the cost plus the
multipliers times the weights of the set, minus the multipliers times the right-hand sides. A parent
set with which this bound would reach the cost of the claimed network is in no better network and
left out from the next stage on. All of it holds for each part of the problem on its own, because
variables depend on each other only within strongly connected components of the graph of candidate
parents.

The first stage, without any rows, is not listed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import networkx as nx

from anytimebn.result.schema import are_names, is_count

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    ParentSet = tuple[frozenset[str], int]  # members, and the cost in units of 1e-6 nat


def row_certificate_problem(certificate: Mapping[str, Any], names: Sequence[str]) -> str | None:
    """Tell what is wrong with the form of a certificate, if something is."""
    return next(_problems(certificate, frozenset(names)), None)


def _problems(certificate: Mapping[str, Any], names: frozenset[str]) -> Iterator[str]:
    clusters, zero_half = certificate.get("clusters"), certificate.get("zero_half")
    stages = certificate.get("stages")
    if not (isinstance(clusters, list) and all(map(are_names, clusters))):
        yield "'clusters' must be a list of lists of names"
        return
    if not all(clusters):
        yield "a cluster is empty; no member of it can have its parents outside"
    if not all(names.issuperset(cluster) for cluster in clusters):
        yield "a cluster names a variable that does not exist"
    if not (isinstance(zero_half, list) and isinstance(stages, list)):
        yield "'zero_half' and 'stages' must be lists"
        return
    for number, row in enumerate(zero_half, start=len(clusters)):
        parents, children = _entries(row, "rows", "variables")
        if not (_are_counts(parents) and are_names(children)):
            yield f"row {number} must have 'rows', a list of numbers, and 'variables', of names"
        elif not parents or max(parents) >= number:
            yield f"row {number} must be made of rows with smaller numbers"
        elif not names.issuperset(children):
            yield f"row {number} names a variable that does not exist"
    count = len(clusters) + len(zero_half)
    for number, stage in enumerate(stages):
        rows, multipliers, denominator = _entries(stage, "rows", "multipliers", "denominator")
        if not (_are_counts(rows) and _are_counts(multipliers)):
            yield f"stage {number} must have 'rows' and 'multipliers', whole numbers of at least 0"
        elif len(rows) != len(multipliers):
            yield f"stage {number} has {len(rows)} rows but {len(multipliers)} multipliers"
        elif max(rows, default=0) >= max(count, 1):
            yield f"stage {number} uses a row that does not exist"
        elif not (is_count(denominator) and denominator > 0):
            yield f"the denominator of stage {number} must be a whole number of at least 1"


def _entries(value: Any, *keys: str) -> list[Any]:
    return [value.get(key) if isinstance(value, dict) else None for key in keys]


def _are_counts(value: object) -> bool:
    return isinstance(value, list) and all(map(is_count, value))


def row_bound(
    certificate: Mapping[str, Any],
    sets: Mapping[str, Sequence[ParentSet]],
    network_costs: Mapping[str, int],
) -> int:
    """Compute the bound that a certificate of good form proves.

    Parameters
    ----------
    certificate
        Clusters, zero-half rows and stages.
    sets
        All parent sets of each variable.
    network_costs
        What each variable costs in the network that was claimed.

    Returns
    -------
    int
        In units of 1e-6 nat; no network over these parent sets costs less.

    Examples
    --------
    Each of two variables would like the other as its parent; one of them must do without.

    >>> sets = {
    ...     "a": [(frozenset({"b"}), 1), (frozenset(), 5)],
    ...     "b": [(frozenset({"a"}), 1), (frozenset(), 9)],
    ... }
    >>> stage = {"rows": [0], "multipliers": [4], "denominator": 1}
    >>> certificate = {"clusters": [["a", "b"]], "zero_half": [], "stages": [stage]}
    >>> row_bound(certificate, sets, {"a": 5, "b": 1})
    6
    """
    rows = _rows(certificate, sets)
    parts = [_Part(members, sets, network_costs) for members in _parts(rows, sets)]
    part_of = {name: part for part in parts for name in part.names}
    nothing: dict[str, Any] = {"rows": [], "multipliers": [], "denominator": 1}
    for stage in [nothing, *certificate["stages"]]:
        for part in parts:
            part.begin(stage["denominator"])
        for number, multiplier in zip(stage["rows"], stage["multipliers"], strict=True):
            if multiplier and rows[number].weights:
                part_of[next(iter(rows[number].weights))].add(rows[number], multiplier)
        for part in parts:
            part.end()
    return sum(part.bound for part in parts)


@dataclass(frozen=True)
class _Row:
    """By variable: the weights of its parent sets, in their order."""

    weights: dict[str, list[int]]
    right_hand_side: int


def _rows(certificate: Mapping[str, Any], sets: Mapping[str, Sequence[ParentSet]]) -> list[_Row]:
    rows = []
    for members in certificate["clusters"]:
        cluster = frozenset(members)
        weights = {
            name: [int(not cluster.isdisjoint(parents)) for parents, _ in sets[name]]
            for name in cluster
        }
        rows.append(_Row(weights, len(cluster) - 1))
    for row in certificate["zero_half"]:
        children = list(row["variables"])
        parents = [rows[number] for number in row["rows"]]
        weights = {name: [0] * len(sets[name]) for name in children}
        for parent in parents:
            for name, own in parent.weights.items():
                before = weights.get(name, [0] * len(own))
                weights[name] = [a + b for a, b in zip(before, own, strict=True)]
        for name in children:
            weights[name] = [weight + 1 for weight in weights[name]]
        total = len(children) + sum(parent.right_hand_side for parent in parents)
        halved = {name: [weight // 2 for weight in own] for name, own in weights.items()}
        rows.append(_Row(halved, total // 2))
    return rows


def _parts(rows: list[_Row], sets: Mapping[str, Sequence[ParentSet]]) -> list[frozenset[str]]:
    """Strongly connected components, joined where a row reaches from one into another."""
    candidates = nx.DiGraph()
    candidates.add_nodes_from(sets)
    for name, own in sets.items():
        candidates.add_edges_from((parent, name) for parents, _ in own for parent in parents)
    joined = nx.Graph()
    joined.add_nodes_from(sets)
    for group in [*nx.strongly_connected_components(candidates), *(row.weights for row in rows)]:
        members = list(group)
        joined.add_edges_from((members[0], other) for other in members[1:])
    return [frozenset(part) for part in nx.connected_components(joined)]


class _Part:
    """Variables that are bounded on their own: the parent sets that are left, and the bound."""

    def __init__(
        self,
        names: frozenset[str],
        sets: Mapping[str, Sequence[ParentSet]],
        network_costs: Mapping[str, int],
    ) -> None:
        self.names = names
        self.costs = {name: [cost for _, cost in sets[name]] for name in names}
        self.left = {name: list(range(len(sets[name]))) for name in names}
        self.incumbent = sum(network_costs[name] for name in names)
        self.bound = sum(min(costs) for costs in self.costs.values())

    def begin(self, denominator: int) -> None:
        self.denominator = denominator
        self.adjusted = {
            name: [denominator * cost for cost in costs] for name, costs in self.costs.items()
        }
        self.constant = 0

    def add(self, row: _Row, multiplier: int) -> None:
        self.constant -= multiplier * row.right_hand_side
        for name, weights in row.weights.items():
            adjusted = self.adjusted[name]
            for number in self.left[name]:
                adjusted[number] += multiplier * weights[number]

    def end(self) -> None:
        """Take the bound of this stage, and leave out what no better network uses."""
        if not all(self.left.values()):  # nothing can be better than the network
            self.bound = self.incumbent
            return
        least = {
            name: min(self.adjusted[name][number] for number in left)
            for name, left in self.left.items()
        }
        exact = self.constant + sum(least.values())
        # Costs are whole, so that the bound may be rounded up.
        bound = -(-exact // self.denominator)
        self.bound = max(self.bound, min(bound, self.incumbent))
        better = (self.incumbent - 1) * self.denominator
        for name, left in self.left.items():
            room = better - exact + least[name]
            self.left[name] = [number for number in left if self.adjusted[name][number] <= room]
