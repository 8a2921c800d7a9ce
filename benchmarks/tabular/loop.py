"""The training loop for all loaders, without a model: python -m tabular.loop LOADER DATA

It takes every batch as [rows, 40] floats, [rows, 10] integers, row ids and labels, reads every
number once, and prints the durations of two epochs as one line of JSON. The time that a loader
takes to open and to start its processes is part of the first epoch, and a separate figure if it can
be measured.
"""

from __future__ import annotations

import importlib
import json
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
import torch

from harness.processes import adopt_orphans, tree_cpu_s
from tabular.workload import FLOATS, INTEGERS, LABEL, ROW_ID

EPOCHS = 2

Epoch = Callable[[], Iterator[tuple[torch.Tensor, ...]]]


def stacked(batch: Mapping[str, torch.Tensor]) -> tuple[torch.Tensor, ...]:
    """Separate columns, as a model takes them."""
    return (
        torch.stack([batch[name] for name in FLOATS], 1),
        torch.stack([batch[name] for name in INTEGERS], 1),
        batch[ROW_ID],
        batch[LABEL],
    )


def run(epoch: Epoch, started: float) -> dict[str, Any]:
    """Runs one epoch; checks the rows after the clock has stopped."""
    cpu = tree_cpu_s()
    first = None
    ids = []
    for batch in epoch():
        for tensor in batch:
            float(tensor.sum())
        ids.append(batch[2].numpy())
        if first is None:
            first = time.monotonic() - started
    seconds = time.monotonic() - started
    cpu = tree_cpu_s() - cpu
    rows = np.sort(np.concatenate(ids))
    return {
        "seconds": seconds,
        "first_batch_s": first,
        "cpu_s": cpu,
        "rows": len(rows),
        "every_row_once": bool((rows == np.arange(len(rows))).all()),
    }


def main(name: str, data: str) -> None:
    adopt_orphans()
    torch.set_num_threads(1)
    loader = importlib.import_module(f"tabular.{name}_loader")
    started = time.monotonic()
    with loader.opened(data) as epoch:
        ready = time.monotonic()
        epochs = [run(epoch, ready)]
        epochs += [run(epoch, time.monotonic()) for _ in range(EPOCHS - 1)]
    print(json.dumps({"open_s": ready - started, "epochs": epochs}))  # noqa: T201


if __name__ == "__main__":
    main(*sys.argv[1:])
