"""Runs the processes that are measured, each with a limit of time."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any

from harness.paths import TARGET

_TAIL = 2000


class PartFailedError(Exception):
    """Something that was to be measured did not work, and why."""


def run_json(command: Sequence[str | Path], limit_s: float) -> Any:
    """Runs a command to its end, as run_command does, and gives the JSON of its last line."""
    return json.loads(run_command(command, limit_s).strip().splitlines()[-1])


def run_command(command: Sequence[str | Path], limit_s: float) -> str:
    """Runs a command to its end and gives its output.

    Raises PartFailedError with its last words if it fails or takes longer than limit_s. What it
    started goes with it.
    """
    with TemporaryFile("w+") as log, started(command, log) as process:
        try:
            out, _ = process.communicate(timeout=limit_s)
        except subprocess.TimeoutExpired:
            raise PartFailedError(_words(command, f"took over {limit_s:.0f} s", log)) from None
        if process.returncode:
            raise PartFailedError(_words(command, f"failed ({process.returncode})", log))
    return out


@contextlib.contextmanager
def started(command: Sequence[str | Path], log: IO[str]) -> Iterator[subprocess.Popen[str]]:
    """A process in a session of its own, which is ended with all that belongs to it."""
    with subprocess.Popen(
        [str(part) for part in command],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=log,
        cwd=TARGET,  # jobs make their run directories where they are started
        start_new_session=True,
        text=True,
    ) as process:
        try:
            yield process
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


def _words(command: Sequence[str | Path], what: str, log: IO[str]) -> str:
    log.seek(0)
    return f"{' '.join(map(str, command))} {what}: {log.read()[-_TAIL:]}"
