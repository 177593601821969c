"""Whether data are still the same: a short text that changes with any value, name or cost."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

import numpy as np

from anytimebn.scores.store import LocalScores

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from anytimebn.data.dataset import Dataset


def fingerprint(data: Dataset | LocalScores) -> str:
    """Tell data apart: a table as it was read, or local scores.

    Examples
    --------
    >>> from anytimebn.data.read import to_dataset
    >>> one, other = (to_dataset(np.array([[0, 1], [1, last]])) for last in (0, 1))
    >>> fingerprint(one) == fingerprint(one), fingerprint(one) == fingerprint(other)
    (True, False)
    """
    if isinstance(data, LocalScores):
        arrays = (data.first_set, data.costs, data.first_member, data.members)
        return _digest([list(data.names)], arrays)
    return _digest([list(data.names), [list(own) for own in data.states]], (data.codes,))


def _digest(words: object, arrays: Iterable[NDArray[np.generic]]) -> str:
    found = hashlib.blake2b(json.dumps(words).encode(), digest_size=16)
    for array in arrays:
        # Whatever the machine: the same bytes in the same order.
        plain = np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("<"))
        found.update(repr(plain.shape).encode())
        found.update(plain.data)
    return found.hexdigest()
