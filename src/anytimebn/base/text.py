"""Text for people: names in messages, percentages, durations."""

from __future__ import annotations

import difflib
import math
import reprlib
from decimal import ROUND_FLOOR, Context, Decimal
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_SHORT = reprlib.Repr()
_SHORT.maxstring = _SHORT.maxother = 80


def shown(value: object) -> str:
    """Show a value in a message: what it is, but not all of a table.

    Examples
    --------
    >>> shown("8 GiB"), shown([1] * 1000)
    ("'8 GiB'", '[1, 1, 1, 1, 1, 1, ...]')
    """
    return " ".join(_SHORT.repr(value).split())


def unknown_name(kind: str, name: object, known: Iterable[str]) -> str:
    """Message for an unknown name: which names are known, and which may have been meant."""
    known = list(known)
    listed = ", ".join(known[:20]) + (", ..." if len(known) > 20 else "")
    return f"unknown {kind} {shown(name)}{did_you_mean(name, known)}: choose one of {listed}"


def did_you_mean(name: object, known: Iterable[str]) -> str:
    """Suggest, in brackets, the closest known name, whatever its case; else nothing.

    Examples
    --------
    >>> did_you_mean("BDue", ["bdeu", "mdl"]), did_you_mean("x", ["bdeu", "mdl"])
    (" (did you mean 'bdeu'?)", '')
    """
    by_lower_case = {other.lower(): other for other in known}
    if not isinstance(name, str):
        return ""
    close = difflib.get_close_matches(name.lower(), by_lower_case, n=1)
    return f" (did you mean {by_lower_case[close[0]]!r}?)" if close else ""


LISTED_IN_A_MESSAGE = 5


def listed(items: Sequence[str], of: int | None = None) -> str:
    """Join the first few items for a message, and say how many more there are."""
    shown = list(items[:LISTED_IN_A_MESSAGE])
    rest = (len(items) if of is None else of) - len(shown)
    return ", ".join(shown) + (f" and {rest} more" if rest else "")


def listed_names(names: Sequence[str], limit: int = 12) -> str:
    """List names for an error message, the first few of many."""
    shown = ", ".join(repr(name) for name in names[:limit])
    return shown if len(names) <= limit else f"{shown} and {len(names) - limit} more"


def how_many(number: int, thing: str) -> str:
    """Give a number of things, which are several unless there is one.

    Examples
    --------
    >>> how_many(1, "parent"), how_many(3, "parent")
    ('1 parent', '3 parents')
    """
    return f"{number} {thing}" if number == 1 else f"{number:,} {thing}s"


def rounded_down(value: float, digits: int) -> str:
    """A number with so many digits, never more than it is.

    Examples
    --------
    >>> rounded_down(12345.678, 2), rounded_down(-0.125, 2)
    ('12,345.67', '-0.13')
    """
    if not math.isfinite(value):
        return f"{value}"
    digits_of_any = Context(prec=400)
    shown = Decimal(value).quantize(Decimal(1).scaleb(-digits), ROUND_FLOOR, digits_of_any)
    return f"{shown:,}"


def percent(fraction: float) -> str:
    """Two digits, rounded up: what is called 'at most' must not be less than the truth.

    Examples
    --------
    >>> percent(0.01321), percent(0.5), percent(1.2345), percent(0.00000123), percent(0.0)
    ('1.4 %', '50 %', '130 %', '0.00013 %', '0 %')
    """
    amount = 100 * fraction
    if amount <= 0:
        return "0 %"
    digits = 1 - math.floor(math.log10(amount))
    # Nothing that rounding errors of the division put on top should be seen.
    rounded = math.ceil(amount * 10.0**digits * (1 - 1e-12)) / 10.0**digits
    text = f"{rounded:.{max(0, digits)}f}"
    return (text.rstrip("0").rstrip(".") if "." in text else text) + " %"


def format_seconds(seconds: float) -> str:
    """A duration for people to read.

    Examples
    --------
    >>> format_seconds(0.01234), format_seconds(3.21), format_seconds(4000)
    ('0.012 s', '3.2 s', '1:06:40')
    """
    if seconds < 1:
        return f"{seconds:.3f} s"
    if seconds < 100:
        return f"{seconds:.1f} s"
    minutes, whole = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{whole:02}" if hours else f"{minutes}:{whole:02}"
