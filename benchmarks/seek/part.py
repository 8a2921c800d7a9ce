"""How long it takes to locate any step, a trainer to get its batch, and a commit."""

from __future__ import annotations

from typing import Any

from harness.commands import run_json
from harness.deadline import Deadline
from harness.figure import Figure
from harness.report import Row
from harness.setup import Setup

LIMIT_S = 4 * 60

_SEEK_LIMIT_S = 1.0
_LOCATE_LIMIT_MS = 50
_LOCATED = 50


def measure(setup: Setup, deadline: Deadline) -> Any:
    command = setup.module("seek.steps", setup.tabular_data(), setup.repeats)
    seeks = run_json(command, deadline.left())
    main = "io.lockstep.benchmarks.seek.LocateSteps"
    steps = 1 if setup.brief else _LOCATED
    located = run_json(setup.java(main, setup.row_groups, steps), deadline.left())
    return {**seeks, "row_groups": setup.row_groups, "located_ms": located}


def rows(result: dict[str, Any]) -> list[Row]:
    seeks = Figure([seek["seconds"] for seek in result["seeks"]])
    commits = Figure([1000 * seconds for seconds in result["commits_s"]])
    return [
        *(
            Row.of(
                f"locating a step among {result['row_groups']:,} row groups, shuffle {shuffle}, "
                "milliseconds",
                Figure(millis),
                "limit",
                _LOCATE_LIMIT_MS,
                digits=1,
            )
            for shuffle, millis in result["located_ms"].items()
        ),
        Row.of("seek to any step, seconds to its batch", seeks, "limit", _SEEK_LIMIT_S, digits=3),
        Row("a commit with generator states, milliseconds", commits.text(1), "", ""),
    ]
