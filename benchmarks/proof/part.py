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

_BARE = "neither"
_COMMITS = "digests and a commit an epoch"


def measure(setup: Setup, deadline: Deadline) -> dict[str, list[dict[str, Any]]]:
    """The records of every repeat, by loop. Stops early where there is no time for another."""
    data = setup.tabular_data()
    records: dict[str, list[dict[str, Any]]] = {"sums": [], "model": []}
    for turn in range(setup.repeats):
        if turn and deadline.has_passed():
            break
        for loop, taken in records.items():
            load = os.getloadavg()[0]
            epochs = run_json(setup.module("proof.epochs", loop, data), _PROCESS_LIMIT_S)
            for variant, of_it in epochs.items():
                if not all(epoch["every_row_once"] for epoch in of_it):
                    raise PartFailedError(f"{variant} did not give every row once: {of_it}")
            taken.append({"load": load, "epochs": epochs})
    return records


def rows(result: dict[str, list[dict[str, Any]]]) -> list[Row]:
    sums, model = result["sums"], result["model"]
    rate, cpu = "epochs from the cache, rows/s, with", "processor seconds of an epoch with"
    return [
        _row(f"{rate} digests", "digests", _rate, 0, sums),
        _row(f"{rate} {_COMMITS}", "commits", _rate, 0, sums),
        _row(f"{cpu} digests", "digests", _cpu_s, 2, sums),
        _row(f"{cpu} {_COMMITS}", "commits", _cpu_s, 2, sums),
        _row(f"training a small model, rows/s, with {_COMMITS}", "commits", _rate, 0, model),
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
