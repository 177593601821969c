"""A page on a checkpoint: where a run stands that goes on elsewhere, or has ended."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from anytimebn.base.memory_units import format_memory
from anytimebn.base.report import BestNetwork
from anytimebn.base.text import format_seconds
from anytimebn.learning.checkpoint_file import read_checkpoint
from anytimebn.network.files.network_json import network_json_text
from anytimebn.network.network import Network
from anytimebn.result.result import Result
from anytimebn.watch.page.messages import STEPS, moments_of, quality_json, subject_json
from anytimebn.watch.page.saved import file_stamp, write_result
from anytimebn.watch.page.server import JSON, Served

if TYPE_CHECKING:
    from pathlib import Path

    from anytimebn.learning.run_state import RunState
    from anytimebn.watch.page.saved import SavedPage


class SavedCheckpoint:
    """A checkpoint, which the run that writes it may be writing on.

    Parameters
    ----------
    path
        The file.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._state: RunState | None = None

    def stamp(self) -> object:
        """Give what is another when the file was written anew."""
        return file_stamp(self._path)

    def write(self, page: SavedPage) -> None:
        """Tell where the run stood, or what it found."""
        saved = read_checkpoint(self._path)
        if saved.result is not None:
            write_result(page, Result.from_json(saved.result, str(self._path)), self._path.name)
            return
        state = self._state = saved.state
        page.board.publish(
            "subject",
            subject_json(self._path.name, "checkpoint", variables=len(state.names), stops=False),
        )
        page.board.set_moments(moments_of(state.events))
        if state.network:
            page.write_network(BestNetwork(state.names, state.network))
        page.board.publish("status", self._status(state))

    def serve(self, name: str, asked: dict[str, str]) -> Served | None:  # noqa: ARG002
        """Give the network as a file."""
        state = self._state
        if name != "network.json" or state is None or not state.network:
            return None
        network = Network(state.names, state.network)
        return Served(JSON, network_json_text(network).encode(), name)

    def _status(self, state: RunState) -> dict[str, Any]:
        moments = moments_of(state.events)
        cost, bound, space = moments[-1][1:] if moments else (state.cost, None, None)
        step = STEPS[2 if bound is not None else 1 if state.stages else 0]
        return {
            "state": "saved",
            "step": step,
            "steps": STEPS,
            "doing": "had not ended when this was saved",
            "detail": f"to go on if it does not run any more: anytimebn resume {self._path.name}",
            "fraction": None,
            "saved_at": self._path.stat().st_mtime,
            "facts": {
                "elapsed": format_seconds(state.seconds),
                "nodes": f"{state.expanded:,}",
                "peak memory": format_memory(state.peak_memory_bytes),
                "stages": f"{len(state.stages)}",
            },
            **quality_json(cost, bound, space),
        }
