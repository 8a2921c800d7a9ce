"""Checks that dead processes and finished runs leave nothing behind."""

from __future__ import annotations

from pathlib import Path

from chaos import processes
from chaos.cluster import Cluster
from chaos.errors import DifferenceError
from chaos.run import Run

_SHARED_MEMORY = Path("/dev/shm")
_THREADS = "lockstep"
# A task releases its resources shortly after its job is reported as finished.
_PATIENCE_S = 20.0


class Leftovers:
    """The leftovers of one cluster, which has no job on creation and at each check."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._ports: dict[int, set[int]] = {}

    def expect(self) -> None:
        """What the TaskManagers hold now, without any job, they may hold later."""
        for process in self._cluster.task_managers:
            self._ports.setdefault(process.pid, processes.listening(process.pid))

    def check(self, run: Run) -> None:
        """Raises DifferenceError with the first leftover that does not go away in time."""
        if not processes.patiently(lambda: self._first(run) is None, _PATIENCE_S):
            raise DifferenceError(f"left over: {self._first(run)}")

    def _first(self, run: Run) -> str | None:
        for found in (self._process(run), self._memory(), self._cache(run), self._task_manager()):
            if found:
                return found
        return None

    @staticmethod
    def _process(run: Run) -> str | None:
        ranks = (rank for launch in run.launches for rank in launch.ranks)
        return next((f"process {rank.pid}" for rank in ranks if processes.alive(rank.pid)), None)

    def _memory(self) -> str | None:
        """Names of files in shared memory contain their owner's process id."""
        marks = [f".{pid}." for pid in self._cluster.all_pids]
        files = _SHARED_MEMORY.glob("lockstep-*")
        return next((str(f) for f in files if any(mark in f.name for mark in marks)), None)

    @staticmethod
    def _cache(run: Run) -> str | None:
        return next((str(file) for file in (run.folder / "cache").glob("*")), None)

    def _task_manager(self) -> str | None:
        for process in self._cluster.task_managers:
            threads = processes.threads(process.pid, _THREADS)
            if threads:
                return f"thread {threads[0]} of task manager {process.pid}"
            known = self._ports.get(process.pid)
            more = set() if known is None else processes.listening(process.pid) - known
            if more:
                return f"port {min(more)} of task manager {process.pid}"
        return None
