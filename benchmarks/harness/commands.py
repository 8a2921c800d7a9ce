"""Runs the measured processes, each with a time limit."""

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
    """A measurement failed; the message says why."""


def run_json(command: Sequence[str | Path], limit_s: float) -> Any:
    """Runs a command to completion, like run_command, and returns the JSON of its last line."""
    return json.loads(run_command(command, limit_s).strip().splitlines()[-1])


def run_command(command: Sequence[str | Path], limit_s: float) -> str:
    """Runs a command to completion and returns its output.

    Raises PartFailedError with the end of its output if it fails or takes longer than limit_s. Its
    child processes are killed with it.
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
    """A process in its own session, which is killed together with its descendants."""
    with subprocess.Popen(
        [str(part) for part in command],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=log,
        cwd=TARGET,  # jobs create their run directories in the working directory
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
