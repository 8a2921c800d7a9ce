"""Philox4x64-10 on arrays of counters (Salmon et al., SC'11)."""

from __future__ import annotations

from typing import Any

_ROUNDS = 10
_MULTIPLIERS = (0xD2E7470EE14C6C93, 0xCA5A826395121157)
_WEYL = (0x9E3779B97F4A7C15, 0xBB67AE8584CAA73B)
_LOW32 = (1 << 32) - 1


def signed(word: int) -> int:
    """Returns an unsigned 64-bit word as the int64 of the same bits."""
    word &= (1 << 64) - 1
    return word - (1 << 64) if word >> 63 else word


def multiply_high(words: Any, factor: Any) -> Any:
    """Returns the upper 64 bits of the unsigned products of int64 words and factors.

    factor: an array, or an unsigned integer
    """
    low, high = words & _LOW32, (words >> 32) & _LOW32
    factor_low, factor_high = factor & _LOW32, (factor >> 32) & _LOW32
    middle = high * factor_low + (((low * factor_low) >> 32) & _LOW32)
    other = low * factor_high + (middle & _LOW32)
    return high * factor_high + ((middle >> 32) & _LOW32) + ((other >> 32) & _LOW32)


def blocks(counter: tuple[Any, Any, Any, Any], key: tuple[int, int]) -> tuple[Any, Any, Any, Any]:
    """Returns the four words of the block of each counter.

    counter: four words, least significant first, as int64 arrays of shapes that broadcast
    """
    c0, c1, c2, c3 = counter
    k0, k1 = key
    first, second = _MULTIPLIERS
    for _ in range(_ROUNDS):
        c0, c1, c2, c3 = (
            multiply_high(c2, second) ^ c1 ^ signed(k0),
            c2 * signed(second),
            multiply_high(c0, first) ^ c3 ^ signed(k1),
            c0 * signed(first),
        )
        k0, k1 = k0 + _WEYL[0], k1 + _WEYL[1]
    return c0, c1, c2, c3
