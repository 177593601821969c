"""Between Arrow and numpy by their buffers.

Arrow's own conversions load pandas if it is installed, which takes longer than reading a table of
thousands of rows, and nothing here needs it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from anytimebn._native import number_plain_cells, number_texts
from anytimebn.base.resources import available_cores

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


def text_dictionaries(columns: Sequence[Any]) -> list[Any]:
    """Make dictionary arrays of chunked arrays of strings that lack none, on all cores.

    Texts are in order of first appearance.

    Examples
    --------
    >>> import pyarrow as pa
    >>> found = text_dictionaries([pa.chunked_array([["b", "a"], ["b"]])])[0]
    >>> found.indices.to_pylist(), found.dictionary.to_pylist()
    ([0, 1, 0], ['b', 'a'])
    """
    chunks = [[_ends_and_bytes(chunk) for chunk in column.chunks] for column in columns]
    return _dictionaries(number_texts(chunks, available_cores()))


def plain_cells(
    content: NDArray[np.uint8], separator: str, skipped: int, width: int
) -> list[Any] | None:
    r"""Make dictionary arrays of the columns of a text file; None unless it is plain.

    It is if all lines have the same number of cells, each as it stands or in one pair of quotes,
    and end with a line feed.

    Examples
    --------
    >>> found = plain_cells(np.frombuffer(b"x,y\nb,1\na,1\nb,1", np.uint8), ",", 1, 2)
    >>> found[0].indices.to_pylist(), found[0].dictionary.to_pylist()
    ([0, 1, 0], ['b', 'a'])
    >>> plain_cells(np.frombuffer(b"x,y\nb", np.uint8), ",", 1, 2) is None
    True
    """
    import pyarrow as pa

    found = number_plain_cells(content, separator, skipped, width, available_cores())
    if found is None:
        return None
    columns = _dictionaries(found)
    try:
        for column in columns:
            column.dictionary.validate(full=True)
    except pa.ArrowInvalid:  # no UTF-8
        return None
    return columns


def _dictionaries(
    columns: Sequence[tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.uint8]]],
) -> list[Any]:
    import pyarrow as pa

    found = []
    for numbers, ends, content in columns:
        kind, width = (pa.string(), np.int32) if ends[-1] < 2**31 else (pa.large_string(), np.int64)
        buffers = [None, pa.py_buffer(ends.astype(width)), pa.py_buffer(content)]
        texts = pa.Array.from_buffers(kind, len(ends) - 1, buffers)
        indices = pa.Array.from_buffers(pa.int32(), len(numbers), [None, pa.py_buffer(numbers)])
        found.append(pa.DictionaryArray.from_arrays(indices, texts, safe=False))
    return found


def _ends_and_bytes(texts: Any) -> tuple[NDArray[np.int32], NDArray[np.uint8]]:
    _, ends, content = texts.buffers()
    return (
        np.frombuffer(ends, dtype=np.int32, count=texts.offset + len(texts) + 1)[texts.offset :],
        np.frombuffer(content or b"", dtype=np.uint8),
    )


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
