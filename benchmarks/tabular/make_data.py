"""Writes the table of the comparison: python -m tabular.make_data DIRECTORY [FILES ROWS]

2,000,000 rows in 8 files, or FILES files with ROWS rows each; row groups of 50,000 rows, snappy: 40
float columns, 10 integer columns, a row id and a label. As in click or customer tables, the columns
are smooth measurements, rounded prices, counts, nearly constant zeros, and ids with two to billions
of values.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as parquet

from tabular.workload import FILES, FLOATS, INTEGERS, LABEL, ROW_GROUP, ROW_ID, ROWS

_VALUES = (2, 10, 30, 100, 1_000, 10_000, 60_000, 2_000_000, 50_000_000, 1 << 60)


def _float_column(number: int, rows: int, random: np.random.Generator) -> np.ndarray:
    kinds = (
        lambda: random.normal(0, 1, rows),
        lambda: random.uniform(1, 500, rows).round(2),
        lambda: random.normal(20, 5, rows).round(3),
        lambda: random.lognormal(0.5, 1.5, rows),
        lambda: random.exponential(2, rows) * (random.random(rows) < 0.03),
        lambda: random.poisson(4, rows),
        lambda: random.beta(2, 4, rows),
        lambda: random.geometric(0.01, rows),
    )
    return kinds[number % len(kinds)]().astype(np.float32)


def _integer_column(number: int, rows: int, random: np.random.Generator) -> np.ndarray:
    values = _VALUES[number]
    if values > 100_000:
        return random.integers(0, values, rows)
    # Few values are frequent and many are rare, as ids are.
    return (values * random.random(rows) ** 4).astype(np.int64)


def table(first: int, rows: int) -> pa.Table:
    """The rows [first, first + rows); deterministic."""
    random = np.random.default_rng(first)
    columns = {name: _float_column(k, rows, random) for k, name in enumerate(FLOATS)}
    columns |= {name: _integer_column(k, rows, random) for k, name in enumerate(INTEGERS)}
    columns[ROW_ID] = np.arange(first, first + rows, dtype=np.int64)
    columns[LABEL] = (columns[FLOATS[0]] + random.normal(0, 1, rows) > 0).astype(np.float32)
    return pa.table(columns)


def make(directory: Path, files: int = FILES, rows: int = ROWS // FILES) -> None:
    """Skips a directory that is complete."""
    done = directory / "_complete"
    if done.exists():
        return
    directory.mkdir(parents=True, exist_ok=True)
    for number in range(files):
        parquet.write_table(
            table(number * rows, rows),
            directory / f"part-{number:03d}.parquet",
            row_group_size=ROW_GROUP,
            compression="snappy",
        )
    done.touch()


if __name__ == "__main__":
    make(Path(sys.argv[1]), *map(int, sys.argv[2:]))
