"""Where a cutting-plane loop stands: what another one needs to go on from there.

The last multipliers alone prove little: they count on parent sets that earlier ones have ruled out.
So all are kept that ruled something out, in their order, and in the end those of the best bound.
There may be hundreds, of hundreds of numbers each; a checkpoint is written every second. What is in
a lead never changes, and each stage is put into text once.
"""

from __future__ import annotations

import base64
import binascii
import zlib
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from anytimebn.base.errors import InputError
from anytimebn.base.json_fields import Fields
from anytimebn.result.schema import is_count

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from anytimebn.solver.linear.proof import Stage

MOST_SHIFT = 40  # as much as exact sums have room for


@dataclass(frozen=True, eq=False)
class LeadStage:
    """Rows by their numbers in the lead, with multipliers in units of costs over 2 ** shift."""

    rows: NDArray[np.uint32]
    multipliers: NDArray[np.int64]
    shift: int

    @cached_property
    def text(self) -> str:
        """All of it in few letters."""
        numbers = self.rows.astype("<u4").tobytes() + self.multipliers.astype("<i8").tobytes()
        return f"{self.shift} {base64.b64encode(zlib.compress(numbers, 1)).decode()}"

    @classmethod
    def of_text(cls, text: object, rows: int) -> LeadStage:
        """Take over what `text` gave, of a lead that has so many rows."""
        shift, _, packed = text.partition(" ") if isinstance(text, str) else ("", "", "")
        try:
            unpacking = zlib.decompressobj()
            # No stage has a row twice: whatever unpacks to more is not read.
            numbers = unpacking.decompress(base64.b64decode(packed, validate=True), 12 * rows + 1)
            whole = unpacking.eof
        except (binascii.Error, ValueError, zlib.error):
            whole, numbers = False, b""
        count, rest = divmod(len(numbers), 12)
        own = np.frombuffer(numbers[: 4 * count], dtype="<u4").astype(np.uint32)
        multipliers = np.frombuffer(numbers[4 * count : 12 * count], dtype="<i8").astype(np.int64)
        if (
            not (whole and rest == 0 and count <= rows and shift.isdecimal() and len(shift) < 3)
            or int(shift) > MOST_SHIFT
            or (count and (own.max() >= rows or multipliers.min() < 0))
        ):
            raise InputError("a stage of the linear program cannot be read")
        return cls(own, multipliers, int(shift))


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

    Examples
    --------
    >>> import numpy as np
    >>> stage = LeadStage(np.array([0], dtype=np.uint32), np.array([4]), 0)
    >>> lead = Lead((((0, 1), ()),), (stage,), 3.5)
    >>> again = Lead.from_json(lead.to_json(["rain", "wet"]), ["rain", "wet"])
    >>> again.rows == lead.rows, again.stages[0].multipliers, again.lower_bound
    (True, array([4]), 3.5)
    """

    rows: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]
    stages: tuple[LeadStage, ...]
    lower_bound: float

    kind: ClassVar[str] = "lead"

    @property
    def clusters(self) -> list[tuple[int, ...]]:
        """Variables of all rows."""
        return [variables for variables, _ in self.rows]

    def to_json(self, _: Sequence[str]) -> dict[str, Any]:
        """Return it as JSON has it, with the numbers of variables."""
        return {
            "kind": self.kind,
            "rows": [[list(variables), list(parents)] for variables, parents in self.rows],
            "stages": [stage.text for stage in self.stages],
            "lower_bound": self.lower_bound,
        }

    @classmethod
    def from_json(cls, content: object, names: Sequence[str]) -> Lead:
        """Take over what `to_json` gave, or say what is wrong with it."""
        fields = Fields(content, "the linear program")
        rows = []
        for number, row in enumerate(fields.items("rows")):
            if not (isinstance(row, list) and len(row) == 2 and all(map(_are_counts, row))):
                raise InputError("a row of the linear program cannot be read")
            variables, parents = map(tuple, row)
            if max(variables, default=-1) >= len(names) or max(parents, default=-1) >= number:
                raise InputError("a row of the linear program is made of what does not exist")
            if not (variables or parents):
                raise InputError("a row of the linear program is empty")
            rows.append((variables, parents))
        stages = tuple(LeadStage.of_text(text, len(rows)) for text in fields.items("stages"))
        return cls(tuple(rows), stages, fields.number("lower_bound"))


class LeadBook:
    """Writes down, as a loop goes on, what a lead is made of.

    Parameters
    ----------
    origin
        Gives the variables and the parents of a row of the loop.
    """

    def __init__(
        self, origin: Callable[[int], tuple[Sequence[int], Sequence[int], Sequence[int], int]]
    ) -> None:
        self._origin = origin
        self._numbers: dict[int, int] = {}
        self._rows: list[tuple[tuple[int, ...], tuple[int, ...]]] = []
        self._stages: list[LeadStage] = []
        self._best: LeadStage | None = None

    def add(self, stage: Stage, *, ruled_out: bool, is_best: bool) -> None:
        """Take note of a stage that ruled sets out, or has the best bound so far."""
        numbers = np.array([self._number(row) for row in stage.rows], dtype=np.uint32)
        own = LeadStage(numbers, stage.multipliers, stage.shift)
        if is_best:
            self._best = own
        if ruled_out:
            self._stages.append(own)

    def lead(self, lower_bound: float) -> Lead:
        """Give what there is by now; the best bound comes in the end."""
        best = () if self._best is None else (self._best,)
        return Lead(tuple(self._rows), (*self._stages, *best), lower_bound)

    def _number(self, row: int) -> int:
        if row not in self._numbers:
            members, parents, children, rank = self._origin(row)
            made_of = tuple(self._number(parent) for parent in parents) if rank else ()
            self._rows.append((tuple(children if rank else members), made_of))
            self._numbers[row] = len(self._rows) - 1
        return self._numbers[row]


def _are_counts(given: object) -> bool:
    return isinstance(given, list) and all(map(is_count, given))
