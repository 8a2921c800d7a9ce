"""Compares an Arrow IPC stream with rows of a Parquet file. Arguments: stream, Parquet file, row numbers or 'all'."""

import sys

import pyarrow as pa
import pyarrow.parquet as pq

found = pa.ipc.open_stream(sys.argv[1]).read_all()
expected = pq.read_table(sys.argv[2])
if sys.argv[3] != "all":
    rows = [int(n) for n in sys.argv[3].split(",")]
    expected = expected.take(rows).append_column("_sample", pa.array(rows, pa.uint64()))
assert found.column_names == expected.column_names, found.column_names
for name in expected.column_names:
    assert found[name].to_pylist() == expected[name].to_pylist(), name
    kind = expected[name].type
    if not pa.types.is_nested(kind):
        assert found[name].type == kind, (name, found[name].type, kind)
print("same")
