"""The job alone, and trainers that torchrun starts."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from tests.command import LOCKSTEP, QUICKSTART, run
from tests.conftest import accuracies


def test_trainers_of_torchrun_attach_to_the_run_that_serve_prints(
    quickstart: subprocess.CompletedProcess[str], tmp_path: Path
) -> None:
    job = subprocess.Popen(
        [LOCKSTEP, "serve", QUICKSTART / "run.yaml"],
        cwd=tmp_path,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with job:
        assert job.stdout is not None
        printed = json.loads(job.stdout.readline())
        torchrun = [sys.executable, "-m", "torch.distributed.run", "--nproc-per-node=2"]
        done = run(*torchrun, "train.py", cwd=QUICKSTART, env={"LOCKSTEP_RUN": printed["run"]})

        # Not its input's end but the trainers' ended it.
        assert job.wait(60) == 0
    expected = accuracies(quickstart.stdout + quickstart.stderr)
    assert accuracies(done.stdout) == expected
    assert os.listdir(printed["run"])
