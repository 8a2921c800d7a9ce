"""A run's token stays in its file, and every call needs it."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import lockstep
import pyarrow.flight as flight
import pytest

from tests.command import LOCKSTEP, QUICKSTART, run

TRAIN = """
import lockstep
with lockstep.Loader() as train:
    print(train.rank, train.world_size, *(i for batch in train for i in batch.sample_ids))
"""


def test_the_token_is_in_its_file_and_nowhere_else(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    with subprocess.Popen(
        [LOCKSTEP, "serve", QUICKSTART / "run.yaml", "--run", folder],
        cwd=tmp_path,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as job:
        assert job.stdout is not None
        said = job.stdout.readline()
        file = folder / "token"
        token = file.read_text()
        assert len(token) == 65
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        with lockstep.Loader("train", run=str(folder), rank=0, world_size=1) as train:
            batches = iter(train)
            next(batches)
            train.commit(train.state_dict())
            status = run(LOCKSTEP, "status", folder, "--json", cwd=tmp_path)
            assert [server["answers"] for server in json.loads(status.stdout)["servers"]] == [True]
            stranger = flight.FlightClient(json.loads(status.stdout)["servers"][0]["uri"])
            with pytest.raises(flight.FlightUnauthenticatedError, match="LOCKSTEP_TOKEN"):
                list(stranger.do_action(flight.Action("stats", b'{"protocol":4}')))
        lockstep.done()
        arguments = Path(f"/proc/{job.pid}/cmdline").read_text()
        out, errors = job.communicate(timeout=60)
    secret = token.strip()
    for text in (said, out, errors, arguments, status.stdout, status.stderr):
        assert secret not in text
    found = subprocess.run(
        ["grep", "-rF", "--exclude=token", "--", secret, folder], capture_output=True, check=False
    )
    assert (found.returncode, found.stdout) == (1, b"")


def trained(step: int, world: int, **env: str) -> list[subprocess.CompletedProcess[str]]:
    """Runs TRAIN as the tasks of a step of srun, with only these and the scheduler's variables."""
    scheduler = {"SLURM_JOB_ID": "7", "SLURM_STEP_ID": str(step), "SLURM_NTASKS": str(world)}
    base = {name: os.environ[name] for name in ("PATH", "PYTHONPATH") if name in os.environ}
    tasks = [
        subprocess.Popen(
            [sys.executable, "-c", TRAIN],
            env={**base, **scheduler, "SLURM_PROCID": str(rank), **env},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for rank in range(world)
    ]
    done = []
    for task in tasks:
        out, errors = task.communicate(timeout=120)
        done.append(subprocess.CompletedProcess(task.args, task.returncode, out, errors))
    return done


def test_tasks_of_srun_need_no_token_on_one_host_and_one_variable_elsewhere(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "run"
    data = ("--data", QUICKSTART / "data" / "eval", "--batch", "64")
    with subprocess.Popen(
        [LOCKSTEP, "serve", *data, "--run", folder],
        cwd=tmp_path,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
    ) as job:
        try:
            assert job.stdout is not None
            job.stdout.readline()
            sink = json.loads(next((folder / "sinks").glob("*.json")).read_text())
            endpoints = {"LOCKSTEP_ENDPOINTS": sink["uri"]}

            [refused] = trained(0, 1, **endpoints)
            assert refused.returncode == 1
            assert "LOCKSTEP_TOKEN" in refused.stderr
            # With LOCKSTEP_LAUNCHER the end of a rank does not end the run.
            variables = {
                "LOCKSTEP_TOKEN": (folder / "token").read_text().strip(),
                "LOCKSTEP_TOKEN_FILE": str(folder / "token"),
            }
            for step, (name, value) in enumerate(variables.items(), 1):
                [one] = trained(step, 1, **endpoints, **{name: value}, LOCKSTEP_LAUNCHER="run")
                assert one.returncode == 0, one.stderr
            both = trained(3, 2, LOCKSTEP_RUN=str(folder))
            assert [task.returncode for task in both] == [0, 0], [task.stderr for task in both]
            parts = [task.stdout.split() for task in both]
            assert [part[:2] for part in parts] == [["0", "2"], ["1", "2"]]
            ids = [number for part in parts for number in part[2:]]
            assert sorted(ids) == sorted(one.stdout.split()[2:])
            assert job.wait(60) == 0
        finally:
            job.kill()
