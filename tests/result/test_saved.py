"""A saved result is the same result."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import anytimebn as ab

if TYPE_CHECKING:
    from pathlib import Path

TABLE = np.random.default_rng(3).integers(0, 3, (200, 6))
KINDS: list[dict[str, Any]] = [
    {},
    {"algorithm": "hill-climbing"},
    {"space": "neighbourhood"},
    {"max_parents": 2, "require": ["X0->X1"]},
    {"algorithm": "relaxation"},
    {"algorithm": "anytime-window-astar", "max_expansions": 1},
    {"algorithm": "block-sweep", "exclude": ["X5"], "bins": {"X1": 2}},
]


@pytest.mark.parametrize("options", KINDS, ids=str)
def test_loaded_result_equals_the_saved_one(options: dict[str, Any], tmp_path: Path) -> None:
    result = ab.learn(TABLE, **options)
    assert result.network.probabilities is not None
    result.save(tmp_path / "result.json")
    loaded = ab.Result.load(tmp_path / "result.json")
    assert loaded == result
    assert ab.Network.load(tmp_path / "result.json") == result.network


def test_result_without_a_table_has_no_probabilities(tmp_path: Path) -> None:
    result = ab.search(ab.score(TABLE))
    result.save(tmp_path / "result.json")
    assert ab.Result.load(tmp_path / "result.json") == result
    assert "probabilities" not in json.loads((tmp_path / "result.json").read_text())


def test_file_is_what_json_makes_of_it_with_a_line_for_each_table(tmp_path: Path) -> None:
    result = ab.learn(TABLE)
    result.save(tmp_path / "result.json")
    text = (tmp_path / "result.json").read_text()
    assert json.loads(text) == json.loads(json.dumps(result.to_json()))
    lines = [line for line in text.splitlines() if line.startswith('  "X0": [')]
    assert len(lines) == 2 + (not result.network.parents_of("X0"))


@pytest.mark.parametrize(
    ("key", "spoiled"),
    [("states", {"X0": ["0"]}), ("probabilities", {"X0": [1.0]}), ("states", 3)],
)
def test_spoiled_tables_are_refused_by_name(key: str, spoiled: object, tmp_path: Path) -> None:
    content = ab.learn(TABLE).to_json() | {key: spoiled}
    path = tmp_path / "result.json"
    path.write_text(json.dumps(content))
    with pytest.raises(ab.InputError, match=f"result.json.*{key}"):
        ab.Result.load(path)


def test_repr_says_what_is_proven_of_which_networks() -> None:
    assert "optimal: proven, no network costs less" in repr(ab.learn(TABLE))
    assert "with at most 1 parent a variable costs less" in repr(ab.learn(TABLE, max_parents=1))
    assert "no lower bound" in repr(ab.learn(TABLE, algorithm="hill-climbing"))
