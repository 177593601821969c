"""The numbers of the paper's tables, from stored runs alone."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from anytimebn.evaluation.data_sets import labels_of
from anytimebn.evaluation.specification import ORDER_GRAPH, Json
from anytimebn.result.event import error_bound

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from anytimebn.evaluation.data_sets import DataSetRuns
    from anytimebn.evaluation.store import Run, Stored
    from anytimebn.result.event import Event

MISSING = "missing"
"""Outcome of a run that was planned and is not there."""

WORST_FIRST = ("crashed", "late", "killed", "refused")
"""Outcomes that nobody asked for."""


@dataclass(frozen=True)
class Table1Row:
    """One algorithm on one data set."""

    data_set: str
    variables: int | None
    pops: int | None
    best_cost: float | None
    proven: bool
    algorithm: str
    outcome: str  # as of a run, or MISSING
    # What only runs with a result have.
    status: str | None = None
    ratio_at_snapshot: float | None = None
    error_bound_at_snapshot: float | None = None
    cost: float | None = None
    ratio: float | None = None
    lower_bound: float | None = None
    error_bound: float | None = None
    bound_seconds: float | None = None  # until the last improvement of the error bound
    total_seconds: float | None = None
    out_of_memory: bool = False
    expanded: int | None = None
    peak_memory_bytes: int | None = None

    def to_json(self) -> Json:
        """All of it by name."""
        return asdict(self)


def table1(data_sets: Sequence[DataSetRuns], snapshot: float) -> list[Table1Row]:
    """Compare algorithms after `snapshot` seconds and at the end."""
    labels = labels_of(data_sets)
    return [
        _table1_row(data, label, data.searches.get(label), snapshot)
        for data in data_sets
        for label in labels
        if label in data.searches or label in data.missing
    ]


def _table1_row(data: DataSetRuns, label: str, run: Run | None, snapshot: float) -> Table1Row:
    outcome = MISSING if run is None else run.outcome
    row = Table1Row(
        data_set=data.name,
        variables=data.variables,
        pops=data.pops,
        best_cost=data.best_cost,
        proven=data.proven,
        algorithm=label,
        outcome=outcome,
        out_of_memory=outcome == "memory",
        peak_memory_bytes=None if run is None else run.values["peak_memory_bytes"],
    )
    if run is None or run.result is None:
        return row
    result, events = run.result, run.events
    early = state_at(events, snapshot)
    cost, lower = float(result["cost"]), float(result["lower_bound"])
    return replace(
        row,
        status=result["status"],
        ratio_at_snapshot=None if early is None else data.ratio(early.cost),
        error_bound_at_snapshot=None if early is None else early.error_bound,
        cost=cost,
        ratio=data.ratio(cost),
        lower_bound=lower,
        error_bound=error_bound(cost, lower),
        bound_seconds=last_improvement(events),
        total_seconds=float(result["seconds"]["total"]),
        expanded=result["expanded"],
    )


def state_at(events: Sequence[Event], seconds: float) -> Event | None:
    """Give the last event until then: what was known at that time.

    Examples
    --------
    >>> from anytimebn.result.event import Event
    >>> state_at([Event(0.5, 10.0, 7.0, 0), Event(2.0, 9.0, 8.0, 5)], 1.0).cost
    10.0
    """
    return next((event for event in reversed(events) if event.seconds <= seconds), None)


def last_improvement(events: Sequence[Event]) -> float | None:
    """Give the time at which cost or bound last became better."""
    last, before = None, None
    for event in events:
        known = (event.cost, event.lower_bound)
        if known != before:
            last, before = event.seconds, known
    return last


@dataclass(frozen=True)
class Table2Row:
    """How hard a data set is, and how near its optimal network is to the generating one."""

    data_set: str
    variables: int | None
    pops: int | None
    optimum: float | None
    shares_below: dict[str, float]  # by heuristic: fraction of all nodes with f < optimum
    parents_generated: float | None  # average
    parents_learned: float | None
    hamming_distance: int | None
    proven: bool  # whether the learned network is optimal
    outcome: str

    def to_json(self) -> Json:
        """All of it by name, one share per heuristic."""
        values = asdict(self)
        shares = values.pop("shares_below")
        return values | {f"share_below_{name}": share for name, share in shares.items()}


def table2(data_sets: Sequence[DataSetRuns]) -> list[Table2Row]:
    """Compare data sets for which all nodes were visited, or are to be."""
    rows = []
    for data in data_sets:
        if not data.order_graphs and ORDER_GRAPH not in data.missing:
            continue
        shares: dict[str, float] = {}
        optimum, outcome = None, MISSING
        for run in data.order_graphs:
            outcome = run.outcome
            if run.result is None:
                continue
            optimum = float(run.result["optimum"])
            shares |= {name_of(f): share_below(f) for f in run.result["f_costs"]}
        best = min(data.results, key=lambda result: float(result["cost"]), default=None)
        learned = None if best is None else best["parents"]
        scored = data.scoring and data.scoring.result
        generating = scored.get("generating_network") if scored else None
        rows.append(
            Table2Row(
                data_set=data.name,
                variables=data.variables,
                pops=data.pops,
                optimum=optimum,
                shares_below=shares,
                parents_generated=average_parents(generating),
                parents_learned=average_parents(learned),
                hamming_distance=hamming_distance(generating, learned),
                proven=data.proven,
                outcome=outcome,
            )
        )
    return rows


def name_of(f_costs: Mapping[str, Any]) -> str:
    """Name a heuristic with its parameters."""
    values = "".join(f",{name}={value:g}" for name, value in f_costs["parameters"].items())
    return f"{f_costs['heuristic']}{values}"


def share_below(f_costs: Mapping[str, Any]) -> float:
    """Fraction of all nodes with f below the optimum."""
    return float(sum(f_costs["below"]) / (1 << (len(f_costs["below"]) - 1)))


def parents_by_layer(order_graph: Mapping[str, Any]) -> list[float] | None:
    """Average parents of a variable in the networks of all nodes, by layer.

    As in the paper, the network of a node has the cheapest arcs among placed variables, and the
    cheapest parents of all others, cycles or not. None for runs that did not count arcs.

    Examples
    --------
    >>> layers = [{"placed": 0, "reachable": 1, "network_parents": 0},
    ...           {"placed": 1, "reachable": 2, "network_parents": 0},
    ...           {"placed": 2, "reachable": 1, "network_parents": 1}]
    >>> parents_by_layer({"cheapest_parents": 2, "layers": layers})
    [1.0, 0.5, 0.5]
    """
    layers = order_graph["layers"]
    if any(layer.get("network_parents") is None for layer in layers):
        return None
    n = len(layers) - 1
    cheapest = order_graph["cheapest_parents"]
    # Every variable is among those not placed in the same share of the nodes of a layer.
    return [
        (layer["network_parents"] / layer["reachable"] + cheapest * (n - layer["placed"]) / n) / n
        for layer in layers
        if layer["reachable"]
    ]


def average_parents(parents: Mapping[str, Sequence[str]] | None) -> float | None:
    """Arcs for each variable."""
    return None if not parents else sum(map(len, parents.values())) / len(parents)


def hamming_distance(
    one: Mapping[str, Sequence[str]] | None, other: Mapping[str, Sequence[str]] | None
) -> int | None:
    """Count the differing edges of the two equivalence classes."""
    from anytimebn.network.network import Network

    if not one or not other:
        return None
    return (
        Network.from_parents(one)
        .cpdag()
        .structural_hamming_distance(Network.from_parents(other).cpdag())
    )


@dataclass(frozen=True)
class Failure:
    """Something that nobody asked for."""

    what: str
    message: str
    errors: str = ""


def failures(stored: Stored, data_sets: Sequence[DataSetRuns]) -> list[Failure]:
    """What needs an explanation, the worst first."""
    wrong = [Failure("contradiction", m) for data in data_sets for m in data.contradictions]
    unreadable = [Failure("unreadable file", message) for message in stored.unreadable]
    failed = sorted(
        (run for run in stored.runs.values() if run.failed),
        key=lambda run: (WORST_FIRST.index(run.outcome), run.specification.data_set),
    )
    ended = [
        Failure(
            f"{run.specification.data_set} {run.specification.label}",
            run.explain(),
            str(run.values["outcome"]["errors"]),
        )
        for run in failed
    ]
    return wrong + unreadable + ended
