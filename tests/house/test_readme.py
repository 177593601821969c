"""README and pages keep their promises: Python and commands run, links lead somewhere."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from anytimebn.cli.application import application

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMAND_LINE = (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8")


def blocks(language: str, text: str = README) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def commands(text: str) -> list[str]:
    joined = text.replace("\\\n", " ")  # a long command goes on in the next line
    return re.findall(r"^\$ anytimebn (.*)$", joined, re.MULTILINE)


def run_commands(text: str) -> None:
    for command in commands(text):
        ended = CliRunner().invoke(application, shlex.split(command))
        assert ended.exit_code == 0, f"{command}: {ended.stderr}"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder in which the examples are where the README says, and in which files may be left."""
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    (tmp_path / "tiers.txt").write_text(blocks("text", COMMAND_LINE)[0])
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_readme_has_python_and_commands() -> None:
    assert len(blocks("python")) >= 2
    assert len(commands("\n".join(blocks("console")))) >= 2


@pytest.mark.parametrize("number", range(len(blocks("python"))))
def test_readme_python_runs(number: int, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(blocks("python")[number], f"README block {number}", "exec"), {})
    if number == 0:
        printed = " ".join(blocks("text")[0].split())
        assert capsys.readouterr().out.strip() == printed
        assert (folder / "network.png").stat().st_size > 0
        assert (folder / "bounds.png").stat().st_size > 0


PAGES = [page for page in ROOT.glob("docs/*.md") if page.name != "evaluation.md"]  # takes hours


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_code_of_pages_runs_in_its_order(page: Path, folder: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for content in blocks("toml", text):
        (folder / "knowledge.toml").write_text(content)
    names: dict[str, object] = {}
    found = re.findall(r"^```(python|console)\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    for number, (language, code) in enumerate(found):
        if language == "python":
            exec(compile(code, f"{page.name} block {number}", "exec"), names)
        else:
            run_commands(code)


def test_readme_commands_work_in_their_order(folder: Path) -> None:
    run_commands("\n".join(blocks("console")))
    assert (folder / "network.bif").exists()


def test_readme_figures_of_greedy_learners_are_those_that_were_measured() -> None:
    """Costs and wrong edges of the table that the README names, from the committed raw figures."""
    file = ROOT / "benchmarks" / "results" / "wide-part.json"
    runs = [
        run
        for run in json.loads(file.read_text(encoding="utf-8"))["runs"]
        if run["case"] == "45.3.5k" and (run["limit"] == 20.0 or run["method"] != "default")
    ]
    ours, pgmpy, pyagrum = (
        next(run for run in runs if run["method"] == method)
        for method in ("default", "pgmpy hill climbing", "pyAgrum greedy")
    )
    above = [f"{100 * (peer['cost'] / ours['cost'] - 1):.1f} %" for peer in (pgmpy, pyagrum)]
    told = " ".join(README.split())
    assert f"end {above[0]} and {above[1]} above" in told
    assert f"with {pgmpy['distance']} and {pyagrum['distance']} wrong edges" in told
    assert f"That network has {ours['distance']} " in told


def test_first_screen_of_the_readme_has_all_one_needs() -> None:
    """Why, a picture, how to install, and five lines that learn."""
    first = README[: README.index("prints")]
    assert len(first.splitlines()) < 45
    for part in (
        "Why that matters",
        "](docs/figures/first_screen.png)",
        "pip install .",
        "ab.learn",
    ):
        assert part in first


def anchors(page: Path) -> set[str]:
    """Make the names that GitHub gives to headings."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize(
    "page", [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")], ids=lambda page: page.name
)
def test_links_of_pages_lead_somewhere(page: Path) -> None:
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    for link in re.findall(r"\]\((?!https?:)([^)]*)\)", text):
        path, _, anchor = link.partition("#")
        target = page.parent / path if path else page
        assert target.is_file(), link
        assert not anchor or anchor in anchors(target), link
