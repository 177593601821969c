"""Make a case that fails simpler, as long as it fails."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from fuzz.campaign import Campaign, Case

LONGEST = 20.0
"""Seconds that are spent on one case."""

Part = TypeVar("Part")


def simplified(campaign: Campaign, case: Case) -> Case:
    """Take the first simpler case that still fails, again and again."""
    end = time.monotonic() + LONGEST
    found = True
    while found:
        found = False
        for simpler in campaign.simpler(case):
            if time.monotonic() > end:
                return case
            if campaign.failure(simpler) is not None:
                case, found = simpler, True
                break
    return case


def with_fewer(parts: Sequence[Part]) -> Iterator[list[Part]]:
    """Leave out half of a list, then quarters, down to single parts."""
    length = len(parts)
    size = length
    while size:
        size //= 2
        for begin in range(0, length, max(1, size)):
            if size or length == 1:
                yield [*parts[:begin], *parts[begin + max(1, size) :]]


def without_keys(case: Case, key: str) -> Iterator[Case]:
    """Leave out one entry of an object of the case."""
    entries: dict[str, Any] = case[key]
    for name in entries:
        yield {**case, key: {other: entries[other] for other in entries if other != name}}
