"""What writing the text formats of parent sets, jkl and pss, shares.

What could not be read back is refused.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from anytimebn.base.errors import InputError
from anytimebn.base.files import write_text
from anytimebn.base.text import shown
from anytimebn.scores.provenance import Provenance

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from os import PathLike

    from anytimebn.scores.store import LocalScores


def write_lines(path: str | PathLike[str], lines: Sequence[str]) -> None:
    """Write lines as UTF-8 text, each ended by a line feed."""
    write_text(Path(path), "\n".join(lines) + "\n")


def check_writable(scores: LocalScores) -> None:
    """Refuse scores that a text format could not give back."""
    for name, set_count in zip(scores.names, np.diff(scores.first_set), strict=True):
        if not set_count:
            raise InputError(f"variable {name!r} has no parent set; each needs at least one")
    if not np.isfinite(scores.costs).all():
        wrong = int(np.flatnonzero(~np.isfinite(scores.costs))[0])
        child = int(np.searchsorted(scores.first_set, wrong, side="right")) - 1
        raise InputError(
            f"variable {scores.names[child]!r} has a parent set of cost {scores.costs[wrong]}; "
            "expected finite costs"
        )


def variables(
    scores: LocalScores, names: Sequence[str]
) -> Iterator[tuple[str, list[tuple[float, list[str]]]]]:
    """Give each variable's name with the scores (higher is better) and parents of its sets.

    `names` are what the file calls the variables.
    """
    parents = [names[member] for member in scores.members.tolist()]
    first_set, first_member = scores.first_set.tolist(), scores.first_member.tolist()
    values = (0.0 - scores.costs).tolist()
    for variable, name in enumerate(names):
        sets = range(first_set[variable], first_set[variable + 1])
        yield name, [(values[s], parents[first_member[s] : first_member[s + 1]]) for s in sets]


def portable_metadata(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is worth writing: all but the source, which is where it is read from."""
    if (found := Provenance.not_understood(metadata)) is not None:
        raise InputError(
            f"cannot write the metadata {found[0]!r}: expected {found[1]}, found "
            f"{shown(metadata[found[0]])}; the file could not be read back"
        )
    return {key: value for key, value in metadata.items() if key != "source"}


def to_json_text(key: str, value: object) -> str:
    """Return a value as JSON in one line of ASCII, NumPy's numbers and arrays included."""

    def plain(item: object) -> object:
        if isinstance(item, np.generic | np.ndarray):
            return item.tolist()
        raise TypeError(f"{type(item).__name__} is none of these")

    try:
        return json.dumps(value, default=plain)
    except (TypeError, ValueError) as error:
        raise InputError(
            f"cannot write the metadata {key!r}: expected numbers, texts, lists and dicts "
            f"with texts as keys ({error})"
        ) from error
