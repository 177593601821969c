"""The probability tables of a network: estimated from data, and used on data."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from anytimebn.base.checks import check_number, check_whole
from anytimebn.base.errors import InputError
from anytimebn.data.align import codes_for
from anytimebn.data.dataset import Dataset
from anytimebn.network.checks import topological_order

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from anytimebn.data.options import TableOptions
    from anytimebn.data.read import TableLike
    from anytimebn.network.model import Model
    from anytimebn.network.network import Network


MOST_ROWS = 2**40  # far beyond memory, but within what an array can be asked for


def fitted(
    network: Network,
    data: TableLike,
    equivalent_sample_size: float,
    table_options: TableOptions | None = None,
) -> Network:
    """Estimate the tables; see `Network.fit`."""
    check_number("equivalent_sample_size", equivalent_sample_size, 0)
    if math.isinf(equivalent_sample_size):
        raise InputError("equivalent_sample_size must be finite, not inf")
    codes, states = codes_for(data, network.names, network.states, table_options)
    tables = []
    for child, members in enumerate(network.parents):
        family = (*members, child)
        shape = tuple(len(states[variable]) for variable in family)
        size = math.prod(shape)
        seen = np.bincount(_cells(codes, family, shape), minlength=size)
        counts = seen.reshape(shape).astype(np.float64)
        counts += equivalent_sample_size / size
        totals = counts.sum(axis=-1, keepdims=True)
        uniform = np.full(shape, 1.0 / shape[-1])
        tables.append(np.divide(counts, totals, out=uniform, where=totals > 0))
    return replace(network, states=states, probabilities=tuple(tables))


def _cells(
    codes: NDArray[np.uint16], family: Sequence[int], shape: Sequence[int]
) -> NDArray[np.integer[Any]]:
    """Number the cell of each row, in the smallest type that can: with many rows that is faster."""
    cells: NDArray[np.integer[Any]] = codes[family[0]].astype(_number_type(math.prod(shape)))
    for variable, values in zip(family[1:], shape[1:], strict=True):
        cells *= cells.dtype.type(values)
        np.add(cells, codes[variable], out=cells, casting="unsafe")
    return cells


def _number_type(most: int) -> np.dtype[Any]:
    """Give the smallest type of numbers up to this one that `numpy.bincount` takes."""
    return np.min_scalar_type(most) if most < 2**32 else np.dtype(np.intp)


def row_log_likelihoods(
    network: Model, data: TableLike, table_options: TableOptions | None = None
) -> NDArray[np.float64]:
    """Sum up the logarithms of the families' probabilities, row by row."""
    if network.probabilities is None:
        raise InputError("the network has no probabilities; fit it to data first")
    codes, _ = codes_for(data, network.names, network.states, table_options)
    total = np.zeros(codes.shape[1])
    with np.errstate(divide="ignore"):
        for child, members in enumerate(network.parents):
            logs = np.log(network.probabilities[child])
            total += logs[tuple(codes[[*members, child]].astype(np.intp))]
    return total


def sampled(network: Network, rows: int, seed: int | np.random.Generator) -> Dataset:
    """Draw rows; see `Network.sample`."""
    if network.states is None or network.probabilities is None:
        raise InputError("the network has no probabilities to sample from; fit it to data")
    check_whole("rows", rows, 1, MOST_ROWS)
    if not isinstance(seed, np.random.Generator):
        check_whole("seed", seed, 0)
    random = np.random.default_rng(seed)
    codes = np.zeros((len(network.names), rows), dtype=np.uint16)
    for variable in topological_order(network.names, network.parents):
        cumulative = np.cumsum(network.probabilities[variable], axis=-1)
        # The last value takes what rounding leaves, so that no draw falls past the end.
        cumulative = cumulative[..., :-1]
        given = tuple(codes[parent].astype(np.intp) for parent in network.parents[variable])
        draws = random.random(rows)
        codes[variable] = (draws[:, None] >= cumulative[given]).sum(axis=-1)
    return Dataset(network.names, network.states, codes)
