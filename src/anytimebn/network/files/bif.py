"""The Bayesian Interchange Format (BIF 0.15), as the public network repositories use it.

The format has quoted strings, but pgmpy and pyAgrum read only bare words, and pyAgrum not every
bare word. So a name that is not a plain word is written as one (``blood pressure`` becomes
``blood_pressure``), and a ``property`` line, which other programs skip, keeps the original for our
own reader. Probabilities are written with all their digits.
"""

from __future__ import annotations

import itertools
import math
import re
import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

import numpy as np

from anytimebn.base.text import shown
from anytimebn.network.files.network_parts import (
    Family,
    even_table,
    fitted_network,
    require_probabilities,
    shaped_table,
)
from anytimebn.network.files.plain_words import plain_words
from anytimebn.network.files.token_reader import TokenReader

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from anytimebn.network.network import Network

KEYWORDS = frozenset(
    ["network", "variable", "probability", "property", "type", "discrete", "table", "default"]
)
PLAIN_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")
PLAIN_INTEGER = re.compile(r"-?[0-9]+")


def write_bif(network: Network, path: Path) -> None:
    """Write a fitted network as BIF."""
    path.write_text(bif_text(network, path), encoding="utf-8")


def bif_text(network: Network, path: Path) -> str:
    """Give a fitted network as BIF; the path is what messages name."""
    states, probabilities = require_probabilities(network, path)
    names = plain_words(network.names, _plain_name)
    values = [plain_words(own, _plain_value) for own in states]
    lines = ["network unknown {", "}"]
    for variable, name in enumerate(names):
        lines.append(f"variable {name} {{")
        listed = ", ".join(values[variable])
        lines.append(f"  type discrete [ {len(values[variable])} ] {{ {listed} }};")
        if name != network.names[variable]:
            lines.append(f"  property original_name = {quote(network.names[variable], safe='')} ;")
        lines += [
            f"  property original_value_{code} = {quote(original, safe='')} ;"
            for code, original in enumerate(states[variable])
            if values[variable][code] != original
        ]
        lines.append("}")
    for variable, members in enumerate(network.parents):
        table = probabilities[variable]
        if not members:
            lines.append(f"probability ( {names[variable]} ) {{")
            lines.append(f"  table {_numbers(table)};")
        else:
            given = ", ".join(names[member] for member in members)
            lines.append(f"probability ( {names[variable]} | {given} ) {{")
            for key in itertools.product(*(range(len(values[member])) for member in members)):
                where = ", ".join(
                    values[member][code] for member, code in zip(members, key, strict=True)
                )
                lines.append(f"  ({where}) {_numbers(table[key])};")
        lines.append("}")
    return "\n".join(lines) + "\n"


def _numbers(row: NDArray[np.float64]) -> str:
    return ", ".join(repr(float(value)) for value in row)


def _plain_name(original: str) -> str:
    word = re.sub(r"[^A-Za-z0-9_.-]", "_", original)
    return word if PLAIN_WORD.fullmatch(word) and word not in KEYWORDS else f"_{word}"


def _plain_value(original: str) -> str:
    return original if PLAIN_INTEGER.fullmatch(original) else _plain_name(original)


TOKEN = re.compile(
    r"""(?P<skip> [\s]+ | //[^\n]* | /\*.*?\*/ )
      | "(?P<quoted> [^"\n]* )"
      | (?P<mark> [{}()\[\]|,;] )
      | (?P<word> [^\s{}()\[\]|,;"]+ )""",
    re.VERBOSE | re.DOTALL,
)


@dataclass
class _Variable:
    name: str
    values: list[str]
    line: int
    originals: dict[str, str] = field(default_factory=dict)


def read_bif(path: Path) -> Network:
    """Read a network from BIF.

    Accepts quoted names, comments, properties, ``default`` rows and ``table`` rows with parents
    (the child's value varies slowest, the last parent's fastest, as the format says).
    """
    return _Reader(path).read()


class _Reader(TokenReader):
    """Reads block by block."""

    pattern = TOKEN

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.variables: dict[str, _Variable] = {}

    def _property(self) -> list[str]:
        """Read a property up to its semicolon; its text is free, marks included."""
        words = []
        while (token := self._next("';'")).text != ";" or not token.is_mark:
            words.append(token.text)
        return words

    def read(self) -> Network:
        families: dict[str, Family] = {}
        while (token := next(self.tokens, None)) is not None:
            self.line = token.line
            if token.text == "network":
                self._network()
            elif token.text == "variable":
                self._variable()
            elif token.text == "probability":
                self._probability(families)
            else:
                self._fail(
                    f"{token.text!r} stands where 'network', 'variable' or 'probability' is needed"
                )
        if not self.variables:
            self._fail("the file declares no variable; each needs a 'variable' block")
        return fitted_network(self.path, *self._with_original_names(families))

    def _network(self) -> None:
        while (token := self._next("'{'")).text != "{":
            pass
        while (token := self._next("'}'")).text != "}":
            if token.text == "property":
                self._property()

    def _variable(self) -> None:
        name = self._word("the name of a variable")
        variable = _Variable(name, [], self.line)
        if name in self.variables:
            self._fail(
                f"variable {name!r} was declared before, on line {self.variables[name].line}"
            )
        self._mark("{")
        while (token := self._next("'type', 'property' or '}'")).text != "}":
            if token.text == "property":
                words = self._property()
                if len(words) == 3 and words[1] == "=":
                    variable.originals[words[0]] = words[2]
            elif token.text == "type":
                kind = self._word("'discrete'")
                if kind != "discrete":
                    self._fail(f"{name!r} is {kind!r}; only 'discrete' variables can be read")
                self._mark("[")
                size = self._integer(self._word("the number of values"))
                self._mark("]")
                self._mark("{")
                variable.values, _ = self._until("}")
                self._mark(";")
                if len(variable.values) != size:
                    self._fail(f"{name!r} lists {len(variable.values)} values but announces {size}")
                if len(set(variable.values)) != size:
                    self._fail(f"{name!r} lists a value twice; values must differ")
            else:
                self._fail(f"{token.text!r} stands where 'type', 'property' or '}}' is needed")
        if not variable.values:
            self._fail(f"variable {name!r} has no values; it needs a 'type discrete' line")
        self.variables[name] = variable

    def _probability(self, families: dict[str, Family]) -> None:
        line = self.line
        child, members = self._family("variable", self.variables)
        if child in families:
            self._fail(f"{child!r} has probabilities already, on line {families[child].line}")
        self._mark("{")
        shape = [len(self.variables[name].values) for name in (*members, child)]
        whole: NDArray[np.float64] | None = None  # the last table with all rows
        default: NDArray[np.float64] | None = None  # the first one
        rows: dict[tuple[int, ...], NDArray[np.float64]] = {}
        while (token := self._next("a row of probabilities or '}'")).text != "}":
            if token.text == "property":
                self._property()
            elif token.text == "table":
                flat = self._row()
                turned = shaped_table(self.path, self.line, child, flat, [shape[-1], *shape[:-1]])
                whole = np.moveaxis(turned, 0, -1)
                rows.clear()
            elif token.text == "default":
                row = shaped_table(self.path, self.line, child, self._row(), shape[-1:])
                default = row if default is None else default
            elif token.text == "(" and token.is_mark:
                key = self._key(members)
                rows[key] = shaped_table(self.path, self.line, child, self._row(), shape[-1:])
            else:
                self._fail(f"{token.text!r} stands where 'table', 'default' or '(' is needed")
        # The table is made when it is known that the file has what it holds.
        missing = math.prod(shape[:-1]) - len(rows)
        if missing and whole is None and default is None:
            self._fail(f"{child!r} lacks the probabilities for {missing:,} values of its parents")
        if whole is None:
            listed = len(rows) * shape[-1]
            whole = even_table(self.path, line, child, math.nan, shape, listed=listed)
            whole[:] = math.nan if default is None else default
        for key, row in rows.items():
            whole[key] = row
        families[child] = Family(members, whole, line)

    def _key(self, members: list[str]) -> tuple[int, ...]:
        values, _ = self._until(")")
        if len(values) != len(members):
            self._fail(f"a row for {len(values)} values; there are {len(members)} parents")
        key = []
        for member, value in zip(members, values, strict=True):
            known = self.variables[member].values
            if value not in known:
                self._fail(f"{member!r} has no value {value!r}; it has {', '.join(known)}")
            key.append(known.index(value))
        return tuple(key)

    def _row(self) -> list[float]:
        words, _ = self._until(";")
        try:
            return [float(word) for word in words]
        except ValueError:
            self._fail(f"{' '.join(words)!r} are not all numbers")

    def _integer(self, word: str) -> int:
        # No file has as many values as a number of more digits says.
        if not (word.isdecimal() and len(word) <= len(str(sys.maxsize))):
            self._fail(f"{shown(word)} stands where a number of values is needed")
        return int(word)

    def _with_original_names(
        self, families: dict[str, Family]
    ) -> tuple[dict[str, list[str]], dict[str, Family]]:
        """Undo `plain_words` where the properties tell what a name was."""
        name_of = {
            word: unquote(variable.originals["original_name"])
            if "original_name" in variable.originals
            else word
            for word, variable in self.variables.items()
        }
        if len(set(name_of.values())) < len(name_of):
            self._fail("two variables have the same original_name; they must differ")
        states = {
            name_of[word]: [
                unquote(variable.originals[f"original_value_{code}"])
                if f"original_value_{code}" in variable.originals
                else value
                for code, value in enumerate(variable.values)
            ]
            for word, variable in self.variables.items()
        }
        renamed = {
            name_of[word]: Family([name_of[m] for m in family.parents], family.table, family.line)
            for word, family in families.items()
        }
        return states, renamed
