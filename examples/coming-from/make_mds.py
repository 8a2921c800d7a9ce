"""Writes the rows of Parquet files as the shards that Mosaic Streaming reads.

usage: python make_mds.py PARQUET_DIRECTORY MDS_DIRECTORY
"""

import sys
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
from streaming import MDSWriter

source, target = sys.argv[1:]
columns = {"features": "ndarray:float32:64", "label": "int"}
with MDSWriter(out=target, columns=columns) as shards:
    for file in sorted(Path(source).glob("*.parquet")):
        for row in pq.read_table(file).to_pylist():
            features = np.array(row["features"], np.float32)
            shards.write({"features": features, "label": row["label"]})
