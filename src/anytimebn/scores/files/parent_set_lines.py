"""What reading the text formats of parent sets, jkl and pss, shares.

Sets are collected line by line, checked all at once and put in order.
"""

from __future__ import annotations

import difflib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from anytimebn.base.errors import InputError, LimitReached
from anytimebn.scores.provenance import Provenance
from anytimebn.scores.store import LocalScores

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from numpy.typing import NDArray

    from anytimebn.base.clock import Deadline

LINES_BETWEEN_LOOKS = 2**14


@dataclass
class ParentSetLines:
    """Parent sets as they stand in a file, line by line, until the names of all are known."""

    path: Path
    deadline: Deadline | None = None  # of the reading
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

    def numbered(self, lines: list[str]) -> Iterator[tuple[int, str]]:
        """Number the lines from 1, and look at the clock once in a while."""
        for begin in range(0, len(lines), LINES_BETWEEN_LOOKS):
            self.check_time()
            yield from enumerate(lines[begin : begin + LINES_BETWEEN_LOOKS], begin + 1)

    def check_time(self) -> None:
        """Raise `LimitReached` when the deadline has come."""
        if self.deadline is not None and self.deadline.passed():
            raise LimitReached(
                f"the time limit ended reading {self.path}, before any network: allow more time"
            )

    def assemble(
        self,
        *,
        allow_indices: bool,
        score_name: str,
        arities: tuple[int, ...] | None,
        metadata: dict[str, Any],
        names: tuple[str, ...],
    ) -> LocalScores:
        """Check all sets at once and put them in the order that LocalScores promises.

        `names` are those of the variables, which may be written otherwise in the file.
        """
        self.check_time()
        scores = np.array(self.scores, dtype=np.float64)
        sizes = np.array(self.sizes, dtype=np.int64)
        child = np.repeat(np.arange(len(self.names)), self.set_counts)
        set_of_member = np.repeat(np.arange(len(sizes)), sizes)
        members = self._resolve_parents(allow_indices=allow_indices)
        self.check_time()
        # Set and member in one number: a plain sort takes a fraction of the time of a lexsort.
        members = np.sort(set_of_member * len(self.names) + members) % len(self.names)
        self._check_sets(scores, child, set_of_member, members)
        self.check_time()

        costs = 0.0 - scores  # unlike a change of sign, never -0.0
        order = self._order(costs, sizes, child, members)
        self.check_time()
        kept_sizes = sizes[order]
        first_member = np.concatenate(([0], np.cumsum(kept_sizes)))
        starts = np.concatenate(([0], np.cumsum(sizes)))[order]
        # Each kept set copies its own run of members: the run's start in the old array, less its
        # start in the new one, is the shift between the two.
        shift = np.repeat(starts - first_member[:-1], kept_sizes)
        return LocalScores(
            names=names,
            first_set=np.searchsorted(child[order], np.arange(len(self.names) + 1)).astype(
                np.int64
            ),
            costs=costs[order],
            first_member=first_member.astype(np.int64),
            members=members[np.arange(len(shift)) + shift].astype(np.int32),
            score_name=score_name,
            arities=arities,
            provenance=Provenance.from_json({**metadata, "source": self.path.name}),
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
        for set_number in np.flatnonzero(~np.isfinite(scores))[:1]:
            raise self._malformed_set(
                set_number,
                f"expected a finite score, found {self.scores[set_number]} "
                f"(variable {self.names[child[set_number]]!r})",
            )
        for member in np.flatnonzero(members == child[set_of_member])[:1]:
            raise self._malformed_set(
                set_of_member[member],
                f"variable {self.names[members[member]]!r} is among its own parents; "
                "expected other variables only",
            )
        repeated = (members[1:] == members[:-1]) & (set_of_member[1:] == set_of_member[:-1])
        for member in np.flatnonzero(repeated)[:1]:
            raise self._malformed_set(
                set_of_member[member],
                f"parent {self.names[members[member]]!r} is repeated; "
                "expected each parent of a set once",
            )

    def _malformed_set(self, set_number: int, message: str) -> InputError:
        return malformed(self.path, self.lines[set_number], message)

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
