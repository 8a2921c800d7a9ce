"""Runs functions until the job closes the socket."""

from __future__ import annotations

import base64
import json
import os
import platform
import resource
import sys
import threading
from typing import Any

import numpy as np
import pyarrow as pa

from lockstep.worker.channel import Channel
from lockstep.worker.fault import FunctionFault
from lockstep.worker.function import Function

_PROTOCOL = 1


def main(path: str, memory: int) -> None:
    """
    path: of the job's socket
    memory: the most bytes that this process may allocate; 0 for no limit
    """
    threading.Thread(target=_end_with_the_job, daemon=True).start()
    if memory:
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    # One worker a core; more threads of a maths library would only compete.
    pa.set_cpu_count(1)
    channel = Channel(path)
    channel.send(
        {
            "protocol": _PROTOCOL,
            "python": platform.python_version(),
            "pyarrow": pa.__version__,
            "numpy": np.__version__,
        }
    )
    functions: dict[str, Function] = {}
    while (call := channel.receive()) is not None:
        rows = channel.receive_rows()
        try:
            made = _function(functions, call)(rows)
        except FunctionFault as fault:
            channel.send({"fault": fault.frame()})
        else:
            channel.send({"fault": None}, made)


def _function(known: dict[str, Function], call: dict[str, Any]) -> Function:
    key = json.dumps(call)
    if key not in known:
        declared = pa.ipc.read_schema(pa.py_buffer(base64.b64decode(call["adds"])))
        known[key] = Function(call["function"], call["parameters"], declared)
    return known[key]


def _end_with_the_job() -> None:
    """Nobody waits for the result of a function once the job's process is gone."""
    sys.stdin.buffer.read()
    os._exit(0)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
