"""The suites of ``benchmarks/``: which cases they have, and what `wide` makes of its runs."""

from __future__ import annotations

import json
import shlex
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import anytimebn as ab

ROOT = Path(__file__).parents[2]
SUITES = sorted(
    path.stem for path in (ROOT / "benchmarks").glob("*.py") if "\nSUITE = " in path.read_text()
)
TABLE = "rain,wet,slip\n" + "no,no,no\nyes,yes,no\nyes,yes,yes\nno,no,no\n" * 25


@pytest.fixture(autouse=True)
def _from_the_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT)


def test_all_suites_are_listed() -> None:
    assert sorted(import_module("benchmarks.suites").SUITE_NAMES) == SUITES


@pytest.mark.parametrize("name", SUITES)
def test_cases_of_a_suite_are_json_and_differ(name: str) -> None:
    suite = import_module(f"benchmarks.{name}").SUITE
    cases = [json.dumps([case.name, dict(case.options)]) for case in suite.cases]
    assert suite.name == name
    assert len(cases) == len(set(cases)) > 0


# ---- wide: what is measured ----


def wide_cases(*arguments: str) -> list[tuple[str, str, float]]:
    cases = import_module("benchmarks.wide").choose(arguments)
    return [(case.name, case.options["method"], case.options["limit"]) for case in cases]


def test_wide_runs_peers_once_for_all_limits(tmp_path: Path) -> None:
    (tmp_path / "umbrella.csv").write_text(TABLE)
    assert wide_cases(
        *("--tables", str(tmp_path), "--tables-only", "--limits", "5,1"),
        *("--methods", "pyAgrum greedy,default", "--also", "other", "run {table} {seconds}"),
    ) == [
        ("umbrella", "default", 1.0),
        ("umbrella", "default", 5.0),
        ("umbrella", "pyAgrum greedy", 5.0),
        ("umbrella", "other", 1.0),
        ("umbrella", "other", 5.0),
    ]


def test_wide_has_all_sizes() -> None:
    names = {name for name, _, _ in wide_cases("--methods", "default", "--limits", "1")}
    assert {"45.3.5k", "60.5.50k", "100.3.5k.v3", "500.5.50k.v3", "andes"} <= names
    assert len(names) == 5 * 2 * 2 * 2 + 10


@pytest.mark.parametrize(
    "arguments",
    [["--methods", "fastest"], ["--limits", "0"], ["--tables", "no such folder"], ["--unknown"]],
)
def test_wide_refuses_what_it_does_not_know(arguments: list[str]) -> None:
    with pytest.raises(SystemExit):
        wide_cases(*arguments)


# ---- wide: one measurement ----


def measured(folder: Path, *arguments: str) -> list[dict[str, Any]]:
    """Run the suite on the tables of a folder, and give its raw results."""
    main = import_module("benchmarks.__main__").main
    shared = ["wide", "--tables", str(folder), "--tables-only", "--out", str(folder / "results")]
    assert main([*shared, *arguments]) == 0
    runs: list[dict[str, Any]] = json.loads(
        (folder / "results" / "wide.local.json").read_text(encoding="utf-8")
    )["runs"]
    return runs


def test_wide_scores_networks_again(tmp_path: Path) -> None:
    (tmp_path / "umbrella.csv").write_text(TABLE)
    (run,) = measured(tmp_path, "--limits", "60", "--methods", "default")
    result = ab.learn(tmp_path / "umbrella.csv", seed=1)
    assert run["cost"] == pytest.approx(result.cost)
    assert (run["status"], run["parent_sets"]) == ("optimal", result.pops)
    assert run["arcs"] == len(result.network.arcs)
    assert run["distance"] is None  # nobody knows what generated it
    assert run["gap_percent"] == 0
    assert 0 <= run["first_network_seconds"] <= run["seconds"]
    assert run["overrun_seconds"] == 0


def test_wide_compares_with_another_program_and_resumes(tmp_path: Path) -> None:
    (tmp_path / "umbrella.csv").write_text(TABLE)
    calls = tmp_path / "calls.txt"
    script = f"print(open({str(calls)!r}, 'a').write('x') * 12.5)"
    command = f"{shlex.quote(sys.executable)} -c {shlex.quote(script)} {{table}} {{seconds}}"
    arguments = ["--methods", "none", "--limits", "1,2", "--also", "other", command, "--resume"]
    runs = measured(tmp_path, *arguments)
    assert [(run["limit"], run["cost"]) for run in runs] == [(1, 12.5), (2, 12.5)]
    assert measured(tmp_path, *arguments) == runs
    assert calls.read_text() == "xx"


def test_wide_keeps_what_another_program_found(tmp_path: Path) -> None:
    table = tmp_path / "umbrella.csv"
    table.write_text(TABLE)
    parents = {"rain": [], "wet": ["rain"], "slip": []}
    found = json.dumps({"parents": parents, "seconds": 0.5, "status": "done"})
    (run,) = measured(
        tmp_path, "--methods", "none", "--limits", "1", "--also", "other", f"echo '{found}'"
    )
    formulas = import_module("anytimebn.checker.formulas")
    data = ab.to_dataset(table)
    cost = sum(formulas.local_cost(data, v, [0] if v == 1 else [], "mdl") for v in range(3))
    assert run["cost"] == pytest.approx(cost)
    assert (run["seconds"], run["status"], run["arcs"]) == (0.5, "done", 1)


def test_wide_tells_of_a_program_that_fails(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "umbrella.csv").write_text(TABLE)
    main = import_module("benchmarks.__main__").main
    command = "echo 'it broke' >&2; false"
    shared = ["wide", "--tables", str(tmp_path), "--tables-only", "--out", str(tmp_path)]
    assert main([*shared, "--methods", "none", "--limits", "1", "--also", "other", command]) == 1
    assert "it broke" in capsys.readouterr().out


def test_wide_ends_what_takes_too_long() -> None:
    run = import_module("benchmarks.wide").run_command
    ended = run([sys.executable, "-c", "while True: pass"], shell=False, patience=0.01)
    assert ended["killed"]


def test_wide_knows_the_generating_network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tables = import_module("benchmarks.wide_tables")
    monkeypatch.setattr(tables, "CACHE", tmp_path)
    line = tables.Line("8.2.100.v3", columns=8, parents=2, rows=100, values=3)
    data = ab.to_dataset(line.table())
    network = line.generating_network()
    assert (data.variables, data.rows) == (8, 100)
    assert set(network.names) == set(data.names)
    assert max(map(len, network.parents)) <= 2
    assert np.array_equal(ab.to_dataset(line.table()).codes, data.codes)


# ---- wide: the comparison ----


def made_up(method: str, limit: float, cost: float | None, seconds: float) -> dict[str, Any]:
    is_peer = " " in method
    return {
        "case": "t",
        "method": method,
        "limit": limit,
        "command": None,
        "cost": cost,
        "seconds": seconds,
        "cpu_seconds": seconds,
        "overrun_seconds": None if is_peer else max(0.0, seconds - limit),
    }


RUNS = [
    made_up("default", 1, 110.0, 1.2),
    made_up("default", 5, 100.0, 5.7),
    made_up("best-order-search", 1, 100.0, 0.9),
    made_up("best-order-search", 5, 100.00001, 0.9),
    made_up("pyAgrum greedy", 5, 90.0, 3.0),
    made_up("pgmpy GES", 5, None, 15.0),
]


def test_wide_report_counts_a_peer_from_its_end_on() -> None:
    first, second = import_module("benchmarks.wide_report").compare(RUNS)
    assert (first.limit, first.costs) == (1, {"default": 110.0, "best-order-search": 100.0})
    assert second.costs["pyAgrum greedy"] == 90.0
    assert "pgmpy GES" not in second.costs
    assert first.excess_percent == pytest.approx(10)
    assert second.excess_percent == pytest.approx(100 / 9)
    assert first.is_cheapest("best-order-search")
    assert not first.is_cheapest("default")


def test_wide_report_marks_all_that_are_as_cheap() -> None:
    compare = import_module("benchmarks.wide_report").compare
    (_, row) = compare([run for run in RUNS if run["method"] != "pyAgrum greedy"])
    assert row.is_cheapest("default")
    assert row.is_cheapest("best-order-search")


def test_wide_report_prints_costs_and_overruns(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = import_module("benchmarks.wide_report")
    assert [run["seconds"] for run in report.worst_overruns(RUNS)] == [5.7, 1.2]
    file = tmp_path / "wide.json"
    file.write_text(json.dumps({"runs": RUNS}))
    assert report.main([str(file), "--markdown"]) == 0
    printed = " ".join(capsys.readouterr().out.split())
    assert "| t | 1 s | 110 | 100 * | – | – | 10.000 % |" in printed
    assert "| t | 5 s | 100 ! | 100 | 90 * | – | 11.111 % |" in printed
    assert "1 of 4 runs ended more than 0.5 s too late" in printed
