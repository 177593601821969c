"""The pss format of local scores, as the URLearning programs write it.

``META key=value`` lines about the whole file come first. Then each variable has a block: a line
``VAR name``, ``META key=value`` lines about it (of which we keep ``arity``), and one line
``score parent parent ...`` for each parent set, parents by name. Scores in the file are
higher-is-better, so ``cost = -score``. Lines that start with ``#`` are comments; ``# names:``
before the first variable, which we write, is understood when read back.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from anytimebn.base.errors import InputError
from anytimebn.scores.files.parent_set_lines import (
    ParentSetLines,
    malformed,
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
    from os import PathLike

    from anytimebn.base.clock import Deadline
    from anytimebn.scores.store import LocalScores

PSS_VERSION = "0.1"
_OWN_KEYS = ("pss_version", "score_type")  # about the file, or kept as score_name


def read_pss(path: str | PathLike[str], deadline: Deadline | None = None) -> LocalScores:
    r"""Read local scores from a pss file.

    Nothing is pruned, but of two equal parent sets the better score is kept. ``META`` values that
    are JSON (numbers, lists, quoted texts) are read as such, all others as text; those about the
    whole file become ``metadata``.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "two.pss"
    ...     _ = path.write_text(
    ...         "META score_type=bic\nMETA num_records=50\n\n"
    ...         "VAR rain\nMETA arity=2\n-4.5\n\nVAR wet\nMETA arity=3\n-7\n-5.25 rain\n"
    ...     )
    ...     scores = read_pss(path)
    >>> scores.score_name, scores.arities, scores.metadata
    ('bic', (2, 3), {'num_records': 50, 'source': 'two.pss'})
    """
    path = Path(path)
    lines = read_lines(path)
    parent_sets = ParentSetLines(path, deadline)
    names, set_counts = parent_sets.names, parent_sets.set_counts
    add_score, add_size = parent_sets.scores.append, parent_sets.sizes.append
    add_line, add_parents = parent_sets.lines.append, parent_sets.parents.extend
    metadata: dict[str, Any] = {}
    arities: dict[str, int] = {}
    names_told = ""

    for line_number, line in parent_sets.numbered(lines):
        tokens = line.split()
        if not tokens:
            continue
        first = tokens[0]
        if first == "VAR":
            if len(tokens) != 2:
                raise malformed(
                    path, line_number, f"expected 'VAR name', a name without blanks, found {line!r}"
                )
            _check_block(parent_sets)
            parent_sets.add_variable(tokens[1], line_number, 0)
        elif first == "META":
            key, equals, value = line.strip()[len("META") :].partition("=")
            key, value = key.strip(), value.strip()
            if not (key and equals):
                raise malformed(path, line_number, f"expected 'META key=value', found {line!r}")
            if not names:
                metadata[key] = _value(value)
                check_understood({key: metadata[key]}, path, line_number)
            elif key == "arity":
                if not (value.isascii() and value.isdigit() and 0 < len(value) < 10 and int(value)):
                    raise malformed(
                        path,
                        line_number,
                        f"expected the arity of {names[-1]!r} (a whole number from 1), "
                        f"found {value!r}",
                    )
                arities[names[-1]] = int(value)
        elif first[0] == "#":
            key, _, value = line.strip()[1:].partition(":")
            if not names and key.strip() == COMMENT:
                names_told = value.strip()
        else:
            if not names:
                raise malformed(
                    path,
                    line_number,
                    f"expected 'META key=value' or 'VAR name' before any score, found {first!r}",
                )
            if not spells_number(first):
                raise malformed(
                    path,
                    line_number,
                    f"expected a score (a number), 'META' or 'VAR', found {first!r} "
                    f"(variable {names[-1]!r})",
                )
            add_score(float(first))
            add_size(len(tokens) - 1)
            add_line(line_number)
            add_parents(tokens[1:])
            set_counts[-1] += 1

    if not names:
        raise malformed(
            path, len(lines), "expected 'VAR name' lines, found the end of a file without variables"
        )
    _check_block(parent_sets)
    score_type = metadata.get("score_type")
    return parent_sets.assemble(
        allow_indices=False,
        score_name=str(score_type) if score_type else "unknown",
        arities=tuple(arities[name] for name in names) if len(arities) == len(names) else None,
        metadata={key: value for key, value in metadata.items() if key not in _OWN_KEYS},
        names=real_names(names_told, names, "pss"),
    )


def write_pss(scores: LocalScores, path: str | PathLike[str]) -> None:
    """Write local scores to a pss file.

    Scores are written with all the digits of a double: reading the file gives the same costs.
    Names with blanks are written otherwise, and told in a comment.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import numpy as np
    >>> from anytimebn.scores.provenance import Provenance
    >>> from anytimebn.scores.store import LocalScores
    >>> scores = LocalScores(
    ...     names=("rain", "wet"),
    ...     first_set=np.array([0, 1, 3]),
    ...     costs=np.array([4.5, 5.25, 7.0]),
    ...     first_member=np.array([0, 0, 1, 1]),
    ...     members=np.array([0], dtype=np.int32),
    ...     score_name="mdl",
    ...     provenance=Provenance(rows=50),
    ... )
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "two.pss"
    ...     write_pss(scores, path)
    ...     print(path.read_text())
    META pss_version=0.1
    META score_type=mdl
    META rows=50
    <BLANKLINE>
    VAR rain
    -4.5
    <BLANKLINE>
    VAR wet
    -5.25 rain
    -7.0
    """
    check_writable(scores)
    lines = [
        f"META pss_version={PSS_VERSION}",
        f"META score_type={_value_text('score_type', scores.score_name)}",
    ]
    for key, value in portable_metadata(scores.metadata).items():
        if key in _OWN_KEYS:
            continue
        if not key or key != key.strip() or not {"=", "\n", "\r"}.isdisjoint(key):
            raise InputError(
                f"the pss format cannot hold the metadata key {key!r}: expected a text without "
                "'=', line ends, or blanks around it"
            )
        lines.append(f"META {key}={_value_text(key, value)}")
    lines += comment_lines(scores.names, "pss")
    written = written_names(scores.names, "pss")
    for variable, (name, parent_sets) in enumerate(variables(scores, written)):
        lines += ["", f"VAR {name}"]
        if scores.arities is not None:
            lines.append(f"META arity={scores.arities[variable]}")
        lines.extend(" ".join([repr(score), *parents]) for score, parents in parent_sets)
    write_lines(path, lines)


def _check_block(parent_sets: ParentSetLines) -> None:
    """Refuse a last variable without parent sets; there may be no variable yet."""
    if parent_sets.names and not parent_sets.set_counts[-1]:
        name = parent_sets.names[-1]
        raise malformed(
            parent_sets.path,
            parent_sets.name_lines[name],
            f"variable {name!r} has no parent set; expected at least one 'score parent ...' line",
        )


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def _value_text(key: str, value: object) -> str:
    """Write a text as it is where it reads back as that text, and everything else as JSON."""
    if isinstance(value, str) and value.isprintable() and _value(value.strip()) == value:
        return value
    return to_json_text(key, value)
