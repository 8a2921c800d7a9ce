"""What it costs to call a Python function in a worker, compared with a loop in one process."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from harness.commands import run_json
from harness.deadline import Deadline
from harness.figure import Figure
from harness.report import Row
from harness.setup import Setup

LIMIT_S = 3 * 60

# Rows of a step, and of a row group of the table.
_ROWS = (4_096, 50_000)
_FUNCTION = Path(__file__).parent / "ratios.py"
_GOAL = 0.8


def measure(setup: Setup, deadline: Deadline) -> Any:
    """The processor nanoseconds of each repeat, by rows of a call."""
    seconds = 0.1 if setup.brief else 2
    main = "io.lockstep.benchmarks.functions.CallFunction"
    result: dict[str, Any] = {}
    for rows in _ROWS:
        called = setup.java(main, sys.executable, _FUNCTION, rows, seconds)
        looped = setup.module("functions.loop", rows, seconds)
        repeats = range(setup.repeats)
        both = [
            (run_json(called, deadline.left()), run_json(looped, deadline.left())) for _ in repeats
        ]
        result[str(rows)] = {"called": [c for c, _ in both], "looped": [loop for _, loop in both]}
    return result


def rows(result: dict[str, Any]) -> list[Row]:
    made = []
    for rows, measured in result.items():
        called = Figure([(c["caller"] + c["worker"]) / 1e3 for c in measured["called"]])
        looped = Figure([loop["batch"] / 1e3 for loop in measured["looped"]])
        made.append(
            Row(
                f"a Python function over {int(rows):,} rows of 50 columns in a worker, "
                "microseconds of processor time",
                called.text(),
                f"in a loop over Arrow batches: {looped.text()}; goal: at least {_GOAL:.0%} of its "
                "speed",
                f"{looped.median / called.median:.2f}",
            )
        )
    return made
