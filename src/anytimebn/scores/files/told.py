"""What a score file tells about itself must fit what is in it.

A claim about the best network names the limits and constraints that the file tells. Files of other
programs may tell nothing, or other things, but not the contrary of what they hold.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from anytimebn.base.errors import InputError
from anytimebn.base.text import shown
from anytimebn.scores.files.parent_set_lines import malformed
from anytimebn.scores.provenance import Provenance
from anytimebn.scores.space import Space

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path
    from typing import Any

    from anytimebn.scores.store import LocalScores


def check_understood(metadata: Mapping[str, Any], path: Path, line_number: int) -> None:
    """Refuse what a line tells if claims would rest on it, and it is not what it should be."""
    if (found := Provenance.not_understood(metadata)) is not None:
        key, expected = found
        raise malformed(
            path,
            line_number,
            f"expected {expected} as {key!r} of the metadata, found "
            f"{shown(metadata[key])}; correct it, or leave it out",
        )


def check_told(scores: LocalScores, path: Path) -> None:
    """Refuse scores with parent sets that, by what the file tells, it cannot have."""
    sizes = np.diff(scores.first_member)
    provenance = scores.provenance
    limits = {"max_parents": provenance.max_parents}
    if provenance.space is not None:
        limits["space.largest"] = provenance.space.largest
    for key, limit in limits.items():
        if limit is not None and (large := np.flatnonzero(sizes > limit)).size:
            held = f"{_shown(scores, int(large[0]))} has {sizes[large[0]]} parents"
            raise _contradiction(path, f"{key} is {limit}", held)
    if provenance.constraints is None:
        return
    space = Space(knowledge=provenance.constraints)
    required = _parents_by_child(scores, space.required)
    forbidden = _parents_by_child(scores, space.forbidden)
    for child, (begin, end) in enumerate(pairwise(scores.first_set.tolist())):
        limit = space.limit(scores.names[child])
        if not (required[child] or forbidden[child] or limit is not None):
            continue
        for number in range(begin, end):
            parents = set(scores.parents(number))
            if (
                not required[child] <= parents
                or forbidden[child] & parents
                or (limit is not None and len(parents) > limit)
            ):
                held = f"{_shown(scores, number)} breaks them"
                raise _contradiction(path, "there are constraints", held)


def _parents_by_child(scores: LocalScores, arcs: frozenset[tuple[str, str]]) -> list[set[int]]:
    number_of = {name: number for number, name in enumerate(scores.names)}
    parents: list[set[int]] = [set() for _ in scores.names]
    for parent, child in arcs:
        if parent in number_of and child in number_of:
            parents[number_of[child]].add(number_of[parent])
    return parents


def _shown(scores: LocalScores, number: int) -> str:
    child = int(np.searchsorted(scores.first_set, number, side="right")) - 1
    members = ", ".join(scores.names[parent] for parent in scores.parents(number))
    return f"the parent set {{{members}}} of {scores.names[child]!r}"


def _contradiction(path: Path, told: str, held: str) -> InputError:
    return InputError(
        f"{path}: by its metadata {told}, but {held}; correct the metadata, or leave them out"
    )
