"""Read and write networks; the suffix of the file name chooses the format."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from anytimebn.base.checks import as_path
from anytimebn.base.errors import InputError
from anytimebn.base.files import replacing
from anytimebn.draw.style import PICTURE_SUFFIXES
from anytimebn.network.files.bif import read_bif, write_bif
from anytimebn.network.files.dot import write_dot
from anytimebn.network.files.hugin import read_hugin, write_hugin
from anytimebn.network.files.network_json import read_network_json, write_network_json
from anytimebn.network.files.xmlbif import read_xmlbif, write_xmlbif

if TYPE_CHECKING:
    from collections.abc import Callable

    from anytimebn.network.network import Network


def _draw(network: Network, path: Path) -> None:
    network.plot(path)


WRITERS: dict[str, Callable[[Network, Path], None]] = {
    ".bif": write_bif,
    ".xmlbif": write_xmlbif,
    ".bifxml": write_xmlbif,  # as pyAgrum calls it
    ".net": write_hugin,
    ".dot": write_dot,
    ".json": write_network_json,
    **dict.fromkeys(PICTURE_SUFFIXES, _draw),
}

WITH_PROBABILITIES = (".bif", ".xmlbif", ".bifxml", ".net")
"""Formats that hold probabilities, and so only networks that have them."""

READERS: dict[str, Callable[[Path], Network]] = {
    ".bif": read_bif,
    ".xmlbif": read_xmlbif,
    ".bifxml": read_xmlbif,
    ".net": read_hugin,
    ".json": read_network_json,
}


def write_network(network: Network, path: str | Path) -> None:
    """Write a network to a file in the format that its suffix names.

    Parameters
    ----------
    network
        The network; ``.bif``, ``.xmlbif`` and ``.net`` need its probabilities.
    path
        ``.bif``, ``.xmlbif`` (also ``.bifxml``), ``.net``, ``.dot``, ``.json``, or ``.png``,
        ``.svg`` and ``.pdf`` for a drawing.

    Examples
    --------
    >>> from anytimebn.network.network import Network
    >>> write_network(Network.from_parents({"a": []}), "a.txt")
    Traceback (most recent call last):
    anytimebn.InputError: a.txt: a network cannot be written to '.txt'; use .bif, ...
    """
    path = as_path(path)
    check_network_path(path)
    with replacing(path) as passing:
        WRITERS[path.suffix.lower()](network, passing)


def check_network_path(path: str | Path) -> None:
    """Raise unless `write_network` knows the suffix; lets a long run fail before it starts."""
    path = Path(path)
    if path.suffix.lower() not in WRITERS:
        raise InputError(
            f"{path}: a network cannot be written to "
            f"{repr(path.suffix) if path.suffix else 'a file without a suffix'}; "
            f"use {', '.join(WRITERS)}"
        )


def read_network(path: str | Path) -> Network:
    """Read a network from a ``.bif``, ``.xmlbif``, ``.bifxml``, ``.net`` or ``.json`` file.

    Examples
    --------
    >>> read_network("net.dot")
    Traceback (most recent call last):
    anytimebn.InputError: net.dot: a network cannot be read from '.dot'; use .bif, ...
    """
    path = as_path(path)
    reader = READERS.get(path.suffix.lower())
    if reader is None:
        raise InputError(
            f"{path}: a network cannot be read from {path.suffix!r}; use {', '.join(READERS)}"
        )
    try:
        return reader(path)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
