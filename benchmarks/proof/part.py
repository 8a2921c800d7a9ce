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
from tabular.workload import BATCH

LIMIT_S = 16 * 60
_PROCESS_LIMIT_S = 300

_BARE = "neither"
_STEPS = 2000


def measure(setup: Setup, deadline: Deadline) -> dict[str, list[dict[str, Any]]]:
    """The records of every repeat, by loop. Stops early where there is no time for another."""
    data = setup.tabular_data()
    records: dict[str, list[dict[str, Any]]] = {"sums": [], "model": []}
    for turn in range(setup.repeats):
        if turn and deadline.has_passed():
            break
        for loop, taken in records.items():
            load = os.getloadavg()[0]
            found = run_json(setup.module("proof.epochs", loop, data), _PROCESS_LIMIT_S)
            for variant, of_it in found["epochs"].items():
                if not all(epoch["every_row_once"] for epoch in of_it):
                    raise PartFailedError(f"{variant} did not give every row once: {of_it}")
            taken.append({"load": load, **found})
    return records


def rows(result: dict[str, list[dict[str, Any]]]) -> list[Row]:
    sums, model = result["sums"], result["model"]
    return [
        _rates("epochs from the cache, rows/s, with digests", "digests", sums),
        _processor(sums),
        _commits(sums),
        _rates(
            "training a small model, rows/s, with digests and a commit an epoch", "commits", model
        ),
    ]


def _processor(result: list[dict[str, Any]]) -> Row:
    seconds = {
        variant: [
            statistics.fmean(epoch["cpu_s"] for epoch in record["epochs"][variant])
            for record in result
        ]
        for variant in ("digests", "bare")
    }
    ratios = [mine / bare for mine, bare in zip(seconds["digests"], seconds["bare"], strict=True)]
    return Row(
        "processor seconds of an epoch with digests",
        Figure(seconds["digests"]).text(3),
        f"{_BARE} {Figure(seconds['bare']).text(3)}",
        Figure(ratios).text(3),
    )


def _commits(result: list[dict[str, Any]]) -> Row:
    """How long a trainer waits for a commit, beside the steps that it takes meanwhile."""
    commits = Figure([statistics.median(record["commits"]) for record in result])
    steps = Figure([_STEPS * BATCH / _total_rate(record["epochs"]["digests"]) for record in result])
    ratio = f"{commits.median / steps.median:.4f}"
    beside = f"{_STEPS:,} such steps {steps.text(2)}"
    return Row("a commit, seconds", commits.text(3), beside, ratio)


def _rates(title: str, variant: str, result: list[dict[str, Any]]) -> Row:
    """Of all turns of a repeat together, so that what comes in few of them counts too."""
    rates = {
        which: [_total_rate(record["epochs"][which]) for record in result]
        for which in (variant, "bare")
    }
    ratios = [mine / bare for mine, bare in zip(rates[variant], rates["bare"], strict=True)]
    beside = f"{_BARE} {Figure(rates['bare']).text()}"
    return Row(title, Figure(rates[variant]).text(), beside, Figure(ratios).text(3))


def _total_rate(epochs: list[dict[str, Any]]) -> float:
    return float(sum(e["rows"] for e in epochs) / sum(e["seconds"] for e in epochs))
