"""Writes Parquet files with their fixed-size lists as plain ones, as Petastorm reads them.

usage: python make_lists.py PARQUET_DIRECTORY NEW_DIRECTORY
"""

import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

source, target = map(Path, sys.argv[1:])
target.mkdir(parents=True)
for file in sorted(source.glob("*.parquet")):
    table = pq.read_table(file)
    lists = table["features"].cast(pa.list_(pa.float32()))
    pq.write_table(table.set_column(0, "features", lists), target / file.name)
