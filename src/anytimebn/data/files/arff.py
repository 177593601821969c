"""Attribute-relation files (``.arff``) of Weka.

The values of a nominal attribute are declared, in order, and all count, seen or not. Sparse rows
and relational attributes are not read.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from anytimebn.base.errors import InputError
from anytimebn.data.columns import BLANKS, Column, find_values
from anytimebn.data.dataset import MAX_STATES
from anytimebn.data.files.text_rows import columns_of_rows, text_lines

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from numpy.typing import NDArray

_TYPES = ("numeric", "real", "integer", "string", "date")
_ATTRIBUTE = re.compile(
    r"""@attribute\s+
    (?:'(?P<single>(?:[^'\\]|\\.)+)' | "(?P<double>(?:[^"\\]|\\.)+)" | (?P<plain>[^\s{'"]+))
    \s*(?P<kind>\{.*\}|[a-z].*)""",
    re.IGNORECASE | re.VERBOSE,
)
_CELL = re.compile(
    r"""\s*(?:'(?P<single>(?:[^'\\]|\\.)*)' | "(?P<double>(?:[^"\\]|\\.)*)"
    | (?P<plain>[^,'"\s][^,]*|))\s*(?P<end>,|$)""",
    re.VERBOSE,
)


def read_arff(path: Path, encoding: str | None = None) -> tuple[list[Column], NDArray[np.int64]]:
    """Read an ARFF file: its attributes, the nominal ones with their declared values.

    Gives the number of the line of each row, too.
    """
    lines = _lines(path, encoding)
    attributes: list[tuple[str, list[str] | None]] = []
    number = 0
    for number, line in lines:
        keyword = line.split(maxsplit=1)[0].lower()
        if keyword == "@data":
            break
        if keyword == "@attribute":
            attributes.append(_attribute(path, number, line))
        elif keyword != "@relation":
            raise InputError(
                f"{path}: line {number}: expected @relation, @attribute or @data, "
                f"found {_excerpt(line)}"
            )
    else:
        raise InputError(
            f"{path}: line {number}: the file ends before @data"
            if number
            else f"{path}: the file is empty"
        )
    if not attributes:
        raise InputError(f"{path}: line {number}: @data comes before any @attribute")
    found, row_lines = columns_of_rows(
        path, len(attributes), ((n, _cells(path, n, line, sparse=False)) for n, line in lines)
    )
    columns = []
    for (name, domain), data in zip(attributes, found, strict=True):
        column = find_values(name, data, from_text=True, domain=domain or ())
        columns.append(column if domain is None else _declare(path, column, domain, row_lines))
    return columns, row_lines


def _lines(path: Path, encoding: str | None) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text_lines(path, encoding), start=1):
        line = line.strip(BLANKS)
        if line and not line.startswith("%"):
            yield number, line


def _attribute(path: Path, number: int, line: str) -> tuple[str, list[str] | None]:
    match = _ATTRIBUTE.match(line)
    if match is None:
        raise InputError(
            f"{path}: line {number}: expected '@attribute name type' or '@attribute name "
            f"{{value, value}}', found {_excerpt(line)}"
        )
    name = _unquoted(match)
    kind = match["kind"]
    if not kind.startswith("{"):
        if kind.split()[0].lower() not in _TYPES:
            raise InputError(
                f"{path}: line {number}: type {_excerpt(kind)} of {name!r} is not known; known "
                f"are {', '.join(_TYPES)} and {{value, value}}"
            )
        return name, None
    domain = [value.strip(BLANKS) for value in _cells(path, number, kind[1:-1])]
    if "" in domain or len(set(domain)) < len(domain) or len(domain) > MAX_STATES:
        raise InputError(
            f"{path}: line {number}: the values of {name!r} must be distinct, not empty, and at "
            f"most {MAX_STATES}"
        )
    return name, domain


def _cells(path: Path, number: int, line: str, *, sparse: bool = True) -> list[str]:
    if not sparse and line.startswith("{"):
        raise InputError(
            f"{path}: line {number}: sparse rows ({{index value, ...}}) are not read; "
            f"write every cell"
        )
    if "'" not in line and '"' not in line:
        return line.split(",")
    cells = []
    position = 0
    while True:
        match = _CELL.match(line, position)
        if match is None:
            raise InputError(
                f"{path}: line {number}: a quote is misplaced or never closed, at "
                f"{_excerpt(line[position:])}"
            )
        cells.append(_unquoted(match))
        position = match.end()
        if not match["end"]:
            return cells


def _unquoted(match: re.Match[str]) -> str:
    quoted = match["single"] if match["single"] is not None else match["double"]
    if quoted is None:
        return match["plain"].strip(BLANKS)
    return re.sub(r"\\(.)", r"\1", quoted)


def _declare(path: Path, column: Column, domain: list[str], lines: NDArray[np.int64]) -> Column:
    """Give the values the numbers that the declaration gives them."""
    import pyarrow as pa

    place = {value: i for i, value in enumerate(domain)}
    seen: list[str] = column.values.to_pylist()
    for code, value in enumerate(seen):
        if value not in place:
            row = int((column.codes == code).argmax())
            raise InputError(
                f"{path}: line {lines[row]}: {value!r} is not one of the values declared for "
                f"{column.name!r}: {_excerpt(', '.join(domain))}"
            )
    codes = np.array([*(place[value] for value in seen), -1], dtype=np.int32)[column.codes]
    return replace(column, codes=codes, values=pa.array(domain, pa.string()), declared=True)


def _excerpt(text: str) -> str:
    return repr(text if len(text) <= 60 else text[:57] + "...")
