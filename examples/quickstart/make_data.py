"""Makes the folders data/train and data/eval from the digits that scikit-learn's wheel carries.

pip download --no-deps scikit-learn==1.9.1
python make_data.py scikit_learn-1.9.1-*.whl
"""

from __future__ import annotations

import gzip
import sys
import zipfile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

SOURCE = "sklearn/datasets/data/digits.csv.gz"
SEED = 7
EVAL_SHARE = 0.2
SHARDS = {"train": 8, "eval": 2}
ROWS_PER_ROW_GROUP = 64


def read(wheel: str) -> tuple[np.ndarray, np.ndarray]:
    """The images as [1797, 64] of 0 to 16, and their digits."""
    with zipfile.ZipFile(wheel) as archive:
        text = gzip.decompress(archive.read(SOURCE)).decode()
    table = np.array([line.split(",") for line in text.splitlines()], dtype=np.float32)
    return table[:, :64], table[:, 64].astype(np.int64)


def split(labels: np.ndarray) -> dict[str, np.ndarray]:
    """Rows of each part in their original order; a fifth of each digit is held out."""
    random = np.random.default_rng(SEED)
    held_out = np.zeros(len(labels), dtype=bool)
    for digit in range(10):
        rows = np.flatnonzero(labels == digit)
        held_out[random.permutation(rows)[: round(len(rows) * EVAL_SHARE)]] = True
    return {"train": np.flatnonzero(~held_out), "eval": np.flatnonzero(held_out)}


def write(folder: Path, features: np.ndarray, labels: np.ndarray, shards: int) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for number, rows in enumerate(np.array_split(np.arange(len(labels)), shards)):
        values = pa.array(features[rows].reshape(-1), pa.float32())
        table = pa.table(
            {
                "features": pa.FixedSizeListArray.from_arrays(values, 64),
                "label": pa.array(labels[rows], pa.int64()),
            }
        )
        pq.write_table(
            table,
            folder / f"digits-{number:02d}.parquet",
            row_group_size=ROWS_PER_ROW_GROUP,
            compression="zstd",
        )


def main(wheel: str) -> None:
    features, labels = read(wheel)
    for part, rows in split(labels).items():
        folder = Path(__file__).parent / "data" / part
        write(folder, features[rows], labels[rows], SHARDS[part])


if __name__ == "__main__":
    main(*sys.argv[1:])
