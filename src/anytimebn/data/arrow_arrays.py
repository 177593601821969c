"""Between Arrow and numpy by their buffers.

Arrow's own conversions load pandas if it is installed, which takes longer than reading a table of
thousands of rows, and nothing here needs it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


def numbers_of(array: Any, null: float) -> NDArray[Any]:
    """Give the numbers of an Arrow array of a fixed width, and `null` where there is none.

    Examples
    --------
    >>> import pyarrow as pa
    >>> numbers_of(pa.array([3, None, 5], pa.int32()).slice(1), -1).tolist()
    [-1, 5]
    """
    kind = np.dtype(array.type.to_pandas_dtype())
    valid, values = array.buffers()
    stop = array.offset + len(array)
    if values is None or stop == 0:
        return np.full(len(array), null, dtype=kind)
    numbers = np.frombuffer(values, dtype=kind, count=stop)[array.offset :]
    if not array.null_count:
        return numbers
    bits = np.unpackbits(np.frombuffer(valid, dtype=np.uint8), count=stop, bitorder="little")
    return np.where(bits[array.offset :] == 1, numbers, kind.type(null))


def positions_array(positions: NDArray[np.int64]) -> Any:
    """Make an Arrow array of positions.

    Examples
    --------
    >>> positions_array(np.array([2, 0])).to_pylist()
    [2, 0]
    """
    import pyarrow as pa

    content = np.ascontiguousarray(positions, dtype=np.int64)
    return pa.Array.from_buffers(pa.int64(), len(content), [None, pa.py_buffer(content)])


def text_array(texts: Sequence[str]) -> Any:
    """Make an Arrow array of strings.

    Examples
    --------
    >>> text_array(["a", "", "bc"]).to_pylist()
    ['a', '', 'bc']
    """
    import pyarrow as pa

    content = [text.encode() for text in texts]
    ends = np.cumsum([0, *map(len, content)], dtype=np.int32)
    buffers = [None, pa.py_buffer(ends), pa.py_buffer(b"".join(content))]
    return pa.Array.from_buffers(pa.string(), len(texts), buffers)


def null_scalar(kind: Any) -> Any:
    """Make a missing value of an Arrow type.

    Examples
    --------
    >>> import pyarrow as pa
    >>> null_scalar(pa.string()).as_py() is None
    True
    """
    import pyarrow as pa

    return pa.nulls(1, kind)[0]
