"""The function that is measured."""

from __future__ import annotations

from typing import Any


def add_ratios(rows: dict[str, Any]) -> dict[str, Any]:
    return {"ratio": rows["f00"] / (rows["f01"] + 1)}
