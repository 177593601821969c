"""Docstrings as the reference needs them: an extension of Griffe (see ``mkdocs.yml``).

Griffe gives parameters that share a description, such as ``bins, missing``, the type and default of
the first; here each becomes an entry of its own. Public names in backticks become links.
"""

from __future__ import annotations

import inspect
import re
from typing import Any

import griffe

import anytimebn as ab

# Names that are also those of parameters, such as `score`, are links only as `anytimebn.score`.
PLAIN = {"bootstrap", "learn", "to_dataset"}
PUBLIC = {name for name in dir(ab) if not name.startswith("_")}
LINKED = {name for name in PUBLIC if isinstance(getattr(ab, name), type)} | PLAIN


class DocstringLinks(griffe.Extension):
    """Prepare every docstring before it is read."""

    def on_object(self, *, obj: griffe.Object, **_others: Any) -> None:
        """Change the text of one docstring."""
        if isinstance(obj, griffe.Function):
            show_options(obj)
        if obj.docstring is not None:
            own = obj.name if obj.name in PUBLIC else ""
            obj.docstring.value = with_links(separated(obj.docstring.value), own)


def show_options(function: griffe.Function) -> None:
    """Give a public function the parameters that it shows while Python runs: all its options."""
    found = getattr(ab, function.name, None)
    if function.name not in PUBLIC or not hasattr(found, "__signature__"):
        return
    if function.module.path != getattr(found, "__module__", None):
        return
    documented = {parameter.name: parameter for parameter in function.parameters}
    shown = [
        documented.get(parameter.name)
        or griffe.Parameter(
            parameter.name,
            annotation=str(parameter.annotation),
            kind=griffe.ParameterKind.keyword_only,
            default=repr(parameter.default),
        )
        for parameter in inspect.signature(found).parameters.values()
    ]
    options = [p for p in function.parameters if p.kind is griffe.ParameterKind.var_keyword]
    function.parameters = griffe.Parameters(*shown, *options)


def separated(text: str) -> str:
    """Give each of several parameters with one description its own entry."""
    entry = re.compile(r"^(\w+(?:, \w+)+)\n((?: {4}.*(?:\n|\Z)|\n(?= {4}))+)", re.MULTILINE)

    def entries(found: re.Match[str]) -> str:
        description = found[2] if found[2].endswith("\n") else found[2] + "\n"
        return "".join(f"{name}\n{description}" for name in found[1].split(", "))

    return entry.sub(entries, text).rstrip("\n")


def with_links(text: str, own: str = "") -> str:
    """Turn public names in backticks into links, but not that of the object itself."""

    def link(found: re.Match[str]) -> str:
        whole, prefix, name, member = found[0], found[1] or "", found[2], found[3] or ""
        known = name in PUBLIC if prefix else name in LINKED
        if not known or name == own:
            return whole
        return f"[`{name}{member}`][anytimebn.{name}]"

    return re.sub(r"(?<!`)`(anytimebn\.)?(\w+)(\.\w+)?`(?!`)", link, text)
