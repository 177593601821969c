"""Names that a score file cannot hold as they are: written otherwise, and told in a comment.

Blanks separate names in these formats. Such a name is written with ``_`` in the place of blanks,
which every program reads, and a comment ``# names: [...]`` has all names as they are, which is
understood when the file is read back.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

COMMENT = "names"
"""What the comment begins with."""


def written_names(names: Sequence[str], format_name: str) -> tuple[str, ...]:
    """Give names that a file can hold: the same where that is possible, and all different.

    Examples
    --------
    >>> written_names(["chest pain", "age", "chest_pain", "#1"], "jkl")
    ('chest_pain_', 'age', 'chest_pain', '_1')
    """
    taken = {name for name in names if _is_writable(name, format_name)}
    written = []
    for name in names:
        if not _is_writable(name, format_name):
            name = "_".join(name.split()) or "_"
            if not _is_writable(name, format_name):
                name = f"_{name[1:]}"
            while name in taken:
                name += "_"
            taken.add(name)
        written.append(name)
    return tuple(written)


def _is_writable(name: str, format_name: str) -> bool:
    # In jkl files a line can begin with a name, and one that begins with # is a comment.
    return name.split() == [name] and not (format_name == "jkl" and name.startswith("#"))


def comment_lines(names: Sequence[str], format_name: str) -> list[str]:
    """Give the comment that tells the names, if the file has others."""
    if written_names(names, format_name) == tuple(names):
        return []
    return [f"# {COMMENT}: {json.dumps(list(names))}"]


def real_names(comment: str, written: Sequence[str], format_name: str) -> tuple[str, ...]:
    """Give the names that a comment tells, if they would have been written as they are.

    If not, it is a comment of another program, or the file was changed since: what is there counts.

    Examples
    --------
    >>> real_names('["chest pain", "age"]', ["chest_pain", "age"], "jkl")
    ('chest pain', 'age')
    >>> real_names('["chest pain", "age"]', ["chest_pain", "years"], "jkl")
    ('chest_pain', 'years')
    """
    try:
        told = json.loads(comment)
    except (ValueError, RecursionError):
        return tuple(written)
    if not isinstance(told, list) or not all(isinstance(name, str) for name in told):
        return tuple(written)
    if len(set(told)) < len(told):
        return tuple(written)
    return tuple(told) if written_names(told, format_name) == tuple(written) else tuple(written)
