"""The row group files that TaskManagers cache, and ways to damage them."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable
from pathlib import Path

Damage = Callable[[Path, int], None]

_LOCK = ".lock"


def of(cache: Path, pid: int, used: bool) -> list[Path]:
    """The files of a stopped process: all of them, or only those that it has neither mapped nor
    open, so that it checks them before it reads them again.
    """
    opened = _opened(pid)
    # A process keeps a file open next to each of its directories, to hold a lock on it.
    owned = [name for name in opened if name.startswith(f"{cache}/") and name.endswith(_LOCK)]
    files = [file for name in owned for file in Path(name.removesuffix(_LOCK)).glob("*")]
    return sorted(file for file in files if used or str(file) not in opened | _mapped(pid))


def sizes(cache: Path, pid: int) -> list[int]:
    """The bytes of each file of a stopped process."""
    return [file.stat().st_size for file in of(cache, pid, used=True)]


def _opened(pid: int) -> set[str]:
    names = set()
    for descriptor in Path(f"/proc/{pid}/fd").iterdir():
        with contextlib.suppress(OSError):
            names.add(os.readlink(descriptor))
    return names


def _mapped(pid: int) -> set[str]:
    maps = Path(f"/proc/{pid}/maps").read_text().splitlines()
    return {line.split(maxsplit=5)[5] for line in maps if "/" in line}


def flip(file: Path, number: int) -> None:
    """Flips one bit; its position depends on the number."""
    with file.open("r+b") as opened:
        size = opened.seek(0, os.SEEK_END)
        at = number * 7919 % size
        opened.seek(at)
        value = opened.read(1)[0]
        opened.seek(at)
        opened.write(bytes([value ^ 1 << number % 8]))


def truncate(file: Path, _: int) -> None:
    os.truncate(file, file.stat().st_size // 2)
