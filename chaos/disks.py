"""Small file systems on folders of a run, which can be filled."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import subprocess
from pathlib import Path

from chaos.voice import say

_SIZE = "256m"
_BALLAST = ".ballast"
_CHUNK = bytes(4096)


class Disk:
    """A memory file system, mounted on a folder. Without the right to mount, the folder is an
    ordinary one that cannot be filled.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._ballast = folder / _BALLAST
        self.mounted = False

    def open(self) -> None:
        """Creates the folder and mounts the disk, or returns why that is impossible."""
        self._folder.mkdir(parents=True)
        command = ["mount", "-t", "tmpfs", "-o", f"size={_SIZE}", "tmpfs", str(self._folder)]
        try:
            subprocess.run(command, check=True, capture_output=True, text=True)
            self.mounted = True
        except (OSError, subprocess.CalledProcessError) as error:
            reason = getattr(error, "stderr", None) or str(error)
            say(f"{self._folder.name}: no disk of its own can be mounted: {reason.strip()}")

    def fill(self, leave: int = 0) -> None:
        """Allocates the remaining blocks, except as many as take that many bytes."""
        with self._ballast.open("ab", buffering=0) as ballast:
            try:
                while True:
                    ballast.write(_CHUNK)
            except OSError as full:
                if full.errno != errno.ENOSPC:
                    raise
            ballast.truncate(max(0, ballast.tell() - -(-leave // len(_CHUNK)) * len(_CHUNK)))

    def free(self) -> None:
        self._ballast.unlink(missing_ok=True)

    def close(self, keep: bool) -> None:
        """Unmounts the disk; optionally keeps its content in the folder."""
        if not self.mounted:
            return
        self.free()
        kept = self._folder.with_name(f"{self._folder.name}.kept")
        if keep:
            # Ignore files that are deleted meanwhile.
            with contextlib.suppress(shutil.Error):
                shutil.copytree(self._folder, kept)
        subprocess.run(["umount", "--lazy", str(self._folder)], check=True, capture_output=True)
        self.mounted = False
        if keep:
            self._folder.rmdir()
            os.rename(kept, self._folder)
