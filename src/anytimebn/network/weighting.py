"""Estimated answers, for questions whose exact answer needs too much memory.

Likelihood weighting (Fung and Chang 1990; Shachter and Peot 1990): rows are drawn from the network,
parents first, with what is observed held fixed; each counts as much as its observations are
probable given their parents. The standard error is that of a ratio of means (the delta method); it
would be 0 for what was never drawn, or always, and so is at least one row of as many as the weights
amount to.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from anytimebn.base.checks import check_whole
from anytimebn.base.errors import InputError
from anytimebn.network.checks import topological_order
from anytimebn.network.evidence import tables_of, values_of
from anytimebn.network.separation import reachable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from anytimebn.network.model import Model

AT_ONCE = 2**14
"""Rows that are drawn together: few enough to stay in the cache, many enough for numpy."""


def weighted_samples(
    network: Model,
    targets: tuple[int, ...],
    possible: Mapping[int, tuple[int, ...]],
    samples: int,
    seed: int | np.random.Generator,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Estimate the joint probabilities of targets, and the standard errors of the estimates."""
    if not isinstance(seed, np.random.Generator):
        check_whole("seed", seed, 0)
    random = np.random.default_rng(seed)
    states = values_of(network)
    shape = tuple(len(states[variable]) for variable in targets)
    cells, logs = [], []
    for start in range(0, samples, AT_ONCE):
        rows = min(AT_ONCE, samples - start)
        codes, log_weights = _draw(network, {*targets, *possible}, possible, rows, random)
        cells.append(np.ravel_multi_index([codes[variable] for variable in targets], shape))
        logs.append(log_weights)
    cell, log_weight = np.concatenate(cells), np.concatenate(logs)
    largest = log_weight.max()
    if not math.isfinite(largest):
        raise InputError(
            f"none of {samples:,} samples fits the evidence: it has the probability 0, or one too "
            "small for sampling; give more samples, or less evidence"
        )
    weight = np.exp(log_weight - largest)
    size = math.prod(shape)
    total = weight.sum()
    share = np.bincount(cell, weight, size) / total
    # The sum over rows of (weight * (hit - share))^2, by hits and others.
    squares = weight**2
    hits = np.bincount(cell, squares, size)
    variance = hits * (1 - share) ** 2 + (squares.sum() - hits) * share**2
    error = np.maximum(np.sqrt(variance) / total, squares.sum() / total**2)
    return share.reshape(shape), error.reshape(shape)


def _draw(
    network: Model,
    about: set[int],
    possible: Mapping[int, tuple[int, ...]],
    rows: int,
    random: np.random.Generator,
) -> tuple[dict[int, NDArray[np.intp]], NDArray[np.float64]]:
    """Draw rows of what matters, and give them with the logarithms of their weights."""
    tables = tables_of(network)
    needed = reachable(about, network.parents)
    codes: dict[int, NDArray[np.intp]] = {}
    log_weights = np.zeros(rows)
    for variable in topological_order(network.names, network.parents):
        if variable not in needed:
            continue
        given = tuple(codes[parent] for parent in network.parents[variable])
        table = tables[variable]
        allowed = np.array(possible.get(variable, range(table.shape[-1])), dtype=np.intp)
        part = table[..., allowed]
        cumulative = np.cumsum(part, axis=-1)
        here = cumulative[given] if given else np.broadcast_to(cumulative, (rows, len(allowed)))
        weight = here[:, -1]
        # A draw below the whole weight falls on a value that is possible; the last takes the rest.
        draws = random.random(rows) * weight
        codes[variable] = allowed[(draws[:, None] >= here[:, :-1]).sum(axis=-1)]
        if variable in possible:
            with np.errstate(divide="ignore"):
                log_weights += np.log(weight)
    return codes, log_weights
