"""One job per training, and torchrun to start its trainers."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from tests.command import LIMIT_S, LOCKSTEP, ROOT

FRAMEWORKS = ROOT / "examples" / "frameworks"
PROGRAM = Path(__file__).with_name("trainer.py")


class Training:
    """Starts of one script in their own folder, on a job that outlives them."""

    def __init__(self, script: Path, folder: Path, run: str) -> None:
        self._script = script
        self._folder = folder
        self._run = run

    def start(
        self, records: str, *, ranks: int = 2, killed_at: tuple[int, int] | None = None
    ) -> subprocess.Popen[str]:
        """Starts the ranks. All of them are killed with SIGKILL as they take the batch
        killed_at.
        """
        torchrun = ["-m", "torch.distributed.run", "--standalone", f"--nproc-per-node={ranks}"]
        command = [sys.executable, *torchrun, str(PROGRAM), str(self._script)]
        command += [str(self._folder / records), *map(str, killed_at or ())]
        return subprocess.Popen(
            command,
            cwd=self._folder,
            env={**os.environ, "LOCKSTEP_RUN": self._run, "OMP_NUM_THREADS": "1"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def weights(self) -> dict[str, torch.Tensor]:
        weights: dict[str, torch.Tensor] = torch.load(self._folder / "model.pt")
        return weights

    def batches(self, records: str) -> dict[str, dict[str, npt.NDArray[Any]]]:
        """The global batches by EPOCH-STEP: the ranks' batches in rank order."""
        return {step.name: _joined(step) for step in (self._folder / records).iterdir()}


def _joined(step: Path) -> dict[str, npt.NDArray[Any]]:
    parts = [np.load(step / f"{rank}.npz") for rank in range(len(list(step.iterdir())))]
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


@contextmanager
def training(script: str, folder: Path) -> Iterator[Training]:
    """A training of examples/frameworks; at the end its job must have ended by itself."""
    folder.mkdir()
    job = subprocess.Popen(
        [LOCKSTEP, "serve", FRAMEWORKS / "run.yaml"],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
    )
    with job:
        try:
            assert job.stdout is not None
            run = json.loads(job.stdout.readline())["run"]
            yield Training(FRAMEWORKS / script, folder, run)
            assert job.wait(60) == 0
        finally:
            job.terminate()


def succeed(*started: subprocess.Popen[str]) -> None:
    """Waits until all have succeeded; fails with the output of one that has not."""
    for process in started:
        printed = _printed(process)
        assert process.returncode == 0, printed


def failure(started: subprocess.Popen[str]) -> str:
    """The output of a start that must have failed."""
    printed = _printed(started)
    assert started.returncode != 0, printed
    return printed


def _printed(started: subprocess.Popen[str]) -> str:
    try:
        return started.communicate(timeout=LIMIT_S)[0]
    finally:
        started.kill()
