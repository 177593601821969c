"""The paper's study: its parts ask for what the paper did, and its page says what the runs say."""

from __future__ import annotations

import re
import threading
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from docs.findings import AUTO, ILP, REPAIRING, WEIGHTED, WINDOW
from docs.paper import parts, predecessor, published, sampled_shares, table2, write_page
from made_runs import made_run, stored_with
from typer.testing import CliRunner

import anytimebn as ab
from anytimebn.cli import evaluate
from anytimebn.cli.application import application
from anytimebn.evaluation import store
from anytimebn.evaluation.report import Report
from anytimebn.evaluation.tables import Table2Row

if TYPE_CHECKING:
    from pathlib import Path

LABELS = {label.partition(",")[0]: label for label in (*parts.AS_IN_THE_PAPER, AUTO)}


# --- what the paper prints ---


def test_table_1_of_the_paper_has_32_data_sets_and_4_algorithms() -> None:
    table = published.table1()
    assert len(table) == 32
    assert {len(own) for own in table.values()} == {4}
    first = table["29.3.1k"][WINDOW]
    assert (first.pops, first.best_cost, first.proven) == (2164, 15298.15, True)
    assert (first.ratio_at_snapshot, first.error_bound_at_snapshot) == (1.0, 1.033)
    assert (first.ratio, first.error_bound, first.bound_seconds) == (1.0, 1.015, 980.0)
    assert first.out_of_memory
    assert not table["29.3.1k"][ILP].out_of_memory
    late = table["35.6.20k"][ILP]
    assert (late.ratio_at_snapshot, late.error_bound_at_snapshot) == (None, None)
    assert sum(own[ILP].ratio_at_snapshot is None for own in table.values()) == 11
    assert table["33.3.10k"][REPAIRING].ratio_at_snapshot == 1.025, "11.025 is a misprint"
    assert all(
        row.error_bound >= row.ratio - 0.02 for own in table.values() for row in own.values()
    )


def test_table_2_of_the_paper_has_16_data_sets() -> None:
    table = published.table2()
    assert list(table) == [f"29.{p}.{r}k" for p in (2, 4, 6, 8) for r in (1, 5, 10, 20)]
    row = table["29.8.1k"]
    assert row.share_below == pytest.approx(0.1859)
    assert (row.parents_generated, row.parents_learned, row.hamming_distance) == (5.03, 2.52, 95)


# --- parts ---


@pytest.fixture
def asked_for(monkeypatch: pytest.MonkeyPatch) -> dict[str, list[Any]]:
    """Runs that each part asks for; none of them is run."""
    plans: list[Any] = []
    monkeypatch.setattr(evaluate, "_run", lambda plan, *_, **__: plans.extend(plan.runs))
    found = {}
    for part in parts.all_parts():
        plans.clear()
        for arguments in part.commands:
            ended = CliRunner().invoke(application, ["evaluate", *arguments])
            assert ended.exit_code == 0, ended.output
        found[part.name] = list(plans)
    return found


def test_parts_ask_for_the_tables_of_the_paper(asked_for: dict[str, list[Any]]) -> None:
    def of(begin: str, kind: str) -> list[Any]:
        return [
            spec
            for name, own in asked_for.items()
            if name.startswith(begin)
            for spec in own
            if spec.kind == kind
        ]

    searches = of("table1-", "search")
    wanted = {(name, label) for name in published.table1() for label in LABELS.values()}
    assert {(spec.data_set, spec.label) for spec in searches} == wanted
    for spec in searches:
        assert spec.settings["time_limit"] == (1800 if spec.label == AUTO else 120)
        assert (spec.settings["memory_limit"], spec.settings["threads"]) == ("8GiB", 1)
    visits = of("table2-", "order-graph")
    assert [spec.data_set for spec in visits] == list(published.table2())
    assert {spec.data["seed"] for spec in of("seed", "search")} == {2, 3}
    earlier = of("predecessor-", "search")
    assert {spec.label for spec in earlier} == {
        parts.ASTAR,
        *parts.WEIGHTED_ONCE,
        *parts.RIVALS,
    }
    assert {spec.data["variables"] for spec in earlier} == {20, 24, 29}
    assert {spec.scoring["score"] for spec in of("bdeu-", "search") + of("fnml-", "search")} == {
        "bdeu",
        "fnml",
    }


def test_a_part_is_packed_at_its_end_and_not_run_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(parts, "PACKED", tmp_path / "packed")
    monkeypatch.setattr(parts, "RUNS", tmp_path / "runs")
    tiny = [parts.table1_part(f"table1-5.{p}", 5, p, rows=(100,)) for p in (1, 3)]
    monkeypatch.setattr(parts, "all_parts", lambda: tiny)

    def run(*arguments: str) -> tuple[int, str]:
        monkeypatch.setattr("sys.argv", ["parts", *arguments])
        status = parts.main()
        return status, capfd.readouterr().out

    assert run("--run", "table3")[0] == 2
    assert run("--run", "table1-5.3")[0] == 0
    assert not tiny[0].packed.exists()
    stored = store.load(tiny[1].packed)
    assert {run.specification.label for run in stored.runs.values()} == {
        "scoring",
        *LABELS.values(),
    }
    assert not stored.missing
    status, shown = run("--run", "table1-5.3")
    assert (status, shown) == (0, "table1-5.3: packed already\n")
    listed = run()[1].splitlines()
    assert re.fullmatch(r"table1-5.1 +up to about \d+ minutes", listed[0])
    assert re.fullmatch(r"table1-5.3 +packed", listed[1])


def test_parts_at_once_have_a_core_each(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(parts, "PACKED", tmp_path)
    some = [parts.Part(f"part-{number}", (), 1) for number in range(3)]
    monkeypatch.setattr(parts, "all_parts", lambda: some)
    monkeypatch.setattr(parts, "cores_to_use", lambda: [3, 5])
    kept: list[set[int]] = []
    monkeypatch.setattr(
        parts.os, "sched_setaffinity", lambda _, cores: kept.append(cores), raising=False
    )
    met = threading.Barrier(2)
    begun: list[str] = []

    def run(part: parts.Part) -> int:
        begun.append(part.name)
        if part in some[:2]:
            met.wait(60)  # broken unless two run at once
        return 0

    def main(*arguments: str) -> int:
        monkeypatch.setattr("sys.argv", ["parts", "--run", "part", *arguments])
        return parts.main()

    monkeypatch.setattr(parts, "run", run)
    assert main("--jobs", "2") == 0
    assert sorted(begun) == ["part-0", "part-1", "part-2"]
    assert sorted(map(sorted, kept)) == [[3], [5]]
    assert main("--jobs", "3") == 2
    assert "1 to 2 are possible" in capfd.readouterr().out
    monkeypatch.setattr(parts, "run", lambda part: 4 if part is some[1] else 0)
    assert main() == main("--jobs", "2") == 4


# --- the page ---


def page_of(folder: Path, packed: Path) -> str:
    write_page.main(folder, packed)
    return (folder / "README.md").read_text(encoding="utf-8")


def test_page_without_runs_says_so(tmp_path: Path) -> None:
    text = page_of(tmp_path, tmp_path / "nowhere")
    assert "**Nothing has been run yet.**" in text
    assert "Table 1:" not in text
    assert list(tmp_path.iterdir()) == [tmp_path / "README.md"]


@pytest.fixture(scope="module")
def tiny_study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Packed parts of a tiny study, made as those of the large one are."""
    folder = tmp_path_factory.mktemp("paper")
    packed = folder / "packed"
    packed.mkdir()
    few = ["--variables", "5", "--max-parents", "2", "--rows", "100"]
    sizes = [*few, "200"]
    asked = {
        "table1-5.2": ["table1", *sizes, "--algorithms", *LABELS.values()],
        "table2-5.2": ["table2", *sizes, "--heuristics", "static-pd"],
        "seed2-5.2": ["table1", *few, "--seed", "2", "--algorithms", WINDOW, AUTO],
        "bdeu-5.2": ["table1", *few, "--score", "bdeu", "--algorithms", WINDOW, ILP],
    }
    for name, arguments in asked.items():
        out = folder / "runs" / name
        for command in (
            [*arguments, "--memory-limit", "1GiB", "--out", str(out), "--quiet"],
            ["report", str(out), "--quiet", "--pack", str(packed / f"{name}.jsonl.gz")],
        ):
            ended = CliRunner().invoke(application, ["evaluate", *command])
            assert ended.exit_code == 0, ended.output
    return packed


def test_page_shows_all_that_has_been_run(tiny_study: Path, tmp_path: Path) -> None:
    text = page_of(tmp_path, tiny_study)
    rows = {
        (row.data_set, row.algorithm): row
        for row in Report(store.load(tiny_study / "table1-5.2.jsonl.gz")).table1
    }
    lines = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("| ")]
    shown = [line for line in lines if "repairing A\\*" in line[:2]]
    assert len(shown) == 2
    for line, data_set in zip(shown, ("5.2.100", "5.2.200"), strict=True):
        row = rows[data_set, LABELS[REPAIRING]]
        assert f"{row.error_bound:.4f}" == line[-4]
        assert line[-3] == "–", "the paper has no such data set"
    assert "## Table 2" in text
    assert "proves 2 of 2 data sets" in " ".join(text.split())
    assert "| MDL, seed 1 | 1 |" in text
    assert "| seed 2 | 1 |" in text
    assert re.search(r"^\| {1,2}\| BDeu \|", text, re.MULTILINE)
    assert "**Not run yet: 23 of the 23 parts**" in text
    assert all(len(line) <= 100 for line in text.splitlines() if not line.startswith("|"))
    assert (tmp_path / "figure4.svg").exists() is False, "no data set of the figure"


def test_page_depends_on_the_runs_alone(tiny_study: Path, tmp_path: Path) -> None:
    packed = tmp_path / "packed"
    packed.mkdir()
    for path in tiny_study.iterdir():
        store.pack(store.load(path), packed / path.name)
    one, other = tmp_path / "one", tmp_path / "other"
    one.mkdir()
    other.mkdir()
    assert page_of(one, tiny_study) == page_of(other, packed)


def made_part(packed: Path, name: str, *runs: store.Run) -> None:
    packed.mkdir(exist_ok=True)
    store.pack(stored_with(*runs), packed / f"{name}.jsonl.gz")


def test_findings_count_our_runs_and_the_papers_figures_in_the_same_way(tmp_path: Path) -> None:
    bounds = {  # by parents of the generating network
        3: {WINDOW: 98.0, REPAIRING: 97.0, WEIGHTED: 90.0, ILP: 99.0, AUTO: 100.0},
        6: {WINDOW: 99.0, REPAIRING: 99.5, WEIGHTED: 95.0, ILP: 97.0, AUTO: 100.0},
    }
    for parents, own in bounds.items():
        runs = [
            made_run(100.0, bound, label=LABELS[name], parents=parents, variables=29, rows=5000)
            for name, bound in own.items()
        ]
        made_part(tmp_path / "packed", f"table1-29.{parents}", *runs)
    # A data set between the two of a pair, of which no search is known.
    between = made_run(100.0, 90.0, label="astar", parents=4, variables=29, rows=5000)
    made_part(tmp_path / "packed", "table2-29.4", between)
    text = page_of(tmp_path, tmp_path / "packed")
    flat = " ".join(text.split())
    assert "Here: 1 to 1 against repairing A\\* and 2 to 0 against weighted A\\*." in flat
    # 29.3.5k and 29.6.5k of the paper: 1.033 and 1.000 (283 s) with window A*, 1.050 and 1.000 (296
    # s) with repairing A*; the latter is no clear difference.
    assert "figures: 1 to 0 against repairing A\\* and 2 to 0 against weighted A\\*." in flat
    assert "harder to prove" in flat
    assert "clearly later): it holds.** Here: 1 of 1 (0 of 1 with `auto`)" in flat
    assert (
        "Here: higher on 1, lower on 1 of 2. The paper's figures: higher on 1, lower on 0" in flat
    )
    assert "ILP proves all data sets of 1,000 rows within 60 s: cannot be said yet.**" in flat
    assert "(Figure 4): cannot be said yet.**" in flat
    assert "`auto` proves 2 of 2 data sets" in flat
    assert "**Not run yet: 20 of the 23 parts** (`table1-31.3`" in flat
    row = next(line for line in text.splitlines() if line.startswith("| 29.3.5k | window A"))
    assert row.split(" | ")[-6:] == ["1.0000", "1.000", "1.0205", "1.033", "70.0", "1,151\\* |"]
    assert "![figure2-29.6.5k](figure2-29.6.5k.svg)" in text
    assert (tmp_path / "figure2-29.6.5k.svg").exists()


def test_figures_3_and_4_are_drawn_of_what_was_visited(tiny_study: Path) -> None:
    from anytimebn.evaluation import figures
    from anytimebn.evaluation.tables import parents_by_layer

    data = Report(store.load(tiny_study / "table2-5.2.jsonl.gz")).data_sets
    figure = figures.figure3_by_rows({"some": data, "none": []})
    assert figure is not None
    left, right = figure.axes
    assert [text.get_text() for text in left.get_legend().get_texts()] == ["5.2.100", "5.2.200"]
    assert right.get_legend() is None
    assert figures.figure3_by_rows({"none": [], "none again": []}) is None
    layers = figures.figure4(data)
    assert layers is not None
    assert len(layers.axes) == 3
    for own in data:
        (visit,) = own.order_graphs
        assert visit.result is not None
        averages = parents_by_layer(visit.result)
        (network,) = own.networks
        assert network.result is not None
        arcs = sum(map(len, network.result["parents"].values()))
        assert averages is not None
        assert averages[-1] == pytest.approx(arcs / 5), "the network of the last node is learned"
        older = {
            **visit.result,
            "layers": [
                {key: value for key, value in layer.items() if key != "network_parents"}
                for layer in visit.result["layers"]
            ],
        }
        assert parents_by_layer(older) is None


# --- the study before ---


def test_the_study_before_is_told_by_what_there_was_when_weighted_astar_ended(
    tmp_path: Path,
) -> None:
    exact, (*_, greediest) = parts.ASTAR, parts.WEIGHTED_ONCE
    climbing, reinsertion, branching = parts.RIVALS

    def ended(
        label: str, cost: float, bound: float, seconds: float, expanded: int = 9
    ) -> store.Run:
        where: Any = {"label": label, "parents": 3, "variables": 20, "rows": 1000}
        result = made_run(cost, bound, **where).values["result"] | {
            "events": [[seconds, cost, bound, expanded]],
            "seconds": {"search": seconds, "total": seconds + 1},
            "expanded": expanded,
        }
        return made_run(cost, bound, **where, result=result)

    runs = [
        ended(exact, 100.0, 100.0, 20.0, 500_000),
        ended(greediest, 101.0, 98.0, 2.0, 1000),
        ended(climbing, 102.0, 80.0, 1.0),
        ended(reinsertion, 101.0, 80.0, 1.0),
        ended(branching, 100.0, 99.0, 9.0),  # late
    ]
    made_part(tmp_path / "packed", "predecessor-20", *runs)
    text = page_of(tmp_path, tmp_path / "packed")
    flat = " ".join(text.split())
    assert "(for some weight, more often better than worse): it holds.**" in flat
    assert (
        f"With weight {parts.WEIGHTS[-1]} it is cheaper than hill climbing's on 1 and dearer on 0 "
        "of 1; than optimal reinsertion's on 0 and dearer on 0 of 1; than branch and bound's on 1 "
        "and dearer on 0 of 1." in flat
    )
    assert f"With weight {parts.WEIGHTS[0]} it is" not in flat
    assert "several orders of magnitude: it holds.**" in flat
    assert "A\\* expands 500 times as many nodes" in flat
    assert "cost at most 1.00 % more than the best, of which at most 3.06 %" in flat
    row = next(line for line in text.splitlines() if line.startswith("| 20.3.1k"))
    assert "1.0100 (1.0306) " in row
    assert row.count("–") == len(parts.WEIGHTS) - 1
    assert predecessor.sections(Report(stored_with())) == []


# --- shares of nodes with other groups ---


def test_shares_of_drawn_nodes_equal_those_of_a_visit_of_all_nodes() -> None:
    from anytimebn.evaluation.order_graph import sweep_order_graph

    variables = 7
    _, data = ab.generate(variables, 2, 300, seed=3)
    scores = ab.score(data)
    visit = sweep_order_graph(scores, ["simple", ("static-pd", {"groups": variables})])
    nodes = (np.arange(2**variables)[:, None] >> np.arange(variables) & 1).astype(bool)
    apart = [[variable] for variable in range(variables)]
    found = sampled_shares.shares_below(
        scores,
        visit.optimum,
        nodes,
        {
            "simple": ("simple", []),
            "apart": ("static-pd", apart),
            "together": ("static-pd", [[*range(variables)]]),
            "halves": ("static-pd", sampled_shares.halves(range(variables))),
        },
    )
    assert [found["simple"], found["apart"]] == [f.share_below for f in visit.f_costs]
    assert found["together"] == 0, "one group is the whole problem: its bound is exact"
    assert 0 < found["halves"] <= found["simple"] < 1


def test_drawn_shares_are_kept_in_the_order_of_the_table(tmp_path: Path) -> None:
    path = tmp_path / "shares.csv"
    assert sampled_shares.read(path) == {}
    kept = {
        name: sampled_shares.SampledShares(name, 400, 0.9, 0.1, 0.4, 0.3, 0.45, 0.6)
        for name in ("29.4.1k", "29.2.10k", "29.2.5k")
    }
    sampled_shares.write(kept, path)
    assert sampled_shares.read(path) == kept
    assert [*sampled_shares.read(path)] == ["29.2.5k", "29.2.10k", "29.4.1k"]


def test_page_says_why_shares_differ(tmp_path: Path) -> None:
    visited = {"29.2.1k": (0.9, 0.02), "29.2.5k": (0.99, 0.3)}  # simple, static-pd
    rows = [
        Table2Row(
            data_set=name,
            variables=29,
            pops=1000,
            optimum=100.0,
            shares_below={"simple": simple, "static-pd": own},
            parents_generated=1.7,
            parents_learned=1.7,
            hamming_distance=0,
            proven=True,
            outcome="done",
        )
        for name, (simple, own) in visited.items()
    ]
    report: Any = SimpleNamespace(table2=rows, data_sets=[])
    drawn = {
        "29.2.1k": sampled_shares.SampledShares("29.2.1k", 400, 0.9, 0.1, 0.5, 0.4, 0.5, 0.6),
        "29.2.5k": sampled_shares.SampledShares("29.2.5k", 400, 0.9, 0.3, 0.7, 0.5, 0.6, 0.7),
    }
    text = "\n".join(table2.sections(report, tmp_path, drawn))
    flat = " ".join(text.split())
    # The paper has 41.92 % and 80.16 %.
    assert "is the nearest to the paper's, as a ratio, on 1 of 2 data sets" in flat
    assert "that without groups on 1, that with our groups on 0; 1 of the paper's figures" in flat
    assert "| 29.2.1k | 90.000 % | 2.000 % | 41.92 % |" in text
    assert "| 29.2.1k | 41.92 % | 50.0 % | 40.0 to 60.0 % | 90.0 % | 10.0 % |" in text
