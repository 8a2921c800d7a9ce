"""The response times of verbs that need no cluster, on a dataset of 1,000 files."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from harness.commands import run_command
from harness.deadline import Deadline
from harness.figure import Figure
from harness.processes import tree_cpu_s
from harness.report import Row
from harness.setup import Setup, lockstep_command

LIMIT_S = 3 * 60

_SECONDS = 3.0

# Of the table, so that a footer has 52 columns.
_FILES = 1_000
_ROWS = 20  # per file
_ORDER = ("--batch", "1024", "--epoch", "3")

_VERBS = {
    "order": (*_ORDER, "--step", "7"),
    "locate": (*_ORDER, "--sample", "12345"),
    "show": (*_ORDER, "--step", "7", "--json"),
    "cat": ("--json",),
}


def measure(setup: Setup, deadline: Deadline) -> dict[str, Any]:
    data = setup.work / "verbs"
    run_command(setup.module("tabular.make_data", data, _FILES, _ROWS), deadline.left())
    # Builds whatever is missing, and archives its classes.
    run_command([lockstep_command(), "--version"], deadline.left())
    found: dict[str, Any] = {verb: [] for verb in _VERBS}
    for _ in range(setup.repeats):
        for verb in _VERBS:
            found[verb].append(_answer(verb, data, deadline))
    return found


def _answer(verb: str, data: Path, deadline: Deadline) -> dict[str, float]:
    """Wall time of the whole command, including the start of the JVM."""
    started, used = time.monotonic(), tree_cpu_s()
    run_command([lockstep_command(), verb, data, *_VERBS[verb]], deadline.left())
    return {"seconds": time.monotonic() - started, "processor_s": tree_cpu_s() - used}


def rows(result: dict[str, Any]) -> list[Row]:
    return [
        Row.of(
            f"{verb} of {_FILES:,} files, seconds",
            Figure([answer["seconds"] for answer in answers]),
            "limit",
            _SECONDS,
            digits=2,
        )
        for verb, answers in result.items()
    ]
