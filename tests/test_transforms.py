"""Transforms of a run file give what numpy makes of the same rows, and are part of the run."""

from __future__ import annotations

import hashlib
import json
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import xxhash

from tests.command import LOCKSTEP, ROOT, run
from tests.kept_rows import write_trainer

ROWS = 5_000

RUN = """
streams:
  train:
    data: data
    transforms:
      - missing_indicator: {{columns: age}}
      - fill: {{columns: age, value: 30}}
      - clip: {{columns: fare, high: {high}}}
      - log1p: {{columns: fare}}
      - hash: {{columns: user, buckets: 1000}}
      - date_parts: {{columns: seen, parts: [month, weekday]}}
      - drop: {{columns: seen}}
      - pad: {{columns: clicks, length: 4, value: -1, longer: last}}
      - pack: {{columns: [age, fare, 'f0*'], into: features}}
      - feature_dropout: {{columns: spare, p: 0.4, value: -9}}
      - rename: {{spare: dropped}}
    order: {{batch: 128, seed: 7, tail: pad}}
trainers: {{ranks: 1, command: [python, train.py]}}
run: {{directory: run}}
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dataset, and a run over it that has ended."""
    folder = tmp_path_factory.mktemp("transforms")
    (folder / "data").mkdir()
    pq.write_table(table(), folder / "data" / "part.parquet", row_group_size=700)
    write_trainer(folder)
    (folder / "run.yaml").write_text(RUN.format(high=100))
    run(LOCKSTEP, "run", "run.yaml", cwd=folder)
    return folder


def table() -> pa.Table:
    random = np.random.default_rng(5)
    age = random.integers(0, 90, ROWS).astype(np.float32)
    days = random.integers(-20_000, 20_000, ROWS).astype("datetime64[D]")
    clicks = [list(range(n % 7)) if n % 11 else None for n in range(ROWS)]
    return pa.table(
        {
            "age": pa.array(age, mask=random.random(ROWS) < 0.1),
            "fare": random.exponential(60, ROWS),
            "f00": random.standard_normal(ROWS).astype(np.float32),
            "f01": random.integers(-100, 100, ROWS),
            "user": [f"user {n % 333}" for n in range(ROWS)],
            "spare": np.arange(ROWS, dtype=np.float32),
            "seen": pa.array(days, pa.date32()),
            "clicks": pa.array(clicks, pa.list_(pa.int32())),
        }
    )


def expected() -> dict[str, np.ndarray[Any, Any]]:
    source = table()
    ages = source["age"].to_numpy()
    fare = np.log1p(np.minimum(source["fare"].to_numpy(), 100.0))
    days = source["seen"].to_numpy()
    padded = np.full((ROWS, 4), -1, np.int32)
    for row, clicks in enumerate(source["clicks"].to_pylist()):
        kept = (clicks or [])[-4:]
        padded[row, : len(kept)] = kept
    hashes = [xxhash.xxh3_64_intdigest(user.encode()) for user in source["user"].to_pylist()]
    return {
        "features": np.stack(
            [
                np.where(np.isnan(ages), np.float32(30), ages),
                fare.astype(np.float32),
                source["f00"].to_numpy(),
                source["f01"].to_numpy().astype(np.float32),
            ],
            axis=1,
        ),
        "age_missing": np.isnan(ages).astype(np.uint8),
        "dropped": np.where(uniform("train/feature_dropout") < 0.4, -9, np.arange(ROWS)),
        "user": np.array([digest % 1000 for digest in hashes]),
        "seen_month": days.astype("datetime64[M]").astype(int) % 12 + 1,
        "seen_weekday": (days.astype(int) + 3) % 7,
        "clicks": padded,
    }


def uniform(instance: str) -> np.ndarray[Any, Any]:
    """The first number of each sample's stream in epoch 0, by numpy's own generator."""
    text = b"order/1\0transform/" + instance.encode() + b"\0" + struct.pack("<QQQ", 7, 0, 0)
    key = struct.unpack("<QQ", hashlib.sha256(text).digest()[:16])
    words = [np.random.Philox(key=key, counter=[0, 0, n, 0]).random_raw() for n in range(ROWS)]
    return (np.array(words, np.uint64) >> np.uint64(11)) * 2.0**-53


def test_trainers_get_what_numpy_makes_of_the_rows(folder: Path) -> None:
    got = np.load(folder / "got.npz")
    wanted = expected()

    samples = got["_sample"].astype(np.int64)
    assert set(samples) == set(range(ROWS))
    assert set(got) == {*wanted, "_sample"}
    for name, values in wanted.items():
        if name == "features":
            np.testing.assert_allclose(got[name], values[samples], rtol=1e-6)
        else:
            np.testing.assert_array_equal(got[name], values[samples], err_msg=name)


def test_plan_shows_the_columns_after_each_transform(folder: Path) -> None:
    plan = json.loads(run(LOCKSTEP, "plan", "run.yaml", "--json", cwd=folder).stdout)

    chain = {each["name"]: each for each in plan["chain"]}
    assert chain["pack"]["where"] == "row group"
    assert chain["pack"]["schema"][0] == {
        "name": "features",
        "type": "fixed_size_list<float32>[4]",
    }
    assert chain["feature_dropout"]["where"] == "batch"
    assert chain["rename"]["where"] == "batch"
    assert {column["name"] for column in plan["schema"]} == set(table().column_names)


def test_show_and_replay_print_transformed_rows(folder: Path) -> None:
    shown = run(LOCKSTEP, "show", "run.yaml", "--step", "3", "--json", cwd=folder).stdout
    replayed = run(LOCKSTEP, "replay", "run", "--step", "3", "--json", cwd=folder).stdout

    rows = [json.loads(line) for line in shown.splitlines()]
    features = expected()["features"]
    for row in rows:
        np.testing.assert_allclose(row["features"], features[row["_sample"]], rtol=1e-6)
    again = [json.loads(line) for line in replayed.splitlines()]
    assert [row["features"] for row in again] == [row["features"] for row in rows]


def test_show_and_replay_print_rows_between_transforms(folder: Path) -> None:
    step = ("--step", "3", "--json")
    filled = run(LOCKSTEP, "show", "run.yaml", *step, "--after", "fill", cwd=folder).stdout
    source = run(LOCKSTEP, "replay", "run", *step, "--before", cwd=folder).stdout

    rows = table().to_pylist()
    for line in filled.splitlines():
        row = json.loads(line)
        of_data = rows[row["_sample"]]
        assert row["age"] == (30 if of_data["age"] is None else of_data["age"])
        assert row["fare"] == of_data["fare"]
        assert row["age_missing"] == (of_data["age"] is None)
    for line in source.splitlines():
        row = json.loads(line)
        assert row["age"] == rows[row["_sample"]]["age"]
        assert row["user"] == rows[row["_sample"]]["user"]
    unknown = run(LOCKSTEP, "show", "run.yaml", "--after", "fil", cwd=folder, check=False)
    assert unknown.returncode == 2
    assert "the stream 'train' has no transform 'fil'; it has missing_indicator," in unknown.stderr


def test_another_transform_is_refused_by_name(folder: Path) -> None:
    (folder / "other.yaml").write_text(RUN.format(high=99))
    refused = run(LOCKSTEP, "run", "other.yaml", cwd=folder, check=False)

    assert refused.returncode == 1
    assert "another transform 'clip'" in refused.stderr
    assert "Traceback" not in refused.stderr
    assert "\tat " not in refused.stderr


def test_a_class_of_one_s_own_runs_by_the_page_of_the_example(tmp_path: Path) -> None:
    example = ROOT / "examples" / "java-transform"
    run(LOCKSTEP, "--version", cwd=tmp_path)  # builds if necessary
    jars = f"{ROOT}/cli/target/lockstep.jar:{ROOT}/cli/target/flink-lib/*"
    source = example / "DistanceTransform.java"
    run("javac", "-cp", jars, "-d", tmp_path / "classes", source, cwd=tmp_path)
    points = pa.table({"x": np.arange(64.0), "y": np.arange(64.0) ** 2})
    pq.write_table(points, tmp_path / "points.parquet")
    (tmp_path / "run.yaml").write_text(
        "streams: {train: {data: points.parquet, order: {batch: 64, shuffle: sequential},"
        " transforms: [java: {class: DistanceTransform, x: 1.5, y: -2}]}}\n"
    )
    show = (LOCKSTEP, "show", "run.yaml", "--step", "0", "--json")
    classes = {"LOCKSTEP_CLASSPATH": str(tmp_path / "classes")}
    rows = [json.loads(line) for line in run(*show, cwd=tmp_path, env=classes).stdout.splitlines()]

    distances = np.hypot(points["x"].to_numpy() - 1.5, points["y"].to_numpy() + 2)
    np.testing.assert_allclose([row["distance"] for row in rows], distances)
    missing = run(*show, cwd=tmp_path, check=False)
    assert missing.returncode == 2
    assert "cannot be loaded" in missing.stderr
    assert "LOCKSTEP_CLASSPATH" in missing.stderr


IMPURE = """
import itertools, os
import numpy as np

counter = itertools.count()

def counts(rows):
    return {"made": np.array([next(counter) for _ in rows["f01"]])}

def ranks(rows):
    return {"made": np.argsort(np.argsort(rows["f01"]))}

def process(rows):
    return {"made": np.full(len(rows["f01"]), os.getpid())}

def doubled(rows):
    return {"made": rows["f01"] * 2}
"""


@pytest.mark.parametrize(
    ("function", "pure"),
    [("doubled", True), ("counts", False), ("ranks", False), ("process", False)],
)
def test_check_finds_functions_that_are_not_pure(
    folder: Path, tmp_path: Path, function: str, pure: bool
) -> None:
    (tmp_path / "impure.py").write_text(IMPURE)
    call = f"function: 'impure:{function}', columns: [f01], adds: {{made: int64}}"
    (tmp_path / "run.yaml").write_text(
        f"streams: {{train: {{data: {folder / 'data'}, order: {{batch: 128}}, transforms: ["
        "{fill: {columns: age, value: 0}}, {jitter: {columns: f00, sigma: 1}},"
        f" {{python: {{{call}}}}}]}}}}\n".replace("}} {", "}, {")
    )
    checked = run(LOCKSTEP, "check", "run.yaml", "--json", cwd=tmp_path, check=False)

    answer = json.loads(checked.stdout)
    assert answer["pure"] == pure, checked.stderr
    assert checked.returncode == (0 if pure else 1)
    if not pure:
        assert answer["transform"] == "python"
        assert answer["stream"] == "train"
        assert {"epoch", "step", "sample"} <= set(answer)


def test_check_names_the_sample_behind_a_filter(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    rows = table().append_column("n", pa.array(range(ROWS)))
    pq.write_table(rows, tmp_path / "data" / "part.parquet", row_group_size=700)
    (tmp_path / "impure.py").write_text(IMPURE)
    (tmp_path / "run.yaml").write_text(
        'streams: {train: {data: data, columns: [f01], filter: "n >= 1500 and n % 2 = 1",'
        " order: {batch: 128}, transforms: ["
        "{python: {function: 'impure:process', columns: [f01], adds: {made: int64}}}]}}\n"
    )
    checked = run(LOCKSTEP, "check", "run.yaml", "--json", cwd=tmp_path, check=False)

    assert checked.returncode == 1, checked.stderr
    assert json.loads(checked.stdout)["sample"] == 1501
