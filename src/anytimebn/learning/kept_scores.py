"""Local scores beside a checkpoint, where counting them again takes longer than reading them."""

from __future__ import annotations

import logging
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from anytimebn.base.clock import SYSTEM_CLOCK, Clock, Stopwatch
from anytimebn.base.files import replacing
from anytimebn.base.json_fields import Fields
from anytimebn.learning.fingerprint import fingerprint
from anytimebn.scores.provenance import Provenance
from anytimebn.scores.store import LocalScores

if TYPE_CHECKING:
    from pathlib import Path

LOG = logging.getLogger(__name__)

ARRAYS = ("first_set", "costs", "first_member", "members")


@dataclass(frozen=True, eq=False)
class ScoredStage:
    """Scores of one stage.

    Parameters
    ----------
    key
        What they are of.
    scores
        The scores.
    seconds
        That it took to count them.
    since
        When they become worth keeping.
    """

    key: str
    scores: LocalScores
    seconds: float
    since: float = 0.0


def path_beside(checkpoint: Path) -> Path:
    """Where the scores of a checkpoint are."""
    return checkpoint.with_name(checkpoint.name + ".scores.npz")


def write_scores(
    path: Path, stage: ScoredStage, clock: Clock = SYSTEM_CLOCK
) -> dict[str, Any] | None:
    """Write scores if that pays; what a checkpoint says of them, or None.

    Whether it pays is measured: they are read back once, which also shows that they are whole.
    """
    scores = stage.scores
    arrays = {name: getattr(scores, name) for name in ARRAYS}
    with replacing(path) as passing, passing.open("wb") as file:
        np.savez(file, **arrays)
    told = {
        "key": stage.key,
        "fingerprint": fingerprint(scores),
        "names": list(scores.names),
        "score_name": scores.score_name,
        "arities": None if scores.arities is None else list(scores.arities),
        "provenance": scores.provenance.to_json(),
    }
    watch = Stopwatch.started(clock)
    whole = read_scores(path, told) is not None
    if whole and watch.elapsed() < stage.seconds:
        return told
    LOG.info("scores are counted again when the run is resumed: that is faster than reading them")
    with suppress(OSError):
        path.unlink()
    return None


def read_scores(path: Path, told: dict[str, Any] | None) -> ScoredStage | None:
    """Read what was written beside a checkpoint; None if it is not what the checkpoint tells of.

    Nothing is lost then but time: they are counted again.
    """
    if told is None:
        return None
    try:
        fields = Fields(told, "the scores")
        arities = fields.maybe("arities", fields.items)
        with path.open("rb") as opened, np.load(opened, allow_pickle=False) as file:
            arrays = {name: file[name] for name in ARRAYS}
        scores = LocalScores(
            names=tuple(fields.items("names")),
            score_name=fields.text("score_name"),
            arities=None if arities is None else tuple(arities),
            provenance=Provenance.from_json(fields.entries("provenance")),
            **arrays,
        )
        if fingerprint(scores) == fields.text("fingerprint"):
            return ScoredStage(fields.text("key"), scores, 0.0)
    except Exception as error:  # whatever a damaged archive leads to
        LOG.info("%s: cannot be read: %s", path, error)
    LOG.info("%s: not the scores of the checkpoint; they are counted again", path)
    return None
