"""The result of each schedule as one line of JSON, and a summary."""

from __future__ import annotations

import json
import statistics
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from lockstep.plural import counted

from chaos.kinds import Kind


@dataclass(frozen=True)
class FaultEntry:
    kind: str
    step: int
    hit: bool
    pids: list[int]
    owed: str
    recovery_s: float | None


@dataclass(frozen=True)
class ScheduleEntry:
    seed: int
    schedule: int
    settings: str
    ranks: int
    parallelism: int
    scheduler: str
    transport: str
    faults: list[FaultEntry]
    launches: int
    steps: int
    lane_steps: int
    repeated: int
    records: int
    seconds: float
    difference: str | None


def append(file: Path, entry: ScheduleEntry) -> None:
    with file.open("a") as out:
        out.write(json.dumps(asdict(entry)) + "\n")


def summary(file: Path) -> str:
    """A table of all entries of the file."""
    return _table([json.loads(line) for line in file.read_text().splitlines()])


def _table(entries: list[dict[str, Any]]) -> str:
    faults = [fault for entry in entries for fault in entry["faults"]]
    lines = [
        "| kind of fault | hits | missed | recovery, median s | most s |",
        "| --- | ---: | ---: | ---: | ---: |",
    ]
    for kind in Kind:
        of_kind = [fault for fault in faults if fault["kind"] == kind.value]
        hits = sum(fault["hit"] for fault in of_kind)
        times = [f["recovery_s"] for f in of_kind if f["hit"] and f["recovery_s"] is not None]
        lines.append(f"| {kind.value} | {hits} | {len(of_kind) - hits} | {_spread(times)} |")
    return "\n".join([*lines, "", _totals(entries, faults)])


def _spread(times: list[float]) -> str:
    return f"{statistics.median(times):.1f} | {max(times):.1f}" if times else "- | -"


def _totals(entries: list[dict[str, Any]], faults: Iterable[dict[str, Any]]) -> str:
    def sum_of(key: str) -> int:
        return sum(entry[key] for entry in entries)

    hits = sum(fault["hit"] for fault in faults)
    differences = sum(entry["difference"] is not None for entry in entries)
    return (
        f"{counted(len(entries), 'schedule')}, {counted(hits, 'fault')} that hit; "
        f"{counted(sum_of('steps'), 'step')} and {counted(sum_of('lane_steps'), 'step')} of lanes "
        "compared, "
        f"{sum_of('repeated'):,} of them made again for a later launch, and "
        f"{counted(sum_of('records'), 'record')} of the run directories; "
        f"{counted(differences, 'difference')}"
    )
