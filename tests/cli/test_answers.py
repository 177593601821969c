"""The commands that ask a network: query, predict and compare."""

from __future__ import annotations

import csv
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
