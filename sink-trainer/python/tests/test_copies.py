"""Numbers are copied once: from the server's memory into the batch's own."""

from __future__ import annotations

import gc
import json
import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
import torch

from lockstep.decode import column_for
from lockstep.memory import Memory, NumpyMemory
from lockstep.torch import TorchMemory
from tests.peer import Stream, serving
from tests.test_process import ended, trainer

ROWS = 50_000
VALUES = np.arange(ROWS)
SPARE = 16 << 10
"""Bytes of objects that are not the data; each column below has several times as many."""

KINDS = {
    "float16": pa.array(VALUES.astype(np.float16)),
    "float32": pa.array(VALUES, pa.float32()),
    "int8": pa.array((VALUES % 128).astype(np.int8)),
    "int64": pa.array(VALUES),
    "uint32, which torch gets as int64": pa.array(VALUES, pa.uint32()),
    "timestamp": pa.array(VALUES, pa.timestamp("us", "UTC")),
    "fixed-size list": pa.FixedSizeListArray.from_arrays(pa.array(VALUES, pa.float32()), 10),
    "list": pa.ListArray.from_arrays(
        pa.array(range(0, ROWS + 1, 10), pa.int32()), pa.array(VALUES, pa.float32())
    ),
}


@pytest.mark.parametrize("parts", [1, 5])
@pytest.mark.parametrize("memory", [NumpyMemory(), TorchMemory(pin=False)], ids=["numpy", "torch"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_column_is_copied_once(kind: str, memory: Memory, parts: int) -> None:
    column = column_for("x", KINDS[kind].type, memory)
    length = len(KINDS[kind]) // parts
    arrays = [KINDS[kind].slice(part * length, length) for part in range(parts)]
    column.decode(arrays, length * parts)  # whose first use loads modules
    arrow = pa.total_allocated_bytes()
    gc.collect()
    tracemalloc.start()
    try:
        handed = column.decode(arrays, length * parts)
        held, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    size = nbytes(handed)
    assert size >= ROWS
    assert size <= held  # what was filled is what is handed out
    assert most < size + SPARE + temporary(kind)
    assert pa.total_allocated_bytes() == arrow


def nbytes(handed: Any) -> int:
    parts = handed if isinstance(handed, tuple) else (handed,)
    return sum(int(part.nbytes) for part in parts)


def temporary(kind: str) -> int:
    """Lists' offsets become lengths in between, which take less than a copy of their values."""
    return 3 * 8 * len(KINDS[kind]) if kind == "list" else 0


ONE_EPOCH = """
import gc, json, tracemalloc
import pyarrow as pa
from lockstep.torch import Loader

with Loader("train", transport="shm") as train:
    gc.collect()
    tracemalloc.start()
    batches = list(train)
    held, most = tracemalloc.get_traced_memory()
    tensors = [batch["x"] for batch in batches]
    maps = [line.split() for line in open("/proc/self/maps")]
print(json.dumps({
    "held": held,
    "most": most,
    "arrow": pa.default_memory_pool().max_memory(),
    "pointers": [tensor.data_ptr() for tensor in tensors],
    "bytes": sum(tensor.nbytes for tensor in tensors),
    "sums": [tensor.double().sum().item() for tensor in tensors],
    "shared": [words[0] for words in maps if "/lockstep-test-" in words[-1]],
}))
"""


def test_tensors_from_shared_memory_are_the_only_copy_of_it(run: Path) -> None:
    rows, width = 2048, 64
    values = torch.arange(4 * rows * width, dtype=torch.float32).reshape(4, rows, width)
    lists = pa.FixedSizeListArray.from_arrays(pa.array(values.flatten().numpy()), width)
    stream = Stream(pa.table({"x": lists}), lanes=1, batch=rows)
    with serving(run, {"train": stream}), trainer(run, ONE_EPOCH) as process:
        status, out, err = ended(process)

    assert (status, err) == (0, "")
    found = json.loads(out)
    assert found["sums"] == [step.double().sum().item() for step in values]
    assert found["bytes"] == values.nbytes
    assert found["bytes"] <= found["held"]
    # A column is larger than everything else of a step.
    assert found["most"] < found["held"] + values[0].nbytes / 2
    assert found["arrow"] < values[0].nbytes / 2
    (mapped,) = found["shared"]
    begin, end = (int(edge, 16) for edge in mapped.split("-"))
    assert not [pointer for pointer in found["pointers"] if begin <= pointer < end]
