"""A job of one's own, started from Python: for notebooks and first steps."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import threading
import uuid
import weakref
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import IO, Any, TypeVar

from lockstep.errors import RunFailedError, UsageError
from lockstep.loader import Loader, LoaderBase
from lockstep.waiting import Wait, in_background, say

L = TypeVar("L", bound=LoaderBase[Any])

# How long the job may take to end after its trainer has closed.
_END_S = 20.0
# The command's exit code for arguments that cannot work.
_WRONG_USE = 2
# How many of the job's last lines an error shows.
_TAIL = 15


def open(
    data: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    *,
    batch: int,
    columns: Iterable[str] | None = None,
    lanes: int | None = None,
    window: int | None = None,
    seed: int | None = None,
    shuffle: str | None = None,
    tail: str | None = None,
    epochs: int | None = None,
    **loader: Any,
) -> Loader:
    """Starts an embedded job over a dataset and opens its stream; close() ends both.

    data is a directory, a glob, a file, or a list of them. The order's settings are those of the
    run file, with its defaults; the other arguments are the Loader's. For tensors see
    lockstep.torch.open.
    """
    order = {"lanes": lanes, "window": window, "seed": seed, "shuffle": shuffle, "tail": tail}
    return start(Loader, data, batch, columns, {**order, "epochs": epochs}, loader)


def start(
    kind: type[L],
    data: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    batch: int,
    columns: Iterable[str] | None,
    order: dict[str, Any],
    loader: dict[str, Any],
) -> L:
    """A Loader of that kind over an embedded job that ends with it."""
    paths = [data] if isinstance(data, (str, os.PathLike)) else list(data)
    arguments = ["serve", "--batch", str(batch)]
    for path in paths:
        arguments += ["--data", os.fspath(path)]
    if columns is not None:
        arguments += ["--columns", ",".join(columns)]
    for name, value in order.items():
        if value is not None:
            arguments += [f"--{name}", str(value)]
    job = Job(find_command() + arguments)
    try:
        run = in_background("rank 0", "the embedded job to start", job.run_directory)
        launch = f"notebook/{uuid.uuid4().hex}"
        opened = kind("train", rank=0, world_size=1, launch=launch, run=run, **loader)
    except BaseException:
        job.kill()
        raise
    opened.after_close = job.end
    weakref.finalize(opened, job.kill)
    return opened


def find_command() -> list[str]:
    """The lockstep command: LOCKSTEP_COMMAND, the PATH, or the checkout that this package is in."""
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
    """A process of the command's verb serve. It ends when its input is closed, so also with us."""

    def __init__(self, command: list[str]) -> None:
        self._command = command[0]
        self._log: list[str] = []
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                # Ctrl-C interrupts the trainer, which then says what becomes of the job.
                start_new_session=True,
            )
        except OSError as e:
            raise UsageError(f"the command {command[0]!r} cannot be started: {e}") from e
        # The pipes are read to the end, else the job would stand still when one is full.
        self._announced = threading.Event()
        self._run: str | None = None
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
        """The run directory, once the job's servers answer.

        Raises UsageError or RunFailedError where the job ended before, with its last lines.
        """
        while not self._announced.wait(0.1):
            wait.check()
            if self._log:
                wait.tell(self._log[-1])
        if self._run is not None:
            return self._run
        code = self._process.wait()
        for reader in self._readers:
            reader.join(1)
        kind = UsageError if code == _WRONG_USE else RunFailedError
        raise kind(
            f"the embedded job ended with exit code {code} before it was ready: "
            + "\n".join(["", *self._log] if self._log else ["it printed nothing"])
        )

    def wait(self, timeout_s: float) -> int:
        """The exit code, once the job has ended by itself. Raises subprocess.TimeoutExpired."""
        return self._process.wait(timeout_s)

    def end(self) -> None:
        """Lets the job end by itself, and stops it where it does not."""
        self._close_input()
        try:
            self.wait(_END_S)
        except subprocess.TimeoutExpired:
            say("rank 0", f"the embedded job did not end within {_END_S:.0f} s and is stopped")
            self.kill()

    def kill(self) -> None:
        self._close_input()
        if self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(5)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()

    def _close_input(self) -> None:
        if self._process.stdin is not None:
            try:
                self._process.stdin.close()
            except OSError:  # the job is gone
                return


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
