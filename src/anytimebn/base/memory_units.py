"""Amounts of memory as people write them."""

from __future__ import annotations

import re

from anytimebn.base.errors import InputError
from anytimebn.base.text import shown

_FACTORS = {
    "": 1,
    "b": 1,
    "kb": 10**3,
    "mb": 10**6,
    "gb": 10**9,
    "tb": 10**12,
    "kib": 2**10,
    "mib": 2**20,
    "gib": 2**30,
    "tib": 2**40,
    "k": 2**10,
    "m": 2**20,
    "g": 2**30,
    "t": 2**40,
}


def parse_memory(amount: int | str, what: str = "memory limit") -> int:
    """Bytes of an amount such as ``8GiB``, ``500 MB`` or a plain number.

    Examples
    --------
    >>> parse_memory("8GiB")
    8589934592
    >>> parse_memory("1.5 kB")
    1500
    """
    match = re.fullmatch(r"\s*(\d{1,99}(?:\.\d+)?)\s*([a-zA-Z]*)\s*", str(amount), re.ASCII)
    if match is None or match[2].lower() not in _FACTORS:
        raise InputError(
            f"{what}: not an amount of memory: {shown(amount)}; write for example 8GiB or 500MB"
        )
    return int(float(match[1]) * _FACTORS[match[2].lower()])


def format_memory(amount: float) -> str:
    """An amount for people to read.

    Examples
    --------
    >>> format_memory(3 * 2**29)
    '1.5 GiB'
    """
    for unit, factor in (("GiB", 2**30), ("MiB", 2**20), ("KiB", 2**10)):
        if amount >= factor:
            return f"{amount / factor:.1f} {unit}"
    return f"{amount:.0f} B"
