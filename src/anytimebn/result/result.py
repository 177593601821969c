"""What a search found: the network, its cost, and how far from the optimum it can be."""

from __future__ import annotations

import json
import math
from dataclasses import asdict, dataclass, field, fields
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from anytimebn.base.checks import as_path
from anytimebn.base.errors import InputError
from anytimebn.base.files import write_text
from anytimebn.base.text import how_many
from anytimebn.data.options import TableOptions
from anytimebn.result.event import Event, bound_in_words, error_bound
from anytimebn.result.schema import TABLE_OPTIONS, history_problems, schema_problems

if TYPE_CHECKING:
    import os

    from anytimebn.data.dataset import Dataset
    from anytimebn.data.read import TableLike
    from anytimebn.network.network import Network
    from anytimebn.result.certificates import Certificate
    from anytimebn.scores.space import Space


@dataclass(frozen=True)
class Result:
    """A learned network with its certificate of quality.

    ``status`` is ``optimal`` if no network of its ``space`` costs less, or what ended the search:
    ``gap``, ``time``, ``memory``, ``expansions``, ``interrupted``, or ``finished`` where it came to
    its end without a proof. ``space`` says which networks that is about, and ``claim`` says both in
    short: ``"optimal"`` alone is about all networks.

    Costs are in nats and minimised; ``score`` is the same with the opposite sign. No network of the
    space can cost less than ``lower_bound``; it is None where nothing is known. Where the status is
    ``optimal`` it equals the cost, although searches compare costs that are rounded: another
    network may cost less by what that hides, a millionth of a nat a variable at most.
    ``arc_strengths`` says for each arc how many nats are lost without it, ``table_options`` how the
    table was read, if there was one. ``proof`` proves a lower bound without search, where there is
    such a thing; ``certificate`` is the same as JSON.
    """

    network: Network
    status: str
    cost: float
    lower_bound: float | None
    events: tuple[Event, ...]
    algorithm: str
    heuristic: str | None
    seed: int
    score_name: str
    max_parents: int | None
    pops: int | None  # None where no parent sets were kept
    expanded: int
    stored: int
    peak_memory_bytes: int
    seconds: dict[str, float]
    constraints: dict[str, Any] | None = None
    proof: Certificate | None = None
    arc_strengths: dict[tuple[str, str], float] = field(default_factory=dict)
    table_options: TableOptions | None = None
    details: dict[str, Any] = field(default_factory=dict)

    @property
    def score(self) -> float:
        """Negative cost, as BIC and BDeu are usually printed."""
        return -self.cost

    @property
    def error_bound(self) -> float | None:
        """Cost over lower bound: 1 is the best of its space; None without a positive bound."""
        return error_bound(self.cost, self.lower_bound)

    @property
    def space(self) -> Space:
        """Which networks the lower bound is about."""
        from anytimebn.scores.space import Space

        return Space.from_json(
            {
                "max_parents": self.max_parents,
                "max_parents_exact": self.details.get("max_parents_exact"),
                "constraints": self.constraints,
                "space": self.details.get("space"),
            }
        )

    @property
    def claim(self) -> str | None:
        """What is proven of the network, in short: ``"optimal"`` if no network at all is better.

        ``"optimal up to 3 parents"``, ``"neighbourhood-optimal"`` and others say in which space it
        is the best; None if nothing is proven but the lower bound.
        """
        return self.space.claim if self.status == "optimal" else None

    @property
    def certificate(self) -> dict[str, Any] | None:
        """What proves a lower bound without search, by names, as RESULT.json has it."""
        return None if self.proof is None else self.proof.to_json(self.network.names)

    @property
    def gap(self) -> float | None:
        """How far the cost can be above the best of its space, as a fraction of the bound."""
        bound = self.error_bound
        return None if bound is None else bound - 1

    def to_json(self) -> dict[str, Any]:
        """All of it as JSON values."""
        from anytimebn import __version__
        from anytimebn.network.files.network_json import tables_json

        names = self.network.names
        return {
            "status": self.status,
            "claim": self.claim,
            "cost": self.cost,
            "score": self.score,
            "lower_bound": self.lower_bound,
            "error_bound": self.error_bound,
            "variables": list(names),
            "parents": {name: list(self.network.parents_of(name)) for name in names},
            **tables_json(self.network),
            "score_name": self.score_name,
            "max_parents": self.max_parents,
            "pops": self.pops,
            "algorithm": self.algorithm,
            "heuristic": self.heuristic,
            "seed": self.seed,
            "expanded": self.expanded,
            "stored": self.stored,
            "peak_memory_bytes": self.peak_memory_bytes,
            "seconds": self.seconds,
            "events": [_event_json(event) for event in self.events],
            "constraints": self.constraints,
            "certificate": self.certificate,
            "arc_strengths": [
                [*arc, nats if math.isfinite(nats) else None]
                for arc, nats in self.arc_strengths.items()
            ],
            "version": __version__,
            **self.details,
            "space": None if self.lower_bound is None else self.space.to_json(),
            **({} if self.table_options is None else {TABLE_OPTIONS: self.table_options.to_json()}),
        }

    def to_json_text(self) -> str:
        """RESULT.json as text, as `save` writes it."""
        return _text(self.to_json())

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write RESULT.json, with all there is: the probabilities, too."""
        write_text(as_path(path), self.to_json_text())

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Result:
        """Read what `save` wrote, or ``learn --json``: the same result.

        Files of earlier versions have no probabilities: `Network.fit` makes them from the table.
        """
        from anytimebn.base.json_text import read_json

        return cls.from_json(read_json(as_path(path), "a result that was saved"), str(path))

    @classmethod
    def from_json(cls, content: Any, path: str) -> Result:
        """Take what `to_json` gave; messages name the `path` where it was found."""
        from anytimebn.network.files.network_json import network_from_json
        from anytimebn.network.network import Network
        from anytimebn.result.certificates import certificate_from_json
        from anytimebn.scores.space import Space

        if not isinstance(content, dict):
            raise InputError(f"{path}: not a result; an object is needed")
        made = {"network", "events", "proof", "arc_strengths", "table_options", "details"}
        plain = [part.name for part in fields(cls) if part.name not in made]
        missing = (f"the key {name!r} is missing" for name in plain if name not in content)
        for problem in chain(schema_problems(content), missing, history_problems(content)):
            raise InputError(f"{path}: not a result; {problem}")
        try:
            network = Network.from_parents(
                {name: content["parents"][name] for name in content["variables"]}
            )
            if content.get("states") is not None:
                network = network_from_json(content, Path(path))
        except InputError as error:
            raise InputError(f"{path}: not a result; {error}") from error
        given = content["certificate"]
        try:
            proof = None if given is None else certificate_from_json(given, network.names)
        except InputError as error:
            raise InputError(f"{path}: not a result; the certificate: {error}") from error
        derived = {
            "score",
            "error_bound",
            "claim",
            "variables",
            "parents",
            "states",
            "probabilities",
            "certificate",
            "version",
        }
        if Space.from_json(content).grown is None:
            derived.add("space")
        return cls(
            network=network,
            events=tuple(
                Event(**{part.name: event.get(part.name) for part in fields(Event)})
                for event in content["events"]
            ),
            proof=proof,
            arc_strengths={
                (parent, child): math.inf if nats is None else nats
                for parent, child, nats in content.get("arc_strengths", ())
            },
            table_options=(
                TableOptions.from_json(content[TABLE_OPTIONS]) if TABLE_OPTIONS in content else None
            ),
            details={
                key: value
                for key, value in content.items()
                if key not in derived and key not in made and key not in plain
            },
            **{name: content[name] for name in plain},
        )

    def read_table(self, data: TableLike) -> Dataset:
        """Read the table again as it was read for this result, completed in the same way.

        So whatever is computed from it is about the same table as the result.

        Parameters
        ----------
        data
            The table that the network was learned from, or its path.
        """
        from anytimebn.data.completion import Completion
        from anytimebn.data.read import to_dataset

        dataset = to_dataset(data, self.table_options)
        completion = Completion.from_json(self.details.get("completion"))
        return dataset if completion is None else completion.applied_to(dataset)

    def plot(self, path: str | os.PathLike[str] | None = None) -> Any:
        """Draw how cost and lower bound converged."""
        from anytimebn.draw.curves import draw_convergence

        where = None if path is None else as_path(path)
        return draw_convergence(self.events, where, claim=self.claim)

    def plot_network(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        title: str | None = None,
        **options: Any,
    ) -> Any:
        """Draw the network, each arc as wide as the score that is lost without it.

        Parameters
        ----------
        path, title, **options
            As in `Network.plot`, such as ``around="x", hops=2``.
        """
        where = None if path is None else as_path(path)
        return self.network.plot(where, title=title, weights=self.arc_strengths or None, **options)

    def _repr_html_(self) -> str:
        from anytimebn.result.html import result_html

        return result_html(self)

    def __repr__(self) -> str:
        from anytimebn.result.words import status_line

        bound = bound_in_words(self.lower_bound, self.cost, 4).replace(",", "")
        variables = how_many(len(self.network.names), "variable")
        arcs = how_many(len(self.network.arcs), "arc")
        return (
            f"Result({status_line(self)}; cost {self.cost:.4f}, lower bound {bound}, "
            f"{variables}, {arcs})"
        )


def _text(content: dict[str, Any]) -> str:
    """Write JSON for people, too: tables have one line a variable."""
    entries = []
    for key, value in content.items():
        if key in ("states", "probabilities"):
            lines = [f"{json.dumps(name)}: {json.dumps(table)}" for name, table in value.items()]
            written = "{\n  " + ",\n  ".join(lines) + "\n }"
        else:
            written = json.dumps(value, indent=1).replace("\n", "\n ")
        entries.append(f" {json.dumps(key)}: {written}")
    return "{\n" + ",\n".join(entries) + "\n}\n"


def _event_json(event: Event) -> dict[str, Any]:
    content = asdict(event)
    if event.space is None:
        del content["space"]
    return content
