"""Networks as JSON: the keys ``variables`` and ``parents`` of a result file, and the tables.

A result file written by ``anytimebn learn --json`` holds both keys, so it can be read as a network.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from anytimebn.base.errors import InputError
from anytimebn.base.json_text import read_json
from anytimebn.network.network import Network

if TYPE_CHECKING:
    from pathlib import Path


def write_network_json(network: Network, path: Path) -> None:
    """Write a network as JSON, with states and probabilities where it has them."""
    path.write_text(network_json_text(network), encoding="utf-8")


def network_json_text(network: Network) -> str:
    """Give a network as JSON, one variable per line.

    Examples
    --------
    >>> print(network_json_text(Network.from_parents({"rain": [], "wet": ["rain"]})))
    {
      "variables": ["rain", "wet"],
      "parents": {
        "rain": [],
        "wet": ["rain"]
      }
    }
    <BLANKLINE>
    """
    parents = {name: list(network.parents_of(name)) for name in network.names}
    sections = [f'  "variables": {json.dumps(network.names, ensure_ascii=False)}']
    sections.append(_section("parents", parents))
    sections += [_section(key, entries) for key, entries in tables_json(network).items()]
    return "{\n" + ",\n".join(sections) + "\n}\n"


def tables_json(network: Network) -> dict[str, dict[str, Any]]:
    """Give the states and the probabilities by name, as far as there are any.

    Numbers are written so that they are read as they were.

    Examples
    --------
    >>> tables_json(Network.from_parents({"rain": []}, states={"rain": ["no", "yes"]}))
    {'states': {'rain': ['no', 'yes']}}
    """
    tables = {}
    if network.states is not None:
        tables["states"] = dict(zip(network.names, map(list, network.states), strict=True))
    if network.probabilities is not None:
        numbers = (table.tolist() for table in network.probabilities)
        tables["probabilities"] = dict(zip(network.names, numbers, strict=True))
    return tables


def _section(key: str, entries: dict[str, Any]) -> str:
    lines = [
        f"    {json.dumps(name, ensure_ascii=False)}: {json.dumps(entry, ensure_ascii=False)}"
        for name, entry in entries.items()
    ]
    return f'  "{key}": {{\n' + ",\n".join(lines) + "\n  }"


def read_network_json(path: Path) -> Network:
    """Read a network from JSON, or the learned structure from a result file."""
    return network_from_json(read_json(path, "a network or a result"), path)


def network_from_json(content: Any, path: Path) -> Network:
    """Take a network from what was read; messages name the `path` where it was found."""
    if not isinstance(content, dict):
        _fail(path, "", "an object with the keys 'variables' and 'parents' is needed")
    names = _strings(path, "variables", content.get("variables"))
    if len(set(names)) < len(names):
        _fail(path, "variables", "each name is needed once")
    listed = _object(path, "parents", content.get("parents"), names)
    parents = {name: _strings(path, f"parents.{name}", listed[name]) for name in names}
    states = None
    if content.get("states") is not None:
        listed = _object(path, "states", content["states"], names)
        states = {name: _strings(path, f"states.{name}", listed[name]) for name in names}
    try:
        network = Network.from_parents(parents, states=states)
        if content.get("probabilities") is None:
            return network
        listed = _object(path, "probabilities", content["probabilities"], names)
        # The file lists the parents in the network's own order, or in one that the tables follow.
        tables = []
        for child, name in enumerate(names):
            try:
                table = np.array(listed[name], dtype=np.float64)
            except (TypeError, ValueError, OverflowError):
                _fail(path, f"probabilities.{name}", "nested lists of numbers are needed")
            order = [network.index_of(parent) for parent in parents[name]]
            if table.ndim != len(order) + 1:
                _fail(
                    path,
                    f"probabilities.{name}",
                    f"{table.ndim} levels of lists; {len(order)} parents need {len(order) + 1}",
                )
            axes = [order.index(member) for member in network.parents[child]]
            tables.append(np.ascontiguousarray(table.transpose(*axes, len(order))))
        return Network(network.names, network.parents, network.states, tuple(tables))
    except InputError as error:
        if str(error).startswith(str(path)):
            raise
        raise InputError(f"{path}: {error}") from None


def _fail(path: Path, key: str, message: str) -> NoReturn:
    where = f"{path}, key {key!r}" if key else str(path)
    raise InputError(f"{where}: {message}")


def _strings(path: Path, key: str, value: object) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        _fail(path, key, "a list of strings is needed")
    return value


def _object(path: Path, key: str, value: object, names: list[str]) -> dict[str, Any]:
    if not isinstance(value, dict) or set(value) != set(names):
        _fail(path, key, "an object with one entry for each name in 'variables' is needed")
    return value
