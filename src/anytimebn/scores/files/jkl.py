"""The jkl format of local scores (Jaakkola, Sontag, Globerson and Meila, AISTATS 2010).

First the number of variables; then for each variable a line ``name count`` and ``count`` lines
``score k parent_1 ... parent_k``. Scores in the file are higher-is-better, so ``cost = -score``.
Lines that start with ``#`` are comments and may stand anywhere; those that we write before the
number of variables (``# score:``, ``# max_parents:``, ``# arities:``, ``# metadata:`` and
``# names:``) are understood when read back, other programs skip them.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from anytimebn.base.text import shown
from anytimebn.scores.files.parent_set_lines import (
    ParentSetLines,
    malformed,
    positive_number,
    read_lines,
    spells_number,
)
from anytimebn.scores.files.told import check_understood
from anytimebn.scores.files.writable_sets import (
    check_writable,
    portable_metadata,
    to_json_text,
    variables,
    write_lines,
)
from anytimebn.scores.files.written_names import (
    COMMENT,
    comment_lines,
    real_names,
    written_names,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from os import PathLike

    from anytimebn.base.clock import Deadline
    from anytimebn.base.errors import InputError
    from anytimebn.scores.store import LocalScores


def read_jkl(path: str | PathLike[str], deadline: Deadline | None = None) -> LocalScores:
    r"""Read local scores from a jkl file.

    Parents are names when every parent in the file is the name of a variable, and otherwise
    0-based indices. Nothing is pruned, but of two equal parent sets the better score is kept.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "two.jkl"
    ...     _ = path.write_text("2\nrain 1\n-4.5 0\nwet 2\n-7 0\n-5.25 1 rain\n")
    ...     scores = read_jkl(path)
    >>> scores.names
    ('rain', 'wet')
    >>> scores.costs.tolist()
    [4.5, 5.25, 7.0]
    """
    path = Path(path)
    lines = read_lines(path)
    header: dict[str, str] = {}
    header_lines: dict[str, int] = {}
    parent_sets = ParentSetLines(path, deadline)
    names, set_counts = parent_sets.names, parent_sets.set_counts
    # A file may hold a million sets: everything that the loop touches for a set is a local name.
    add_score, add_size = parent_sets.scores.append, parent_sets.sizes.append
    add_line, add_parents = parent_sets.lines.append, parent_sets.parents.extend
    variable_count = 0  # not yet known
    remaining = 0  # sets of the current variable still to come

    for line_number, line in parent_sets.numbered(lines):
        tokens = line.split()
        if not tokens:
            continue
        first = tokens[0]
        if first[0] == "#":
            if not variable_count:
                key, _, value = line.strip()[1:].partition(":")
                header[key.strip()] = value.strip()
                header_lines[key.strip()] = line_number
        elif remaining:
            try:
                score, size = float(first), int(tokens[1])
            except (ValueError, IndexError):
                size = -2  # agrees with no line
            if len(tokens) != size + 2 or "_" in first:
                where = f"set {set_counts[-1] - remaining + 1} of the {set_counts[-1]} announced"
                raise malformed(path, line_number, f"{_fault(tokens)} ({where} for {names[-1]!r})")
            add_score(score)
            add_size(size)
            add_line(line_number)
            add_parents(tokens[2:])
            remaining -= 1
        elif not variable_count:
            variable_count = positive_number(tokens[0]) if len(tokens) == 1 else 0
            if not variable_count:
                raise malformed(
                    path,
                    line_number,
                    f"expected the number of variables (a whole number from 1), found {_cut(line)}",
                )
        elif len(names) == variable_count:
            raise malformed(
                path,
                line_number,
                f"expected the end of the file after the {set_counts[-1]} sets of {names[-1]!r}, "
                f"the last of {variable_count} variables, found {_cut(line)}",
            )
        else:
            remaining = positive_number(tokens[1]) if len(tokens) == 2 else 0
            if not remaining:
                after = f", after the {set_counts[-1]} sets of {names[-1]!r}" if names else ""
                raise malformed(
                    path,
                    line_number,
                    "expected 'name count' (a name without blanks, and at least one parent set) "
                    f"of variable {len(names) + 1} of {variable_count}{after}, found {_cut(line)}",
                )
            parent_sets.add_variable(first, line_number, remaining)

    if not variable_count:
        raise malformed(path, len(lines), "expected the number of variables, found an empty file")
    if remaining:
        raise malformed(
            path,
            len(lines),
            f"the file ends too early: {names[-1]!r} announces {set_counts[-1]} parent sets, "
            f"found {set_counts[-1] - remaining}",
        )
    if len(names) < variable_count:
        raise malformed(
            path,
            len(lines),
            f"the file ends too early: expected {variable_count} variables, found {len(names)}",
        )
    return parent_sets.assemble(
        allow_indices=True,
        score_name=header.get("score") or "unknown",
        arities=_header_arities(path, header, header_lines, variable_count),
        metadata=_header_metadata(path, header, header_lines),
        names=real_names(header.get(COMMENT, ""), names, "jkl"),
    )


def write_jkl(scores: LocalScores, path: str | PathLike[str]) -> None:
    """Write local scores to a jkl file, parents by name.

    Scores are written with all the digits of a double: reading the file gives the same costs.
    Names with blanks, or that start with ``#``, are written otherwise, and told in a comment.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import numpy as np
    >>> import anytimebn as ab
    >>> scores = ab.score(np.array([[0, 0], [0, 0], [1, 1], [1, 1]] * 5))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "two.jkl"
    ...     write_jkl(scores, path)
    ...     print(path.read_text())
    # score: mdl
    # max_parents: 1
    # arities: [2, 2]
    # metadata: ...
    2
    X0 2
    -2.99... 1 X1
    -15.36... 0
    X1 2
    -2.99... 1 X0
    -15.36... 0
    """
    check_writable(scores)
    metadata = portable_metadata(scores.metadata)
    lines = [f"# score: {' '.join(scores.score_name.split())}"]
    if "max_parents" in metadata:
        lines.append(f"# max_parents: {to_json_text('max_parents', metadata['max_parents'])}")
    if scores.arities is not None:
        lines.append(f"# arities: {to_json_text('arities', [int(k) for k in scores.arities])}")
    if metadata:
        lines.append(f"# metadata: {to_json_text('metadata', metadata)}")
    lines += comment_lines(scores.names, "jkl")
    lines.append(str(len(scores.names)))
    for name, parent_sets in variables(scores, written_names(scores.names, "jkl")):
        lines.append(f"{name} {len(parent_sets)}")
        lines.extend(
            " ".join([repr(score), str(len(parents)), *parents]) for score, parents in parent_sets
        )
    write_lines(path, lines)


def _fault(tokens: Sequence[str]) -> str:
    """Say why a line is not ``score k parent_1 ... parent_k``; only called when it is not."""
    if not spells_number(tokens[0]):
        return f"expected a score (a number), found {tokens[0]!r}"
    if len(tokens) == 1:
        return f"expected 'score k parent ...', found only the score {tokens[0]!r}"
    if not (tokens[1].isascii() and tokens[1].isdigit()):
        return f"expected the number of parents after the score, found {tokens[1]!r}"
    return f"expected {tokens[1]} parents, found {len(tokens) - 2}"


def _header_value(
    path: Path, header: Mapping[str, str], lines: Mapping[str, int], key: str, expected: str
) -> Any:
    """Give what a comment of ours tells, or None for one of another program: that tells words."""
    text = header.get(key, "")
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        if text.startswith(("[", "{")):  # it was ours before something happened to it
            raise _misspelt(path, lines[key], key, expected, text) from None
        return None


def _misspelt(path: Path, line_number: int, key: str, expected: str, text: str) -> InputError:
    return malformed(
        path,
        line_number,
        f"expected {expected} after '# {key}:', found {_cut(text)}; correct it, or leave it out",
    )


def _header_arities(
    path: Path, header: Mapping[str, str], lines: Mapping[str, int], variable_count: int
) -> tuple[int, ...] | None:
    expected = f"{variable_count} whole numbers from 1 in brackets"
    arities = _header_value(path, header, lines, "arities", expected)
    if arities is None or isinstance(arities, str):
        return None
    if (
        not isinstance(arities, list)
        or len(arities) != variable_count
        or not all(type(k) is int and k > 0 for k in arities)
    ):
        raise _misspelt(path, lines["arities"], "arities", expected, header["arities"])
    return tuple(arities)


def _header_metadata(
    path: Path, header: Mapping[str, str], lines: Mapping[str, int]
) -> dict[str, Any]:
    expected = "names and values in braces"
    metadata = _header_value(path, header, lines, "metadata", expected)
    if metadata is None or isinstance(metadata, str):
        metadata = {}
    elif not isinstance(metadata, dict):
        raise _misspelt(path, lines["metadata"], "metadata", expected, header["metadata"])
    else:
        check_understood(metadata, path, lines["metadata"])
    limit = _header_value(path, header, lines, "max_parents", "a whole number from 0")
    if limit is None or isinstance(limit, str):
        return metadata
    check_understood({"max_parents": limit}, path, lines["max_parents"])
    if metadata.get("max_parents") is None:
        metadata["max_parents"] = limit
    elif metadata["max_parents"] != limit:
        raise malformed(
            path,
            lines["max_parents"],
            f"the limit on parents is {limit}, but {shown(metadata['max_parents'])} on line "
            f"{lines['metadata']}; correct one of them, or leave it out",
        )
    return metadata


def _cut(line: str, longest: int = 60) -> str:
    line = line.strip()
    return repr(line if len(line) <= longest else line[:longest] + "...")
