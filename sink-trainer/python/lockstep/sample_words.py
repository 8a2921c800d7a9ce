"""The words of the random streams of a batch's samples (order, version 1)."""

from __future__ import annotations

from typing import Any

from lockstep.arrays import Arrays
from lockstep.philox import blocks

_BLOCK = 4


class SampleWords:
    """The next words of one stream per sample.

    Words are made for all samples together. A sample that has drawn more words than others, since
    some of its own were rejected, is ahead of the common position.
    """

    def __init__(self, key: tuple[int, int], samples: Any, arrays: Arrays) -> None:
        """samples: their ids, as int64 of shape [rows]"""
        self.rows = len(samples)
        self._key = key
        self._samples = samples
        self._arrays = arrays
        self._made = 0
        self._buffer = arrays.empty((self.rows, 0))
        self._at = 0  # the common position in the buffer
        self._ahead: Any = None  # how far each sample is ahead of it; None if none is
        self._furthest = 0

    def peek(self, count: int) -> Any:
        """Returns each sample's next words without drawing them, as int64 of [rows, count].

        The result may share the memory of later results: it must not be written.
        """
        self._fill(self._furthest + count)
        if self._ahead is None:
            return self._buffer[:, self._at : self._at + count]
        places = self._arrays.integers(range(self._at, self._at + count))
        rows = self._arrays.integers(range(self.rows))
        return self._buffer[rows[:, None], self._ahead[:, None] + places]

    def draw(self, count: int) -> None:
        """Draws count words of each sample."""
        self._at += count

    def draw_from(self, samples: Any) -> None:
        """Draws a word of each sample that is True in an array of [rows]."""
        drawn = self._arrays.integers(samples)
        ahead = drawn if self._ahead is None else self._ahead + drawn
        least = int(ahead.min())
        self._at += least
        self._ahead = ahead - least
        self._furthest = int(self._ahead.max())

    def _fill(self, count: int) -> None:
        """Makes words until the buffer has count of them from the common position on."""
        left = self._buffer.shape[1] - self._at
        missing = -(-(count - left) // _BLOCK)
        if missing <= 0:
            return
        buffer = self._arrays.empty((self.rows, left + missing * _BLOCK))
        buffer[:, :left] = self._buffer[:, self._at :]
        # The counter is incremented before each block.
        first = self._made // _BLOCK + 1
        step = max(1, self._arrays.at_once // max(1, self.rows))
        for begin in range(0, missing, step):
            end = min(begin + step, missing)
            numbers = self._arrays.integers(range(first + begin, first + end))
            block = blocks((numbers[None, :], 0, self._samples[:, None], 0), self._key)
            part = buffer[:, left + begin * _BLOCK : left + end * _BLOCK]
            for word, words in enumerate(block):
                part[:, word::_BLOCK] = words
        self._buffer = buffer
        self._at = 0
        self._made += missing * _BLOCK
