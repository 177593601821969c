"""Pages of the site that are made when it is built, so that they are never out of date.

A hook of MkDocs (see ``mkdocs.yml``): the reference comes from the docstrings, the registry and the
command line, the examples from the executed notebooks.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from mkdocs.structure.files import File, Files
from typer.cli import get_docs_for_click

import anytimebn as ab
from anytimebn.cli.application import application
from anytimebn.cli.listing import KINDS, properties_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mkdocs.config.defaults import MkDocsConfig

    from anytimebn.base.choices import Parameter

NOTEBOOKS = Path(__file__).parents[1] / "examples"
INTRODUCTIONS = {
    "algorithms": "Chosen with `--algorithm NAME` or `algorithm=NAME`; parameters are set with "
    '`--parameter NAME=VALUE` or `parameters={"NAME": VALUE}`. See [choosing](../choosing.md).',
    "heuristics": "Chosen with `--heuristic NAME` or `heuristic=NAME`, for algorithms that use "
    "one. They are lower bounds on the cost of the variables still to be placed; see "
    "[the method](../method.md).",
    "scores": "Chosen with `--score NAME` or `score=NAME`. Costs are in nats, and are minimised.",
}


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    """Add the generated pages to the files of the site."""
    for path, content in pages():
        files.append(File.generated(config, path, content=content))
    return files


def pages() -> Iterator[tuple[str, str]]:
    """Make all generated pages: path and Markdown."""
    yield "reference/python.md", python_page()
    yield "reference/command-line.md", command_line_page()
    for kind, introduction in INTRODUCTIONS.items():
        yield f"reference/{kind}.md", registry_page(kind, introduction)
    for path in sorted(NOTEBOOKS.glob("*.ipynb")):
        yield f"examples/{path.stem}.md", notebook_page(path)


def python_page() -> str:
    """Document every public name, from its docstring."""
    names = sorted((name for name in dir(ab) if not name.startswith("_")), key=str.lower)
    # Functions come first: most readers look for `learn`.
    names.sort(key=lambda name: isinstance(getattr(ab, name), type))
    entries = [f"::: anytimebn.{name}" for name in names]
    return "\n\n".join(["# Python", "Import all of these from `anytimebn`.", *entries])


def command_line_page() -> str:
    """Show what ``--help`` says of each command."""
    command = typer.main.get_command(application)
    context = typer.Context(command, info_name="anytimebn")
    return get_docs_for_click(obj=command, ctx=context, name="anytimebn", title="Command line")


def registry_page(kind: str, introduction: str) -> str:
    """Describe everything of one kind that can be chosen by name."""
    parts = [f"# {kind.capitalize()}", introduction]
    for choice in KINDS[kind]():
        parts += [f"## {choice.name}", _sentence(choice.summary)]
        if choice.paper:
            parts.append(f"*{choice.paper}*")
        if properties := properties_of(choice):
            parts.append(_sentence("; ".join(properties)))
        if rows := [_parameter_row(one) for one in getattr(choice, "parameters", ())]:
            head = "| parameter | default | lowest | highest | |\n|---|---|---|---|---|"
            parts.append("\n".join([head, *rows]))
    return "\n\n".join(parts)


def _parameter_row(one: Parameter) -> str:
    return f"| `{one.name}` | {one.default:g} | {one.lowest:g} | {one.highest:g} | {one.summary} |"


def _sentence(words: str) -> str:
    words = words.replace("*", r"\*")  # A* is not emphasis
    return f"{words[0].upper()}{words[1:].removesuffix('.')}."


def notebook_page(path: Path) -> str:
    """Show text, code and output of a notebook."""
    parts = []
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(source)
            continue
        parts.append(_fenced("python", source))
        parts += [_shown(output) for output in cell["outputs"]]
    parts.append(f"*This page is the notebook `examples/{path.name}`.*")
    return "\n\n".join(parts)


def _shown(output: dict[str, Any]) -> str:
    if output["output_type"] == "stream":
        return _fenced("text", "".join(output["text"]))
    data = {kind: "".join(content) for kind, content in output["data"].items()}
    if "text/html" in data:
        return f"<div>{data['text/html']}</div>" if data["text/html"] else ""
    if "image/png" in data:
        return f'<img alt="picture" src="data:image/png;base64,{data["image/png"].strip()}">'
    return _fenced("text", data["text/plain"])


def _fenced(language: str, content: str) -> str:
    return f"```{language}\n{content.rstrip()}\n```"
