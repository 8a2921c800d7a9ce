"""Idle trainers: python -m idle.waiting CASE DATA

paused: one took a batch and pauses; the job has prefetched all that it can.
absent: rank 1 of 2 is attached and rank 0 does not come.

Prints "ready", and exits when its input ends.
"""

from __future__ import annotations

import sys
import threading

import lockstep

from tabular.workload import BATCH


def paused(data: str) -> None:
    with lockstep.open(data, batch=BATCH) as loader:
        next(iter(loader))
        _rest()


def absent(run: str) -> None:
    threading.Thread(
        target=lockstep.Loader,
        kwargs={"rank": 1, "world_size": 2, "launch": "idle", "run": run, "retry_limit_s": 600},
        daemon=True,
    ).start()
    _rest()


def _rest() -> None:
    print("ready", flush=True)  # noqa: T201
    sys.stdin.read()


if __name__ == "__main__":
    {"paused": paused, "absent": absent}[sys.argv[1]](sys.argv[2])
