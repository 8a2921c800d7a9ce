"""Files that replace the training data."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

# Parquet's footer ends with its length and the format's name.
_TAIL_BYTES = 8
_WRITER = b"parquet-cpp"


class Replacement:
    """Replacement files with equal names, lengths and times for all files of a folder.

    Each differs in one byte of its data and one of its footer, as after a rewrite.
    """

    name = "part-"
    """What the names of all of them begin with."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._aside = folder.with_name(f"{folder.name}-aside")
        self._others = folder.with_name(f"{folder.name}-others")

    def prepare(self) -> None:
        """Writes the replacements without putting them in place."""
        self._others.mkdir()
        for file in sorted(self._folder.iterdir()):
            _write_other(file, self._others / file.name)

    def discard(self) -> None:
        shutil.rmtree(self._others)

    def make(self) -> None:
        """Renames each replacement over its file; the originals are kept."""
        self._aside.mkdir()
        for other in sorted(self._others.iterdir()):
            file = self._folder / other.name
            os.link(file, self._aside / file.name)
            os.rename(other, file)
        self._others.rmdir()

    def undo(self) -> None:
        for file in sorted(self._aside.iterdir()):
            os.rename(file, self._folder / file.name)
        self._aside.rmdir()


def _write_other(file: Path, other: Path) -> None:
    content = bytearray(file.read_bytes())
    footer = len(content) - _TAIL_BYTES - int.from_bytes(content[-_TAIL_BYTES:-4], "little")
    content[footer // 2] ^= 1
    content[content.index(_WRITER, footer)] ^= 1
    other.write_bytes(content)
    times = file.stat()
    os.utime(other, ns=(times.st_atime_ns, times.st_mtime_ns))
