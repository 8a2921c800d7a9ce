"""Processes of Flink's distribution."""

from __future__ import annotations

import itertools
import os
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from chaos.errors import CampaignError

ROOT = Path(__file__).resolve().parents[1]

# For JVMs that live for seconds. ZooKeeper is never killed, so it need not write through to the
# disk. Flink sets a security manager, which JDKs permit only on request from 18 on.
_JVM = (
    "-XX:+UseSerialGC",
    "-XX:TieredStopAtLevel=1",
    "-Dzookeeper.forceSync=no",
    "-Djava.security.manager=allow",
)
_OPTIONS = "env.java.opts.all: >-\n"


@dataclass(frozen=True)
class Program:
    """The command that a script of the distribution runs in the end."""

    name: str
    main: str
    memory: tuple[str, ...]


_RUNTIME = "org.apache.flink.runtime"
ZOOKEEPER = Program("zookeeper", f"{_RUNTIME}.zookeeper.FlinkZooKeeperQuorumPeer", ("-Xmx64m",))
JOB_MANAGER = Program(
    "jobmanager",
    f"{_RUNTIME}.entrypoint.StandaloneSessionClusterEntrypoint",
    ("-Xms324m", "-Xmx324m", "-XX:MaxMetaspaceSize=256m"),
)
TASK_MANAGER = Program(
    "taskmanager",
    f"{_RUNTIME}.taskexecutor.TaskManagerRunner",
    ("-Xms220m", "-Xmx220m", "-XX:MaxDirectMemorySize=416m", "-XX:MaxMetaspaceSize=256m"),
)
# The sizes that the script computes for the TaskManager: 220m of heap and 416m outside it.
TASK_MANAGER_SIZES = """
taskmanager.memory.process.size: 1100m
taskmanager.cpu.cores: 2.0
taskmanager.memory.framework.heap.size: 128m
taskmanager.memory.task.heap.size: 92m
taskmanager.memory.framework.off-heap.size: 128m
taskmanager.memory.task.off-heap.size: 256m
taskmanager.memory.network.min: 32m
taskmanager.memory.network.max: 32m
taskmanager.memory.managed.size: 16m
taskmanager.memory.jvm-metaspace.size: 256m
taskmanager.memory.jvm-overhead.min: 192m
taskmanager.memory.jvm-overhead.max: 192m
"""


def install() -> None:
    """Downloads Flink from PyPI, unless it is there already or LOCKSTEP_FLINK_HOME names one."""
    if os.environ.get("LOCKSTEP_FLINK_HOME"):
        return
    if subprocess.run([ROOT / "flink-conf" / "standalone.sh", "install"]).returncode:
        raise CampaignError("Flink could not be installed; the message is above")


class Distribution:
    """Starts a cluster's processes, each with its own log.

    Runs the commands that the scripts of the distribution resolve to, because each script starts
    three JVMs to compute them.
    """

    def __init__(self, home: Path, folder: Path) -> None:
        self._home = home
        self._conf = folder / "conf"
        self._logs = folder / "log"
        self._starts = 0

    def open(self) -> None:
        """Creates the folders for configuration and logs."""
        if not (self._home / "lib").exists():
            raise CampaignError(
                f"there is no Flink in {self._home}: 'flink-conf/standalone.sh install' gets it"
            )
        for folder in (self._conf, self._logs):
            folder.mkdir(parents=True)
        for file in (self._home / "conf").glob("log4j*.properties"):
            shutil.copy(file, self._conf)

    def start(
        self,
        program: Program,
        *words: str,
        preexec_fn: Callable[[], None] | None = None,
    ) -> subprocess.Popen[bytes]:
        self._starts += 1
        log = self._logs / f"{self._starts:04d}-{program.name}.log"
        with log.open("wb") as output:
            return subprocess.Popen(
                [
                    _java(),
                    *_JVM,
                    *program.memory,
                    *_options(),
                    f"-Dlog.file={log.with_suffix('.file')}",
                    f"-Dlog4j.configurationFile=file:{self._conf / 'log4j-console.properties'}",
                    "-classpath",
                    f"{self._home / 'lib'}/*",
                    program.main,
                    *words,
                ],
                env={**os.environ, "FLINK_PLUGINS_DIR": str(self._home / "plugins")},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                preexec_fn=preexec_fn,
            )


def _java() -> str:
    home = os.environ.get("JAVA_HOME")
    return f"{home}/bin/java" if home else "java"


def _options() -> list[str]:
    """The JVM options of flink-conf/config.yaml that apply to all processes."""
    text = (ROOT / "flink-conf" / "config.yaml").read_text().partition(_OPTIONS)[2]
    lines = itertools.takewhile(lambda line: line.startswith("  "), text.splitlines())
    return [line.strip() for line in lines]
