"""A standalone Flink cluster of real processes: ZooKeeper, a JobManager, and TaskManagers."""

from __future__ import annotations

import os
import socket
import subprocess
from pathlib import Path

from chaos import processes
from chaos.distribution import (
    JOB_MANAGER,
    ROOT,
    TASK_MANAGER,
    TASK_MANAGER_SIZES,
    ZOOKEEPER,
    Distribution,
    Program,
)
from chaos.errors import CampaignError
from chaos.network import LOOPBACK
from chaos.rest import Rest

TASK_MANAGERS = 2
SLOTS_EACH = 2

_READY_S = 240.0
_READY_EVERY_S = 0.2
_END_S = 20.0

# Lost processes are noticed, and their work resumed, within a second or two.
_FAST = """
heartbeat.interval: 1s
heartbeat.timeout: 12s
heartbeat.rpc-failure-threshold: 1
restart-strategy.type: fixed-delay
restart-strategy.fixed-delay.attempts: 1000000
restart-strategy.fixed-delay.delay: 200ms
cluster.registration.error-delay: 500ms
cluster.registration.refused-registration-delay: 500ms
cluster.registration.max-timeout: 2s
high-availability.zookeeper.client.session-timeout: 4s
high-availability.zookeeper.client.connection-timeout: 4s
high-availability.zookeeper.client.retry-wait: 500ms
high-availability.zookeeper.client.tolerate-suspended-connections: true
execution.checkpointing.num-retained: 3
execution.checkpointing.timeout: 10s
jobmanager.adaptive-scheduler.submission.resource-wait-timeout: 60s
jobmanager.adaptive-scheduler.submission.resource-stabilization-timeout: 1s
jobmanager.adaptive-scheduler.executing.cooldown-after-rescaling: 0s
jobmanager.adaptive-scheduler.executing.resource-stabilization-timeout: 1s
web.refresh-interval: 100
rest.flamegraph.enabled: false
"""


class Cluster:
    """Starts and kills the cluster's processes one by one. Uses the settings of flink-conf."""

    def __init__(self, folder: Path, host: str) -> None:
        self.folder = folder
        self.checkpoints = folder / "checkpoints"
        self.savepoints = folder / "savepoints"
        self.adaptive = False
        self._host = host
        home = os.environ.get("LOCKSTEP_FLINK_HOME") or ROOT / ".lockstep" / "flink-2.3.0"
        self._flink = Distribution(Path(home), folder)
        self._conf = folder / "conf"
        self._configured = ("--configDir", str(self._conf))
        self._zookeeper: subprocess.Popen[bytes] | None = None
        self.job_manager: subprocess.Popen[bytes] | None = None
        self.task_managers: list[subprocess.Popen[bytes]] = []
        self.all_pids: set[int] = set()
        self._life = 0
        rpc, rest, client, peer, election = _free_ports(5)
        self.rest = Rest(f"{LOOPBACK}:{rest}")
        self._rpc = rpc
        self._client = client
        self._peers = f"{LOOPBACK}:{peer}:{election}"

    def open(self) -> None:
        self._flink.open()
        (self.folder / "tmp").mkdir()
        (self._conf / "zoo.cfg").write_text(
            "tickTime=500\ninitLimit=10\nsyncLimit=5\nadmin.enableServer=false\n"
            f"dataDir={self.folder / 'zookeeper'}\nclientPort={self._client}\n"
            f"clientPortAddress={LOOPBACK}\nserver.1={self._peers}\n"
        )
        self._configure()
        zoo = str(self._conf / "zoo.cfg")
        self._zookeeper = self._start(ZOOKEEPER, "--zkConfigFile", zoo, "--peerId", "1")
        self.start(adaptive=False)

    def _configure(self) -> None:
        (self._conf / "config.yaml").write_text(self._settings())

    def _settings(self) -> str:
        own = {
            "jobmanager.rpc.address": LOOPBACK,
            "jobmanager.rpc.port": self._rpc,
            "jobmanager.bind-host": LOOPBACK,
            "rest.address": LOOPBACK,
            "rest.port": self.rest.address.rpartition(":")[2],
            "rest.bind-address": LOOPBACK,
            "taskmanager.host": self._host,
            "taskmanager.bind-host": self._host,
            "taskmanager.numberOfTaskSlots": SLOTS_EACH,
            "execution.checkpointing.dir": f"file://{self.checkpoints}",
            "execution.checkpointing.savepoint-dir": f"file://{self.savepoints}",
            "io.tmp.dirs": self.folder / "tmp",
            "web.upload.dir": self.folder / "jars",
            "high-availability.type": "zookeeper",
            "high-availability.zookeeper.quorum": f"{LOOPBACK}:{self._client}",
            "high-availability.cluster-id": f"/life-{self._life}",
            "jobmanager.scheduler": "adaptive" if self.adaptive else "default",
            "high-availability.storageDir": f"file://{self.folder / 'ha'}",
        }
        text = (
            "".join(f"{key}: {value}\n" for key, value in own.items()) + _FAST + TASK_MANAGER_SIZES
        )
        keys = {line.partition(":")[0] for line in text.splitlines() if line}
        base = (ROOT / "flink-conf" / "config.yaml").read_text().splitlines(keepends=True)
        return "".join(line for line in base if line.partition(":")[0] not in keys) + text

    def start(self, adaptive: bool, forget: bool = False) -> None:
        """Starts all missing processes; with `forget`, as a new cluster without jobs."""
        if forget:
            self._life += 1
        self.start_job_manager(adaptive)
        while len(self.task_managers) < TASK_MANAGERS:
            self.start_task_manager()
        self.await_ready()

    def start_job_manager(self, adaptive: bool) -> None:
        self.adaptive = adaptive
        self._configure()
        self.job_manager = self._start(JOB_MANAGER, *self._configured)

    def start_task_manager(self) -> None:
        self.task_managers.append(self._start(TASK_MANAGER, *self._configured))

    def await_ready(self) -> None:
        """Waits until all task managers have registered."""

        def ready() -> bool:
            for process in [self._zookeeper, self.job_manager, *self.task_managers]:
                if process is not None and process.poll() is not None:
                    raise CampaignError(
                        f"a process of the cluster ended with {process.returncode} before all were "
                        f"there; see {self.folder}/log"
                    )
            try:
                return bool(self.rest.get("overview")["taskmanagers"] == TASK_MANAGERS)
            except (OSError, KeyError):
                return False

        if not processes.patiently(ready, _READY_S, _READY_EVERY_S):
            raise CampaignError(
                f"the cluster was not ready in {_READY_S:.0f} s; see {self.folder}/log"
            )

    def kill_task_manager(self, victim: subprocess.Popen[bytes]) -> None:
        self.task_managers.remove(victim)
        _end(victim)

    def kill_job_manager(self) -> None:
        if self.job_manager is not None:
            _end(self.job_manager)
        self.job_manager = None

    def switch_scheduler(self, adaptive: bool) -> None:
        """Replaces the JobManager. One that is killed while it cleans up after a job may fail to
        restart (Flink 2.3.0 finds the job's result without its application), so this waits for the
        clean-up.
        """
        if self.adaptive != adaptive:
            ha = self.folder / "ha"
            processes.until(lambda: not list(ha.rglob("*_DIRTY.json")), _END_S)
            self.kill_job_manager()
            self.start_job_manager(adaptive)

    def kill(self) -> None:
        """Kills all but ZooKeeper at once."""
        doomed = [*self.task_managers, *([self.job_manager] if self.job_manager else [])]
        for process in doomed:
            processes.kill(process.pid)
        for process in doomed:
            process.wait(_END_S)
        self.task_managers, self.job_manager = [], None

    def close(self) -> None:
        self.kill()
        if self._zookeeper is not None:
            _end(self._zookeeper)

    def _start(self, program: Program, *words: str) -> subprocess.Popen[bytes]:
        process = self._flink.start(program, *words)
        self.all_pids.add(process.pid)
        return process


def _end(process: subprocess.Popen[bytes]) -> None:
    processes.kill(process.pid)
    process.wait(_END_S)


def _free_ports(count: int) -> list[int]:
    sockets = [socket.create_server((LOOPBACK, 0)) for _ in range(count)]
    ports = [int(s.getsockname()[1]) for s in sockets]
    for s in sockets:
        s.close()
    return ports
