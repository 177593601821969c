"""What the text formats of parent sets, jkl and pss, share.

Reading collects sets line by line, checks them all at once and puts them in order; writing refuses
what could not be read back.
"""

from __future__ import annotations

import difflib
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from anytimebn.base.errors import InputError
from anytimebn.base.files import write_text
from anytimebn.scores.store import LocalScores

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from os import PathLike

    from numpy.typing import NDArray


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
                if allow_indices and (token == "0" or 0 < positive_number(token) < len(self.names))
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


def spells_number(token: str) -> bool:
    """Tell whether a token is a number as files spell it (Python also takes ``1_000``)."""
    try:
        float(token)
    except ValueError:
        return False
    return "_" not in token


def positive_number(token: str) -> int:
    """Return the positive whole number that a token spells, or 0 if it spells none."""
    return int(token) if token.isascii() and token.isdigit() and len(token) < 19 else 0


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
    write_text(Path(path), "\n".join(lines) + "\n")


def check_names(names: Sequence[str], format_name: str) -> None:
    """Refuse names that a text format could not give back."""
    for name in names:
        if name.split() != [name]:
            raise InputError(
                f"the {format_name} format cannot hold the name {name!r}: names are separated by "
                "blanks; rename the variable, for example with '_' in the place of each blank"
            )
        if format_name == "jkl" and name.startswith("#"):
            raise InputError(
                f"the jkl format cannot hold the name {name!r}: a line that starts with '#' is a "
                "comment; rename the variable"
            )


def check_writable(scores: LocalScores, format_name: str) -> None:
    """Refuse scores that a text format could not give back."""
    check_names(scores.names, format_name)
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
