"""Seeks to distant steps, and commits: python -m seek.steps DATA REPEATS

All row groups are cached before. Prints one line of JSON.
"""

from __future__ import annotations

import json
import sys
import time
from typing import Any

import lockstep

from tabular.workload import BATCH

_EPOCHS = 1_000_000
_COMMITS = 50


def main(data: str, repeats: str) -> None:
    with lockstep.open(data, batch=BATCH, epochs=_EPOCHS, tail="pad") as loader:
        for _ in loader:
            pass
        state = loader.state_dict()
        last = len(loader) - 1
        places = [(0, 1), (0, last), (1, 0), (12_345, last // 2), (_EPOCHS - 1, last)]
        seeks = [
            {"epoch": epoch, "step": step, "seconds": _seek(loader, state, epoch, step)}
            for _ in range(int(repeats))
            for epoch, step in places
        ]
        commits = [_commit(loader, step) for step in range(_COMMITS)]
    print(json.dumps({"seeks": seeks, "commits_s": commits}))  # noqa: T201


def _seek(loader: lockstep.Loader, state: dict[str, Any], epoch: int, step: int) -> float:
    started = time.monotonic()
    loader.load_state_dict({**state, "epoch": epoch, "step": step})
    batch = next(iter(loader))
    seconds = time.monotonic() - started
    if (batch.epoch, batch.step) != (epoch, step):
        raise RuntimeError(f"{batch!r} came in place of epoch {epoch}, step {step}")
    return seconds


def _commit(loader: lockstep.Loader, step: int) -> float:
    state = {**loader.state_dict(rng=True), "epoch": 0, "step": step % len(loader)}
    started = time.monotonic()
    loader.commit(state)
    return time.monotonic() - started


if __name__ == "__main__":
    main(*sys.argv[1:])
