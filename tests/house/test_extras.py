"""The default install learns from a table; what needs more says what, before any long work."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TABLE = ROOT / "examples" / "clinic.csv"
NOT_CORE = (
    *("matplotlib", "networkx", "pyscipopt", "openpyxl", "sklearn", "distributed", "dask"),
    *("pgmpy", "pandas", "polars", "scipy", "yaml", "IPython"),
)


BLOCK = f"""
import sys
from importlib.machinery import PathFinder

class Finder(PathFinder):
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        if name.split(".")[0] not in {NOT_CORE!r}:
            return PathFinder.find_spec(name, path, target)

sys.meta_path = [Finder if finder is PathFinder else finder for finder in sys.meta_path]
"""


def without_extras(code: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run code where nothing can be imported that is not in the default install."""
    command = [sys.executable, "-c", BLOCK + code]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)


def command(*words: str) -> str:
    return f"sys.argv[1:] = {list(words)!r}\nfrom anytimebn.cli import main\nmain()"


def test_table_is_learned_proven_checked_and_shown_without_extras(tmp_path: Path) -> None:
    code = (
        "import anytimebn as ab\n"
        f"result = ab.learn({str(TABLE)!r}, progress=False)\n"
        f"assert result.status == 'optimal' and ab.verify(result, data={str(TABLE)!r}).ok\n"
        "result.save('result.json')\n"
        "result.network.save('network.bif')\n"
        "shown = result._repr_html_() + result.network._repr_html_()\n"
        "shown += result.network.cpdag()._repr_html_()\n"
        "assert '15 variables' in shown and '<img' not in shown, shown\n"
        f"found = ab.bootstrap({str(TABLE)!r}, replicates=2, progress=False, time_limit=5)\n"
        "assert found.average().names and '<img' not in found._repr_html_()\n"
        "print(result.network.query('heart_disease', evidence={'smoking': 'daily'}))\n"
    )
    ended = without_extras(code, tmp_path)
    assert ended.returncode == 0, ended.stderr
    assert "heart_disease" in ended.stdout


def test_commands_work_without_extras(tmp_path: Path) -> None:
    words = ("learn", str(TABLE), "--json", "r.json", "-o", "n.bif", "-o", "n.dot", "--quiet")
    ended = without_extras(command(*words), tmp_path)
    assert ended.returncode == 0, ended.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["n.bif", "n.dot", "r.json"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ("learn", str(TABLE), "-o", "net.png"),
            "net.png: a drawing needs matplotlib: pip install 'anytimebn[draw]'",
        ),
        (
            ("learn", str(TABLE), "--algorithm", "ilp"),
            "the algorithm ilp needs pyscipopt: pip install 'anytimebn[ilp]'",
        ),
        (
            ("bootstrap", str(TABLE), "-o", "arcs.svg"),
            "arcs.svg: a drawing needs matplotlib: pip install 'anytimebn[draw]'",
        ),
        (
            ("evaluate", "table1", "--variables", "5", "--out", "runs", "--algorithms", "astar"),
            "drawing needs matplotlib: pip install 'anytimebn[draw]'",
        ),
    ],
)
def test_command_says_which_extra_it_needs_before_it_works(
    words: tuple[str, ...], message: str, tmp_path: Path
) -> None:
    ended = without_extras(command(*words), tmp_path)
    assert ended.returncode == 2, ended.stderr
    assert message in " ".join(ended.stderr.split())
    assert "Traceback" not in ended.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("network.plot()", "drawing needs matplotlib: pip install 'anytimebn[draw]'"),
        ("network.cpdag().plot()", "drawing needs matplotlib: pip install 'anytimebn[draw]'"),
        ("network.to_networkx()", "Network.to_networkx needs networkx: pip install networkx"),
        (
            "ab.search(None, algorithm='ilp')",
            "the algorithm ilp needs pyscipopt: pip install 'anytimebn[ilp]'",
        ),
    ],
)
def test_function_says_which_extra_it_needs(statement: str, message: str, tmp_path: Path) -> None:
    code = (
        "import anytimebn as ab\n"
        "network = ab.Network.from_parents({'a': [], 'b': ['a']})\n"
        f"try:\n    {statement}\nexcept ab.MissingPackage as error:\n    print(error)\n"
    )
    ended = without_extras(code, tmp_path)
    assert ended.stdout.strip() == message, ended.stderr
