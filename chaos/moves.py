"""Moves lanes from one reader of a job to another."""

from __future__ import annotations

import json
import threading
from dataclasses import dataclass
from pathlib import Path

from lockstep.connection import Connection
from lockstep.credentials import find_credentials
from lockstep.errors import RefusedError, RunDoneError
from lockstep.location import RunDirectory
from lockstep.protocol import ServerLostError

from chaos import processes
from chaos.errors import DifferenceError

STREAM = "train"

_LIMIT_S = 60.0
_ASK_EVERY_S = 0.1
# The server holds the request for some seconds.
_HELD_S = 10.0


@dataclass(frozen=True)
class Reader:
    """A reader's entry in the run directory."""

    number: int
    task: str
    uri: str
    lanes: list[int]


def readers(run: Path) -> list[Reader]:
    """The readers that serve now, by number; none while they are changing."""
    try:
        entries = [json.loads(file.read_text()) for file in (run / "sinks").glob("*.json")]
        found = [
            Reader(
                int(entry["subtask"]),
                str(entry["task"]),
                str(entry["uri"]),
                list(entry["lanes"].get(STREAM, [])),
            )
            for entry in entries
        ]
    except (OSError, ValueError, KeyError):
        return []
    return sorted(found, key=lambda reader: reader.number)


class LaneMove:
    """Lanes in transit from one reader to another."""

    def __init__(self, run: Path, source: Reader, target: Reader, lanes: list[int]) -> None:
        self.words = (
            f"lanes {', '.join(map(str, lanes))} moved from reader {source.number} to reader "
            f"{target.number}"
        )
        self._run = run
        self._request = {"lanes": {STREAM: lanes}, "to": [target.number]}
        self._thread = threading.Thread(target=self._ask, daemon=True)

    @staticmethod
    def choose(run: Path, number: int) -> LaneMove | None:
        """Derives a move from a number: all lanes of a reader, or every other one. None unless
        there are two readers.
        """
        found = readers(run)
        sources = [reader for reader in found if reader.lanes]
        if len(found) < 2 or not sources:
            return None
        source = sources[number % len(sources)]
        targets = [reader for reader in found if reader is not source]
        target = targets[number // 2 % len(targets)]
        return LaneMove(run, source, target, source.lanes[:: 1 + number % 2])

    def begin(self) -> None:
        """Sends one request in the background, because the servers may be stopped."""
        self._thread.start()

    def complete(self) -> None:
        """Waits until the lanes have moved, or cannot move because the reader has failed.

        Raises DifferenceError if neither happens.
        """
        self._thread.join(_LIMIT_S)
        if not processes.patiently(self._ask, _LIMIT_S, _ASK_EVERY_S):
            raise DifferenceError(f"{self.words}: not done after {_LIMIT_S:.0f} s")

    def _ask(self) -> bool:
        credentials = find_credentials(RunDirectory(str(self._run)), env={})
        for reader in readers(self._run):
            try:
                connection = Connection(reader.uri, reader.task, credentials)
                try:
                    return "pending" not in connection.call_held("move", self._request, _HELD_S)
                finally:
                    connection.close()
            except (RefusedError, RunDoneError):
                return True
            except ServerLostError:
                continue
        return False
