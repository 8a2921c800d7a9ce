"""The files in which task managers cache row groups, and how they are damaged."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable
from pathlib import Path

Damage = Callable[[Path, int], None]


def of(cache: Path, pid: int, used: bool) -> list[Path]:
    """Those of a process, which stands still: all, or those alone that it has neither mapped nor
    open, so that it checks them before it reads from them again."""
    files = sorted(file for file in cache.glob(f"{pid}-*/*") if file.is_file())
    return files if used else [file for file in files if str(file) not in _in_use(pid)]


def _in_use(pid: int) -> set[str]:
    maps = Path(f"/proc/{pid}/maps").read_text().splitlines()
    names = {line.split(maxsplit=5)[5] for line in maps if "/" in line}
    for descriptor in Path(f"/proc/{pid}/fd").iterdir():
        with contextlib.suppress(OSError):
            names.add(os.readlink(descriptor))
    return names


def flip(file: Path, number: int) -> None:
    """One bit, whose place depends on the number."""
    with file.open("r+b") as opened:
        size = opened.seek(0, os.SEEK_END)
        at = number * 7919 % size
        opened.seek(at)
        value = opened.read(1)[0]
        opened.seek(at)
        opened.write(bytes([value ^ 1 << number % 8]))


def truncate(file: Path, _: int) -> None:
    os.truncate(file, file.stat().st_size // 2)
