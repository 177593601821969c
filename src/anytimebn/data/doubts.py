"""Tables that can be used as they are read, but were perhaps not meant like that: warnings."""

from __future__ import annotations

from shlex import quote as quoted
from typing import TYPE_CHECKING

import numpy as np

from anytimebn.base.errors import DataWarning
from anytimebn.base.text import LISTED_IN_A_MESSAGE, listed
from anytimebn.base.warn import warn_caller
from anytimebn.data.intervals import MAX_DISTINCT_NUMBERS, is_whole, number_text
from anytimebn.data.options import OTHERS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from anytimebn.data.dataset import Dataset
    from anytimebn.data.options import Cuts

MANY_NUMBERS = 12
"""More are seldom meant as a value each by those who have other numbers cut; months still are."""


def warn_of_uncut(bins: Cuts, uncut: Mapping[str, int], source: str, *, any_cut: bool) -> None:
    """Say which columns could have been meant: numbers that are few enough to stay as they are.

    Parameters
    ----------
    bins
        How all columns of many numbers are to be cut.
    uncut
        Columns of numbers that are not cut, and how many distinct ones they have.
    source
        What messages call the table.
    any_cut
        Whether any column is cut. If so, only columns of many numbers are worth a word.
    """
    if isinstance(bins, int):
        intervals, on_command_line, given = bins, str(bins), str(bins)
        asked = f"bins={bins}"
    else:
        intervals, on_command_line = len(bins) + 1, ",".join(map(number_text, bins))
        given, asked = str(list(bins)), f"bins={{{OTHERS!r}: {list(bins)}}}"
    least = max(intervals, MANY_NUMBERS) if any_cut else intervals
    meant = {name: numbers for name, numbers in uncut.items() if numbers > least}
    there = listed([f"{own!r} ({numbers})" for own, numbers in meant.items()])
    if any_cut:
        if meant:
            warn_caller(
                f"{source}: {asked} leaves columns of {MAX_DISTINCT_NUMBERS} distinct numbers or "
                f"fewer as they are, and some have many: {there}; cut them by name, "
                f"{_by_name(meant, on_command_line, given, all_others=True)}, or say that they "
                f"are codes with --categorical NAME (categorical=[...])",
                DataWarning,
            )
        return
    if meant:
        remedy = (
            f"those of fewer are cut by name: {there}; such as "
            f"{_by_name(list(meant)[:1], on_command_line, given, all_others=False)}"
        )
    elif uncut:
        remedy = f"here none has more than {max(uncut.values())}: leave bins out"
    else:
        remedy = "here no column has numbers that count as such: leave bins out"
    warn_caller(
        f"{source}: {asked} cuts no column: only those of more than {MAX_DISTINCT_NUMBERS} "
        f"distinct numbers are cut; {remedy}",
        DataWarning,
    )


def _by_name(names: Iterable[str], on_command_line: str, given: str, *, all_others: bool) -> str:
    """Write the option that cuts these columns as all others are."""
    names = list(names)
    some = names[:LISTED_IN_A_MESSAGE]
    more = ", ..." if len(names) > len(some) else ""
    keys = [*([OTHERS] if all_others else []), *some]
    python = ", ".join(f"{name!r}: {given}" for name in keys)
    option = f"{some[0]}={on_command_line}"
    return f"--bins {quoted(option)} (bins={{{python}{more}}} in Python)"


def number_rows(numbers: NDArray[np.float64] | None, rows: int) -> bool:
    """Whether these are whole numbers of which no two rows have the same."""
    return (
        numbers is not None
        and len(numbers) == rows > MAX_DISTINCT_NUMBERS
        and all(map(is_whole, numbers))
    )


def many_values(dataset: Dataset) -> dict[str, int]:
    """Give the columns in which most rows have a value of their own, with the number of values."""
    most = max(dataset.rows / 2, MAX_DISTINCT_NUMBERS)
    counts = {
        name: len(np.unique(codes))
        for name, own, codes in zip(dataset.names, dataset.states, dataset.codes, strict=True)
        if len(own) > most
    }
    return {name: seen for name, seen in counts.items() if seen > most}


def warn_of_identifiers(values: Mapping[str, int], dataset: Dataset, source: str) -> None:
    """Warn of columns that perhaps do nothing but tell rows apart."""
    if not values:
        return
    names = [name for name in dataset.names if name in values]
    told = [f"{name!r} has {values[name]}" for name in names]
    them, they = ("it", "it only identifies") if len(names) == 1 else ("them", "they only identify")
    told[0] += " values"
    warn_caller(
        f"{source}: column {listed(told)} in {dataset.rows} rows; leave {them} out "
        f"({_excluding(names)}) if {they} rows",
        DataWarning,
    )


def warn_of_dropped(lacking: Mapping[str, int], dataset: Dataset, source: str) -> None:
    """Say so if most rows are lost, and which columns lack most.

    Parameters
    ----------
    lacking
        How many values each column lacks.
    dataset
        What is left.
    source
        What messages call the table.
    """
    rows = dataset.rows + dataset.rows_dropped
    if dataset.rows_dropped <= max(rows / 2, MAX_DISTINCT_NUMBERS):
        return
    worst = sorted((name for name in lacking if lacking[name]), key=lambda name: -lacking[name])
    most = [name for name in worst if lacking[name] > lacking[worst[0]] / 2]
    # To leave out most of a table is no advice.
    leave = f"leave out what lacks most ({_excluding(most)}), or " * (2 * len(most) < len(lacking))
    warn_caller(
        f"{source}: of {rows} rows, {dataset.rows_dropped} are dropped for missing values, in "
        f"{'column' if len(worst) == 1 else 'columns'} "
        f"{listed([f'{name!r} ({lacking[name]})' for name in worst])}; {leave}have values "
        f'completed with --missing em (missing="em")',
        DataWarning,
    )


def _excluding(names: Sequence[str]) -> str:
    """Write the options that leave columns out."""
    some = names[:LISTED_IN_A_MESSAGE]
    more = len(names) > len(some)
    typed = " ".join(f"--exclude {quoted(name)}" for name in some)
    python = ", ".join(map(repr, some))
    return f"{typed}{' ...' * more}, in Python exclude=[{python}{', ...' * more}]"
