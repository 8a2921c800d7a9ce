"""Checks that every part of the benchmarks works; tests ignore the figures."""

from __future__ import annotations

import json
import os
import re
import sys
from pathlib import Path

import pytest

from tests.command import ROOT, run

LIMIT_S = 900

COMMAND = ROOT / "benchmarks" / "run"

# The hand-off of 16 MB batches needs as much shared memory as its page says.
ROOMY = ["handoff"]
ROOM = 1 << 30
OTHERS = ["tabular", "proof", "seek", "verbs", "memory", "idle", "transforms", "functions", "micro"]


def shared_memory() -> int:
    """The free bytes."""
    room = os.statvfs("/dev/shm")
    return room.f_bavail * room.f_frsize


@pytest.mark.parametrize(
    "parts",
    [
        OTHERS,
        pytest.param(
            ROOMY,
            marks=pytest.mark.skipif(
                shared_memory() < ROOM, reason="needs 1 GB free under /dev/shm"
            ),
        ),
    ],
    ids=["others", "roomy"],
)
def test_the_parts_give_their_figures(parts: list[str], tmp_path: Path) -> None:
    options: list[str | Path] = ["--brief", "--work", tmp_path / "work", "--out", tmp_path]
    printed = run(
        *(COMMAND, *options, *parts),
        cwd=tmp_path,
        env={"LOCKSTEP_PYTHON": sys.executable},
        limit_s=LIMIT_S,
    ).stdout

    found = json.loads((tmp_path / "results.json").read_text())
    assert list(found["parts"]) == parts
    assert found["rows"]
    assert printed.splitlines() == (tmp_path / "results.md").read_text().splitlines()


def test_no_part_is_left_out(tmp_path: Path) -> None:
    told = run(COMMAND, "--help", cwd=tmp_path, env={"LOCKSTEP_PYTHON": sys.executable}).stdout

    parts = re.search(r"of ([\w,\s]+);\s+or all", told)
    assert parts is not None
    assert sorted(re.split(r",\s+", parts[1])) == sorted(ROOMY + OTHERS)
