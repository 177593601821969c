"""What the readers of network files share: from the pieces of a file to a checked Network."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from anytimebn.base.errors import InputError
from anytimebn.network.network import Network

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray


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
    return np.array(values, dtype=np.float64).reshape(tuple(shape))


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
