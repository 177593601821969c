"""Parents and values by name, as people write them, in the order that networks keep."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from anytimebn.base.checks import are_names
from anytimebn.base.errors import InputError
from anytimebn.base.text import did_you_mean, listed_names, shown
from anytimebn.network.checks import check_names

if TYPE_CHECKING:
    from collections.abc import Sequence


def parents_by_index(
    parents: Mapping[str, Sequence[str]],
) -> tuple[tuple[str, ...], tuple[tuple[int, ...], ...]]:
    """Give the variables, and the indices of each one's parents, ascending.

    Examples
    --------
    >>> parents_by_index({"wet": ["sprinkler", "rain"], "rain": [], "sprinkler": ["rain"]})
    (('wet', 'rain', 'sprinkler'), ((1, 2), (), (1,)))
    """
    if not isinstance(parents, Mapping):
        raise InputError(
            f"parents must be lists of names by name, such as {{'a': [], 'b': ['a']}}, not "
            f"{shown(parents)}"
        )
    names = tuple(parents)
    check_names(names)
    index = {name: position for position, name in enumerate(names)}
    indices = []
    for child, members in parents.items():
        if isinstance(members, str) or not isinstance(members, Iterable):
            raise InputError(f"the parents of {child!r} are {shown(members)}: give a list of names")
        members = list(members)
        unknown = [member for member in members if not are_names([member]) or member not in index]
        if unknown:
            raise InputError(
                f"{child!r} has the unknown parent {shown(unknown[0])}"
                f"{did_you_mean(unknown[0], names)}; the variables are {listed_names(names)}"
            )
        indices.append(tuple(sorted(index[member] for member in members)))
    return names, tuple(indices)


def states_in_order(
    states: Mapping[str, Sequence[str]], names: Sequence[str]
) -> tuple[tuple[str, ...], ...]:
    """Give the names of each variable's values."""
    if not isinstance(states, Mapping):
        raise InputError(
            f"states must be lists of value names by name, such as {{'a': ['no', 'yes']}}, not "
            f"{shown(states)}"
        )
    without = [name for name in names if name not in states]
    if without:
        raise InputError(f"{without[0]!r} has no states; every variable needs its value names")
    for name in names:
        if isinstance(states[name], str) or not isinstance(states[name], Iterable):
            raise InputError(
                f"the values of {name!r} are {shown(states[name])}: give a list of names"
            )
    return tuple(tuple(states[name]) for name in names)
