"""Values that stand where a table had none, in a form that results keep.

So whoever reads the table again can complete it in the same way, and check what was made of it.
"""

from __future__ import annotations

import base64
import binascii
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from anytimebn.base.checks import is_whole
from anytimebn.base.errors import InputError
from anytimebn.base.text import how_many

if TYPE_CHECKING:
    from anytimebn.data.dataset import Dataset


@dataclass(frozen=True)
class Completion:
    """The codes of all cells that were missing, column by column.

    Attributes
    ----------
    values : int
        How many there are.
    codes : str
        Two bytes each, the lower first, compressed (zlib) and written as text (base 64).

    Examples
    --------
    >>> from anytimebn.data.read import to_dataset
    >>> data = to_dataset(np.array([["x", "u"], [None, "v"], ["y", "v"]], object), missing="em")
    >>> done = Completion.of(data.with_completion(np.array([1], np.uint16)))
    >>> done.values, done.applied_to(data).codes[0].tolist()
    (1, [0, 1, 1])
    """

    values: int
    codes: str

    @classmethod
    def of(cls, dataset: Dataset) -> Completion | None:
        """Tell how a dataset was completed, if it was."""
        codes = dataset.completion
        if codes is None:
            return None
        content = zlib.compress(codes.astype("<u2").tobytes())
        return cls(len(codes), base64.b64encode(content).decode("ascii"))

    def applied_to(self, dataset: Dataset) -> Dataset:
        """Complete the same table once more; refuse one that lacks other values."""
        there = 0 if dataset.holes is None else len(dataset.holes)
        if there != self.values:
            raise InputError(
                f"the table has {how_many(there, 'missing value')}, and {self.values:,} were "
                f"completed: it is not the table that the network was learned from"
            )
        size = 2 * there
        try:
            packed = base64.b64decode(self.codes.encode("ascii"), validate=True)
            unpacking = zlib.decompressobj()
            content = unpacking.decompress(packed, size + 1)  # and no more
        except (UnicodeEncodeError, binascii.Error, zlib.error) as error:
            raise InputError(f"how missing values were completed cannot be read: {error}") from None
        if len(content) != size or not unpacking.eof:
            raise InputError(
                f"how missing values were completed cannot be read: {size} bytes are needed, "
                f"{'more' if len(content) > size else len(content)} are there"
            )
        return dataset.with_completion(np.frombuffer(content, "<u2").astype(np.uint16))

    def to_json(self) -> dict[str, Any]:
        """All of it as JSON values."""
        return {"values": self.values, "codes": self.codes}

    @classmethod
    def from_json(cls, content: object) -> Completion | None:
        """Take what `to_json` gave; None if it is something else."""
        if not (isinstance(content, Mapping) and content.keys() == {"values", "codes"}):
            return None
        values, codes = content["values"], content["codes"]
        if not (is_whole(values) and values > 0 and isinstance(codes, str)):
            return None
        return cls(int(values), codes)
