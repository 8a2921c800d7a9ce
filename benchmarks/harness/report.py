"""The table of a run: the measured figures and what they are compared with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from harness.figure import Figure


@dataclass(frozen=True)
class Row:
    """One line.

    beside: the name and value of the figure to compare with.
    ratio: the figure divided by the one that it is compared with.
    """

    what: str
    lockstep: str
    beside: str
    ratio: str

    @staticmethod
    def of(what: str, figure: Figure, name: str, other: Figure | float, digits: int = 0) -> Row:
        """Compares a figure with another one, or with a bound."""
        if isinstance(other, Figure):
            beside, value = f"{name} {other.text(digits)}", other.median
        else:
            beside, value = f"{name} {other:g}", other
        return Row(what, figure.text(digits), beside, f"{figure.median / value:.2f}")


def table(rows: Sequence[Row]) -> str:
    lines = ["| measured | Lockstep | beside | ratio |", "| --- | ---: | ---: | ---: |"]
    lines += [f"| {' | '.join(asdict(row).values())} |" for row in rows]
    return "\n".join(lines)
