"""All that is wrong with the columns of a table is told at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import pytest

import anytimebn as ab
from anytimebn.base.text import LISTED_IN_A_MESSAGE

if TYPE_CHECKING:
    from pathlib import Path

ROWS = 100


def faults_of(table: object, **options: object) -> list[str]:
    """The lines of the message, without the dashes."""
    with pytest.raises(ab.InputError) as refused:
        ab.to_dataset(table, **options)
    first, *lines = str(refused.value).splitlines()
    assert first == f"the table: {len(lines)} faults:"
    assert all(line.startswith("- ") for line in lines)
    return [line.removeprefix("- ") for line in lines]


def test_faults_of_values_are_told_at_once() -> None:
    frame = pd.DataFrame(
        {
            "hole": [None, *["x"] * (ROWS - 1)],
            "word": ["a", "b"] * (ROWS // 2),
            "kind": pd.Categorical([1, 2] * (ROWS // 2)),
            "endless": [np.inf, *range(ROWS - 1)],
            "size": np.linspace(0, 1, ROWS),
        }
    )
    bins = {"word": 2, "kind": 2, "endless": 2}
    hole, word, kind, endless, size = faults_of(frame, bins=bins)
    assert hole.startswith("missing values in column 'hole' (1 missing, first at row 0")
    assert word == "column 'word' cannot be cut into bins: not all its values are numbers"
    assert kind.startswith("column 'kind' cannot be cut into bins: it is categorical")
    assert endless == "column 'endless' cannot be cut into bins: it has infinite values"
    assert size.startswith("too many distinct numbers (more than 32) in column 'size'")


def test_faults_of_names_and_options_are_told_at_once() -> None:
    frame = pd.DataFrame([[1, 2, 0.5], [0, 1, 1.5]], columns=["a", " ", "w"])
    exclude, weights, nameless, categorical, bins = faults_of(
        frame, exclude=["b", "c"], weights="w", categorical=["d"], bins={"e": 2}
    )
    assert exclude.startswith("exclude: unknown columns 'b', 'c'; the columns are 'a', ' ', 'w'")
    assert weights.startswith("weights: column 'w' has the value 0.5")
    assert nameless.startswith("column 2 has no name")
    assert categorical.startswith("categorical: unknown column 'd'")
    assert bins.startswith("bins for unknown column 'e'")


def test_of_many_faults_the_first_are_told_and_one_stands_alone(tmp_path: Path) -> None:
    many = LISTED_IN_A_MESSAGE + 3
    names = [f"v{number}" for number in range(many)]
    frame = pd.DataFrame({name: ["a", "b"] for name in names})
    with pytest.raises(ab.InputError) as refused:
        ab.to_dataset(frame, bins=dict.fromkeys(names, 2))
    lines = str(refused.value).splitlines()
    assert lines[0] == f"the table: {many} faults:"
    assert lines[-1] == "- and 3 more"
    assert len(lines) == LISTED_IN_A_MESSAGE + 2
    path = tmp_path / "t.csv"
    frame.to_csv(path, index=False)
    with pytest.raises(ab.InputError) as refused:
        ab.to_dataset(path, bins={"v1": 2})
    assert str(refused.value).startswith(f"{path}: column 'v1' cannot be cut into bins")
