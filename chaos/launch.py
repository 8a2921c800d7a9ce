"""The trainers of one launch: processes whose every step the runner follows."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

from chaos import processes
from chaos.barrier import Barrier
from chaos.network import Network

ROOT = Path(__file__).resolve().parents[1]

# How long a call must be pending before its answer counts as owed; a ready one takes 1 ms.
_OWED_S = 0.25
_END_S = 15.0
PACE_MS = 30
_RETRY_LIMIT_S = 1800
# A waiting trainer reports that every 10 s.
_SILENT_S = 15.0

Position = tuple[int, int]

# What a rank that reported this waits for.
_AWAITED = {
    "resume": "the state to go on from",
    "want": "step {1} of epoch {0}",
    "commit": "the commit after step {1} of epoch {0}",
    "close": "its end to be noted",
}

_DONE = {
    "resume": "resumed before",
    "want": "asked for",
    "got": "worked on",
    "commit": "committed",
}


@dataclass
class Said:
    """The last line of a rank's output."""

    what: str = "start"
    at: Position = (0, 0)
    time: float = field(default_factory=time.monotonic)


class Rank:
    """One trainer process."""

    def __init__(self, number: int, process: subprocess.Popen[str], log: Path) -> None:
        self.number = number
        self.process = process
        self.log = log
        self.said = Said()
        self.got: Position | None = None
        self.joined: float | None = None
        """When it had registered, by the clock that what it says has."""
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()

    @property
    def pid(self) -> int:
        return self.process.pid

    def _listen(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            what, *at = json.loads(line)
            said = Said(what, (at[0], at[1]))
            self.joined = self.joined or said.time
            if what == "got":
                self.got = said.at
            self.said = said

    def closed_before(self, successors: Launch) -> bool:
        """Whether it had completed and closed before any of its successors registered."""
        self._listener.join(_END_S)
        joined = [rank.joined for rank in successors.ranks if rank.joined is not None]
        return self.said.what == "closed" and all(self.said.time < at for at in joined)

    def waits(self, *whats: str) -> str | None:
        """What this rank is owed, as text, if it has waited for some time."""
        said = self.said
        if said.what not in whats or time.monotonic() - said.time < _OWED_S:
            return None
        return f"rank {self.number} waited for " + _AWAITED[said.what].format(*said.at)

    def is_doing(self) -> str:
        """What this rank owes its launch, as text."""
        said = self.said
        done = _DONE.get(said.what, said.what)
        return f"rank {self.number} {done} step {said.at[1]} of epoch {said.at[0]}"

    def silence(self) -> str | None:
        """An error message if it waits longer than allowed without reporting it."""
        waited = time.monotonic() - self.said.time if self.said.what in _AWAITED else 0.0
        quiet = min(waited, time.time() - self.log.stat().st_mtime)
        if quiet < _SILENT_S * processes.crowd():
            return None
        return f"{self.is_doing()}, waits and has said nothing for {quiet:.0f} s"

    def tail(self) -> str:
        return self.log.read_text(errors="replace")[-1500:]


class Launch:
    """Ranks that were started together."""

    def __init__(
        self,
        folder: Path,
        number: int,
        world: int,
        lanes: int,
        transport: str,
        network: Network,
        pace_ms: float = PACE_MS,
    ) -> None:
        self._pace_ms = pace_ms
        self.number = number
        self.world = world
        self._barrier = folder / f"barrier-{number}"
        Barrier.create(self._barrier, world)
        self.started = time.monotonic()
        self.ranks = [self._start(folder, rank, lanes, transport, network) for rank in range(world)]

    def _start(self, folder: Path, rank: int, lanes: int, transport: str, network: Network) -> Rank:
        log = folder / "logs" / f"{self.number:03d}-{rank}.log"
        command = [sys.executable, "-m", "chaos.trainer", str(folder), str(self.number)]
        with log.open("w") as errors:
            process = subprocess.Popen(
                [*network.prefix(rank), *command, str(lanes), str(self._pace_ms)],
                cwd=ROOT,
                env={
                    **os.environ,
                    "LOCKSTEP_RUN": str(folder / "run"),
                    "LOCKSTEP_LAUNCH": f"launch-{self.number}",
                    "LOCKSTEP_TRANSPORT": transport,
                    # The runner detects hangs itself, with a limit that scales with the machine's
                    # load.
                    "LOCKSTEP_RETRY_LIMIT_S": str(_RETRY_LIMIT_S),
                    "RANK": str(rank),
                    "WORLD_SIZE": str(self.world),
                    "OMP_NUM_THREADS": "1",
                },
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
            )
        return Rank(rank, process, log)

    def position(self) -> Position | None:
        """The last step that all ranks have received."""
        got = [rank.got for rank in self.ranks]
        return None if None in got else min(at for at in got if at is not None)

    def beyond(self, position: Position | None) -> bool:
        """Whether all ranks have received a step after the given one; any step if it is None."""
        now = self.position()
        return now is not None and (position is None or now > position)

    def ended(self) -> bool:
        return all(rank.process.poll() is not None for rank in self.ranks)

    def failed(self) -> Rank | None:
        """A rank that ended unexpectedly."""
        return next((rank for rank in self.ranks if rank.process.poll() not in (None, 0)), None)

    def abandon(self) -> None:
        """Stops the ranks of this launch from waiting for each other."""
        self._barrier.unlink(missing_ok=True)

    def kill(self) -> None:
        self.abandon()
        for rank in self.ranks:
            processes.kill(rank.pid)
        for rank in self.ranks:
            rank.process.wait(_END_S)
