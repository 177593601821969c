"""What a network expects in the rows of a table: the values of a target, or of what is missing.

All rows of which the same variables are known are answered by one contraction with an axis for the
rows (`anytimebn.network.contraction`). In the usual case, where a row has the target's parents,
children and their other parents (its Markov blanket), that is a product of a few tables; rows that
differ elsewhere are then no different.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from anytimebn.base.errors import InputError
from anytimebn.data.observe import NOTHING
from anytimebn.network.contraction import (
    ROWS,
    Factor,
    check_memory,
    contract,
    plan_for,
)
from anytimebn.network.evidence import tables_of
from anytimebn.network.separation import connected_given, reachable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from anytimebn.network.model import Model

NUMBERS_AT_ONCE = 2**20
"""Of a contraction of many rows: a few megabytes, which stay in the cache."""


def posteriors(
    network: Model,
    codes: NDArray[np.int32],
    target: int,
    budget_bytes: int,
    row_name: Callable[[int], str] = "row {} (counted from 0)".format,
) -> NDArray[np.float64]:
    """Give the probabilities of the target's values in each row, given what the row tells.

    Parameters
    ----------
    network
        With probabilities.
    codes
        A row for each variable and a column for each row of the table; `NOTHING` where nothing is
        known. What is known of the target is not used.
    target
        The variable.
    budget_bytes
        Memory that may be used.
    row_name
        What messages call a row.

    Returns
    -------
    ndarray of shape (rows, values)
    """
    tables = tables_of(network)
    found = np.empty((codes.shape[1], tables[target].shape[-1]))
    questions: dict[_Question, list[NDArray[np.intp]]] = {}
    for known, rows in _patterns(network, codes, target):
        questions.setdefault(_Question.about(network, target, known), []).append(rows)
    for question, groups in questions.items():
        rows = np.concatenate(groups)
        own = codes[list(question.evidence)][:, rows]
        distinct, place = _distinct(own, [tables[v].shape[-1] for v in question.evidence])
        answers, possible = question.answers(network, own[:, distinct], budget_bytes)
        if not possible.all():
            row = int(rows[np.flatnonzero(~possible[place])[0]])
            raise InputError(
                f"{row_name(row)}: what it tells has the probability 0 in this network, so that "
                f"nothing follows for {network.names[target]!r}; fit the network with an "
                "equivalent_sample_size above 0"
            )
        found[rows] = answers[place]
    return found


def _patterns(
    network: Model, codes: NDArray[np.int32], target: int
) -> Iterator[tuple[frozenset[int], NDArray[np.intp]]]:
    """Group rows of which the same variables are known, as far as that matters to the target."""
    known = codes >= 0
    known[target] = False
    blanket = [network.index_of(name) for name in network.markov_blanket(network.names[target])]
    complete = known[blanket].all(axis=0)
    if complete.any():
        yield frozenset(blanket), np.flatnonzero(complete)
    rest = np.flatnonzero(~complete)
    if not len(rest):
        return
    patterns, group = np.unique(np.packbits(known[:, rest], axis=0), axis=1, return_inverse=True)
    order = np.argsort(group.ravel(), kind="stable")
    ends = np.cumsum(np.bincount(group.ravel(), minlength=patterns.shape[1]))
    for rows in np.split(rest[order], ends[:-1]):
        yield frozenset(np.flatnonzero(known[:, rows[0]]).tolist()), rows


def _distinct(
    codes: NDArray[np.int32], sizes: Sequence[int]
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Find rows that differ, and for each row the one of these that it equals."""
    rows = codes.shape[1]
    if not len(codes):
        return np.zeros(min(rows, 1), dtype=np.intp), np.zeros(rows, dtype=np.intp)
    if math.prod(sizes) >= 2**63:  # too many to number them: take all as they are
        return np.arange(rows), np.arange(rows)
    keys = np.zeros(rows, dtype=np.int64)
    for own, size in zip(codes, sizes, strict=True):
        keys = keys * size + own
    _, first, place = np.unique(keys, return_index=True, return_inverse=True)
    return first, place.ravel()


@dataclass(frozen=True)
class _Question:
    """Which tables matter to a target if certain variables are known, and which of these do."""

    target: int
    evidence: tuple[int, ...]
    children: tuple[int, ...]  # of the tables

    @classmethod
    def about(cls, network: Model, target: int, known: frozenset[int]) -> _Question:
        needed = reachable({target, *known}, network.parents)
        # Tables that share an unknown variable with the target, directly or through others.
        open_variables = connected_given(network.parents, [target], known) & needed
        children = [
            child
            for child in sorted(needed)
            if not open_variables.isdisjoint((*network.parents[child], child))
        ]
        family = {v for child in children for v in (*network.parents[child], child)}
        return cls(target, tuple(sorted(family & known)), tuple(children))

    def answers(
        self, network: Model, codes: NDArray[np.int32], budget_bytes: int
    ) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """Give the probabilities of each row, and whether it is possible at all."""
        tables = tables_of(network)
        inputs = [_labels(network, child, self.evidence) for child in self.children]
        sizes = {variable: tables[variable].shape[-1] for labels in inputs for variable in labels}
        plan = plan_for(inputs, (ROWS, self.target), sizes)
        check_memory(plan, budget_bytes)
        rows = codes.shape[1]
        at_once = max(1, min(budget_bytes // 8, NUMBERS_AT_ONCE) // plan.numbers)
        found = np.empty((rows, tables[self.target].shape[-1]))
        possible = np.empty(rows, dtype=np.bool_)
        place = {variable: row for row, variable in enumerate(self.evidence)}
        for start in range(0, rows, at_once):
            part = slice(start, start + at_once)
            here = {variable: codes[row, part] for variable, row in place.items()}
            count = len(range(*part.indices(rows)))
            factors = [_cut(network, child, here, count) for child in self.children]
            table, log_scale = contract(factors, (ROWS, self.target), plan)
            possible[part] = np.isfinite(log_scale)
            with np.errstate(invalid="ignore"):  # for those that are not possible
                found[part] = table / table.sum(axis=1, keepdims=True)
        return found, possible


def _labels(network: Model, child: int, known: Sequence[int]) -> tuple[int, ...]:
    family = (*network.parents[child], child)
    return (ROWS, *(variable for variable in family if variable not in known))


def _cut(network: Model, child: int, codes: dict[int, NDArray[np.int32]], rows: int) -> Factor:
    """Cut a table to what each row tells: an axis of rows, then one for each unknown variable."""
    family = (*network.parents[child], child)
    table = tables_of(network)[child]
    seen = [axis for axis, variable in enumerate(family) if variable in codes]
    unseen = [axis for axis, variable in enumerate(family) if variable not in codes]
    moved = table.transpose(*seen, *unseen)
    labels = (ROWS, *(family[axis] for axis in unseen))
    if not seen:
        return Factor(labels, np.broadcast_to(moved, (rows, *moved.shape)))
    return Factor(labels, moved[tuple(codes[family[axis]] for axis in seen)])


def most_probable(
    network: Model, codes: NDArray[np.int32], budget_bytes: int, allowed: Sequence[int]
) -> NDArray[np.int32]:
    """Fill what is not known with its most probable value, each by itself.

    Parameters
    ----------
    network, codes, budget_bytes
        As in `posteriors`.
    allowed
        How many of its first values each variable may be filled with; 0 leaves it as it is.
    """
    filled = codes.copy()
    for variable, most in enumerate(allowed):
        rows = np.flatnonzero(codes[variable] == NOTHING)
        if most and len(rows):
            found = posteriors(network, codes[:, rows], variable, budget_bytes, _named(rows))
            filled[variable, rows] = found[:, :most].argmax(axis=1)
    return filled


def drawn(
    network: Model,
    codes: NDArray[np.int32],
    budget_bytes: int,
    allowed: Sequence[int],
    random: np.random.Generator,
) -> NDArray[np.int32]:
    """Fill what is not known with values drawn from their joint distribution given the row.

    One variable after the other, each given also what was drawn before.
    """
    filled = codes.copy()
    for variable, most in enumerate(allowed):
        rows = np.flatnonzero(codes[variable] == NOTHING)
        if not (most and len(rows)):
            continue
        found = posteriors(network, filled[:, rows], variable, budget_bytes, _named(rows))
        sums = np.cumsum(found[:, :most], axis=1)
        draws = random.random(len(rows)) * sums[:, -1]
        filled[variable, rows] = (draws[:, None] >= sums[:, :-1]).sum(axis=1)
    return filled


def _named(rows: NDArray[np.intp]) -> Callable[[int], str]:
    return lambda row: f"row {rows[row]} (counted from 0)"
