"""Numbers with their nouns in messages."""

from __future__ import annotations


def counted(number: int, one: str) -> str:
    """Such as "1 row" and "1,234 rows", of the noun as it stands after 1; the plural takes an s."""
    return f"{number:,} {one}{'' if number == 1 else 's'}"
