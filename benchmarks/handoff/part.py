"""A real server with ready steps, and a Python trainer that takes them, over each transport."""

from __future__ import annotations

import os
import secrets
from tempfile import TemporaryFile
from typing import Any

from harness.commands import PartFailedError, run_json, started
from harness.deadline import Deadline
from harness.figure import Figure
from harness.report import Row
from harness.setup import Setup

LIMIT_S = 5 * 60

TRANSPORTS = {"shm": "shared memory", "flight": "Flight"}

# Required throughput in GB/s.
_GOALS = {"shm": 2.0, "flight": 0.5}

_SERVER = "io.lockstep.benchmarks.handoff.ReadyStepServer"
_STEPS = 64

# The first epochs compile code and touch memory for the first time.
_WARM_UP = 2


def measure(setup: Setup, deadline: Deadline) -> dict[str, Any]:
    return {transport: _measure(setup, transport, deadline) for transport in TRANSPORTS}


def _measure(setup: Setup, transport: str, deadline: Deadline) -> dict[str, Any]:
    load = os.getloadavg()[0]
    # Inherited by the server and the consumer.
    os.environ["LOCKSTEP_TOKEN"] = secrets.token_hex(32)
    server = setup.java(_SERVER, _STEPS, _WARM_UP + setup.repeats)
    with TemporaryFile("w+") as log, started(server, log) as process:
        endpoint = process.stdout.readline().strip() if process.stdout else ""
        if not endpoint:
            log.seek(0)
            raise PartFailedError(f"the server did not start: {log.read()[-2000:]}")
        consumer = setup.module("handoff.consume", endpoint, transport)
        rates = run_json(consumer, deadline.left())
    return {"load": load, "bytes_per_s": rates[_WARM_UP:]}


def rows(result: dict[str, Any]) -> list[Row]:
    return [
        Row.of(
            f"hand-off of 16 MB batches, {name}, GB/s",
            Figure([rate / 1e9 for rate in result[transport]["bytes_per_s"]]),
            "goal",
            _GOALS[transport],
            digits=2,
        )
        for transport, name in TRANSPORTS.items()
    ]
