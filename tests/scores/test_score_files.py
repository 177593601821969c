"""Score files: what is written is read back, and what is malformed is refused with its line."""

from __future__ import annotations

import math
import re
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import anytimebn as ab
from anytimebn.base.checks import LARGEST_COUNT
from anytimebn.base.clock import Deadline, ManualClock
from anytimebn.base.errors import InputError, LimitReached
from anytimebn.scores.files.jkl import read_jkl, write_jkl
from anytimebn.scores.files.score_files import SCORE_SUFFIXES, read_scores, write_scores
from anytimebn.scores.provenance import Provenance
from anytimebn.scores.store import LocalScores

FORMATS = pytest.mark.parametrize("suffix", SCORE_SUFFIXES)


def make_scores(
    sets: dict[str, dict[tuple[int, ...], float]],
    *,
    score_name: str = "unknown",
    arities: tuple[int, ...] | None = None,
    metadata: dict[str, Any] | None = None,
) -> LocalScores:
    """Build LocalScores the plain way, from costs by parent set of each variable."""
    rows = [
        sorted(own.items(), key=lambda item: (item[1], len(item[0]), item[0]))
        for own in sets.values()
    ]
    flat = [row for own in rows for row in own]
    return LocalScores(
        names=tuple(sets),
        first_set=np.cumsum([0, *map(len, rows)], dtype=np.int64),
        costs=np.array([cost for _, cost in flat], dtype=np.float64),
        first_member=np.cumsum([0, *(len(parents) for parents, _ in flat)], dtype=np.int64),
        members=np.array([p for parents, _ in flat for p in parents], dtype=np.int32),
        score_name=score_name,
        arities=arities,
        provenance=Provenance.from_json(metadata or {}),
    )


def as_dict(scores: LocalScores) -> dict[str, list[tuple[float, tuple[str, ...]]]]:
    """Give each variable's sets in order, by names."""
    return {
        name: [
            (
                float(scores.costs[s]),
                tuple(
                    scores.names[m]
                    for m in scores.members[scores.first_member[s] : scores.first_member[s + 1]]
                ),
            )
            for s in range(scores.first_set[v], scores.first_set[v + 1])
        ]
        for v, name in enumerate(scores.names)
    }


def assert_same(found: LocalScores, expected: LocalScores) -> None:
    assert found.names == expected.names
    for array in ("first_set", "costs", "first_member", "members"):
        one, other = getattr(found, array), getattr(expected, array)
        assert one.dtype == other.dtype, array
        np.testing.assert_array_equal(one, other, err_msg=array)
    assert found.score_name == expected.score_name
    assert found.arities == expected.arities


NAMES = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=6).filter(
        lambda name: name.split() == [name] and not name.startswith("#")
    ),
    st.integers(0, 9).map(str),  # names that look like indices, in any order
    st.sampled_from(["VAR", "META", "nan", "-1.5", "1_0"]),
)
# Few different costs besides any double: ties must come out in the promised order.
COSTS = st.one_of(
    st.sampled_from([0.0, 1.0, 2.5]), st.floats(allow_nan=False, allow_infinity=False)
)
METADATA = st.dictionaries(
    st.sampled_from(["rows", "data", "max_parents", "ess", "a b", "größe"]),
    st.one_of(
        st.integers(), st.floats(allow_nan=False), st.text(), st.booleans(), st.lists(st.text())
    ),
)


@st.composite
def local_scores(draw: st.DrawFn) -> LocalScores:
    names = draw(st.lists(NAMES, min_size=1, max_size=7, unique=True))
    sets: dict[str, dict[tuple[int, ...], float]] = {}
    for child, name in enumerate(names):
        others = [v for v in range(len(names)) if v != child]
        parents = (
            st.sets(st.sampled_from(others)).map(lambda s: tuple(sorted(s)))
            if others
            else st.just(())
        )
        sets[name] = draw(st.dictionaries(parents, COSTS, min_size=1, max_size=8))
    arities = st.tuples(*[st.integers(1, 9)] * len(names))
    metadata = draw(METADATA)
    told, largest = metadata.get("max_parents"), max(len(own) for s in sets.values() for own in s)
    known = type(told) is int and largest <= told <= LARGEST_COUNT
    if not (told is None or isinstance(told, str) or known):
        metadata["max_parents"] = largest  # anything else would be refused
    return make_scores(
        sets,
        score_name=draw(st.sampled_from(["mdl", "bdeu", "5", "my score"])),
        arities=draw(st.none() | arities),
        metadata=metadata,
    )


@FORMATS
@given(scores=local_scores())
def test_score_file_round_trip_keeps_everything(suffix: str, scores: LocalScores) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"scores{suffix}"
        write_scores(scores, path)
        found = read_scores(path)
    assert_same(found, scores)
    assert found.metadata == {**scores.metadata, "source": f"scores{suffix}"}


@FORMATS
def test_score_file_keeps_every_bit_of_costs(suffix: str, tmp_path: Path) -> None:
    costs = [math.pi, 0.1 + 0.2, 5e-324, 1.7976931348623157e308, -1 / 3, 123456.789012345678]
    scores = make_scores({f"v{i}": {(): cost} for i, cost in enumerate(costs)})
    path = tmp_path / f"x{suffix}"
    write_scores(scores, path)
    assert read_scores(path).costs.tolist() == costs


def test_score_file_converts_between_formats(tmp_path: Path) -> None:
    scores = make_scores(
        {"a": {(): 3.0, (1,): 2.0}, "b": {(): 4.0}},
        score_name="mdl",
        arities=(2, 3),
        metadata={"max_parents": np.int64(7), "data": "table.csv"},
    )
    write_scores(scores, tmp_path / "x.jkl")
    write_scores(read_scores(tmp_path / "x.jkl"), tmp_path / "x.PSS")
    found = read_scores(tmp_path / "x.PSS")
    assert_same(found, scores)
    assert found.metadata == {"max_parents": 7, "data": "table.csv", "source": "x.PSS"}


def read_text(tmp_path: Path, name: str, text: str | bytes) -> LocalScores:
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_scores(path)


def test_jkl_reads_comments_blank_lines_and_foreign_line_ends(tmp_path: Path) -> None:
    text = "\ufeff# Method: any \n\n2\n# t: 1\nA 2\n -1.5 0 \n#\n\n-1 1 B\nB 1\n-2 0"
    found = read_text(tmp_path, "x.jkl", text.replace("\n", "\r\n"))
    assert as_dict(found) == {"A": [(1.0, ("B",)), (1.5, ())], "B": [(2.0, ())]}
    assert found.score_name == "unknown"
    assert found.metadata == {"source": "x.jkl"}


def test_jkl_restores_header_comments(tmp_path: Path) -> None:
    text = '# score: mdl\n# max_parents: 7\n# metadata: {"rows": 50}\n1\nA 1\n-2 0\n'
    found = read_text(tmp_path, "x.jkl", text)
    assert found.score_name == "mdl"
    assert found.metadata == {"rows": 50, "max_parents": 7, "source": "x.jkl"}


@pytest.mark.parametrize(
    "header",
    ["# metadata: see the paper", '# metadata: "x"', "# arities: x", "# max_parents: see below"],
)
def test_jkl_leaves_comments_of_others_alone(tmp_path: Path, header: str) -> None:
    found = read_text(tmp_path, "x.jkl", f"{header}\n1\nA 1\n-2 0\n")
    assert found.metadata == {"source": "x.jkl"}
    assert found.arities is None


@pytest.mark.parametrize(
    ("header", "message"),
    [
        ("# max_parents: -1", r"a whole number from 0 as 'max_parents' of the metadata, found -1"),
        ("# max_parents: [1]", r"found \[1\]; correct it, or leave it out"),
        ("# max_parents: 1.5", "found 1.5"),
        ('# arities: ["x"]', r"1 whole numbers from 1 in brackets after '# arities:', found"),
        ("# arities: [2, 2]", "after '# arities:'"),
        ("# arities: [0]", "after '# arities:'"),
        ("# arities: 2", "after '# arities:'"),
        ("# metadata: [1]", "names and values in braces after '# metadata:'"),
        ('# metadata: {"max_parents": 1', "names and values in braces after '# metadata:'"),
        ('# metadata: {"max_parents_exact": 1}', "expected true or false as 'max_parents_exact'"),
        ('# metadata: {"complete_variables": [1]}', "a list of names as 'complete_variables'"),
        ('# metadata: {"constraints": [1]}', "as 'constraints' of the metadata"),
        ('# metadata: {"space": {"all_up_to": -7}}', "as 'space' of the metadata"),
        ('# metadata: {"factor": 0}', "as 'factor' of the metadata"),
        ('# metadata: {"completion": 3}', "as 'completion' of the metadata"),
        ('# max_parents: 1\n# metadata: {"max_parents": 2}', "parents is 1, but 2 on line 3"),
    ],
)
def test_jkl_refuses_headers_that_claims_would_rest_on(
    tmp_path: Path, header: str, message: str
) -> None:
    with pytest.raises(InputError, match=rf"x\.jkl, line 2: .*{message}"):
        read_text(tmp_path, "x.jkl", f"# score: mdl\n{header}\n1\nA 1\n-2 0\n")


@pytest.mark.parametrize(
    "told",
    [
        "max_parents=-1",
        "max_parents=[1]",
        "max_parents_exact=1",
        'complete_variables={"A": 1}',
        "constraints=[1]",
        "space=[]",
    ],
)
def test_pss_refuses_what_claims_would_rest_on(tmp_path: Path, told: str) -> None:
    with pytest.raises(InputError, match=r"x\.pss, line 2: expected .* of the metadata, found"):
        read_text(tmp_path, "x.pss", f"META score_type=mdl\nMETA {told}\nVAR A\n-2\n")


@FORMATS
def test_metadata_that_could_not_be_read_back_are_not_written(suffix: str, tmp_path: Path) -> None:
    scores = make_scores({"A": {(): 1.0}}, metadata={"max_parents": -1})
    with pytest.raises(InputError, match="metadata 'max_parents': expected a whole number from 0"):
        write_scores(scores, tmp_path / f"x{suffix}")


@pytest.mark.parametrize(
    ("names", "parent", "expected"),
    [
        ("ABC", "1", "B"),  # no parent is a name: indices
        ("012", "1", "1"),  # both agree
        ("102", "1", "1"),  # integers as names, permuted: names win
        ("123", "0", "1"),  # "0" is no name, so all are indices
    ],
)
def test_jkl_parent_is_name_if_all_are(
    tmp_path: Path, names: str, parent: str, expected: str
) -> None:
    text = "3\n" + "".join(f"{name} 1\n-1 0\n" for name in names[:2])
    found = read_text(tmp_path, "x.jkl", text + f"{names[2]} 1\n-1 1 {parent}\n")
    assert as_dict(found)[names[2]] == [(1.0, (expected,))]


def test_score_file_sorts_by_cost_then_size_then_members(tmp_path: Path) -> None:
    text = "4\nA 6\n-2 2 D C\n-2 2 C B\n-2 1 D\n-1 3 B C D\n-2 1 C\n-3 0\n"
    text += "".join(f"{name} 1\n-1 0\n" for name in "BCD")
    assert as_dict(read_text(tmp_path, "x.jkl", text))["A"] == [
        (1.0, ("B", "C", "D")),
        (2.0, ("C",)),
        (2.0, ("D",)),
        (2.0, ("B", "C")),
        (2.0, ("C", "D")),
        (3.0, ()),
    ]


def test_score_file_keeps_better_of_equal_sets_and_prunes_nothing_else(tmp_path: Path) -> None:
    text = "VAR A\n-5 B C\n-1\n-4 C B\n-9 B C\nVAR B\n-2\n-2\nVAR C\n-2\n"
    assert as_dict(read_text(tmp_path, "x.pss", text)) == {
        "A": [(1.0, ()), (4.0, ("B", "C"))],  # the second is dominated, and stays
        "B": [(2.0, ())],
        "C": [(2.0, ())],
    }


def test_pss_reads_metadata_as_urlearning_writes_it(tmp_path: Path) -> None:
    text = (
        "META pss_version = 0.1\nMETA input_file=my data.csv\nMETA num_records=5000\n"
        "META score_type=BIC\n\nVAR A\nMETA arity=2\nMETA values=no yes \n-1.5 B \n-2 \n\n"
        "VAR B\nMETA arity=3\n-1 \n"
    )
    found = read_text(tmp_path, "x.pss", text)
    assert found.score_name == "BIC"
    assert found.arities == (2, 3)
    assert found.metadata == {
        "input_file": "my data.csv",
        "num_records": 5000,
        "source": "x.pss",
    }


def test_pss_has_no_arities_if_one_is_missing(tmp_path: Path) -> None:
    assert read_text(tmp_path, "x.pss", "VAR A\nMETA arity=2\n-1\nVAR B\n-1\n").arities is None


MALFORMED = {
    # name: (file name, content, what the message must say)
    "empty": ("x.jkl", "", r"line 1: expected the number of variables, found an empty file"),
    "comments only": ("x.jkl", "# a\n\n# b\n", r"line 3: expected the number of variables"),
    "count no number": ("x.jkl", "two\n", r"line 1: expected the number of variables.*'two'"),
    "count zero": ("x.jkl", "# c\n0\n", r"line 2: expected the number of variables.*'0'"),
    "count missing": ("x.jkl", "A 1\n-1 0\n", r"line 1: expected the number of var.*'A 1'"),
    "header missing": ("x.jkl", "1\n-1 1 B\n", r"line 2: expected 'name count'.*variable 1 of 1"),
    "header no count": ("x.jkl", "1\nA\n", r"line 2: expected 'name count'.*found 'A'"),
    "no sets": ("x.jkl", "1\nA 0\n", r"line 2: expected 'name count'.*at least one parent set"),
    "score no number": ("x.jkl", "1\nA 1\nx 0\n", r"line 3: expected a score.*'x' \(set 1 of the"),
    "score underscore": ("x.jkl", "1\nA 1\n-1_0 0\n", r"line 3: expected a score.*'-1_0'"),
    "score alone": ("x.jkl", "1\nA 1\n-1\n", r"line 3: expected 'score k parent ...'.*only"),
    "word alone": ("x.jkl", "1\nA 1\nx\n", r"line 3: expected a score.*'x'"),
    "score nan": ("x.jkl", "1\nA 2\n-1 0\nnan 0\n", r"line 4: expected a finite score, found nan"),
    "score inf": ("x.jkl", "1\nA 1\n-1e999 0\n", r"line 3: expected a finite score, found -inf"),
    "size no number": ("x.jkl", "1\nA 1\n-1 B\n", r"line 3: expected the number of parents.*'B'"),
    "size negative": ("x.jkl", "1\nA 1\n-1 -2\n", r"line 3: expected the number of pare.*'-2'"),
    "too few parents": ("x.jkl", "2\nA 1\n-1 2 B\n", r"line 3: expected 2 parents, found 1"),
    "too many parents": ("x.jkl", "2\nA 1\n-1 0 B\n", r"line 3: expected 0 parents, found 1"),
    "unknown parent": (
        "x.jkl",
        "2\nrain 1\n-1 0\nwet 2\n-3 0\n-1 1 rian\n",
        r"line 6: unknown parent 'rian'.*index from 0 to 1; did you mean 'rain'",
    ),
    "index too large": ("x.jkl", "2\nA 1\n-1 1 2\nB 1\n-1 0\n", r"line 3: unknown parent '2'"),
    "names and indices": (
        "x.jkl",
        "3\nA 1\n-1 1 2\nB 1\n-1 0\nC 1\n-1 1 A\n",
        r"line 7: parent 'A' is a name, but parent '2' on line 3 is an index",
    ),
    "own parent": ("x.jkl", "2\nA 1\n-1 0\nB 1\n-1 2 A B\n", r"line 5: variable 'B' is among its"),
    "repeated parent": ("x.jkl", "2\nA 1\n-1 2 B B\nB 1\n-1 0\n", r"line 3: parent 'B' is repea"),
    "too few sets": (
        "x.jkl",
        "2\nA 3\n-1 0\n-2 1 B\nB 1\n-1 0\n",
        r"line 5: expected a score.*'B' \(set 3 of the 3 announced for 'A'\)",
    ),
    "too many sets": (
        "x.jkl",
        "2\nA 1\n-1 0\n-2 1 B\nB 1\n-1 0\n",
        r"line 4: expected 'name count'.*after the 1 sets of 'A'",
    ),
    "end in sets": ("x.jkl", "1\nA 2\n-1 0\n", r"line 3: .*'A' announces 2 parent sets, found 1"),
    "end in variables": ("x.jkl", "2\nA 1\n-1 0\n", r"line 3: .*expected 2 variables, found 1"),
    "extra content": ("x.jkl", "1\nA 1\n-1 0\nB 1\n", r"line 4: expected the end.*found 'B 1'"),
    "repeated name": ("x.jkl", "2\nA 1\n-1 0\nA 1\n-1 0\n", r"line 4: variable 'A'.*on line 2"),
    "not utf-8": ("x.jkl", b"1\nA\xff 1\n-1 0\n", r"line 2: expected UTF-8"),
    "pss empty": ("x.pss", "", r"line 1: expected 'VAR name'"),
    "pss no variable": ("x.pss", "META a=b\n", r"line 1: expected 'VAR name'"),
    "pss score first": ("x.pss", "META a=b\n-1\n", r"line 2: expected 'META .* found '-1'"),
    "pss bad var": ("x.pss", "VAR my name\n-1\n", r"line 1: expected 'VAR name'.*my name"),
    "pss bad meta": ("x.pss", "META a\n", r"line 1: expected 'META key=value'"),
    "pss bad arity": ("x.pss", "VAR A\nMETA arity=two\n-1\n", r"line 2: expected the arity of 'A'"),
    "pss zero arity": ("x.pss", "VAR A\nMETA arity=0\n-1\n", r"line 2: expected the arity of 'A'"),
    "pss no sets": ("x.pss", "VAR A\nVAR B\n-1\n", r"line 1: variable 'A' has no parent set"),
    "pss no last sets": ("x.pss", "VAR A\n-1\nVAR B\n", r"line 3: variable 'B' has no parent set"),
    "pss bad score": ("x.pss", "VAR A\nx\n", r"line 2: expected a score.*'x'"),
    "pss inf": ("x.pss", "VAR A\ninf\n", r"line 2: expected a finite score"),
    "pss unknown": ("x.pss", "VAR A\n-1 0\nVAR B\n-1\n", r"line 2: unknown parent '0'.*variable$"),
    "pss own parent": ("x.pss", "VAR A\n-1 A\n", r"line 2: variable 'A' is among its own"),
    "pss repeated name": ("x.pss", "VAR A\n-1\nVAR A\n-1\n", r"line 3: variable 'A'.*line 1"),
}


@pytest.mark.parametrize(("name", "content", "message"), MALFORMED.values(), ids=MALFORMED)
def test_malformed_score_file_is_refused_with_its_line(
    tmp_path: Path, name: str, content: str | bytes, message: str
) -> None:
    with pytest.raises(InputError, match=message) as caught:
        read_text(tmp_path, name, content)
    assert str(caught.value).startswith(str(tmp_path / name))


@given(content=st.text("01AB# .-\n", max_size=40))
def test_jkl_reader_refuses_or_returns_but_never_breaks(content: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "x.jkl"
        path.write_text(content)
        try:
            scores = read_jkl(path)
        except InputError as error:
            assert re.search(r"line \d+: ", str(error))  # noqa: PT017
        else:
            assert scores.first_set[-1] == len(scores.costs)
            assert (np.diff(scores.first_set) > 0).all()


@FORMATS
def test_score_file_missing_or_directory_is_refused(tmp_path: Path, suffix: str) -> None:
    with pytest.raises(InputError, match=r"cannot read .*No such file"):
        read_scores(tmp_path / f"none{suffix}")
    (tmp_path / f"folder{suffix}").mkdir()
    with pytest.raises(InputError, match=r"cannot read .*directory"):
        read_scores(tmp_path / f"folder{suffix}")
    with pytest.raises(InputError, match=r"cannot be written: No such file"):
        write_scores(make_scores({"A": {(): 1.0}}), tmp_path / "none" / f"x{suffix}")


@pytest.mark.parametrize("name", ["x.csv", "x", "jkl"])
def test_score_file_unknown_suffix_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match=r"ends in \.jkl or \.pss"):
        read_scores(tmp_path / name)
    with pytest.raises(InputError, match=r"ends in \.jkl or \.pss"):
        write_scores(make_scores({"A": {(): 1.0}}), tmp_path / name)


@FORMATS
@pytest.mark.parametrize("name", ["blood pressure", "a\tb", "a\nb", "a\u2028b", " a", ""])
def test_names_with_blanks_come_back_and_others_read_them(
    tmp_path: Path, suffix: str, name: str
) -> None:
    path = tmp_path / f"x{suffix}"
    scores = make_scores({name: {(): 1.0}, "a_b": {(): 2.0, (0,): 1.0}, "#1": {(1,): 3.0}})
    write_scores(scores, path)
    back = read_scores(path)
    assert back.names == scores.names
    assert [list(back.parent_sets(own)) for own in back.names] == [
        list(scores.parent_sets(own)) for own in scores.names
    ]
    # Programs that skip comments have names without blanks, all different.
    plain = "".join(
        f"{line}\n" for line in path.read_text().splitlines() if not line.startswith("# names")
    )
    path.write_text(plain)
    others = read_scores(path).names
    assert len(set(others)) == 3
    assert all(own.split() == [own] for own in others)
    assert others[1] == "a_b"


@FORMATS
@pytest.mark.parametrize(
    "told", ['["x y", "other"]', '["x y"]', '["x y", 1]', "x y", '["x y", "x y"]', "[" * 10_000]
)
def test_names_that_do_not_fit_the_file_are_a_comment_like_any_other(
    tmp_path: Path, suffix: str, told: str
) -> None:
    path = tmp_path / f"x{suffix}"
    write_scores(make_scores({"x y": {(): 1.0}, "z": {(): 1.0}}), path)
    lines = path.read_text().splitlines()
    changed = [f"# names: {told}" if line.startswith("# names") else line for line in lines]
    path.write_text("\n".join(changed))
    assert read_scores(path).names == ("x_y", "z")


def test_a_table_with_blanks_in_names_is_scored_and_learned_from(tmp_path: Path) -> None:
    table = np.array([[0, 0, 1], [1, 1, 0], [0, 0, 0], [1, 1, 1]] * 10)
    names = ["blood pressure", "age", "blood_pressure"]
    data = ab.to_dataset(table, names=names)
    known = ab.Knowledge(forbidden=frozenset({("blood pressure", "age")}))
    ab.score(data, knowledge=known).save(tmp_path / "s.jkl")
    scores = ab.LocalScores.load(tmp_path / "s.jkl")
    result = ab.learn(tmp_path / "s.jkl")
    assert result.network.names == tuple(names)
    assert result.network.arcs == (("age", "blood pressure"),)
    assert ab.verify(result, data=data, scores=scores).proven


def test_score_file_refuses_what_it_could_not_read_back(tmp_path: Path) -> None:
    path = tmp_path / "x.jkl"
    with pytest.raises(InputError, match=r"'A' has no parent set"):
        write_jkl(make_scores({"A": {}}), path)
    with pytest.raises(InputError, match=r"'B' has a parent set of cost nan"):
        write_jkl(make_scores({"A": {(): 1.0}, "B": {(): math.nan}}), path)
    with pytest.raises(InputError, match=r"metadata 'metadata': expected"):
        write_jkl(make_scores({"A": {(): 1.0}}, metadata={"x": object()}), path)
    with pytest.raises(InputError, match=r"cannot be written as UTF-8"):
        write_jkl(make_scores({"\ud800": {(): 1.0}}), path)
    with pytest.raises(InputError, match=r"metadata key 'a=b'"):
        write_scores(make_scores({"A": {(): 1.0}}, metadata={"a=b": 1}), tmp_path / "x.pss")
    assert list(tmp_path.iterdir()) == []


@FORMATS
def test_reading_ends_at_the_deadline(tmp_path: Path, suffix: str) -> None:
    clock = ManualClock()
    path = tmp_path / f"some{suffix}"
    make_scores({"A": {(): 2.0, (1,): 1.0}, "B": {(): 3.0}}).save(path)
    deadline = Deadline.after(1, clock)
    assert LocalScores.load(path, deadline=deadline).costs.tolist() == [1.0, 2.0, 3.0]
    clock.advance(1)
    with pytest.raises(LimitReached, match="ended reading"):
        LocalScores.load(path, deadline=deadline)
