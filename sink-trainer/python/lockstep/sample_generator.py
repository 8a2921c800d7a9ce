"""Random numbers for each sample of a batch, the same wherever they are drawn."""

from __future__ import annotations

from math import prod
from operator import index
from typing import Any

import numpy as np

from lockstep.arrays import Arrays
from lockstep.errors import UsageError
from lockstep.normal import normal
from lockstep.order import derive_key
from lockstep.philox import multiply_high, signed
from lockstep.sample_words import SampleWords

_SIGN = 1 << 63

Size = int | tuple[int, ...] | None


class SampleGenerator:
    """Draws for all rows of a batch, each row from the random stream of its sample.

    A row gets the same numbers in any batch, on any rank, and from numpy, torch and Java, bit for
    bit; docs/random-streams.md defines them. Each draw continues where the last one ended.

    size: the shape of a row's numbers; the result has the shape [rows, *size]. Without a size it is
    one number a row, and the shape is [rows].
    """

    def __init__(self, seed: int, name: str, epoch: int, sample_ids: Any, arrays: Arrays) -> None:
        if not isinstance(name, str) or not name:
            raise UsageError(f"sample_generator() needs a name for its streams, not {name!r}")
        self._key = derive_key(seed, "transform/" + name, epoch, 0)
        self._samples = arrays.integers(sample_ids)
        self._arrays = arrays
        self._words = SampleWords(self._key, self._samples, arrays)

    def words(self, size: Size) -> Any:
        """Returns 64-bit words: uint64 in numpy, int64 of the same bits in torch."""
        return self._arrays.words(self._draw(size))

    def uniform(self, size: Size = None, dtype: str = "float64") -> Any:
        """Returns numbers in [0, 1): the upper 53 bits of a word / 2^53.

        dtype: "float64", or "float32" for the upper 24 bits / 2^24
        """
        if dtype not in ("float64", "float32"):
            raise UsageError(f'uniform() needs the dtype "float64" or "float32", not {dtype!r}')
        bits = 53 if dtype == "float64" else 24
        upper = (self._draw(size) >> (64 - bits)) & ((1 << bits) - 1)
        return self._arrays.convert(upper, dtype) * 2.0**-bits

    def integers(self, n: int, size: Size = None) -> Any:
        """Returns uniform integers in [0, n), for n from 1 to 2^63 - 1, as int64.

        A word that would introduce bias is rejected, and its row's next word takes its place.
        """
        n = index(n)
        if not 1 <= n < _SIGN:
            raise UsageError(f"integers(n) needs n from 1 to 2**63 - 1, not {n}")
        shape = _shape(size)
        return self._below([n] * prod(shape)).reshape(self._words.rows, *shape)

    def permutation(self, n: int) -> Any:
        """Returns a permutation of 0 to n - 1 for each row, as int64 of shape [rows, n].

        By Fisher-Yates from the last place down to place 1.
        """
        n = index(n)
        if n < 0:
            raise UsageError(f"permutation(n) needs n from 0 on, not {n}")
        order = self._arrays.empty((self._words.rows, n))
        order[:] = self._arrays.integers(range(n))
        rows = self._arrays.integers(range(self._words.rows))
        drawn = self._below(list(range(n, 1, -1)))
        for column, last in enumerate(range(n - 1, 0, -1)):
            other = drawn[:, column]
            swapped = order[rows, other]
            order[rows, other] = order[:, last]
            order[:, last] = swapped
        return order

    def normal(self, size: Size = None) -> Any:
        """Returns standard normal numbers as float64: the quantile at a word's upper 53 bits."""
        return normal(self._draw(size), self._arrays)

    def numpy(self, row: int) -> np.random.Generator:
        """Returns numpy's generator over the words of a row's stream, from the first word on.

        Its distributions are numpy's own: they differ from those of this class, and may change
        between versions of numpy.
        """
        sample = int(self._samples[row]) % (1 << 64)
        key = np.array(self._key, np.uint64)
        counter = np.array([0, 0, sample, 0], np.uint64)
        return np.random.Generator(np.random.Philox(key=key, counter=counter))

    def _draw(self, size: Size) -> Any:
        shape = _shape(size)
        count = prod(shape)
        words = self._words.peek(count)
        self._words.draw(count)
        return words.reshape(self._words.rows, *shape)

    def _below(self, bounds: list[int]) -> Any:
        """Returns an integer below each bound for each row, as [rows, bounds]."""
        words = self._words.peek(len(bounds))
        factors = self._arrays.integers(bounds)
        if bool(self._accepted(words * factors, bounds).all()):
            self._words.draw(len(bounds))
            return multiply_high(words, factors)
        drawn = self._arrays.empty((self._words.rows, len(bounds)))
        for column, bound in enumerate(bounds):
            self._draw_below(bound, drawn[:, column])
        return drawn

    def _draw_below(self, bound: int, out: Any) -> None:
        """Draws words until each row has accepted one."""
        waiting = self._arrays.integers(range(self._words.rows)) >= 0
        while bool(waiting.any()):
            words = self._words.peek(1)[:, 0]
            self._words.draw_from(waiting)
            accepted = waiting & self._accepted(words * bound, [bound])
            out[accepted] = multiply_high(words, bound)[accepted]
            waiting = waiting & ~accepted

    def _accepted(self, low: Any, bounds: list[int]) -> Any:
        # With the sign bit inverted, signed integers compare as unsigned ones.
        least = [signed((2**64 % bound) ^ _SIGN) for bound in bounds]
        return (low ^ signed(_SIGN)) >= self._arrays.integers(least)


def _shape(size: Size) -> tuple[int, ...]:
    if size is None:
        return ()
    shape = size if isinstance(size, tuple) else (index(size),)
    if any(length < 0 for length in shape):
        raise UsageError(f"the size {size} of a row's numbers is negative")
    return shape
