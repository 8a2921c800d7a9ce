"""Epochs of one trainer with and without proof, in turns: python -m proof.epochs LOOP DATA

bare: the run keeps no digests, and the trainer commits nothing.
digests: all settings at their defaults.
commits: as digests, and a commit at the end of each epoch, some seconds after the one before.

With the loop "sums" the trainer reads every number once and does no more, with "model" it trains
a small model besides.

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
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import Any

import lockstep.torch
import torch

from harness.commands import started
from harness.processes import adopt_orphans
from harness.setup import lockstep_command
from proof.model import Model
from tabular.loop import run, stacked
from tabular.workload import BATCH


@dataclass(frozen=True)
class _Plan:
    """What to take of a loop.

    warm_up: epochs that are not counted: the first fills the cache, then the JVM compiles.
    """

    variants: tuple[str, ...]
    warm_up: int
    counted: int


_PLANS = {
    "sums": _Plan(("bare", "digests", "commits"), 6, 8),
    "model": _Plan(("bare", "commits"), 2, 4),
}

_RUN_FILE = """
streams:
  train: {{data: {data}, order: {{batch: {batch}, epochs: {epochs}, tail: pad}}}}
run: {{directory: {directory}, digests: {digests}}}
"""


@contextmanager
def _served(data: str, epochs: int, digests: str) -> Iterator[str]:
    """A job over the data; its run directory."""
    with TemporaryDirectory() as scratch, TemporaryFile("w+") as log:
        file = Path(scratch, "run.yaml")
        directory = f"{scratch}/run"
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

    def __init__(self, variant: str, loader: lockstep.torch.Loader, model: Model | None) -> None:
        self._commits = variant == "commits"
        self._model = model
        self._loader = loader
        self._numbers = loader.epochs()

    def epoch(self) -> dict[str, Any]:
        return run(self._batches, time.monotonic())

    def _batches(self) -> Iterator[tuple[torch.Tensor, ...]]:
        next(self._numbers)
        for batch in self._loader:
            x, i, ids, label = stacked(batch)
            if self._model:
                self._model.step(x, i, label)
            yield x, i, ids[batch.weight > 0], label
        if self._commits:
            self._loader.commit(self._loader.state_dict())


@contextmanager
def _trainer(variant: str, data: str, epochs: int, model: Model | None) -> Iterator[_Trainer]:
    with (
        _served(data, epochs, "off" if variant == "bare" else "keep") as directory,
        lockstep.torch.Loader("train", rank=0, world_size=1, launch="a", run=directory) as loader,
    ):
        yield _Trainer(variant, loader, model)


def main(loop: str, data: str) -> None:
    adopt_orphans()
    torch.set_num_threads(1)
    plan = _PLANS[loop]
    total = plan.warm_up + plan.counted
    epochs: dict[str, list[dict[str, Any]]] = {variant: [] for variant in plan.variants}
    with ExitStack() as stack:
        trainers = {
            v: stack.enter_context(_trainer(v, data, total, Model() if loop == "model" else None))
            for v in plan.variants
        }
        for turn in range(total):
            # Back and forth, so that a machine that gets slower or faster favours none.
            for variant in plan.variants[:: -1 if turn % 2 else 1]:
                epochs[variant].append(trainers[variant].epoch())
    print(json.dumps({v: taken[plan.warm_up :] for v, taken in epochs.items()}))  # noqa: T201


if __name__ == "__main__":
    main(*sys.argv[1:])
