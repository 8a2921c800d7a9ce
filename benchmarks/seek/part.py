"""How long a trainer takes to get the first batch of any step, and how long a commit takes."""

from __future__ import annotations

from typing import Any

from harness.commands import run_json
from harness.deadline import Deadline
from harness.figure import Figure
from harness.report import Row
from harness.setup import Setup

LIMIT_S = 4 * 60

_SEEK_LIMIT_S = 1.0


def measure(setup: Setup, deadline: Deadline) -> Any:
    command = setup.module("seek.steps", setup.tabular_data(), setup.repeats)
    return run_json(command, deadline.left())


def rows(result: dict[str, Any]) -> list[Row]:
    seeks = Figure([seek["seconds"] for seek in result["seeks"]])
    commits = Figure([1000 * seconds for seconds in result["commits_s"]])
    return [
        Row.of("seek to any step, seconds to its batch", seeks, "limit", _SEEK_LIMIT_S, digits=3),
        Row("a commit with generator states, milliseconds", commits.text(1), "", ""),
    ]
