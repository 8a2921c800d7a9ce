"""The same function in a plain loop: python -m functions.loop ROWS SECONDS

Prints a JSON object with the processor nanoseconds of a pass: of the function alone, over arrays
that are ready; and over Arrow batches, from which a loop takes the columns as arrays and to which
it adds the result.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa

from functions.ratios import add_ratios

_COLUMNS = 50
_WARM_UP = 500


def main(rows: str, seconds: str) -> None:
    values = np.arange(int(rows), dtype=np.float32)
    names = [f"f{column:02}" for column in range(_COLUMNS)]
    batch = pa.RecordBatch.from_arrays([pa.array(values + c) for c in range(_COLUMNS)], names)
    arrays = _arrays(batch)
    passes: dict[str, Callable[[], Any]] = {
        "function": lambda: add_ratios(arrays),
        "batch": lambda: batch.append_column(
            "ratio", pa.array(add_ratios(_arrays(batch))["ratio"])
        ),
    }
    took = {name: _measure(one, float(seconds)) for name, one in passes.items()}
    print(json.dumps(took))  # noqa: T201


def _arrays(batch: pa.RecordBatch) -> dict[str, Any]:
    return {name: batch.column(name).to_numpy() for name in batch.schema.names}


def _measure(one: Callable[[], Any], seconds: float) -> float:
    for _ in range(_WARM_UP):
        one()
    started = time.process_time_ns()
    calls = 0
    while time.process_time_ns() - started < seconds * 1e9:
        one()
        calls += 1
    return (time.process_time_ns() - started) / calls


if __name__ == "__main__":
    main(*sys.argv[1:])
