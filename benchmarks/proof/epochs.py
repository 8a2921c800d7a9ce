"""Epochs of one trainer with and without proof, in turns: python -m proof.epochs LOOP DATA

bare: the run keeps no digests, and the trainer commits nothing.
digests: all settings at their defaults.
commits: as digests, and a commit at the end of each epoch, some seconds after the one before.

With the loop "sums" the trainer reads every number of the first file once and does no more, in
many short epochs; with "model" it trains a small model besides, on all files.

Each has a job and a Loader of its own, all open from the beginning; one epoch at a time is taken,
of one after the other, and meanwhile the others rest. So all see the same machine. After "sums"
some commits are timed, each at the end of an epoch. Prints one line of JSON.
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

    whole: whether of all files; else of the first.
    warm_up: epochs that are not counted: the first fills the cache, then the JVM compiles.
    commits: how many to time, of the last variant.
    """

    variants: tuple[str, ...]
    whole: bool
    warm_up: int
    counted: int
    commits: int

    @property
    def epochs(self) -> int:
        return self.warm_up + self.counted + self.commits


_PLANS = {
    "sums": _Plan(("bare", "digests"), False, 40, 160, 10),
    "model": _Plan(("bare", "commits"), True, 2, 4, 0),
}

_RUN_FILE = """
streams:
  train: {{data: {data}, order: {{batch: {batch}, epochs: {epochs}, tail: pad}}}}
run: {{directory: {directory}, digests: {digests}}}
"""


@contextmanager
def _served(data: Path, epochs: int, digests: str) -> Iterator[str]:
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

    def commit(self) -> float:
        """The seconds for which a commit holds the trainer."""
        started = time.monotonic()
        self._loader.commit(self._loader.state_dict())
        return time.monotonic() - started

    def _batches(self) -> Iterator[tuple[torch.Tensor, ...]]:
        next(self._numbers)
        for batch in self._loader:
            x, i, ids, label = stacked(batch)
            if self._model:
                self._model.step(x, i, label)
            yield x, i, ids[batch.weight > 0], label
        if self._commits:
            self.commit()


@contextmanager
def _trainer(variant: str, data: Path, epochs: int, model: Model | None) -> Iterator[_Trainer]:
    with (
        _served(data, epochs, "off" if variant == "bare" else "keep") as directory,
        lockstep.torch.Loader("train", rank=0, world_size=1, launch="a", run=directory) as loader,
    ):
        yield _Trainer(variant, loader, model)


def main(loop: str, data: str) -> None:
    adopt_orphans()
    torch.set_num_threads(1)
    plan = _PLANS[loop]
    files = Path(data) if plan.whole else min(Path(data).glob("*.parquet"))
    epochs: dict[str, list[dict[str, Any]]] = {variant: [] for variant in plan.variants}
    commits = []
    with ExitStack() as stack:
        trainers = {
            v: stack.enter_context(
                _trainer(v, files, plan.epochs, Model() if loop == "model" else None)
            )
            for v in plan.variants
        }
        for turn in range(plan.warm_up + plan.counted):
            # Back and forth, so that a machine that gets slower or faster favours none.
            for variant in plan.variants[:: -1 if turn % 2 else 1]:
                epochs[variant].append(trainers[variant].epoch())
        for _ in range(plan.commits):
            trainers[plan.variants[-1]].epoch()
            commits.append(trainers[plan.variants[-1]].commit())
    counted = {v: taken[plan.warm_up :] for v, taken in epochs.items()}
    print(json.dumps({"epochs": counted, "commits": commits}))  # noqa: T201


if __name__ == "__main__":
    main(*sys.argv[1:])
