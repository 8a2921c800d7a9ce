"""Column layouts: one value a row, a fixed number, or any number.

A column of a step arrives in parts, one for each server. It is decoded from all parts together, so
that numbers are copied exactly once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
import pyarrow as pa

from lockstep.bitmap import BOOL, any_null, fill_validity, validity
from lockstep.memory import Array, Memory
from lockstep.scalars import Scalars

_INT64 = np.dtype(np.int64)


class Column(Protocol):
    """Decodes one column. Immutable. rows is the total length of the parts."""

    def has_nulls(self, arrays: Sequence[pa.Array]) -> bool:
        """Whether a row, or an element of a list, is null."""

    def decode(self, arrays: Sequence[pa.Array], rows: int) -> Any:
        """Returns the values of a column without nulls."""

    def decode_masked(self, arrays: Sequence[pa.Array], rows: int) -> tuple[Any, Any]:
        """Returns the values and a mask of the same layout: True marks a value."""


class SingleValues:
    """Values of shape [rows]; the mask has it too."""

    def __init__(self, scalars: Scalars, memory: Memory) -> None:
        self._scalars = scalars
        self._memory = memory

    def has_nulls(self, arrays: Sequence[pa.Array]) -> bool:
        return any_null(arrays)

    def decode(self, arrays: Sequence[pa.Array], rows: int) -> Any:
        return self._scalars.fill(arrays, (rows,), None)

    def decode_masked(self, arrays: Sequence[pa.Array], rows: int) -> tuple[Any, Any]:
        present, mask = self._memory.empty((rows,), BOOL)
        fill_validity(present, arrays)
        return self._scalars.fill(arrays, (rows,), present), mask


class FixedSizeLists:
    """Values of shape [rows, size]; so is the mask, all False in a row whose list is null."""

    def __init__(self, scalars: Scalars, size: int, memory: Memory) -> None:
        self._scalars = scalars
        self._size = size
        self._memory = memory

    def _elements(self, arrays: Sequence[pa.Array]) -> list[pa.Array]:
        size = self._size
        return [a.values.slice(a.offset * size, len(a) * size) for a in arrays]

    def has_nulls(self, arrays: Sequence[pa.Array]) -> bool:
        return any_null(arrays) or any_null(self._elements(arrays))

    def decode(self, arrays: Sequence[pa.Array], rows: int) -> Any:
        return self._scalars.fill(self._elements(arrays), (rows, self._size), None)

    def decode_masked(self, arrays: Sequence[pa.Array], rows: int) -> tuple[Any, Any]:
        elements = self._elements(arrays)
        present, mask = self._memory.empty((rows, self._size), BOOL)
        fill_validity(present.reshape(-1), elements)
        lists = np.empty(rows, BOOL)
        fill_validity(lists, arrays)
        present &= lists[:, np.newaxis]
        return self._scalars.fill(elements, (rows, self._size), present), mask


class Lists:
    """(values, offsets): row i has values[offsets[i]:offsets[i + 1]]; offsets are int64.

    The mask is a pair too: one for the values, one for the rows.
    """

    def __init__(self, scalars: Scalars, memory: Memory) -> None:
        self._scalars = scalars
        self._memory = memory

    def has_nulls(self, arrays: Sequence[pa.Array]) -> bool:
        return any_null(arrays) or any_null([_elements(array) for array in arrays])

    def decode(self, arrays: Sequence[pa.Array], rows: int) -> Any:
        elements = [_elements(array) for array in arrays]
        total = sum(map(len, elements))
        return self._scalars.fill(elements, (total,), None), self._offsets(arrays, rows)

    def decode_masked(self, arrays: Sequence[pa.Array], rows: int) -> tuple[Any, Any]:
        elements = [_elements(array) for array in arrays]
        total = sum(map(len, elements))
        present, values_mask = self._memory.empty((total,), BOOL)
        fill_validity(present, elements)
        lists, rows_mask = self._memory.empty((rows,), BOOL)
        fill_validity(lists, arrays)
        values = self._scalars.fill(elements, (total,), present)
        return (values, self._offsets(arrays, rows)), (values_mask, rows_mask)

    def _offsets(self, arrays: Sequence[pa.Array], rows: int) -> Any:
        out, handed = self._memory.empty((rows + 1,), _INT64)
        out[0] = 0
        at = 0
        for array in arrays:
            n = len(array)
            np.cumsum(_lengths(array), out=out[at + 1 : at + n + 1])
            out[at + 1 : at + n + 1] += out[at]
            at += n
        return handed


def _lengths(array: pa.Array) -> Array:
    if len(array) == 0:
        return np.empty(0, _INT64)
    kind = np.dtype(np.int64 if pa.types.is_large_list(array.type) else np.int32)
    offsets = np.frombuffer(
        array.buffers()[1], kind, len(array) + 1, array.offset * kind.itemsize
    ).astype(_INT64)
    lengths = np.diff(offsets)
    if array.null_count:
        lengths[~validity(array)] = 0  # a null list may have elements, which belong to no row
    return lengths


def _elements(array: pa.Array) -> pa.Array:
    """The elements of an array's rows; Arrow omits those under null lists."""
    return array.flatten()
