"""Log-likelihoods of rows of which not all is known: what they show, whatever the rest may be."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from anytimebn.base.errors import InputError
from anytimebn.network.completing import Families, distinct_columns, patterns_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from anytimebn.network.network import Network

MOST_COMBINATIONS = 2**22
"""Of missing values of one row that are summed up."""


def observed_log_likelihoods(
    network: Network, codes: NDArray[np.uint16], is_missing: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """Give the log-likelihood of what each row shows.

    Parameters
    ----------
    network
        With probabilities.
    codes, is_missing
        The table, a row a variable, and which of its cells mean nothing.

    Examples
    --------
    >>> from anytimebn.network.network import Network
    >>> tables = (np.array([0.25, 0.75]), np.array([[0.5, 0.5], [0.9, 0.1]]))
    >>> network = Network(("a", "b"), ((), (0,)), (("0", "1"),) * 2, tables)
    >>> lacks_a = np.array([[True], [False]])
    >>> np.exp(observed_log_likelihoods(network, np.array([[0], [1]], np.uint16), lacks_a)).round(3)
    array([0.2])
    """
    families = Families(network)
    everything = list(range(len(network.names)))
    total = np.zeros(codes.shape[1])
    complete = np.flatnonzero(~is_missing.any(axis=0))
    total[complete] = families.log_chances((), everything, codes[:, complete], families.all)[:, 0]
    for pattern in patterns_of(is_missing):
        unseen = _that_matter(network, pattern.variables)
        left_out = set(pattern.variables) - set(unseen)
        asked = [own for own in families.all if own[-1] not in left_out]
        plain = [own for own in asked if set(unseen).isdisjoint(own)]
        rows = codes[:, pattern.rows]
        total[pattern.rows] = families.log_chances((), everything, rows, plain)[:, 0]
        for part in families.connected(unseen):
            own = [family for family in asked if not set(part).isdisjoint(family)]
            total[pattern.rows] += _summed(network, families, own, part, rows)
    return total


def _that_matter(network: Network, missing: Sequence[int]) -> tuple[int, ...]:
    """Leave out variables without children but such: whatever they are, they sum up to one."""
    left = set(missing)
    children: list[set[int]] = [set() for _ in network.names]
    for child, parents in enumerate(network.parents):
        for parent in parents:
            children[parent].add(child)
    gone: set[int] = set()
    while barren := {own for own in left if children[own] <= gone}:
        gone |= barren
        left -= barren
    return tuple(sorted(left))


def _summed(
    network: Network,
    families: Families,
    own: Sequence[tuple[int, ...]],
    unseen: tuple[int, ...],
    rows: NDArray[np.uint16],
) -> NDArray[np.float64]:
    """Sum these families over all that the unseen variables can be."""
    size = math.prod(map(families.arity, unseen))
    if size > MOST_COMBINATIONS:
        names = ", ".join(network.names[variable] for variable in unseen)
        raise InputError(
            f"a row lacks {len(unseen)} values that depend on each other ({names}), which have "
            f"{size:,} combinations; leave out rows that lack so much"
        )
    given = sorted({variable for family in own for variable in family} - set(unseen))
    shown, context = distinct_columns(rows[given])
    found = np.empty(shown.shape[1])
    step = max(1, MOST_COMBINATIONS // size)
    for begin in range(0, shown.shape[1], step):
        part = families.log_chances(unseen, given, shown[:, begin : begin + step], own)
        highest = part.max(axis=1)
        finite = np.where(np.isfinite(highest), highest, 0.0)
        with np.errstate(divide="ignore"):
            sums = np.log(np.exp(part - finite[:, None]).sum(axis=1))
        found[begin : begin + step] = finite + sums
    answers: NDArray[np.float64] = found[context]
    return answers
