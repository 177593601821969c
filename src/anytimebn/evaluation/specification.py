"""What a study is made of: data sets, how they are scored, and what is run on them.

Each run has a specification of plain JSON values. Its key is a digest of what decides the result,
so that a run that was done is found again, whoever asked for it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any

from anytimebn.base.choices import parse_parameters
from anytimebn.base.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

Json = dict[str, Any]

LEARNED_NETWORK, ORDER_GRAPH = "learned network", "order graph"
"""Labels of the runs that Table 2 needs."""

SWITCHES = ("local-search", "path-extension", "components")
"""Parts of a search that every algorithm has and a study may turn off, written as parameters."""

PATHS = ("path", "snapshot")
"""Fields that do not decide the result: where a file lies, and what is read off the events."""


@dataclass(frozen=True)
class StudyTable:
    """A generated table, or the user's own table or score file.

    Generated ones are named n.p.R as in the paper: n variables, a generating network of at most p
    parents, R rows.

    Examples
    --------
    >>> StudyTable.generated(29, 3, 5000, seed=1).name
    '29.3.5k'
    """

    name: str
    settings: Mapping[str, Any]  # JSON values

    @classmethod
    def generated(cls, variables: int, max_parents: int, rows: int, *, seed: int) -> StudyTable:
        """Give the data set of this size; it is drawn when it is scored."""
        size = f"{rows // 1000}k" if rows % 1000 == 0 else str(rows)
        settings = {
            "kind": "generated",
            "variables": variables,
            "max_parents": max_parents,
            "rows": rows,
            "seed": seed,
        }
        return cls(f"{variables}.{max_parents}.{size}", settings)

    @classmethod
    def from_file(cls, path: Path) -> StudyTable:
        """Take a table or a score file; its content, not its place, tells it from others."""
        from anytimebn.data.files.tables import table_suffix
        from anytimebn.scores.files.score_files import check_is_table_or_scores, is_score_file

        check_is_table_or_scores(path)
        suffix = table_suffix(path) or path.suffix
        try:
            with path.open("rb") as file:
                digest = hashlib.file_digest(file, "sha256").hexdigest()
        except OSError as error:
            raise InputError(f"{path}: cannot be read: {error.strerror}") from error
        settings = {
            "kind": "scores" if is_score_file(path) else "table",
            "path": str(path.resolve()),
            "sha256": digest,
        }
        return cls(path.name[: -len(suffix)] or path.name, settings)


@dataclass(frozen=True)
class Contender:
    """An algorithm with its heuristic and parameters.

    Examples
    --------
    >>> one = Contender.parse("anytime-weighted-astar:simple,weight=1.5", "static-pd")
    >>> one.algorithm, one.heuristic, one.parameters
    ('anytime-weighted-astar', 'simple', {'weight': 1.5})
    >>> Contender.parse("ilp", "static-pd").label
    'ilp'
    >>> Contender.parse("astar,local-search=0", "static-pd").turned_off
    ('local-search',)
    """

    algorithm: str
    heuristic: str | None
    parameters: Mapping[str, float] = field(default_factory=dict)
    turned_off: tuple[str, ...] = ()  # of SWITCHES

    @classmethod
    def parse(cls, text: str, heuristic: str) -> Contender:
        """Read ``ALGORITHM[:HEURISTIC][,PARAMETER=VALUE...]``, and refuse what is not known."""
        from anytimebn.solver.registry import algorithm
        from anytimebn.solver.settings import SearchSettings

        chosen, *assignments = text.split(",")
        name, _, own_heuristic = chosen.partition(":")
        used = (own_heuristic or heuristic) if algorithm(name).uses_heuristic else None
        if own_heuristic and used is None:
            raise InputError(f"{text}: {name} uses no heuristic; write {name} alone")
        parameters = parse_parameters(assignments)
        switches = {switch: parameters.pop(switch, 1.0) for switch in SWITCHES}
        for switch, value in switches.items():
            if value not in (0.0, 1.0):
                raise InputError(f"{text}: {switch} is {value:g}; 0 turns it off, 1 is the default")
        SearchSettings(algorithm=name, heuristic=used or heuristic, parameters=parameters)
        return cls(name, used, parameters, tuple(s for s, value in switches.items() if not value))

    @property
    def label(self) -> str:
        """Name it as it is written; ``static-pd`` needs no mention."""
        heuristic = "" if self.heuristic in (None, "static-pd") else f":{self.heuristic}"
        values = "".join(f",{name}={value:g}" for name, value in self.parameters.items())
        values += "".join(f",{switch}=0" for switch in self.turned_off)
        return f"{self.algorithm}{heuristic}{values}"


@dataclass(frozen=True, kw_only=True)
class Limits:
    """What every run of a study may use."""

    time_limit: float | None = None
    memory_limit: str | None = None
    seed: int = 0
    threads: int = 1
    snapshot: float = 60.0


@dataclass(frozen=True)
class Specification:
    """One run: what is done, to which data set, with which settings."""

    kind: str  # scoring, search, network (a search that no table compares) or order-graph
    data_set: str
    data: Mapping[str, Any]
    scoring: Mapping[str, Any]
    settings: Mapping[str, Any]

    @property
    def key(self) -> str:
        """The digest of all that decides the result."""
        deciding = _without_paths(asdict(self))
        text = json.dumps(deciding, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    @property
    def label(self) -> str:
        """What is run, for people."""
        return str(self.settings.get("label", self.kind))

    def to_json(self) -> Json:
        """All of it as JSON values."""
        return asdict(self)

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Specification:
        """Read what `to_json` gave."""
        return cls(**{name: values[name] for name in cls.__dataclass_fields__})


def scoring_run(data: StudyTable, scoring: Mapping[str, Any]) -> Specification:
    """Score a table; a score file has its scores already and is only read and counted."""
    own = {} if data.settings["kind"] == "scores" else dict(scoring)
    return Specification("scoring", data.name, dict(data.settings), own, {})


def scoring_run_of(spec: Specification) -> Specification:
    """Give the run that makes the scores of another, or itself."""
    return Specification("scoring", spec.data_set, spec.data, spec.scoring, {})


def search_run(scored: Specification, contender: Contender, limits: Limits) -> Specification:
    """Run an algorithm on scores."""
    settings: Json = {
        "label": contender.label,
        "algorithm": contender.algorithm,
        "heuristic": contender.heuristic,
        "parameters": dict(contender.parameters),
        **asdict(limits),
    }
    if contender.turned_off:
        settings["turned_off"] = list(contender.turned_off)
    return Specification("search", scored.data_set, scored.data, scored.scoring, settings)


def network_run(scored: Specification, contender: Contender, limits: Limits) -> Specification:
    """Learn the network that Table 2 compares with the generating one."""
    search = search_run(scored, contender, limits)
    settings = {**search.settings, "label": LEARNED_NETWORK}
    return replace(search, kind="network", settings=settings)


def order_graph_run(
    scored: Specification, heuristics: list[tuple[str, dict[str, float]]], limits: Limits
) -> Specification:
    """Visit all nodes of the order graph, with f for each of these heuristics."""
    settings: Json = {"label": ORDER_GRAPH, "heuristics": heuristics, **asdict(limits)}
    return Specification("order-graph", scored.data_set, scored.data, scored.scoring, settings)


def _without_paths(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _without_paths(own) for key, own in value.items() if key not in PATHS}
    return value
