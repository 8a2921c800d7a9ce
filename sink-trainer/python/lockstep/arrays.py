"""The operations on arrays in which numpy and torch differ, for code that runs on both."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np


class Arrays(Protocol):
    """Makes and converts arrays of one library on one device.

    The arrays' operators do the rest. Integers are int64 whose products wrap around.
    """

    at_once: int
    """The number of elements up to which temporary arrays are fast."""

    def integers(self, values: Any) -> Any:
        """Returns int64 of a sequence of integers, or of an array of this library."""

    def floats(self, values: Any) -> Any:
        """Returns float64 of nested sequences."""

    def empty(self, shape: tuple[int, ...]) -> Any:
        """Returns int64 of any value."""

    def convert(self, values: Any, dtype: str) -> Any:
        """Converts integers that the float32 or float64 can hold exactly."""

    def bits(self, values: Any) -> Any:
        """Reads float64 as int64."""

    def of_bits(self, values: Any) -> Any:
        """Reads int64 as float64."""

    def words(self, values: Any) -> Any:
        """Returns a copy of int64, as the library's type for 64-bit words."""


class NumpyArrays:
    """numpy, in the host's memory."""

    at_once = 1 << 14

    def integers(self, values: Any) -> Any:
        return np.asarray(values).astype(np.int64)

    def floats(self, values: Any) -> Any:
        return np.array(values, np.float64)

    def empty(self, shape: tuple[int, ...]) -> Any:
        return np.empty(shape, np.int64)

    def convert(self, values: Any, dtype: str) -> Any:
        return values.astype(dtype)

    def bits(self, values: Any) -> Any:
        return values.view(np.int64)

    def of_bits(self, values: Any) -> Any:
        return values.view(np.float64)

    def words(self, values: Any) -> Any:
        return values.astype(np.uint64)
