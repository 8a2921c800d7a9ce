"""The moments at which faults happen: those at which a process owes an answer."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from chaos import processes
from chaos.launch import Launch, Position
from chaos.run import Run

CATCH_S = 8.0
# How long a stopped process must stay stopped for its answer to be missed.
_STILL_S = 0.6


@dataclass(frozen=True)
class Hit:
    """A fault that counts."""

    pids: list[int]
    owed: str
    position: Position | None
    """The step that all ranks had when it came."""
    time: float
    """From which the recovery is counted, by time.monotonic()."""


class Moments:
    """The moments of one run."""

    def __init__(self, run: Run) -> None:
        self._run = run

    def hit(self, pids: list[int], owed: str) -> Hit:
        return Hit(pids, owed, self._run.launch.position(), time.monotonic())

    def awaited(self, *whats: str) -> str | None:
        """What a rank reports to have been waiting for, for a while, at this moment."""
        waits = (rank.waits(*whats) for rank in self._run.launch.ranks)
        return next((owed for owed in waits if owed), None)

    @staticmethod
    def serving(launch: Launch) -> str | None:
        """What the job's tasks are being asked for."""
        asking = (rank for rank in launch.ranks if rank.said.what == "want")
        return next((rank.is_doing() for rank in asking), None)

    @staticmethod
    def soon(owed: Callable[[], str | None]) -> str | None:
        return processes.until(owed, CATCH_S)

    def catch(
        self, pid: int, owed: Callable[[], str | None], also: Sequence[int] = ()
    ) -> str | None:
        """Stops processes repeatedly until they are stopped while owing an answer.

        They stay stopped for the fault. Returns None, with the processes running, if that never
        happens.
        """
        pids = [pid, *also]
        end = time.monotonic() + CATCH_S
        while time.monotonic() < end:
            for each in pids:
                processes.freeze(each)
            found = processes.until(owed, _STILL_S)
            if found:
                return found
            for each in pids:
                processes.thaw(each)
            time.sleep(random.uniform(0.0, 0.2))
        return None
