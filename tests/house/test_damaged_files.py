"""Whatever is in a file: it is read, or refused with an `InputError`, and nothing else happens."""

from __future__ import annotations

import gzip
import json
import warnings
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest
from mutations import damaged

import anytimebn as ab
from anytimebn.base import resources
from anytimebn.data.files import room
from anytimebn.knowledge.files import read_knowledge
from anytimebn.network.random import generate
from anytimebn.result.words import status_line, summary_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

COPIES = 150


@cache
def table() -> ab.Dataset:
    data = generate(4, 2, 12, arity=(2, 3), seed=1)[1]
    return ab.Dataset(("a", "b c", "d", "e"), data.states, data.codes)


def plain() -> ab.Dataset:
    """The same, with names that all formats can hold."""
    data = table()
    return ab.Dataset(("a", "b", "d", "e"), data.states, data.codes)


def network_file(path: Path) -> None:
    data = table()
    ab.Network.from_parents({"a": [], "b c": ["a"], "d": ["a", "b c"], "e": []}).fit(data).save(
        path
    )


def table_file(path: Path) -> None:
    from anytimebn.data.files.tables import write_table

    data = table()
    names = path.name.split(".", 1)[1]
    if names == "arff":
        declared = [
            f"@attribute '{name}' {{{','.join(states)}}}"
            for name, states in zip(data.names, data.states, strict=True)
        ]
        rows = [",".join(row) for row in values(data)]
        path.write_text("\n".join(["@relation r", *declared, "@data", *rows, ""]))
    elif names == "dat":
        words = [["a", "b", "d", "e"], [str(len(own)) for own in data.states], *values(data)]
        path.write_text("\n".join(" ".join(line) for line in words) + "\n")
    elif names == "csv.gz":
        write_table(data, path.with_name("plain.csv"))
        path.write_bytes(gzip.compress(path.with_name("plain.csv").read_bytes(), mtime=0))
    else:
        write_table(data, path)


def values(data: ab.Dataset) -> list[list[str]]:
    return [
        [states[code] for states, code in zip(data.states, row, strict=True)]
        for row in data.codes.T
    ]


def scores_file(path: Path) -> None:
    knowledge = ab.Knowledge(forbidden=frozenset({("a", "b")}))
    ab.score(plain(), "bdeu", max_parents=2, knowledge=knowledge).save(path)


KNOWLEDGE = {
    "toml": 'require = ["a->b"]\ntiers = [["a"], ["b", "d"]]\n[max_parents]\nd = 1\n',
    "json": '{"require": [["a", "b"]], "forbid": ["d->a"], "max_parents": {"d": 1}}',
    "yaml": "require:\n- a->b\nforbid: [d->a]\ntiers:\n- [a]\n- [b, d]\nmax_parents: {d: 1}\n",
}


def knowledge_file(path: Path) -> None:
    path.write_text(KNOWLEDGE[path.suffix[1:]])


@cache
def results() -> tuple[ab.Result, ...]:
    data = table()
    return (
        ab.learn(data, forbid=["a->d"], parent_limits={"e": 1}),
        ab.learn(data, space="neighbourhood", algorithm="relaxation"),
    )


def result_file(path: Path) -> None:
    number = 0 if path.name.startswith("first") else 1
    path.write_text(json.dumps(results()[number].to_json(), indent=1))


def use_network(path: Path) -> None:
    network = ab.Network.load(path)
    repr(network)


def use_scores(path: Path) -> None:
    scores = ab.LocalScores.load(path)
    repr(scores)
    try:
        result = ab.search(scores, max_expansions=50)
    except ab.ConstraintError:
        return
    show(result)
    found = ab.verify(result, scores=scores)
    assert found.ok, str(found)


def use_result(path: Path) -> None:
    result = ab.Result.load(path)
    show(result)
    result.save(path.with_name("again.json"))
    found = ab.verify(path, data=table(), scores=None)
    str(found)


def show(result: ab.Result) -> None:
    """Every form in which people see it, but for pictures, which take their time."""
    repr(result)
    status_line(result)
    summary_of(result)
    json.dumps(result.to_json())
    assert result.error_bound is None or result.error_bound >= 1


def use_knowledge(path: Path) -> None:
    knowledge = read_knowledge(path)
    ab.score(plain(), knowledge=knowledge)


FILES: dict[str, tuple[Callable[[Path], None], Callable[[Path], Any]]] = {
    **dict.fromkeys(("n.bif", "n.xmlbif", "n.net", "n.json"), (network_file, use_network)),
    **dict.fromkeys(
        ("t.csv", "t.tsv", "t.csv.gz", "t.parquet", "t.arff", "t.dat"),
        (table_file, ab.to_dataset),
    ),
    **dict.fromkeys(("s.jkl", "s.pss"), (scores_file, use_scores)),
    **dict.fromkeys(("k.toml", "k.json", "k.yaml"), (knowledge_file, use_knowledge)),
    **dict.fromkeys(("first.json", "second.json"), (result_file, use_result)),
}


def outcome(use: Callable[[Path], Any], path: Path) -> str:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            use(path)
        except ab.InputError:
            return "refused"
        return "read"


@pytest.mark.parametrize("name", FILES)
def test_damaged_files_are_read_or_refused(name: str, tmp_path: Path) -> None:
    write, use = FILES[name]
    path = tmp_path / name
    write(path)
    assert outcome(use, path) == "read"
    content = path.read_bytes()
    for number, changed in enumerate(damaged(content, COPIES, seed=len(name))):
        path.write_bytes(changed)
        try:
            outcome(use, path)
        except Exception as error:
            pytest.fail(f"copy {number}: {error!r} for\n{changed[:3000]!r}")


# ---- a few bytes that ask for much ----


PARENTS = 30


def wide_bif(row: str) -> str:
    names = [f"v{number}" for number in range(PARENTS + 1)]
    declared = "".join(f"variable {v} {{ type discrete [ 2 ] {{ n, y }}; }}\n" for v in names)
    single = "".join(f"probability ( {v} ) {{ table 0.5, 0.5; }}\n" for v in names[1:])
    return f"{declared}{single}probability ( v0 | {', '.join(names[1:])} ) {{ {row} }}\n"


def wide_net() -> str:
    names = [f"v{number}" for number in range(PARENTS + 1)]
    declared = "".join(f'node {v} {{ states = ("n" "y"); }}\n' for v in names)
    single = "".join(f"potential ({v}) {{ }}\n" for v in names[1:])
    return f"{declared}{single}potential (v0 | {' '.join(names[1:])}) {{ }}\n"


@pytest.fixture
def little_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resources, "available_memory_bytes", lambda: 2**24)


@pytest.mark.usefixtures("little_memory")
@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("n.bif", wide_bif(""), "'v0' lacks the probabilities for 1,073,741,824 values"),
        ("n.bif", wide_bif("default 0.5, 0.5;"), "2,147,483,648 probabilities, .* 48.0 GiB"),
        ("n.net", wide_net(), "2,147,483,648 probabilities, .* Remove parents"),
    ],
)
def test_large_tables_of_small_files_are_refused(
    name: str, content: str, message: str, tmp_path: Path
) -> None:
    path = tmp_path / name
    path.write_text(content)
    with pytest.raises(ab.InputError, match=message):
        ab.Network.load(path)


@pytest.mark.usefixtures("little_memory")
def test_archives_that_grow_beyond_memory_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "t.csv.gz"
    path.write_bytes(gzip.compress(b"a,b\n" + b"0,1\n1,0\n" * 500_000))
    with pytest.raises(ab.InputError, match=r"rows of 2 columns, or more, .* Take a sample"):
        ab.to_dataset(path)
    path.write_bytes(gzip.compress(b"a" * 2**24))
    with pytest.raises(ab.InputError, match="line 1 is longer than"):
        ab.to_dataset(path)


@pytest.mark.usefixtures("little_memory")
def test_parquet_files_that_grow_beyond_memory_are_refused(tmp_path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet

    path = tmp_path / "t.parquet"
    pyarrow.parquet.write_table(pa.table({"a": [0] * 10**6, "b": [1] * 10**6}), path)
    assert path.stat().st_size < 10_000
    with pytest.raises(ab.InputError, match="1,000,000 rows of 2 columns"):
        ab.to_dataset(path)


UNASKED = "unpack to .* or more, over 200 times as much. If that is what you want, unpack the file"


def test_archives_that_grow_to_what_nobody_asked_for_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "t.csv.gz"
    # In parts, of which the last one tells that it holds very little: it counts what is there.
    part = gzip.compress(b"0,1\n1,0\n" * 2**17)
    path.write_bytes(gzip.compress(b"a,b\n") + part * 130 + gzip.compress(b"0,1\n"))
    assert path.stat().st_size < 300_000
    with pytest.raises(ab.InputError, match=rf"t\.csv\.gz: .* KiB that {UNASKED}"):
        ab.to_dataset(path)


@pytest.mark.parametrize(
    ("name", "separator", "encoding"),
    [
        ("t.csv.gz", ",", None),
        ("t.CSV.GZ", ";", "cp1252"),
        ("t.tsv.gz", "\t", None),
        ("t.txt.gz", "\t", None),
        ("t.txt.gz", " ", None),
        ("t.txt.gz", " ", "utf-16"),
    ],
)
def test_archives_are_measured_however_they_are_read(
    name: str,
    separator: str,
    encoding: str | None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = tmp_path / name
    text = f"a{separator}b\n" + f"0{separator}1\n1{separator}0\n" * 25_000
    content = text.encode(encoding or "utf-8")
    path.write_bytes(gzip.compress(content))
    assert len(content) > 200 * path.stat().st_size
    assert ab.to_dataset(path, encoding=encoding).rows == 50_000
    monkeypatch.setattr(room, "MOST_UNASKED_BYTES", 2**16)
    with pytest.raises(ab.InputError, match=UNASKED):
        ab.to_dataset(path, encoding=encoding)
    plain = path.with_suffix("")
    plain.write_bytes(content)
    assert ab.to_dataset(plain, encoding=encoding).rows == 50_000


def test_archives_of_one_line_are_not_read_to_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(room, "MOST_UNASKED_BYTES", 2**19)
    path = tmp_path / "t.csv.gz"
    path.write_bytes(gzip.compress(b"a," * 2**22))
    with pytest.raises(ab.InputError, match=r"unpack to 1\.6 MiB or more"):
        ab.to_dataset(path)


def test_archives_with_room_are_read(tmp_path: Path) -> None:
    path = tmp_path / "t.csv.gz"
    path.write_bytes(gzip.compress(b"a,b\n" + b"0,1\n1,0\n" * 1000))
    assert ab.to_dataset(path).rows == 2000


def test_as_many_axes_as_numpy_has_not_are_refused(tmp_path: Path) -> None:
    names = [f"v{number}" for number in range(71)]
    declared = "".join(f"variable {v} {{ type discrete [ 1 ] {{ n }}; }}\n" for v in names)
    single = "".join(f"probability ( {v} ) {{ table 1; }}\n" for v in names[1:])
    path = tmp_path / "n.bif"
    path.write_text(f"{declared}{single}probability ( v0 | {', '.join(names[1:])} ) {{ table 1; }}")
    with pytest.raises(ab.InputError, match="'v0' has 70 parents, too many"):
        ab.Network.load(path)
