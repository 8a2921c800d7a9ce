"""The undisturbed runs that schedules are compared with."""

from __future__ import annotations

import fcntl
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from chaos import data, history
from chaos.errors import DifferenceError
from chaos.history import Reference
from chaos.settings import EPOCHS, Data, Settings


class References:
    """Reference runs in a folder shared by several workers; each is made once, by its first
    user.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._read: dict[Settings, Reference] = {}

    def files(self, amount: Data) -> Path:
        """The folder with that amount of data."""
        folder = self._folder / f"data-{amount.rows}"
        with self._once(folder) as missing:
            if missing:
                data.write(folder, amount)
        return folder

    def folder(self, settings: Settings) -> Path:
        """The folder of the run with these settings."""
        return self._folder / f"reference-{settings.name}"

    def get(self, settings: Settings, run: Callable[[Path], None]) -> Reference:
        """The history of an undisturbed run; `run` makes one in the given folder."""
        if settings not in self._read:
            folder = self.folder(settings)
            with self._once(folder) as missing:
                if missing:
                    run(folder)
            reference = Reference(history.read(folder / "records"))
            if reference.end != (EPOCHS, 0):
                raise DifferenceError(f"the undisturbed run of {settings.name} is incomplete")
            self._read[settings] = reference
        return self._read[settings]

    @staticmethod
    @contextmanager
    def _once(folder: Path) -> Iterator[bool]:
        """Whether the caller must make the folder. Other callers wait until it is complete."""
        done = folder.with_suffix(".done")
        with folder.with_suffix(".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            missing = not done.exists()
            yield missing
            done.touch()
