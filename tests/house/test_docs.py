"""Markdown is readable as text too: its lines are at most 100 characters long."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
WIDTH = 100
GENERATED = ROOT / "docs" / "study" / "README.md"  # its tables of text are as wide as they are


def pages() -> list[Path]:
    """All Markdown files that are part of the project, wherever they are."""
    listed = subprocess.run(
        ["git", "ls-files", "*.md"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
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
