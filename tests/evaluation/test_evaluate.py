"""Studies: runs that are kept and resumed, and reports that say what the run files say."""

from __future__ import annotations

import csv
import gzip
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ET
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from made_runs import made_run, stored_with
from stopping import GUARD
from typer.testing import CliRunner

import anytimebn as ab
from anytimebn.base.clock import ManualClock
from anytimebn.cli.application import application
from anytimebn.evaluation import rendering, store
from anytimebn.evaluation.order_graph import sweep_order_graph
from anytimebn.evaluation.report import Report
from anytimebn.evaluation.runner import Plan, StudyRunner
from anytimebn.evaluation.specification import (
    Contender,
    Limits,
    Specification,
    StudyTable,
    scoring_run,
    search_run,
)
from anytimebn.evaluation.tables import last_improvement, state_at
from anytimebn.evaluation.worker import event_row, thin
from anytimebn.result.event import Event
from anytimebn.solver import registry

COMMAND = [sys.executable, "-c", "from anytimebn.cli import main; main()", "evaluate"]
TINY = ["--variables", "5", "6", "--max-parents", "2", "--rows", "200", "--memory-limit", "1GiB"]
LONG = str(GUARD)  # a time limit that no run here gets near to
ALGORITHMS = ["--algorithms", "astar", "anytime-window-astar:simple", "--time-limit", LONG]


class Ended:
    """How a command ended that ran inside this process; its runs have processes of their own."""

    def __init__(self, *arguments: object) -> None:
        result = CliRunner().invoke(application, ["evaluate", *map(str, arguments)])
        self.status, self.out, self.err = result.exit_code, result.stdout, result.stderr


def read_runs(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(path.read_text()) for path in sorted(folder.glob("runs/*/*.json"))]


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Table 1 and Table 2 of two tiny data sets."""
    out = tmp_path_factory.mktemp("study") / "runs"
    assert Ended("table1", *TINY, *ALGORITHMS, "--out", out, "--jobs", 2).status == 0
    ended = Ended(
        "table2", *TINY, "--heuristics", "all", "--time-limit", LONG, "--out", out, "--jobs", 2
    )
    assert ended.status == 0, ended.err
    assert Ended("report", out).status == 0
    return out


# --- the whole chain ---


def wait_for_worker(out: Path, command: subprocess.Popen[Any]) -> int:
    """Give the process of a search that is under way."""
    while command.poll() is None:
        for claim in out.glob("claims/*.json"):
            task = out / "under-way" / claim.stem / "task.json"
            with suppress(FileNotFoundError):  # either may be gone by now
                found = re.search(r'"worker": (\d+)}', claim.read_text())  # or half written
                if found and json.loads(task.read_text())["specification"]["kind"] == "search":
                    return int(found[1])
        time.sleep(0.01)
    raise AssertionError("no search was started")


def test_a_killed_run_is_kept_as_such_and_the_others_go_on_and_are_resumed(tmp_path: Path) -> None:
    out = tmp_path / "runs"
    # Dynamic programming of 24 variables takes long enough to be met alive.
    arguments = [
        "table1",
        *("--variables", "24", "--max-parents", "1", "--rows", "100", "--parent-limit", "1"),
        *("--algorithms", "dynamic-programming", "auto", "--time-limit", LONG),
        *("--memory-limit", "1GiB", "--out", str(out)),
    ]
    with subprocess.Popen([*COMMAND, *arguments], stdout=subprocess.PIPE, text=True) as command:
        os.kill(wait_for_worker(out, command), signal.SIGKILL)
        shown, _ = command.communicate(timeout=GUARD)
    assert command.returncode == 0
    assert "killed by SIGKILL" in shown
    before = {
        run["specification"]["settings"].get("label", "scoring"): run for run in read_runs(out)
    }
    assert before["dynamic-programming"]["outcome"]["kind"] == "killed"
    assert before["dynamic-programming"]["result"] is None
    assert before["auto"]["result"]["status"] == "optimal"

    reported = Ended("report", out)
    assert reported.out.startswith("Failures: 1\n  24.1.100 dynamic-programming: killed by SIGKILL")
    page = (out / "report" / "report.html").read_text()
    assert page.index("killed by SIGKILL") < page.index("Table 1")
    assert "killed" in (out / "report" / "table1.txt").read_text()

    # Without --retry it stays; with it, only this one is run again.
    again = Ended(*arguments)
    assert "3 done before, 0 to do" in again.out
    retried = Ended(*arguments, "--retry")
    assert "2 done before, 1 to do" in retried.out
    after = {
        run["specification"]["settings"].get("label", "scoring"): run for run in read_runs(out)
    }
    assert after["dynamic-programming"]["result"]["status"] == "optimal"
    assert after["auto"] == before["auto"]
    assert not list(out.glob("claims/*"))
    assert not list(out.glob("work/*"))
    assert Ended("report", out).out.startswith("Table 1")


def test_ctrl_c_keeps_what_is_done_and_says_how_to_go_on(tmp_path: Path) -> None:
    out = tmp_path / "runs"
    arguments = [
        "table1",
        *("--variables", "26", "--max-parents", "1", "--rows", "100", "--parent-limit", "1"),
        *("--algorithms", "auto", "dynamic-programming", "--time-limit", LONG),
        *("--memory-limit", "2GiB", "--out", str(out)),
    ]
    with subprocess.Popen(
        [*COMMAND, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as command:
        while not list(out.glob("runs/*/auto-*.json")) and command.poll() is None:
            time.sleep(0.01)
        worker = wait_for_worker(out, command)
        command.send_signal(signal.SIGINT)
        _, errors = command.communicate(timeout=GUARD)
    assert command.returncode == 4
    assert errors.startswith(f"interrupted: 2 runs are saved in {out}; the same command")
    with pytest.raises(ProcessLookupError):
        os.kill(worker, 0)
    assert not list(out.glob("claims/*"))
    reported = Ended("report", out)
    assert "Missing: 1 of the runs" in reported.out
    assert "Failures" not in reported.out
    assert re.search(r"dynamic-programming +– .*missing", reported.out)


def test_workers_end_when_their_study_is_killed(tmp_path: Path) -> None:
    out = tmp_path / "runs"
    arguments = [
        "table1",
        *("--variables", "28", "--max-parents", "1", "--rows", "100", "--parent-limit", "1"),
        *("--algorithms", "dynamic-programming", "--memory-limit", "4GiB", "--out", str(out)),
    ]
    with subprocess.Popen([*COMMAND, *arguments], stdout=subprocess.DEVNULL) as command:
        worker = wait_for_worker(out, command)
        command.kill()
    while Path(f"/proc/{worker}").exists():
        time.sleep(0.05)
    assert not list(out.glob("under-way/*/result.json")), "it went on to the end"
    # The claim of a dead process does not keep others from the run.
    (claim,) = out.glob("claims/*.json")
    plan = store.load(out)
    (missing,) = plan.missing
    assert claim.stem == missing.key
    ours, other = store.RunFolder(out), store.RunFolder(out)
    assert ours.claim(missing)
    assert not other.claim(missing), "we are alive"
    ours.release(missing)
    assert other.claim(missing)
    other.release(missing)


def test_two_runs_at_a_time_share_one_folder(tmp_path: Path) -> None:
    out = tmp_path / "runs"
    arguments = ["table1", *TINY, *ALGORITHMS, "--out", str(out), "--jobs", "2", "--quiet"]
    both = [subprocess.Popen([*COMMAND, *arguments]) for _ in range(2)]
    assert [process.wait(timeout=GUARD) for process in both] == [0, 0]
    stored = store.load(out)
    assert len(stored.runs) == 6
    assert not stored.missing
    assert {run.outcome for run in stored.runs.values()} == {"done"}
    assert len(list(out.glob("scores/*.jkl"))) == 2
    assert not list(out.glob("claims/*"))


# --- what is stored ---


def test_run_files_have_what_a_study_needs(study: Path) -> None:
    for run in read_runs(study):
        assert run["outcome"] == {"kind": "done", "exit_status": 0, "errors": ""} | {
            "message": run["outcome"]["message"]
        }
        assert run["peak_memory_bytes"] > 10_000_000
        assert run["machine"]["cores"] >= 1
        assert run["versions"]["anytimebn"] == ab.__version__
        assert run["study_command"][0] == "anytimebn"
        result = run["result"]
        assert sum(result["pops_by_size"]) == sum(result["pops_by_variable"]) == result["pops"]
        if run["specification"]["kind"] in ("search", "network"):
            assert run["specification"]["settings"]["seed"] == 1
            assert result["events"][-1][1] == pytest.approx(result["cost"], abs=1e-5)
            assert run["again"].startswith("anytimebn learn ")
            assert set(result["parents"]) == set(result["variables"])


def test_runs_equal_those_of_the_library(study: Path) -> None:
    from anytimebn.network.random import generate

    network, table = generate(6, 2, 200, seed=1)
    scores = ab.score(table)
    wanted = ab.search(scores, algorithm="astar", seed=1, jobs=1)
    for run in read_runs(study):
        spec, result = run["specification"], run["result"]
        if spec["data_set"] != "6.2.200":
            continue
        assert result["pops"] == scores.pops
        if spec["kind"] == "scoring":
            parents = {name: list(network.parents_of(name)) for name in network.names}
            assert result["generating_network"] == parents
        elif spec["kind"] in ("search", "network"):
            assert result["cost"] == wanted.cost
        else:
            for f in result["f_costs"]:
                own = sweep_order_graph(scores, [f["heuristic"]], seed=1).f_costs[0]
                assert f["below"] == list(own.below)


def test_done_runs_are_skipped_whatever_else_is_asked_for(study: Path, tmp_path: Path) -> None:
    folder = tmp_path / "runs"
    shutil.copytree(study, folder)
    kept = {path: path.stat().st_mtime_ns for path in folder.glob("runs/*/*.json")}
    shown = Ended("figure2", *TINY, *ALGORITHMS, "--snapshot", 5, "--out", folder).out
    assert "6 runs: 6 done before, 0 to do" in shown
    assert "figure2-6.2.200.png" in shown
    assert kept == {path: path.stat().st_mtime_ns for path in folder.glob("runs/*/*.json")}


def test_key_depends_on_what_decides_the_result_alone(tmp_path: Path) -> None:
    data = StudyTable.generated(29, 3, 5000, seed=1)
    scored = scoring_run(data, {"score": "mdl"})
    contender = Contender.parse("astar", "static-pd")

    def key(**limits: Any) -> str:
        return search_run(scored, contender, Limits(**limits)).key

    assert key(snapshot=5.0) == key(snapshot=60.0)
    assert len({key(), key(seed=1), key(time_limit=5.0), key(threads=2)}) == 4
    path = tmp_path / "a.jkl"
    path.write_text("1\nx 1\n-4.5 0\n")
    first = scoring_run(StudyTable.from_file(path), {}).key
    assert scoring_run(StudyTable.from_file(path), {"score": "bdeu"}).key == first, "no use"
    (tmp_path / "b").mkdir()
    moved = path.rename(tmp_path / "b" / "a.jkl")
    assert scoring_run(StudyTable.from_file(moved), {}).key == first
    moved.write_text("1\nx 1\n-4.25 0\n")
    assert scoring_run(StudyTable.from_file(moved), {}).key != first
    spec = search_run(scored, contender, Limits())
    assert Specification.from_json(json.loads(json.dumps(spec.to_json()))).key == spec.key


def test_events_are_thinned_but_keep_what_tables_need() -> None:
    events = [Event(t / 100, 100.0 - (t >= 500), t / 200, t) for t in range(1, 10_000)]
    kept = thin(events, 60.0, 0.001)
    assert len(kept) < 250
    assert kept[0] == events[0]
    assert kept[-1] == events[-1]
    known = state_at(kept, 60.0)
    assert known == state_at(events, 60.0)
    assert known is not None
    assert (known.cost, known.lower_bound) == (99.0, 30.0)
    assert last_improvement(kept) == last_improvement(events) == 99.99
    assert min(e.seconds for e in kept if e.cost == 99.0) == 5.0, "each better network is there"
    assert thin([], 60.0) == []
    run = made_run(9.0, 8.0)
    assert [event_row(event) for event in run.events] == run.values["result"]["events"]


# --- limits and failures ---


def only_run(out: Path, contender: str, **limits: Any) -> store.Run:
    """Run one search of 24 variables in a study of its own."""
    data = StudyTable.generated(24, 3, 400, seed=1)
    wanted = Contender.parse(contender, "static-pd")
    plan = Plan.of(
        [data], {"max_parents": 2}, lambda scored: [search_run(scored, wanted, Limits(**limits))]
    )
    StudyRunner(store.RunFolder(out), clock=ManualClock()).run(plan)
    return store.load(out).runs[plan.runs[1].key]


def test_a_study_can_turn_parts_of_a_search_off(tmp_path: Path) -> None:
    run = only_run(tmp_path, "astar,local-search=0,path-extension=0,components=1", seed=3)
    assert run.specification.label == "astar,local-search=0,path-extension=0"
    assert "--no-local-search --no-path-extension" in run.values["again"]
    scores = ab.LocalScores.load(next((tmp_path / "scores").iterdir()))
    options: dict[str, Any] = {"algorithm": "astar", "seed": 3, "jobs": 1}  # as a run of a study
    alone = ab.search(scores, **options, local_search=False, path_extension=False)
    assert run.result["expanded"] == alone.expanded
    assert alone.expanded != ab.search(scores, **options).expanded


def test_all_stands_for_every_name_once(tmp_path: Path) -> None:
    extra = "astar,local-search=0"
    ended = Ended(
        *("table1", "--variables", 5, "--max-parents", 2, "--rows", 200, "--time-limit", LONG),
        *("--algorithms", "astar", "all", extra, "--out", tmp_path, "--jobs", 2),
    )
    assert ended.status == 0, ended.err
    labels = {run.specification.label for run in store.load(tmp_path).runs.values()}
    assert labels == {"scoring", extra, *(own.name for own in registry.algorithms())}


def test_a_run_out_of_memory_gets_a_star(tmp_path: Path) -> None:
    run = only_run(tmp_path, "dynamic-programming", memory_limit="40MiB")
    assert (run.outcome, run.failed) == ("memory", False)
    report = Report(store.load(tmp_path))
    (row,) = report.table1
    assert row.out_of_memory
    assert rendering.time_text(row).endswith("*")
    assert not report.failures


def test_a_run_at_its_time_limit_is_done(tmp_path: Path) -> None:
    run = only_run(tmp_path, "dynamic-programming", memory_limit="2GiB", time_limit=0.0)
    assert run.outcome == "done"
    assert run.result is not None
    assert run.result["status"] == "time"


@pytest.mark.parametrize("kind", ["memory", "late"])
def test_a_run_that_ignores_its_limits_is_ended_from_outside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    """By what the runner sees, it is far beyond limits that it keeps by what it sees itself."""
    from anytimebn.evaluation import runner

    if kind == "memory":
        monkeypatch.setattr(runner, "resident_bytes", lambda _pid: 10**12)
    clock = ManualClock(tick=1e6 if kind == "late" else 0.0)
    data = StudyTable.generated(26, 1, 100, seed=1)
    wanted = Contender.parse("dynamic-programming", "static-pd")
    limits = Limits(time_limit=1.0 * GUARD, memory_limit="4GiB")
    plan = Plan.of([data], {"max_parents": 1}, lambda s: [search_run(s, wanted, limits)])
    StudyRunner(store.RunFolder(tmp_path), clock=clock).run(plan)
    runs = [store._as_run(values) for values in read_runs(tmp_path)]
    (run,) = [run for run in runs if run.specification.kind == "search"]
    assert run.outcome == kind
    assert "ended from outside" in run.explain()


def test_bad_tables_are_refused_and_what_needs_them_is_not_run(tmp_path: Path) -> None:
    bad = tmp_path / "bad.csv"
    bad.write_text("a,b\n1\n")
    good = tmp_path / "good.csv"
    good.write_text("a,b\n" + "0,0\n1,1\n" * 20)
    out = tmp_path / "runs"
    ended = Ended("table1", "--data", bad, good, "--algorithms", "astar", "--out", out)
    assert ended.status == 0
    assert "failures: 1" in ended.err
    assert "bad scoring: " in ended.err
    stored = store.load(out)
    assert sorted(run.outcome for run in stored.runs.values()) == ["done", "done", "refused"]
    assert [spec.data_set for spec in stored.missing] == ["bad"]


def test_own_tables_and_score_files_take_the_place_of_generated_data(tmp_path: Path) -> None:
    table = tmp_path / "numbers.csv"
    table.write_text("a,b,c\n" + "".join(f"{i / 4},{i // 5},{i % 3}\n" for i in range(60)))
    scores = tmp_path / "own.jkl"
    ab.score(table, bins=3).save(scores)
    out = tmp_path / "runs"
    ended = Ended(
        *("table2", "--data", table, scores, "--bins", 3, "--score", "mdl", "--out", out),
        *("--time-limit", LONG, "--threads", 2, "--jobs", 2),
    )
    assert ended.status == 0, ended.err
    rows = Report(store.load(out)).table2
    assert [row.data_set for row in rows] == ["numbers", "own"]
    assert rows[0].optimum == rows[1].optimum
    assert rows[0].shares_below == rows[1].shares_below
    assert rows[0].hamming_distance is None, "nobody knows the true network"
    useless = Ended("table1", "--data", scores, "--score", "bdeu", "--out", tmp_path / "none")
    assert useless.status == 2
    assert "score files have their scores already" in useless.err


@pytest.mark.parametrize("name", ["24.4.5k", "a"])
@pytest.mark.parametrize("suffix", [".jkl", ".pss", ".csv", ".csv.gz"])
def test_data_sets_are_named_after_their_files(tmp_path: Path, name: str, suffix: str) -> None:
    path = tmp_path / f"{name}{suffix}"
    path.touch()
    assert StudyTable.from_file(path).name == name


def test_lost_scores_are_made_again(tmp_path: Path) -> None:
    data = StudyTable.generated(5, 2, 100, seed=1)
    folder = store.RunFolder(tmp_path)

    def plan(algorithm: str) -> Plan:
        wanted = Contender.parse(algorithm, "static-pd")
        return Plan.of(
            [data], {}, lambda s: [search_run(s, wanted, Limits(time_limit=1.0 * GUARD))]
        )

    StudyRunner(folder).run(plan("astar"))
    next(tmp_path.glob("scores/*.jkl")).unlink()
    standing = StudyRunner(folder, jobs=2).run(plan("auto"))
    assert (standing.ended, standing.failed) == (2, 0)


def test_retried_scoring_sets_free_what_waits_for_it(tmp_path: Path) -> None:
    table = tmp_path / "table.csv"
    table.write_text("a,b\n" + "0,0\n1,1\n" * 20)
    plan = Plan.of(
        [StudyTable.from_file(table), StudyTable.from_file(table)],
        {},
        lambda s: [
            search_run(s, Contender.parse("astar", "static-pd"), Limits(time_limit=1.0 * GUARD))
        ],
    )
    hidden = table.rename(tmp_path / "hidden.csv")
    folder = store.RunFolder(tmp_path / "runs")
    standing = StudyRunner(folder, jobs=2).run(plan)
    assert (standing.total, standing.failed, standing.blocked) == (2, 1, 1)
    hidden.rename(table)
    standing = StudyRunner(folder, jobs=2).run(plan)
    assert (standing.ended, standing.blocked) == (0, 1)
    standing = StudyRunner(folder, jobs=2, retry=True).run(plan)
    assert (standing.ended, standing.failed, standing.blocked) == (2, 0, 0)


# --- reports ---


def test_table_1_equals_what_run_files_say(study: Path) -> None:
    with (study / "report" / "table1.csv").open() as file:
        rows = list(csv.DictReader(file))
    searches = [run for run in read_runs(study) if run["specification"]["kind"] == "search"]
    assert len(rows) == len(searches) == 4
    shown = (study / "report" / "table1.txt").read_text()
    for row in rows:
        same = [r for r in searches if r["specification"]["data_set"] == row["data_set"]]
        (own,) = [r for r in same if r["specification"]["settings"]["label"] == row["algorithm"]]
        result, best = own["result"], min(r["result"]["cost"] for r in same)
        early = [event for event in result["events"] if event[0] <= 60.0][-1]
        assert float(row["best_cost"]) == best
        assert row["proven"] == "yes"
        assert float(row["cost"]) == result["cost"]
        assert float(row["ratio"]) == result["cost"] / best
        assert float(row["error_bound"]) == result["cost"] / result["lower_bound"]
        assert float(row["error_bound_at_snapshot"]) == early[1] / early[2]
        assert int(row["pops"]) == result["pops"]
        changed = [
            event[0]
            for number, event in enumerate(result["events"])
            if number == 0 or event[1:3] != result["events"][number - 1][1:3]
        ]
        assert float(row["bound_seconds"]) == changed[-1]
        assert int(row["expanded"]) == result["expanded"]
        assert int(row["peak_memory_bytes"]) == own["peak_memory_bytes"]
        assert re.search(rf"{row['algorithm']} .*{changed[-1]:.2f}\n", shown)


def test_table_2_equals_what_run_files_say(study: Path) -> None:
    with (study / "report" / "table2.csv").open() as file:
        rows = list(csv.DictReader(file))
    runs = read_runs(study)
    for row in rows:
        same = [run for run in runs if run["specification"]["data_set"] == row["data_set"]]
        graph = next(r["result"] for r in same if r["specification"]["kind"] == "order-graph")
        scoring = next(r["result"] for r in same if r["specification"]["kind"] == "scoring")
        learned = next(r["result"] for r in same if r["specification"]["kind"] == "network")
        n = len(graph["variables"])
        for f in graph["f_costs"]:
            assert float(row[f"share_below_{f['heuristic']}"]) == sum(f["below"]) / 2**n
        generating = ab.Network.from_parents(scoring["generating_network"])
        network = ab.Network.from_parents(learned["parents"])
        assert float(row["parents_generated"]) == len(generating.arcs) / n
        assert float(row["parents_learned"]) == len(network.arcs) / n
        distance = generating.cpdag().structural_hamming_distance(network.cpdag())
        assert int(row["hamming_distance"]) == distance
        assert float(row["optimum"]) == pytest.approx(learned["cost"], abs=1e-5)


def test_what_is_not_proven_is_not_shown_as_proven() -> None:
    near = made_run(1000.0, 999.99999)
    report = Report(stored_with(near, made_run(1000.00001, 900.0, label="auto")))
    first, second = report.table1
    assert not first.proven
    assert rendering.table1_cells(first) == ["1.0010", "1.0021", "1.0000", "1.0001", "70.0"]
    assert rendering.table1_cells(second)[2] == "1.0001"
    assert "✓" not in rendering.table1_text(report.table1, 60.0).splitlines()[2]


def test_contradicting_proofs_come_first() -> None:
    report = Report(stored_with(made_run(100.0, 90.0), made_run(120.0, 110.0, label="auto")))
    (failure,) = report.failures
    assert failure.what == "contradiction"
    assert "less than 110.000000, another found one of 100.000000" in failure.message
    assert report.text().startswith("Failures: 1\n  contradiction")


def test_unreadable_run_files_are_named_and_run_again(study: Path, tmp_path: Path) -> None:

    folder = tmp_path / "runs"
    shutil.copytree(study, folder)
    broken = next(folder.glob("runs/6.2.200/astar-*.json"))
    broken.write_text(broken.read_text()[:100])
    report = Report(store.load(folder))
    assert [failure.what for failure in report.failures] == ["unreadable file"]
    assert str(broken) in report.failures[0].message
    ended = Ended("table1", *TINY, *ALGORITHMS, "--out", folder)
    assert "5 done before, 1 to do" in ended.out
    assert not Report(store.load(folder)).failures


def test_same_algorithm_with_several_limits_is_told_apart() -> None:
    run = made_run(100.0, 90.0)
    longer = {**run.values["specification"]["settings"], "time_limit": 60.0}
    spec = Specification.from_json({**run.values["specification"], "settings": longer})
    other = store.Run(spec, run.values | {"specification": spec.to_json()})
    rows = Report(stored_with(run, other)).table1
    assert [row.algorithm for row in rows] == ["astar (9 s)", "astar (60 s)"]


def test_latex_has_as_many_cells_as_columns_and_is_escaped(study: Path) -> None:
    odd = made_run(100.0, 90.0)
    settings = {**odd.values["specification"]["settings"], "label": "a_b & 100% {x}"}
    spec = Specification.from_json({**odd.values["specification"], "settings": settings})
    report = Report(stored_with(store.Run(spec, odd.values | {"specification": spec.to_json()})))
    for text in (
        rendering.table1_latex(report.table1, 60.0),
        (study / "report" / "table1.tex").read_text(),
        (study / "report" / "table2.tex").read_text(),
    ):
        for table in text.split(r"\begin{table*}")[1:]:
            columns = re.search(r"\\begin\{tabular\}\{(.*)\}", table)
            assert columns is not None
            wanted = len(columns[1].replace("|", ""))
            body = table.split(r"\hline")
            for line in [*body[2].strip().splitlines(), body[1].strip().splitlines()[-1]]:
                assert len(re.findall(r"(?<!\\)&", line)) == wanted - 1
            assert not re.search(r"(?<!\\)[%#_]", table)
    assert r"a\_b \& 100\% \{x\}" in rendering.table1_latex(report.table1, 60.0)


def test_page_is_well_formed_complete_and_loads_nothing(study: Path, tmp_path: Path) -> None:
    page = (study / "report" / "report.html").read_text()
    assert page.startswith("<!DOCTYPE html>\n")
    root = ET.fromstring(page.removeprefix("<!DOCTYPE html>\n"))
    text = "".join(root.itertext())
    for heading in ("Table 1", "Figure 2", "Table 2", "Figure 3", "Figure 4", "No unexplained"):
        assert heading in text
    images = root.findall(".//img")
    assert len(images) == 2 + 2 + 1
    for image in images:
        source = image.attrib["src"]
        assert source.startswith("data:image/svg+xml;base64,")
    assert not re.search(r"(src|href)=\"(?!data:)", page)
    assert "script" not in page

    hostile = made_run(100.0, 90.0)
    outcome = {"kind": "crashed", "message": "<b>&\x00", "exit_status": 1, "errors": "\x1b[1m<i>"}
    broken = store.Run(hostile.specification, hostile.values | {"outcome": outcome, "result": None})
    Report(stored_with(broken)).write(tmp_path, "page")
    ET.fromstring((tmp_path / "report.html").read_text().removeprefix("<!DOCTYPE html>\n"))


def test_report_of_packed_runs_is_the_same(study: Path, tmp_path: Path) -> None:
    packed = tmp_path / "study.jsonl.gz"
    stored = store.load(study)
    store.pack(stored, packed)
    with gzip.open(packed, "rt") as lines:
        assert len(list(lines)) == 1 + len(read_runs(study))
    again = store.load(packed)
    assert again.runs.keys() == stored.runs.keys()
    assert again.planned == stored.planned
    Report(again).write(tmp_path / "report", "table1", "table2", "figure4")
    for path in (tmp_path / "report").iterdir():
        assert path.read_bytes() == (study / "report" / path.name).read_bytes(), path.name


def test_report_of_several_packed_files_is_that_of_all_their_runs(
    study: Path, tmp_path: Path
) -> None:
    stored = store.load(study)
    names = sorted({run.specification.data_set for run in stored.runs.values()})
    parts = [tmp_path / f"{name}.jsonl.gz" for name in names]
    for name, part in zip(names, parts, strict=True):
        runs = {k: run for k, run in stored.runs.items() if run.specification.data_set == name}
        planned = {k: spec for k, spec in stored.planned.items() if spec.data_set == name}
        store.pack(store.Stored(runs=runs, planned=planned), part)
    assert len(parts) == 2
    # A part that is given twice changes nothing.
    ended = Ended("report", *parts, parts[0], "-o", tmp_path / "report")
    assert ended.status == 0, ended.err
    for name in ("table1.csv", "table2.csv", "table1.txt"):
        expected = (study / "report" / name).read_bytes()
        assert (tmp_path / "report" / name).read_bytes() == expected, name
    refused = Ended("report", *parts)
    assert refused.status == 2
    assert "say with --output where the report goes" in refused.err


def test_report_writes_everything_and_packs(study: Path, tmp_path: Path) -> None:
    small = stored_with(made_run(100.0, 90.0))
    store.pack(small, tmp_path / "in.jsonl.gz")
    ended = Ended(
        "report", tmp_path / "in.jsonl.gz", "-o", tmp_path, "--pack", tmp_path / "out.jsonl.gz"
    )
    assert ended.status == 0, ended.err
    assert (tmp_path / "in.jsonl.gz").read_bytes() == (tmp_path / "out.jsonl.gz").read_bytes()
    names = {path.name for path in (study / "report").iterdir()}
    assert {"table1.tex", "table2.csv", "figure2-5.2.200.svg", "figure3-6.2.200.png"} <= names


def test_page_of_the_committed_study_counts_right(tmp_path: Path) -> None:
    from docs.study import write_page

    bounds = {  # by parents of the generating network
        2: {"anytime-window-astar": 98.0, "anytime-weighted-astar": 90.0, "ilp": 99.0},
        6: {"anytime-window-astar": 99.0, "anytime-weighted-astar": 95.0, "ilp": 97.0},
    }
    runs = [
        made_run(100.0, bound, label=label, parents=parents)
        for parents, own in bounds.items()
        for label, bound in own.items()
    ]
    store.pack(stored_with(*runs), tmp_path / "runs.jsonl.gz")
    write_page.main(tmp_path)
    text = " ".join((tmp_path / "README.md").read_text().split())
    assert "2 to 0 against `anytime-weighted-astar` (0 to 0 without a local search first)" in text
    assert "weighted ones: it holds against `anytime-weighted-astar` only." in text
    assert "window A\\*, in the same sense, on 1 and worse on 0; of the others, better on 0" in text
    assert "It proved none of the former and none of the latter." in text
    assert "small POPS: it holds" in text
    assert "or reached the same one later, in 1; its share" in text
    assert "Sparse generating networks are harder to prove: it holds" in text
    assert "![figure2-3.2.100](figure2-3.2.100.svg)" in text
    assert (tmp_path / "figure2-3.6.100.svg").exists()


# --- usage ---


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["table1", "--algorithms", "astr"], "did you mean 'astar'"),
        (["table1", "--algorithms", "ilp:simple"], "ilp uses no heuristic"),
        (["table1", "--algorithms", "weighted-astar,weight=x"], "write NAME=VALUE"),
        (["table1", "--algorithms", "weighted-astar,wait=2"], "no parameter 'wait'"),
        (["table1", "--algorithms", "astar,components=2"], "0 turns it off, 1 is the default"),
        (["table1", "--heuristics", "simple"], "--algorithms astar:simple"),
        (["table2", "--heuristics", "static-pd,k=3"], "no parameter 'k'"),
        (["table2", "--heuristics", "dynamic-pd,k=99"], "between 1 and 6"),
        (["table1", "--variables", "1"], "--variables must be at least 2"),
        (["table2", "--variables", "20", "33"], "--variables 33: all nodes can be visited for at"),
        (["table1", "--rows", "0"], "--rows must be at least 1"),
        (["table1", "--seed", str(2**64)], "--seed must be at most 18446744073709551615"),
        (["table1", "--jobs", "0"], "--jobs must be at least 1"),
        (["table1", "--time-limit", "-1"], "--time-limit must be at least 0"),
        (["table1", "--snapshot", "nan"], "--snapshot must be at least 0"),
        (["table1", "--memory-limit", "much"], "not an amount of memory"),
        (["table1", "--data", "absent.csv"], "absent.csv: cannot be read"),
        (["table1", "--data", "x.pdf"], "neither a table nor a score file"),
        (["table1", "--data", "x.csv", "--rows", "5"], "--data replaces generated data"),
        (["table1", "--bins", "3"], "are for your own tables"),
        (["report", "nowhere"], "nowhere: no such folder; give the folder of a study"),
        (["report", "/dev/null"], "say with --output"),
        (["report", "nowhere", "-o", "x"], "give the folder of a study"),
        (["report", ".", "--pack", "x.zip"], ".jsonl.gz"),
    ],
)
def test_usage_errors_name_the_option(
    arguments: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    ended = Ended(*arguments)
    assert ended.status == 2
    assert message in ended.err
    assert not list(tmp_path.iterdir())


def test_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "runs").touch()
    ended = Ended("table1", *TINY, "--out", tmp_path / "runs")
    assert ended.status == 2
    assert f"{tmp_path / 'runs'}: cannot be made" in ended.err


def test_disk_that_is_full_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device", "x.json")

    monkeypatch.setattr(store.RunFolder, "save", full)
    ended = Ended("table1", *TINY, "--algorithms", "astar", "--out", tmp_path / "runs")
    assert ended.status == 2
    assert "x.json: cannot be used: No space left on device" in ended.err
    assert not list((tmp_path / "runs" / "claims").iterdir())


def test_report_of_an_empty_folder_says_so(tmp_path: Path) -> None:
    ended = Ended("report", tmp_path)
    assert ended.status == 2
    assert "there are no runs here" in ended.err
