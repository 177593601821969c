"""The numbers of the paper's tables, from stored runs alone."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from anytimebn.evaluation.specification import (
    LEARNED_NETWORK,
    ORDER_GRAPH,
    Json,
    Specification,
    scoring_run_of,
)
from anytimebn.result.event import error_bound

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from anytimebn.evaluation.store import Run, Stored

TELLING = ("time_limit", "memory_limit", "threads", "seed")
"""Settings that are named where the same algorithm ran on the same data with several of them."""


@dataclass
class DataSetRuns:
    """All that was run, or is missing, on one data set."""

    name: str
    specification: Specification  # of its scoring
    scoring: Run | None = None
    searches: dict[str, Run] = field(default_factory=dict)  # by label
    networks: list[Run] = field(default_factory=list)  # learned for Table 2
    order_graphs: list[Run] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)  # labels

    @property
    def results(self) -> list[Mapping[str, Any]]:
        """Of all searches that came to a network."""
        runs = [*self.searches.values(), *self.networks]
        return [run.result for run in runs if run.result is not None]

    @property
    def _any_result(self) -> Mapping[str, Any] | None:
        runs = [self.scoring, *self.searches.values(), *self.networks, *self.order_graphs]
        return next((run.result for run in runs if run and run.result is not None), None)

    @property
    def pops(self) -> int | None:
        """Parent sets that can be optimal."""
        return None if self._any_result is None else int(self._any_result["pops"])

    @property
    def variables(self) -> int | None:
        """How many there are."""
        return None if self._any_result is None else len(self._any_result["variables"])

    @property
    def best_cost(self) -> float | None:
        """The lowest cost that any run found."""
        return min((float(result["cost"]) for result in self.results), default=None)

    @property
    def proven(self) -> bool:
        """Whether some run proved the best cost to be optimal."""
        best = self.best_cost
        return best is not None and max(self._bounds(), default=-1e300) >= best - self.tolerance

    @property
    def tolerance(self) -> float:
        """Costs are compared in millionths of a nat a variable, and reported unrounded."""
        return 1e-6 * (self.variables or 0) + 1e-9

    def ratio(self, cost: float) -> float | None:
        """Cost over the best known; None where that says nothing."""
        best = self.best_cost
        if best is None or best <= 0:
            return None
        return 1.0 if cost <= best + self.tolerance else cost / best

    def _bounds(self) -> list[float]:
        bounds = [float(result["lower_bound"]) for result in self.results]
        return bounds + [float(g.result["optimum"]) for g in self.order_graphs if g.result]

    @property
    def contradictions(self) -> list[str]:
        """Proofs that cannot both be right."""
        best, bounds = self.best_cost, self._bounds()
        if best is None or not bounds or max(bounds) <= best + self.tolerance:
            return []
        return [
            f"{self.name}: a run proved that no network costs less than {max(bounds):.6f}, "
            f"another found one of {best:.6f}"
        ]


def by_data_set(stored: Stored) -> list[DataSetRuns]:
    """Sort runs by data set: generated ones by size, then the user's, in the order of the plan."""
    specs = {**stored.planned, **{k: run.specification for k, run in stored.runs.items()}}
    groups: dict[str, list[Specification]] = {}
    for spec in specs.values():
        groups.setdefault(scoring_run_of(spec).key, []).append(spec)
    scorings = {key: scoring_run_of(own[0]) for key, own in groups.items()}
    names = _names_of_data_sets(scorings)
    telling = _telling_settings(list(groups.values()))
    found = []
    for key, own in groups.items():
        data = DataSetRuns(names[key], scorings[key])
        for spec in own:
            run = stored.runs.get(spec.key)
            label = _label(spec, telling)
            if run is None:
                data.missing.append(label)
            elif spec.kind == "scoring":
                data.scoring = run
            elif spec.kind == "search":
                data.searches[label] = run
            elif spec.kind == "network":
                data.networks.append(run)
            else:
                data.order_graphs.append(run)
        found.append(data)
    return sorted(found, key=lambda data: _size(data.specification))


def labels_of(data_sets: Sequence[DataSetRuns]) -> list[str]:
    """All algorithms, in the order in which they first occur."""
    found: dict[str, None] = {}
    for data in data_sets:
        found.update(dict.fromkeys(data.searches))
        found.update(dict.fromkeys(label for label in data.missing if label not in _OTHER_RUNS))
    return list(found)


_OTHER_RUNS = ("scoring", LEARNED_NETWORK, ORDER_GRAPH)


def _size(spec: Specification) -> tuple[int, ...]:
    names = ("variables", "max_parents", "rows", "seed")
    if spec.data["kind"] != "generated":
        return (1,)
    return (0, *(int(spec.data[name]) for name in names))


def _names_of_data_sets(scorings: Mapping[str, Specification]) -> dict[str, str]:
    """Add the seed, or how it was scored, where data sets have the same name."""
    counts = Counter(spec.data_set for spec in scorings.values())
    names = {}
    for key, spec in scorings.items():
        same = [other for other in scorings.values() if other.data_set == spec.data_set]
        name = spec.data_set
        if counts[name] > 1:
            if len({other.data.get("seed") for other in same}) > 1:
                name += f" seed {spec.data['seed']}"
            for option in ("score", "max_parents", "ess"):
                if len({str(other.scoring.get(option)) for other in same}) > 1:
                    name += f" {option.replace('_', ' ')} {spec.scoring.get(option)}"
        names[key] = name
    # Files of the same name with other content, and whatever else is left.
    again = Counter(names.values())
    return {k: name if again[name] == 1 else f"{name} {k[:6]}" for k, name in names.items()}


def _telling_settings(groups: Sequence[Sequence[Specification]]) -> dict[str, list[str]]:
    """By label, the settings that vary between runs of the same label on the same data set."""
    telling: dict[str, dict[str, None]] = {}
    for own in groups:
        for label in {spec.label for spec in own}:
            same = [spec for spec in own if spec.label == label]
            for name in TELLING:
                if len({str(spec.settings.get(name)) for spec in same}) > 1:
                    telling.setdefault(label, {})[name] = None
    return {label: list(names) for label, names in telling.items()}


def _label(spec: Specification, telling: Mapping[str, Sequence[str]]) -> str:
    parts = []
    for name in telling.get(spec.label, ()):
        value = spec.settings.get(name)
        if value is None:
            parts.append(f"no {name.replace('_', ' ')}")
        elif name == "time_limit":
            parts.append(f"{value:g} s")
        else:
            parts.append(str(value) if name == "memory_limit" else f"{name} {value}")
    return f"{spec.label} ({', '.join(parts)})" if parts else spec.label


@dataclass(frozen=True)
class Table1Row:
    """One algorithm on one data set."""

    data_set: str
    variables: int | None
    pops: int | None
    best_cost: float | None
    proven: bool
    algorithm: str
    outcome: str  # as of a run, or missing
    status: str | None
    ratio_at_snapshot: float | None
    error_bound_at_snapshot: float | None
    cost: float | None
    ratio: float | None
    lower_bound: float | None
    error_bound: float | None
    bound_seconds: float | None  # until the last improvement of the error bound
    total_seconds: float | None
    out_of_memory: bool
    expanded: int | None
    peak_memory_bytes: int | None

    def to_json(self) -> Json:
        """All of it by name."""
        return asdict(self)


def table1(data_sets: Sequence[DataSetRuns], snapshot: float) -> list[Table1Row]:
    """Compare algorithms after `snapshot` seconds and at the end."""
    labels = labels_of(data_sets)
    rows = []
    for data in data_sets:
        for label in labels:
            if label in data.searches:
                rows.append(_table1_row(data, label, data.searches[label], snapshot))
            elif label in data.missing:
                rows.append(_empty_row(data, label, "missing", None))
    return rows


def _table1_row(data: DataSetRuns, label: str, run: Run, snapshot: float) -> Table1Row:
    if run.result is None:
        return _empty_row(data, label, run.outcome, run)
    result = run.result
    early = state_at(result["events"], snapshot)
    cost, lower = float(result["cost"]), float(result["lower_bound"])
    return Table1Row(
        data_set=data.name,
        variables=data.variables,
        pops=data.pops,
        best_cost=data.best_cost,
        proven=data.proven,
        algorithm=label,
        outcome=run.outcome,
        status=result["status"],
        ratio_at_snapshot=None if early is None else data.ratio(early[0]),
        error_bound_at_snapshot=None if early is None else error_bound(*early),
        cost=cost,
        ratio=data.ratio(cost),
        lower_bound=lower,
        error_bound=error_bound(cost, lower),
        bound_seconds=last_improvement(result["events"]),
        total_seconds=float(result["seconds"]["total"]),
        out_of_memory=run.outcome == "memory",
        expanded=result["expanded"],
        peak_memory_bytes=run.values["peak_memory_bytes"],
    )


def _empty_row(data: DataSetRuns, label: str, outcome: str, run: Run | None) -> Table1Row:
    return Table1Row(
        data.name,
        data.variables,
        data.pops,
        data.best_cost,
        data.proven,
        label,
        outcome,
        status=None,
        ratio_at_snapshot=None,
        error_bound_at_snapshot=None,
        cost=None,
        ratio=None,
        lower_bound=None,
        error_bound=None,
        bound_seconds=None,
        total_seconds=None,
        out_of_memory=outcome == "memory",
        expanded=None,
        peak_memory_bytes=None if run is None else run.values["peak_memory_bytes"],
    )


def state_at(events: Sequence[Sequence[float]], seconds: float) -> tuple[float, float] | None:
    """Cost and lower bound that were known then.

    Examples
    --------
    >>> state_at([[0.5, 10.0, 7.0, 0], [2.0, 9.0, 8.0, 5]], 1.0)
    (10.0, 7.0)
    """
    known = [event for event in events if event[0] <= seconds]
    return (float(known[-1][1]), float(known[-1][2])) if known else None


def last_improvement(events: Sequence[Sequence[float]]) -> float | None:
    """Give the time at which cost or bound last became better."""
    last, before = None, None
    for seconds, cost, lower_bound, _ in events:
        if (cost, lower_bound) != before:
            last, before = float(seconds), (cost, lower_bound)
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
        optimum, outcome = None, "missing"
        for run in data.order_graphs:
            outcome = run.outcome
            if run.result is None:
                continue
            optimum = float(run.result["optimum"])
            shares |= {name_of(f): share_below(f) for f in run.result["f_costs"]}
        learned = min(data.results, key=lambda result: float(result["cost"]), default=None)
        generating = data.scoring and data.scoring.result
        generating = generating.get("generating_network") if generating else None
        rows.append(
            Table2Row(
                data.name,
                data.variables,
                data.pops,
                optimum,
                shares,
                average_parents(generating),
                average_parents(learned and learned["parents"]),
                hamming_distance(generating, learned and learned["parents"]),
                data.proven,
                outcome,
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
    order = ("crashed", "late", "killed", "refused")
    failed = sorted(
        (run for run in stored.runs.values() if run.failed),
        key=lambda run: (order.index(run.outcome), run.specification.data_set),
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
