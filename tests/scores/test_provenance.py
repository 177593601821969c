"""Where scores come from is known by type, and whatever a file tells is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import anytimebn as ab
from anytimebn.scores.provenance import Provenance

if TYPE_CHECKING:
    from pathlib import Path

TABLE = np.column_stack([np.arange(90) % 45, np.arange(90) % 2, np.arange(90) % 3])


@pytest.mark.parametrize("suffix", [".jkl", ".pss"])
def test_score_file_tells_where_the_scores_come_from(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"scores{suffix}"
    knowledge = ab.Knowledge(forbidden=frozenset({("X1", "X2")}))
    scores = ab.score(TABLE, "bdeu", ess=2, bins=3, knowledge=knowledge)
    scores.save(path)
    found = ab.LocalScores.load(path).provenance
    assert found.source == path.name
    assert found.table_options == ab.TableOptions(bins=3)
    assert found.constraints == knowledge
    assert (found.rows, found.ess, found.max_parents_exact) == (90, 2.0, True)
    assert {**scores.metadata, "source": path.name} == ab.LocalScores.load(path).metadata


def test_scores_of_a_table_that_is_read_as_usual_say_what_they_always_said() -> None:
    metadata = ab.score(TABLE[:, 1:]).metadata
    assert list(metadata) == ["rows", "max_parents", "max_parents_exact", "sets_counted"]


@pytest.mark.parametrize(
    "told",
    [
        {"rows": -1, "ess": "one", "bins": 3, "rows_dropped": "some", "max_parents": True},
        {"constraints": [1], "max_parents_exact": 1, "table_options": {"binz": 3}},
        {"bins": {}, "rows_dropped": 0, "constraints": {}, "others": 3},
    ],
)
def test_whatever_a_file_tells_is_kept(told: dict[str, Any]) -> None:
    provenance = Provenance.from_json(told)
    back = provenance.to_json()
    assert back.keys() == told.keys()
    assert Provenance.from_json(back) == provenance


def test_metadata_of_scores_cannot_be_set() -> None:
    scores = ab.score(TABLE[:, 1:])
    with pytest.raises(AttributeError):
        scores.metadata = {}  # type: ignore[misc]
    scores.metadata["rows"] = 3
    assert scores.metadata["rows"] == 90
