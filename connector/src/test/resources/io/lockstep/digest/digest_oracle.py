"""The definition of docs/digests.md once more, value by value, for tests and golden vectors.

It works on Python's values, never on Arrow's buffers. Run it to write golden.json again:

    python digest_oracle.py >golden.json
"""

from __future__ import annotations

import base64
import decimal
import json
import struct
import sys
from typing import Any

import pyarrow as pa
import pyarrow.types as types
import xxhash


def lane_digest(batch: pa.RecordBatch) -> str:
    counts, body = canonical(batch)
    return xxhash.xxh3_128_hexdigest(
        struct.pack(f"<{len(counts)}q", *counts) + xxhash.xxh3_128_digest(body)
    )


def canonical(batch: pa.RecordBatch) -> tuple[list[int], bytes]:
    counts: list[int] = []
    body = bytearray()
    for column in batch.columns:
        _array(column.type, column.to_pylist(), counts, body)
    return counts, bytes(body)


def _array(kind: pa.DataType, values: list[Any], counts: list[int], body: bytearray) -> None:
    present = [value for value in values if value is not None]
    counts += (len(values), len(values) - len(present))
    if len(present) < len(values):
        _buffer(body, _bits([value is not None for value in values]))
    if types.is_boolean(kind):
        _buffer(body, _bits(present))
    elif types.is_list(kind):
        _buffer(body, _offsets(present))
        _array(kind.value_type, [e for value in present for e in value], counts, body)
    elif types.is_fixed_size_list(kind):
        _array(kind.value_type, [e for value in present for e in value], counts, body)
    elif types.is_string(kind) or types.is_binary(kind):
        encoded = [value.encode() if isinstance(value, str) else value for value in present]
        _buffer(body, _offsets(encoded))
        _buffer(body, b"".join(encoded))
    else:
        _buffer(body, b"".join(_fixed(kind, value) for value in present))


def _buffer(body: bytearray, content: bytes) -> None:
    body += content + bytes(-len(content) % 64)


def _bits(flags: list[bool]) -> bytes:
    number = sum(1 << i for i, flag in enumerate(flags) if flag)
    return number.to_bytes((len(flags) + 7) // 8, "little")


def _offsets(values: list[Any]) -> bytes:
    ends = [0]
    for value in values:
        ends.append(ends[-1] + len(value))
    return struct.pack(f"<{len(ends)}i", *ends)


def _fixed(kind: pa.DataType, value: Any) -> bytes:
    if types.is_fixed_size_binary(kind):
        return value
    if types.is_decimal(kind):
        with decimal.localcontext() as context:
            context.prec = 80
            unscaled = int(value.scaleb(kind.scale))
        return unscaled.to_bytes(kind.bit_width // 8, "little", signed=True)
    if types.is_floating(kind):
        return struct.pack({16: "<e", 32: "<f", 64: "<d"}[kind.bit_width], value)
    if types.is_temporal(kind):
        number = pa.scalar(value, kind).cast(pa.int32() if kind.bit_width == 32 else pa.int64())
        return number.as_py().to_bytes(kind.bit_width // 8, "little", signed=True)
    return value.to_bytes(kind.bit_width // 8, "little", signed=types.is_signed_integer(kind))


def _golden() -> dict[str, Any]:
    dec = decimal.Decimal
    three = pa.list_(pa.float32(), 3)
    columns: dict[str, tuple[pa.DataType, list[Any]]] = {
        "int32 without nulls": (pa.int32(), [1, -2, 3]),
        "int32 with a null": (pa.int32(), [1, None, 3]),
        "int32, all null": (pa.int32(), [None, None, None]),
        "uint8, 65 rows": (pa.uint8(), list(range(65))),
        "booleans": (pa.bool_(), [True, False, True, True, False, True, False, False, True]),
        "booleans with nulls": (pa.bool_(), [None, False, True, None, True]),
        "half precision": (pa.float16(), [0.5, -0.0, 2.0]),
        "double precision": (pa.float64(), [0.1, None, -1e300]),
        "decimals": (pa.decimal128(20, 4), [dec("1.5000"), None, dec("-12345678.9012")]),
        "dates": (pa.date32(), [19000, None, -1]),
        "instants": (pa.timestamp("us", "UTC"), [1_700_000_000_000_000, 0, None]),
        "fixed-size bytes": (pa.binary(3), [b"abc", None, b"\0\1\2"]),
        "strings": (pa.string(), ["", "lockstep", "ä"]),
        "strings with nulls": (pa.string(), ["a", None, "", "bc", None]),
        "bytes": (pa.binary(), [b"\xff", b"", None]),
        "lists": (pa.list_(pa.int64()), [[1, 2], [], [3]]),
        "lists with nulls": (pa.list_(pa.int16()), [[1, None], None, [], [None, 2, 3]]),
        "lists of strings": (pa.list_(pa.string()), [["a", None], None, ["", "bc"]]),
        "vectors": (three, [[1, 2, 3], [4, 5, 6]]),
        "vectors with nulls": (three, [[1, None, 3], None, [4, 5, 6]]),
        "lists of vectors": (pa.list_(three), [[[1, 2, 3], None], None, []]),
    }
    cases = {name: pa.table({"x": pa.array(v, kind)}) for name, (kind, v) in columns.items()}
    cases["two columns"] = pa.table({"x": [1.0, 2.0], "y": ["one", None]})
    vectors = []
    for name, table in cases.items():
        rows = table.num_rows
        table = table.append_column("_sample", pa.array(range(2**63, 2**63 + rows), pa.uint64()))
        weights = [1] * (rows - 1) + [0]
        table = table.append_column("_weight", pa.array(weights, pa.uint8()))
        batch = table.combine_chunks().to_batches()[0]
        sink = pa.BufferOutputStream()
        with pa.ipc.new_stream(sink, batch.schema) as stream:
            stream.write_batch(batch)
        counts, body = canonical(batch)
        vectors.append(
            {
                "name": name,
                "rows": base64.b64encode(sink.getvalue()).decode(),
                "counts": counts,
                "body": body.hex(),
                "digest": lane_digest(batch),
            }
        )
    lanes = "".join(vector["digest"] for vector in vectors)
    return {"lanes": vectors, "step": xxhash.xxh3_128_hexdigest(bytes.fromhex(lanes))}


if __name__ == "__main__":
    json.dump(_golden(), sys.stdout, indent=1)
    sys.stdout.write("\n")
