#!/usr/bin/env python3
"""Makes the shards beside this script from the UCI handwritten digits: six for training, one held out.

    make_data.py DIGITS.csv.gz

The file is sklearn/datasets/data/digits.csv.gz of the scikit-learn package: a line an image, 64 grey
values from 0 to 16 and the digit. A fifth of each digit's images is held out, chosen by a fixed seed.
"""

import gzip
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

HERE = Path(__file__).resolve().parent / "data"
TRAIN_SHARDS = 6
ROW_GROUP = 60
HELD_OUT = 5  # every fifth image of a digit
SEED = 20260

SCHEMA = pa.schema([("features", pa.list_(pa.float32(), 64)), ("label", pa.int64())])


def table(rows: np.ndarray) -> pa.Table:
    features = (rows[:, :64] / 16).astype(np.float32)
    flat = pa.array(features.reshape(-1))
    return pa.table(
        [pa.FixedSizeListArray.from_arrays(flat, 64), pa.array(rows[:, 64].astype(np.int64))],
        schema=SCHEMA,
    )


def write(path: Path, rows: np.ndarray) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(table(rows), path, row_group_size=ROW_GROUP, compression="zstd")


def main(source: str) -> None:
    with gzip.open(source, "rt") as lines:
        digits = np.loadtxt(lines, delimiter=",")
    digits = digits[np.random.default_rng(SEED).permutation(len(digits))]
    held_out = np.zeros(len(digits), bool)
    for digit in range(10):
        held_out[np.flatnonzero(digits[:, 64] == digit)[::HELD_OUT]] = True
    for shard, rows in enumerate(np.array_split(digits[~held_out], TRAIN_SHARDS)):
        write(HERE / "train" / f"part-{shard}.parquet", rows)
    write(HERE / "eval" / "part-0.parquet", digits[held_out])
    print(f"{(~held_out).sum()} images to train with, {held_out.sum()} held out")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
