"""What went wrong in a function, in the words that the job's error has."""

from __future__ import annotations

import os
import traceback
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Any

# So many of the innermost frames of a deep recursion are reported.
_FRAMES = 12


class FunctionFault(Exception):  # noqa: N818 - it becomes an answer, not a traceback
    """A function that cannot be used, or failed.

    message: a clause whose subject is the function, such as "returned 3 rows of 4".
    lines: the traceback, innermost frame last.
    row: the first row that it fails for; None if it is not known.
    """

    def __init__(self, message: str, lines: Sequence[str] = (), row: int | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.lines = list(lines)
        self.row = row

    def frame(self) -> dict[str, Any]:
        return {"message": self.message, "lines": self.lines, "row": self.row}


def raised(error: BaseException, row: int | None = None) -> FunctionFault:
    """The fault of a function that raised, with the frames of the user's code: the files below the
    working directory."""
    if isinstance(error, SystemExit):
        message = f"called sys.exit({'' if error.code is None else repr(error.code)})"
    else:
        text = str(error)
        message = f"raised {type(error).__name__}" + (f": {text}" if text else "")
    return FunctionFault(message, _frames(error.__traceback__), row)


def _frames(trace: TracebackType | None) -> list[str]:
    folder = os.getcwd() + os.sep
    frames = [frame for frame in traceback.extract_tb(trace) if frame.filename.startswith(folder)]
    return [
        f"{frame.filename[len(folder) :]}, line {frame.lineno}, in {frame.name}: {frame.line}"
        for frame in frames[-_FRAMES:]
    ]


def first_row(rows: int, fails: Callable[[int, int], bool]) -> int | None:
    """The first row that a function of single rows fails for.

    fails: whether it fails for the rows from one up to another. Returns None if it fails only for
    several rows together.
    """
    low, high = 0, rows
    while high - low > 1:
        middle = (low + high) // 2
        if fails(low, middle):
            high = middle
        else:
            low = middle
    return low if rows > 0 and fails(low, high) else None
