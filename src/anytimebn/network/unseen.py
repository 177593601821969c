"""Rows with values that a network has not seen: how likely they are.

An *open* network has one more state a variable, for whatever else there may be. No row shows it, so
that smoothing alone gives it a probability; and what depends on it is as likely as anything else.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from anytimebn.data.align import MISSING_STATE, UNSEEN, codes_for
from anytimebn.network.observed import observed_log_likelihoods

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from anytimebn.data.dataset import Dataset
    from anytimebn.data.options import MissingMethod
    from anytimebn.data.read import TableLike
    from anytimebn.network.network import Network


def open_network(structure: Network, dataset: Dataset, equivalent_sample_size: float) -> Network:
    """Fit a network that has a state for values that it has not seen."""
    states = tuple(_opened(own) for own in dataset.states)
    return replace(structure, states=states).fit(dataset, equivalent_sample_size)


def _opened(states: tuple[str, ...]) -> tuple[str, ...]:
    """Add the state; that of missing values stays the last."""
    if MISSING_STATE.fullmatch(states[-1]):
        return (*states[:-1], UNSEEN, states[-1])
    return (*states, UNSEEN)


def open_log_likelihoods(
    network: Network,
    open_network: Network,
    data: TableLike,
    missing: MissingMethod,
    *,
    without: str | None = None,
) -> NDArray[np.float64]:
    """Give the log-likelihood of each row, also of those with values that were not seen.

    Parameters
    ----------
    network, open_network
        The same network, without and with a state for what was not seen. Rows that the first one
        knows are judged by it.
    data
        A table.
    missing
        What to do with missing values of variables that have no state for them: refuse them, take
        them for a value that was not seen (``category``), or judge the row by the rest.
    without
        A variable that the table does not have: rows are judged by the rest.
    """
    names, states = open_network.names, open_network.states
    assert states is not None
    there = [number for number, name in enumerate(names) if name != without]
    lacking = states if missing == "error" else tuple(map(_with_missing, states))
    shown, _ = codes_for(data, [names[own] for own in there], tuple(lacking[own] for own in there))
    unseen = np.array([own.index(UNSEEN) for own in states])[:, None]
    codes = np.repeat(unseen, shown.shape[1], axis=1)
    codes[there] = shown
    is_missing = codes >= np.array([len(own) for own in states])[:, None]
    codes = np.where(is_missing, unseen, codes)
    if missing == "category":
        is_missing[:] = False
    if without is not None:
        is_missing[names.index(without)] = True
    strange = ((codes == unseen) & ~is_missing).any(axis=0)
    # Without the state for the unseen, what comes behind it moves forward.
    known = np.where(is_missing, 0, codes - (codes > unseen))
    total = np.empty(codes.shape[1])
    for rows, own, used in ((~strange, network, known), (strange, open_network, codes)):
        used_codes = used[:, rows].astype(np.uint16)
        total[rows] = observed_log_likelihoods(own, used_codes, is_missing[:, rows])
    return total


def _with_missing(states: tuple[str, ...]) -> tuple[str, ...]:
    if MISSING_STATE.fullmatch(states[-1]):
        return states
    name = "missing"
    while name in states:
        name += "_"
    return (*states, name)
