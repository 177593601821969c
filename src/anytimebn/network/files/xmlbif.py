"""XMLBIF 0.3, the interchange format in XML; it takes any name as it is."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NoReturn
from xml.parsers import expat
from xml.sax.saxutils import escape

from anytimebn.base.errors import InputError
from anytimebn.network.files.network_parts import (
    Family,
    fitted_network,
    require_probabilities,
    shaped_table,
)

if TYPE_CHECKING:
    from pathlib import Path

    from anytimebn.network.network import Network

# Characters that XML 1.0 cannot hold, not even escaped.
UNWRITABLE = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

# Without the customary DOCTYPE: pyAgrum cannot read past one, and no reader we know needs it.
HEADER = '<?xml version="1.0" encoding="UTF-8"?>\n'


def write_xmlbif(network: Network, path: Path) -> None:
    """Write a fitted network as XMLBIF 0.3."""
    states, probabilities = require_probabilities(network, path)
    for text in (*network.names, *(value for values in states for value in values)):
        if UNWRITABLE.search(text) or text != text.strip():
            raise InputError(
                f"{path}: the name {text!r} has a control character or a blank at an end, which "
                "XMLBIF cannot hold; rename it or write .json"
            )
    lines = ['<BIF VERSION="0.3">', "<NETWORK>", "<NAME>unknown</NAME>"]
    for name, values in zip(network.names, states, strict=True):
        lines.append('<VARIABLE TYPE="nature">')
        lines.append(f"  <NAME>{escape(name)}</NAME>")
        lines += [f"  <OUTCOME>{escape(value)}</OUTCOME>" for value in values]
        lines.append("</VARIABLE>")
    for variable, members in enumerate(network.parents):
        lines.append("<DEFINITION>")
        lines.append(f"  <FOR>{escape(network.names[variable])}</FOR>")
        lines += [f"  <GIVEN>{escape(network.names[member])}</GIVEN>" for member in members]
        # The format lets the child's value vary fastest, then the last parent's: our own layout.
        numbers = " ".join(repr(float(value)) for value in probabilities[variable].ravel())
        lines.append(f"  <TABLE>{numbers}</TABLE>")
        lines.append("</DEFINITION>")
    lines += ["</NETWORK>", "</BIF>"]
    path.write_text(HEADER + "\n".join(lines) + "\n", encoding="utf-8")


@dataclass
class _Element:
    tag: str
    line: int
    text: str = ""
    pieces: list[str] = field(default_factory=list)  # of the text, until the element ends
    children: list[_Element] = field(default_factory=list)

    def all(self, tag: str) -> list[_Element]:
        return [child for child in self.children if child.tag == tag]


def read_xmlbif(path: Path) -> Network:
    """Read a network from XMLBIF 0.3."""
    root = _parse(path)
    networks = root.all("NETWORK") if root.tag == "BIF" else []
    if len(networks) != 1:
        _fail(path, root, f"<{root.tag}> has {len(networks)} networks; a <BIF> with one is needed")
    states: dict[str, list[str]] = {}
    for element in networks[0].all("VARIABLE"):
        name = _only(path, element, "NAME")
        if name in states:
            _fail(path, element, f"variable {name!r} is declared twice")
        values = [child.text for child in (*element.all("OUTCOME"), *element.all("VALUE"))]
        if not values:
            _fail(path, element, f"variable {name!r} has no <OUTCOME>; at least one is needed")
        if len(set(values)) < len(values):
            _fail(path, element, f"variable {name!r} has an <OUTCOME> twice; they must differ")
        states[name] = values
    families: dict[str, Family] = {}
    for element in (*networks[0].all("DEFINITION"), *networks[0].all("PROBABILITY")):
        child = _only(path, element, "FOR")
        members = [given.text for given in element.all("GIVEN")]
        for name in (child, *members):
            if name not in states:
                _fail(path, element, f"variable {name!r} has no <VARIABLE> element")
        if child in families:
            _fail(path, element, f"{child!r} is defined twice, also on line {families[child].line}")
        words = _only(path, element, "TABLE").split()
        try:
            numbers = [float(word) for word in words]
        except ValueError:
            _fail(path, element, f"the <TABLE> of {child!r} holds something that is not a number")
        shape = [len(states[name]) for name in (*members, child)]
        table = shaped_table(path, element.line, child, numbers, shape)
        families[child] = Family(members, table, element.line)
    if not states:
        _fail(path, networks[0], "the network has no <VARIABLE>; at least one is needed")
    return fitted_network(path, states, families)


def _fail(path: Path, element: _Element, message: str) -> NoReturn:
    raise InputError(f"{path}, line {element.line}: {message}")


def _only(path: Path, element: _Element, tag: str) -> str:
    found = element.all(tag)
    if len(found) != 1:
        _fail(path, element, f"<{element.tag}> has {len(found)} <{tag}> elements; one is needed")
    return found[0].text


def _parse(path: Path) -> _Element:
    """Parse with expat itself, because the standard tree types forget the lines."""
    parser = expat.ParserCreate()
    parser.buffer_text = True
    top = _Element("", 1)
    stack = [top]

    def start(tag: str, _attributes: dict[str, str]) -> None:
        element = _Element(tag.upper(), parser.CurrentLineNumber)
        stack[-1].children.append(element)
        stack.append(element)

    def end(_tag: str) -> None:
        element = stack.pop()
        element.text = "".join(element.pieces).strip()
        element.pieces.clear()

    def characters(text: str) -> None:
        stack[-1].pieces.append(text)

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = characters
    try:
        parser.Parse(path.read_bytes(), True)
    except expat.ExpatError as error:
        raise InputError(
            f"{path}, line {error.lineno}: not well-formed XML: {expat.ErrorString(error.code)}"
        ) from None
    except LookupError as error:
        raise InputError(f"{path}: {error}; save the file as UTF-8") from None
    return top.children[0]
