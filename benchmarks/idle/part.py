"""Processor time per minute of an idle job and idle trainers."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from subprocess import Popen
from tempfile import TemporaryFile
from typing import IO, Any

from harness.commands import PartFailedError, started
from harness.deadline import Deadline
from harness.figure import Figure
from harness.processes import is_java, tree, tree_cpu_s
from harness.report import Row
from harness.setup import Setup, lockstep_command
from tabular.workload import BATCH

LIMIT_S = 8 * 60

# The time that JIT compilers and prefetching need to settle.
_SETTLE_S = 20
_MINUTE_S = 60
_BRIEF_S = 1

# Processor seconds per minute of one core; "none" means less than a clock tick can show.
_LIMIT_S = 0.2

CASES = {
    "none": "a job that no trainer has joined",
    "absent": "a job and a trainer that waits for another rank",
    "paused": "a job and a trainer that rests on its first batch",
}


def measure(setup: Setup, deadline: Deadline) -> dict[str, Any]:
    data = setup.tabular_data()
    serve = [lockstep_command(), "serve", "--data", str(data), "--batch", str(BATCH)]
    found = {}
    with TemporaryFile("w+") as log:
        with started(serve, log) as job:
            run = json.loads(_line(job, log))["run"]
            found["none"] = _minute(setup, [job])
            with started(setup.module("idle.waiting", "absent", run), log) as trainer:
                _line(trainer, log)
                found["absent"] = _minute(setup, [job, trainer])
        with started(setup.module("idle.waiting", "paused", data), log) as trainer:
            _line(trainer, log)
            found["paused"] = _minute(setup, [trainer])
    return found


def _line(process: Popen[str], log: IO[str]) -> str:
    line = process.stdout.readline() if process.stdout else ""
    if not line:
        log.seek(0)
        raise PartFailedError(f"{process.args!r} did not start: {log.read()[-2000:]}")
    return line


def _minute(setup: Setup, roots: Sequence[Popen[str]]) -> dict[str, float]:
    """Processor seconds per minute, of JVMs and of all other processes."""
    time.sleep(_BRIEF_S if setup.brief else _SETTLE_S)
    before = _cpu(roots)
    time.sleep(_BRIEF_S if setup.brief else _MINUTE_S)
    return {kind: seconds - before[kind] for kind, seconds in _cpu(roots).items()}


def _cpu(roots: Sequence[Popen[str]]) -> dict[str, float]:
    total = sum(tree_cpu_s(root.pid) for root in roots)
    jvm = sum(tree_cpu_s(pid) for root in roots for pid in tree(root.pid) if is_java(pid))
    return {"jvm": jvm, "python": total - jvm}


def rows(result: dict[str, Any]) -> list[Row]:
    return [
        Row.of(
            f"processor seconds in a minute of {CASES[case]}",
            Figure([used["jvm"] + used["python"]]),
            "limit",
            _LIMIT_S,
            digits=2,
        )
        for case, used in result.items()
    ]
