"""The cost of standardizing and packing columns in the job, and in the trainer."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from harness.commands import PartFailedError, run_json
from harness.deadline import Deadline
from harness.figure import Figure
from harness.report import Row
from harness.setup import Setup
from transforms.loop import VARIANTS

LIMIT_S = 10 * 60
_PROCESS_LIMIT_S = 180


def measure(setup: Setup, deadline: Deadline) -> dict[str, list[Any]]:
    """The records of every repeat, by variant. Stops early if no time is left for another."""
    data = setup.tabular_data()
    for file in data.glob("*.parquet"):
        file.read_bytes()  # Into the system's page cache, for all variants.
    records: dict[str, list[Any]] = {variant: [] for variant in VARIANTS}
    for turn in range(setup.repeats):
        if turn and deadline.has_passed():
            break
        # In alternating order, so that drift of the machine's speed favours none.
        for variant in VARIANTS[:: -1 if turn % 2 else 1]:
            load = os.getloadavg()[0]
            record = run_json(setup.module("transforms.loop", variant, data), _PROCESS_LIMIT_S)
            if not all(epoch["every_row_once"] for epoch in record["epochs"]):
                raise PartFailedError(f"{variant} did not give every row once: {record}")
            records[variant].append({"load": load, **record})
    return records


def rows(result: dict[str, list[Any]]) -> list[Row]:
    table = []
    for other in ("plain", "scikit-learn"):
        beside = {"plain": "without transforms", "scikit-learn": "by scikit-learn in the trainer"}
        for title, value in (
            ("cold epoch with 40 columns standardized and packed, s", _seconds(0)),
            ("processor time of it, s", _processor(0)),
            ("warm epoch, s", _seconds(1)),
            ("processor time of it, s", _processor(1)),
        ):
            mine, theirs = (
                Figure([value(record) for record in result[variant]])
                for variant in ("lockstep", other)
            )
            table.append(Row.of(title, mine, beside[other], theirs, digits=2))
    return table


def _seconds(epoch: int) -> Callable[[dict[str, Any]], float]:
    return lambda record: float(record["epochs"][epoch]["seconds"])


def _processor(epoch: int) -> Callable[[dict[str, Any]], float]:
    return lambda record: float(record["epochs"][epoch]["cpu_s"])
