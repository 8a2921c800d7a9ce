"""What the runner says while it works, on stderr."""

from __future__ import annotations

import sys

_prefix = ""


def speak_of(number: int) -> None:
    """From now on all that this process says is of that schedule."""
    global _prefix
    _prefix = f"{number}: "


def say(text: str) -> None:
    print(_prefix + text, file=sys.stderr, flush=True)
