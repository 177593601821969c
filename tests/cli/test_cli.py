"""The command line, as a user meets it: what is printed, what is written, and how it ends."""

from __future__ import annotations

import gzip
import json
import os
import re
import signal
import subprocess
import sys
from itertools import chain
from typing import IO, TYPE_CHECKING

import pytest
from stopping import GUARD
from typer.testing import CliRunner

import anytimebn
from anytimebn.cli.application import application
from anytimebn.cli.listing import KINDS
from anytimebn.learning.checkpoint_file import read_checkpoint
from anytimebn.network.files.networks import read_network

if TYPE_CHECKING:
    from pathlib import Path

COMMAND = [sys.executable, "-c", "from anytimebn.cli import main; main()"]
TABLE = "A,B,C\n" + "0,0,1\n1,1,0\n0,0,0\n1,1,1\n" * 10


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    """Run the command in a process of its own."""
    command = [*COMMAND, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=GUARD)


class Ended:
    """How a command ended that ran inside this process, which is quicker."""

    def __init__(self, *arguments: object) -> None:
        result = CliRunner().invoke(application, [str(argument) for argument in arguments])
        self.status, self.out, self.err = result.exit_code, result.stdout, result.stderr


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "table.csv"
    path.write_text(TABLE)
    return path


@pytest.fixture
def scores(table: Path, tmp_path: Path) -> Path:
    path = tmp_path / "scores.jkl"
    assert Ended("score", table, "-o", path).status == 0
    return path


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A score file that dynamic programming needs many seconds for."""
    folder = tmp_path_factory.mktemp("large")
    made = Ended("generate", "--variables", 26, "--rows", 400, "-o", folder / "large.csv")
    assert made.status == 0
    path = folder / "large.jkl"
    assert Ended("score", folder / "large.csv", "-o", path, "--max-parents", 2).status == 0
    return path


# --- the whole ---


def test_version_and_help_come_from_the_package() -> None:
    assert run("--version").stdout == f"anytimebn {anytimebn.__version__}\n"
    shown = run("--help")
    assert shown.returncode == 0
    for command in ("learn", "score", "verify", "generate", "list", "Exit status"):
        assert command in shown.stdout
    assert "..." not in shown.stdout.partition("Commands:")[2]  # all lines are whole sentences


def test_package_runs_as_a_module() -> None:
    command = [sys.executable, "-m", "anytimebn", "--version"]
    ended = subprocess.run(command, capture_output=True, text=True, check=True)
    assert ended.stdout == f"anytimebn {anytimebn.__version__}\n"


def test_help_of_learn_lists_every_registered_name() -> None:
    words = " ".join(Ended("learn", "--help").out.split())
    for choice in chain.from_iterable(choices() for choices in KINDS.values()):
        assert re.search(rf"\b{choice.name}\b", words.replace("- ", "-")), choice.name


@pytest.mark.parametrize(
    "arguments", [["fly"], ["learn"], ["learn", "x.csv", "--gap", "wide"], ["score", "x.csv"]]
)
def test_usage_error_ends_with_status_2(arguments: list[str]) -> None:
    ended = Ended(*arguments)
    assert ended.status == 2
    assert ended.err
    assert "Traceback" not in ended.err


def test_our_fault_ends_with_status_1_and_a_traceback_only_when_asked_for(
    table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("the core has melted")

    monkeypatch.setattr("anytimebn.learning.learn.learn", broken)
    monkeypatch.setenv("ANYTIMEBN_DEBUG", "0")
    ended = Ended("learn", table)
    assert ended.status == 1
    assert "RuntimeError: the core has melted" in ended.err
    assert "report" in ended.err
    assert "Traceback" not in ended.err
    assert "Traceback" in Ended("--debug", "learn", table).err


# --- generate, score, learn, verify, list ---


def test_commands_work_together(tmp_path: Path) -> None:
    data, network = tmp_path / "data.csv", tmp_path / "net.bif"
    scores, result = tmp_path / "scores.pss", tmp_path / "result.json"
    made = run(
        *("generate", "--variables", 7, "--max-parents", 2, "--rows", 300, "--seed", 1),
        *("--arity", "2-3", "-o", data, "--network", network),
    )
    assert made.returncode == 0, made.stderr
    assert len(read_network(network).names) == 7
    scored = run("score", data, "-o", scores, "--score", "bdeu", "--ess", 2, "--max-parents", 3)
    assert scored.returncode == 0, scored.stderr
    assert re.search(r"joint tables.*MiB|joint tables.*[KB]", scored.stdout)
    assert "larger sets are not considered" in scored.stdout
    assert re.search(r"by size +7 of 0, ", scored.stdout)
    learnt = run("learn", scores, "--json", result, "-o", tmp_path / "net.dot")
    assert learnt.returncode == 0, learnt.stderr
    assert "optimal up to 3 parents: proven" in learnt.stdout
    assert f"wrote {result}" in learnt.stdout
    assert (tmp_path / "net.dot").read_text().startswith("digraph")
    verified = run("verify", result, "--data", data, "--scores", scores)
    assert verified.returncode == 0, verified.stdout + verified.stderr
    assert "cost from the data" in verified.stdout
    assert "verified" in verified.stdout
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_score_says_before_it_counts_whether_larger_sets_are_ruled_out(tmp_path: Path) -> None:
    data = tmp_path / "data.csv"
    assert Ended("generate", "--variables", 9, "--rows", 20, "-o", data).status == 0
    required = ("--require", "X01->X02")
    for limit, options, said in [
        (5, (), "no larger set can be optimal"),
        (5, required, "no larger set can be optimal"),
        (2, required, "larger sets are not considered"),
    ]:
        ended = Ended("score", data, "-o", tmp_path / "s.jkl", "--max-parents", limit, *options)
        assert ended.status == 0, ended.err
        assert said in ended.out


def test_generate_gives_the_same_files_for_the_same_seed(tmp_path: Path) -> None:
    for name, seed in (("a.csv", 1), ("b.csv", 1), ("c.csv", 2)):
        options = ("--variables", 5, "--rows", 50, "--seed", seed)
        assert Ended("generate", *options, "-o", tmp_path / name).status == 0
    one, same, other = ((tmp_path / name).read_text() for name in ("a.csv", "b.csv", "c.csv"))
    assert one == same != other


def test_bound_proves_what_a_local_search_finds(scores: Path, tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    options = ("--algorithm", "ordering-search", "--parameter", "restarts=2", "--json", path)
    for more in (("--bound",), ("--bound", "--time-limit", "30")):
        ended = Ended("learn", scores, *options, *more)
        assert ended.status == 0, ended.err
        content = json.loads(path.read_text())
        assert content["status"] == "optimal"
        assert content["certificate"]["lower_bound"] == pytest.approx(content["cost"], abs=1e-5)
        assert Ended("verify", path, "--scores", scores).status == 0


def test_learn_prints_network_bounds_and_limit(table: Path) -> None:
    out = Ended("learn", table).out
    assert "optimal: proven, no network costs less" in out
    assert re.search(r"  (A <- B|B <- A)\n", out)
    assert re.search(r"cost +\d+\.\d+ nats", out)
    assert re.search(r"lower bound +\d+\.\d+\n", out)
    assert re.search(r"gap +0 %: optimal\n", out)
    assert out.endswith("optimal: proven, no network costs less\n")
    assert "larger sets are ruled out" in out
    assert re.search(r"time +.*scoring .*", out)


def test_learn_writes_every_format(table: Path, tmp_path: Path) -> None:
    names = ["n.bif", "n.xmlbif", "n.dot", "n.json", "n.png", "n.svg"]
    options = [word for name in names for word in ("-o", tmp_path / name)]
    ended = Ended("learn", table, *options)
    assert ended.status == 0, ended.err
    for name in names:
        assert (tmp_path / name).stat().st_size > 0
        assert f"wrote {tmp_path / name}" in ended.out
    assert read_network(tmp_path / "n.bif").names == ("A", "B", "C")


def test_quiet_prints_nothing(table: Path, tmp_path: Path) -> None:
    ended = Ended("learn", table, "--quiet", "--json", tmp_path / "r.json")
    assert (ended.status, ended.out, ended.err) == (0, "", "")
    assert Ended("score", table, "-q", "-o", tmp_path / "s.jkl").out == ""
    assert json.loads((tmp_path / "r.json").read_text())["status"] == "optimal"


def test_output_that_is_no_terminal_gets_plain_text_only(table: Path) -> None:
    shown = run("learn", table)
    assert shown.stderr == ""
    assert "\x1b" not in shown.stdout
    assert "searching" not in shown.stdout


def test_learn_obeys_constraints(table: Path, tmp_path: Path) -> None:
    tiers = tmp_path / "tiers.txt"
    tiers.write_text("C\nA B\n")
    result = tmp_path / "r.json"
    options = ("--require", "C->A", "--forbid", "B->A", "--tiers", tiers, "--max-parents", 2)
    assert Ended("learn", table, *options, "--json", result).status == 0
    content = json.loads(result.read_text())
    assert content["parents"]["A"] == ["C"]
    assert content["parents"]["C"] == []
    assert content["constraints"]["require"] == [["C", "A"]]
    assert Ended("verify", result, "--data", table).status == 0


def test_learn_from_scores_obeys_forbidden_arcs(scores: Path) -> None:
    ended = Ended("learn", scores, "--forbid", "B->A", "--forbid", "A->B")
    assert ended.status == 0, ended.err
    assert "network of 3 variables and 0 arcs" in ended.out
    assert "within the constraints" in ended.out


@pytest.mark.parametrize("kind", ["algorithms", "heuristics", "scores"])
def test_list_shows_every_name_and_paper(kind: str) -> None:
    out = Ended("list", kind).out
    words = " ".join(re.sub("[│┃]", " ", out).split())
    for choice in KINDS[kind]():
        assert choice.name in out
        for word in choice.paper.split():
            assert word in words
        for parameter in getattr(choice, "parameters", ()):
            assert f"{parameter.name}={parameter.default:g}" in words


# --- verify ---


@pytest.fixture
def result(table: Path, tmp_path: Path) -> Path:
    path = tmp_path / "result.json"
    assert Ended("learn", table, "--json", path).status == 0
    return path


def test_verify_says_what_it_did_not_prove(
    result: Path, table: Path, scores: Path, tmp_path: Path
) -> None:
    ended = Ended("verify", result)
    assert ended.status == 6
    assert re.search(r"(○|open  ) cost: .* is not computed again", ended.out)
    assert re.search(
        r"(○|open  ) certificate: there is none; the lower bound .* is not proven again", ended.out
    )
    claimed = "that no network costs less is claimed, not proven again\n"
    assert ended.out.endswith(f"consistent: every check holds; {claimed}")
    # Few variables: their families are counted again, and all orders searched.
    ended = Ended("verify", result, "--data", table)
    assert ended.status == 0
    assert re.search(r"(✓|ok    ) search of all orders: repeated", ended.out)
    assert ended.out.endswith("that no network costs less is proven again\n")
    proven = tmp_path / "proven.json"
    assert Ended("learn", scores, "--algorithm", "relaxation", "--json", proven).status == 0
    out = Ended("verify", proven, "--scores", scores).out
    assert re.search(r"(✓|ok    ) certificate: it proves the lower bound", out)
    assert out.endswith("that no network costs less is proven again\n")


def test_verify_shows_the_limits_that_the_claim_is_about(table: Path, tmp_path: Path) -> None:
    result = tmp_path / "r.json"
    limits = ("--max-parents", 2, "--parent-limit", "A=0")
    assert Ended("learn", table, *limits, "--json", result).status == 0
    ended = Ended("verify", result, "--data", table)
    assert ended.status == 0
    assert "the largest set has 1; at most 2 are considered, 0 for 'A'" in ended.out
    assert "within the constraints" in ended.out.splitlines()[-1]


def test_verify_of_a_result_without_a_claim_ends_well(table: Path, tmp_path: Path) -> None:
    result = tmp_path / "r.json"
    assert Ended("learn", table, "--algorithm", "hill-climbing", "--json", result).status == 0
    for given in ((), ("--data", table)):
        ended = Ended("verify", result, *given)
        assert ended.status == 0
        assert "optimality is not claimed" in ended.out.splitlines()[-1]


def test_verify_fails_with_status_5_and_names_the_check(result: Path, table: Path) -> None:
    content = json.loads(result.read_text())
    content["parents"] = {"A": [], "B": [], "C": []}
    result.write_text(json.dumps(content))
    assert "probabilities" in Ended("verify", result).err  # these are of the other parents
    del content["probabilities"]
    result.write_text(json.dumps(content))
    assert Ended("verify", result).status == 6  # nothing contradicts itself yet
    ended = Ended("verify", result, "--data", table)
    assert ended.status == 5
    assert "not verified: cost from the data" in ended.err
    assert re.search(r"(✗|FAILED) cost from the data: recomputed", ended.out)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", r"r\.json, line 1: not JSON"),
        (b'{"status":\n oops', r"r\.json, line 2: not JSON"),
        (b"[1]", r"r\.json: not a result: expected a JSON object"),
        (b"{}", r"r\.json: not a result: the key 'status' is missing"),
        (b"\xff", r"r\.json: expected UTF-8"),
    ],
)
def test_verify_refuses_what_is_no_result(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "r.json"
    path.write_bytes(content)
    ended = Ended("verify", path)
    assert ended.status == 2
    assert re.search(message, ended.err)


@pytest.mark.parametrize("name", ["net.bif", "net.xmlbif", "net.net", "net.json"])
def test_verify_says_what_to_do_with_a_network(table: Path, tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    assert Ended("learn", table, "-o", path).status == 0
    ended = Ended("verify", path)
    assert ended.status == 2
    assert f"{name}: a network alone" in ended.err
    assert "give the file that learn --json" in ended.err
    assert f"learn DATA --start {path} --json RESULT.json" in ended.err
    # The advice can be taken.
    result = tmp_path / "RESULT.json"
    assert Ended("learn", table, "--start", path, "--json", result).status == 0
    assert Ended("verify", result, "--data", table).status == 0


def test_verify_refuses_absent_files_and_options_without_data(result: Path, tmp_path: Path) -> None:
    for arguments in (
        [tmp_path / "none.json"],
        [result, "--data", tmp_path / "none.csv"],
        [result, "--scores", tmp_path / "none.jkl"],
        [result, "--bins", 3],
    ):
        ended = Ended("verify", *arguments)
        assert ended.status == 2
        assert re.search(r"none\.|--data", ended.err)


@pytest.fixture
def numbers(tmp_path: Path) -> Path:
    path = tmp_path / "numbers.csv"
    path.write_text("x,y\n" + "".join(f"{i},{i % 3}\n" for i in range(60)) + "NA,1\n")
    return path


def test_verify_needs_the_same_intervals(numbers: Path, tmp_path: Path) -> None:
    result = tmp_path / "r.json"
    assert Ended("learn", numbers, "--bins", 3, "--missing", "drop", "--json", result).status == 0
    claim = json.loads(result.read_text())
    del claim["table_options"]  # as older versions wrote results
    result.write_text(json.dumps(claim))
    ended = Ended("verify", result, "--data", numbers)
    assert ended.status == 2
    assert "(x): give the same --bins" in ended.err
    assert "column 'x' is cut at" in Ended("verify", result, "--data", numbers, "--bins", 4).err
    assert Ended("verify", result, "--data", numbers, "--bins", 3).status == 0


def test_verify_reads_the_table_as_it_was_read(tmp_path: Path) -> None:
    numbers, result, scores = tmp_path / "n.csv", tmp_path / "r.json", tmp_path / "s.jkl"
    numbers.write_text("".join(f"{i},{i},{i % 3}\n" for i in range(60)) + "60,NA,1\n")
    reading = ["--no-header", "--exclude", "X0", "--missing", "drop", "--bins", 4]
    reading += ["--bin-method", "width"]
    assert Ended("learn", numbers, *reading, "--json", result).status == 0
    assert json.loads(result.read_text())["table_options"] == {
        "bins": 4,
        "bin_method": "width",
        "missing": "drop",
        "header": False,
        "exclude": ["X0"],
    }
    ended = Ended("verify", result, "--data", numbers)
    assert (ended.status, ended.err) == (0, "")
    ended = Ended("verify", result, "--data", numbers, *reading)
    assert (ended.status, ended.err) == (0, "")
    # A score file hands on how its table was read.
    assert Ended("score", numbers, *reading, "-o", scores).status == 0
    assert Ended("learn", scores, "--json", result).status == 0
    assert Ended("verify", result, "--data", numbers, "--scores", scores).status == 0


def test_verify_says_which_options_contradict_the_result(numbers: Path, tmp_path: Path) -> None:
    result = tmp_path / "r.json"
    assert Ended("learn", numbers, "--bins", 3, "--missing", "drop", "--json", result).status == 0
    ended = Ended("verify", result, "--data", numbers, "--missing", "category")
    assert ended.status == 5, "another table"
    assert "read with missing='category', as you ask for" in ended.err
    assert "learned with missing='drop'" in ended.err
    ended = Ended("verify", result, "--data", numbers, "--bins", 4)
    assert ended.status == 2
    assert "read with bins=4" in ended.err
    assert "column 'x' is cut at" in ended.err


def test_verify_refuses_options_that_are_none(table: Path, result: Path) -> None:
    claim = json.loads(result.read_text())
    result.write_text(json.dumps(claim | {"table_options": {"missing": "dorp"}}))
    ended = Ended("verify", result, "--data", table)
    assert ended.status == 2
    assert "not a result: 'table_options' cannot be used: unknown value of missing" in ended.err


def test_commands_share_their_blocks_of_options() -> None:
    def block(command: str, first: str, last: str) -> str:
        shown = Ended(command, "--help").out
        return shown[shown.index(f"  {first} ") :].partition(f"  {last}")[0]

    commands = ("learn", "score", "bootstrap", "verify")
    assert len({block(command, "--bins", "--exclude") for command in commands}) == 1
    assert len({block(command, "--require", "--knowledge") for command in commands[:3]}) == 1
    assert len({block(command, "--score", "-j, ") for command in commands[:3]}) == 1


def test_columns_can_be_left_out(tmp_path: Path) -> None:
    table, result = tmp_path / "people.csv", tmp_path / "r.json"
    rows = [f"{row},P{row},{row % 2},{row % 3}" for row in range(60)]
    table.write_text("\n".join(["number,id,ill,town", *rows]) + "\n")
    without = ["--exclude", "number", "--exclude", "id"]
    ended = Ended("learn", table, *without, "--json", result)
    assert (ended.status, ended.err) == (0, "")
    assert json.loads(result.read_text())["variables"] == ["ill", "town"]
    assert Ended("verify", result, "--data", table, *without).status == 0
    assert Ended("score", table, *without, "-o", tmp_path / "s.jkl").status == 0
    ended = Ended("learn", table, "--exclude", "nummer")
    assert ended.status == 2
    assert f"{table}: exclude: unknown column 'nummer' (did you mean 'number'?)" in ended.err


def test_summary_says_what_was_made_of_the_table(tmp_path: Path) -> None:
    table = tmp_path / "people.csv"
    rows = [f"P{row},{row / 7},{'' if row == 5 else row % 2},Wien" for row in range(60)]
    table.write_text("\n".join(["id,height,ill,town", *rows]) + "\n")
    ended = Ended("learn", table, "--bins", 3, "--missing", "drop")
    words = " ".join(ended.out.split())
    assert "table 59 rows; 1 more dropped for missing values; cut into intervals: height" in words
    assert "column 'id' has 59 values in 59 rows; leave it out" in ended.err
    assert "one value town" in words


# --- how it ends ---


@pytest.mark.parametrize(
    ("options", "status", "message"),
    [
        (["--require", "A->B", "--require", "B->A"], 3, "form a cycle: A -> B -> A"),
        (["--require", "A->B", "--forbid", "A->B"], 3, "both required and forbidden"),
        (["--require", "A=>B"], 2, "expected 'PARENT->CHILD'"),
        (["--forbid", "A->Bee"], 2, "no variable is named 'Bee'"),
        (["--tiers", "none.txt"], 2, "none.txt"),
        (["--score", "bdue"], 2, "did you mean 'bdeu'"),
        (["--score", "BIC"], 2, "did you mean 'bic'"),
        (["--algorithm", "astr"], 2, "unknown algorithm 'astr'"),
        (["--algorithm", "astar", "--heuristic", "simpel"], 2, "did you mean 'simple'"),
        (["--parameter", "weight"], 2, "NAME=VALUE"),
        (["--parameter", "wieght=2"], 2, "no parameter 'wieght'"),
        (["--max-parents", "many"], 2, "whole number from 0, or auto"),
        (["--max-parents", "-1"], 2, "whole number from 0, or auto"),
        (["--ess", "0"], 2, "ess must be between"),
        (["--jobs", "0"], 2, "jobs must be at least 1"),
        (["--gap", "-1"], 2, "gap must be at least 0"),
        (["--seed", "-1"], 2, "seed must be at least 0"),
        (["--time-limit", "-1"], 2, "time_limit must be at least 0"),
        (["--memory-limit", "lots"], 2, "write for example 8GiB"),
        (["--missing", "ignore"], 2, "error, drop, category"),
        (["--bin-method", "magic"], 2, "quantile, width"),
        (["--bins", "1"], 2, "bins is 1"),
        (["-o", "net"], 2, "a network cannot be written to a file without a suffix"),
        (["-o", "net.txt"], 2, "a network cannot be written to '.txt'"),
        (["-o", "no/such/folder/net.bif"], 2, "there is no folder no/such/folder"),
        (["--json", "."], 2, "this is a directory"),
        (["--json", "net.json", "-o", "./net.json"], 2, "two outputs have this name"),
    ],
)
def test_learn_error_has_its_status_and_writes_nothing(
    table: Path, monkeypatch: pytest.MonkeyPatch, options: list[str], status: int, message: str
) -> None:
    monkeypatch.chdir(table.parent)
    ended = Ended("learn", table, "-o", "good.dot", *options)
    assert ended.status == status, ended.err
    assert message in ended.err
    assert len(ended.err.strip().splitlines()) <= 2
    assert [path.name for path in table.parent.iterdir()] == ["table.csv"]


def test_time_limit_before_scoring_ends_leaves_a_network(tmp_path: Path) -> None:
    data, result = tmp_path / "wide.csv", tmp_path / "r.json"
    assert Ended("generate", "--variables", 25, "--rows", 2000, "-o", data).status == 0
    options = ("--score", "bdeu", "--max-parents", 7, "--time-limit", 0.01)
    ended = Ended("learn", data, *options, "--json", result)
    assert ended.status == 0
    assert "time limit reached" in ended.out
    assert json.loads(result.read_text())["status"] == "time"


@pytest.mark.parametrize("suffix", ["bif", "xmlbif"])
def test_learn_from_scores_refuses_formats_with_probabilities(scores: Path, suffix: str) -> None:
    ended = Ended("learn", scores, "-o", scores.parent / f"net.{suffix}")
    assert ended.status == 2
    assert "needs probabilities" in ended.err


@pytest.mark.parametrize(
    "option",
    ["--score=bdeu", "--max-parents=2", "--ess=1", "--bins=3", "--missing=drop", "--no-header"],
)
def test_learn_from_scores_refuses_options_of_tables(scores: Path, option: str) -> None:
    ended = Ended("learn", scores, option)
    assert ended.status == 2
    assert f"{option.partition('=')[0]} is for tables" in ended.err


def test_score_refuses_bad_outputs_before_reading(tmp_path: Path) -> None:
    for name in ("x.csv", "x", "none/x.jkl"):
        ended = Ended("score", tmp_path / "no-such-table.csv", "-o", tmp_path / name)
        assert ended.status == 2
        assert str(tmp_path / name) in ended.err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--variables", 1], "variables must be at least 2"),
        (["--arity", "two"], "--arity is 'two'"),
        (["--arity", "4-2"], "arity is (4, 2)"),
        (["--rows", 0], "rows must be at least 1"),
        (["--seed", -1], "--seed is -1"),
        (["--network", "n.txt"], "n.txt: a network cannot be written"),
        (["-o", "data.xlsx"], "a table is written to .csv, .tsv, .parquet"),
    ],
)
def test_generate_error_writes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: list[object], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    ended = Ended("generate", "--variables", 4, "--rows", 9, "-o", "d.csv", *options)
    assert ended.status == 2
    assert message in ended.err
    assert list(tmp_path.iterdir()) == []


def test_failure_to_write_one_file_leaves_none(tmp_path: Path) -> None:
    """A name that BIF cannot hold is only met when the network is written."""
    table = tmp_path / "odd.csv"
    table.write_text(TABLE.replace("A,B,C", "A,B,C\x01", 1))
    old = tmp_path / "r.json"
    old.write_text("old")
    ended = Ended("learn", table, "--json", old, "-o", tmp_path / "n.xmlbif")
    assert ended.status == 2
    assert f"{tmp_path / 'n.xmlbif'}: the name" in ended.err
    assert old.read_text() == "old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["odd.csv", "r.json"]


# --- signals ---


def started(*arguments: object) -> subprocess.Popen[str]:
    command = [*COMMAND, *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def wait_for(told: str, lines: IO[str] | None) -> None:
    """Wait until a command says that it has come so far."""
    assert lines is not None
    said = []
    for line in lines:
        if told in line:
            return
        said.append(line)
    raise AssertionError(f"it ended without {told!r}: {said}")


def test_branch_and_cut_from_scratch(scores: Path, tmp_path: Path) -> None:
    result = tmp_path / "r.json"
    ended = Ended("learn", scores, "--algorithm", "ilp", "--from-scratch", "--json", result)
    assert ended.status == 0, ended.err
    assert "dual tolerance" in ended.out
    content = json.loads(result.read_text())
    assert content["status"] == "optimal"
    assert content["parameters"] == {"from-scratch": 1}
    other = Ended("learn", scores, "--algorithm", "astar", "--from-scratch")
    assert other.status == 2
    assert "no parameter 'from-scratch'" in other.err


@pytest.mark.parametrize("kind", [signal.SIGINT, signal.SIGTERM])
def test_signal_during_search_keeps_the_network(
    large: Path, tmp_path: Path, kind: signal.Signals
) -> None:
    result = tmp_path / "r.json"
    options = ("--algorithm", "dynamic-programming", "--no-components")
    outputs = ("--json", result, "-o", tmp_path / "n.dot")
    process = started("--log", "info", "learn", large, *options, *outputs)
    try:
        wait_for("searching with dynamic-programming", process.stderr)
        process.send_signal(kind)
        out, err = process.communicate(timeout=GUARD)
    finally:
        process.kill()
    assert process.returncode == 0, err
    assert "interrupted: at most" in out
    content = json.loads(result.read_text())
    assert content["status"] == "interrupted"
    assert content["lower_bound"] <= content["cost"]
    assert (tmp_path / "n.dot").exists()
    assert Ended("verify", result, "--scores", large).status == 0


def test_interrupt_during_scoring_ends_with_status_4(large: Path, tmp_path: Path) -> None:
    options = ("--score", "bdeu", "--max-parents", 11, "--memory-limit", "64GiB")
    output = tmp_path / "s.jkl"
    process = started("score", large.with_suffix(".csv"), "-o", output, *options)
    try:
        wait_for("scoring: ", process.stdout)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=GUARD)
    finally:
        process.kill()
    assert process.returncode == 4
    assert err == "interrupted before there was a result; nothing was written\n"
    assert list(tmp_path.iterdir()) == []


def test_closed_pipe_is_no_crash() -> None:
    process = started("list", "algorithms")
    assert process.stdout is not None
    process.stdout.close()
    assert process.stderr is not None
    assert "Traceback" not in process.stderr.read()
    process.stderr.close()
    process.wait(timeout=GUARD)


# --- malformed files ---

HEAD = "@attribute A {a,b}\n@attribute B numeric\n"
MALFORMED: dict[str, tuple[str, str | bytes, str]] = {
    # case: (file name, content, what the message says of the place)
    "empty": ("a.csv", "", r"the file is empty"),
    "header only": ("a.csv", "A,B\n", r"no rows"),
    "one column": ("a.csv", "A:B\n1:2\n", r"line 1 has only one column"),
    "short row": ("a.csv", "A,B,C\n1,2,3\n1,2\n", r"line 3 has 2 cells, expected 3"),
    "long row": ("a.csv", "A,B\n1,2\n1,2,3\n", r"line 3 has 3 cells, expected 2"),
    "ragged tsv": ("a.tsv", "A\tB\n1\t2\n1\t2\t\n", r"line 3 has 3 cells"),
    "ragged gz": ("a.csv.gz", gzip.compress(b"A,B\n1\n"), r"line 2 has 1 cell"),
    "broken gz": ("a.csv.gz", b"A,B\n1,2\n", r"cannot be read"),
    "same names": ("a.csv", "A,B,A\n1,2,3\n", r"duplicate column names: 'A'"),
    "no name": ("a.csv", "A,,B\n0,1,2\n", r"column 2 has no name"),
    "not utf-8": ("a.csv", b"A,B\n1,2\n1,\xe9\n", r"line 3 is not UTF-8"),
    "utf-16": ("a.csv", "A,B\n1,2\n".encode("utf-16"), r"line 1 is not UTF-8"),
    "open quote": ("a.csv", 'A,B\n1,2\n1,"2\n1,2\n', r"line 3: a quote is opened"),
    "numbers": ("a.csv", "A,B\n" + "".join(f"{i},x\n" for i in range(99)), r"'A' \(99.*--bins"),
    "missing": ("a.csv", "A,B\n1,x\n1,\n", r"'B' \(1 missing, first at line 3\).*--missing"),
    "binary": ("a.csv", bytes(range(128, 256)), r"line 1 is not UTF-8"),
    "suffix": ("a.doc", "A,B\n1,2\n", r"neither a table nor a score file.*\.csv"),
    "no suffix": ("table", "A,B\n1,2\n", r"neither a table nor a score file"),
    "parquet": ("a.parquet", b"PAR1 broken PAR1", r"not a parquet file"),
    "dat arity": ("a.dat", "A B\n2 x\n0 1\n", r"line 2: .* of 'B' is 'x'"),
    "dat ragged": ("a.dat", "A B\n2 2\n0 1\n\n0 1 1\n", r"line 5 has 3 cells"),
    "dat values": ("a.dat", "A B\n2 2\n0 1\n0 0\n0 2\n", r"line 5: '2' is one value more"),
    "arff type": ("a.arff", "@attribute A colour\n@data\n", r"line 1: type 'colour'"),
    "arff value": ("a.arff", HEAD + "@data\na,1\nc,2\n", r"line 5: 'c' is not one of"),
    "arff quote": ("a.arff", HEAD + "@data\n'a,1\n", r"line 4: a quote"),
    "arff sparse": ("a.arff", HEAD + "@data\n{0 a}\n", r"line 4: sparse rows"),
    "jkl empty": ("x.jkl", "", r"line 1: expected the number of variables"),
    "jkl count": ("x.jkl", "two\n", r"line 1: expected the number of variables.*'two'"),
    "jkl header": ("x.jkl", "1\nA\n", r"line 2: expected 'name count'"),
    "jkl score": ("x.jkl", "1\nA 1\nx 0\n", r"line 3: expected a score"),
    "jkl nan": ("x.jkl", "1\nA 2\n-1 0\nnan 0\n", r"line 4: expected a finite score"),
    "jkl size": ("x.jkl", "2\nA 1\n-1 2 B\n", r"line 3: expected 2 parents, found 1"),
    "jkl parent": ("x.jkl", "2\nA 1\n-1 1 Bee\nB 1\n-1 0\n", r"line 3: unknown parent 'Bee'"),
    "jkl own parent": ("x.jkl", "2\nA 1\n-1 1 A\nB 1\n-1 0\n", r"line 3: variable 'A' is among"),
    "jkl end": ("x.jkl", "2\nA 1\n-1 0\n", r"line 3: .*expected 2 variables, found 1"),
    "jkl extra": ("x.jkl", "1\nA 1\n-1 0\nB 1\n", r"line 4: expected the end"),
    "jkl twice": ("x.jkl", "2\nA 1\n-1 0\nA 1\n-1 0\n", r"line 4: variable 'A'"),
    "jkl utf-8": ("x.jkl", b"1\nA\xff 1\n-1 0\n", r"line 2: expected UTF-8"),
    "pss empty": ("x.pss", "", r"line 1: expected 'VAR name'"),
    "pss order": ("x.pss", "META a=b\n-1\n", r"line 2: expected 'META"),
    "pss arity": ("x.pss", "VAR A\nMETA arity=two\n-1\n", r"line 2: expected the arity"),
    "pss no sets": ("x.pss", "VAR A\nVAR B\n-1\n", r"line 1: variable 'A' has no parent set"),
    "pss parent": ("x.pss", "VAR A\n-1 0\nVAR B\n-1\n", r"line 2: unknown parent '0'"),
}


@pytest.mark.parametrize("case", MALFORMED)
def test_malformed_input_ends_with_status_2_and_names_the_place(tmp_path: Path, case: str) -> None:
    name, content, message = MALFORMED[case]
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    ended = Ended("learn", path, "--json", tmp_path / "r.json", "-o", tmp_path / "n.dot")
    assert ended.status == 2
    assert ended.err.startswith(f"error: {path}")
    assert re.search(message, ended.err)
    assert len(ended.err.strip().splitlines()) <= 2
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("case", ["short row", "binary", "jkl parent", "parquet"])
def test_malformed_input_shows_no_traceback_in_a_process(tmp_path: Path, case: str) -> None:
    name, content, message = MALFORMED[case]
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    ended = run("learn", path)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert re.search(message, ended.stderr)
    assert "Traceback" not in ended.stderr


@pytest.mark.skipif(os.geteuid() == 0, reason="the administrator may write anywhere")
def test_folder_without_permission_is_refused_at_once(table: Path, tmp_path: Path) -> None:
    folder = tmp_path / "locked"
    folder.mkdir(mode=0o500)
    ended = Ended("learn", table, "--json", folder / "r.json")
    assert ended.status == 2
    assert "no permission" in ended.err


def test_score_files_may_tell_anything_of_their_table(tmp_path: Path) -> None:
    path = tmp_path / "scores.jkl"
    told = '{"rows": "many", "rows_dropped": "some", "bins": 3}'
    path.write_text(f"# metadata: {told}\n2\nA 1\n-1.0 0\nB 1\n-1.0 0\n")
    ended = Ended("learn", path)
    assert ended.status == 0
    assert "rows" not in ended.out


# ---- checkpoints ----


def killed_after(lines: int, words: str, *arguments: object) -> None:
    """Run a command, and kill it when its log has so many lines with these words."""
    command = [*COMMAND, "--log", "debug", *map(str, arguments)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        for line in process.stderr:
            lines -= words in line
            if lines <= 0:
                process.kill()
                break


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="nothing kills at once here")
@pytest.mark.parametrize(
    ("lines", "words"),
    [(1, "wrote"), (2, "wrote"), (2, "lower bound"), (4, "lower bound"), (3, "wrote")],
)
@pytest.mark.parametrize(("suffix", "options"), [(".jkl", ()), (".csv", ("--max-parents", 2))])
def test_run_that_was_killed_is_resumed(
    lines: int, words: str, suffix: str, options: tuple[object, ...], large: Path, tmp_path: Path
) -> None:
    """By what it has done, not by seconds; if it has ended before that, its result is given."""
    source = large.with_suffix(suffix)
    checkpoint, written = tmp_path / "run", tmp_path / "result.json"
    killed_after(lines, words, "learn", source, "--checkpoint", checkpoint, *options)
    saved = read_checkpoint(checkpoint)
    ended = run("resume", checkpoint, "--json", written, "-o", tmp_path / "network.json")
    assert ended.returncode == 0, ended.stderr
    result = json.loads(written.read_text())
    undisturbed = tmp_path / "undisturbed.json"
    assert run("learn", source, *options, "--json", undisturbed).returncode == 0
    best = json.loads(undisturbed.read_text())
    assert (result["claim"], result["status"]) == (best["claim"], best["status"])
    assert result["cost"] == pytest.approx(best["cost"])
    assert ("resumed_at" in result) == (saved.result is None)
    told = result["events"][len(saved.state.events) :]
    bounds = [event["lower_bound"] for event in told if event["lower_bound"] is not None]
    for proofs in saved.state.evidence.values() if saved.result is None else ():
        hidden = 1e-6 * len(saved.state.names)
        assert bounds[0] >= max(proof.lower_bound or 0.0 for proof in proofs) - hidden
    # What a search proved, verify does not prove again.
    assert run("verify", written, "--scores", large).returncode in (0, 6)
    assert (tmp_path / "network.json").exists()


def test_resume_says_what_is_wrong(table: Path, tmp_path: Path) -> None:
    ended = Ended("resume", table)
    assert ended.status == 2
    assert "not a checkpoint" in ended.err
    assert "--checkpoint" in ended.err
    checkpoint = tmp_path / "run"
    assert Ended("learn", table, "--checkpoint", checkpoint).status == 0
    table.write_text(TABLE + "0,1,0\n")
    ended = Ended("resume", checkpoint)
    assert ended.status == 2
    assert "changed since" in ended.err
    ended = Ended("learn", table, "--checkpoint", table)
    assert (ended.status, "not a checkpoint" in ended.err) == (2, True)
    ended = Ended("learn", table, "--checkpoint", checkpoint, "--json", checkpoint)
    assert (ended.status, "two outputs" in ended.err) == (2, True)
