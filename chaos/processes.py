"""Local processes: signals, ports, threads."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")

_LISTENING = "0A"
_LOAD = Path("/proc/loadavg")
_POLL_S = 0.02
# A stopped process stops at once, except in calls that cannot be interrupted.
_STOP_S = 2.0


def send(pid: int, what: signal.Signals) -> None:
    """Sends a signal; does nothing if the process is gone."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, what)


def freeze(pid: int) -> None:
    """Stops a process and waits until all its threads have stopped."""
    send(pid, signal.SIGSTOP)
    until(lambda: _state(pid) in ("T", "Z", ""), _STOP_S)


def thaw(pid: int) -> None:
    send(pid, signal.SIGCONT)


def kill(pid: int) -> None:
    send(pid, signal.SIGKILL)


def alive(pid: int) -> bool:
    return _state(pid) not in ("", "Z")


def until(
    found: Callable[[], T | None],
    limit_s: float,
    every_s: float = _POLL_S,
    pace: Callable[[], float] = lambda: 1.0,
) -> T | None:
    """Polls a function until its result is true and returns the result; None after the limit.

    pace: the seconds that count as one second of the limit, evaluated at each poll.
    """
    left, before = limit_s, time.monotonic()
    while True:
        result = found()
        now = time.monotonic()
        left -= (now - before) / pace()
        before = now
        if result or left < 0:
            return result or None
        time.sleep(every_s)


def patiently(found: Callable[[], T | None], limit_s: float, every_s: float = _POLL_S) -> T | None:
    """Like `until`, with a limit in seconds of an idle machine: for limits that detect hangs but
    must allow for slowness.
    """
    return until(found, limit_s, every_s, crowd)


def crowd() -> float:
    """The slowdown caused by other processes' use of the cores; 1 if there is none."""
    wanting = float(_LOAD.read_text().split()[0])
    return max(1.0, wanting / (os.cpu_count() or 1))


def listening(pid: int) -> set[int]:
    """The TCP ports that a process listens on."""
    inodes = set()
    with contextlib.suppress(OSError):
        for file in Path(f"/proc/{pid}/fd").iterdir():
            with contextlib.suppress(OSError):
                inodes.add(os.readlink(file).removeprefix("socket:[").removesuffix("]"))
    ports = set()
    for table in ("tcp", "tcp6"):
        with contextlib.suppress(OSError):
            for line in Path(f"/proc/{pid}/net/{table}").read_text().splitlines()[1:]:
                fields = line.split()
                if fields[3] == _LISTENING and fields[9] in inodes:
                    ports.add(int(fields[1].rpartition(":")[2], 16))
    return ports


def children(pid: int, word: str) -> list[int]:
    """The child processes of a process whose command has a word."""
    found = []
    with contextlib.suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            with contextlib.suppress(OSError):
                found += [int(child) for child in (task / "children").read_text().split()]
    return sorted(child for child in found if word in _command(child))


def _command(pid: int) -> list[str]:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text().split("\0")
    except OSError:
        return []


def threads(pid: int, prefix: str) -> list[str]:
    """The names of a process's threads with a prefix. Linux keeps 15 characters of a name."""
    names = []
    with contextlib.suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            with contextlib.suppress(OSError):
                names.append((task / "comm").read_text().strip())
    return [name for name in names if name.startswith(prefix)]


def _state(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return ""
