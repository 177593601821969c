"""Background knowledge in files: tiers alone, or all of it as TOML, JSON or YAML.

YAML needs PyYAML. The keys are those of a result's ``constraints``: ``require`` and ``forbid``
(arcs as ``"A -> B"`` or ``["A", "B"]``), ``tiers`` (lists of names, earliest first) and
``max_parents`` (the most parents of single variables).
"""

from __future__ import annotations

import json
import re
import tomllib
from typing import TYPE_CHECKING, Any, NoReturn

from anytimebn.base.checks import as_path
from anytimebn.base.errors import InputError
from anytimebn.base.json_text import parse_json
from anytimebn.base.optional import optional
from anytimebn.base.text import unknown_name
from anytimebn.knowledge.constraints import Knowledge
from anytimebn.knowledge.written import Arc, parse_arc

if TYPE_CHECKING:
    from os import PathLike
    from pathlib import Path

SUFFIXES = (".toml", ".json", ".yaml", ".yml")
KEYS = ("require", "forbid", "tiers", "max_parents")
SYNONYMS = {"required": "require", "forbidden": "forbid"}


def read_knowledge(path: str | PathLike[str]) -> Knowledge:
    r"""Read constraints from a file.

    Raises
    ------
    InputError
        If the file cannot be read, or has something else than constraints.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "known.toml"
    ...     _ = path.write_text('require = ["season -> rain"]\n[max_parents]\nwet = 2\n')
    ...     known = read_knowledge(path)
    >>> known.required, known.max_parents
    (frozenset({('season', 'rain')}), {'wet': 2})
    """
    path = as_path(path)
    if path.suffix.lower() not in SUFFIXES:
        raise InputError(
            f"{path}: a knowledge file ends in {', '.join(SUFFIXES)}, not in {path.suffix!r}"
        )
    content = _parse(path, _read_text(path, "a knowledge file"))
    if not isinstance(content, dict):
        _fail(path, "", f"expected the keys {', '.join(KEYS)}")
    found: dict[str, Any] = {}
    for key, value in content.items():
        known = SYNONYMS.get(key, key)
        if known not in KEYS:
            raise InputError(f"{path}: {unknown_name('key', str(key), KEYS)}")
        if known in found:
            _fail(path, str(key), f"the file has {known!r} twice")
        found[known] = value
    return Knowledge(
        required=frozenset(_arcs(path, "require", found.get("require", []))),
        forbidden=frozenset(_arcs(path, "forbid", found.get("forbid", []))),
        tiers=_tiers(path, found.get("tiers", [])),
        max_parents=_limits(path, found.get("max_parents", {})),
    )


def read_tiers(path: str | PathLike[str]) -> tuple[tuple[str, ...], ...]:
    r"""Read tiers from a text file, or from a JSON list of lists of names.

    A text file has a tier a line, earliest first. Names are separated by commas or, in a line
    without commas, by blanks. A ``#`` at the start of a line or after a blank begins a comment.

    Parameters
    ----------
    path
        The file to read; JSON if it is named so or begins with ``[``.

    Returns
    -------
    tuple of tuple of str
        The names of each tier.

    Raises
    ------
    InputError
        If the file cannot be read, or has no tier or an empty name.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "tiers.txt"
    ...     _ = path.write_text("# what comes first\nage sex\nblood pressure, pulse\n")
    ...     read_tiers(path)
    (('age', 'sex'), ('blood pressure', 'pulse'))
    """
    path = as_path(path)
    text = _read_text(path, "a tiers file")
    if path.suffix.lower() == ".json" or text.lstrip().startswith("["):
        return _tiers_from_json(path, text)
    tiers: list[tuple[str, ...]] = []
    for line_number, line in enumerate(text.split("\n"), 1):
        content = re.sub(r"(^|\s)#.*", "", line).strip()
        if not content:
            continue
        names = [name.strip() for name in content.split(",")] if "," in content else content.split()
        if "" in names:
            raise InputError(
                f"{path}, line {line_number}: expected a name before and after each comma, "
                f"found {content!r}"
            )
        tiers.append(tuple(names))
    if not tiers:
        raise InputError(f"{path}: expected one tier per line, found none")
    return tuple(tiers)


def _read_text(path: Path, expected: str) -> str:
    """Read a file that people write, or say what was expected."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}; expected {expected}") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: expected UTF-8 text, found other bytes") from error


def _tiers_from_json(path: Path, text: str) -> tuple[tuple[str, ...], ...]:
    expected = 'expected a JSON list of lists of names, such as [["A", "B"], ["C"]]'
    try:
        tiers = parse_json(path, text)
    except InputError as error:
        raise InputError(f"{error}; {expected}") from error
    if not isinstance(tiers, list) or not tiers:
        raise InputError(f"{path}: {expected}, found {text.strip()[:60]!r}")
    for number, tier in enumerate(tiers, 1):
        if not (isinstance(tier, list) and tier and all(isinstance(n, str) and n for n in tier)):
            raise InputError(f"{path}: {expected}; tier {number} is {json.dumps(tier)[:60]}")
    return tuple(tuple(tier) for tier in tiers)


def _parse(path: Path, text: str) -> Any:
    suffix = path.suffix.lower()
    if suffix == ".json":
        return parse_json(path, text)
    if suffix == ".toml":
        try:
            return tomllib.loads(text)
        except (ValueError, RecursionError) as error:
            raise InputError(f"{path}: not TOML: {error}") from error
    yaml = optional("yaml", needed_for=f"{path}: a YAML file", install="pyyaml")
    try:
        return yaml.safe_load(text) or {}
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise InputError(f"{path}: not YAML: {' '.join(str(error).split())}") from error


def _fail(path: Path, key: str, message: str) -> NoReturn:
    raise InputError(f"{path}, key {key!r}: {message}" if key else f"{path}: {message}")


def _arcs(path: Path, key: str, value: Any) -> list[Arc]:
    expected = 'expected a list of arcs, such as ["A -> B", ["C", "D"]]'
    if not isinstance(value, list):
        _fail(path, key, expected)
    arcs: list[Arc] = []
    for entry in value:
        if isinstance(entry, str):
            try:
                arcs.append(parse_arc(entry))
            except InputError as error:
                _fail(path, key, str(error))
        elif isinstance(entry, list) and len(entry) == 2 and _are_names(entry):
            arcs.append((entry[0], entry[1]))
        else:
            _fail(path, key, f"{expected}, found {entry!r}")
    return arcs


def _tiers(path: Path, value: Any) -> tuple[tuple[str, ...], ...]:
    if not isinstance(value, list) or not all(isinstance(t, list) and _are_names(t) for t in value):
        _fail(path, "tiers", 'expected lists of names, such as [["A", "B"], ["C"]]')
    return tuple(tuple(tier) for tier in value)


def _limits(path: Path, value: Any) -> dict[str, int]:
    if not isinstance(value, dict) or not all(
        isinstance(name, str) and type(limit) is int for name, limit in value.items()
    ):
        _fail(path, "max_parents", "expected a whole number for each name, such as {A = 2}")
    return value


def _are_names(value: list[Any]) -> bool:
    return all(isinstance(name, str) and name for name in value)
