"""A real local Flink cluster, started with the script that the documentation names."""

from __future__ import annotations

import json
import socket
import subprocess
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from tests.command import ROOT, run

T = TypeVar("T")

SCRIPT = ROOT / "flink-conf" / "standalone.sh"
SHARED_MEMORY = Path("/dev/shm")
LIMIT_S = 90.0


class Cluster:
    """A cluster that is started and stopped once: a JobManager and two TaskManagers."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.address = ""
        self._processes: list[int] = []

    def start(self) -> None:
        self.address = self.script("start", "2").stdout.strip()
        for file in (self.folder / "pids").glob("*.pid"):
            self._processes += [int(line) for line in file.read_text().split()]
        assert len(self._processes) == 3

    def stop(self) -> None:
        self.script("stop")

    def script(self, *words: str | Path) -> subprocess.CompletedProcess[str]:
        return run(SCRIPT, *words, cwd=self.folder, env={"LOCKSTEP_CLUSTER": str(self.folder)})

    def rest(self, path: str) -> Any:
        direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with direct.open(f"http://{self.address}/{path}", timeout=10) as reply:
            return json.load(reply)

    def task_managers_of(self, job: str) -> set[str]:
        """The ids of the TaskManagers that run the job's tasks."""
        tasks = (
            task
            for vertex in self.rest(f"jobs/{job}")["vertices"]
            for task in self.rest(f"jobs/{job}/vertices/{vertex['id']}")["subtasks"]
        )
        return {task["endpoint"] for task in tasks}

    def shared_memory(self) -> list[Path]:
        """Files of this cluster's processes, whose names contain the process id."""
        marks = [f".{process}." for process in self._processes]
        files = SHARED_MEMORY.glob("lockstep-*")
        return [file for file in files if any(mark in file.name for mark in marks)]

    def check_that_nothing_is_left(self) -> None:
        assert [p for p in self._processes if Path(f"/proc/{p}").exists()] == []
        assert self.shared_memory() == []
        host, port = self.address.split(":")
        with socket.socket() as probe:
            assert probe.connect_ex((host, int(port))) != 0
        assert list((self.folder / "tmp").rglob("*lockstep*")) == []


def eventually(what: str, found: Callable[[], T | None]) -> T:
    """Polls a function until it returns a value, and returns it."""
    end = time.monotonic() + LIMIT_S
    while time.monotonic() < end:
        result = found()
        if result:
            return result
        time.sleep(0.1)
    raise AssertionError(f"after {LIMIT_S:.0f} s still no {what}")
