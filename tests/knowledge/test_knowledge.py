"""Knowledge: contradictions are found and explained, and what is left is exact."""

from __future__ import annotations

import itertools
import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anytimebn.base.errors import ConstraintError, InputError
from anytimebn.knowledge.constraints import Knowledge
from anytimebn.knowledge.files import read_tiers
from anytimebn.knowledge.written import parse_arc

if TYPE_CHECKING:
    from pathlib import Path

NAMES = ("age", "rain", "season", "wet")


def arcs(*texts: str) -> frozenset[tuple[str, str]]:
    return frozenset(parse_arc(text) for text in texts)


@pytest.mark.parametrize(
    ("text", "arc"),
    [
        ("A->B", ("A", "B")),
        ("  A  ->  B ", ("A", "B")),
        ("blood pressure->X-ray", ("blood pressure", "X-ray")),
        ("a--->b", ("a--", "b")),
        ("a->-b", ("a", "-b")),
        ("a>b->c<d", ("a>b", "c<d")),
    ],
)
def test_parse_arc_reads_names(text: str, arc: tuple[str, str]) -> None:
    assert parse_arc(text) == arc


@pytest.mark.parametrize(
    "text", ["", "A", "A-B", "A<-B", "->", "A->", " ->B", "A->B->C", "A - > B"]
)
def test_parse_arc_refuses_anything_else(text: str) -> None:
    with pytest.raises(InputError, match=r"expected 'PARENT->CHILD'") as caught:
        parse_arc(text)
    assert repr(text) in str(caught.value)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("t.txt", "a b\nblood pressure , d\ne\n"),
        ("t", "\ufeff# first\n\n a\tb # comment\r\n\r\nblood pressure,d\ne"),
        ("t.json", '[["a", "b"], ["blood pressure", "d"], ["e"]]'),
        ("t.txt", '\n [["a", "b"],\n ["blood pressure", "d"], ["e"]]\n'),
    ],
)
def test_read_tiers_reads_text_and_json(tmp_path: Path, name: str, text: str) -> None:
    path = tmp_path / name
    path.write_bytes(text.encode())
    assert read_tiers(path) == (("a", "b"), ("blood pressure", "d"), ("e",))


def test_read_tiers_keeps_hash_inside_names(tmp_path: Path) -> None:
    (tmp_path / "t").write_text("item#1 item#2\n#item\n")
    assert read_tiers(tmp_path / "t") == (("item#1", "item#2"),)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("t", b"", "expected one tier per line, found none"),
        ("t", b"# nothing\n\n", "expected one tier per line, found none"),
        ("t", b"a, b\nc,,d\n", "line 2: expected a name before and after each comma"),
        ("t", b"a, b,\n", "line 1: expected a name before and after each comma"),
        ("t", b"\xff\n", "expected UTF-8"),
        ("t", b"[[]", "line 1: not JSON: .*; expected a JSON list of lists"),
        ("t", b'[["a"],\n["b"', "line 2: not JSON: .*; expected a JSON list of lists"),
        ("t", b'["a", "b"]', r'tier 1 is "a"'),
        ("t", b'[["a"], []]', r"tier 2 is \[\]"),
        ("t", b'[["a"], [1]]', r"tier 2 is \[1\]"),
        ("t", b"[]", "expected a JSON list of lists"),
        ("t.json", b'{"a": 1}', "expected a JSON list of lists"),
    ],
)
def test_read_tiers_refuses_malformed_file(
    tmp_path: Path, name: str, content: bytes, message: str
) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError, match=message):
        read_tiers(tmp_path / name)


def test_read_tiers_refuses_missing_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"cannot read .*none.*No such file"):
        read_tiers(tmp_path / "none")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"required": arcs("rian->wet")}, r"required arc 'rian->wet': .*did you mean 'rain'"),
        ({"forbidden": arcs("rain->Wet")}, r"forbidden arc 'rain->Wet': .*did you mean 'wet'"),
        ({"tiers": (("age",), ("seasons",))}, r"tier 2: .*'seasons' .did you mean 'season'"),
        ({"max_parents": {"zzz": 1}}, r"limit on parents: .*'zzz'; the variables are 'age', 'rain"),
        ({"required": arcs("wet->wet")}, r"required arc 'wet->wet': expected two different"),
        ({"forbidden": arcs("wet->wet")}, r"forbidden arc 'wet->wet': expected two different"),
        ({"max_parents": {"wet": -1}}, r"parents of 'wet' is -1; expected a whole number"),
        ({"max_parents": {"wet": 1.5}}, r"parents of 'wet' is 1.5; expected a whole number"),
        ({"max_parents": 3}, r"max_parents must be whole numbers by name, .*not 3"),
        ({"max_parents": {1: 3}}, r"max_parents must be whole numbers by name"),
        ({"required": 7}, r"required must be a list of arcs, .*not 7"),
        ({"required": ["rain"]}, r"cannot read the arc 'rain': expected 'PARENT->CHILD'"),
        ({"required": None}, r"required must be a list of arcs, .*not None"),
        ({"forbidden": [("rain", 1)]}, r"forbidden must be a list of arcs.*is \('rain', 1\)"),
        ({"tiers": ["age", "wet"]}, r"tiers must be lists of names.*tier 1 is 'age'"),
        ({"tiers": 2}, r"tiers must be lists of names.*not 2"),
    ],
)
def test_knowledge_check_refuses_bad_input(given: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        Knowledge(**given).check(NAMES)
    assert not isinstance(caught.value, ConstraintError)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            {"required": arcs("rain->wet"), "forbidden": arcs("rain->wet")},
            r"arc rain -> wet is both required and forbidden",
        ),
        (
            {"required": arcs("wet->age"), "tiers": (("age",), ("rain",), ("wet",))},
            r"arc wet -> age goes back from tier 3 to tier 1",
        ),
        (
            {"required": arcs("wet->rain", "rain->season", "season->wet", "age->wet")},
            r"cycle: rain -> season -> wet -> rain;",
        ),
        ({"required": arcs("wet->age", "age->wet")}, r"cycle: age -> wet -> age;"),
        (
            {"required": arcs("age->wet", "rain->wet"), "max_parents": {"wet": 1}},
            r"'wet' has 2 required parents \('age', 'rain'\), but may have 1 at most",
        ),
        ({"tiers": (("age", "wet"), ("wet",))}, r"'wet' is in tier 1 and in tier 2"),
    ],
)
def test_knowledge_check_explains_contradiction(given: dict[str, Any], message: str) -> None:
    with pytest.raises(ConstraintError, match=message):
        Knowledge(**given).check(NAMES)


def test_knowledge_resolve_refuses_more_required_parents_than_any_may_have() -> None:
    known = Knowledge(required=arcs("age->wet", "rain->wet"), max_parents={"wet": 3})
    known.check(NAMES)
    known.resolve(NAMES, max_parents=2)
    with pytest.raises(ConstraintError, match=r"'wet' has 2 required parents .* 1 at most"):
        known.resolve(NAMES, max_parents=1)
    with pytest.raises(InputError, match="max_parents must be at least 0, not -1"):
        known.resolve(NAMES, max_parents=-1)


def test_knowledge_empty_allows_everything() -> None:
    resolved = Knowledge().resolve("ABC", max_parents=5)
    assert resolved.required == ((), (), ())
    assert resolved.allowed == ((1, 2), (0, 2), (0, 1))
    assert resolved.limits == (5, 5, 5)


def test_knowledge_tiers_allow_own_and_earlier_and_leave_others_free() -> None:
    resolved = Knowledge(tiers=(("A",), ("B", "C"), ("D",))).resolve("ABCDE", max_parents=4)
    assert resolved.allowed == ((4,), (0, 2, 4), (0, 1, 4), (0, 1, 2, 4), (0, 1, 2, 3))


def test_knowledge_limit_is_the_smaller_of_both() -> None:
    known = Knowledge(max_parents={"A": 1, "B": 9})
    assert known.resolve("ABC", max_parents=3).limits == (1, 3, 3)


@pytest.mark.parametrize(
    ("known", "is_empty"),
    [
        (Knowledge(), True),
        (Knowledge(required=arcs("A->B")), False),
        (Knowledge(forbidden=arcs("A->B")), False),
        (Knowledge(tiers=(("A",),)), False),
        (Knowledge(max_parents={"A": 1}), False),
    ],
)
def test_knowledge_is_empty_only_without_constraints(known: Knowledge, is_empty: bool) -> None:
    assert known.is_empty is is_empty


def test_knowledge_to_json_is_sorted_and_json_ready() -> None:
    known = Knowledge(
        required=arcs("b->c", "a->c"),
        forbidden=arcs("c->b", "c->a"),
        tiers=(("b", "a"), ("c",)),
        max_parents={"c": 2, "a": 0},
    )
    assert json.loads(json.dumps(known.to_json())) == {
        "require": [["a", "c"], ["b", "c"]],
        "forbid": [["c", "a"], ["c", "b"]],
        "tiers": [["a", "b"], ["c"]],
        "max_parents": {"a": 0, "c": 2},
    }
    assert list(known.to_json()["max_parents"]) == ["a", "c"]


def test_knowledge_is_a_value_that_callers_cannot_change() -> None:
    limits = {"A": 1}
    known = Knowledge(max_parents=limits)
    limits["A"] = 2
    assert known == Knowledge(max_parents={"A": 1})
    assert hash(known) == hash(Knowledge(max_parents={"A": 1}))


def is_acyclic(chosen: frozenset[tuple[str, str]], names: str) -> bool:
    return any(
        all(order.index(a) < order.index(b) for a, b in chosen)
        for order in itertools.permutations(names)
    )


@given(data=st.data())
def test_knowledge_allows_exactly_the_arcs_of_some_network(data: st.DataObject) -> None:
    # The oracle tries every order of four variables and reads the constraints literally.
    names = "ABCD"
    every = [(a, b) for a in names for b in names if a != b]
    some_arcs = st.frozensets(st.sampled_from(every), max_size=3)
    required, forbidden = data.draw(some_arcs), data.draw(some_arcs)
    tier_of = data.draw(st.dictionaries(st.sampled_from(names), st.integers(0, 2)))
    tiers = tuple(tuple(n for n in names if tier_of.get(n) == t) for t in range(3))
    known = Knowledge(required=required, forbidden=forbidden, tiers=tiers)

    def fits(arc: tuple[str, str]) -> bool:
        back = tier_of.get(arc[0], -1) > tier_of.get(arc[1], 3)
        return arc not in forbidden and not back

    feasible = all(map(fits, required)) and is_acyclic(required, names)
    if not feasible:
        with pytest.raises(ConstraintError):
            known.resolve(names, max_parents=3)
        return
    resolved = known.resolve(names, max_parents=3)
    for child, name in enumerate(names):
        assert resolved.required[child] == tuple(
            p for p in range(4) if (names[p], name) in required
        )
        assert resolved.allowed[child] == tuple(
            p
            for p in range(4)
            if p != child
            and fits((names[p], name))
            and is_acyclic(required | {(names[p], name)}, names)
        )
