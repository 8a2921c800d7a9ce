"""What it costs to prove and to resume: epochs with digests and commits beside epochs without."""

from __future__ import annotations

import os
import statistics
from collections.abc import Callable
from typing import Any

from harness.commands import PartFailedError, run_json
from harness.deadline import Deadline
from harness.figure import Figure
from harness.report import Row
from harness.setup import Setup

LIMIT_S = 16 * 60
_PROCESS_LIMIT_S = 300

_TITLES = {
    "digests": "digests",
    "commits": "digests and a commit every 100 steps",
}
_BARE = "neither digests nor commits"


def measure(setup: Setup, deadline: Deadline) -> list[dict[str, Any]]:
    """The record of every repeat. Stops early where there is no time for another."""
    data = setup.tabular_data()
    records: list[dict[str, Any]] = []
    for turn in range(setup.repeats):
        if turn and deadline.has_passed():
            break
        load = os.getloadavg()[0]
        epochs = run_json(setup.module("proof.epochs", data), _PROCESS_LIMIT_S)
        for variant, taken in epochs.items():
            if not all(epoch["every_row_once"] for epoch in taken):
                raise PartFailedError(f"{variant} did not give every row once: {taken}")
        records.append({"load": load, "epochs": epochs})
    return records


def rows(result: list[dict[str, Any]]) -> list[Row]:
    return [
        _row(f"{title} with {name}", variant, value, digits, result)
        for title, value, digits in (
            ("epochs from the cache, rows/s,", _rate, 0),
            ("processor seconds of an epoch", _cpu_s, 2),
        )
        for variant, name in _TITLES.items()
    ]


def _row(
    title: str,
    variant: str,
    value: Callable[[dict[str, Any]], float],
    digits: int,
    result: list[dict[str, Any]],
) -> Row:
    """The ratio is the median of all turns', each of two epochs that were taken close together."""
    with_it = [[value(e) for e in record["epochs"][variant]] for record in result]
    without = [[value(e) for e in record["epochs"]["bare"]] for record in result]
    figures = [Figure([statistics.median(taken) for taken in each]) for each in (with_it, without)]
    ratio = statistics.median(
        mine / other
        for ours, others in zip(with_it, without, strict=True)
        for mine, other in zip(ours, others, strict=True)
    )
    beside = f"{_BARE} {figures[1].text(digits)}"
    return Row(title, figures[0].text(digits), beside, f"{ratio:.2f}")


def _rate(epoch: dict[str, Any]) -> float:
    return float(epoch["rows"] / epoch["seconds"])


def _cpu_s(epoch: dict[str, Any]) -> float:
    return float(epoch["cpu_s"])
