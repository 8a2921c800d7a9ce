"""Tests against a real job, from Parquet files to this process, checked against the order's
specification."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, datetime, timezone
from decimal import Decimal
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as parquet
import pytest

import lockstep
import lockstep.torch
from lockstep.embedded import Job, find_command
from lockstep.waiting import Wait
from tests.order_files import RESOURCES, module

PACKAGE = Path(__file__).resolve().parents[1]
REPOSITORY = PACKAGE.parents[1]

pytestmark = pytest.mark.skipif(
    not (REPOSITORY / "cli/target/lockstep.jar").exists(),
    reason="the Java part is not built: ./lockstep test builds it",
)

ROW_GROUPS = [50, 50, 20, 50, 37]
ROWS = sum(ROW_GROUPS)
TRAIN: dict[str, Any] = {
    "lanes": 4,
    "batch": 24,
    "window": 2,
    "seed": 7,
    "shuffle": "lane",
    "tail": "drop",
}
EVAL: dict[str, Any] = {
    "lanes": 2,
    "batch": 32,
    "window": 64,
    "seed": 0,
    "shuffle": "none",
    "tail": "pad",
}


def table(first: int, rows: int) -> pa.Table:
    """All types that a stream may have; every value identifies its sample."""
    ids = range(first, first + rows)
    midnight = datetime(2024, 1, 1, tzinfo=timezone.utc)
    columns = {
        "i8": pa.array([i % 100 for i in ids], pa.int8()),
        "i16": pa.array(ids, pa.int16()),
        "i32": pa.array(ids, pa.int32()),
        "i64": pa.array([i << 40 for i in ids], pa.int64()),
        "u8": pa.array([i % 256 for i in ids], pa.uint8()),
        "u16": pa.array([65535 - i for i in ids], pa.uint16()),
        "u32": pa.array([2**32 - 1 - i for i in ids], pa.uint32()),
        "u64": pa.array([2**63 + i for i in ids], pa.uint64()),
        "half": pa.array(np.array(ids, np.float16)),
        "float": pa.array([i / 4 for i in ids], pa.float32()),
        "double": pa.array([i / 3 for i in ids], pa.float64()),
        "flag": pa.array([i % 3 == 0 for i in ids]),
        "text": pa.array([f"é{i}" for i in ids]),
        "bytes": pa.array([bytes([i % 256]) * (i % 4) for i in ids]),
        "price": pa.array([Decimal(i) / 4 for i in ids], pa.decimal128(12, 2)),
        "day": pa.array([date.fromordinal(700_000 + i) for i in ids], pa.date32()),
        "at": pa.array([midnight.replace(microsecond=i) for i in ids], pa.timestamp("us", "UTC")),
        "vector": pa.array([[i, i / 2] for i in ids], pa.list_(pa.float32(), 2)),
        "tokens": pa.array([list(range(i % 4)) for i in ids], pa.list_(pa.int32())),
        "words": pa.array([[str(i)] * (i % 3) for i in ids], pa.list_(pa.string())),
        "maybe": pa.array([None if i % 5 == 0 else i for i in ids], pa.int64()),
    }
    return pa.table(columns)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("data")
    first = 0
    for file, groups in enumerate([ROW_GROUPS[:2], ROW_GROUPS[2:3], ROW_GROUPS[3:]]):
        schema = table(0, 1).schema
        with parquet.ParquetWriter(directory / f"{file}.parquet", schema) as writer:
            for rows in groups:
                writer.write_table(table(first, rows))
                first += rows
    return directory


@contextmanager
def job(directory: Path, data: Path, epochs: int = 2) -> Iterator[tuple[Job, str]]:
    """A job with four streams over the same data, and its run directory."""
    streams = {
        "train": {"data": str(data), "order": {**TRAIN, "epochs": epochs}},
        "narrow": {"data": str(data), "columns": ["i32"], "order": {**TRAIN, "epochs": epochs}},
        "eval": {"data": str(data), "columns": ["i32", "float"], "order": EVAL},
        "noisy": {
            "data": str(data),
            "columns": ["float"],
            "transforms": [{"jitter": {"columns": "float", "sigma": 0.5}}],
            "order": TRAIN,
        },
    }
    file = directory / "run.yaml"
    content = {"streams": streams, "run": {"directory": str(directory / "run")}}
    file.write_text(json.dumps(content))  # JSON is YAML
    started = Job([*find_command(), "serve", "--until-eof", str(file)])
    try:
        yield started, started.run_directory(Wait())
    finally:
        started.kill()


def order(settings: dict[str, Any]) -> Any:
    return module(RESOURCES / "order_oracle.py").Order(ROW_GROUPS, **settings)


def expected_ids(settings: dict[str, Any], epoch: int) -> list[list[int]]:
    """The global batches of an epoch."""
    return [
        [place[0] if isinstance(place, tuple) else place for lane in step for place in lane]
        for step in order(settings).epoch(epoch)
    ]


def assert_rows(batch: lockstep.Batch, source: pa.Table) -> None:
    """Asserts that the batch holds those rows of the data, in every column."""
    rows = source.take(pa.array(batch.sample_ids.tolist(), pa.int64()))
    assert list(batch) == source.column_names
    for name in ("i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "half", "float", "double"):
        assert batch[name].dtype == rows[name].to_numpy().dtype, name
        assert batch[name].tolist() == rows[name].to_pylist(), name
    for name in ("flag", "text", "bytes"):
        assert list(batch[name]) == rows[name].to_pylist(), name
    assert batch["price"].tolist() == [float(p) for p in rows["price"].to_pylist()]
    assert batch["day"].tolist() == rows["day"].to_pylist()
    assert batch["at"].tolist() == [t.replace(tzinfo=None) for t in rows["at"].to_pylist()]
    assert batch["vector"].tolist() == rows["vector"].to_pylist()
    for name in ("tokens", "words"):
        values, offsets = batch[name]
        lists = [list(values[a:b]) for a, b in pairwise(offsets)]
        assert lists == rows[name].to_pylist(), name
    assert batch["maybe"].tolist() == [v or 0 for v in rows["maybe"].to_pylist()]
    assert batch.mask["maybe"].tolist() == [v is not None for v in rows["maybe"].to_pylist()]


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory, data: Path) -> Iterator[str]:
    """The run directory of a job for tests whose trainers do not finish."""
    with job(tmp_path_factory.mktemp("shared"), data) as (_, run):
        yield run


def test_every_step_holds_the_rows_that_the_order_names(tmp_path: Path, data: Path) -> None:
    source = table(0, ROWS)
    with job(tmp_path, data) as (serving, run):
        evaluation = lockstep.Loader("eval", run=run)
        for transport in ("shm", "flight"):
            with lockstep.Loader("train", run=run, masks={"maybe"}, transport=transport) as train:
                assert len(train) == ROWS // TRAIN["batch"]
                for epoch in train.epochs():
                    batches = list(train)
                    assert [b.sample_ids.tolist() for b in batches] == expected_ids(TRAIN, epoch)
                    for batch in batches:
                        assert_rows(batch, source)
                    held_out = list(evaluation)
                    assert [b.sample_ids.tolist() for b in held_out] == expected_ids(EVAL, 0)
                    assert sum(b.weight.sum() for b in held_out) == ROWS
                    assert list(held_out[0]) == ["i32", "float"]
        lockstep.done()
        assert serving.wait(60) == 0


RANK = """
import json, sys, torch
import lockstep.torch
train = lockstep.torch.Loader("narrow")
steps = [
    [b.epoch, b.step, b.sample_ids.tolist(), b.generator.random()]
    for _ in train.epochs() for b in train
]
with open(f"{sys.argv[1]}/{train.rank}.json", "w") as file:
    json.dump(steps, file)
train.close()
"""


def test_ranks_under_torchrun_share_each_step(tmp_path: Path, data: Path) -> None:
    script = tmp_path / "train.py"
    script.write_text(RANK)
    with job(tmp_path, data) as (serving, run):
        torchrun = [sys.executable, "-m", "torch.distributed.run", "--nproc-per-node=2"]
        subprocess.run(
            [*torchrun, "--standalone", str(script), str(tmp_path)],
            env={"LOCKSTEP_RUN": run, "PYTHONPATH": str(PACKAGE), "PATH": "/usr/bin:/bin"},
            check=True,
        )
        assert serving.wait(60) == 0
    ranks = [json.loads((tmp_path / f"{rank}.json").read_text()) for rank in range(2)]
    for epoch in range(2):
        for step, ids in enumerate(expected_ids(TRAIN, epoch)):
            at = epoch * len(expected_ids(TRAIN, epoch)) + step
            assert [rank[at][:2] for rank in ranks] == [[epoch, step]] * 2
            assert ranks[0][at][2] + ranks[1][at][2] == ids
            assert ranks[0][at][3] != ranks[1][at][3]


EVALUATING = """
import sys
import lockstep
if sys.argv[1] == "fails":
    with lockstep.Loader("train") as train:
        next(iter(train))
    raise ValueError("after the Loader has closed")
for _ in range(2):
    with lockstep.Loader("narrow") as train:
        assert len(list(train)) == len(train)
with lockstep.Loader("eval") as evaluation:
    print(sum(batch.rows for batch in evaluation))
if evaluation.rank == 0:
    with lockstep.Loader("eval", alone=True) as evaluation:
        evaluation.set_epoch(0)
        assert len(list(evaluation)) == len(evaluation)
"""


def test_a_rank_may_open_one_loader_after_the_other(tmp_path: Path, data: Path) -> None:
    def launch(name: str) -> list[int]:
        base = {"LOCKSTEP_RUN": run, "PYTHONPATH": str(PACKAGE), "LOCKSTEP_LAUNCH": name}
        command = [sys.executable, "-c", EVALUATING, name]
        ranks = [
            subprocess.Popen(
                command, env={**base, "RANK": str(r), "WORLD_SIZE": "2"}, stderr=subprocess.DEVNULL
            )
            for r in range(2)
        ]
        return [rank.wait(120) for rank in ranks]

    with job(tmp_path, data) as (serving, run):
        assert launch("fails") == [1, 1]
        assert launch("again") == [0, 0]  # the job has waited for them
        assert serving.wait(60) == 0


def test_trainers_that_come_back_begin_anew(
    shared: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for launch in ("a", "b"):
        with (
            pytest.raises(ZeroDivisionError) as caught,
            lockstep.Loader("eval", run=shared, launch=launch) as evaluation,
        ):
            raise ZeroDivisionError([b.sample_ids.tolist() for b in evaluation])
        assert caught.value.args[0] == expected_ids(EVAL, 0)
    assert "of this run's trainers" in capsys.readouterr().err


COMMITTING = """
import json, sys
import lockstep
train = lockstep.Loader("narrow")
until = int(sys.argv[2])
state = train.resume()
if state is not None:
    train.load_state_dict(state)
steps, taken = [], 0
for _ in train.epochs():
    for b in train:
        steps.append([b.epoch, b.step, b.sample_ids.tolist()])
        taken += 1
        if b.step % 2:
            train.commit(b.state_dict(rng=True))
        with open(f"{sys.argv[1]}/{train.rank}-of-{train.world_size}.json", "w") as file:
            json.dump(steps, file)
        if taken == until:
            import os, signal
            os.kill(os.getpid(), signal.SIGKILL)
train.close()
"""


def test_killed_trainers_resume_with_another_number(tmp_path: Path, data: Path) -> None:
    script = tmp_path / "train.py"
    script.write_text(COMMITTING)

    def launch(world: int, until: int) -> list[list[Any]]:
        base = {"LOCKSTEP_RUN": run, "PYTHONPATH": str(PACKAGE), "LOCKSTEP_LAUNCH": f"w{world}"}
        command = [sys.executable, str(script), str(tmp_path), str(until)]
        ranks = [
            subprocess.Popen(command, env={**base, "RANK": str(r), "WORLD_SIZE": str(world)})
            for r in range(world)
        ]
        codes = [rank.wait(120) for rank in ranks]
        assert codes == [-9 if until else 0] * world
        parts = [json.loads((tmp_path / f"{r}-of-{world}.json").read_text()) for r in range(world)]
        return [
            [*same[0][:2], [i for part in same for i in part[2]]]
            for same in zip(*parts, strict=True)
        ]

    with job(tmp_path, data) as (serving, run):
        first, second, third = launch(2, 5), launch(1, 6), launch(4, 0)
        assert serving.wait(60) == 0
    steps = len(expected_ids(TRAIN, 0))
    everything = [[e, s, ids] for e in range(2) for s, ids in enumerate(expected_ids(TRAIN, e))]
    assert first == everything[:5]
    assert second == everything[4:10]
    assert third == everything[10:]
    entries = sorted((Path(run) / "commits").iterdir())
    assert [len(list(entry.glob("rank-*.json"))) for entry in entries] == [4] * 3
    assert steps == 8


def test_a_null_of_the_data_is_named(shared: str) -> None:
    with (
        pytest.raises(lockstep.NullValueError, match="column 'maybe' of stream 'train'"),
        lockstep.Loader("train", run=shared, launch="c") as train,
    ):
        list(train)


def test_padded_rows_draw_the_numbers_of_their_samples(shared: str) -> None:
    with lockstep.Loader("eval", run=shared, launch="draws") as loader:
        rows = [
            (int(sample), bool(weight), float(number))
            for batch in loader
            for sample, weight, number in zip(
                batch.sample_ids,
                batch.weight,
                batch.sample_generator("cutout").uniform(),
                strict=True,
            )
        ]
    drawn = {sample: number for sample, real, number in rows if real}
    padded = {sample: number for sample, real, number in rows if not real}
    assert len(set(drawn.values())) == len(drawn) == ROWS
    assert padded
    assert padded.items() <= drawn.items()


def test_trainers_draw_what_a_transform_drew(shared: str) -> None:
    with lockstep.Loader("noisy", run=shared, launch="draws") as loader:
        for batch in loader:
            noise = 0.5 * batch.sample_generator("noisy/jitter").normal()
            expected = batch.sample_ids / 4 + noise
            assert np.array_equal(batch["float"], expected.astype(np.float32))


def test_what_the_run_does_not_have_is_refused(shared: str) -> None:
    with pytest.raises(lockstep.UnknownStreamError, match="did you mean 'eval'"):
        lockstep.Loader("evla", run=shared)
    with pytest.raises(lockstep.UsageError, match=r"4 lanes.*start 1, 2, 4 ranks"):
        lockstep.Loader("train", run=shared, rank=0, world_size=3, launch="d")


def test_a_job_that_was_killed_is_missed(tmp_path: Path, data: Path) -> None:
    with job(tmp_path, data, epochs=1000) as (serving, run):
        evaluation = lockstep.Loader("eval", run=run)  # waits for the job's start
        train = lockstep.Loader("narrow", run=run, retry_limit_s=1)
        assert evaluation.schema.names == ["i32", "float"]
        steps = iter(train.epochs())
        next(steps)
        next(iter(train))
        serving.kill()
        with pytest.raises(lockstep.ConnectionLostError, match="of stream 'narrow'"):
            [list(train) for _ in steps]


def test_trainers_that_know_only_servers_learn_why_the_job_has_failed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = tmp_path / "data"
    data.mkdir()
    parquet.write_table(table(0, ROWS), data / "a.parquet", row_group_size=20)
    with job(tmp_path, data, epochs=1000) as (_, run):
        sink = json.loads(next(Path(run, "sinks").glob("*.json")).read_text())
        monkeypatch.setenv("LOCKSTEP_ENDPOINTS", sink["uri"])
        monkeypatch.setenv("LOCKSTEP_TOKEN_FILE", f"{run}/token")
        train = lockstep.Loader("narrow", prefetch=1, ahead=1)
        steps = iter(train)
        next(steps)
        # Another dataset at the same place: the job must not read it.
        parquet.write_table(table(1, ROWS), data / "a.parquet", row_group_size=30)
        evaluation = lockstep.Loader("eval")
        with pytest.raises(lockstep.RunFailedError, match=r"has failed: .*a\.parquet"):
            list(evaluation)
        with pytest.raises(lockstep.RunFailedError, match=r"has failed: .*a\.parquet"):
            list(steps)


def test_a_notebook_s_job(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with lockstep.torch.open(data, columns=["i32"], epochs=2, **TRAIN) as train:
        for epoch in train.epochs():
            assert [b["i32"].tolist() for b in train] == expected_ids(TRAIN, epoch)
    with pytest.raises(lockstep.RunFailedError, match=r"nothing at .*/no/such/place"):
        lockstep.open("/no/such/place", batch=24)
