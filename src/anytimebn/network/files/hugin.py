"""Hugin's ``.net`` files, which Hugin, bnlearn, GeNIe, pgmpy and pyAgrum read.

Nodes are plain words there: a name that is none is written as one, and an attribute of ours, which
other programs skip, keeps the original. States are quoted and may be any text, but pgmpy looks for
the end of a word inside quotes, too: brackets, commas and blanks are replaced in them, so that
``[1, 2)`` becomes ``[1_2_``. Probabilities are written with all their digits.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

from anytimebn.network.files.network_parts import (
    Family,
    even_table,
    fitted_network,
    require_probabilities,
    shaped_table,
)
from anytimebn.network.files.plain_words import plain_words
from anytimebn.network.files.token_reader import Token, TokenReader

if TYPE_CHECKING:
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from anytimebn.network.network import Network

PLAIN_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
KEYWORDS = frozenset(
    ("net", "class", "node", "discrete", "continuous", "decision", "utility", "potential", "data")
)
ORIGINAL = "anytimebn_name"
ORIGINAL_STATES = "anytimebn_states"


def write_hugin(network: Network, path: Path) -> None:
    """Write a fitted network as a Hugin ``.net`` file."""
    states, probabilities = require_probabilities(network, path)
    names = plain_words(network.names, _plain_name)
    lines = ["net", "{", "}"]
    for word, original, values in zip(names, network.names, states, strict=True):
        plain = plain_words(values, _plain_value)
        lines += [f"node {word}", "{"]
        lines.append(f"  states = ({' '.join(map(_quoted, plain))});")
        if word != original:
            lines.append(f"  {ORIGINAL} = {_quoted(quote(original, safe=''))};")
        if plain != list(values):
            kept = " ".join(quote(value, safe="") for value in values)
            lines.append(f"  {ORIGINAL_STATES} = {_quoted(kept)};")
        lines.append("}")
    for variable, members in enumerate(network.parents):
        given = " ".join(names[member] for member in members)
        head = f"{names[variable]} | {given}" if members else names[variable]
        lines += [f"potential ({head})", "{"]
        lines.append(f"  data = {_nested(probabilities[variable])};")
        lines.append("}")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _plain_name(original: str) -> str:
    word = re.sub(r"[^A-Za-z0-9_]", "_", original)
    return word if PLAIN_WORD.fullmatch(word) and word not in KEYWORDS else f"_{word}"


def _plain_value(original: str) -> str:
    # Comments begin with % for Hugin, and with // or /* for pgmpy.
    return re.sub(r"""(?:[^!-~]|["\\(),;%{}])+|/(?=[/*])""", "_", original) or "_"


def _quoted(text: str) -> str:
    return f'"{text}"'


def _nested(table: NDArray[np.float64]) -> str:
    if table.ndim == 1:
        return f"({' '.join(repr(float(value)) for value in table)})"
    return "(" + "\n    ".join(_nested(part) for part in table) + ")"


TOKEN = re.compile(
    r"""(?P<skip> [\s]+ | %[^\n]* )
      | "(?P<quoted> (?: [^"\\] | \\. )* )"
      | (?P<mark> [{}()|;=,] )
      | (?P<word> [^\s{}()|;=,"%]+ )""",
    re.VERBOSE | re.DOTALL,
)


def read_hugin(path: Path) -> Network:
    """Read a network of discrete chance nodes from a Hugin ``.net`` file."""
    return _Reader(path).read()


class _Reader(TokenReader):
    """Reads block by block; blocks in a ``class`` count as if it were not there."""

    pattern = TOKEN

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.nodes: dict[str, list[str]] = {}
        self.originals: dict[str, str] = {}
        self.families: dict[str, Family] = {}

    def read(self) -> Network:
        open_classes = 0
        while (token := next(self.tokens, None)) is not None:
            self.line = token.line
            if token.text in ("net", "continuous", "decision", "utility", "function"):
                if token.text != "net":
                    self._fail(f"a {token.text} node; only discrete chance nodes can be read")
                self._mark("{")
                self._attributes()
            elif token.text == "class":
                self._word("the name of a class")
                self._mark("{")
                open_classes += 1
            elif token.text == "}" and open_classes:
                open_classes -= 1
            elif token.text == "discrete":
                continue
            elif token.text == "node":
                self._node()
            elif token.text == "potential":
                self._potential()
            elif open_classes:  # an attribute of the class itself
                self._mark("=")
                self._value()
            else:
                self._fail(f"{token.text!r} stands where 'net', 'node' or 'potential' is needed")
        if not self.nodes:
            self._fail("the file declares no node; each variable needs a 'node' block")
        states = {self.originals[word]: values for word, values in self.nodes.items()}
        if len(states) < len(self.nodes):
            self._fail(f"two nodes have the same {ORIGINAL}; they must differ")
        families = {
            self.originals[word]: Family(
                [self.originals[parent] for parent in family.parents], family.table, family.line
            )
            for word, family in self.families.items()
        }
        return fitted_network(self.path, states, families)

    def _attributes(self) -> dict[str, list[Token]]:
        """Read ``name = value;`` up to the closing brace."""
        found: dict[str, list[Token]] = {}
        while not (token := self._next("an attribute or '}'")).is_mark:
            self._mark("=")
            found[token.text] = self._value()
        if token.text != "}":
            self._fail(f"{token.text!r} stands where an attribute or '}}' is needed")
        return found

    def _value(self) -> list[Token]:
        tokens = []
        while (token := self._next("';'")).text != ";" or not token.is_mark:
            tokens.append(token)
        return tokens

    def _node(self) -> None:
        name = self._word("the name of a node")
        if name in self.nodes:
            self._fail(f"node {name!r} was declared before")
        line = self.line
        self._mark("{")
        attributes = self._attributes()
        values = _texts(attributes.get("states", []))
        for text in _texts(attributes.get(ORIGINAL_STATES, []))[:1]:
            kept = [unquote(word) for word in text.split(" ")]
            values = kept if len(kept) == len(values) else values
        self.line = line
        if not values:
            self._fail(f'node {name!r} has no states; it needs \'states = ("a" "b");\'')
        if len(set(values)) < len(values):
            self._fail(f"node {name!r} has a state twice; states must differ")
        self.nodes[name] = values
        original = _texts(attributes.get(ORIGINAL, []))
        self.originals[name] = unquote(original[0]) if original else name

    def _potential(self) -> None:
        line = self.line
        child, members = self._family("node", self.nodes)
        if child in self.families:
            self._fail(f"{child!r} has a potential already, on line {self.families[child].line}")
        self._mark("{")
        attributes = self._attributes()
        self.line = line
        shape = [len(self.nodes[name]) for name in (*members, child)]
        if "data" in attributes:
            words = _texts(attributes["data"])
            try:
                numbers = [float(word) for word in words]
            except ValueError:
                self._fail(f"the data of {child!r} are not all numbers")
            table = shaped_table(self.path, line, child, numbers, shape)
        elif "model_data" in attributes or "model_nodes" in attributes:
            self._fail(f"{child!r} has a model instead of numbers, which cannot be read")
        else:  # the format's default
            table = even_table(self.path, line, child, 1.0 / shape[-1], shape)
        self.families[child] = Family(members, table, line)


def _texts(tokens: list[Token]) -> list[str]:
    return [re.sub(r"\\(.)", r"\1", token.text) for token in tokens if not token.is_mark]
