"""What makes a network a network: names that differ, arcs without a cycle, tables that fit."""

from __future__ import annotations

import heapq
import itertools
from typing import TYPE_CHECKING

import numpy as np

from anytimebn.base.checks import are_names, is_list, is_whole
from anytimebn.base.errors import InputError
from anytimebn.base.text import shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from anytimebn.network.model import Model


def check_names(names: Sequence[str]) -> None:
    """Refuse names that are empty or not unique."""
    if not is_list(names):
        raise InputError(f"names must be a tuple of strings, not {shown(names)}")
    seen: set[str] = set()
    for position, name in enumerate(names):
        if not are_names([name]):
            raise InputError(
                f"variable {position} is named {shown(name)}; a non-empty string is needed"
            )
        if name in seen:
            raise InputError(f"two variables are named {name!r}; names must differ")
        seen.add(name)


def check_parents(names: Sequence[str], parents: Sequence[Sequence[int]]) -> None:
    """Refuse parents that are not ascending indices of other variables."""
    if not is_list(parents):
        raise InputError(f"parents must be a tuple of indices per variable, not {shown(parents)}")
    if len(parents) != len(names):
        raise InputError(
            f"there are {len(names)} names but {len(parents)} parent sets; give one for each name"
        )
    for child, members in enumerate(parents):
        if not is_list(members):
            raise InputError(
                f"the parents of {names[child]!r} are {shown(members)}; give a tuple of indices"
            )
        for member in members:
            if not is_whole(member) or not 0 <= member < len(names):
                raise InputError(
                    f"{names[child]!r} has the parent index {shown(member)}; indices run from 0 to "
                    f"{len(names) - 1}"
                )
        if any(one >= other for one, other in itertools.pairwise(members)):
            raise InputError(
                f"the parents of {names[child]!r} are {tuple(members)}; give each index once, "
                "ascending"
            )
        if child in members:
            raise InputError(f"{names[child]!r} is its own parent; a network has no cycles")


def topological_order(names: Sequence[str], parents: Sequence[Sequence[int]]) -> list[int]:
    """Order the variables, parents first; raise if a cycle makes that impossible."""
    children: list[list[int]] = [[] for _ in parents]
    waiting = [len(members) for members in parents]
    for child, members in enumerate(parents):
        for parent in members:
            children[parent].append(child)
    ready = [variable for variable, count in enumerate(waiting) if count == 0]
    order = []
    while ready:
        variable = heapq.heappop(ready)
        order.append(variable)
        for child in children[variable]:
            waiting[child] -= 1
            if waiting[child] == 0:
                heapq.heappush(ready, child)
    if len(order) < len(parents):
        cycle = _some_cycle(parents, waiting)
        chain = " -> ".join(repr(names[variable]) for variable in cycle)
        raise InputError(f"the arcs form the cycle {chain}; a network has no cycles")
    return order


def _some_cycle(parents: Sequence[Sequence[int]], waiting: Sequence[int]) -> list[int]:
    """Walk from a stuck variable to stuck parents until one repeats; list it along the arcs."""
    walk = [next(variable for variable, count in enumerate(waiting) if count > 0)]
    while walk[-1] not in walk[:-1]:
        walk.append(next(parent for parent in parents[walk[-1]] if waiting[parent] > 0))
    return walk[walk.index(walk[-1]) :][::-1]


def check_states(names: Sequence[str], states: Sequence[Sequence[str]]) -> None:
    """Refuse states that are not given for every variable, or not unique."""
    if not is_list(states):
        raise InputError(f"states must be a tuple of value names per variable, not {shown(states)}")
    if len(states) != len(names):
        raise InputError(
            f"there are {len(names)} names but states for {len(states)} variables; give the value "
            "names of every variable"
        )
    for name, values in zip(names, states, strict=True):
        if not is_list(values) or not all(map(is_text, values)):
            raise InputError(f"the values of {name!r} are {shown(values)}; give a list of strings")
        if not values:
            raise InputError(f"{name!r} has no values; at least one is needed")
        if len(set(values)) != len(values):
            twice = next(value for value in values if list(values).count(value) > 1)
            raise InputError(f"{name!r} has the value {twice!r} twice; values must differ")


def is_text(value: object) -> bool:
    """Tell whether this can name a value."""
    return isinstance(value, str)


def is_numeric_array(table: object) -> bool:
    """Tell whether this is an array of real numbers."""
    return isinstance(table, np.ndarray) and table.dtype.kind in "fiu"


def check_probabilities(network: Model) -> None:
    """Refuse tables that do not fit the states, or whose rows do not sum to one."""
    assert network.states is not None
    assert network.probabilities is not None
    if not is_list(network.probabilities):
        raise InputError(
            f"probabilities must be a table per variable, not {shown(network.probabilities)}"
        )
    if len(network.probabilities) != len(network.names):
        raise InputError(
            f"there are {len(network.names)} variables but {len(network.probabilities)} "
            "probability tables; give one for each variable"
        )
    for child, table in enumerate(network.probabilities):
        name = network.names[child]
        shape = tuple(len(network.states[v]) for v in (*network.parents[child], child))
        if not is_numeric_array(table):
            raise InputError(
                f"the probability table of {name!r} is {shown(table)}; give an array of numbers"
            )
        if table.shape != shape:
            raise InputError(
                f"the probability table of {name!r} has the shape {table.shape}; its parents and "
                f"values need {shape}"
            )
        if not (np.isfinite(table).all() and (table >= 0).all()):
            raise InputError(
                f"the probability table of {name!r} holds values that are negative, infinite or no "
                "numbers; each row must be probabilities that sum to 1"
            )
        worst = float(np.abs(table.sum(axis=-1) - 1.0).max())
        # Files of other programs round to as few as three digits a cell.
        if worst > 1e-2:
            raise InputError(
                f"a row of the probability table of {name!r} sums to 1 only within {worst:.3g}; "
                "each row must sum to 1"
            )
