"""Check a certificate of kind ``clusters``: the bound of cluster constraints, in whole numbers.

It holds a partition of the variables into ``groups``, ``clusters`` (sets of variables) and one
integer multiplier a cluster, in units of 1e-6 nat. In an acyclic graph each cluster has a member
whose parents all lie outside of it, so each multiplier may be added once if it is taken from the
cost of every parent set that avoids the cluster. What remains is bounded by solving each group on
its own, where parents in other groups are always allowed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from anytimebn.result.schema import are_names, is_count

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

LARGEST_GROUP = 22
UNREACHABLE = np.int64(2**61)


def cluster_certificate_problem(certificate: Mapping[str, Any], names: Sequence[str]) -> str | None:
    """Tell what is wrong with the form of a certificate, if something is."""
    groups, clusters = certificate.get("groups"), certificate.get("clusters")
    multipliers = certificate.get("multipliers")
    if not (isinstance(groups, list) and all(map(are_names, groups))):
        return "'groups' must be a list of lists of names"
    if sorted(name for group in groups for name in group) != sorted(names):
        return "'groups' must name every variable exactly once"
    if max(map(len, groups), default=0) > LARGEST_GROUP:
        return f"a group has more than {LARGEST_GROUP} variables, too many to check"
    if not (isinstance(clusters, list) and all(map(are_names, clusters))):
        return "'clusters' must be a list of lists of names"
    if any(name not in names for cluster in clusters for name in cluster):
        return "a cluster names a variable that does not exist"
    if not all(clusters):
        return "a cluster is empty; no member of it can have its parents outside"
    if not (isinstance(multipliers, list) and all(map(is_count, multipliers))):
        return "'multipliers' must be a list of whole numbers of at least 0"
    if len(multipliers) != len(clusters):
        return f"there are {len(clusters)} clusters but {len(multipliers)} multipliers"
    return None


def cluster_bound(
    certificate: Mapping[str, Any], sets: Mapping[str, Sequence[tuple[frozenset[str], int]]]
) -> int:
    """Compute the bound of a certificate, in units of 1e-6 nat and without rounding.

    Parameters
    ----------
    certificate
        Whose form is right.
    sets
        The parent sets of each variable with their costs.
    """
    clusters = [frozenset(cluster) for cluster in certificate["clusters"]]
    multipliers: list[int] = certificate["multipliers"]
    bound = sum(multipliers)
    for group in certificate["groups"]:
        position = {name: bit for bit, name in enumerate(group)}
        best = []
        for child in group:
            table = np.full(1 << len(group), UNREACHABLE)
            for members, cost in sets[child]:
                value = cost - sum(
                    multiplier
                    for cluster, multiplier in zip(clusters, multipliers, strict=True)
                    if child in cluster and cluster.isdisjoint(members)
                )
                inside = sum(1 << position[member] for member in members if member in position)
                table[inside] = min(int(table[inside]), value)
            best.append(_cheapest_within(table, len(group)))
        bound += _cheapest_order(best)
    return bound


def _cheapest_within(table: NDArray[np.int64], bits: int) -> NDArray[np.int64]:
    """Replace each entry by the least one over subsets of its index."""
    for bit in range(bits):
        pairs = table.reshape(-1, 2, 1 << bit)
        np.minimum(pairs[:, 1], pairs[:, 0], out=pairs[:, 1])
    return table


def _cheapest_order(best: list[NDArray[np.int64]]) -> int:
    """Place the members of a group one by one, each with parents among those placed before it."""
    size = len(best)
    masks = np.arange(1 << size)
    placed = sum((masks >> bit & 1 for bit in range(size)), start=np.zeros_like(masks))
    costs = np.full(1 << size, UNREACHABLE)
    costs[0] = 0
    for count in range(1, size + 1):
        layer = masks[placed == count]
        for variable in range(size):
            after = layer[(layer >> variable & 1) == 1]
            before = after ^ (1 << variable)
            step = np.minimum(costs[before] + best[variable][before], UNREACHABLE)
            costs[after] = np.minimum(costs[after], step)
    return int(costs[-1])
