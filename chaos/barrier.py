"""Acts like a collective operation on the ranks of a launch: none continues before all arrive."""

from __future__ import annotations

import mmap
import struct
import time
from pathlib import Path

# Short if all ranks are equally fast, longer while one is being restarted.
_POLL_S, _LONGEST_POLL_S = 0.001, 0.02
_CELL = struct.Struct("<q")


class Barrier:
    """Barrier for the ranks of one launch, through a file with one number per rank.

    The file is removed when the launch is given up, possibly before its last rank has started;
    waiting ranks then continue.
    """

    def __init__(self, file: Path, rank: int, world: int) -> None:
        self._file = file
        self._rank = rank
        self._world = world
        size = world * _CELL.size
        try:
            with file.open("r+b") as opened:
                self._cells = mmap.mmap(opened.fileno(), size)
        except FileNotFoundError:
            self._cells = mmap.mmap(-1, size)

    @staticmethod
    def create(file: Path, world: int) -> None:
        file.write_bytes(_CELL.pack(0) * world)

    def pass_by(self) -> None:
        """Waits until all ranks have arrived as often as this one."""
        mine = self._at(self._rank) + 1
        _CELL.pack_into(self._cells, self._rank * _CELL.size, mine)
        pause_s = _POLL_S
        while any(self._at(rank) < mine for rank in range(self._world)) and self._file.exists():
            time.sleep(pause_s)
            pause_s = min(1.5 * pause_s, _LONGEST_POLL_S)

    def _at(self, rank: int) -> int:
        return int(_CELL.unpack_from(self._cells, rank * _CELL.size)[0])
