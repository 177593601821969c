"""How tables are read: every option is declared once, and travels as one value."""

from __future__ import annotations

import pickle
import subprocess
import sys
from dataclasses import FrozenInstanceError, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import anytimebn as ab
from anytimebn.data.options import gather_table_options

if TYPE_CHECKING:
    from pathlib import Path

FRAME = pd.DataFrame({"id": range(60), "x": [row % 50 for row in range(60)], "y": [0, 1, 1] * 20})
NAMES = st.lists(st.text(min_size=1), max_size=3)
OPTIONS = st.builds(
    ab.TableOptions,
    bins=st.none() | st.integers(2, 9) | st.dictionaries(st.text(), st.integers(2, 9)),
    bin_method=st.sampled_from(["quantile", "width"]),
    missing=st.sampled_from(["error", "drop", "category"]),
    header=st.booleans(),
    exclude=NAMES,
    names=st.none() | NAMES,
)


@given(OPTIONS)
def test_options_come_back_from_json_and_pickle(options: ab.TableOptions) -> None:
    content = options.to_json()
    assert ab.TableOptions.from_json(content) == options
    assert all(content[name] != getattr(ab.TableOptions(), name) for name in content)
    assert pickle.loads(pickle.dumps(options)) == options
    assert replace(options) == options
    assert hash(replace(options)) == hash(options)


def test_options_that_mean_the_same_are_equal_and_stay_as_they_are() -> None:
    exclude = ["b", "a", "b"]
    bins = {"y": np.int64(3), "x": 2}
    options = ab.TableOptions(bins=bins, exclude=exclude)
    bins["x"] = 9
    exclude.append("c")
    assert options == ab.TableOptions(bins={"x": 2, "y": 3}, exclude=np.array(["b", "a"]))
    assert ab.TableOptions(exclude={"b", "a"}).exclude == ("a", "b")
    assert ab.TableOptions(bins={}) == ab.TableOptions()
    with pytest.raises(FrozenInstanceError):
        options.bins = 3  # type: ignore[misc]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ([], r"must be an object of options, not \[\]"),
        ({"binz": 3}, r"unknown option 'binz' \(did you mean 'bins'\?\)"),
        ({"bins": [3]}, r"bins is \[3\]; a whole number"),
        ({"bins": {"x": 1}}, r"bins of 'x' is 1; it must be from 2"),
        ({"header": 0}, r"header must be True or False, not 0"),
        ({"names": "xy"}, r"names must be a list of names, not 'xy'"),
        ({"exclude": None}, r"exclude must be a list of names of columns, not None"),
    ],
)
def test_what_are_no_options_is_refused(content: Any, message: str) -> None:
    with pytest.raises(ab.InputError, match=message):
        ab.TableOptions.from_json(content)


def test_keywords_replace_what_the_value_says() -> None:
    given = ab.TableOptions(bins=4, exclude=["id"])
    assert gather_table_options("f", given, {"bins": 3}).to_json() == {"bins": 3, "exclude": ["id"]}
    with pytest.raises(ab.InputError, match=r"table_options must be a TableOptions, not \{"):
        ab.to_dataset(FRAME, {"bins": 3})  # type: ignore[arg-type]
    with pytest.raises(ab.InputError, match=r"to_dataset: unknown option 'bin' .*'bins'"):
        ab.to_dataset(FRAME, bin=3)


@pytest.mark.parametrize("function", [ab.learn, ab.score, ab.stream, ab.bootstrap])
def test_every_function_takes_keywords_or_one_value(function: Any) -> None:
    more = {"replicates": 2} if function is ab.bootstrap else {}
    options = ab.TableOptions(bins=3, exclude=["id"])

    def described(found: Any) -> Any:
        if isinstance(found, ab.Stream):
            found = found.close()
        if isinstance(found, ab.Bootstrap):
            found = found.result
        if isinstance(found, ab.LocalScores):
            found = ab.search(found)
        assert found.table_options == options
        return found.cost, found.network.arcs, found.details["bins"]

    by_value = described(function(FRAME, table_options=options, **more))
    assert described(function(FRAME, bins=3, exclude=["id"], **more)) == by_value
    assert described(function(FRAME, table_options=options, bins=3, **more)) == by_value


def test_dataset_knows_how_it_was_read() -> None:
    options = ab.TableOptions(bins=3, exclude=["id"])
    data = ab.to_dataset(FRAME, options)
    assert data.table_options == options
    assert ab.to_dataset(data) is data
    assert ab.learn(data).table_options == options
    by_hand = ab.Dataset(data.names, data.states, data.codes)
    assert by_hand.table_options is None
    assert "table_options" not in ab.learn(by_hand).to_json()
    again = pickle.loads(pickle.dumps(data))
    assert again.table_options == options
    assert not again.codes.flags.writeable


def test_result_keeps_how_the_table_was_read(tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    for options in ({}, {"bins": {"x": 3}, "exclude": ["id"], "missing": "drop"}):
        table = FRAME if options else FRAME[["y"]].assign(z=1)
        result = ab.learn(table, **options)
        assert result.to_json()["table_options"] == options
        result.save(path)
        back = ab.Result.load(path)
        assert back.table_options == ab.TableOptions(**options)
        assert "table_options" not in back.details
        assert back.to_json() == result.to_json()
    path.write_text(path.read_text().replace('"missing": "drop"', '"missing": "dorp"'))
    with pytest.raises(ab.InputError, match=r"not a result; 'table_options' .*did you mean 'drop'"):
        ab.Result.load(path)


def test_probabilities_of_a_dataset_are_counted_without_reading_it_again() -> None:
    code = """
import sys
import numpy as np
import anytimebn as ab
codes = np.array([[0, 1, 1, 0], [1, 0, 2, 1]])
data = ab.Dataset(("a", "b"), (("no", "yes"), ("1", "2", "3")), codes)
network = ab.learn(data).network
network.row_log_likelihoods(data)
assert "pyarrow" not in sys.modules
"""
    found = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )
    assert (found.returncode, found.stderr) == (0, "")


def test_dataset_with_other_states_is_fitted_by_their_names() -> None:
    structure = ab.Network(("a", "b"), ((), (0,)), states=(("x", "y", "z"), ("1", "2")))
    codes = np.array([[0, 1, 1, 1], [0, 0, 1, 1]])
    ordered = ab.Dataset(("b", "a"), (("1.0", "2.0"), ("y", "x")), codes[::-1])
    same = ab.Dataset(("a", "b"), structure.states, np.array([[1, 0, 0, 0], [0, 0, 1, 1]]))
    for one, other in zip(
        structure.fit(ordered).probabilities, structure.fit(same).probabilities, strict=True
    ):
        np.testing.assert_array_equal(one, other)
