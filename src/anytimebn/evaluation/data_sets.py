"""Stored runs by data set: what there is of each, and what it proves together."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from anytimebn.evaluation.specification import (
    LEARNED_NETWORK,
    ORDER_GRAPH,
    Specification,
    scoring_run_of,
)
from anytimebn.scores.store import UNITS_PER_NAT

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from anytimebn.evaluation.store import Run, Stored

ROUNDING_ERROR = 1e-9  # of sums of costs, in nats
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
        return best is not None and max(self._bounds(), default=-math.inf) >= best - self.tolerance

    @property
    def tolerance(self) -> float:
        """Costs are compared in millionths of a nat per variable, and reported unrounded."""
        return (self.variables or 0) / UNITS_PER_NAT + ROUNDING_ERROR

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


_OTHER_RUNS = ("scoring", LEARNED_NETWORK, ORDER_GRAPH)


def labels_of(data_sets: Sequence[DataSetRuns]) -> list[str]:
    """All algorithms, in the order in which they first occur."""
    found: dict[str, None] = {}
    for data in data_sets:
        found.update(dict.fromkeys(data.searches))
        found.update(dict.fromkeys(label for label in data.missing if label not in _OTHER_RUNS))
    return list(found)


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
