"""Start-up: what is heavy is loaded when it is used, not before."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import anytimebn

HEAVY = (
    *("pyscipopt", "sklearn", "pandas", "pyarrow", "matplotlib", "networkx", "scipy"),
    *("polars", "narwhals"),
)


@pytest.mark.parametrize(
    ("statement", "heavy"),
    [
        ("import anytimebn", (*HEAVY, "numpy", "typer", "rich")),
        ("import anytimebn.cli.application", (*HEAVY, "numpy", "rich")),
        ("from anytimebn import learn, score, search, stream", HEAVY),
    ],
)
def test_import_loads_nothing_heavy(statement: str, heavy: tuple[str, ...]) -> None:
    code = f"import sys; {statement}; print(*[m for m in {heavy!r} if m in sys.modules])"
    command = [sys.executable, "-c", code]
    found = subprocess.run(command, capture_output=True, text=True, check=True)
    assert found.stdout.split() == []


NOT_FOR_HELP = (
    *("numpy", "rich"),
    *("anytimebn.solver.routes", "anytimebn.solver.run", "anytimebn.learning", "anytimebn.watch"),
)


@pytest.mark.parametrize("words", [["--help"], ["learn", "--help"]])
def test_help_loads_nothing_heavy(words: list[str]) -> None:
    heavy = (*HEAVY, *NOT_FOR_HELP)
    code = (
        f"import sys, atexit; from anytimebn.cli import main; sys.argv[1:] = {words!r}; "
        f"atexit.register(lambda: print('HEAVY', *[m for m in {heavy!r} if m in sys.modules])); "
        "main()"
    )
    command = [sys.executable, "-c", code]
    found = subprocess.run(command, capture_output=True, text=True, check=True)
    assert found.stdout.splitlines()[-1].split() == ["HEAVY"]


def test_learning_from_a_text_file_needs_no_pandas(tmp_path: Path) -> None:
    table = tmp_path / "table.csv"
    table.write_text("rain,wet,mm\nno,?,1.5\nyes,yes,20\nyes,no,3\n" * 5)
    code = (
        f"import sys, anytimebn; anytimebn.learn({str(table)!r}, missing='category'); "
        "print('pandas' in sys.modules)"
    )
    command = [sys.executable, "-c", code]
    found = subprocess.run(command, capture_output=True, text=True, check=True)
    assert found.stdout.split() == ["False"]


def test_signals_are_heard_before_anything_else_is_imported() -> None:
    """Whoever interrupts before that gets a traceback of Python's own."""
    code = (
        "import sys; from anytimebn.cli import main; from anytimebn.cli.interrupts import "
        "INTERRUPTS; print(*sorted(sys.modules))"
    )
    source = str(Path(anytimebn.__file__).parent.parent)
    found = subprocess.run(
        [sys.executable, "-S", "-c", code],  # what `site` imports is not ours
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": source},
    )
    loaded = found.stdout.split()
    assert {name for name in loaded if name.startswith("anytimebn")} == {
        "anytimebn",
        "anytimebn.cli",
        "anytimebn.cli.interrupts",
    }
    assert set(loaded).isdisjoint(
        {"__future__", "enum", "importlib.util", "logging", "pathlib", "re", "typing"}
    )
