"""``anytimebn watch``: what is shown of results, checkpoints and studies."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import numpy as np
import pytest
from page_client import Reader, ask, close_readers
from stopping import GUARD
from typer.testing import CliRunner

import anytimebn as ab
from anytimebn.cli.application import application
from anytimebn.evaluation.on_page import SavedStudy
from anytimebn.learning.saved_on_page import SavedCheckpoint
from anytimebn.watch.page.saved import SavedPage, SavedResult

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

TABLE = np.array([[0, 0, 1], [1, 1, 0], [0, 0, 0], [1, 1, 1]] * 10)
COMMAND = [sys.executable, "-c", "from anytimebn.cli import main; main()"]


@pytest.fixture(autouse=True)
def _readers() -> Iterator[None]:
    yield
    close_readers()


@pytest.fixture
def result(tmp_path: Path) -> Path:
    path = tmp_path / "result.json"
    ab.learn(TABLE).save(path)
    return path


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("study")
    (folder / "table.csv").write_text("A,B,C\n" + "0,0,1\n1,1,0\n0,0,0\n1,1,1\n" * 10)
    arguments = ["evaluate", "table1", "--data", str(folder / "table.csv"), "--out"]
    ended = CliRunner().invoke(
        application, [*arguments, str(folder / "out"), "--algorithms", "astar", "--quiet"]
    )
    assert ended.exit_code == 0, ended.output
    return folder / "out"


def messages(page: SavedPage, last: str) -> dict[str, object]:
    found: dict[str, object] = {}
    for kind, content in Reader(page.address):
        found[kind] = content
        if kind == last:
            return found
    raise AssertionError(f"ended without {last}")


def test_result_is_shown_with_all_that_it_has(result: Path) -> None:
    page = SavedPage(SavedResult(result))
    told = messages(page, "end")
    page.close()
    assert told["subject"]["title"] == "result.json"  # type: ignore[index]
    assert not told["subject"]["can_stop"]  # type: ignore[index]
    assert told["status"]["claim"] == "optimal"  # type: ignore[index]
    assert [arc[:2] for arc in told["network"]["arcs"]] == [[1, 0]]  # type: ignore[index]
    assert json.loads(told["end"]["files"]["result.json"]) == json.loads(result.read_text())  # type: ignore[index]


def test_result_that_is_written_anew_is_shown_anew(result: Path) -> None:
    page = SavedPage(SavedResult(result))
    reader = Reader(page.address)
    reader.until("end")
    ab.learn(TABLE, max_parents=0).save(result)
    page.look()
    assert reader.until("network")["arcs"] == []
    result.write_text("{")  # in the midst of being written by something else
    page.look()
    result.unlink()
    page.look()
    assert ask(page.address).status == 200
    page.close()


def test_checkpoint_of_a_run_that_has_not_ended(tmp_path: Path) -> None:
    file = tmp_path / "run.checkpoint"
    ab.learn(TABLE, checkpoint=file, time_limit=0)
    page = SavedPage(SavedCheckpoint(file))
    reader = Reader(page.address)
    status = reader.until("status")
    assert status["state"] == "saved"
    assert "anytimebn resume run.checkpoint" in status["detail"]
    assert ask(page.address, "network.bif").status == 404
    assert json.loads(ask(page.address, "network.json").text)["variables"] == ["X0", "X1", "X2"]
    assert ask(page.address, "stop", method="POST").status == 409
    ab.resume(file, data=TABLE, time_limit=np.inf)
    page.look()
    assert reader.until("status")["claim"] == "optimal"
    page.close()


def test_study_lists_its_runs_and_shows_each(study: Path) -> None:
    page = SavedPage(SavedStudy(study))
    told = Reader(page.address).until("study")
    run = next(run for run in told["runs"] if run["label"] == "astar")
    assert run["has_network"]
    shown = json.loads(ask(page.address, f"run?key={run['key']}").text)
    assert shown["status"]["state"] == "ended"
    assert shown["network"]["names"] == ["A", "B", "C"]
    assert len(shown["drawing"]["boxes"]) == 3
    assert shown["points"]["points"]
    network = json.loads(ask(page.address, f"network.json?key={run['key']}").text)
    assert network["variables"] == ["A", "B", "C"]
    assert ask(page.address, "run?key=other").status == 404
    for other in told["runs"]:
        assert ask(page.address, f"run?key={other['key']}").status == 200
    page.close()


def test_command_serves_until_ctrl_c_and_ends_well(result: Path) -> None:
    running = subprocess.Popen(
        [*COMMAND, "watch", str(result), "--no-browser"], stdout=subprocess.PIPE, text=True
    )
    assert running.stdout is not None
    address = re.findall(r"http://\S+", running.stdout.readline())[0]
    assert Reader(address).until("status")["claim"] == "optimal"
    running.send_signal(signal.SIGINT)
    running.communicate(timeout=GUARD)
    assert running.returncode == 0


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("missing", None, "give a result, a checkpoint, or the folder of a study"),
        ("table.csv", "A,B\n0,1\n", "a result that was saved"),
        ("run.checkpoint", "anytimebn checkpoint 3 x\n{}", "damaged or cut short"),
    ],
)
def test_what_cannot_be_shown_is_refused(
    name: str, content: str | None, message: str, tmp_path: Path
) -> None:
    if content is not None:
        (tmp_path / name).write_text(content)
    ended = CliRunner().invoke(application, ["watch", str(tmp_path / name)])
    assert ended.exit_code == 2
    assert message in ended.stderr


def test_folder_without_runs_is_refused(tmp_path: Path) -> None:
    ended = CliRunner().invoke(application, ["watch", str(tmp_path)])
    assert ended.exit_code == 2
    assert "there are no runs here" in ended.stderr
