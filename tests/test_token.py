"""A run's token stays in its file, and every call needs it."""

from __future__ import annotations

import json
import stat
import subprocess
from pathlib import Path

import lockstep
import pyarrow.flight as flight
import pytest

from tests.command import LOCKSTEP, QUICKSTART, run


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
