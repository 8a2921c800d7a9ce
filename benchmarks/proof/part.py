"""The cost of digests and resumption: epochs with digests and commits against epochs without."""

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
from tabular.workload import BATCH

LIMIT_S = 12 * 60
_PROCESS_LIMIT_S = 300

# Not counted: the first fills the cache, then the JVM compiles.
_WARM_UP = 40
_COUNTED = 160
_BRIEF = (1, 4)

# What a commit is compared with.
_STEPS = 2000


def measure(setup: Setup, deadline: Deadline) -> list[dict[str, Any]]:
    """The records of every repeat. Stops early if no time is left for another."""
    data = setup.tabular_data()
    warm_up, counted = _BRIEF if setup.brief else (_WARM_UP, _COUNTED)
    records: list[dict[str, Any]] = []
    for turn in range(setup.repeats):
        if turn and deadline.has_passed():
            break
        load = os.getloadavg()[0]
        found = run_json(setup.module("proof.epochs", data, warm_up, counted), _PROCESS_LIMIT_S)
        for variant, epochs in found["epochs"].items():
            if not all(epoch["every_row_once"] for epoch in epochs):
                raise PartFailedError(f"{variant} did not give every row once: {epochs}")
        records.append({"load": load, **found})
    return records


def rows(result: list[dict[str, Any]]) -> list[Row]:
    return [
        _compared("epochs from the cache, rows/s, with digests", result, _rate, 0),
        _compared("processor seconds of an epoch with digests", result, _processor_s, 3),
        _commits(result),
    ]


def _compared(
    title: str,
    result: list[dict[str, Any]],
    value: Callable[[list[dict[str, Any]]], float],
    digits: int,
) -> Row:
    """Over all turns of a repeat together, so that rare costs count too."""
    mine, bare = (
        [value(record["epochs"][variant]) for record in result] for variant in ("digests", "bare")
    )
    ratios = [a / b for a, b in zip(mine, bare, strict=True)]
    beside = f"without {Figure(bare).text(digits)}"
    return Row(title, Figure(mine).text(digits), beside, Figure(ratios).text(3))


def _commits(result: list[dict[str, Any]]) -> Row:
    """How long a commit blocks a trainer, relative to the steps between commits."""
    commits = Figure([statistics.median(record["commits"]) for record in result])
    steps = Figure([_STEPS * BATCH / _rate(record["epochs"]["digests"]) for record in result])
    ratio = f"{commits.median / steps.median:.4f}"
    beside = f"{_STEPS:,} such steps {steps.text(2)}"
    return Row("a commit, seconds", commits.text(3), beside, ratio)


def _rate(epochs: list[dict[str, Any]]) -> float:
    return float(sum(e["rows"] for e in epochs) / sum(e["seconds"] for e in epochs))


def _processor_s(epochs: list[dict[str, Any]]) -> float:
    return statistics.fmean(e["cpu_s"] for e in epochs)
