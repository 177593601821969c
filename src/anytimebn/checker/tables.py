"""Checks of what a result says of values and probabilities, and of how many rows there were."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from anytimebn.base.errors import InputError
from anytimebn.base.text import how_many, shown
from anytimebn.checker.report import Check
from anytimebn.data.align import codes_for
from anytimebn.result.schema import are_names, is_count, is_number

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from anytimebn.checker.claim import Claim
    from anytimebn.data.dataset import Dataset

PRIOR_ROWS = 1.0
"""Weight of the uniform prior of each table, in rows: that of `Network.fit`, which `learn` uses."""

TOLERANCE = 1e-9
"""Of a probability: far more than a sum and a quotient of counts are off by."""


def checks_of_tables(
    claim: Claim, result: Mapping[str, Any], dataset: Dataset | None
) -> list[Check]:
    """Check rows, states and probabilities, as far as a result has them."""
    if dataset is not None and not set(claim.names) <= set(dataset.names):
        dataset = None  # the check of the cost says so
    checks = []
    if any(result.get(key) is not None for key in ("rows", "rows_dropped")):
        checks.append(_rows(result, dataset))
    states: Any = result.get("states")
    tables: Any = result.get("probabilities")
    if states is None and tables is None:
        return checks
    of_states = _states(claim, states, dataset)
    checks.append(of_states)
    if tables is not None and of_states.passed:
        checks.append(_probabilities(claim, states, tables, dataset))
    return checks


def _rows(result: Mapping[str, Any], dataset: Dataset | None) -> Check:
    rows, dropped = result.get("rows"), result.get("rows_dropped") or 0
    if not (rows is None or is_count(rows)) or not is_count(dropped):
        return Check("rows", False, f"{shown(rows)}, and {shown(dropped)} dropped, are no counts")
    told = how_many(rows or 0, "row") + (f", {dropped} more dropped" if dropped else "")
    if dataset is None:
        return Check("rows", True, f"{told} by the word of the result", whole=False)
    for what, claimed, found in (
        ("rows", rows, dataset.rows),
        ("dropped rows", dropped, dataset.rows_dropped),
    ):
        if claimed is not None and claimed != found:
            return Check("rows", False, f"the data have {found} {what}, the result {claimed}")
    return Check("rows", True, f"{told}, as in the data")


def _states(claim: Claim, states: Any, dataset: Dataset | None) -> Check:
    name = "states"
    if not _has_all(states, claim.names):
        return Check(name, False, "each variable needs its values, and no other")
    for variable in claim.names:
        own = states[variable]
        if not (are_names(own) and own and len(set(own)) == len(own)):
            return Check(name, False, f"the values of {variable!r} are {shown(own)}")
    counts = [len(states[variable]) for variable in claim.names]
    told = f"{how_many(len(counts), 'variable')} of {min(counts)} to {max(counts)} values"
    if dataset is None:
        return Check(name, True, f"{told} by the word of the result", whole=False)
    column = {variable: position for position, variable in enumerate(dataset.names)}
    for variable, count in zip(claim.names, counts, strict=True):
        found = len(dataset.states[column[variable]])
        if found != count:
            wrong = f"{variable!r} has {found} values in the data, {count} in the result"
            return Check(name, False, wrong)
    try:
        _codes(claim, states, dataset)
    except InputError as error:
        return Check(name, False, f"values of the data are not those of the result: {error}")
    return Check(name, True, f"{told}, as in the data")


def _probabilities(
    claim: Claim, states: Mapping[str, Sequence[str]], tables: Any, dataset: Dataset | None
) -> Check:
    name = "probabilities"
    if not _has_all(tables, claim.names):
        return Check(name, False, "each variable needs its table, and no other")
    codes = None if dataset is None else _codes(claim, states, dataset)
    cells = 0
    for variable in claim.names:
        family = (*claim.parents[variable], variable)
        shape = [len(states[member]) for member in family]
        numbers = list(_numbers(tables[variable], shape))
        if len(numbers) != math.prod(shape) or not all(map(_is_probability, numbers)):
            wrong = f"the table of {variable!r} is not one of {' x '.join(map(str, shape))}"
            return Check(name, False, f"{wrong} numbers between 0 and 1")
        lines = np.array(numbers, dtype=np.float64).reshape(-1, shape[-1])
        sums = lines.sum(axis=1)
        if np.abs(sums - 1).max(initial=0.0) > TOLERANCE:
            worst = float(sums[np.abs(sums - 1).argmax()])
            return Check(name, False, f"probabilities of {variable!r} sum up to {worst!r}, not 1")
        cells += len(numbers)
        if codes is None:
            continue
        counts = np.zeros(shape)
        np.add.at(counts, tuple(codes[member] for member in family), 1.0)
        counts += PRIOR_ROWS / counts.size
        counted = (counts / counts.sum(axis=-1, keepdims=True)).reshape(-1, shape[-1])
        off = np.abs(counted - lines)
        if off.max() > TOLERANCE:
            line, value = np.unravel_index(off.argmax(), off.shape)
            wrong = f"{lines[line, value]!r} instead of {counted[line, value]!r}"
            at = f"P({variable} = {states[variable][value]})"
            return Check(name, False, f"{at} is {wrong}, by the counts and a prior of one row")
    told = how_many(cells, "number")
    if codes is None:
        detail = f"{told}, sums of 1; that they follow from the table needs the data"
        return Check(name, True, detail, whole=False)
    return Check(name, True, f"{told}, counted again, with a prior of one row")


def _codes(claim: Claim, states: Mapping[str, Sequence[str]], dataset: Dataset) -> dict[str, Any]:
    """Give the number of each row's value, by variable, in the order of the result's states."""
    known = tuple(tuple(states[variable]) for variable in claim.names)
    codes, _ = codes_for(dataset, claim.names, known)
    return dict(zip(claim.names, codes.astype(np.intp), strict=True))


def _has_all(given: Any, names: Sequence[str]) -> bool:
    return isinstance(given, Mapping) and given.keys() == set(names)


def _numbers(table: Any, shape: Sequence[int]) -> Iterator[object]:
    """Give what nested lists of these lengths hold; fewer values if one of them differs."""
    if not (isinstance(table, list | tuple) and len(table) == shape[0]):
        return
    for entry in table:
        if len(shape) == 1:
            yield entry
        else:
            yield from _numbers(entry, shape[1:])


def _is_probability(value: object) -> bool:
    return is_number(value) and 0 <= value <= 1  # type: ignore[operator]
