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


def test_options_for_a_first_look_are_told_and_work() -> None:
    numbers = np.linspace(0, 1, ROWS)
    words = np.array(["a", "b"] * (ROWS // 2), dtype=object)
    few, many = words.copy(), words.copy()
    few[:3], many[: ROWS // 2] = None, None
    for columns, options, told in (
        ({"n": numbers}, {"bins": 4}, "--bins 4 (bins=4 in Python)"),
        ({"w": few}, {"missing": "drop"}, '--missing drop (missing="drop" in Python)'),
        (
            {"n": numbers, "w": many},
            {"bins": 4, "missing": "em"},
            '--bins 4 --missing em (bins=4, missing="em" in Python)',
        ),
    ):
        frame = pd.DataFrame({"x": words, **columns})
        with pytest.raises(ab.InputError) as refused:
            ab.to_dataset(frame)
        assert str(refused.value).splitlines()[-1] == f"For a first look: {told}"
        ab.to_dataset(frame, **options)


def test_no_first_look_is_told_where_it_would_not_help() -> None:
    frame = pd.DataFrame({"n": np.linspace(0, 1, ROWS), "w": ["a", "b"] * (ROWS // 2)})
    assert not any("first look" in line for line in faults_of(frame, bins={"w": 2}))


def test_dropping_most_rows_says_which_columns_lack_most() -> None:
    frame = pd.DataFrame(
        {
            "a": ["x", "y"] * 50,
            "my notes": ["good", "bad", "bad", *[None] * 97],
            "b": [None, None, *["u"] * 48, *["v"] * 50],
        }
    )
    told = (
        r"the table: of 100 rows, 99 are dropped for missing values, in columns 'my notes' \(97\), "
        r"'b' \(2\); leave out what lacks most \(--exclude 'my notes', in Python "
        r"exclude=\['my notes'\]\), or have values completed with --missing em"
    )
    with pytest.warns(ab.DataWarning, match=told):
        assert ab.to_dataset(frame, missing="drop").rows == 1
    ab.to_dataset(frame, missing="drop", exclude=["my notes"])  # without a word
    holes = pd.DataFrame({name: [None, "x", "y", "y"] * 25 for name in "ab"})
    holes.loc[60:, "a"], holes.loc[:40, "b"] = None, None
    with pytest.warns(ab.DataWarning, match=r"'a' \(55\), 'b' \(55\).*; have values completed"):
        ab.to_dataset(holes, missing="drop")


def test_dropping_all_rows_says_what_keeps_them() -> None:
    frame = pd.DataFrame({"a": ["x", None], "b": [None, "y"]})
    with pytest.raises(ab.InputError, match=r"every one of the 2 rows .* --missing category\|em"):
        ab.to_dataset(frame, missing="drop")


def test_files_that_are_not_there_may_have_been_meant_otherwise(tmp_path: Path) -> None:
    (tmp_path / "Penguins.csv").write_text("a,b\n1,2\n")
    with pytest.raises(ab.InputError, match=r"no such file \(did you mean 'Penguins.csv'\?\)"):
        ab.learn(tmp_path / "penguin.csv")
