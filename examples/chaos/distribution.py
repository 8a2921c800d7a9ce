"""Processes of Flink's distribution."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from chaos import processes
from chaos.errors import CampaignError

_LOG_FILE = "-Dlog.file="


@dataclass(frozen=True)
class _Command:
    words: list[str]
    environment: dict[str, str]


class Distribution:
    """Starts a cluster's processes in the foreground, each with a log of its own.

    The scripts of the distribution start up to three JVMs to work out the command that they become
    in the end. So they run until it is known what they become, which is what is started later.
    """

    def __init__(self, home: Path, logs: Path, environment: Mapping[str, str]) -> None:
        self._home = home
        self._logs = logs
        self._environment = {**os.environ, **environment}
        self._starts = 0
        self._first: dict[str, int] = {}
        self._known: dict[str, _Command] = {}

    def check(self) -> None:
        if not (self._home / "lib").exists():
            raise CampaignError(
                f"there is no Flink in {self._home}: 'flink-conf/standalone.sh install' gets it"
            )

    @property
    def conf(self) -> Path:
        return self._home / "conf"

    def start(self, script: str, *words: str) -> subprocess.Popen[bytes]:
        self._starts += 1
        log = self._logs / f"{self._starts:04d}-{script.removesuffix('.sh')}.log"
        command = self._known.get(script)
        if command is None:
            line = [str(self._home / "bin" / script), "start-foreground", *words]
            process = self._spawn(_Command(line, self._environment), log)
            self._first.setdefault(script, process.pid)
        else:
            process = self._spawn(_to(command, log), log)
        return process

    @staticmethod
    def _spawn(command: _Command, log: Path) -> subprocess.Popen[bytes]:
        with log.open("wb") as output:
            return subprocess.Popen(
                command.words,
                env=command.environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def learn(self) -> None:
        """To be called when all that was started is up: remembers what the scripts became."""
        for script, pid in self._first.items():
            words = processes.words(pid, "cmdline")
            # Where a script has a child instead, it goes on to be the way to start it.
            if words and Path(words[0]).name == "java":
                pairs = (word.split("=", 1) for word in processes.words(pid, "environ"))
                self._known.setdefault(script, _Command(words, dict(pairs)))


def _to(command: _Command, log: Path) -> _Command:
    """The same with a log file of its own."""
    words = [
        f"{_LOG_FILE}{log.with_suffix('.file')}" if word.startswith(_LOG_FILE) else word
        for word in command.words
    ]
    return _Command(words, command.environment)
