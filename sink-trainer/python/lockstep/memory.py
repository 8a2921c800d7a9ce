"""Where decoded values go: memory of numpy here, of torch in lockstep.torch."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
Dtype = np.dtype[Any]


class Memory(Protocol):
    """Makes the arrays that a batch hands out. Used by the fetching thread."""

    def dtype(self, wire: Dtype) -> Dtype:
        """The type to hand out for numbers of that type; it holds all or most of their values."""

    def empty(
        self, shape: tuple[int, ...], dtype: Dtype, moment: Dtype | None = None
    ) -> tuple[Array, Any]:
        """New memory: an array to fill, and what to hand out once it is filled.

        moment is the datetime64 or timedelta64 that the int64 to be filled in stands for.
        """


class NumpyMemory:
    """Fresh numpy arrays, types as on the wire, moments as datetime64 or timedelta64."""

    def dtype(self, wire: Dtype) -> Dtype:
        return wire

    def empty(
        self, shape: tuple[int, ...], dtype: Dtype, moment: Dtype | None = None
    ) -> tuple[Array, Any]:
        array = np.empty(shape, dtype)
        return array, array if moment is None else array.view(moment)
