"""What is written in the boxes of a drawing."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

CUT = "…"


def short_labels(names: Sequence[str], longest: int | None) -> list[str]:
    r"""Leave out the middle of long names, but so much less that no two look the same.

    Parameters
    ----------
    names
        What would be written.
    longest
        Letters of a label, about; None leaves all as they are.

    Examples
    --------
    >>> short_labels(["age", "number_of_visits_in_the_last_year", "a\nb"], 16)
    ['age', 'number_of…t_year', 'a b']
    >>> short_labels(["measured_at_home_1st_day", "measured_in_home_1st_day"], 12)
    ['measured_at…st_day', 'measured_in…st_day']
    """
    plain = [" ".join(name.split()) or name for name in names]
    if longest is None:
        return plain
    labels = list(plain)
    allowed = [max(2, longest)] * len(plain)
    while True:
        labels = [_cut(name, size) for name, size in zip(plain, allowed, strict=True)]
        count = Counter(labels)
        again = [
            position
            for position, label in enumerate(labels)
            if count[label] > 1 and len(plain[position]) > allowed[position]
        ]
        if not again:
            return labels
        for position in again:
            allowed[position] += 2


def _cut(name: str, longest: int) -> str:
    """Keep more of the beginning: it usually says more."""
    if len(name) <= longest:
        return name
    end = (longest - 1) * 2 // 5
    return name[: longest - 1 - end] + CUT + name[len(name) - end :]
