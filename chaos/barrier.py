"""What a collective operation does to the ranks of a launch: none goes on before all are there."""

from __future__ import annotations

import mmap
import struct
import time
from pathlib import Path

# Short where all ranks are as fast, longer where one is being started again.
_POLL_S, _LONGEST_POLL_S = 0.001, 0.02
_CELL = struct.Struct("<q")


class Barrier:
    """Of the ranks of one launch, through a file with one number for each.

    The file is removed when the launch has been given up, which may be before the last of its ranks
    has started: then nobody is waited for any more.
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
        """Returns when all ranks have come as often as this one."""
        mine = self._at(self._rank) + 1
        _CELL.pack_into(self._cells, self._rank * _CELL.size, mine)
        pause_s = _POLL_S
        while any(self._at(rank) < mine for rank in range(self._world)) and self._file.exists():
            time.sleep(pause_s)
            pause_s = min(1.5 * pause_s, _LONGEST_POLL_S)

    def _at(self, rank: int) -> int:
        return int(_CELL.unpack_from(self._cells, rank * _CELL.size)[0])
