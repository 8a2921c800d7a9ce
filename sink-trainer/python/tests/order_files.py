"""The specification of the order: its vectors and its executable parts."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

CHECKOUT = Path(__file__).resolve().parents[3]
RESOURCES = CHECKOUT / "connector/src/test/resources/io/lockstep/order"


def vectors(name: str) -> Any:
    """Returns golden.json or distributions.json."""
    return json.loads((RESOURCES / name).read_text("utf-8"))


def module(path: Path) -> ModuleType:
    """Imports a script, which may import others of its folder."""
    specification = importlib.util.spec_from_file_location(path.stem, path)
    assert specification is not None
    assert specification.loader is not None
    imported = importlib.util.module_from_spec(specification)
    sys.path.insert(0, str(path.parent))
    try:
        specification.loader.exec_module(imported)
    finally:
        sys.path.remove(str(path.parent))
    return imported
