"""The data of all schedules, and the run file of each."""

from __future__ import annotations

import itertools
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from chaos.settings import BATCH, EPOCHS, Data, Settings

_FILES = 6

# One row in so many has nulls: most lanes' steps have none, in row groups that have some.
_NULL_EVERY = 40

CHECKPOINTS = "500ms"

# Nulls are filled, texts and lists become numbers, and random transforms change each epoch.
_TRANSFORMS = """[
      missing_indicator: {columns: rare},
      fill: {columns: rare, value: 0},
      hash: {columns: [text, tags], buckets: 1000},
      list_length: {columns: tags},
      pack: {columns: [vector, rare], into: features},
      mixup: {columns: features, alpha: 0.4},
      jitter: {columns: features, sigma: 0.1},
    ]"""

# Both run in worker processes: the first for each row group, the second for each step.
_FUNCTIONS = f"""[
      {{name: mixed, python: {{function: "functions:mixed", columns: [label],
        adds: {{low: int64}}}}}},
      {_TRANSFORMS[1:-1].strip()}
      {{name: sums, python: {{function: "functions:sums", columns: [features, low],
        adds: {{sum: float32}}}}}},
    ]"""
_MODULE = """
import numpy as np

def mixed(rows):
    return {"low": rows["label"] * 31 % 1_000_003}

def sums(rows):
    return {"sum": (rows["features"].sum(axis=1) + rows["low"]).astype(np.float32)}
"""


def write(folder: Path, data: Data) -> None:
    """Writes the Parquet files: numbers, vectors and text, with rare nulls. Deterministic."""
    folder.mkdir(parents=True, exist_ok=True)
    draw = np.random.default_rng(1)
    bounds = [data.rows * i // _FILES for i in range(_FILES + 1)]
    for i, (first, end) in enumerate(itertools.pairwise(bounds)):
        rows = end - first
        vectors = draw.standard_normal((rows, 6), dtype=np.float32)
        table = pa.table(
            {
                "vector": pa.FixedSizeListArray.from_arrays(pa.array(vectors.ravel()), 6),
                "label": pa.array(draw.integers(0, 1 << 40, rows)),
                "text": pa.array([f"row {n}" * (n % 5) for n in range(first, end)]),
                "rare": pa.array(
                    draw.standard_normal(rows), mask=draw.integers(0, _NULL_EVERY, rows) == 0
                ),
                "tags": pa.array(
                    [[f"tag {n}", None] if n % _NULL_EVERY == 0 else [] for n in range(first, end)],
                    pa.list_(pa.string()),
                ),
            }
        )
        pq.write_table(table, folder / f"part-{i}.parquet", row_group_size=data.group_rows)


def run_file(folder: Path, files: Path, settings: Settings) -> Path:
    """Writes a run file to the folder; the run directory is `run` in it."""
    order = (
        f"batch: {BATCH}, lanes: {settings.lanes}, window: {settings.window}, "
        f"shuffle: {settings.shuffle}, tail: {settings.tail}, seed: {settings.seed}, "
        f"epochs: {EPOCHS}"
    )
    chain = _FUNCTIONS if settings.functions else _TRANSFORMS
    transforms = f", transforms: {chain}" if settings.transforms else ""
    functions = f"python: {{command: {sys.executable}, workers: 2}}\n" if settings.functions else ""
    (folder / "functions.py").write_text(_MODULE)
    file = folder / "run.yaml"
    file.write_text(
        f"streams: {{train: {{data: {files}, order: {{{order}}}{transforms}}}}}\n"
        f"run: {{directory: {folder / 'run'}, checkpoint-interval: {CHECKPOINTS}}}\n"
        f"cache: {{directory: {folder / 'cache'}, size: 256MiB}}\n"
        f"reader: {{step-memory: 16MiB, threads: 1}}\n{functions}"
    )
    return file
