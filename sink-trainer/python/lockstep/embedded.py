"""An embedded job: a process of the lockstep command that ends with its user."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import threading
import uuid
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

from lockstep.errors import LockstepError, RunFailedError, UsageError
from lockstep.location import Endpoint, RunDirectory
from lockstep.waiting import Wait, say

# How long the job may take to end after its trainer has closed.
_END_S = 20.0
# How long the job may take to end once it is asked to stop.
_STOP_S = 5.0
# The command's exit code for invalid arguments.
_WRONG_USE = 2
# How many of the job's last log lines an error shows.
_TAIL = 15
# What the command says while it builds itself, before it reads its arguments.
_BUILDING = re.compile(r"lockstep: (building|built|archiving|making|installing) ?")


def find_command() -> list[str]:
    """The lockstep command: LOCKSTEP_COMMAND, else that of this package's checkout, else from the
    PATH."""
    given = os.environ.get("LOCKSTEP_COMMAND")
    if given:
        return shlex.split(given)
    for parent in Path(__file__).resolve().parents:
        command = parent / "lockstep"
        if command.is_file() and (parent / "pom.xml").is_file():
            return [str(command)]
    found = shutil.which("lockstep")
    if found:
        return [found]
    raise UsageError(
        "the command 'lockstep', which runs the job, was not found: put it on the PATH, or set "
        "LOCKSTEP_COMMAND to it"
    )


class Job:
    """A process of lockstep serve --until-eof, which ends with this process: its input closes."""

    def __init__(self, command: list[str]) -> None:
        self._log: list[str] = []
        self._run: str | None = None
        self._announced = threading.Event()
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                # Ctrl-C interrupts the trainer, which then reports what happens to the job.
                start_new_session=True,
            )
        except OSError as e:
            raise UsageError(f"the command {command[0]!r} cannot be started: {e}") from e
        # The pipes are read to the end, else the job would block on a full one.
        self._readers = [
            threading.Thread(target=self._read_log, daemon=True),
            threading.Thread(target=self._read_results, daemon=True),
        ]
        for reader in self._readers:
            reader.start()

    def _read_log(self) -> None:
        for line in _lines(self._process.stderr):
            self._log = [*self._log[1 - _TAIL :], line]

    def _read_results(self) -> None:
        for line in _lines(self._process.stdout):
            if self._run is None and line.startswith("{"):
                self._run = _run_of(line)
                self._announced.set()
        self._announced.set()

    def run_directory(self, wait: Wait) -> str:
        """Returns the run directory, once the command has printed it.

        Raises UsageError or RunFailedError if the job ended before, with its last log lines.
        """
        while not self._announced.wait(0.1):
            wait.check()
            if self._log:
                wait.tell(self._log[-1])
        if self._run is None:
            self._process.wait()
            raise self._failure()
        return self._run

    def check(self) -> None:
        """Raises RunFailedError, with the job's last log lines, if it has ended."""
        if self._process.poll() is not None:
            raise self._failure()

    def _failure(self) -> LockstepError:
        for reader in self._readers:
            reader.join(1)
        code = self._process.returncode
        kind = UsageError if code == _WRONG_USE else RunFailedError
        lines = [line for line in self._log if not _BUILDING.match(line)]
        last_lines = "\n".join(lines) or "(it printed nothing)"
        return kind(f"the embedded job has ended with exit code {code}:\n{last_lines}")

    def wait(self, timeout_s: float) -> int:
        """The exit code, once the job has ended by itself. Raises subprocess.TimeoutExpired."""
        return self._process.wait(timeout_s)

    def end(self) -> None:
        """Waits for the job to end, then stops it."""
        self._close_input()
        try:
            self.wait(_END_S)
        except subprocess.TimeoutExpired:
            say("rank 0", f"the embedded job did not end within {_END_S:.0f} s and is stopped")
            self.kill()

    def kill(self) -> None:
        """Kills the job and its child processes. Idempotent."""
        self._close_input()
        for number in (signal.SIGTERM, signal.SIGKILL):
            if self._process.poll() is not None:
                return
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, number)
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(_STOP_S)

    def _close_input(self) -> None:
        if self._process.stdin is not None:
            with suppress(OSError):  # the job is gone
                self._process.stdin.close()


class EmbeddedRun:
    """The run of an embedded job: once the job has ended, trainers stop looking for its servers.

    ends_with_loaders: whether the job ends with its last Loader.
    """

    def __init__(self, job: Job, directory: str, ends_with_loaders: bool = True) -> None:
        self._job = job
        self.ends_with_loaders = ends_with_loaders
        self._directory = RunDirectory(directory)

    @property
    def name(self) -> str:
        return self._directory.name

    def endpoints(self) -> list[Endpoint]:
        self._job.check()
        return self._directory.endpoints()

    def token(self) -> str | None:
        return self._directory.token()

    def manifest(self, digest: str) -> Any:
        return self._directory.manifest(digest)

    def has_closed(self, generation: int, rank: int) -> bool | None:
        return self._directory.has_closed(generation, rank)

    def check_goes_on(self) -> None:
        self._directory.check_goes_on()

    def heartbeat(self) -> str | None:
        return self._directory.heartbeat()

    @property
    def tells_failure(self) -> bool:
        return True


def new_launch() -> str:
    """The name of a launch of a single trainer, which this process is."""
    return f"notebook/{uuid.uuid4().hex}"


def _lines(pipe: IO[bytes] | None) -> Iterable[str]:
    if pipe is not None:
        for line in pipe:
            yield line.decode(errors="replace").rstrip()


def _run_of(line: str) -> str | None:
    try:
        found = json.loads(line)
    except ValueError:
        return None
    return str(found["run"]) if isinstance(found, dict) and "run" in found else None
