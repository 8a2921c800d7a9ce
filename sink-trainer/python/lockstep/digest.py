"""Digests of lanes and steps, from the record batches that a trainer receives.

docs/digests.md defines them; the job makes the same ones before it serves a step.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.types as types
import xxhash

from lockstep.bitmap import bits, validity
from lockstep.memory import Array

_ALIGNMENT = 64
_ZEROS = bytes(_ALIGNMENT)


def lane_digest(rows: pa.RecordBatch) -> str:
    """The digest of one lane's rows of a step: the data's columns, _sample and _weight.

    rows may be a slice of a batch of several lanes. 32 hexadecimal digits.
    """
    body = _Body()
    for column in rows.columns:
        body.add(column)
    return body.digest()


def lane_digests(batch: pa.RecordBatch, lane_rows: int) -> list[str]:
    """The digests of all lanes of a batch that holds lane_rows rows of each, in order."""
    return [lane_digest(batch.slice(start, lane_rows)) for start in range(0, len(batch), lane_rows)]


def step_digest(lanes: Sequence[str]) -> str:
    """The digest of a step from the digests of all its lanes, ascending."""
    return xxhash.xxh3_128_hexdigest(bytes.fromhex("".join(lanes)))


class _Body:
    """The canonical body of a batch, hashed incrementally."""

    def __init__(self) -> None:
        self._hash = xxhash.xxh3_128()
        self._counts: list[int] = []

    def add(self, array: pa.Array) -> None:
        self._counts += (len(array), array.null_count)
        if array.null_count:
            self._feed(np.packbits(validity(array), bitorder="little"))
            array = array.drop_null()
        kind = array.type
        if types.is_boolean(kind):
            values = bits(array.buffers()[1], array.offset, len(array))
            self._feed(np.packbits(values, bitorder="little"))
        elif types.is_string(kind) or types.is_binary(kind):
            offsets = _offsets(array)
            self._feed(offsets - offsets[0])
            self._feed(_part(array.buffers()[2], offsets[0], offsets[-1]))
        elif types.is_list(kind):
            offsets = _offsets(array)
            self._feed(offsets - offsets[0])
            self.add(array.flatten())
        elif types.is_fixed_size_list(kind):
            self.add(array.flatten())
        else:
            width = kind.bit_width // 8
            first = array.offset * width
            self._feed(_part(array.buffers()[1], first, first + len(array) * width))

    def _feed(self, buffer: Any) -> None:
        view = memoryview(buffer)
        self._hash.update(view)
        self._hash.update(_ZEROS[: -view.nbytes % _ALIGNMENT])

    def digest(self) -> str:
        counts = np.array(self._counts, "<i8").tobytes()
        return xxhash.xxh3_128_hexdigest(counts + self._hash.digest())


def _offsets(array: pa.Array) -> Array:
    """The ends of the values, and the start of the first."""
    if len(array) == 0:
        return np.zeros(1, np.int32)
    return np.frombuffer(array.buffers()[1], np.int32, len(array) + 1, array.offset * 4)


def _part(buffer: pa.Buffer | None, start: int, end: int) -> memoryview:
    return memoryview(b"" if buffer is None else buffer)[int(start) : int(end)]
