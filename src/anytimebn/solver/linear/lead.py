"""Where a cutting-plane loop stands: what another one needs to go on from there.

The last multipliers alone prove little: they count on parent sets that earlier ones have ruled out.
So all are kept that ruled something out, in their order, and in the end those of the best bound.
There may be hundreds, of hundreds of numbers each; a checkpoint is written every second. What is in
a lead never changes, and each stage is put into text once.

Between one better bound and the next there may be minutes in which the program gathers rows. Where
it stands by itself, its rows and its basis, is therefore in a lead, too.
"""

from __future__ import annotations

import base64
import binascii
import json
import zlib
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from anytimebn.base.errors import InputError
from anytimebn.base.json_fields import Fields
from anytimebn.result.schema import is_count

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from anytimebn.solver.linear.proof import Stage

    Origin = Callable[[int], tuple[Sequence[int], Sequence[int], Sequence[int], int]]
    """Gives the variables and the parents of a row of a loop."""

LeadRow = tuple[tuple[int, ...], tuple[int, ...]]

MOST_SHIFT = 40  # as much as exact sums have room for
DENSEST = 258  # numbers of four bytes in a letter: zlib makes nothing more than 1,032 times smaller


@dataclass(frozen=True, eq=False)
class LeadStage:
    """Rows by their numbers in the lead, with multipliers in units of costs over 2 ** shift.

    The sets that it ruled out, as the loop numbers them, tell whether it is needed once more; if
    there are none, it is.
    """

    rows: NDArray[np.uint32]
    multipliers: NDArray[np.int64]
    shift: int
    ruled_out: NDArray[np.uint32] = field(default_factory=lambda: np.zeros(0, np.uint32))

    @cached_property
    def text(self) -> str:
        """All of it in few letters."""
        numbers = self.rows.astype("<u4").tobytes() + self.multipliers.astype("<i8").tobytes()
        return f"{self.shift} {_packed(numbers)} {_packed_numbers(self.ruled_out)}"

    @classmethod
    def of_text(cls, text: object, rows: int) -> LeadStage:
        """Take over what `text` gave, of a lead that has so many rows."""
        shift, packed, sets = (
            text.split(" ") if isinstance(text, str) and text.count(" ") == 2 else ("", "", "")
        )
        # No stage has a row twice: whatever unpacks to more is not read.
        numbers = _unpacked(packed, 12 * rows)
        whole = numbers is not None
        numbers = numbers or b""
        count, rest = divmod(len(numbers), 12)
        own = np.frombuffer(numbers[: 4 * count], dtype="<u4").astype(np.uint32)
        multipliers = np.frombuffer(numbers[4 * count : 12 * count], dtype="<i8").astype(np.int64)
        if (
            not (whole and rest == 0 and count <= rows and shift.isdecimal() and len(shift) < 3)
            or int(shift) > MOST_SHIFT
            or (count and (own.max() >= rows or multipliers.min() < 0))
        ):
            raise InputError("a stage of the linear program cannot be read")
        return cls(own, multipliers, int(shift), _unpacked_numbers(sets))


@dataclass(frozen=True, eq=False)
class Standing:
    """A linear program between two solves.

    Parameters
    ----------
    rows
        Like those of the lead, and numbered on from there.
    active
        The rows of the program, in their order.
    basic_sets
        Sets whose columns are in the basis, as the loop numbers them.
    basic_rows
        For each variable and then for each active row 1 if its slack is in the basis, else 0.
    ages
        For how many solves each active row has been of no use: whoever is killed often would never
        get rid of any.
    rounds, stalled
        How many there were, and how many since the gap last became smaller.
    """

    rows: tuple[LeadRow, ...]
    active: NDArray[np.uint32]
    basic_sets: NDArray[np.uint32]
    basic_rows: NDArray[np.uint32]
    ages: NDArray[np.uint32]
    rounds: int
    stalled: int

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON has it."""
        return {
            "rows": self.rows,
            "active": _packed_numbers(self.active),
            "basic_sets": _packed_numbers(self.basic_sets),
            "basic_rows": _packed_numbers(self.basic_rows),
            "ages": _packed_numbers(self.ages),
            "rounds": self.rounds,
            "stalled": self.stalled,
        }

    @classmethod
    def from_json(cls, fields: Fields, variables: int, earlier: int) -> Standing:
        """Take over what `to_json` gave, in a lead of so many rows."""
        rows = _rows(fields.items("rows"), variables, earlier)
        active = _unpacked_numbers(fields.text("active"))
        if active.max(initial=0) >= max(1, earlier + len(rows)):
            raise InputError("the linear program has a row that does not exist")
        return cls(
            rows,
            active,
            _unpacked_numbers(fields.text("basic_sets")),
            _unpacked_numbers(fields.text("basic_rows")),
            _unpacked_numbers(fields.text("ages")),
            fields.count("rounds"),
            fields.count("stalled"),
        )


@dataclass(frozen=True, eq=False)
class Lead:
    """Rows in the order in which they were first of use, and stages one after the other.

    Parameters
    ----------
    rows
        Of each row the variables, and the numbers of the earlier rows that it is made of: none for
        a cluster.
    stages
        All of them together prove the bound.
    lower_bound
        In nats, by the word of the loop.
    standing
        Where the program stands, once it was solved.

    Examples
    --------
    >>> import numpy as np
    >>> stage = LeadStage(np.array([0], dtype=np.uint32), np.array([4]), 0)
    >>> lead = Lead((((0, 1), ()),), (stage,), 3.5)
    >>> again = Lead.from_json(lead.to_json(["rain", "wet"]), ["rain", "wet"])
    >>> again.rows == lead.rows, again.stages[0].multipliers, again.lower_bound
    (True, array([4]), 3.5)
    """

    rows: tuple[LeadRow, ...]
    stages: tuple[LeadStage, ...]
    lower_bound: float
    standing: Standing | None = None

    kind: ClassVar[str] = "lead"

    @property
    def clusters(self) -> list[tuple[int, ...]]:
        """Variables of all rows."""
        return [variables for variables, _ in self.rows]

    @cached_property
    def text(self) -> str:
        """All of it as a text of JSON: several checkpoints may have the same lead."""
        content = {
            "rows": self.rows,
            "stages": [stage.text for stage in self.stages],
            "lower_bound": self.lower_bound,
            "standing": None if self.standing is None else self.standing.to_json(),
        }
        return json.dumps(content, separators=(",", ":"))

    def to_json(self, _: Sequence[str]) -> dict[str, Any]:
        """Return it as JSON has it, with the numbers of variables."""
        return {"kind": self.kind, "text": self.text}

    @classmethod
    def from_json(cls, content: object, names: Sequence[str]) -> Lead:
        """Take over what `to_json` gave, or say what is wrong with it."""
        text = Fields(content, "the linear program").text("text")
        try:
            fields = Fields(json.loads(text), "the linear program")
        except (ValueError, RecursionError) as error:
            raise InputError(f"the linear program cannot be read: {error}") from error
        rows = _rows(fields.items("rows"), len(names))
        stages = tuple(LeadStage.of_text(text, len(rows)) for text in fields.items("stages"))
        standing = fields.maybe(
            "standing",
            lambda key: Standing.from_json(fields.part(key), len(names), len(rows)),
        )
        return cls(rows, stages, fields.number("lower_bound"), standing)


class LeadBook:
    """Writes down, as a loop goes on, what a lead is made of.

    Parameters
    ----------
    origin
        Gives the variables and the parents of a row of the loop.
    """

    def __init__(self, origin: Origin) -> None:
        # Rows never change, and most are asked for many times.
        self._shape = cache(lambda row: _shape(*origin(row)))
        self._permanent = _Numbered(self._shape)
        self._stages: list[LeadStage] = []
        self._best: LeadStage | None = None
        # Most that have the best bound have it no more when somebody asks: their rows are not
        # looked at, and are in no lead.
        self._new: list[tuple[Stage, NDArray[np.uint32]]] = []
        self._new_best: Stage | None = None

    def add(self, stage: Stage, *, ruled_out: NDArray[np.uint32], is_best: bool) -> None:
        """Take note of a stage that ruled sets out, or has the best bound so far."""
        if is_best:
            self._new_best = stage
        if len(ruled_out):
            self._new.append((stage, ruled_out))

    def _number_new(self) -> None:
        """Number the rows of the stages that have come since this was last done."""
        for stage, ruled_out in self._new:
            numbers = self._permanent.all(stage.rows)
            self._stages.append(LeadStage(numbers, stage.multipliers, stage.shift, ruled_out))
        self._new.clear()
        if (best := self._new_best) is not None:
            numbers = self._permanent.all(best.rows)
            self._best, self._new_best = LeadStage(numbers, best.multipliers, best.shift), None

    def lead(self, lower_bound: float, standing: Standing | None = None) -> Lead:
        """Give what there is by now; the best bound comes in the end."""
        self._number_new()
        best = () if self._best is None else (self._best,)
        rows = tuple(self._permanent.rows)
        return Lead(rows, (*self._stages, *best), lower_bound, standing)

    def standing(
        self,
        active: Sequence[int],
        basic_sets: NDArray[np.uint32],
        basic_rows: NDArray[np.uint32],
        ages: NDArray[np.uint32],
        *,
        rounds: int,
        stalled: int,
    ) -> Standing:
        """Say where a program of these rows of the loop stands.

        Most of its rows are gone soon: they are numbered for this time only.
        """
        self._number_new()  # those of this time come after all that stay
        numbers = _Numbered(self._shape, self._permanent)
        own = numbers.all(active)
        return Standing(tuple(numbers.rows), own, basic_sets, basic_rows, ages, rounds, stalled)


class _Numbered:
    """Rows of a loop, numbered as they come, after those that others have numbered."""

    def __init__(self, shape: Callable[[int], LeadRow], earlier: _Numbered | None = None) -> None:
        self._shape = shape
        self._earlier: dict[int, int] = {} if earlier is None else earlier._numbers
        self._offset = len(self._earlier)
        self._numbers: dict[int, int] = {}
        self.rows: list[LeadRow] = []

    def all(self, rows: Sequence[int]) -> NDArray[np.uint32]:
        """Number many; most of them are known, and one question for each takes longest."""
        known = list(map((self._earlier or self._numbers).get, rows))
        found = [self(row) if own is None else own for row, own in zip(rows, known, strict=True)]
        return np.array(found, dtype=np.uint32)

    def __call__(self, row: int) -> int:
        if (known := self._earlier.get(row)) is not None:
            return known
        if row not in self._numbers:
            shape = self._shape(row)
            if parents := shape[1]:
                shape = (shape[0], tuple(map(self, parents)))
            self.rows.append(shape)
            self._numbers[row] = self._offset + len(self.rows) - 1
        return self._numbers[row]


def _shape(
    members: Sequence[int], parents: Sequence[int], children: Sequence[int], rank: int
) -> LeadRow:
    """Give the variables of a row, and the rows of the loop that it is made of."""
    return (tuple(children), tuple(parents)) if rank else (tuple(members), ())


def _rows(given: list[Any], variables: int, earlier: int = 0) -> tuple[LeadRow, ...]:
    """Take over rows, each made of earlier ones only."""
    rows: list[LeadRow] = []
    for number, row in enumerate(given, earlier):
        if not (isinstance(row, list | tuple) and len(row) == 2 and all(map(_are_counts, row))):
            raise InputError("a row of the linear program cannot be read")
        own, parents = map(tuple, row)
        if max(own, default=-1) >= variables or max(parents, default=-1) >= number:
            raise InputError("a row of the linear program is made of what does not exist")
        if not (own or parents):
            raise InputError("a row of the linear program is empty")
        rows.append((own, parents))
    return tuple(rows)


def _are_counts(given: object) -> bool:
    return isinstance(given, list | tuple) and all(map(is_count, given))


def _packed(numbers: bytes) -> str:
    return base64.b64encode(zlib.compress(numbers, 1)).decode()


def _unpacked(text: str, most: int) -> bytes | None:
    """Give what was packed; None if it cannot be read, or is more than that."""
    try:
        unpacking = zlib.decompressobj()
        numbers = unpacking.decompress(base64.b64decode(text, validate=True), most + 1)
    except (binascii.Error, ValueError, zlib.error):
        return None
    return numbers if unpacking.eof and len(numbers) <= most else None


def _packed_numbers(numbers: NDArray[np.uint32]) -> str:
    return f"{len(numbers)}:{_packed(numbers.astype('<u4').tobytes())}"


def _unpacked_numbers(text: str) -> NDArray[np.uint32]:
    count, _, packed = text.partition(":")
    most = int(count) if count.isdecimal() and len(count) < 12 else 0
    # Nothing small unpacks to what no memory holds.
    numbers = _unpacked(packed, 4 * most) if most <= DENSEST * len(packed) else None
    if numbers is None or len(numbers) != 4 * most:
        raise InputError("numbers of the linear program cannot be read")
    return np.frombuffer(numbers, dtype="<u4").astype(np.uint32)
