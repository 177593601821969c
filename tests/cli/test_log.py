"""What is told beside results: the log, and warnings about the data."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

import anytimebn as ab
from anytimebn.cli.application import application
from anytimebn.network.random import generate

if TYPE_CHECKING:
    from pathlib import Path

TABLE = np.array([[0, 0, 1], [1, 1, 0], [0, 0, 0], [1, 1, 1]] * 10)
PATIENTS = pd.DataFrame(TABLE, columns=["A", "B", "C"]).assign(id=[f"p{i}" for i in range(40)])


@pytest.fixture(autouse=True)
def _package_logger():
    """Leave the logger of the package as it was."""
    log = logging.getLogger("anytimebn")
    handlers, level = list(log.handlers), log.level
    yield
    for handler in set(log.handlers) - set(handlers):
        log.removeHandler(handler)
        handler.close()
    log.setLevel(level)


@pytest.fixture
def patients(tmp_path: Path) -> Path:
    path = tmp_path / "patients.csv"
    PATIENTS.to_csv(path, index=False)
    return path


def test_the_log_tells_each_stage(caplog):
    with caplog.at_level(logging.DEBUG, "anytimebn"):
        result = ab.learn(TABLE)
    told = [(record.name, record.levelname, record.message) for record in caplog.records]
    assert told[0][:2] == ("anytimebn.data.encode", "INFO")
    assert "40 rows, 3 variables of 2 to 2 values" in told[0][2]
    stages = [name for name, level, _ in told if level == "INFO"]
    assert stages.index("anytimebn.learning.planner") < stages.index("anytimebn.scores.scoring")
    scored = next(message for name, _, message in told if name == "anytimebn.scores.scoring")
    assert "parent sets of up to 2 can be optimal" in scored
    assert told[-1][2].startswith(f"search ended (optimal): cost {result.cost:.6f}")
    assert sum(level == "DEBUG" for _, level, _ in told) == len(result.events)


@pytest.mark.parametrize(
    ("easy_expansions", "route"),
    [(1e9, "the order graph ended before"), (0, "the linear program starts")],
)
def test_routes_of_auto_are_logged(caplog, monkeypatch, easy_expansions, route):
    monkeypatch.setattr("anytimebn.solver.routes.TURN_SECONDS", 1e-6)
    _, table = generate(25, 4, 1000, seed=1)
    with caplog.at_level(logging.INFO, "anytimebn"):
        ab.learn(table, max_parents=4, parameters={"easy-expansions": easy_expansions})
    told = [record.message for record in caplog.records if record.name == "anytimebn.solver.routes"]
    assert told[0].startswith(route)
    assert "searching with auto" in caplog.text


def test_nothing_is_shown_unless_asked_for(capfd):
    ab.learn(TABLE)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("where", ["stderr", "file"])
def test_the_command_shows_the_log(patients, tmp_path, where):
    log = tmp_path / "log.txt"
    options = ["--log", "debug"] + (["--log-file", str(log)] if where == "file" else [])
    ended = CliRunner().invoke(application, [*options, "learn", str(patients)])
    text = log.read_text() if where == "file" else ended.stderr
    assert ended.exit_code == 0
    assert "INFO anytimebn.scores.scoring: scored with mdl" in text
    assert "search ended (optimal)" in text
    assert ("scored with" in ended.stderr) == (where == "stderr")


def test_a_wrong_log_option_is_refused(patients, tmp_path):
    ended = CliRunner().invoke(application, ["--log", "loud", "learn", str(patients)])
    assert ended.exit_code == 2
    assert "loud" in ended.stderr
    assert "info, debug" in ended.stderr
    absent = tmp_path / "absent" / "log.txt"
    ended = CliRunner().invoke(application, ["--log-file", str(absent), "learn", str(patients)])
    assert ended.exit_code == 2
    assert f"{absent}: the log cannot be written" in ended.stderr


def test_a_column_that_only_tells_rows_apart_is_warned_of():
    with pytest.warns(ab.DataWarning, match="column 'id' has 40 values in 40 rows"):
        ab.to_dataset(PATIENTS)


def test_few_rows_that_all_differ_are_not_warned_of():
    ab.to_dataset(PATIENTS.head(32))  # any warning would fail the test


@pytest.mark.parametrize("quiet", [False, True])
def test_the_command_warns_in_one_line(patients, quiet):
    ended = CliRunner().invoke(application, ["learn", str(patients), *["--quiet"] * quiet])
    expected = f"warning: {patients}: column 'id' has 40 values in 40 rows; "
    lines = ended.stderr.splitlines()
    assert len(lines) == (0 if quiet else 1)
    assert quiet or lines[0].startswith(expected)


def test_the_command_that_verifies_does_not_warn_again(patients, tmp_path):
    result = tmp_path / "result.json"
    ended = CliRunner().invoke(application, ["learn", str(patients), "--json", str(result)])
    assert "warning" in ended.stderr
    ended = CliRunner().invoke(application, ["verify", str(result), "--data", str(patients)])
    assert (ended.exit_code, ended.stderr) == (0, "")
