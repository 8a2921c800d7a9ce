"""A TaskManager with four slots in a control group that limits its memory."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from chaos.distribution import JOB_MANAGER, ROOT, Distribution, Program
from chaos.rest import Rest
from tests.cluster import eventually
from tests.command import run

SLOTS = 4
_HOST = "127.0.0.1"
_V1 = Path("/sys/fs/cgroup/memory")
_V2 = Path("/sys/fs/cgroup")
_MIB = 1 << 20
_END_S = 20.0

_SIZES = {
    "taskmanager.cpu.cores": 2.0,
    "taskmanager.memory.framework.heap.size": "128m",
    "taskmanager.memory.task.heap.size": "128m",
    "taskmanager.memory.framework.off-heap.size": "64m",
    "taskmanager.memory.network.min": "32m",
    "taskmanager.memory.network.max": "32m",
    "taskmanager.memory.managed.size": "0m",
    "taskmanager.memory.jvm-metaspace.size": "160m",
    "taskmanager.memory.jvm-overhead.min": "128m",
    "taskmanager.memory.jvm-overhead.max": "128m",
}
_HEAP, _DIRECT = 256, 96


class MemoryGroup:
    """A control group of version 1 or 2."""

    def __init__(self, folder: Path, version: int, mib: int) -> None:
        self._folder = folder
        self._version = version
        limit = folder / ("memory.limit_in_bytes" if version == 1 else "memory.max")
        limit.write_text(str(mib * _MIB))

    @classmethod
    def create(cls, mib: int) -> MemoryGroup:
        """Raises OSError where this process may not create one."""
        parent, version = _own_group()
        folder = parent / f"lockstep-test-{uuid.uuid4().hex[:12]}"
        folder.mkdir()
        try:
            return cls(folder, version, mib)
        except OSError:
            folder.rmdir()
            raise

    def join(self) -> None:
        """Moves this process into the group."""
        (self._folder / "cgroup.procs").write_text(str(os.getpid()))

    def kills(self) -> int:
        """How many processes the kernel killed for the limit."""
        file = "memory.oom_control" if self._version == 1 else "memory.events"
        counts = dict(line.split() for line in (self._folder / file).read_text().splitlines())
        return int(counts["oom_kill"])

    def remove(self) -> None:
        eventually("empty control group", self._removed)

    def _removed(self) -> bool:
        with contextlib.suppress(OSError):
            self._folder.rmdir()
        return not self._folder.exists()


def _own_group() -> tuple[Path, int]:
    for line in Path("/proc/self/cgroup").read_text().splitlines():
        _, controllers, path = line.split(":", 2)
        if controllers == "memory":
            return _V1 / path.lstrip("/"), 1
    return _V2, 2


class LimitedCluster:
    """A JobManager outside the group, and the TaskManager in it."""

    def __init__(self, folder: Path, group: MemoryGroup, off_heap_mib: int) -> None:
        self.folder = folder
        self._group = group
        self._off_heap = off_heap_mib
        home = os.environ.get("LOCKSTEP_FLINK_HOME") or ROOT / ".lockstep" / "flink-2.3.0"
        self._flink = Distribution(Path(home), folder)
        self._processes: list[subprocess.Popen[bytes]] = []
        rpc, rest = _free_ports(2)
        self._rpc = rpc
        self.rest = Rest(f"{_HOST}:{rest}")

    def start(self) -> None:
        self._flink.open()
        (self.folder / "tmp").mkdir()
        (self.folder / "conf" / "config.yaml").write_text(self._settings())
        where = ("--configDir", str(self.folder / "conf"))
        self._processes.append(self._flink.start(JOB_MANAGER, *where))
        direct = _DIRECT + self._off_heap
        task_manager = Program(
            "taskmanager",
            "org.apache.flink.runtime.taskexecutor.TaskManagerRunner",
            (
                f"-Xms{_HEAP}m",
                f"-Xmx{_HEAP}m",
                f"-XX:MaxDirectMemorySize={direct}m",
                "-XX:MaxMetaspaceSize=160m",
            ),
        )
        self._processes.append(self._flink.start(task_manager, *where, preexec_fn=self._group.join))
        eventually("task manager", self._has_task_manager)

    def _settings(self) -> str:
        process = _HEAP + _DIRECT + self._off_heap + 160 + 128
        own = {
            **_SIZES,
            "taskmanager.memory.process.size": f"{process}m",
            "taskmanager.memory.task.off-heap.size": f"{self._off_heap}m",
            "taskmanager.numberOfTaskSlots": SLOTS,
            "taskmanager.host": _HOST,
            "taskmanager.bind-host": _HOST,
            "jobmanager.rpc.address": _HOST,
            "jobmanager.rpc.port": self._rpc,
            "jobmanager.bind-host": _HOST,
            "rest.address": _HOST,
            "rest.port": self.rest.address.rpartition(":")[2],
            "rest.bind-address": _HOST,
            "io.tmp.dirs": self.folder / "tmp",
            "web.upload.dir": self.folder / "jars",
            "execution.checkpointing.dir": f"file://{self.folder / 'checkpoints'}",
        }
        return "".join(f"{key}: {value}\n" for key, value in own.items())

    def _has_task_manager(self) -> bool:
        assert all(p.poll() is None for p in self._processes), f"see {self.folder}/log"
        with contextlib.suppress(OSError):
            return bool(self.rest.get("overview")["taskmanagers"] == 1)
        return False

    def submit(self, run_file: Path) -> str:
        jar = self.rest.upload(ROOT / "cli" / "target" / "lockstep.jar")
        request = {
            "entryClass": "io.lockstep.cli.JobMain",
            "programArgsList": [str(run_file)],
            "parallelism": SLOTS,
        }
        return str(self.rest.post(f"jars/{jar}/run", request)["jobid"])

    def state(self, job: str) -> str:
        return str(self.rest.get(f"jobs/{job}")["state"])

    def stop(self) -> None:
        for process in self._processes:
            process.send_signal(signal.SIGKILL)
            process.wait(_END_S)


def _free_ports(count: int) -> list[int]:
    sockets = [socket.create_server((_HOST, 0)) for _ in range(count)]
    ports = [int(s.getsockname()[1]) for s in sockets]
    for s in sockets:
        s.close()
    return ports


def can_limit() -> bool:
    """Whether this process may create a control group that limits memory."""
    try:
        MemoryGroup.create(64).remove()
    except OSError:
        return False
    return True


@contextmanager
def limited_cluster(
    folder: Path, limit_mib: int, off_heap_mib: int
) -> Iterator[tuple[LimitedCluster, MemoryGroup]]:
    run(ROOT / "flink-conf" / "standalone.sh", "install", cwd=folder)
    group = MemoryGroup.create(limit_mib)
    cluster = LimitedCluster(folder, group, off_heap_mib)
    try:
        cluster.start()
        yield cluster, group
    finally:
        cluster.stop()
        group.remove()
