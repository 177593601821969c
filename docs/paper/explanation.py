"""The paper's explanation why sparse networks are harder (section 5.4), tested on our runs."""

from __future__ import annotations

from itertools import combinations, pairwise
from typing import TYPE_CHECKING

from docs.findings import by_density
from docs.paper import published, sampled_shares
from docs.paper.finding import Finding, of

from anytimebn.evaluation.tables import parents_by_layer

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from docs.paper.sampled_shares import SampledShares

    from anytimebn.evaluation.report import Report

    Shares = Mapping[str, float]

FEW_PARENTS, MANY_PARENTS = 4, 8  # of generating networks
LEAST_RISE = 0.02  # in average parents: less is not seen in a figure
OWN_GROUPS = "static-pd"


def explanation(
    report: Report, sampled: Mapping[str, SampledShares] | None = None
) -> list[Finding]:
    """Test all of it."""
    drawn = sampled_shares.read() if sampled is None else sampled
    visited = {
        row.data_set: row.shares_below[OWN_GROUPS]
        for row in report.table2
        if OWN_GROUPS in row.shares_below
    }
    halves = {name: drawn[name].halves_in_order for name in visited if name in drawn}
    printed = published.table2()
    there = {name: printed[name].share_below for name in visited if name in printed}
    return [
        _shares_fall(report, visited, halves, there),
        _shares_with_rows(report, visited, halves, there),
        _layers(report),
        _optimism(report, visited, halves),
        _more_parent_sets(report),
        _nearer_networks(report),
    ]


def _with_halves(own: str, halves: str, known: Shares) -> str:
    return f"{own}, with halves of the variables as groups {halves}" if known else own


def _shares_fall(report: Report, visited: Shares, halves: Shares, there: Shares) -> Finding:
    def falls(shares: Shares) -> tuple[int, int]:
        some = [(shares[sparse], shares[dense]) for sparse, dense in by_density(report, [*shares])]
        return sum(sparse > dense for sparse, dense in some), len(some)

    count, total = falls(visited)
    return Finding(
        "The sparser of two generating networks leaves the larger share of nodes below the "
        "optimum (neighbours in Table 2)",
        2 * count > total if total else None,
        _with_halves(of(count, total), of(*falls(halves)), halves),
        of(*falls(there)),
    )


def _shares_with_rows(report: Report, visited: Shares, halves: Shares, there: Shares) -> Finding:
    """Few parents: more rows, larger shares; many parents: smaller ones."""
    parents = {
        data.name: data.specification.data["max_parents"]
        for data in report.data_sets
        if data.specification.data["kind"] == "generated"
    }

    def counts(shares: Shares) -> tuple[int, int, int, int]:
        few = {name: share for name, share in shares.items() if parents[name] <= FEW_PARENTS}
        many = {name: share for name, share in shares.items() if parents[name] >= MANY_PARENTS}
        rises = with_rows(report, few, lambda one, other: other > one)
        falls = with_rows(report, many, lambda one, other: other < one)
        return *rises, *falls

    def told(shares: Shares) -> str:
        rises, of_few, falls, of_many = counts(shares)
        return f"rises in {of(rises, of_few)}, falls in {of(falls, of_many)}"

    rises, of_few, falls, of_many = counts(visited)
    return Finding(
        f"With more rows that share rises for generating networks of up to {FEW_PARENTS} parents, "
        f"and falls for those of {MANY_PARENTS} (neighbours that differ only in rows)",
        2 * rises > of_few and 2 * falls > of_many if of_few and of_many else None,
        _with_halves(told(visited), told(halves), halves),
        told(there),
    )


def _layers(report: Report) -> Finding:
    shapes = {
        name: (parents, _shape(averages)) for name, (parents, averages) in _by_layer(report).items()
    }
    right = [_falls(shape) == (parents <= FEW_PARENTS) for parents, shape in shapes.values()]
    told = "; ".join(f"{name} {shape}" for name, (_, shape) in shapes.items())
    return Finding(
        "By layer of the order graph, parent sets become smaller all the way for generating "
        f"networks of up to {FEW_PARENTS} parents, and smaller, then larger for denser ones "
        "(Figure 4)",
        2 * sum(right) > len(right) if right else None,
        f"{of(sum(right), len(right))} behave so ({told})",
        "29.2.5k and 29.4.5k fall, 29.6.5k and 29.8.5k dip and rise",
    )


def _by_layer(report: Report) -> dict[str, tuple[int, list[float]]]:
    """Parents of the generating network at most, and average parents by layer."""
    found = {}
    for data in report.data_sets:
        for run in data.order_graphs:
            averages = None if run.result is None else parents_by_layer(run.result)
            if averages:
                found[data.name] = (data.specification.data["max_parents"], averages)
    return found


def _shape(averages: Sequence[float]) -> str:
    """Say how a curve goes from its first to its last point."""
    lowest = min(averages)
    if averages[-1] <= lowest + LEAST_RISE:
        return f"falls from {averages[0]:.2f} to {averages[-1]:.2f}"
    return f"falls from {averages[0]:.2f} to {lowest:.2f} and rises to {averages[-1]:.2f}"


def _falls(shape: str) -> bool:
    return "rises" not in shape


def _optimism(report: Report, visited: Shares, halves: Shares) -> Finding:
    """What the heuristic believes, parents of the first layer, against the truth, the last."""
    excess = {
        name: averages[0] / averages[-1]
        for name, (_, averages) in _by_layer(report).items()
        if averages[-1] > 0
    }

    def agree(shares: Shares) -> tuple[int, int]:
        pairs = [
            (excess[one] - excess[other]) * (shares[one] - shares[other])
            for one, other in combinations([name for name in shares if name in excess], 2)
        ]
        return sum(product > 0 for product in pairs), len(pairs)

    count, total = agree(visited)
    ratios = "; ".join(f"{name} {ratio:.2f}" for name, ratio in excess.items())
    return Finding(
        "The more parents the cheapest sets of all variables have, compared with the optimal "
        "network (first against last layer of Figure 4), the larger is the share of nodes below "
        "the optimum (all pairs of data sets)",
        2 * count > total if total else None,
        _with_halves(of(count, total), of(*agree(halves)), halves) + f" ({ratios})",
        "the first layer is in its Figure 4 only",
    )


def _more_parent_sets(report: Report) -> Finding:
    printed = published.table1()
    sets = {data.name: float(data.pops) for data in report.data_sets if data.pops is not None}
    there = {
        name: float(next(iter(printed[name].values())).pops) for name in sets if name in printed
    }
    sizes = {
        data.name: sum(size * count for size, count in enumerate(counts)) / sum(counts)
        for data in report.data_sets
        if data.scoring is not None
        and data.scoring.result is not None
        and sum(counts := data.scoring.result["pops_by_size"])
    }
    more, total = with_rows(report, sets, lambda few, many: many > few)
    larger, of_sizes = with_rows(report, sizes, lambda few, many: many > few)
    more_there, total_there = with_rows(report, there, lambda few, many: many > few)
    return Finding(
        "More rows give more parent sets, and larger ones (neighbours that differ only in rows)",
        2 * more > total and 2 * larger > of_sizes if total and of_sizes else None,
        f"more in {of(more, total)}, larger on average in {of(larger, of_sizes)}",
        f"more in {of(more_there, total_there)}"
        if total_there
        else "its Table 2 does not have them",
    )


def _nearer_networks(report: Report) -> Finding:
    printed = published.table2()
    known = {
        row.data_set: float(row.hamming_distance)
        for row in report.table2
        if row.hamming_distance is not None
    }
    there = {name: float(printed[name].hamming_distance) for name in known if name in printed}
    count, total = with_rows(report, known, lambda few, many: many <= few)
    return Finding(
        "With more rows the learned network is nearer to the generating one (its structural "
        "Hamming distance does not grow)",
        2 * count > total if total else None,
        of(count, total),
        of(*with_rows(report, there, lambda few, many: many <= few)),
    )


def with_rows(
    report: Report, values: Shares, test: Callable[[float, float], bool]
) -> tuple[int, int]:
    """On how many neighbours that differ only in rows a test holds, and how many there are."""
    key = ("variables", "max_parents", "seed")
    generated = [d for d in report.data_sets if d.specification.data["kind"] == "generated"]
    outcomes = [
        test(values[few.name], values[many.name])
        for few, many in pairwise(generated)
        if all(few.specification.data[k] == many.specification.data[k] for k in key)
        and few.name in values
        and many.name in values
    ]
    return sum(outcomes), len(outcomes)
