"""Fitted transforms of a run file give what numpy's formulas make of the same rows."""

from __future__ import annotations

import functools
import json
import re
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import lockstep
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

from tests.command import LOCKSTEP, run
from tests.kept_rows import write_trainer

ROWS = 5_000
FILES = 2

RUN = """
streams:
  train:
    data: data
    filter: "part < 9"
    columns: [age, count, fare, wide, same, city, tags, bin, often, code]
    transforms:
      - fill: {{columns: age, value: median}}
      - name: fill_count
        fill: {{columns: count, value: mean}}
      - standardize: {{columns: [age, same]}}
      - min_max: {{columns: {min_max}}}
      - robust_scale: {{columns: wide}}
      - vocabulary: {{columns: [city, tags], min_count: 100, oov: 1}}
      - quantile_bins: {{columns: bin, bins: 4}}
      - frequency_encode: {{columns: often}}
      - target_encode: {{columns: code, target: fare, smooth: 5}}
      - pad: {{columns: tags, length: 3, value: -1}}
    order: {{batch: 128, seed: 7, tail: pad}}
trainers: {{ranks: 1, command: [python, train.py]}}
run: {{directory: run}}
"""


def write(folder: Path) -> None:
    (folder / "data").mkdir()
    for file in range(FILES):
        part = table().slice(file * ROWS // FILES, ROWS // FILES)
        pq.write_table(part, folder / "data" / f"part-{file}.parquet", row_group_size=700)


@functools.cache
def table() -> pa.Table:
    random = np.random.default_rng(5)
    age = random.integers(0, 90, ROWS).astype(np.float32)
    fare = random.exponential(60, ROWS)
    fare[::17] = np.nan
    names = cities()
    return pa.table(
        {
            "age": pa.array(age, mask=random.random(ROWS) < 0.1),
            "count": pa.array(random.integers(-9, 1000, ROWS), mask=random.random(ROWS) < 0.1),
            "fare": fare,
            "wide": random.standard_normal(ROWS) * 10.0 ** random.integers(-3, 4, ROWS),
            "same": np.full(ROWS, 0.1),
            "city": cities(),
            "tags": [names[n : n + n % 4] for n in range(ROWS)],
            "bin": np.floor(np.linspace(-50, 90, ROWS)) + 0.5,
            "often": cities(),
            "code": [len(city) * 7 for city in cities()],
            "part": random.integers(0, 10, ROWS),
            "none": pa.array([None] * ROWS, pa.float64()),
            "infinite": np.where(np.arange(ROWS) == 3_000, np.inf, 1.0),
        }
    )


def cities() -> list[str]:
    names = ["Oslo", "Zürich", "Rome", "Åre", "Bern", "Ely"]
    return [names[n % 13 % 6] if n % 400 else f"village {n}" for n in range(ROWS)]


def kept(name: str) -> np.ndarray[Any, Any]:
    """The values of a column in the rows that the filter keeps; nulls are NaN."""
    source = table()
    column: np.ndarray[Any, Any] = source[name].to_numpy()
    rows: np.ndarray[Any, Any] = column[source["part"].to_numpy() < 9]
    return rows


def expected() -> dict[str, np.ndarray[Any, Any]]:
    """Of all rows, with the statistics of those that the filter keeps."""
    source = {name: table()[name].to_numpy() for name in table().column_names}
    median = np.nanmedian(kept("age"))
    known = np.where(np.isnan(kept("age")), median, kept("age")).astype(np.float64)
    ages = np.where(np.isnan(source["age"]), median, source["age"]).astype(np.float64)
    mean = np.rint(np.nanmean(kept("count")))
    low, high = np.nanmin(kept("fare")), np.nanmax(kept("fare"))
    q25, q50, q75 = np.quantile(kept("wide"), [0.25, 0.5, 0.75])
    part = table()["part"].to_numpy() < 9
    vocabulary = codes([city for city, kept in zip(cities(), part, strict=True) if kept])
    elements = [table()["tags"][n].as_py() for n in np.flatnonzero(part)]
    tags = codes([tag for tag_list in elements for tag in tag_list])
    padded = np.full((ROWS, 3), -1, np.int64)
    for row, values in enumerate(table()["tags"].to_pylist()):
        padded[row, : len(values)] = [tags.get(tag, 0) for tag in values]
    edges = np.unique(np.quantile(kept("bin"), [0.25, 0.5, 0.75]))
    names, counts = np.unique(kept("often").astype(str), return_counts=True)
    shares = dict(zip(names, counts / counts.sum(), strict=True))
    scaled = (source["fare"] - low) / (high - low)
    return {
        "city": np.array([vocabulary.get(city, 0) for city in cities()]),
        "tags": padded,
        "bin": np.searchsorted(edges, source["bin"], side="right"),
        "often": np.array([shares.get(city, 0.0) for city in cities()]),
        "code": encoded(source["code"], scaled, part),
        "age": ((ages - known.mean()) / known.std()).astype(np.float32),
        "count": np.where(np.isnan(source["count"]), mean, source["count"]).astype(np.int64),
        "fare": scaled,
        "wide": (source["wide"] - q50) / (q75 - q25),
        "same": np.zeros(ROWS),
    }


def codes(values: list[str]) -> dict[str, int]:
    """Of values with at least 100 occurrences, by count, then by UTF-8 bytes."""
    counts = Counter(values)
    known = sorted(counts, key=lambda value: (-counts[value], value.encode()))
    return {value: n + 1 for n, value in enumerate(known) if counts[value] >= 100}


def encoded(
    code: np.ndarray[Any, Any], target: np.ndarray[Any, Any], part: np.ndarray[Any, Any]
) -> np.ndarray[Any, Any]:
    """The smoothed mean target of each code; all codes are in the kept rows."""
    known = part & ~np.isnan(target)
    mean = target[known].mean()
    result = np.full(len(code), mean)
    for value in np.unique(code[known]):
        targets = target[known & (code == value)]
        result[code == value] = (targets.sum() + 5 * mean) / (len(targets) + 5)
    return result


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dataset, and a run over it that has ended."""
    folder = tmp_path_factory.mktemp("fitting")
    write(folder)
    write_trainer(folder)
    (folder / "run.yaml").write_text(RUN.format(min_max="fare"))
    run(LOCKSTEP, "run", "run.yaml", cwd=folder)
    return folder


def test_trainers_get_what_numpy_makes_of_the_rows(folder: Path) -> None:
    got = np.load(folder / "got.npz")
    samples = got["_sample"].astype(np.int64)

    assert set(samples) == set(np.flatnonzero(table()["part"].to_numpy() < 9))
    for name, values in expected().items():
        assert got[name].dtype == values.dtype
        np.testing.assert_allclose(got[name], values[samples], rtol=1e-6, atol=1e-12, err_msg=name)


def test_show_and_past_verbs_use_the_same_statistics(folder: Path) -> None:
    shown = run(LOCKSTEP, "show", "run.yaml", "--step", "3", "--json", cwd=folder).stdout
    replayed = run(LOCKSTEP, "replay", "run", "--step", "3", "--json", cwd=folder).stdout
    run(LOCKSTEP, "verify", "run", "run", cwd=folder)

    rows = [json.loads(line) for line in shown.splitlines()]
    again = [json.loads(line) for line in replayed.splitlines()]
    assert [row["age"] for row in again] == [row["age"] for row in rows]


def test_plan_tells_what_the_values_are_like(folder: Path) -> None:
    plan = json.loads(run(LOCKSTEP, "plan", "run.yaml", "--stats", "--json", cwd=folder).stdout)

    stats = {column["name"]: column for column in plan["stats"]}
    source = table().filter(pc.less(table()["part"], 9))
    for name in ("age", "count", "fare", "wide", "city"):
        column, found = source[name], stats[name]
        values = column.drop_null().to_pandas().dropna()
        assert found["rows"] == len(source)
        assert found["nulls"] == column.null_count
        assert found["nans"] == len(column) - column.null_count - len(values)
        assert (found["min"], found["max"]) == (values.min(), values.max())
        assert found["exact"] == (values.nunique() < 2048)
        assert found["distinct"] == pytest.approx(
            values.nunique(), rel=0 if found["exact"] else 0.1
        )
    assert stats["same"]["counts"] == [{"value": 0.1, "rows": len(source)}]
    assert "counts" not in stats["wide"]
    assert {each["value"]: each["rows"] for each in stats["city"]["counts"]} == Counter(
        source["city"].to_pylist()
    )
    assert stats["tags"]["distinct"] is None
    fitted = {(f["transform"], f["column"], f["statistic"]): f["value"] for f in plan["fitted"]}
    assert fitted["min_max", "fare", "max"] == np.nanmax(kept("fare"))
    assert fitted["fill", "age", "quantile"] == np.nanmedian(kept("age"))

    told = run(LOCKSTEP, "plan", "run", "--stats", cwd=folder).stdout
    assert re.search(r"^  same +0.0% null, 0\.1 to 0\.1, 1 value: 0\.1 100\.0%$", told, re.M)
    assert re.search(r"^  min_max of fare: count [\d]+, mean ", told, re.M)


def test_fitted_transforms_are_checked_for_purity(folder: Path) -> None:
    for target in ("run.yaml", "run"):
        checked = run(LOCKSTEP, "check", target, cwd=folder).stdout

        assert checked == "stream 'train': 10 transforms, no difference found\n"


def test_the_seal_names_the_statistics(folder: Path) -> None:
    seal = json.loads((folder / "run" / "streams" / "train.json").read_text())

    assert "mean=" in seal["transforms"]["standardize"]
    assert len(list((folder / "run" / "manifests").glob("*.fitted"))) == 1


def test_damaged_statistics_are_refused_by_name(folder: Path, tmp_path: Path) -> None:
    copy = tmp_path / "run"
    shutil.copytree(folder / "run", copy)
    (sealed,) = (copy / "manifests").glob("*.fitted")
    sealed.write_bytes(sealed.read_bytes()[:-40])

    damaged = run(LOCKSTEP, "replay", copy, "--step", "3", cwd=folder, check=False)
    assert damaged.returncode == 1
    assert "the statistics of transforms" in damaged.stderr
    assert "it was changed or truncated" in damaged.stderr

    sealed.unlink()
    lost = run(LOCKSTEP, "replay", copy, "--step", "3", cwd=folder, check=False)
    assert lost.returncode == 1
    assert "there is no such file" in lost.stderr


@pytest.mark.parametrize(
    ("column", "message"),
    [
        ("none", "The transform 'min_max': the column \"none\" has no values but nulls and NaN"),
        ("infinite", 'the column "infinite" is infinite in row '),
    ],
)
def test_a_column_without_such_statistics_is_refused_when_the_run_is_planned(
    tmp_path: Path, column: str, message: str
) -> None:
    write(tmp_path)
    text = RUN.format(min_max=column).replace("[age, count", f"[{column}, age, count")
    (tmp_path / "run.yaml").write_text(text)
    for verb in (["plan"], ["run"]):
        refused = run(LOCKSTEP, *verb, "run.yaml", cwd=tmp_path, check=False)

        assert refused.returncode == 1
        assert message in refused.stderr
        assert "\tat " not in refused.stderr
    assert not (tmp_path / "run").exists()


def test_a_filter_that_keeps_no_row_is_named_before_a_statistic(tmp_path: Path) -> None:
    write(tmp_path)
    text = RUN.format(min_max="fare").replace("part < 9", "part > 99")
    (tmp_path / "run.yaml").write_text(text)
    for verb in (["plan"], ["show", "--epoch", "0", "--step", "0"], ["run"]):
        refused = run(LOCKSTEP, verb[0], "run.yaml", *verb[1:], cwd=tmp_path, check=False)

        assert refused.returncode == 1
        assert "the filter keeps none of the dataset's 5,000 rows" in refused.stderr
    assert not (tmp_path / "run").exists()


LIKE = """
streams:
  eval:
    from: train
    like: train
    order: {batch: 64, shuffle: sequential, tail: pad}
  train:
    data: data
    columns: [age, city]
    split: {eval: 20%}
    transforms:
      - fill: {columns: age, value: median}
      - standardize: {columns: age}
      - vocabulary: {columns: city, min_count: 100, oov: 1}
      - jitter: {columns: age, sigma: 0.5}
      - clip: {columns: age, low: -9, high: 9}
    order: {batch: 128, seed: 7, tail: pad}
run: {directory: run}
"""


def test_a_stream_like_another_has_its_statistics_and_nothing_random(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path)
    file = tmp_path / "run.yaml"
    file.write_text(LIKE)
    monkeypatch.setenv("LOCKSTEP_COMMAND", str(LOCKSTEP))
    with lockstep.open(file) as streams:
        got = [
            (batch.sample_ids, batch["age"], batch["city"])
            for batch in streams["eval"]
            if len(batch.sample_ids)
        ]
    samples, ages, cities_ = (np.concatenate(values) for values in zip(*got, strict=True))
    part = np.zeros(ROWS, bool)
    part[samples.astype(np.int64)] = True
    age = table()["age"].to_numpy()
    filled = np.where(np.isnan(age), np.nanmedian(age[~part]), age).astype(np.float64)
    scaled = (filled - filled[~part].mean()) / filled[~part].std()
    known = codes([city for city, held in zip(cities(), part, strict=True) if not held])

    assert 800 < part.sum() < 1200
    np.testing.assert_allclose(ages, scaled[samples.astype(np.int64)], rtol=1e-5)
    assert cities_.tolist() == [known.get(cities()[int(n)], 0) for n in samples]

    arguments = ("--stream", "eval", "--step", "1", "--json")
    shown = run(LOCKSTEP, "show", "run.yaml", *arguments, cwd=tmp_path).stdout
    assert run(LOCKSTEP, "replay", "run", *arguments, cwd=tmp_path).stdout == shown


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            ("like: train", "like: trian"),
            "there is no other stream 'trian'; did you mean 'train'?",
        ),
        (("like: train", "like: eval"), "there is no other stream 'eval'"),
        (
            ("like: train", "like: train\n    transforms: [{drop: {columns: city}}]"),
            "a stream with the key 'like' has the transforms of 'train'; leave them out",
        ),
        (
            ("    data: data", "    data: data\n    like: eval"),
            "is like another one; name that one",
        ),
    ],
)
def test_a_wrong_like_is_refused(tmp_path: Path, change: tuple[str, str], message: str) -> None:
    (tmp_path / "run.yaml").write_text(LIKE.replace(*change))
    refused = run(LOCKSTEP, "plan", "run.yaml", cwd=tmp_path, check=False)

    assert refused.returncode == 2
    assert message in refused.stderr
