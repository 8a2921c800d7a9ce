"""Memory for decoded values: numpy's here, torch's in lockstep.torch."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
Dtype = np.dtype[Any]


class Memory(Protocol):
    """Allocates a batch's arrays. Used by the fetching thread."""

    def dtype(self, wire: Dtype) -> Dtype:
        """The type of the array for numbers of a wire type; it holds all or most of the values."""

    def empty(
        self, shape: tuple[int, ...], dtype: Dtype, moment: Dtype | None = None
    ) -> tuple[Array, Any]:
        """Allocates memory: the array to fill, and the object to return to the user.

        moment is the datetime64 or timedelta64 type that the int64 values represent.
        """


class NumpyMemory:
    """New numpy arrays, with the types of the wire and moments as datetime64 or timedelta64."""

    def dtype(self, wire: Dtype) -> Dtype:
        return wire

    def empty(
        self, shape: tuple[int, ...], dtype: Dtype, moment: Dtype | None = None
    ) -> tuple[Array, Any]:
        array = np.empty(shape, dtype)
        return array, array if moment is None else array.view(moment)
