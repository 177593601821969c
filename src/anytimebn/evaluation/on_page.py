"""A page on a study: its runs, and of each how cost and bound came to be, and the network."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from anytimebn.base.report import BestNetwork
from anytimebn.base.text import format_seconds
from anytimebn.evaluation.store import load
from anytimebn.network.files.network_json import network_json_text
from anytimebn.network.network import Network
from anytimebn.watch.page.drawing import drawing_json, network_json
from anytimebn.watch.page.messages import STEPS, moments_of, quality_json, subject_json
from anytimebn.watch.page.saved import file_stamp
from anytimebn.watch.page.server import JSON, Served

if TYPE_CHECKING:
    from pathlib import Path

    from anytimebn.evaluation.store import Run, Stored
    from anytimebn.watch.page.saved import SavedPage


class SavedStudy:
    """The folder of a study, or a file of its runs.

    Parameters
    ----------
    path
        Where it is.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._stored: Stored | None = None

    def stamp(self) -> object:
        """Give what is another when a run has ended."""
        if not self._path.is_dir():
            return file_stamp(self._path)
        found = [*self._path.glob("runs/*/*.json"), *self._path.glob("plans/*.json")]
        return sorted((str(file), file_stamp(file)) for file in found)

    def write(self, page: SavedPage) -> None:
        """Tell which runs there are."""
        stored = self._stored = load(self._path)
        name = self._path.resolve().name
        page.board.publish("subject", subject_json(name, "study", stops=False))
        page.board.publish(
            "study",
            {
                "runs": [_row(key, run) for key, run in stored.runs.items()],
                "missing": len(stored.missing),
                "unreadable": len(stored.unreadable),
            },
        )

    def serve(self, name: str, asked: dict[str, str]) -> Served | None:
        """Give one run, as the messages that a page knows; or its network as a file."""
        stored = self._stored
        run = None if stored is None else stored.runs.get(asked.get("key", ""))
        if run is None:
            return None
        try:
            if name == "run":
                return Served(JSON, json.dumps(_messages(run)).encode())
            found = _network(run)
        except (KeyError, TypeError, ValueError):  # nobody has checked what is in these files
            return None
        if name != "network.json" or found is None:
            return None
        network = Network(found.names, found.parents)
        return Served(JSON, network_json_text(network).encode(), name)


def _row(key: str, run: Run) -> dict[str, Any]:
    """Tell of a run what fits into a line."""
    result = run.result or {}
    cost, bound = _number(result.get("cost")), _number(result.get("lower_bound"))
    seconds = result.get("seconds")
    total = _number(seconds.get("total") if isinstance(seconds, dict) else seconds)
    return {
        "key": key,
        "data": run.specification.data_set,
        "label": run.specification.label,
        "outcome": run.outcome,
        "words": run.explain(),
        "failed": run.failed,
        "status": str(result.get("status") or run.outcome),
        "seconds": "" if total is None else format_seconds(total),
        "has_network": isinstance(result.get("parents"), dict),
        **quality_json(cost, bound, None),
    }


def _messages(run: Run) -> dict[str, Any]:
    """Tell all there is in a run."""
    found, result = _network(run), run.result or {}
    row = _row(run.specification.key, run)
    space = result.get("space")
    facts = {
        "data": run.specification.data_set,
        "run": run.specification.label,
        "outcome": run.outcome,
        "time": row["seconds"],
        "nodes": f"{result['expanded']:,}" if "expanded" in result else "",
        "parent sets": f"{result['pops']:,}" if result.get("pops") is not None else "",
    }
    events = run.events if result.get("events") else []
    return {
        "points": {"anew": True, "points": moments_of(events)},
        "network": None if found is None else network_json(found, None),
        "drawing": None if found is None else drawing_json(found.names, found.parents),
        "status": {
            "state": "ended",
            "step": None,
            "steps": STEPS,
            "doing": "ended",
            "detail": run.explain() or row["status"],
            "claim": result.get("claim"),
            "fraction": None,
            "facts": {name: said for name, said in facts.items() if said},
            **quality_json(_number(result.get("cost")), _number(result.get("lower_bound")), None),
            "space": space.get("name") if isinstance(space, dict) else None,
            "is_closed": result.get("status") == "optimal",
        },
    }


def _network(run: Run) -> BestNetwork | None:
    result = run.result or {}
    if not isinstance(result.get("parents"), dict):
        return None
    names = tuple(str(name) for name in result["variables"])
    network = Network.from_parents({name: result["parents"][name] for name in names})
    strengths = {
        (parent, child): float("inf") if nats is None else float(nats)
        for parent, child, nats in result.get("arc_strengths", ())
    }
    return BestNetwork(names, network.parents, strengths or None)


def _number(value: Any) -> float | None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if is_number else None
