"""A page on a search that runs: what it is told, how it stops, what it takes."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import threading
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from page_client import Reader, ask, close_readers
from stopping import GUARD

import anytimebn as ab
from anytimebn.base.clock import ManualClock
from anytimebn.base.report import ORDERS, SCORING, SEARCHING, BestNetwork, Report
from anytimebn.watch.page import live as live_module
from anytimebn.watch.page.board import Board
from anytimebn.watch.page.live import LivePage, Stopped
from anytimebn.watch.page.network_writer import PAUSE_SECONDS, NetworkWriter
from anytimebn.watch.page.serving import check_live, live_page
from anytimebn.watch.page.share import FIRST_SECONDS, SHARE, Share

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

TABLE = np.array([[0, 0, 1], [1, 1, 0], [0, 0, 0], [1, 1, 1]] * 10)
NAMES = ("a", "b", "c")
NONE, ONE, OTHER = ((), (), ()), ((), (0,), ()), ((1,), (), (0,))
COMMAND = [sys.executable, "-c", "from anytimebn.cli import main; main()"]


def report(parents: tuple[tuple[int, ...], ...] = ONE, **more: Any) -> Report:
    told = {"phase": SEARCHING, "seconds": 1.0, "cost": 10.0, "lower_bound": 9.0}
    return Report(**told | more, network=BestNetwork(NAMES, parents))


@pytest.fixture
def page() -> Iterator[LivePage]:
    made = LivePage("a table", working=ManualClock(tick=1000.0))  # nothing else works here
    yield made
    close_readers()
    made.close()


# --- what a page is told ---


def test_reports_carry_the_best_network() -> None:
    """Those of all stages on a table, and of a search of given scores."""
    for data in (TABLE, ab.score(TABLE)):
        heard: list[Report] = []
        found = ab.learn(data, progress=heard.append)
        networks = [told.network for told in heard if told.network is not None]
        assert networks[-1].names == found.network.names
        assert networks[-1].parents == found.network.parents


def test_reports_carry_strengths_when_these_are_known() -> None:
    heard: list[Report] = []
    ab.learn(TABLE, progress=heard.append, time_limit=60)
    known = [told.network.strengths for told in heard if told.network is not None]
    for strengths in known:
        assert strengths is None or all(nats > 0 for nats in strengths.values())


def test_values_move(page: LivePage) -> None:
    page(Report(phase=ORDERS, seconds=0.1))
    reader = Reader(page.address)
    assert reader.until("status")["step"] == "first network"
    page(report(lower_bound=None, space="the neighbourhood"))
    assert reader.until("network")["arcs"] == [[0, 1, None, True]]
    drawing = reader.until("drawing")
    assert drawing["labels"] == list(NAMES)
    assert len(drawing["routes"]) == 1
    page(report(OTHER, cost=9.5, space="the neighbourhood"))
    network = reader.until("network")
    assert (network["turned"], network["added"], network["lost"]) == ([[1, 0]], [[0, 2]], [])
    page(report(OTHER, cost=9.0, space="the neighbourhood"))
    status = reader.until("status")
    while not status["is_closed"]:
        status = reader.until("status")
    assert (status["step"], status["gap"], status["space"]) == (
        "proving",
        "0 %",
        "the neighbourhood",
    )


def test_history_has_every_change_of_cost_and_bound(page: LivePage) -> None:
    for cost, bound in ((10.0, None), (10.0, None), (9.0, None), (9.0, 8.0), (9.0, 8.5)):
        page(report(cost=cost, lower_bound=bound))
    page.fail(RuntimeError("melted"))
    page.close()
    told = [moment[1:3] for moment in page.board._moments]
    assert told == [(10.0, None), (9.0, None), (9.0, 8.0), (9.0, 8.5)]


def test_status_says_what_is_being_done(page: LivePage) -> None:
    reader = Reader(page.address)
    page(Report(phase=SCORING, seconds=1.0, fraction=0.25))
    status = reader.until("status")
    assert status["step"] == "growing"
    assert (status["fraction"], status["facts"]["done"]) == (0.25, "25 %")


def test_end_hands_over_all_that_people_may_want_to_keep() -> None:
    page = LivePage("a table")
    page.begin(ab.to_dataset(TABLE))
    reader = Reader(page.address)
    assert reader.until("subject")["can_stop"]
    result = ab.learn(TABLE, progress=page)
    page.finish(result)
    closing = threading.Thread(target=page.close)
    closing.start()
    messages = dict(reader)  # up to the end, which comes by itself
    closing.join()
    assert messages["status"]["state"] == "ended"
    assert messages["status"]["claim"] == "optimal"
    kept = messages["end"]["files"]
    assert json.loads(kept["result.json"]) == result.to_json()
    assert "probability ( X0 | X1 )" in kept["network.bif"]
    assert messages["points"]["points"][-1][1] == pytest.approx(result.cost)


def test_failure_is_told(page: LivePage) -> None:
    reader = Reader(page.address)
    with pytest.raises(ab.InputError), live_page(False, "t"):
        raise ab.InputError("no such column")
    page.fail(ab.InputError("no such column"))
    threading.Thread(target=page.close).start()
    assert reader.until("end")["words"] == "ended without a result: no such column"


def test_network_of_the_moment_can_be_saved(page: LivePage) -> None:
    assert ask(page.address, "network.json").status == 404  # there is none yet
    page(Report(phase=ORDERS, seconds=0.1, network=BestNetwork(("X0", "X1", "X2"), ONE)))
    told = json.loads(ask(page.address, "network.json").text)
    assert told["parents"] == {"X0": [], "X1": ["X0"], "X2": []}
    assert ask(page.address, "network.bif").status == 404  # nobody knows the probabilities
    page.begin(ab.to_dataset(TABLE))
    assert "probability ( X1 | X0 )" in ask(page.address, "network.bif").text


# --- stopping ---


def test_stop_ends_the_search_at_the_next_report_as_ctrl_c_does(page: LivePage) -> None:
    page(report())
    assert ask(page.address, "stop", method="POST").status == 202
    for _ in range(2):  # whoever went on once is told again
        with pytest.raises(Stopped):
            page(report())
    assert issubclass(Stopped, KeyboardInterrupt)


@pytest.mark.parametrize("space", ["grow", "complete", "neighbourhood"])
def test_stopped_run_keeps_what_it_has(space: str, capfd: pytest.CaptureFixture[str]) -> None:
    """Stopped at the first report, wherever that comes."""

    def stop(_: Report) -> None:
        if not stopped:
            address = capfd.readouterr().err.split()[-1]
            stopped.append(ask(address, "stop", method="POST").status)

    stopped: list[int] = []
    rng = np.random.default_rng(1)
    table = rng.integers(0, 2, (200, 12)) ^ rng.integers(0, 2, (200, 1))
    result = ab.learn(table, progress=stop, live=True, space=space)
    assert stopped == [202]
    assert result.status == "interrupted"
    assert len(result.network.names) == 12
    assert result.network.probabilities is not None


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A score file that dynamic programming needs many seconds for."""
    path = tmp_path_factory.mktemp("large") / "large.jkl"
    _, table = ab.generate(26, 3, 400, seed=1)
    ab.score(table, max_parents=2).save(path)
    return path


def start(*arguments: object) -> tuple[subprocess.Popen[str], str]:
    """Start the command with a live page, and read where that is."""
    command = [*COMMAND, *map(str, arguments)]
    running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert running.stderr is not None
    line = running.stderr.readline()
    assert line.startswith("live page: http://127.0.0.1:"), line
    return running, line.split()[-1]


def test_command_that_is_stopped_on_the_page_writes_its_result(large: Path, tmp_path: Path) -> None:
    file = tmp_path / "result.json"
    running, address = start(
        *("learn", large, "--live", "--algorithm", "dynamic-programming", "--json", file)
    )
    reader = Reader(address)
    while reader.until("status")["cost"] is None:
        pass
    assert ask(address, "stop", method="POST").status == 202
    assert reader.until("end")["words"].startswith("interrupted")
    _, errors = running.communicate(timeout=GUARD)
    assert (running.returncode, errors) == (0, "")
    assert ab.Result.load(file).status == "interrupted"


def test_command_ends_with_the_run_whoever_looks(large: Path, tmp_path: Path) -> None:
    """By Ctrl-C, with one page open and one that was closed."""
    file = tmp_path / "result.json"
    running, address = start(
        *("learn", large, "--live", "--algorithm", "dynamic-programming", "--json", file)
    )
    Reader(address).close()
    reader = Reader(address)
    reader.until("network")
    running.send_signal(signal.SIGINT)
    reader.until("end")
    running.communicate(timeout=GUARD)
    assert running.returncode == 0
    assert file.exists()


# --- what it takes ---


def test_nothing_is_drawn_while_nobody_looks() -> None:
    board = Board()
    writer = NetworkWriter(board, Share(ManualClock(), ManualClock()))
    writer.write(BestNetwork(NAMES, ONE), 0.0)
    assert board.content("network") is not None
    assert board.content("drawing") is None
    board.enter(1)
    writer.write(BestNetwork(NAMES, ONE), 0.1)
    assert board.content("drawing") is not None


def test_networks_are_drawn_no_more_often_than_their_share_allows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each drawing takes a second by the clock of the page, of a process that works on."""
    working, own = ManualClock(), ManualClock()
    drawn: list[bool] = []

    def draw(*_: object, quickly: bool) -> dict[str, Any]:
        own.advance(0.01 if quickly else 1.0)
        drawn.append(quickly)
        return {"number": len(drawn)}

    monkeypatch.setattr("anytimebn.watch.page.network_writer.drawing_json", draw)
    board, share = Board(), Share(working, own)
    board.enter(1)
    writer = NetworkWriter(board, share)
    for step in range(1000):
        working.advance(2.0)
        found = (ONE, OTHER)[step % 2]
        writer.write(BestNetwork(NAMES, found), PAUSE_SECONDS * (step + 1))
    assert {True, False} == set(drawn)
    assert share.seconds <= FIRST_SECONDS + SHARE * 2000 < 0.01 * 2000
    assert drawn.count(False) >= 5
    writer.write(BestNetwork(NAMES, NONE), 0.0, last=True)  # the last one in any case
    assert not drawn[-1]


def test_thread_of_the_search_only_hands_over(page: LivePage) -> None:
    """It needs no lock that a thread of the page might hold for ever."""
    with page.board._news:
        for number in range(1000):
            page(report(cost=10.0 - number / 1000))
    assert len(page._heard) <= 1000


def test_page_that_cannot_be_written_harms_nothing(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("melted")

    monkeypatch.setattr(live_module, "status_json", broken)
    monkeypatch.setattr(live_module, "ended_json", broken)
    result = ab.learn(TABLE, live=True)
    assert result.claim == "optimal"
    assert "melted" in caplog.text


# --- who asks for it ---


@pytest.mark.parametrize("wrong", [0, -1, 65536, "yes", 1.5, None])
def test_live_is_a_truth_value_or_a_port(wrong: object) -> None:
    with pytest.raises(ab.InputError, match="live must be True, False, or a port"):
        check_live(wrong)
    with pytest.raises(ab.InputError, match="live must be True, False, or a port"):
        ab.learn(TABLE, live=wrong)  # type: ignore[arg-type]


def test_port_can_be_chosen_and_is_free_again_afterwards(
    page: LivePage, capfd: pytest.CaptureFixture[str]
) -> None:
    port = int(page.address.split(":")[2].split("/")[0])
    with pytest.raises(ab.InputError, match=f"port {port} of 127.0.0.1"):
        ab.learn(TABLE, live=port)
    page.close()
    ab.learn(TABLE, live=port)
    assert f"live page: http://127.0.0.1:{port}/" in capfd.readouterr().err


def test_checkpoint_is_resumed_with_a_page(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "run.checkpoint"
    assert ab.learn(TABLE, checkpoint=file, time_limit=0).status == "time"
    assert ab.resume(file, data=TABLE, time_limit=np.inf, live=True).claim == "optimal"
    assert "live page: http" in capfd.readouterr().err


def test_estimator_serves_a_page(capfd: pytest.CaptureFixture[str]) -> None:
    learner = ab.BayesianNetworkLearner(live=True).fit(TABLE)
    assert "live page: http" in capfd.readouterr().err
    assert learner.result_.claim == "optimal"
    assert ab.BayesianNetworkLearner().get_params()["live"] is False
