"""Epochs of one trainer with or without proof: python -m proof.epochs VARIANT DATA

bare: the run keeps no digests, and the trainer commits nothing.
digests: all settings at their defaults.
commits: as digests, and a commit every 100 steps.

The job is started first. An epoch that fills the cache comes before those that count. Prints one
line of JSON.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile

import lockstep.torch
import torch

from harness.commands import started
from harness.processes import adopt_orphans
from harness.setup import lockstep_command
from tabular.loop import run, stacked
from tabular.workload import BATCH

EPOCHS = 4
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
        file.write_text(
            _RUN_FILE.format(
                data=data, batch=BATCH, epochs=EPOCHS, directory=f"{scratch}/run", digests=digests
            )
        )
        with started([lockstep_command(), "serve", file], log) as job:
            line = job.stdout.readline() if job.stdout else ""
            if not line:
                log.seek(0)
                raise RuntimeError(f"the job did not start: {log.read()[-2000:]}")
            yield json.loads(line)["run"]


def main(variant: str, data: str) -> None:
    adopt_orphans()
    torch.set_num_threads(1)
    with (
        _served(data, "off" if variant == "bare" else "keep") as directory,
        lockstep.torch.Loader("train", rank=0, world_size=1, launch="a", run=directory) as loader,
    ):
        numbers = loader.epochs()

        def epoch() -> Iterator[tuple[torch.Tensor, ...]]:
            next(numbers)
            for batch in loader:
                x, i, ids, label = stacked(batch)
                yield x, i, ids[batch.weight > 0], label
                if variant == "commits" and batch.step % _COMMIT_STEPS == 0:
                    loader.commit(batch.state_dict())

        epochs = [run(epoch, time.monotonic()) for _ in range(EPOCHS)]
    print(json.dumps({"epochs": epochs[1:]}))  # noqa: T201


if __name__ == "__main__":
    main(*sys.argv[1:])
