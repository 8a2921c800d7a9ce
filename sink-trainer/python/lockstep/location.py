"""Where a run is found: its directory or a list of servers, and what trainers read there."""

from __future__ import annotations

import gzip
import json
import os
import re
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import pyarrow as pa
import pyarrow.fs as fs

from lockstep.errors import (
    RunDoneError,
    RunFailedError,
    UsageError,
)
from lockstep.protocol import ServerLostError

_TRAINERS = "trainers/generation.json"
_JOB = "job.json"
_HEARTBEAT = "heartbeat.json"
_TOKEN = "token"
_DIGEST = re.compile("[0-9a-f]{64}")
_NO_DIRECTORY = "there is no run directory {}"
# The errors of reading a file of the run that is missing, or of another version.
_UNREADABLE = (OSError, pa.ArrowException, ValueError, KeyError, TypeError)


@dataclass(frozen=True)
class Endpoint:
    """A hand-off server: its address, its task and the lanes it announced.

    task is None if the user gave the address; attempt counts the starts of the subtask. ca is the
    path of the CA certificates of an encrypting server.
    """

    uri: str
    task: str | None = None
    attempt: int = 0
    lanes: Mapping[str, Sequence[int]] | None = None
    ca: str | None = None

    @staticmethod
    def parse(content: Mapping[str, Any]) -> Endpoint:
        return Endpoint(
            str(content["uri"]),
            str(content["task"]),
            int(content.get("attempt", 0)),
            content.get("lanes"),
            content.get("ca"),
        )


class RunLocation(Protocol):
    """Finds the servers of a run."""

    @property
    def name(self) -> str:
        """Identifies the run to this process and in messages."""

    def endpoints(self) -> list[Endpoint]:
        """The servers to try. Raises ServerLostError, with the reason, if there is none yet."""

    def token(self) -> str | None:
        """The content of the run's token file; None if there is no such file.

        Raises UsageError if this user may not read it.
        """

    def manifest(self, digest: str) -> Any:
        """A sealed manifest of the run, as JSON; None if this process cannot read it."""

    def has_closed(self, generation: int, rank: int) -> bool | None:
        """Whether the run directory records that this rank has finished; None if unknown."""

    def check_goes_on(self) -> None:
        """Raises RunDoneError or RunFailedError if the job is over and no server will start."""

    def heartbeat(self) -> str | None:
        """The last heartbeat of the job's JobManager; None if unknown."""

    @property
    def ends_with_loaders(self) -> bool:
        """Whether the job ends when the process closes its last Loader."""

    @property
    def tells_failure(self) -> bool:
        """Whether check_goes_on knows why a job has failed; else only its servers do."""


@dataclass(frozen=True)
class EndpointList:
    """Addresses given by the user; each server knows all others."""

    name: str
    ends_with_loaders = False
    tells_failure = False

    def endpoints(self) -> list[Endpoint]:
        addresses = [part.strip() for part in self.name.split(",") if part.strip()]
        scheme = "grpc+tls://" if os.environ.get("LOCKSTEP_TLS_CA") else "grpc+tcp://"
        return [Endpoint(a if "://" in a else scheme + a) for a in addresses]

    def token(self) -> str | None:
        return None

    def manifest(self, digest: str) -> Any:
        return None

    def has_closed(self, generation: int, rank: int) -> bool | None:
        return None

    def check_goes_on(self) -> None:
        return None

    def heartbeat(self) -> str | None:
        return None


@dataclass(frozen=True)
class RunDirectory:
    """The run directory, local or on any file system that pyarrow supports by its URI."""

    name: str
    ends_with_loaders = False
    tells_failure = True

    def endpoints(self) -> list[Endpoint]:
        try:
            found = [self._read(*place) for place in self._sink_files()]
        except (OSError, pa.ArrowException) as e:
            raise ServerLostError(f"the run directory {self.name} cannot be read: {e}") from e
        endpoints = [endpoint for endpoint in found if endpoint is not None]
        if not endpoints:
            yet = "no server has announced itself in {}/sinks yet"
            reason = (yet if self._is_there() else _NO_DIRECTORY).format(self.name)
            raise ServerLostError(reason + self._disk_trouble())
        return sorted(endpoints, key=lambda endpoint: -endpoint.attempt)

    def _disk_trouble(self) -> str:
        """Why no server can announce itself, if the disk is the reason; else empty."""
        try:
            filesystem, path = self._resolve()
            if not isinstance(filesystem, fs.LocalFileSystem):
                return ""
            disk = os.statvfs(path)
        except _UNREADABLE:
            return ""
        if disk.f_flag & os.ST_RDONLY:
            return f": the file system of {self.name} is read-only"
        if disk.f_bavail == 0 or (disk.f_files > 0 and disk.f_favail == 0):
            return f": the disk of {self.name} is full; make room there"
        return ""

    def token(self) -> str | None:
        try:
            filesystem, path = self._resolve()
            with filesystem.open_input_file(f"{path.rstrip('/')}/{_TOKEN}") as file:
                return str(file.read(1024), "utf-8", "replace")
        except PermissionError as e:
            raise UsageError(
                f"this user may not read {self.name}/{_TOKEN}: start the trainers as the user who "
                "started the job, or set LOCKSTEP_TOKEN or LOCKSTEP_TOKEN_FILE"
            ) from e
        except (OSError, pa.ArrowException):
            return None

    def manifest(self, digest: str) -> Any:
        if not _DIGEST.fullmatch(digest):
            return None
        try:
            filesystem, path = self._resolve()
            place = f"{path.rstrip('/')}/manifests/{digest}.json.gz"
            with filesystem.open_input_file(place) as file:
                return json.loads(gzip.decompress(file.read()))
        except (*_UNREADABLE, EOFError, zlib.error):
            return None

    def has_closed(self, generation: int, rank: int) -> bool | None:
        try:
            now = self._trainers()
            return bool(now["generation"] > generation or rank in now["closed"])
        except _UNREADABLE:
            return None

    def check_goes_on(self) -> None:
        """Files older than run.yaml belong to an earlier job: each submission writes run.yaml."""
        try:
            now = self._trainers()
            done = 0 < now["world"] == len(now["closed"])
            # Without settings it is unknown whether another job is starting.
            done = done and self._changed(_TRAINERS) > self._changed("run.yaml")
        except _UNREADABLE:
            done = False
        error = None
        try:
            job = self._json(_JOB)
            if job.get("state") == "failed" and self._is_of_this_job(_JOB):
                error = str(job.get("error"))
        except _UNREADABLE:
            pass
        if error is not None:
            raise RunFailedError(
                f"the job of the run in {self.name} has failed: {error.rstrip('.')}. Fix "
                "the cause, then start the job again"
            )
        if done:
            raise RunDoneError(
                f"the run in {self.name} is done: every rank of its trainers has closed, "
                "and its job has ended; to train on in this directory start the job again "
                "first, with 'lockstep run' or 'lockstep serve', else give another run directory"
            )

    def _is_of_this_job(self, file: str) -> bool:
        try:
            submitted = self._changed("run.yaml")
        except TypeError:  # a job built with the Java API
            return True
        return self._changed(file) > submitted

    def heartbeat(self) -> str | None:
        try:
            now = self._json(_HEARTBEAT)
            return f"{now['job']} {now['at']}"
        except _UNREADABLE:
            return None

    def check_is_there(self) -> None:
        """Raises UsageError if the directory does not exist."""
        try:
            missing = not self._is_there()
        except (OSError, pa.ArrowException, ValueError) as e:
            raise UsageError(f"the run directory {self.name} cannot be read: {e}") from e
        if missing:
            raise UsageError(
                _NO_DIRECTORY.format(self.name) + ": give the one that 'lockstep run' or 'lockstep "
                "serve' printed, or start the job first; LOCKSTEP_RUN instead of run= waits for it"
            )

    def _is_there(self) -> bool:
        filesystem, path = self._resolve()
        return bool(filesystem.get_file_info(path).type == fs.FileType.Directory)

    def _trainers(self) -> dict[str, Any]:
        return self._json(_TRAINERS)

    def _json(self, file: str) -> dict[str, Any]:
        filesystem, path = self._resolve()
        with filesystem.open_input_file(f"{path.rstrip('/')}/{file}") as opened:
            now: dict[str, Any] = json.loads(opened.read())
        return now

    def _changed(self, file: str) -> int:
        """In nanoseconds. Raises TypeError if there is no such file."""
        filesystem, path = self._resolve()
        return int(filesystem.get_file_info(f"{path.rstrip('/')}/{file}").mtime_ns)

    def _sink_files(self) -> list[tuple[fs.FileSystem, str]]:
        filesystem, path = self._resolve()
        selector = fs.FileSelector(path.rstrip("/") + "/sinks", allow_not_found=True)
        infos = filesystem.get_file_info(selector)
        return [(filesystem, info.path) for info in infos if info.path.endswith(".json")]

    def _resolve(self) -> tuple[fs.FileSystem, str]:
        if "://" in self.name or self.name.startswith("file:"):
            # Flink writes file:/path, which equals file:///path.
            local = self.name.startswith("file:/") and not self.name.startswith("file://")
            uri = "file://" + self.name[len("file:") :] if local else self.name
            filesystem, path = fs.FileSystem.from_uri(uri)
            return filesystem, path
        return fs.LocalFileSystem(), os.path.abspath(self.name)

    @staticmethod
    def _read(filesystem: fs.FileSystem, path: str) -> Endpoint | None:
        """None if the file vanished or is half written: it is read again later."""
        try:
            with filesystem.open_input_file(path) as file:
                return Endpoint.parse(json.loads(file.read()))
        except (OSError, pa.ArrowException, ValueError, KeyError):
            return None


def find_run(
    run: str | os.PathLike[str] | RunLocation | None = None,
    env: Mapping[str, str] = os.environ,
    *,
    may_come: bool = True,
) -> RunLocation:
    """Returns the argument, else LOCKSTEP_RUN, else LOCKSTEP_ENDPOINTS.

    may_come: whether a directory that the argument names may be created later. One that the
        environment names always may: a launcher may start the job as well.
    """
    if isinstance(run, (str, os.PathLike)):
        directory = RunDirectory(os.fspath(run))
        if not may_come:
            directory.check_is_there()
        return directory
    if run is not None:
        return run
    if env.get("LOCKSTEP_RUN"):
        return RunDirectory(env["LOCKSTEP_RUN"])
    if env.get("LOCKSTEP_ENDPOINTS"):
        if not env.get("LOCKSTEP_TOKEN") and not env.get("LOCKSTEP_TOKEN_FILE"):
            raise UsageError(
                "LOCKSTEP_ENDPOINTS needs the run's token: set LOCKSTEP_TOKEN_FILE to a copy of "
                "the file 'token' in the run directory, or LOCKSTEP_TOKEN to its content"
            )
        return EndpointList(env["LOCKSTEP_ENDPOINTS"])
    raise UsageError(
        "which run? Start this program with 'lockstep run', set LOCKSTEP_RUN to the run directory, "
        'give run="<run directory>", or start a job from here with lockstep.open(data, batch=...)'
    )
