"""Numbers with their nouns, for messages."""

from __future__ import annotations


def counted(number: int, one: str) -> str:
    """Such as "1 row" and "1,234 rows"; one is the singular noun, whose plural adds an s."""
    return f"{number:,} {one}{'' if number == 1 else 's'}"
