"""A job without trainers, and trainers started by torchrun."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

from lockstep import Loader, done

from tests.command import LOCKSTEP, QUICKSTART, run
from tests.conftest import accuracies


def served(run: Path) -> subprocess.Popen[str]:
    """A serving job."""
    data = ("--data", QUICKSTART / "data" / "train", "--batch", "64", "--epochs", "2")
    job = subprocess.Popen(
        [LOCKSTEP, "serve", "--run", run, *data],
        cwd=run.parent,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert job.stdout is not None
    assert json.loads(job.stdout.readline())["run"] == str(run)
    return job


def test_a_trainer_goes_on_with_the_job_that_is_started_anew(tmp_path: Path) -> None:
    run = tmp_path / "run"
    with served(run) as killed:
        train = Loader("train", run=run, rank=0, world_size=1, launch="test")
        batches = ((epoch, batch.step) for epoch in train.epochs() for batch in train)
        seen = [next(batches) for _ in range(5)]
        train.commit(train.state_dict())
        killed.kill()
    with served(run) as job:
        seen += [next(batches) for _ in range(5)]
        train.commit(train.state_dict())
        resumed = train.resume()
        assert resumed is not None
        assert (resumed["epoch"], resumed["step"]) == (0, 10)
        seen += batches
        done()

        assert job.wait(60) == 0
    assert seen == [(epoch, step) for epoch in range(2) for step in range(22)]


def test_trainers_of_torchrun_attach_to_the_run_that_serve_prints(
    quickstart: subprocess.CompletedProcess[str], tmp_path: Path
) -> None:
    serve = (LOCKSTEP, "serve", "--detach", QUICKSTART / "run.yaml")
    printed = json.loads(run(*serve, cwd=tmp_path).stdout)
    job = os.pidfd_open(printed["pid"])
    try:
        torchrun = [sys.executable, "-m", "torch.distributed.run", "--nproc-per-node=2"]
        done = run(*torchrun, "train.py", cwd=QUICKSTART, env={"LOCKSTEP_RUN": printed["run"]})
        ended, _, _ = select.select([job], [], [], 60)
        assert ended == [job]
    finally:
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(job, signal.SIGKILL)
        os.close(job)
    expected = accuracies(quickstart.stdout + quickstart.stderr)
    assert accuracies(done.stdout) == expected
    assert os.listdir(printed["run"])
