"""Writes a dataset with one column of each supported type, some of them with nulls."""

import datetime as dt
import decimal
import sys

import pyarrow as pa
import pyarrow.parquet as pq

ROWS = 50


def some(values, kind):
    """Makes every seventh value null."""
    return pa.array([None if i % 7 == 3 else v for i, v in enumerate(values)], kind)


numbers = range(ROWS)
start = dt.datetime(1969, 12, 31, 23, 59, 58, 123456)
times = [start + dt.timedelta(seconds=i, microseconds=7) for i in numbers]
table = pa.table(
    {
        "flag": some([i % 3 == 0 for i in numbers], pa.bool_()),
        "small": some([i - 20 for i in numbers], pa.int8()),
        "unsigned": some([2**64 - 1 - i for i in numbers], pa.uint64()),
        "large": pa.array([-(2**62) + i for i in numbers], pa.int64()),
        "half": pa.array([i / 8 for i in numbers], pa.float32()).cast(pa.float16()),
        "single": some([i / 3 for i in numbers], pa.float32()),
        "double": some([i / 3 for i in numbers], pa.float64()),
        "text": some([f'"ä€\n{i}' for i in numbers], pa.string()),
        "bytes": some([bytes([i, 255, 0]) for i in numbers], pa.binary()),
        "fixed": pa.array([bytes([i] * 4) for i in numbers], pa.binary(4)),
        "money": some(
            [decimal.Decimal(i * 12345 - 77) / 100 for i in numbers], pa.decimal128(12, 2)
        ),
        "day": some(
            [dt.date(1960, 1, 1) + dt.timedelta(days=1000 * i) for i in numbers], pa.date32()
        ),
        "clock": pa.array([dt.time(i % 24, 59, i % 2, 1000 * i) for i in numbers], pa.time64("us")),
        "moment": some(times, pa.timestamp("us")),
        "instant": some(times, pa.timestamp("us", tz="UTC")),
        "list": some([list(range(i % 4)) for i in numbers], pa.list_(pa.int32())),
        "vector": pa.array([[i, i / 2] for i in numbers], pa.list_(pa.float32(), 2)),
    }
)
pq.write_table(table, sys.argv[1], row_group_size=20)
