"""Reads a record batch message where it lies, and compares it with the same rows in a stream.

Prints the number of rows.
"""

import sys

import pyarrow as pa

message_file, stream_file = sys.argv[1:]
expected = pa.ipc.open_stream(stream_file).read_all().combine_chunks()
message = pa.memory_map(message_file).read_buffer()
batch = pa.ipc.read_record_batch(message, expected.schema)
batch.validate(full=True)
for name in expected.column_names:
    assert batch.column(name).equals(expected.column(name).chunk(0)), f"{name} has other values"


def buffers(array):
    yield from array.buffers()
    if pa.types.is_list(array.type) or pa.types.is_fixed_size_list(array.type):
        yield from buffers(array.values)


for name, column in zip(batch.schema.names, batch.columns, strict=True):
    for buffer in buffers(column):
        if buffer is not None and buffer.size > 0:
            offset = buffer.address - message.address
            assert 0 <= offset < message.size, f"{name} was copied"
            assert offset % 64 == 0, f"{name} is not aligned"
            assert buffer.size <= message.size - offset, f"{name} ends outside the message"
    assert (column.buffers()[0] is None) == (column.null_count == 0), (
        f"{name} has a bitmap without nulls"
    )

print(batch.num_rows)
