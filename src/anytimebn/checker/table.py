"""The table of a result, read as it was read when the network was learned."""

from __future__ import annotations

import os
import warnings
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from anytimebn.base.checks import is_list
from anytimebn.base.errors import DataWarning, InputError
from anytimebn.base.warn import warn_caller
from anytimebn.data.completion import Completion
from anytimebn.data.options import TableOptions
from anytimebn.data.read import to_dataset
from anytimebn.result.schema import TABLE_OPTIONS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from anytimebn.data.dataset import Dataset
    from anytimebn.data.read import TableLike


def table_of(result: Mapping[str, Any], data: TableLike, given: Mapping[str, Any]) -> Dataset:
    """Read a table in the way that a result tells, or say what differs.

    Parameters
    ----------
    result
        The content of a result file, of the right form.
    data
        A table, or the path of one.
    given
        Options by name, which win over those that the result tells.
    """
    bins = _bins(result)
    if TABLE_OPTIONS in result:
        told = TableOptions.from_json(result[TABLE_OPTIONS])
        options = replace(told, **given)
        _warn_of_differences(told, options)
    else:  # a result of an older version, which does not tell
        if bins and "bins" not in given:
            raise InputError(
                f"the result cut columns into intervals ({', '.join(bins)}): give the same --bins "
                "and --bin-method as to learn"
            )
        dropped = {"missing": "drop"} if result.get("rows_dropped") else {}
        options = TableOptions(**(dropped | dict(given)))
    with warnings.catch_warnings():
        # It is too late to leave columns out: learn has warned.
        warnings.simplefilter("ignore", DataWarning)
        dataset = _completed(to_dataset(data, options), result)
    found = {name: list(cuts) for name, cuts in dataset.bins.items()}
    where = f"{data}: " if isinstance(data, str | os.PathLike) else ""
    for name in sorted(bins.keys() | found.keys()):
        if found.get(name) != bins.get(name):
            raise InputError(
                f"{where}column {name!r} is cut at {found.get(name)}, in the result at "
                f"{bins.get(name)}: give the same table, --bins and --bin-method as to learn"
            )
    return dataset


def _completed(dataset: Dataset, result: Mapping[str, Any]) -> Dataset:
    """Complete what is missing as it was completed when the network was learned."""
    if dataset.holes is None:
        return dataset
    completion = Completion.from_json(result.get("completion"))
    if completion is None:
        raise InputError(
            "the result does not tell how missing values were completed: they were not; read the "
            "table with --missing drop|category, as it was for learn"
        )
    return completion.applied_to(dataset)


def _bins(result: Mapping[str, Any]) -> dict[str, list[Any]]:
    """Where columns were cut; a score file, and so a result of it, may say anything."""
    bins = result.get("bins") or {}
    if not (isinstance(bins, dict) and all(map(is_list, bins.values()))):
        raise InputError("'bins' of the result is not an object of lists of numbers")
    return {name: list(cuts) for name, cuts in bins.items()}


def _warn_of_differences(told: TableOptions, used: TableOptions) -> None:
    """Say which options contradict what the result tells."""
    before, now = told.to_json(), used.to_json()
    for name in sorted(before.keys() | now.keys()):
        if before.get(name) != now.get(name):
            was, given = (getattr(options, name) for options in (told, used))
            warn_caller(
                f"the table is read with {name}={given!r}, as you ask for; the network was learned "
                f"with {name}={was!r}",
                DataWarning,
            )
