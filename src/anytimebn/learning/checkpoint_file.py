"""The file of a checkpoint: a line that says what it is, and all of the rest as JSON.

The first line has the version of the format and a digest of the rest, so that a file that was cut,
damaged, or made by something else is never taken for a checkpoint.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from anytimebn.base.errors import InputError
from anytimebn.base.files import replacing
from anytimebn.base.json_fields import Fields
from anytimebn.learning.fingerprint import fingerprint
from anytimebn.learning.run_state import RunState

if TYPE_CHECKING:
    from pathlib import Path

    from anytimebn.data.dataset import Dataset
    from anytimebn.scores.store import LocalScores

MAGIC = b"anytimebn checkpoint"
VERSION = 3
ADVICE = "begin anew with `anytimebn learn`, or take a copy of the file from before"


@dataclass(frozen=True)
class Saved:
    """What a checkpoint holds.

    Parameters
    ----------
    recipe
        The task: see `anytimebn.learning.recipe`.
    data
        The fingerprint of what is learned from.
    state
        Where it stands.
    result
        In the end: the result, as JSON.
    scores
        What says which local scores the file beside it has, if there is one.
    worked, kills
        Seconds of processors that all runs have worked by now, and how many of them were killed.
    stopped
        Whether the run has ended in order: by a limit, or because somebody stopped it.
    """

    recipe: dict[str, Any]
    data: str
    state: RunState
    result: dict[str, Any] | None = None
    scores: dict[str, Any] | None = None
    worked: float = 0.0
    kills: int = 0
    stopped: bool = False

    def check_data(self, found: Dataset | LocalScores) -> None:
        """Refuse data that are not those of the checkpoint."""
        if fingerprint(found) != self.data or found.names != self.state.names:
            raise InputError(
                "the data are not those that the checkpoint is about: they have changed since, or "
                "are others; give the same ones with --data (data=... in Python), or begin anew "
                "with `anytimebn learn`"
            )

    def to_json(self) -> dict[str, Any]:
        """All of it as JSON values."""
        return {
            "task": self.recipe,
            "data": self.data,
            "state": self.state.to_json(),
            "result": self.result,
            "scores": self.scores,
            "worked": self.worked,
            "kills": self.kills,
            "stopped": self.stopped,
        }

    @classmethod
    def from_json(cls, content: object) -> Saved:
        """Take over what `to_json` gave, or say what is wrong with it."""
        saved = Fields(content, "the checkpoint")
        return cls(
            recipe=saved.entries("task"),
            data=saved.text("data"),
            state=RunState.from_json(saved.entries("state")),
            result=saved.maybe("result", saved.entries),
            scores=saved.maybe("scores", saved.entries),
            worked=saved.number("worked"),
            kills=saved.count("kills"),
            stopped=saved.truth("stopped"),
        )


def write_checkpoint(path: Path, saved: Saved) -> None:
    """Put a checkpoint in the place of an older one, in one step."""
    body = json.dumps(saved.to_json(), separators=(",", ":"), default=_plain).encode()
    with replacing(path) as passing:
        passing.write_bytes(_first_line(body) + body)


def read_checkpoint(path: Path) -> Saved:
    """Read a checkpoint.

    Raises
    ------
    InputError
        If it is damaged, of another version, or something else.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise InputError(
            f"{path}: cannot be read: {error.strerror}; give the file that was named in "
            "`anytimebn learn --checkpoint`"
        ) from error
    first, line_end, body = content.partition(b"\n")
    if not content.startswith(MAGIC):
        raise InputError(
            f"{path}: not a checkpoint; give the file that was named in "
            "`anytimebn learn --checkpoint`"
        )
    version = first[len(MAGIC) :].split()[:1]
    if version and version[0].isdigit() and version[0] != str(VERSION).encode():
        raise InputError(
            f"{path}: a checkpoint of version {version[0].decode()}, of which this anytimebn knows "
            f"only {VERSION}: resume it with the anytimebn that wrote it"
        )
    if first + line_end != _first_line(body):
        raise InputError(f"{path}: the checkpoint is damaged or cut short: {ADVICE}")
    try:
        return Saved.from_json(json.loads(body))
    except (InputError, ValueError, RecursionError) as error:
        raise InputError(f"{path}: not a checkpoint: {error}; {ADVICE}") from error


def _plain(number: Any) -> Any:
    """Python's own number for one of numpy, which settings may have."""
    return number.item()


def _first_line(body: bytes) -> bytes:
    digest = hashlib.blake2b(body, digest_size=16).hexdigest()
    return MAGIC + f" {VERSION} {digest}\n".encode()
