"""Arrow's bitmaps as arrays of bools, and the positions of nulls."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from lockstep.memory import Array

BOOL = np.dtype(np.bool_)


def bits(buffer: pa.Buffer | None, offset: int, length: int) -> Array:
    """The bits from an offset on; without a bitmap all bits are set."""
    if buffer is None or length == 0:
        return np.ones(length, BOOL)
    first = offset // 8
    packed = np.frombuffer(buffer, np.uint8, (offset + length + 7) // 8 - first, first)
    skip = offset - 8 * first
    return np.unpackbits(packed, bitorder="little")[skip : skip + length].view(BOOL)


def validity(array: pa.Array) -> Array:
    """Returns a mask: True marks a value, False a null."""
    if array.null_count == 0:
        return np.ones(len(array), BOOL)
    return bits(array.buffers()[0], array.offset, len(array))


def fill_validity(out: Array, arrays: Sequence[pa.Array]) -> None:
    """Concatenates the validity of the arrays in out, which has their total length."""
    at = 0
    for array in arrays:
        out[at : at + len(array)] = validity(array)
        at += len(array)


def any_null(arrays: Sequence[pa.Array]) -> bool:
    return any(array.null_count for array in arrays)


def first_null(arrays: Sequence[pa.Array]) -> tuple[int, int]:
    """The first null, or the first list that contains one: the part and the row in it."""
    for part, array in enumerate(arrays):
        for row, scalar in enumerate(array):
            value = scalar.as_py()
            if value is None or (isinstance(value, list) and None in value):
                return part, row
    raise ValueError("none of these arrays holds a null")
