"""The JVM's memory over an epoch with default settings, for the table and for ten copies of it.

Anonymous memory counts: heap, code and Arrow's buffers. Mapped files are the cached row groups,
which the system reclaims under memory pressure, and the hand-off's shared memory.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from harness.commands import run_json
from harness.deadline import Deadline
from harness.figure import Figure
from harness.report import Row
from harness.setup import Setup
from harness.watch import JavaMemory

LIMIT_S = 10 * 60

_LIMIT_GB = 2.0
_TIMES = (1, 10)


def measure(setup: Setup, deadline: Deadline) -> dict[str, Any]:
    table = setup.tabular_data()
    peaks = {}
    for times in _TIMES:
        data = _repeated(table, setup.work / f"tabular-{times}-times", times)
        with JavaMemory(os.getpid()) as memory:
            found = run_json(setup.module("memory.epoch", data), deadline.left())
        peaks[str(times)] = {**found, "peak_bytes": memory.peak}
    return peaks


def _repeated(table: Path, directory: Path, times: int) -> Path:
    """The same files under several names: more rows and row groups without more disk space."""
    directory.mkdir(exist_ok=True)
    for number in range(times):
        for file in table.glob("*.parquet"):
            name = directory / f"{number}-{file.name}"
            if not name.exists():
                name.symlink_to(file)
    return directory


def rows(result: dict[str, Any]) -> list[Row]:
    return [
        Row.of(
            f"the JVM's memory without mapped files, {found['rows'] / 1e6:.3g} million rows, GB",
            Figure([found["peak_bytes"]["RssAnon"] / 1e9]),
            "limit",
            _LIMIT_GB,
            digits=2,
        )
        for found in result.values()
    ]
