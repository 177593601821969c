"""The commands that ask a network: query, predict, impute, effect and compare."""

from __future__ import annotations

import csv
import json
from typing import TYPE_CHECKING

import numpy as np
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

from anytimebn.cli.application import application
from anytimebn.network.network import Network

if TYPE_CHECKING:
    from pathlib import Path

    from click.testing import Result

NETWORK = Network(
    ("age", "rain", "wet=x"),
    ((), (), (1,)),
    (("(-inf, 40)", "[40, inf)"), ("no", "yes"), ("no", "yes")),
    (np.array([0.25, 0.75]), np.array([0.5, 0.5]), np.array([[0.9, 0.1], [0.2, 0.8]])),
)


def run(*arguments: object) -> Result:
    return CliRunner().invoke(application, [str(argument) for argument in arguments])


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "network.json"
    NETWORK.save(path)
    return path


def test_query_prints_the_answer(file: Path) -> None:
    ended = run("query", file, "rain", "--given", "wet=x=yes", "--given", "age=50")
    assert ended.exit_code == 0
    assert ended.stdout == ("P(rain | wet=x = yes, age = 50)\n  no   0.1111\n  yes  0.8889\n")
    joint = run("query", file, "rain", "age", "--given", "wet=x=yes", "--given", "wet=x=no")
    assert "P(rain, age | wet=x = yes or no)" in joint.stdout
    estimate = run("query", file, "rain", "--method", "sampling", "--samples", 1000, "--seed", 2)
    assert "±" in estimate.stdout


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["snow"], 2, "no variable 'snow'"),
        (["rain", "--given", "age"], 2, "give NAME=VALUE, such as rain=yes"),
        (["rain", "--given", "age=old"], 2, "'age' has no value 'old'"),
        (["rain", "--given", "snow=1"], 2, "no variable 'snow'"),
        (["rain", "--method", "guess"], 2, "choose one of exact, sampling"),
        (["rain", "--memory-limit", "1B"], 4, "limit reached: an exact answer needs"),
    ],
)
def test_query_says_what_is_wrong(
    file: Path, arguments: list[str], status: int, message: str
) -> None:
    ended = run("query", file, *arguments)
    assert ended.exit_code == status
    assert message in ended.stderr
    assert "Traceback" not in ended.stderr


def test_query_writes_the_answer_for_other_programs(file: Path, tmp_path: Path) -> None:
    files = [tmp_path / f"answer{suffix}" for suffix in (".csv", ".tsv", ".parquet", ".json")]
    outputs = [part for path in files for part in ("-o", path)]
    ended = run("query", file, "rain", "--given", "wet=x=yes", *outputs)
    assert ended.exit_code == 0, ended.stderr
    assert ended.stdout.endswith(f"wrote {files[-1]}\n")
    expected = [{"rain": "no", "probability": 1 / 9}, {"rain": "yes", "probability": 8 / 9}]
    found = [json.loads(files[3].read_text()), pq.read_table(files[2]).to_pylist()]
    for path, separator in zip(files, ",\t", strict=False):
        with path.open(newline="") as content:
            rows = csv.DictReader(content, delimiter=separator)
            found.append([{**row, "probability": float(row["probability"])} for row in rows])
    for answer in found:
        assert [row["rain"] for row in answer] == ["no", "yes"]
        assert [row["probability"] for row in answer] == pytest.approx(
            [row["probability"] for row in expected]
        )
    assert run("query", file, "rain", "-o", files[0], "-q").stdout == ""
    refused = run("query", file, "rain", "-o", tmp_path / "answer.xml")
    assert refused.exit_code == 2
    assert "an answer is written to .csv, .tsv, .parquet, .json" in refused.stderr


def test_predict_writes_values_and_probabilities(file: Path, tmp_path: Path) -> None:
    table = tmp_path / "table.csv"
    table.write_text("rain,id\nno,1\nyes,2\n?,3\nhail,4\n")
    output = tmp_path / "out.csv"
    ended = run("predict", file, table, "--target", "wet=x", "-o", output)
    assert ended.exit_code == 0, ended.stderr
    assert "4 predictions of wet=x" in ended.stdout
    assert "warning: column 'rain' has the value 'hail' at line 5" in ended.stderr
    with output.open(newline="") as content:
        rows = list(csv.DictReader(content))
    assert [row["wet=x"] for row in rows] == ["no", "yes", "no", "no"]
    assert float(rows[1]["P(wet=x = yes)"]) == 0.8
    assert float(rows[2]["P(wet=x = yes)"]) == pytest.approx(0.45)
    ended = run("predict", file, table, "--target", "wet=x", "-o", tmp_path / "out.parquet", "-q")
    assert ended.stdout == ""
    assert pq.read_table(tmp_path / "out.parquet").num_rows == 4


@pytest.mark.parametrize(
    ("text", "encoding", "given"),
    [
        ("straße;wet\nnaß;0\ntröpfelnd;1\n", "cp1252", ["--encoding", "cp1252"]),
        ("straße#wet\nnaß#0\ntröpfelnd#1\n", "utf-8", ["--separator", "#"]),
        ("naß\t0\ntröpfelnd\t1\n", "utf-8", ["--no-header"]),
    ],
)
def test_predict_reads_text_files_as_learn_does(
    tmp_path: Path, text: str, encoding: str, given: list[str]
) -> None:
    table, network, output = (tmp_path / name for name in ("t.csv", "net.json", "out.csv"))
    table.write_bytes(text.encode(encoding))
    assert run("learn", table, "-o", network, "-q", *given).exit_code == 0
    target = Network.load(network).names[0]
    ended = run("predict", network, table, "--target", target, "-o", output, *given)
    assert ended.exit_code == 0, ended.stderr
    assert "2 predictions" in ended.stdout
    assert ended.stderr == ""


def test_predict_says_what_is_wrong(file: Path, tmp_path: Path) -> None:
    table = tmp_path / "table.csv"
    table.write_text("rain,id\nhail,1\n")
    output = tmp_path / "out.csv"
    for arguments, message in (
        (["-o", output, "--unknown", "error"], "the value 'hail' at line 2"),
        (["-o", tmp_path / "out.xml"], "a table of predictions is written to .csv"),
    ):
        ended = run("predict", file, table, "--target", "wet=x", *arguments)
        assert ended.exit_code == 2
        assert message in ended.stderr
        assert not output.exists()


def filled(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as content:
        return list(csv.DictReader(content))


def test_impute_fills_what_is_missing_and_keeps_the_rest(file: Path, tmp_path: Path) -> None:
    table, output = tmp_path / "table.csv", tmp_path / "filled.csv"
    table.write_text("id,rain,age,wet=x\n01,,44,yes\n02,no,,\n03,hail,31,no\n,yes,46,yes\n")
    ended = run("impute", file, table, "-o", output)
    assert ended.exit_code == 0, ended.stderr
    assert ended.stdout == (
        f"wrote {output}: 3 missing cells filled\n"
        "1 cell left, in columns that the network does not have\n"
    )
    assert "the value 'hail'" in ended.stderr
    rows = filled(output)
    assert list(rows[0]) == ["id", "rain", "age", "wet=x"]
    assert [row["id"] for row in rows] == ["01", "02", "03", ""]
    assert [row["rain"] for row in rows] == ["yes", "no", "no", "yes"]
    assert [float(row["age"]) for row in rows] == [44, 45, 31, 46]  # the median of its interval
    assert [row["wet=x"] for row in rows] == ["yes", "no", "no", "yes"]
    assert rows[1]["age"] == "45"  # whole, as all others
    ended = run("impute", file, table, "-o", tmp_path / "filled.parquet", "-q")
    assert ended.stdout == ""
    assert pq.read_table(tmp_path / "filled.parquet").column("rain").null_count == 0


def test_impute_draws_with_a_seed(file: Path, tmp_path: Path) -> None:
    table = tmp_path / "table.csv"
    table.write_text("rain,age\n" + ",50\n" * 40)
    drawn = []
    for number, seed in enumerate((1, 1, 2)):
        output = tmp_path / f"drawn{number}.csv"
        ended = run("impute", file, table, "-o", output, "--method", "sample", "--seed", seed)
        assert ended.exit_code == 0, ended.stderr
        drawn.append([row["rain"] for row in filled(output)])
    assert drawn[0] == drawn[1] != drawn[2]
    assert set(drawn[0]) == {"no", "yes"}


def test_impute_says_what_is_wrong(file: Path, tmp_path: Path) -> None:
    table, output = tmp_path / "table.csv", tmp_path / "filled.csv"
    table.write_text("rain,id\nhail,1\n")
    for arguments, message in (
        (["-o", output, "--unknown", "error"], "the value 'hail'"),
        (["-o", output, "--method", "mean"], "choose one of mode, sample"),
        (["-o", tmp_path / "filled.xml"], "a filled table is written to .csv"),
    ):
        ended = run("impute", file, table, *arguments)
        assert ended.exit_code == 2
        assert message in ended.stderr
        assert not output.exists()


def test_effect_prints_all_possibilities_and_what_they_presume(file: Path, tmp_path: Path) -> None:
    asked = ("effect", file, "--of", "rain", "--on", "wet=x")
    output = tmp_path / "effect.json"
    ended = run(*asked, "--to", "yes", "--base", "no", "--outcome", "yes", "-o", output)
    assert ended.exit_code == 0, ended.stderr
    assert ended.stdout == (
        "P(wet=x | do(rain))\n"
        "  if rain is caused by nothing:\n"
        "       no      yes\n"
        "  no   0.9000  0.1000\n"
        "  yes  0.2000  0.8000\n"
        "  if rain is caused by wet=x:\n"
        "       no      yes\n"
        "  no   0.5500  0.4500\n"
        "  yes  0.5500  0.4500\n"
        "data cannot tell these 2 possibilities apart\n"
        "P(wet=x = yes) changes by +0.0000 to +0.7000 with rain = yes instead of no\n"
        "this takes arcs for causes: it holds if the network is right, and if the table lacks no\n"
        "common cause of two of its variables\n"
        f"wrote {output}\n"
    )
    rows = json.loads(output.read_text())
    assert [row["parents"] for row in rows] == [""] * 4 + ["wet=x"] * 4
    assert rows[1] == pytest.approx(
        {"parents": "", "do(rain)": "no", "wet=x": "yes", "probability": 0.1}
    )
    assert run(*asked, "-q").stdout == ""


def test_effect_takes_knowledge_as_learn_does(file: Path, tmp_path: Path) -> None:
    tiers, knowledge = tmp_path / "tiers.txt", tmp_path / "known.toml"
    tiers.write_text("rain\nwet=x\n")
    knowledge.write_text('require = ["rain -> wet=x"]\n')
    asked = ("effect", file, "--of", "rain", "--on", "wet=x")
    for given in (
        ["--forbid", "wet=x->rain"],
        ["--require", "rain->wet=x"],
        ["--tiers", tiers],
        ["--knowledge", knowledge],
        ["--no-equivalence"],
    ):
        ended = run(*asked, *given, "--to", "yes", "--base", "no", "--outcome", "yes")
        assert ended.exit_code == 0, ended.stderr
        assert "possibilities" not in ended.stdout
        assert "changes by +0.7000 with" in ended.stdout


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["--on", "snow"], 2, "no variable 'snow'"),
        (["--on", "rain"], 2, "has no effect on itself"),
        (["--on", "wet=x", "--to", "yes"], 2, "give both --to and --base"),
        (["--on", "wet=x", "--outcome", "yes"], 2, "give both --to and --base"),
        (["--on", "wet=x", "--to", "yes", "--base", "no"], 2, "such as --outcome 'yes'"),
        (["--on", "wet=x", "--to", "hail", "--base", "no"], 2, "'rain' has no value 'hail'"),
        (["--on", "wet=x", "--no-equivalence", "--forbid", "age->rain"], 2, "--no-equivalence"),
        (["--on", "wet=x", "--require", "age->rain"], 3, "has no arc between 'age' and 'rain'"),
        (["--on", "wet=x", "-o", "effect.png"], 2, "an effect is written to .csv"),
    ],
)
def test_effect_says_what_is_wrong(
    file: Path, arguments: list[str], status: int, message: str
) -> None:
    ended = run("effect", file, "--of", "rain", *arguments)
    assert ended.exit_code == status
    assert message in ended.stderr
    assert "Traceback" not in ended.stderr


def test_compare_prints_and_draws(file: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.json"
    Network.from_parents({"age": [], "wet=x": ["age"], "rain": ["wet=x"]}).save(other)
    picture = tmp_path / "compared.png"
    ended = run("compare", file, other, "-o", picture)
    assert ended.exit_code == 0, ended.stderr
    assert ended.stdout.startswith("Comparison(1 added, 0 lost, 1 turned, 0 kept)\n")
    assert picture.stat().st_size > 1000
    classes = run("compare", file, other, "--classes")
    assert "1 added, 0 lost, 0 turned, 1 kept" in classes.stdout
    assert run("compare", file, other, "-o", tmp_path / "compared.csv").exit_code == 2
    assert run("compare", file, other, "-q").stdout == ""
