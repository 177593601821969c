"""The jkl format of local scores (Jaakkola, Sontag, Globerson and Meila, AISTATS 2010).

First the number of variables; then for each variable a line ``name count`` and ``count`` lines
``score k parent_1 ... parent_k``. Scores in the file are higher-is-better, so ``cost = -score``.
Lines that start with ``#`` are comments and may stand anywhere; those that we write before the
number of variables (``# score:``, ``# max_parents:``, ``# arities:``, ``# metadata:``) are
understood when read back, other programs skip them.

What every text format of parent sets needs (collecting sets line by line, checking them, putting
them in order) stands here as well, because jkl is the one from which the others differ.
"""

from __future__ import annotations

import difflib
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from anytimebn.errors import InputError
from anytimebn.scores import LocalScores

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from os import PathLike

    from numpy.typing import NDArray


def read_jkl(path: str | PathLike[str]) -> LocalScores:
    r"""Read local scores from a jkl file.

    Parents are names when every parent in the file is the name of a variable, and otherwise
    0-based indices. Nothing is pruned, but of two equal parent sets the better score is kept.

    Parameters
    ----------
    path
        The file to read.

    Returns
    -------
    LocalScores
        The sets of each variable, cheapest first; ``metadata["source"]`` is the file's name.

    Raises
    ------
    InputError
        If the file cannot be read or is malformed; the message gives the line.

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
    parent_sets = ParentSetLines(path)
    names, set_counts = parent_sets.names, parent_sets.set_counts
    # A file may hold a million sets: everything that the loop touches for a set is a local name.
    add_score, add_size = parent_sets.scores.append, parent_sets.sizes.append
    add_line, add_parents = parent_sets.lines.append, parent_sets.parents.extend
    variable_count = 0  # not yet known
    remaining = 0  # sets of the current variable still to come

    for line_number, line in enumerate(lines, 1):
        tokens = line.split()
        if not tokens:
            continue
        first = tokens[0]
        if first[0] == "#":
            if not variable_count:
                key, _, value = line.strip()[1:].partition(":")
                header[key.strip()] = value.strip()
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
            variable_count = _count(tokens[0]) if len(tokens) == 1 else 0
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
            remaining = _count(tokens[1]) if len(tokens) == 2 else 0
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
        arities=_header_arities(header, variable_count),
        metadata=_header_metadata(header),
    )


def write_jkl(scores: LocalScores, path: str | PathLike[str]) -> None:
    """Write local scores to a jkl file, parents by name.

    Scores are written with all the digits of a double: reading the file gives the same costs.

    Parameters
    ----------
    scores
        What to write. Names must be without blanks and must not start with ``#``.
    path
        The file to write; an existing one is replaced.

    Raises
    ------
    InputError
        If the format cannot hold the scores, or the file cannot be written.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import numpy as np
    >>> scores = LocalScores(
    ...     names=("rain", "wet"),
    ...     first_set=np.array([0, 1, 3]),
    ...     costs=np.array([4.5, 5.25, 7.0]),
    ...     first_member=np.array([0, 0, 1, 1]),
    ...     members=np.array([0], dtype=np.int32),
    ...     score_name="mdl",
    ... )
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "two.jkl"
    ...     write_jkl(scores, path)
    ...     print(path.read_text())
    # score: mdl
    2
    rain 1
    -4.5 0
    wet 2
    -5.25 1 rain
    -7.0 0
    """
    check_writable(scores, "jkl")
    for name in scores.names:
        if name.startswith("#"):
            raise InputError(
                f"the jkl format cannot hold the name {name!r}: a line that starts with '#' is a "
                "comment; rename the variable"
            )
    metadata = portable_metadata(scores.metadata)
    lines = [f"# score: {' '.join(scores.score_name.split())}"]
    if "max_parents" in metadata:
        lines.append(f"# max_parents: {to_json_text('max_parents', metadata['max_parents'])}")
    if scores.arities is not None:
        lines.append(f"# arities: {to_json_text('arities', [int(k) for k in scores.arities])}")
    if metadata:
        lines.append(f"# metadata: {to_json_text('metadata', metadata)}")
    lines.append(str(len(scores.names)))
    for name, parent_sets in variables(scores):
        lines.append(f"{name} {len(parent_sets)}")
        lines.extend(
            " ".join([repr(score), str(len(parents)), *parents]) for score, parents in parent_sets
        )
    write_lines(path, lines)


def _fault(tokens: Sequence[str]) -> str:
    """Say why a line is not ``score k parent_1 ... parent_k``; only called when it is not."""
    if not is_number(tokens[0]):
        return f"expected a score (a number), found {tokens[0]!r}"
    if len(tokens) == 1:
        return f"expected 'score k parent ...', found only the score {tokens[0]!r}"
    if not (tokens[1].isascii() and tokens[1].isdigit()):
        return f"expected the number of parents after the score, found {tokens[1]!r}"
    return f"expected {tokens[1]} parents, found {len(tokens) - 2}"


def _header_arities(header: Mapping[str, str], variable_count: int) -> tuple[int, ...] | None:
    try:
        arities = json.loads(header.get("arities", "null"))
    except (ValueError, RecursionError):
        return None  # a comment of another program that happens to look like ours
    if not isinstance(arities, list) or len(arities) != variable_count:
        return None
    return tuple(arities) if all(type(k) is int and k > 0 for k in arities) else None


def _header_metadata(header: Mapping[str, str]) -> dict[str, Any]:
    try:
        metadata = json.loads(header.get("metadata", "{}"))
    except (ValueError, RecursionError):
        metadata = None  # as above
    if not isinstance(metadata, dict):
        metadata = {}
    if "max_parents" not in metadata and (limit := _count(header.get("max_parents", ""))):
        metadata["max_parents"] = limit
    return metadata


def _count(token: str) -> int:
    """Return the positive whole number that a token spells, or 0 if it spells none."""
    return int(token) if token.isascii() and token.isdigit() and len(token) < 19 else 0


def _cut(line: str, longest: int = 60) -> str:
    line = line.strip()
    return repr(line if len(line) <= longest else line[:longest] + "...")


# What the text formats of parent sets share.


@dataclass
class ParentSetLines:
    """Parent sets as they stand in a file, line by line, until the names of all are known."""

    path: Path
    names: list[str] = field(default_factory=list)
    name_lines: dict[str, int] = field(default_factory=dict)
    set_counts: list[int] = field(default_factory=list)  # of each variable
    scores: list[float] = field(default_factory=list)  # of each set, higher is better
    sizes: list[int] = field(default_factory=list)  # of each set
    lines: list[int] = field(default_factory=list)  # of each set, 1-based
    parents: list[str] = field(default_factory=list)  # of all sets, one after the other

    def add_variable(self, name: str, line_number: int, set_count: int) -> None:
        """Start the next variable, refusing one that has been before."""
        if name in self.name_lines:
            raise malformed(
                self.path,
                line_number,
                f"variable {name!r} is here for the second time (first on line "
                f"{self.name_lines[name]}); names must be different",
            )
        self.name_lines[name] = line_number
        self.names.append(name)
        self.set_counts.append(set_count)

    def assemble(
        self,
        *,
        allow_indices: bool,
        score_name: str,
        arities: tuple[int, ...] | None,
        metadata: dict[str, Any],
    ) -> LocalScores:
        """Check all sets at once and put them in the order that LocalScores promises."""
        scores = np.array(self.scores, dtype=np.float64)
        sizes = np.array(self.sizes, dtype=np.int64)
        child = np.repeat(np.arange(len(self.names)), self.set_counts)
        set_of_member = np.repeat(np.arange(len(sizes)), sizes)
        members = self._resolve_parents(allow_indices=allow_indices)
        # Set and member in one number: a plain sort takes a fraction of the time of a lexsort.
        members = np.sort(set_of_member * len(self.names) + members) % len(self.names)
        self._check_sets(scores, child, set_of_member, members)

        costs = 0.0 - scores  # unlike a change of sign, never -0.0
        order = self._order(costs, sizes, child, members)
        kept_sizes = sizes[order]
        first_member = np.concatenate(([0], np.cumsum(kept_sizes)))
        starts = np.concatenate(([0], np.cumsum(sizes)))[order]
        # Each kept set copies its own run of members: the run's start in the old array, less its
        # start in the new one, is the shift between the two.
        shift = np.repeat(starts - first_member[:-1], kept_sizes)
        return LocalScores(
            names=tuple(self.names),
            first_set=np.searchsorted(child[order], np.arange(len(self.names) + 1)).astype(
                np.int64
            ),
            costs=costs[order],
            first_member=first_member.astype(np.int64),
            members=members[np.arange(len(shift)) + shift].astype(np.int32),
            score_name=score_name,
            arities=arities,
            metadata={**metadata, "source": self.path.name},
        )

    def _resolve_parents(self, *, allow_indices: bool) -> NDArray[np.int64]:
        """Turn parents into variable numbers: all are names, or else all are indices."""
        number_of = {name: number for number, name in enumerate(self.names)}
        different = set(self.parents)
        unknown = different - number_of.keys()
        if unknown:
            indices = {
                token: int(token)
                for token in different
                if allow_indices and (token == "0" or 0 < _count(token) < len(self.names))
            }
            neither = unknown - indices.keys()
            if neither:
                token, line_number = self._first_of(neither)
                close = difflib.get_close_matches(token, self.names, n=1)
                index = f" or an index from 0 to {len(self.names) - 1}" if allow_indices else ""
                raise malformed(
                    self.path,
                    line_number,
                    f"unknown parent {token!r}: expected the name of a variable{index}"
                    + (f"; did you mean {close[0]!r}?" if close else ""),
                )
            if len(indices) < len(different):
                token, line_number = self._first_of(different - indices.keys())
                index, index_line = self._first_of(unknown)
                raise malformed(
                    self.path,
                    line_number,
                    f"parent {token!r} is a name, but parent {index!r} on line {index_line} is an "
                    "index: expected names only or indices only",
                )
            number_of = indices
        return np.fromiter(map(number_of.__getitem__, self.parents), np.int64, len(self.parents))

    def _first_of(self, tokens: set[str]) -> tuple[str, int]:
        """Return the first parent in the file that is one of these, and its line."""
        position = next(i for i, token in enumerate(self.parents) if token in tokens)
        set_number = int(np.searchsorted(np.cumsum(self.sizes), position, side="right"))
        return self.parents[position], self.lines[set_number]

    def _check_sets(
        self,
        scores: NDArray[np.float64],
        child: NDArray[np.int64],
        set_of_member: NDArray[np.int64],
        members: NDArray[np.int64],
    ) -> None:
        wrong = np.flatnonzero(~np.isfinite(scores))
        if wrong.size:
            raise malformed(
                self.path,
                self.lines[wrong[0]],
                f"expected a finite score, found {self.scores[wrong[0]]} "
                f"(variable {self.names[child[wrong[0]]]!r})",
            )
        wrong = np.flatnonzero(members == child[set_of_member])
        if wrong.size:
            raise malformed(
                self.path,
                self.lines[set_of_member[wrong[0]]],
                f"variable {self.names[members[wrong[0]]]!r} is among its own parents; "
                "expected other variables only",
            )
        repeated = (members[1:] == members[:-1]) & (set_of_member[1:] == set_of_member[:-1])
        wrong = np.flatnonzero(repeated)
        if wrong.size:
            raise malformed(
                self.path,
                self.lines[set_of_member[wrong[0]]],
                f"parent {self.names[members[wrong[0]]]!r} is repeated; "
                "expected each parent of a set once",
            )

    def _order(
        self,
        costs: NDArray[np.float64],
        sizes: NDArray[np.int64],
        child: NDArray[np.int64],
        members: NDArray[np.int64],
    ) -> NDArray[np.int64]:
        """Order sets by child, cost, size and members, and leave out the worse of equal ones."""
        order = np.lexsort((sizes, costs, child))
        # Written big-endian, members compare as bytes in the order in which they do as numbers.
        content = members.astype(">i4").tobytes()
        ends = (4 * np.cumsum(sizes)).tolist()
        keys = [content[end - 4 * size : end] for size, end in zip(self.sizes, ends, strict=True)]

        tied = (
            (child[order][1:] == child[order][:-1])
            & (costs[order][1:] == costs[order][:-1])
            & (sizes[order][1:] == sizes[order][:-1])
        )
        # Ties are rare: only runs of them are sorted here, one by one.
        edges = np.flatnonzero(np.diff(np.concatenate(([0], tied, [0]))))
        for first, last in edges.reshape(-1, 2).tolist():
            order[first : last + 1] = sorted(order[first : last + 1].tolist(), key=keys.__getitem__)

        kept: list[int] = []
        ordered = order.tolist()
        start = 0
        for set_count in self.set_counts:
            # A dict keeps the place of its first key: the cheapest of equal sets stays.
            best: dict[bytes, int] = {}
            for number in ordered[start : start + set_count]:
                best.setdefault(keys[number], number)
            kept.extend(best.values())
            start += set_count
        return np.array(kept, dtype=np.int64)


def malformed(path: Path, line_number: int, message: str) -> InputError:
    """Make the error for a file that is wrong at a line."""
    return InputError(f"{path}, line {max(line_number, 1)}: {message}")


def is_number(token: str) -> bool:
    """Tell whether a token is a number as files spell it (Python also takes ``1_000``)."""
    try:
        float(token)
    except ValueError:
        return False
    return "_" not in token


def read_lines(path: Path) -> list[str]:
    """Read a UTF-8 text file as lines, whatever their ends."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}; expected a score file") from error
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line_number = error.object.count(b"\n", 0, error.start) + 1
        raise malformed(path, line_number, "expected UTF-8 text, found other bytes") from error
    # Not splitlines(): it also splits at characters that are no line ends to other programs.
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return lines[:-1] if not lines[-1] else lines


def write_lines(path: str | PathLike[str], lines: Sequence[str]) -> None:
    """Write lines as UTF-8 text, each ended by a line feed."""
    try:
        Path(path).write_bytes(("\n".join(lines) + "\n").encode())
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror}") from error
    except UnicodeEncodeError as error:
        wrong = error.object[error.start : error.end]
        raise InputError(f"cannot write {path}: {wrong!r} is no text that UTF-8 holds") from error


def check_writable(scores: LocalScores, format_name: str) -> None:
    """Refuse scores that a text format could not give back."""
    for name in scores.names:
        if name.split() != [name]:
            raise InputError(
                f"the {format_name} format cannot hold the name {name!r}: names are separated by "
                "blanks; rename the variable, for example with '_' in the place of each blank"
            )
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


def variables(scores: LocalScores) -> Iterator[tuple[str, list[tuple[float, list[str]]]]]:
    """Give each variable's name with the scores (higher is better) and parents of its sets."""
    parents = [scores.names[member] for member in scores.members.tolist()]
    first_set, first_member = scores.first_set.tolist(), scores.first_member.tolist()
    values = (0.0 - scores.costs).tolist()
    for variable, name in enumerate(scores.names):
        sets = range(first_set[variable], first_set[variable + 1])
        yield name, [(values[s], parents[first_member[s] : first_member[s + 1]]) for s in sets]


def portable_metadata(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is worth writing: all but the source, which is where it is read from."""
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
