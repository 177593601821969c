"""Start-up: what is heavy is loaded when it is used, not before."""

from __future__ import annotations

import subprocess
import sys

import pytest

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


def test_help_loads_nothing_heavy() -> None:
    code = (
        "import sys, atexit; from anytimebn.cli import main; sys.argv[1:] = ['--help']; "
        f"atexit.register(lambda: print('HEAVY', *[m for m in {HEAVY!r} if m in sys.modules])); "
        "main()"
    )
    command = [sys.executable, "-c", code]
    found = subprocess.run(command, capture_output=True, text=True, check=True)
    assert found.stdout.splitlines()[-1].split() == ["HEAVY"]
