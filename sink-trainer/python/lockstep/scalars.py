"""Single values from Arrow: numbers and bools with one copy, strings and binaries as objects.

Whatever memory holds under a null, an absent value becomes 0, "" or b"", so that a step is the same
on every run.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
import pyarrow as pa

from lockstep.bitmap import BOOL, bits
from lockstep.errors import LockstepError
from lockstep.memory import Array, Dtype, Memory

_INT64 = np.dtype(np.int64)


class Scalars(Protocol):
    """A kind of scalar. Immutable."""

    def fill(
        self, arrays: Sequence[pa.Array], shape: tuple[int, ...], present: Array | None
    ) -> Any:
        """Returns the arrays' concatenated values, in new memory of that shape.

        present has that shape and marks the values that are not null; None means all.
        """


class Numbers:
    """Integers, floats, moments (int64 in the column's unit) and decimals (cast to float64)."""

    def __init__(
        self,
        name: str,
        wire: Dtype,
        memory: Memory,
        cast: pa.DataType | None = None,
        moment: Dtype | None = None,
    ) -> None:
        self._name = name
        self._wire = wire
        self._memory = memory
        self._cast = cast
        self._moment = moment
        self._out = memory.dtype(wire) if moment is None else _INT64
        self._may_overflow = wire == np.dtype(np.uint64) and self._out == _INT64

    def fill(
        self, arrays: Sequence[pa.Array], shape: tuple[int, ...], present: Array | None
    ) -> Any:
        out, handed = self._memory.empty(shape, self._out, self._moment)
        flat = out.reshape(-1)
        at = 0
        for array in arrays:
            n = len(array)
            if n:
                if self._cast is not None:
                    array = array.cast(self._cast)
                flat[at : at + n] = np.frombuffer(
                    array.buffers()[1], self._wire, n, array.offset * self._wire.itemsize
                )
                at += n
        if present is not None:
            out[~present] = 0
        if self._may_overflow and flat.size and flat.min() < 0:
            raise self._overflow(flat)
        return handed

    def _overflow(self, flat: Array) -> LockstepError:
        value = int(flat[flat < 0][:1].view(np.uint64)[0])
        return LockstepError(
            f"column {self._name!r} holds {value}, more than the int64 of a tensor can: use "
            "lockstep.Loader, which gives numpy's uint64, or leave the column out of the stream's "
            "columns"
        )


class Booleans:
    """Arrow's bits as bools."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    def fill(
        self, arrays: Sequence[pa.Array], shape: tuple[int, ...], present: Array | None
    ) -> Any:
        out, handed = self._memory.empty(shape, BOOL)
        flat = out.reshape(-1)
        at = 0
        for array in arrays:
            n = len(array)
            flat[at : at + n] = bits(array.buffers()[1], array.offset, n)
            at += n
        if present is not None:
            out &= present
        return handed


class Objects:
    """Strings and binaries: lists of str or bytes, one list for each dimension."""

    def __init__(self, absent: str | bytes) -> None:
        self._absent = absent

    def fill(
        self, arrays: Sequence[pa.Array], shape: tuple[int, ...], present: Array | None
    ) -> Any:
        out = np.empty(int(np.prod(shape)), object)
        at = 0
        for array in arrays:
            out[at : at + len(array)] = array.to_numpy(zero_copy_only=False)
            at += len(array)
        out = out.reshape(shape)
        if present is not None:
            out[~present] = self._absent
        return out.tolist()
