"""What the pages say of the code is so, and Markdown is readable as text: its lines are short."""

from __future__ import annotations

import re
import runpy
import subprocess
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from typer.testing import CliRunner

import anytimebn
from anytimebn.cli.application import application

if TYPE_CHECKING:
    from types import CodeType, FrameType

ROOT = Path(__file__).parents[2]
PACKAGE = Path(anytimebn.__file__).parent
WIDTH = 100
MIDDLE = 40  # between the two houses of the drawing
GENERATED = ROOT / "docs" / "study" / "README.md"  # its tables of text are as wide as they are
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


def pages() -> list[Path]:
    """All Markdown files of the project."""
    listed = subprocess.run(
        ["git", "ls-files", "*.md"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if listed.returncode == 0 and listed.stdout:
        return [path for name in listed.stdout.split() if (path := ROOT / name).is_file()]
    return [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("benchmarks/*.md")]


def too_long(text: str) -> list[str]:
    """Lines that could be broken: not those of tables, nor an address without a space."""
    return [
        f"line {number}: {line}"
        for number, line in enumerate(text.split("\n"), 1)
        if len(line) > WIDTH and not line.startswith("|") and " " in line.strip()
    ]


@pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_lines_of_pages_are_short(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    if page == GENERATED:
        text = re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
    assert too_long(text) == []


def test_long_lines_are_found() -> None:
    assert too_long("a " * 51) == [f"line 1: {'a ' * 51}"]
    assert too_long(f"| {'a' * 100} |\nhttps://{'a' * 100}\nshort") == []


def section(heading: str) -> str:
    found = re.search(rf"^#+ {re.escape(heading)}\n(.*?)(?=^#|\Z)", CONTRIBUTING, re.M | re.S)
    assert found is not None, heading
    return found[1]


@pytest.mark.parametrize(
    ("heading", "right", "test"),
    [
        ("Python: `src/anytimebn`", False, "test_layers.py"),
        ("C++: `native`", True, "test_native_layers.py"),
    ],
)
def test_tables_and_drawing_show_the_layers(heading: str, right: bool, test: str) -> None:
    layers = list(runpy.run_path(str(ROOT / "tests" / "house" / test))["LAYERS"])
    assert re.findall(r"^\| `(\w+)` \|", section(heading), re.MULTILINE) == layers
    drawing = re.search(r"^```text\n(.*?)^```", section("The house"), re.M | re.S)
    assert drawing is not None
    house = slice(MIDDLE, None) if right else slice(MIDDLE)
    rooms = [re.findall(r"│ (\w+) +\w", line[house]) for line in drawing[1].splitlines()]
    assert [name for found in rooms for name in found] == layers[::-1]


def test_walk_of_a_row_is_what_happens(tmp_path: Path) -> None:
    """CONTRIBUTING lists functions in the order in which they are first called."""
    walk = re.findall(r"^\d+\. `([\w.]+)`", section("The walk of a row"), re.MULTILINE)
    called: dict[CodeType, None] = {}  # in the order of their first calls

    def note(frame: FrameType, event: str, _argument: Any) -> None:
        if event == "call":
            called.setdefault(frame.f_code)

    table = tmp_path / "table.csv"
    table.write_text("a,b,c\n" + "yes,no,1\nno,yes,2\n" * 20)
    threading.setprofile(note)
    sys.setprofile(note)
    try:
        ended = CliRunner().invoke(
            application,
            ["learn", str(table), "--json", str(tmp_path / "RESULT.json")],
        )
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    assert ended.exit_code == 0, ended.output
    assert len(walk) > 8
    assert [name for code in called if (name := name_of(code)) in walk] == walk


def name_of(code: CodeType) -> str:
    """The name of a function of the package by which the walk calls it; of others, nothing."""
    path = Path(code.co_filename)
    if not path.is_relative_to(PACKAGE):
        return ""
    return ".".join((*path.relative_to(PACKAGE).with_suffix("").parts, code.co_qualname))
