"""The runner's progress messages on stderr."""

from __future__ import annotations

import sys

_prefix = ""


def speak_of(number: int) -> None:
    """Prefixes all further messages of this process with the schedule."""
    global _prefix
    _prefix = f"{number}: "


def say(text: str) -> None:
    print(_prefix + text, file=sys.stderr, flush=True)
