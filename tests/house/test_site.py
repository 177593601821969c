"""The site builds without a warning, and the notebooks run and show what they showed."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

import anytimebn as ab
from anytimebn.cli.listing import KINDS

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted(ROOT.glob("examples/*.ipynb"))


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    # Strict (see mkdocs.yml): links and anchors that lead nowhere, and forgotten pages, fail; but
    # not with --quiet, which drops warnings before they are counted.
    command = [sys.executable, "-m", "mkdocs", "build", "--site-dir", str(folder)]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    ended = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return folder


def test_reference_has_all_there_is(site: Path) -> None:
    for kind in ("algorithms", "heuristics", "scores"):
        page = (site / "reference" / f"{kind}.html").read_text(encoding="utf-8")
        for choice in KINDS[kind]():
            assert f'id="{choice.name}"' in page
    page = (site / "reference" / "python.html").read_text(encoding="utf-8")
    for name in dir(ab):
        assert name.startswith("_") or f'id="anytimebn.{name}"' in page, name
    page = (site / "reference" / "command-line.html").read_text(encoding="utf-8")
    assert "anytimebn evaluate table1" in page


def test_reference_has_types_and_links(site: Path) -> None:
    page = (site / "reference" / "python.html").read_text(encoding="utf-8")
    learn = page[page.index('id="anytimebn.learn"') : page.index('id="anytimebn.score"')]
    rows = {
        re.sub(r"<[^>]+>|\s", "", row[0]): re.sub(r"<[^>]+>|\s", "", "".join(row))
        for row in (re.findall(r"<td>(.*?)</td>", r, re.S) for r in learn.split("<tr"))
        if len(row) == 4
    }
    # These share a description with others, but neither type nor default.
    assert rows["ess"].startswith("essfloat")
    assert rows["ess"].endswith("1.0")
    assert rows["forbid"].startswith("forbidSequence[ArcLike]")
    assert 'href="#anytimebn.Dataset"' in learn
    assert "][anytimebn." not in page


def test_site_loads_nothing_from_elsewhere(site: Path) -> None:
    loads = r"""<(?:script|img|iframe)[^>]*\ssrc="https?:|<link[^>]*\shref="https?:"""
    for page in site.rglob("*.html"):
        assert not re.search(loads, page.read_text(encoding="utf-8")), page


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_runs_and_prints_what_it_printed(path: Path, tmp_path: Path) -> None:
    shutil.copy(ROOT / "examples" / "clinic.csv", tmp_path)
    book = nbformat.read(path, as_version=4)
    before = printed(book)
    NotebookClient(book, timeout=600, resources={"metadata": {"path": tmp_path}}).execute()
    assert any(before)
    assert printed(book) == before


def printed(book: nbformat.NotebookNode) -> list[str]:
    """What each cell printed; a kernel may send it in several pieces."""
    return [
        "".join(o["text"] for o in cell.get("outputs", ()) if o["output_type"] == "stream")
        for cell in book.cells
    ]


def test_pages_show_what_their_code_prints_and_draws(site: Path) -> None:
    page = (site / "index.html").read_text(encoding="utf-8")
    assert re.search(r'class="[^"]*output[^"]*".*?Result\(optimal', page, re.DOTALL)
    pictures = re.findall(r'<img alt="([\w.]+)"[^>]*src="data:image/png;base64', page)
    assert pictures == ["network.png", "bounds.png"]
    page = (site / "command-line.html").read_text(encoding="utf-8")
    assert "optimal: proven, no network costs less" in page


def test_reference_shows_all_options_of_learn(site: Path) -> None:
    page = (site / "reference" / "python.html").read_text(encoding="utf-8")
    learn = page[page.index('id="anytimebn.learn"') : page.index('id="anytimebn.score"')]
    signature = re.sub(r"<[^>]+>", "", learn[: learn.index("</pre>")])
    for option in ("algorithm", "max_expansions", "missing", "time_limit"):
        assert f"{option}:" in signature
    assert "stop_at_check" not in signature
