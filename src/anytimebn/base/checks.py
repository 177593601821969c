"""Refuse bad arguments where they are given, in plain words, not where they first fail."""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from numbers import Integral, Real
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from anytimebn.base.errors import InputError
from anytimebn.base.text import shown, unknown_name

if TYPE_CHECKING:
    from collections.abc import Iterable

    from anytimebn.base.report import Sink

MOST_JOBS = 2**31 - 1
"""As many threads as the core can count."""

LARGEST_COUNT = 2**64 - 1
"""As large a seed, or number of anything else, as the core can hold."""


# What these say does not narrow types, which callers may have got wrong.


def is_whole(value: object) -> bool:
    """Tell whether this is a whole number, of any package; truth values are not."""
    return isinstance(value, Integral) and not isinstance(value, bool)


def is_number(value: object) -> bool:
    """Tell whether this is a number; truth values are not."""
    return isinstance(value, Real) and not isinstance(value, bool)


def is_list(value: object) -> bool:
    """Tell whether this is a list or the like, but not text."""
    return isinstance(value, Sequence) and not isinstance(value, str | bytes)


def are_names(values: object) -> bool:
    """Tell whether this is a list of non-empty texts, but not a single text."""
    return (
        isinstance(values, Collection)  # which can be looked at twice
        and not isinstance(values, str)
        and all(isinstance(value, str) and value for value in values)
    )


def check_whole(name: str, value: Any, lowest: int, highest: int | None = None) -> None:
    """Refuse what is not a whole number within these limits.

    Examples
    --------
    >>> check_whole("jobs", "2", 1)
    Traceback (most recent call last):
    anytimebn.InputError: jobs must be a whole number, at least 1, not '2'
    """
    if not is_whole(value):
        raise InputError(f"{name} must be a whole number, at least {lowest}, not {shown(value)}")
    if value < lowest:
        raise InputError(f"{name} must be at least {lowest}, not {shown(value)}")
    if highest is not None and value > highest:
        raise InputError(f"{name} must be at most {highest}, not {shown(value)}")


def check_number(name: str, value: Any, lowest: float, *, unit: str = "") -> None:
    """Refuse what is not a number of at least the lowest; infinity is a number, NaN is not.

    Examples
    --------
    >>> check_number("gap", float("nan"), 0)
    Traceback (most recent call last):
    anytimebn.InputError: gap must be at least 0, not nan
    """
    if not is_number(value):
        raise InputError(f"{name} must be a number, at least {lowest:g}{unit}, not {shown(value)}")
    if not value >= lowest:
        raise InputError(f"{name} must be at least {lowest:g}{unit}, not {shown(value)}")


def as_path(given: Any) -> Path:
    """Take the path of a file.

    Examples
    --------
    >>> as_path(None)
    Traceback (most recent call last):
    anytimebn.InputError: the path of a file is needed, not None
    """
    if not isinstance(given, str | os.PathLike) or not os.fspath(given):
        raise InputError(f"the path of a file is needed, not {shown(given)}")
    return Path(given)


def check_progress(name: str, given: Sink | Literal[False] | None) -> Sink | None:
    """Give who hears reports, if there is one; refuse what cannot be called."""
    if given is None or given is False:
        return None
    if not callable(given):
        raise InputError(f"{name} must be a function of one argument, or None, not {shown(given)}")
    return given


def check_options(function: str, given: Iterable[str], known: Iterable[str]) -> None:
    """Refuse keywords that a function does not have.

    Examples
    --------
    >>> check_options("learn", ["tiem_limit"], ["score", "time_limit"])
    Traceback (most recent call last):
    anytimebn.InputError: learn: unknown option 'tiem_limit' (did you mean 'time_limit'?)...
    """
    known = list(known)
    for name in given:
        if name not in known:
            raise InputError(f"{function}: {unknown_name('option', name, known)}")
