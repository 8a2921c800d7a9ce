"""A figure that was measured several times."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Figure:
    """values: one per repeat; at least one."""

    values: Sequence[float]

    @property
    def median(self) -> float:
        return statistics.median(self.values)

    def text(self, digits: int = 0) -> str:
        """The median and the range of the repeats."""

        def number(value: float) -> str:
            return f"{value:,.{digits}f}"

        if len(self.values) == 1:
            return number(self.median)
        return f"{number(self.median)} ({number(min(self.values))}..{number(max(self.values))})"
