"""What it costs to prove and to resume: epochs with digests and commits beside epochs without."""

from __future__ import annotations

import os
import statistics
from typing import Any

from harness.commands import PartFailedError, run_json
from harness.deadline import Deadline
from harness.figure import Figure
from harness.report import Row
from harness.setup import Setup

LIMIT_S = 12 * 60
_PROCESS_LIMIT_S = 180

VARIANTS = {
    "bare": "neither digests nor commits",
    "digests": "digests",
    "commits": "digests and a commit every 100 steps",
}


def measure(setup: Setup, deadline: Deadline) -> dict[str, Any]:
    """The records of every repeat, by variant. Stops early where there is no time for another."""
    data = setup.tabular_data()
    records: dict[str, list[Any]] = {variant: [] for variant in VARIANTS}
    for turn in range(setup.repeats):
        if turn and deadline.has_passed():
            break
        # Back and forth, so that a machine that gets slower or faster favours none.
        for variant in list(VARIANTS)[:: -1 if turn % 2 else 1]:
            load = os.getloadavg()[0]
            record = run_json(setup.module("proof.epochs", variant, data), _PROCESS_LIMIT_S)
            if not all(epoch["every_row_once"] for epoch in record["epochs"]):
                raise PartFailedError(f"{variant} did not give every row once: {record}")
            records[variant].append({"load": load, **record})
    return records


def rows(result: dict[str, Any]) -> list[Row]:
    table = []
    for title, value in (
        ("epochs from the cache with {}, rows/s", _rate),
        ("processor seconds of an epoch with {}", _cpu_s),
    ):
        figures = {
            variant: Figure([value(record) for record in records])
            for variant, records in result.items()
        }
        digits = 0 if value is _rate else 2
        for variant in ("digests", "commits"):
            table.append(
                Row.of(
                    title.format(VARIANTS[variant]),
                    figures[variant],
                    VARIANTS["bare"],
                    figures["bare"],
                    digits,
                )
            )
    return table


def _rate(record: dict[str, Any]) -> float:
    return float(statistics.median(e["rows"] / e["seconds"] for e in record["epochs"]))


def _cpu_s(record: dict[str, Any]) -> float:
    return float(statistics.median(e["cpu_s"] for e in record["epochs"]))
