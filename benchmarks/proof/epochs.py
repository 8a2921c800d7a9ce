"""Epochs of one trainer with and without digests: python -m proof.epochs DATA WARM_UP COUNTED

bare: the run keeps no digests.
digests: all settings at their defaults.

The trainer reads every number of the first file once and does nothing else, in many short epochs.
Each variant has its own job and Loader, both open from the start; the variants take one epoch in
turn while the other is idle, so that both see the same machine. Then some commits are timed, each
at the end of an epoch. Prints one line of JSON.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import Any

import lockstep.torch
import torch

from harness.commands import started
from harness.processes import adopt_orphans
from harness.setup import lockstep_command
from tabular.loop import run, stacked
from tabular.workload import BATCH

_VARIANTS = ("bare", "digests")

_COMMITS = 10

_RUN_FILE = """
streams:
  train: {{data: {data}, order: {{batch: {batch}, epochs: {epochs}, tail: pad}}}}
run: {{directory: {directory}, digests: {digests}}}
"""


@contextmanager
def _served(data: Path, epochs: int, digests: str) -> Iterator[str]:
    """A job over the data; yields its run directory."""
    with TemporaryDirectory() as scratch, TemporaryFile("w+") as log:
        file = Path(scratch, "run.yaml")
        directory = f"{scratch}/run"
        file.write_text(
            _RUN_FILE.format(
                data=data,
                batch=BATCH,
                epochs=epochs,
                directory=directory,
                digests=digests,
            )
        )
        with started([lockstep_command(), "serve", file], log) as job:
            line = job.stdout.readline() if job.stdout else ""
            if not line:
                log.seek(0)
                raise RuntimeError(f"the job did not start: {log.read()[-2000:]}")
            yield json.loads(line)["run"]


class _Trainer:
    """Runs the epochs of one variant."""

    def __init__(self, loader: lockstep.torch.Loader) -> None:
        self._loader = loader
        self._numbers = loader.epochs()

    def epoch(self) -> dict[str, Any]:
        return run(self._batches, time.monotonic())

    def commit(self) -> float:
        """The seconds for which a commit blocks the trainer."""
        started = time.monotonic()
        self._loader.commit(self._loader.state_dict())
        return time.monotonic() - started

    def _batches(self) -> Iterator[tuple[torch.Tensor, ...]]:
        next(self._numbers)
        for batch in self._loader:
            x, i, ids, label = stacked(batch)
            yield x, i, ids[batch.weight > 0], label


@contextmanager
def _trainer(variant: str, data: Path, epochs: int) -> Iterator[_Trainer]:
    with (
        _served(data, epochs, "off" if variant == "bare" else "keep") as directory,
        lockstep.torch.Loader("train", rank=0, world_size=1, launch="a", run=directory) as loader,
    ):
        yield _Trainer(loader)


def main(data: str, warm_up: int, counted: int) -> None:
    adopt_orphans()
    torch.set_num_threads(1)
    first = min(Path(data).glob("*.parquet"))
    epochs: dict[str, list[dict[str, Any]]] = {variant: [] for variant in _VARIANTS}
    commits = []
    with ExitStack() as stack:
        total = warm_up + counted + _COMMITS
        trainers = {v: stack.enter_context(_trainer(v, first, total)) for v in _VARIANTS}
        for turn in range(warm_up + counted):
            # In alternating order, so that drift of the machine's speed favours neither.
            for variant in _VARIANTS[:: -1 if turn % 2 else 1]:
                epochs[variant].append(trainers[variant].epoch())
        for _ in range(_COMMITS):
            trainers["digests"].epoch()
            commits.append(trainers["digests"].commit())
    kept = {variant: taken[warm_up:] for variant, taken in epochs.items()}
    print(json.dumps({"epochs": kept, "commits": commits}))  # noqa: T201


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
