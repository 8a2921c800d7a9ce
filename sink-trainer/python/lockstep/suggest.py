"""Suggests the nearest valid name for an invalid one."""

from __future__ import annotations

import difflib
from collections.abc import Collection


def nearest(name: str, known: Collection[str]) -> str:
    """ " (did you mean 'x'?)", or the known names if none is near."""
    close = difflib.get_close_matches(name, known, n=1)
    if close:
        return f" (did you mean {close[0]!r}?)"
    return f" ({', '.join(map(repr, sorted(known)))})" if known else ""
