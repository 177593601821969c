"""Pages show what their code prints and draws: a hook of MkDocs (see ``mkdocs.yml``).

Python and ``anytimebn`` commands of a page run in their order, in a folder of their own that has
`examples/`. What a block prints, and the pictures that it writes, stand below it. Code that fails
fails the build.
"""

from __future__ import annotations

import base64
import contextlib
import io
import re
import shlex
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from typer.testing import CliRunner

from anytimebn.cli.application import application

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mkdocs.structure.pages import Page

ROOT = Path(__file__).parents[1]
BLOCK = re.compile(
    r"^```(python|console)\n(.*?)^```\n(\n```text\n.*?^```\n)?|^```(text|toml)\n(.*?)^```\n",
    re.MULTILINE | re.DOTALL,
)
NOT_RUN = {"evaluation.md"}  # takes hours
FILES = {"text": "tiers.txt", "toml": "knowledge.toml"}  # what pages show of files that they use
OUTPUT = "```{ .text .output }"
MOST_LINES = 40
DOTS_PER_INCH, SCREEN_DOTS = 160, 96  # of the pictures, and of a screen


def on_page_markdown(markdown: str, *, page: Page, **_others: Any) -> str:
    """Add what the code of a page shows; pages that are generated show theirs already."""
    name = page.file.src_uri
    if "/" in name or name in NOT_RUN:
        return markdown
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "examples").symlink_to(ROOT / "examples")
        with contextlib.chdir(folder):
            return with_output(markdown, name)


def with_output(markdown: str, page: str) -> str:
    """Run the code of a page in the current folder, and add what each block shows."""
    names: dict[str, Any] = {}
    for found in BLOCK.finditer(markdown):
        if found[4]:
            Path(FILES[found[4]]).write_text(found[5], encoding="utf-8")

    def shown(found: re.Match[str]) -> str:
        language, code, output = found[1], found[2], found[3]
        if not language:
            return found[0]
        before = dict(_pictures())
        if language == "python":
            printed = _run_python(code, names, page)
        else:
            printed = _run_commands(code, page)
        drawn = [path for path, content in _pictures() if before.get(path) != content]
        # Some pages write down what their code prints, and a test compares that.
        block = found[0].removesuffix(output or "").rstrip()
        told = [output.strip().replace("```text", OUTPUT, 1)] if output else _output(printed)
        return "\n\n".join([block, *told, *map(_image, drawn)]) + "\n"

    return BLOCK.sub(shown, markdown)


def _run_python(code: str, names: dict[str, Any], page: str) -> str:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(code, f"code of {page}", "exec"), names)
    return printed.getvalue()


def _run_commands(code: str, page: str) -> str:
    printed = []
    for command in re.findall(r"^\$ anytimebn (.*)$", code.replace("\\\n", " "), re.MULTILINE):
        ended = CliRunner().invoke(application, shlex.split(command))
        if ended.exit_code != 0:
            raise RuntimeError(f"{page}: {command}: {ended.output}")
        printed.append(ended.stdout)
    return "".join(printed)


def _pictures() -> Iterator[tuple[Path, bytes]]:
    """Give all pictures, in the order in which they were written."""
    for path in sorted(Path().glob("*.png"), key=lambda path: path.stat().st_mtime_ns):
        yield path, path.read_bytes()


def _output(printed: str) -> list[str]:
    lines = [line.rstrip() for line in printed.strip("\n").splitlines()]
    if not lines:
        return []
    if len(lines) > MOST_LINES:
        left_out = f"... ({len(lines) - MOST_LINES + 1} more lines)"
        lines = [*lines[: MOST_LINES - 2], left_out, lines[-1]]
    return ["\n".join([OUTPUT, *lines, "```"])]


def _image(path: Path) -> str:
    content = path.read_bytes()
    width = int.from_bytes(content[16:20], "big") * SCREEN_DOTS // DOTS_PER_INCH
    encoded = base64.b64encode(content).decode("ascii")
    return (
        f'<img alt="{path.name}" style="max-width: 100%" width="{width}" '
        f'src="data:image/png;base64,{encoded}">'
    )
