"""Networks of resampled data: counted as they are, the same whatever runs beside them."""

from __future__ import annotations

import _thread
import csv
import itertools
import json
import threading
import time
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from stopping import GUARD
from strategies import random_table
from typer.testing import CliRunner

import anytimebn as ab
from anytimebn.cli.application import application
from anytimebn.draw.marks import ArcMark
from anytimebn.learning.replicates import rows_of
from anytimebn.learning.resampling import Edge
from anytimebn.learning.resampling_picture import mark_of, options_of_picture
from anytimebn.learning.task import LearnTask

if TYPE_CHECKING:
    from pathlib import Path

DATA = random_table([2, 3, 2, 2], rows=80, seed=2, noise=0.4)


def found(**options: object) -> ab.Bootstrap:
    return ab.bootstrap(DATA, **({"replicates": 12, "seed": 3, "gap": 0.0} | options))


def test_frequencies_are_counts_over_the_replicates() -> None:
    result = found()
    assert len(result.replicates) == 12
    assert {replicate.status for replicate in result.replicates} == {"optimal"}
    classes = [replicate.network.cpdag() for replicate in result.replicates]
    networks = [replicate.network for replicate in result.replicates]
    pairs = {frozenset(arc) for network in networks for arc in network.arcs}
    assert {frozenset((edge.first, edge.second)) for edge in result.edges} == pairs
    assert len({network.arcs for network in networks}) > 1  # the data are noisy enough
    for edge in result.edges:
        arc, back = (edge.first, edge.second), (edge.second, edge.first)
        assert DATA.names.index(arc[0]) < DATA.names.index(arc[1])
        assert edge.forward == np.mean([arc in network.arcs for network in networks])
        assert edge.backward == np.mean([back in network.arcs for network in networks])
        assert edge.directed_forward == np.mean([arc in c.directed for c in classes])
        assert edge.directed_backward == np.mean([back in c.directed for c in classes])
        assert edge.undirected == np.mean(
            [arc in c.undirected or back in c.undirected for c in classes]
        )
        of_classes = edge.directed_forward + edge.directed_backward + edge.undirected
        assert edge.adjacent == pytest.approx(of_classes)
    shares = [edge.adjacent for edge in result.edges]
    assert shares == sorted(shares, reverse=True)
    assert all(share > 0 for share in result.arc_frequencies.values())


def test_replicates_are_learned_from_the_rows_that_were_drawn() -> None:
    result = found()
    for number in (0, 7):
        rows = np.sort(np.random.default_rng([3, number]).integers(0, 80, 80))
        drawn = ab.Dataset(DATA.names, DATA.states, DATA.codes[:, rows])
        alone = ab.learn(drawn)
        assert result.replicates[number].cost == alone.cost
    assert result.result.cost == ab.learn(DATA).cost


def test_result_depends_on_the_seed_and_not_on_jobs() -> None:
    one, two = found(jobs=1), found(jobs=2)
    assert one.edges == two.edges
    assert [r.cost for r in one.replicates] == [r.cost for r in two.replicates]
    assert [r.cost for r in found(seed=4).replicates] != [r.cost for r in one.replicates]


def test_jackknife_leaves_out_each_row_once() -> None:
    left_out = [
        set(range(80)) - set(rows_of(80, number, 7, "jackknife", 3).tolist()) for number in range(7)
    ]
    assert sorted(row for rows in left_out for row in rows) == list(range(80))
    result = found(method="jackknife", replicates=7)
    assert len(result.replicates) == 7
    assert result.method == "jackknife"


def test_constraints_hold_in_every_replicate() -> None:
    result = found(require=["X3->X0"], forbid=["X1->X2"], score="bdeu", max_parents=2)
    frequencies = result.arc_frequencies
    assert frequencies["X3", "X0"] == 1.0
    assert ("X1", "X2") not in frequencies


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"replicates": 0}, "replicates must be at least 1, not 0"),
        ({"method": "jacknife"}, "choose one of bootstrap, jackknife"),
        ({"method": "jackknife", "replicates": 81}, "a jackknife of 80 rows needs 2 to 80"),
        ({"jobs": 0}, "jobs must be at least 1"),
        ({"score": "mdk"}, "unknown score 'mdk'"),
        ({"gap": -1}, "gap must be at least 0"),
        ({"replicates": 2.5}, "replicates must be a whole number, at least 1, not 2.5"),
        ({"replicate": 5}, "bootstrap: unknown option 'replicate'"),
        ({"max_parent": 2}, r"unknown option 'max_parent' \(did you mean 'max_parents'\?\)"),
        ({"progress": 1}, "progress must be a function of one argument, or None, not 1"),
    ],
)
def test_wrong_options_are_explained(options: dict[str, object], message: str) -> None:
    with pytest.raises(ab.InputError, match=message):
        found(**options)


def test_scores_cannot_be_resampled(tmp_path: Path) -> None:
    scores = ab.score(DATA)
    scores.save(tmp_path / "scores.jkl")
    for given in (scores, tmp_path / "scores.jkl"):
        with pytest.raises(ab.InputError, match="give the table"):
            ab.bootstrap(given)


def test_failure_of_a_replicate_is_raised_and_ends_the_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    run = LearnTask.run

    def broken(task: LearnTask, **watching: Any) -> ab.Result:
        if task.settings.jobs == 1:
            raise RuntimeError("broken")
        return run(task, **watching)

    monkeypatch.setattr(LearnTask, "run", broken)
    with pytest.raises(RuntimeError, match="broken"):
        found(jobs=2)


def test_reports_count_the_replicates_from_the_beginning() -> None:
    reports: list[ab.Report] = []
    found(replicates=5, progress=reports.append)
    assert {(one.phase, one.replicates) for one in reports} == {("replicates", 5)}
    done = [one.done for one in reports]
    assert done == sorted(done)
    assert (done[0], done[-1]) == (0, 5)
    assert [one.fraction for one in reports] == [one.done / 5 for one in reports]


def test_interrupt_keeps_what_is_done() -> None:
    def interrupt(now: ab.Report) -> None:
        assert now.replicates == 10**6
        if now.done >= 3:
            raise KeyboardInterrupt

    result = found(replicates=10**6, progress=interrupt)
    assert 3 <= len(result.replicates) < 10**6
    assert result.asked == 10**6
    assert repr(result).startswith(f"Bootstrap({len(result.replicates)} of 1000000 replicates")


def test_interrupt_ends_replicates_that_take_long(monkeypatch: pytest.MonkeyPatch) -> None:
    run = LearnTask.run
    begun = itertools.count()
    ended = threading.Semaphore(0)

    def endless(task: LearnTask, **watching: Any) -> ab.Result:
        if task.settings.jobs != 1:  # of all data
            return run(task, **watching)
        if next(begun) == 1:  # the other thread has begun, too
            _thread.interrupt_main()
        try:
            while True:
                time.sleep(0.01)
                watching["progress"](None)
        finally:
            ended.release()

    monkeypatch.setattr(LearnTask, "run", endless)

    with pytest.raises(ab.LimitReached, match="before any replicate"):
        found(jobs=2)
    # The executor may not know a thread yet that it was about to start, and then waits for one.
    for _ in range(2):
        assert ended.acquire(timeout=GUARD)


def test_files_have_the_frequencies(tmp_path: Path) -> None:
    result = found()
    for suffix in ("json", "csv", "png", "svg"):
        result.save(tmp_path / f"arcs.{suffix}")
        assert (tmp_path / f"arcs.{suffix}").stat().st_size > 0
    saved = json.loads((tmp_path / "arcs.json").read_text())
    assert saved["replicates"] == 12
    assert saved["edges"][0]["adjacent"] == result.edges[0].adjacent
    assert len(saved["networks"]) == 12
    with (tmp_path / "arcs.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [row["first"] for row in rows] == [edge.first for edge in result.edges]
    assert [float(row["forward"]) for row in rows] == [edge.forward for edge in result.edges]
    with pytest.raises(ab.InputError, match=r"'\.txt'; use \.json, \.csv"):
        result.save(tmp_path / "arcs.txt")


def test_picture_shows_how_frequent_the_edges_are() -> None:
    result = found()
    caption = result.plot().axes[0].texts[0].get_text()
    assert caption.startswith("width: share of 12 replicates with the edge")


def test_picture_tells_a_sure_edge_from_a_sure_direction() -> None:
    """Two variables are adjacent in every replicate, and no data can direct them."""
    pair = ab.bootstrap(np.array([[0, 0], [1, 1]] * 100), replicates=10, seed=1)
    (edge,) = pair.edges
    assert (edge.adjacent, edge.undirected) == (1.0, 1.0)
    picture = options_of_picture(pair, pair.result.network, labels=True)
    assert set(picture["marks"].values()) == {ArcMark(head="none", label="100%")}
    assert set(picture["weights"].values()) == {1.0}
    assert picture["roots"] == set()
    assert "no head: direction unsure" in picture["note"]
    texts = [text.get_text() for text in pair.plot(labels=False).axes[0].texts]
    assert "100%" not in texts


@pytest.mark.parametrize(
    ("directed", "turned", "head", "label"),
    [
        (0.9, 0.0, "end", "90%"),
        (0.6, 0.1, "end", "90%\n→ 60%"),
        (0.1, 0.6, "start", "90%\n→ 60%"),
        (0.45, 0.45, "none", "90%"),
        (0.4, 0.0, "none", "90%"),
    ],
)
def test_heads_are_drawn_where_most_classes_have_them(
    directed: float, turned: float, head: Any, label: str
) -> None:
    edge = Edge("a", "b", 0.9, 0.0, directed, turned, 0.9 - directed - turned)
    assert mark_of(edge) == ArcMark(head=head, label=label)


def test_command_line_prints_and_writes(tmp_path: Path) -> None:
    table, out = tmp_path / "table.csv", tmp_path / "arcs.json"
    DATA.to_pandas().to_csv(table, index=False)
    options = ["-r", "12", "--seed", "3", "--gap", "0", "--at-least", "0.5", "-o", str(out)]
    ended = CliRunner().invoke(application, ["bootstrap", str(table), *options])
    assert ended.exit_code == 0, ended.stderr
    assert "12 replicates (12 optimal)" in ended.stdout
    expected = [edge for edge in found().edges if edge.adjacent >= 0.5]
    assert f"{len(expected)} pairs are adjacent in at least 50%" in ended.stdout
    for edge in expected:
        assert f"{edge.first} - {edge.second}" in ended.stdout
    assert json.loads(out.read_text())["edges"][0]["forward"] == found().edges[0].forward
    for wrong, message in (
        (["-o", "x.txt"], "use .json, .csv"),
        (["--method", "jack"], "choose one of bootstrap, jackknife"),
        (["--at-least", "nan"], "--at-least must be a share between 0 and 1, not nan"),
    ):
        ended = CliRunner().invoke(application, ["bootstrap", str(table), *wrong])
        assert ended.exit_code == 2
        assert message in ended.stderr


def test_command_line_writes_what_the_replicates_agree_on(tmp_path: Path) -> None:
    table = tmp_path / "t.csv"
    cells = [["x" if cell else "y" for cell in row] for row in DATA.codes.T]
    cells[3][1] = ""
    table.write_text("\n".join(",".join(row) for row in [DATA.names, *cells]) + "\n")
    files = [tmp_path / name for name in ("agreed.bif", "agreed.json", "agreed.png")]
    outputs = [part for path in files for part in ("--average", str(path))]
    options = ["--replicates", "6", "--seed", "3", "--missing", "em", "--threshold", "0.7"]
    ended = CliRunner().invoke(application, ["bootstrap", str(table), *options, *outputs])
    assert ended.exit_code == 0, ended.output
    assert "is what they agree on most" in ended.output
    again = ab.bootstrap(table, replicates=6, seed=3, missing="em")
    agreed = again.average(0.7).fit(again.result.read_table(table))
    for path in files[:2]:
        assert ab.Network.load(path) == agreed
    assert files[2].stat().st_size > 1000
    for wrong, message in (
        (["--average", str(tmp_path / "agreed.csv")], "a network cannot be written to '.csv'"),
        (["--threshold", "2"], "--threshold must be a share between 0 and 1"),
    ):
        ended = CliRunner().invoke(application, ["bootstrap", str(table), *wrong])
        assert ended.exit_code == 2
        assert message in ended.output
