"""The time limit of one part."""

from __future__ import annotations

import time


class Deadline:
    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds

    def left(self) -> float:
        """The remaining seconds; negative after the deadline."""
        return self._end - time.monotonic()

    def has_passed(self) -> bool:
        return self.left() <= 0
