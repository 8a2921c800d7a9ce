"""Filters and splits of a run file: what trainers get, and what the verbs make of the run."""

from __future__ import annotations

import hashlib
import json
import struct
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.command import LOCKSTEP, run

ROWS = 3_000

TRAIN = """
import numpy as np, lockstep
ids, values = [], []
with lockstep.Loader("train") as loader:
    print("steps", len(loader))
    for batch in loader:
        ids.append(np.asarray(batch.sample_ids))
        values.append(np.asarray(batch["value"]))
np.savez("got.npz", ids=np.concatenate(ids), values=np.concatenate(values))
"""

RUN = """
streams:
  train:
    data: data
    columns: [value]
    filter: "{filter}"
    order: {{batch: 64, seed: 7, tail: pad, shuffle: global}}
trainers: {{ranks: 1, command: [python, train.py]}}
run: {{directory: {directory}}}
"""

FILTER = "age is not null and fare < 0.5"


def kept() -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    source = table()
    age = source["age"].to_numpy(zero_copy_only=False)
    return np.flatnonzero(~np.isnan(age) & (source["fare"].to_numpy() < 0.5))


def table() -> pa.Table:
    random = np.random.default_rng(3)
    return pa.table(
        {
            "age": pa.array(np.arange(ROWS, dtype=np.float64), mask=random.random(ROWS) < 0.2),
            "fare": random.random(ROWS),
            "value": np.arange(ROWS) * 2,
        }
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dataset, and a run over the rows that a filter keeps, which has ended."""
    folder = tmp_path_factory.mktemp("filter")
    (folder / "data").mkdir()
    pq.write_table(table(), folder / "data" / "part.parquet", row_group_size=400)
    (folder / "train.py").write_text(TRAIN)
    (folder / "run.yaml").write_text(RUN.format(filter=FILTER, directory="run"))
    run(LOCKSTEP, "run", "run.yaml", cwd=folder)
    return folder


def test_trainers_get_the_kept_rows_under_their_ids(folder: Path) -> None:
    got = np.load(folder / "got.npz")

    assert set(got["ids"].tolist()) == set(kept().tolist())
    np.testing.assert_array_equal(got["values"], got["ids"].astype(np.int64) * 2)


def test_the_run_is_replayed_and_located(folder: Path) -> None:
    replayed = run(LOCKSTEP, "replay", "run", "--step", "2", "--json", cwd=folder).stdout
    ids = np.load(folder / "got.npz")["ids"][128:192]
    rows = [json.loads(line) for line in replayed.splitlines()]

    assert [row["_sample"] for row in rows] == ids.tolist()
    found = run(LOCKSTEP, "locate", "run", "--sample", str(ids[5]), "--json", cwd=folder)
    steps = json.loads(found.stdout)["steps"]
    assert [step["step"] for step in steps] == [2]
    outside = sorted(set(range(ROWS)) - set(kept().tolist()))[0]
    refused = run(LOCKSTEP, "locate", "run", "--sample", str(outside), cwd=folder, check=False)
    assert refused.returncode == 1
    assert "which the filter leaves out" in refused.stderr


def test_runs_of_different_filters_are_told_apart(folder: Path) -> None:
    other = RUN.format(filter="fare < 0.5 and age is not null", directory="same")
    (folder / "same.yaml").write_text(other)
    run(LOCKSTEP, "run", "same.yaml", cwd=folder)
    (folder / "other.yaml").write_text(RUN.format(filter="fare >= 0.5", directory="other"))
    run(LOCKSTEP, "run", "other.yaml", cwd=folder)

    run(LOCKSTEP, "verify", "run", "same", cwd=folder)
    differs = run(LOCKSTEP, "verify", "run", "other", cwd=folder, check=False)
    assert differs.returncode == 1
    assert "Traceback" not in differs.stderr


def test_another_filter_is_refused_for_the_same_run(folder: Path) -> None:
    (folder / "changed.yaml").write_text(RUN.format(filter="fare < 0.6", directory="run"))
    refused = run(LOCKSTEP, "run", "changed.yaml", cwd=folder, check=False)

    assert refused.returncode == 1
    assert "streams.train.filter is" in refused.stderr
    assert "\tat " not in refused.stderr


SPLIT = """
streams:
  train:
    data: data
    split: {{eval: 25%}}
    columns: [value]
    order: {{batch: 64, seed: 7, tail: pad}}
  eval: {{from: train, order: {{batch: 128, shuffle: sequential, tail: pad}}}}
trainers: {{ranks: 1, command: [python, both.py]}}
run: {{directory: {directory}}}
"""

BOTH = """
import sys, numpy as np, lockstep
ids = {}
for name in ("train", "eval"):
    with lockstep.Loader(name) as loader:
        for batch in loader:
            real = np.asarray(batch.weight) > 0
            ids.setdefault(name, []).extend(np.asarray(batch.sample_ids)[real].tolist())
            assert (np.asarray(batch["value"]) == np.asarray(batch.sample_ids) * 2).all()
np.savez("split.npz", **{name: np.array(each) for name, each in ids.items()})
"""


def part(sample: int) -> bool:
    """Whether a sample is in a part of a quarter, by numpy's own generator."""
    text = b"order/1\0split\0" + struct.pack("<QQQ", 7, 0, 0)
    key = struct.unpack("<QQ", hashlib.sha256(text).digest()[:16])
    return int(np.random.Philox(key=key, counter=sample << 128).random_raw()) < 2**62


def test_trainers_get_the_parts_of_a_split(folder: Path) -> None:
    (folder / "both.py").write_text(BOTH)
    (folder / "split.yaml").write_text(SPLIT.format(directory="split"))
    run(LOCKSTEP, "run", "split.yaml", cwd=folder)
    got = np.load(folder / "split.npz")

    assert got["eval"].tolist() == [sample for sample in range(ROWS) if part(sample)]
    assert sorted(got["train"]) == [sample for sample in range(ROWS) if not part(sample)]
