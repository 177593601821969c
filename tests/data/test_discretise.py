"""Numbers are cut column by column, as asked for, or where a histogram says."""

from __future__ import annotations

import math
from functools import cache
from itertools import combinations, pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from typer.testing import CliRunner

import anytimebn as ab
from anytimebn.cli.application import application
from anytimebn.data.histogram import _best_edges, histogram_cuts
from anytimebn.data.intervals import cut

if TYPE_CHECKING:
    from pathlib import Path

RANDOM = np.random.default_rng(3)
FRAME = pd.DataFrame(
    {
        "age": RANDOM.integers(18, 90, 300),
        "income": RANDOM.exponential(30_000, 300).round(2),
        "height": RANDOM.normal(170, 10, 300),
        "sport": RANDOM.integers(0, 2, 300),
    }
)


@pytest.mark.parametrize(
    ("bins", "options", "told"),
    [
        (
            3,
            {},
            r"bins=3 cuts no column: only those of more than 32 distinct numbers are cut; those of "
            r"fewer are cut by name: 'children' \(5\), 'rooms' \(6\); such as --bins children=3 "
            r"\(bins={'children': 3} in Python\)",
        ),
        ({"*": [2, 4.5]}, {}, r"--bins children=2,4.5 \(bins={'children': \[2.0, 4.5\]} in"),
        (20, {}, "here none has more than 6: leave bins out"),
        (3, {"categorical": "all"}, "no column has numbers that count as such: leave bins out"),
    ],
)
def test_bins_that_cut_nothing_name_what_could_be_meant(
    bins: Any, options: dict[str, Any], told: str
) -> None:
    rows = range(60)
    frame = pd.DataFrame(
        {"children": [row % 5 for row in rows], "rooms": [row % 6 for row in rows]}
    )
    with pytest.warns(ab.DataWarning, match=told):
        data = ab.to_dataset(frame, bins=bins, **options)
    assert (data.arities, data.bins) == ((5, 6), {})
    if not options and bins == 3:  # the advice can be taken
        assert ab.to_dataset(frame, bins={"children": 3}).arities == (3, 6)


def test_bins_that_leave_many_numbers_say_so() -> None:
    rows = range(200)
    frame = pd.DataFrame(
        {
            "height": [row / 7 for row in rows],
            "petal width": [row % 22 / 10 for row in rows],
            "hour": [row % 24 for row in rows],
            "month": [row % 12 for row in rows],
        }
    )
    told = (
        r"bins=4 leaves columns of 32 distinct numbers or fewer as they are, and some have many: "
        r"'petal width' \(22\), 'hour' \(24\); cut them by name, --bins 'petal width=4' "
        r"\(bins={'\*': 4, 'petal width': 4, 'hour': 4} in Python\), or say that they are codes "
        r"with --categorical NAME"
    )
    with pytest.warns(ab.DataWarning, match=told):
        data = ab.to_dataset(frame, bins=4)
    assert data.arities == (4, 22, 24, 12)
    # What it proposes is heard, and then there is nothing more to say.
    data = ab.to_dataset(frame, bins={"*": 4, "petal width": 4, "hour": 4})
    assert data.arities == (4, 4, 4, 12)
    ab.to_dataset(frame, bins={"*": 4, "petal width": 4}, categorical=["hour"])


def test_columns_that_tell_rows_apart_are_warned_of_together() -> None:
    rows = range(100)
    frame = pd.DataFrame(
        {"name": [f"n{row}" for row in rows], "sex": list("fm") * 50, "id": [9 * r for r in rows]}
    )
    told = (
        r"column 'name' has 100 values, 'id' has 100 in 100 rows; leave them out "
        r"\(--exclude name --exclude id, in Python exclude=\['name', 'id'\]\) if they "
        r"only identify rows"
    )
    with pytest.warns(ab.DataWarning, match=told) as caught:
        ab.to_dataset(frame, bins=3)
    assert len(caught) == 1
    with pytest.warns(ab.DataWarning, match=r"column 'id' has .*leave it out .* if it only ident"):
        ab.to_dataset(frame, bins=3, exclude=["name"])


def test_each_column_is_cut_as_it_is_asked_for(tmp_path: Path) -> None:
    bins = {"age": 5, "income": [0, 1e4, 5e4], "*": 3}
    data = ab.to_dataset(FRAME, bins=bins)
    assert data.arities == (5, 3, 3, 2)
    # No income is below 0, so that nothing is left to be told apart there.
    assert data.bins["income"] == (1e4, 5e4)
    assert data.states[1] == ("(-inf, 10000)", "[10000, 50000)", "[50000, inf)")
    expected = np.digitize(FRAME["income"], [1e4, 5e4])
    assert data.codes[1].tolist() == expected.tolist()
    with pytest.raises(ab.InputError, match=r"'height' \(300 distinct numbers\)"):
        ab.to_dataset(FRAME, bins={"age": 5, "income": [1e4]})
    result = ab.learn(FRAME, bins=bins)
    assert result.table_options.to_json()["bins"] == {
        "*": 3,
        "age": 5,
        "income": [0.0, 10000.0, 50000.0],
    }
    result.save(tmp_path / "result.json")
    assert ab.verify(tmp_path / "result.json", data=FRAME).ok


@pytest.mark.parametrize(
    ("bins", "message"),
    [
        ({"age": [3, 2]}, r"bins of 'age' is \[3, 2\]; points to cut at must ascend"),
        ({"age": [2, 2]}, "must ascend"),
        ({"age": []}, "a list of points to cut at needs numbers"),
        ({"age": ["x"]}, "a list of points to cut at needs numbers"),
        ({"age": [math.nan]}, "a list of points to cut at needs numbers"),
        ({"age": "4"}, "bins of 'age' is '4'; a whole number is needed"),
        ([3, 4], r"bins is \[3, 4\]; a whole number is needed"),
    ],
)
def test_what_is_no_way_to_cut_is_refused(bins: Any, message: str) -> None:
    with pytest.raises(ab.InputError, match=message):
        ab.to_dataset(FRAME, bins=bins)


@given(
    st.lists(st.integers(-20, 20), min_size=1, max_size=40),
    st.lists(st.integers(-25, 25), min_size=1, max_size=6, unique=True).map(sorted),
)
def test_cut_points_part_the_numbers_as_asked(numbers: list[int], points: list[int]) -> None:
    distinct, counts = np.unique(np.array(numbers, dtype=float), return_counts=True)
    cuts, codes = cut(distinct, counts, tuple(map(float, points)), "quantile", "here")
    assert set(cuts) <= set(points)
    wanted = np.searchsorted(points, distinct, side="right")
    assert codes.tolist() == np.unique(wanted, return_inverse=True)[1].tolist()


def test_the_command_line_cuts_columns_one_by_one(tmp_path: Path) -> None:
    FRAME.to_csv(tmp_path / "people.csv", index=False)
    told = [*("--bins", "age=5"), *("--bins", "income=1e4,5e4"), *("--bins", "3")]
    learn = ["learn", str(tmp_path / "people.csv"), "--json", str(tmp_path / "result.json")]
    ended = CliRunner().invoke(application, [*learn, *told])
    assert ended.exit_code == 0, ended.stderr
    found = ab.Result.load(tmp_path / "result.json").table_options.bins
    assert found == (("*", 3), ("age", 5), ("income", (1e4, 5e4)))
    ended = CliRunner().invoke(application, [*learn, "--bins", "age=few"])
    assert (ended.exit_code, "--bins is 'age=few'; give a number" in ended.stderr) == (2, True)


def test_cut_points_stay_in_the_network(tmp_path: Path) -> None:
    network = ab.learn(FRAME, bins={"age": [30, 50.5], "*": 3}).network
    assert network.cut_points["age"] == (30.0, 50.5)
    assert set(network.cut_points) == {"age", "income", "height"}
    for suffix in (".json", ".bif", ".xmlbif", ".net"):
        network.save(tmp_path / f"people{suffix}")
        back = ab.Network.load(tmp_path / f"people{suffix}")
        assert back.cut_points == network.cut_points
        assert back.log_likelihood(FRAME) == pytest.approx(network.log_likelihood(FRAME))


# --- histograms ---


def test_histogram_finds_gaps_and_how_many_intervals_pay() -> None:
    parts = [RANDOM.normal(0, 1, 300), RANDOM.normal(20, 1, 300), RANDOM.normal(40, 1, 300)]
    frame = pd.DataFrame({"x": np.concatenate(parts), "y": [0, 1, 1] * 300})
    data = ab.to_dataset(frame, bin_method="mdl")
    assert any(4 < point < 16 for point in data.bins["x"])
    assert any(24 < point < 36 for point in data.bins["x"])
    assert 3 <= data.arities[0] <= 20
    assert ab.to_dataset(frame, bins=3, bin_method="mdl").arities[0] == 3
    even = frame.assign(x=np.linspace(0, 1, 900))  # whose shape tells nothing
    assert np.bincount(ab.to_dataset(even, bin_method="mdl").codes[0]).tolist() == [450, 450]


@given(
    st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=2, max_size=300),
    st.integers(2, 9),
)
@example([-1.7e308, 1.7e308], 2)
@example([0.0, 5e-324], 9)
@example([1e-300, 1e300, 2e300], 3)
def test_histogram_parts_any_numbers(numbers: list[float], most: int) -> None:
    distinct, counts = np.unique(np.array(numbers) + 0.0, return_counts=True)
    cuts, codes = cut(distinct, counts, most, "mdl", "here")
    assert len(cuts) + 1 <= most
    assert np.unique(codes).tolist() == list(range(len(cuts) + 1))
    assert (np.diff(codes) >= 0).all()
    assert len(cuts) >= (len(distinct) > 1)


@given(st.lists(st.integers(0, 8), min_size=4, max_size=9), st.integers(1, 4))
def test_histogram_has_the_shortest_code(counts: list[int], most: int) -> None:
    edges = np.cumsum(np.arange(len(counts) + 1) % 3 + 1).astype(float)
    reached = np.concatenate([[0.0], np.cumsum(counts)])
    reached[-1] += 1
    total, candidates = reached[-1], len(edges) - 2

    @cache
    def normaliser(values: int, rows: int) -> float:
        if values == 1 or rows == 0:
            return 1.0
        return sum(
            math.comb(rows, h)
            * (h / rows) ** h
            * ((rows - h) / rows) ** (rows - h)
            * normaliser(values - 1, h)
            for h in range(rows + 1)
        )

    def code(inner: tuple[int, ...]) -> float:
        ends = [0, *inner, len(edges) - 1]
        length = math.log(normaliser(len(ends) - 1, int(total)))
        length += math.log(math.comb(candidates, len(inner)))
        for low, high in pairwise(ends):
            inside = reached[high] - reached[low]
            if inside:
                length -= inside * math.log(inside / total / (edges[high] - edges[low]))
        return length

    choices = [
        inner
        for size in range(min(most, candidates + 1))
        for inner in combinations(range(1, len(edges) - 1), size)
    ]
    found = code(tuple(_best_edges(edges, reached, most)))
    assert found == pytest.approx(min(map(code, choices)))


def test_histogram_of_repeated_rows_is_that_of_their_counts() -> None:
    distinct = np.sort(RANDOM.normal(size=50))
    once = histogram_cuts(distinct, np.full(50, 4.0), 6)
    frame = pd.DataFrame({"x": np.repeat(distinct, 4), "y": [0, 1] * 100})
    cuts = ab.to_dataset(frame, bins=6, bin_method="mdl").bins["x"]
    assert all(low < point <= high for point, (low, high) in zip(cuts, once, strict=True))
