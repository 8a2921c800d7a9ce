"""Standard normal numbers from 64-bit words, the same bits in all languages.

docs/random-streams.md defines them.
"""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from typing import Any

from lockstep.arrays import Arrays

_MANTISSA = (1 << 52) - 1
_ONE = 1023 << 52
_FIRST_SEGMENT = 2 * 1023


@cache
def _coefficients() -> list[list[float]]:
    """For each power, constant first, the coefficients of all segments."""
    text = resources.files("lockstep").joinpath("normal.json").read_text("ascii")
    segments = [[float.fromhex(c) for c in segment] for segment in json.loads(text)["segments"]]
    return [list(power) for power in zip(*segments, strict=True)]


def normal(words: Any, arrays: Arrays) -> Any:
    """Returns the normal number of each word, as float64.

    words: int64
    """
    sign = words >> 63
    tail = 2 * (((words >> 11) ^ sign) & _MANTISSA) + 1
    bits = arrays.bits(arrays.convert(tail, "float64"))
    segment = (bits >> 51) - _FIRST_SEGMENT
    x = arrays.of_bits(((bits << 1) & _MANTISSA) | _ONE) - 1.5
    coefficients = arrays.floats(_coefficients())
    y = coefficients[-1][segment]
    for power in range(len(coefficients) - 2, -1, -1):
        # Two operations, each rounded by itself: no fused multiply-add.
        y = y * x
        y = y + coefficients[power][segment]
    return y * arrays.convert(-1 - 2 * sign, "float64")
