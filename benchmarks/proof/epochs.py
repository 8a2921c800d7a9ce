"""Epochs of one trainer with and without proof, in turns: python -m proof.epochs DATA

bare: the run keeps no digests, and the trainer commits nothing.
digests: all settings at their defaults.
commits: as digests, and a commit every 100 steps.

Each has a job and a Loader of its own, all open from the beginning; one epoch at a time is taken,
of one after the other, and meanwhile the others rest. So all see the same machine. Prints one line
of JSON.
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

VARIANTS = ("bare", "digests", "commits")
# Epochs that are not counted: the first fills the cache, and in the others the JVM compiles.
_WARM_UP = 6
_COUNTED = 8
_COMMIT_STEPS = 100

_RUN_FILE = """
streams:
  train: {{data: {data}, order: {{batch: {batch}, epochs: {epochs}, tail: pad}}}}
run: {{directory: {directory}, digests: {digests}}}
"""


@contextmanager
def _served(data: str, digests: str) -> Iterator[str]:
    """A job over the data; its run directory."""
    with TemporaryDirectory() as scratch, TemporaryFile("w+") as log:
        file = Path(scratch, "run.yaml")
        epochs, directory = _WARM_UP + _COUNTED, f"{scratch}/run"
        file.write_text(
            _RUN_FILE.format(
                data=data, batch=BATCH, epochs=epochs, directory=directory, digests=digests
            )
        )
        with started([lockstep_command(), "serve", file], log) as job:
            line = job.stdout.readline() if job.stdout else ""
            if not line:
                log.seek(0)
                raise RuntimeError(f"the job did not start: {log.read()[-2000:]}")
            yield json.loads(line)["run"]


class _Trainer:
    """Takes the epochs of one variant."""

    def __init__(self, variant: str, loader: lockstep.torch.Loader) -> None:
        self._commits = variant == "commits"
        self._loader = loader
        self._numbers = loader.epochs()

    def epoch(self) -> dict[str, Any]:
        return run(self._batches, time.monotonic())

    def _batches(self) -> Iterator[tuple[torch.Tensor, ...]]:
        next(self._numbers)
        for batch in self._loader:
            x, i, ids, label = stacked(batch)
            yield x, i, ids[batch.weight > 0], label
            if self._commits and batch.step % _COMMIT_STEPS == 0:
                self._loader.commit(batch.state_dict())


@contextmanager
def _trainer(variant: str, data: str) -> Iterator[_Trainer]:
    with (
        _served(data, "off" if variant == "bare" else "keep") as directory,
        lockstep.torch.Loader("train", rank=0, world_size=1, launch="a", run=directory) as loader,
    ):
        yield _Trainer(variant, loader)


def main(data: str) -> None:
    adopt_orphans()
    torch.set_num_threads(1)
    epochs: dict[str, list[dict[str, Any]]] = {variant: [] for variant in VARIANTS}
    with ExitStack() as stack:
        trainers = {v: stack.enter_context(_trainer(v, data)) for v in VARIANTS}
        for turn in range(_WARM_UP + _COUNTED):
            # Back and forth, so that a machine that gets slower or faster favours none.
            for variant in VARIANTS[:: -1 if turn % 2 else 1]:
                epochs[variant].append(trainers[variant].epoch())
    print(json.dumps({v: taken[_WARM_UP:] for v, taken in epochs.items()}))  # noqa: T201


if __name__ == "__main__":
    main(*sys.argv[1:])
