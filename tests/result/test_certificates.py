"""Certificates as values, and as JSON with names."""

from __future__ import annotations

import copy
import json
import pickle
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from search_problems import hard

import anytimebn as ab
from anytimebn.result.certificates import (
    Certificate,
    Clusters,
    Rows,
    Stage,
    ZeroHalfRow,
    certificate_from_json,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

NAMES = ["d", "a", "c", "b"]  # in no order that sorting would give

counts = st.integers(0, 10**40)
groups = st.lists(st.integers(0, len(NAMES) - 1), min_size=1).map(tuple)
bounds = st.none() | st.floats(allow_nan=False, allow_infinity=False)


@st.composite
def clusters(draw: st.DrawFn) -> Clusters:
    order = draw(st.permutations(range(len(NAMES))))
    cut = draw(st.integers(0, len(NAMES)))
    found = draw(st.lists(groups, max_size=4))
    return Clusters(
        groups=(tuple(order[:cut]), tuple(order[cut:])),
        clusters=tuple(found),
        multipliers=tuple(draw(counts) for _ in found),
        lower_bound=draw(bounds),
    )


@st.composite
def rows(draw: st.DrawFn) -> Rows:
    found = draw(st.lists(groups, min_size=1, max_size=4))
    zero_half: list[ZeroHalfRow] = []
    for number in range(len(found), len(found) + draw(st.integers(0, 3))):
        parents = draw(st.lists(st.integers(0, number - 1), min_size=1, max_size=4))
        zero_half.append(ZeroHalfRow(tuple(parents), draw(groups)))
    row = st.integers(0, len(found) + len(zero_half) - 1)
    stages = []
    for _ in range(draw(st.integers(0, 3))):
        used = tuple(draw(st.lists(row, max_size=4)))
        multipliers = tuple(draw(counts) for _ in used)
        stages.append(Stage(used, multipliers, draw(st.integers(1, 10**40))))
    return Rows(tuple(found), tuple(zero_half), tuple(stages), draw(bounds))


@given(clusters() | rows())
def test_certificates_survive_json_and_pickle(certificate: Certificate) -> None:
    content = json.loads(json.dumps(certificate.to_json(NAMES)))
    assert certificate_from_json(content, NAMES) == certificate
    assert pickle.loads(pickle.dumps(certificate)) == certificate
    assert hash(certificate) == hash(certificate_from_json(content, NAMES))


def test_json_is_what_earlier_versions_wrote() -> None:
    by_clusters = Clusters(((1, 0), (2, 3)), ((0, 2),), (7,), 1.5)
    assert json.dumps(by_clusters.to_json(NAMES)) == (
        '{"kind": "clusters", "groups": [["a", "d"], ["c", "b"]], "clusters": [["d", "c"]], '
        '"multipliers": [7], "lower_bound": 1.5}'
    )
    by_rows = Rows(((0, 2),), (ZeroHalfRow((0,), (3,)),), (Stage((1, 0), (5, 6), 4),), 2.5)
    assert json.dumps(by_rows.to_json(NAMES)) == (
        '{"kind": "rows", "clusters": [["d", "c"]], "zero_half": [{"rows": [0], "variables": '
        '["b"]}], "stages": [{"rows": [1, 0], "multipliers": [5, 6], "denominator": 4}], '
        '"lower_bound": 2.5}'
    )


GOOD_CLUSTERS = Clusters(((0, 1), (2, 3)), ((0, 1), (1, 2, 3)), (5, 7), 1.0).to_json(NAMES)
GOOD_ROWS = Rows(
    ((0, 1), (1, 2)), (ZeroHalfRow((0, 1), (3,)),), (Stage((0, 2), (5, 7), 2),), 1.0
).to_json(NAMES)


@pytest.mark.parametrize(
    ("good", "spoil", "message"),
    [
        (GOOD_CLUSTERS, lambda c: c.update(kind="tree"), "its kind is 'tree'; only 'clusters' and"),
        (GOOD_CLUSTERS, lambda c: c.update(kind=["rows"]), r"its kind is \['rows'\]; only"),
        (GOOD_CLUSTERS, lambda c: c.pop("kind"), "its kind is None; only"),
        (GOOD_CLUSTERS, lambda c: c.pop("groups"), "'groups' must be a list of lists"),
        (GOOD_CLUSTERS, lambda c: c["groups"].pop(), "every variable exactly once"),
        (GOOD_CLUSTERS, lambda c: c["groups"][0].append("a"), "every variable exactly once"),
        (GOOD_CLUSTERS, lambda c: c["groups"].append([1]), "'groups' must be a list of lists"),
        (GOOD_CLUSTERS, lambda c: c.update(clusters="ab"), "'clusters' must be a list of lists"),
        (GOOD_CLUSTERS, lambda c: c["clusters"][0].clear(), "a cluster is empty"),
        (GOOD_CLUSTERS, lambda c: c["clusters"][0].append("z"), "names a variable that does not"),
        (GOOD_CLUSTERS, lambda c: c["multipliers"].pop(), "2 clusters but 1 multipliers"),
        (GOOD_CLUSTERS, lambda c: c["multipliers"].insert(0, -1), "'multipliers' must be"),
        (GOOD_CLUSTERS, lambda c: c["multipliers"].insert(0, 1.0), "'multipliers' must be"),
        (GOOD_CLUSTERS, lambda c: c["multipliers"].insert(0, True), "'multipliers' must be"),
        (GOOD_CLUSTERS, lambda c: c.update(lower_bound="2"), "its lower bound is '2'"),
        (GOOD_CLUSTERS, lambda c: c.update(lower_bound=10**400), "its lower bound is 1000"),
        (GOOD_ROWS, lambda c: c.update(zero_half={}), "'zero_half' and 'stages' must be lists"),
        (GOOD_ROWS, lambda c: c["clusters"][1].clear(), "a cluster is empty"),
        (GOOD_ROWS, lambda c: c["zero_half"].append(5), "row 3 must have 'rows'"),
        (GOOD_ROWS, lambda c: c["zero_half"][0].update(rows=[2]), "row 2 must be made of rows"),
        (GOOD_ROWS, lambda c: c["zero_half"][0].update(rows=[]), "row 2 must be made of rows"),
        (GOOD_ROWS, lambda c: c["zero_half"][0].update(rows=[-1]), "row 2 must have 'rows'"),
        (GOOD_ROWS, lambda c: c["zero_half"][0].update(variables=["z"]), "row 2 names a variable"),
        (GOOD_ROWS, lambda c: c["stages"].append(None), "stage 1 must have 'rows'"),
        (GOOD_ROWS, lambda c: c["stages"][0].update(rows=[3, 0]), "a row that does not exist"),
        (GOOD_ROWS, lambda c: c["stages"][0].update(rows=[0]), "1 rows but 2 multipliers"),
        (GOOD_ROWS, lambda c: c["stages"][0].update(multipliers=[1, -1]), "stage 0 must have"),
        (GOOD_ROWS, lambda c: c["stages"][0].update(denominator=0), "the denominator of stage 0"),
        (GOOD_ROWS, lambda c: c.update(clusters=[], zero_half=[]), "a row that does not exist"),
    ],
)
def test_certificates_that_make_no_sense_are_refused(
    good: dict[str, Any], spoil: Callable[[dict[str, Any]], object], message: str
) -> None:
    spoilt = copy.deepcopy(good)
    spoil(spoilt)
    with pytest.raises(ab.InputError, match=message):
        certificate_from_json(spoilt, NAMES)


def test_a_row_that_no_certificate_has_is_refused_even_if_there_are_none() -> None:
    stage = {"rows": [0], "multipliers": [1], "denominator": 1}
    content = {"kind": "rows", "clusters": [], "zero_half": [], "stages": [stage]}
    with pytest.raises(ab.InputError, match="stage 0 uses a row that does not exist"):
        certificate_from_json(content, NAMES)


@pytest.mark.parametrize(("algorithm", "kind"), [("block-sweep", Clusters), ("relaxation", Rows)])
def test_results_hold_certificates_as_values_and_as_json(
    tmp_path: Path, algorithm: str, kind: type
) -> None:
    result = ab.search(hard(10), algorithm=algorithm)
    assert isinstance(result.proof, kind)
    assert result.certificate == result.to_json()["certificate"]
    assert result.certificate == result.proof.to_json(result.network.names)
    result.save(tmp_path / "result.json")
    again = ab.Result.load(tmp_path / "result.json")
    assert again.proof == result.proof
    assert again.to_json() == result.to_json()


def test_results_with_unknown_certificates_are_refused_by_name(tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    content = ab.search(hard(10), algorithm="block-sweep").to_json()
    path.write_text(json.dumps({**content, "certificate": {"kind": "trust me"}}))
    with pytest.raises(
        ab.InputError, match=r"result\.json: not a result; the certificate: its kind"
    ):
        ab.Result.load(path)
