"""What the readers of network files share: from the pieces of a file to a checked Network."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from anytimebn.base.errors import InputError
from anytimebn.base.memory_units import format_memory
from anytimebn.base.resources import memory_to_use
from anytimebn.network.network import Network

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

MOST_NOT_WRITTEN = 2**22
"""Probabilities that one line may stand for: 22 parents of two values, which take 100 MB."""


@dataclass(frozen=True)
class Family:
    """One variable's parents and table as a file states them, and the line where it does."""

    parents: Sequence[str]
    table: NDArray[np.float64]  # axes: the parents in the order of this file, then the child
    line: int


def fitted_network(
    path: Path, states: Mapping[str, Sequence[str]], families: Mapping[str, Family]
) -> Network:
    """Bring each table's axes into the network's order of parents, and build the network."""
    names = tuple(states)
    index = {name: position for position, name in enumerate(names)}
    parents, tables = [], []
    for name in names:
        if name not in families:
            raise InputError(f"{path}: variable {name!r} has no probabilities; each one needs them")
        family = families[name]
        members = [index[parent] for parent in family.parents]
        if len(set(members)) < len(members) or index[name] in members:
            raise InputError(
                f"{path}, line {family.line}: the parents of {name!r} are "
                f"{', '.join(map(repr, family.parents))}; they must differ, also from {name!r}"
            )
        axes = sorted(range(len(members)), key=members.__getitem__)
        parents.append(tuple(members[axis] for axis in axes))
        tables.append(np.ascontiguousarray(family.table.transpose(*axes, len(members))))
    try:
        return Network(names, tuple(parents), tuple(map(tuple, states.values())), tuple(tables))
    except InputError as error:
        raise InputError(f"{path}: {error}") from None


def shaped_table(
    path: Path, line: int, name: str, values: Sequence[float], shape: Sequence[int]
) -> NDArray[np.float64]:
    """Give flat values their shape, or say how many the table of ``name`` needs."""
    if len(values) != math.prod(shape):
        raise InputError(
            f"{path}, line {line}: {name!r} has {len(values)} probabilities; its values and "
            f"parents need {math.prod(shape)}"
        )
    return _with_shape(path, line, name, np.array(values, dtype=np.float64), shape)


def even_table(
    path: Path, line: int, name: str, value: float, shape: Sequence[int], *, listed: int = 0
) -> NDArray[np.float64]:
    """Fill a table that the file does not spell out, but for so many numbers, if there is room.

    A line of text can ask for a table of any size.
    """
    numbers = math.prod(shape)
    # The table, as it is read and as the network has it, and what checks make of it.
    needed = 3 * numbers * np.dtype(np.float64).itemsize
    if needed > memory_to_use(None):
        raise InputError(
            f"{path}, line {line}: {name!r} has {len(shape) - 1} parents, and a table of "
            f"{numbers:,} probabilities, which would take {format_memory(needed)}: more than is "
            "free. Remove parents, or use a machine with more memory"
        )
    if numbers - listed > MOST_NOT_WRITTEN:
        raise InputError(
            f"{path}, line {line}: {name!r} has {len(shape) - 1} parents, and a table of "
            f"{numbers:,} probabilities, which the file does not list; at most "
            f"{MOST_NOT_WRITTEN:,} are filled in. Remove parents, or list them"
        )
    return _with_shape(path, line, name, np.full(numbers, value), shape)


def _with_shape(
    path: Path, line: int, name: str, flat: NDArray[np.float64], shape: Sequence[int]
) -> NDArray[np.float64]:
    try:
        return flat.reshape(tuple(shape))
    except ValueError as error:  # numpy has a limit on the number of axes
        raise InputError(
            f"{path}, line {line}: {name!r} has {len(shape) - 1} parents, too many: {error}"
        ) from error


def require_probabilities(
    network: Network, path: Path
) -> tuple[tuple[tuple[str, ...], ...], tuple[NDArray[np.float64], ...]]:
    """Give states and tables of a network that is to be written with both."""
    if network.states is None or network.probabilities is None:
        raise InputError(
            f"{path}: a {path.suffix} file holds probabilities and this network has none. A score "
            "file has no data to fit them to; write .dot or .json, or fit the network to data first"
        )
    return network.states, network.probabilities
