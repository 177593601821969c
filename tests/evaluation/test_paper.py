"""The paper's study: its parts ask for what the paper did, and its page says what the runs say."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from docs.findings import AUTO, ILP, REPAIRING, WEIGHTED, WINDOW
from docs.paper import parts, published, write_page
from made_runs import made_run, stored_with
from typer.testing import CliRunner

from anytimebn.cli import evaluate
from anytimebn.cli.application import application
from anytimebn.evaluation import store
from anytimebn.evaluation.report import Report

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
    assert "**Not run yet: 20 of the 20 parts**" in text
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
    assert "**Not run yet: 17 of the 20 parts** (`table1-31.3`" in flat
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
