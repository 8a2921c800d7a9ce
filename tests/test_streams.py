"""A run file opened from Python: a mapping of Loaders over one job."""

from __future__ import annotations

import contextlib
import gc
import json
from pathlib import Path

import lockstep
import lockstep.torch
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from lockstep.embedded import Job

from tests.command import LOCKSTEP

RUN = """
streams:
  train: {data: data, order: {batch: 32, seed: 3, epochs: 2}}
  eval: {data: data, order: {batch: 50, shuffle: sequential}}
run: {directory: run}
"""


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "data").mkdir()
    table = pa.table({"x": np.arange(200, dtype=np.float32)})
    pq.write_table(table, tmp_path / "data" / "part.parquet")
    (tmp_path / "run.yaml").write_text(RUN)
    monkeypatch.setenv("LOCKSTEP_COMMAND", str(LOCKSTEP))
    return tmp_path / "run.yaml"


def test_all_streams_come_from_one_job_that_ends_with_them(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    jobs: list[Job] = []
    started = Job.__init__

    def count(job: Job, command: list[str]) -> None:
        jobs.append(job)
        started(job, command)

    monkeypatch.setattr(Job, "__init__", count)
    with lockstep.torch.open(file) as streams:
        assert sorted(streams) == ["eval", "train"]
        for epoch in streams["train"].epochs():
            assert len(list(streams["train"])) == 6
            evaluated = [batch["x"].tolist() for batch in streams["eval"]]
            assert [x for batch in evaluated for x in batch] == list(range(200))
            streams["eval"].close()
            assert epoch < 2
        assert streams["train"] is streams["train"]
        with pytest.raises(lockstep.UnknownStreamError, match="its streams are 'eval', 'train'"):
            streams["test"]
    assert len(jobs) == 1
    assert jobs[0].wait(0) == 0
    assert state(file) == "done"
    with pytest.raises(lockstep.UsageError, match="are closed"):
        streams["train"]


def test_after_an_exception_the_run_is_not_done(file: Path) -> None:
    with contextlib.suppress(ZeroDivisionError), lockstep.open(str(file)) as streams:
        next(iter(streams["train"]))
        raise ZeroDivisionError
    assert state(file) != "done"


def test_after_an_exception_in_one_loader_the_run_is_not_done(file: Path) -> None:
    with lockstep.open(file) as streams:
        with contextlib.suppress(ZeroDivisionError), streams["train"]:
            raise ZeroDivisionError
        assert len(list(streams["eval"])) == 4
    assert state(file) != "done"


def test_a_loader_keeps_its_job(file: Path) -> None:
    train = lockstep.open(file)["train"]
    gc.collect()
    assert len(list(train)) == 6
    train.close()


def state(file: Path) -> str:
    return str(json.loads((file.parent / "run" / "job.json").read_text())["state"])


def test_a_wrong_run_file_is_the_message_of_the_command(file: Path, tmp_path: Path) -> None:
    file.write_text(RUN.replace("batch: 32", "bach: 32"))
    with pytest.raises(lockstep.UsageError) as wrong:
        lockstep.open(file)
    assert "unknown key 'bach' in streams.train.order" in str(wrong.value)
    assert "building" not in str(wrong.value)
    with pytest.raises(lockstep.UsageError, match=r"There is no run file .*missing\.yaml"):
        lockstep.open(tmp_path / "missing.yaml")
    with pytest.raises(lockstep.UsageError, match="the run file sets 'batch'"):
        lockstep.open(file, batch=3)
    with pytest.raises(lockstep.UsageError, match="needs batch="):
        lockstep.open(tmp_path / "data")
