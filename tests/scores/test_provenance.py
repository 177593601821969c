"""Where scores come from is known by type, and whatever a file tells is kept."""

from __future__ import annotations

import json
import re
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


@pytest.mark.parametrize(
    ("told", "message"),
    [
        ({"max_parents": 1}, "max_parents is 1, but the parent set {A, B} of 'C' has 2 parents"),
        (
            {"space": {"neighbourhood": True, "all_up_to": 0, "grown": 0, "largest": 1}},
            "space.largest is 1, but the parent set",
        ),
        ({"constraints": {"forbid": [["A", "C"]]}}, "but the parent set {A, B} of 'C' breaks them"),
        ({"constraints": {"require": [["A", "B"]]}}, "but the parent set {} of 'B' breaks them"),
        ({"constraints": {"max_parents": {"C": 1}}}, "but the parent set {A, B} of 'C' breaks"),
        ({"constraints": {"tiers": [["C"], ["A", "B"]]}}, "breaks them; correct the metadata"),
    ],
)
@pytest.mark.parametrize("suffix", [".jkl", ".pss"])
def test_what_a_file_tells_must_fit_what_it_holds(
    told: dict[str, Any], message: str, suffix: str, tmp_path: Path
) -> None:
    path = tmp_path / f"s{suffix}"
    if suffix == ".jkl":
        body = "3\nA 1\n-1 0\nB 1\n-1 0\nC 2\n-1 0\n-0.5 2 A B\n"
        path.write_text(f"# metadata: {json.dumps(told)}\n{body}")
    else:
        head = "".join(f"META {key}={json.dumps(value)}\n" for key, value in told.items())
        path.write_text(f"{head}VAR A\n-1\nVAR B\n-1\nVAR C\n-1\n-0.5 A B\n")
    with pytest.raises(ab.InputError, match=re.escape(message)):
        ab.LocalScores.load(path)


@pytest.mark.parametrize(
    "told",
    [
        {"constraints": [1], "space": {"neighbourhood": True, "grown": 0, "largest": 2}},
        {"space": {"neighbourhood": True, "all_up_to": -7, "grown": -1, "largest": 2}},
    ],
)
def test_what_is_told_in_a_wrong_form_is_refused(told: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "s.jkl"
    body = "3\nA 1\n-1 0\nB 1\n-1 0\nC 2\n-1 0\n-0.5 2 A B\n"
    path.write_text(f"# metadata: {json.dumps(told)}\n{body}")
    with pytest.raises(ab.InputError, match=r"s\.jkl, line 1: expected"):
        ab.LocalScores.load(path)


@pytest.mark.parametrize(
    "told",
    [
        {"constraints": "none of your business", "max_parents_exact": True},
        {"max_parents": "2, but 1 of C", "max_parents_exact": False, "complete_variables": ["A"]},
        {"space": "of few families", "max_parents_exact": True},
        {"completion": "by hand", "max_parents_exact": True},
        {"ess": float("nan"), "rows": 10**400, "bins": {"A": [float("inf")]}, "rows_dropped": -3},
    ],
)
def test_what_is_told_in_another_form_is_not_claimed(told: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "s.jkl"
    body = "3\nA 1\n-1 0\nB 1\n-1 0\nC 2\n-1 0\n-0.5 2 A B\n"
    path.write_text(f"# metadata: {json.dumps(told)}\n{body}")
    scores = ab.LocalScores.load(path)
    result = ab.search(scores)
    assert result.claim == "optimal among the given parent sets"
    assert ab.verify(result, scores=scores).ok
    assert ab.verify(json.loads(json.dumps(result.to_json()))).ok
