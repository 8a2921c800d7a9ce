"""Makes names and values from outside safe to print on a terminal."""

from __future__ import annotations

import re

_UNSAFE = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")


def printable(text: str) -> str:
    """Returns the text with its control characters, except for line breaks, and the characters
    that reverse the direction of what follows as escapes of Python."""
    return _UNSAFE.sub(lambda found: repr(found[0])[1:-1], text)
