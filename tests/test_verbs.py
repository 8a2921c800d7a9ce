"""Verbs that need no cluster answer quickly, even with many files."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests import many_row_groups
from tests.command import LOCKSTEP, run

FILES, ROWS = 1_000, 20

# Processor time, which a busy machine stretches far less than wall time; with one of two cores idle
# the verbs take less wall time.
LIMIT_S = 3.0
TRIES = 3

VERBS = {
    "order": ["--batch", "256", "--epoch", "3", "--step", "7"],
    "locate": ["--batch", "256", "--epoch", "3", "--sample", "12345", "--json"],
    "show": ["--batch", "256", "--epoch", "3", "--step", "7", "--json"],
    "cat": ["--json"],
}
LINES = {"order": 1, "locate": 1, "show": 256, "cat": FILES * ROWS}


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("files")
    random = np.random.default_rng(7)
    for number in range(FILES):
        columns = {f"f{k:02d}": random.normal(size=ROWS).astype(np.float32) for k in range(16)}
        table = pa.table({**columns, "label": np.arange(ROWS) + number * ROWS})
        pq.write_table(table, folder / f"part-{number:03d}.parquet")
    run(LOCKSTEP, "--version", cwd=folder)  # builds if necessary
    return folder


@pytest.mark.parametrize("verb", VERBS)
def test_a_verb_answers_about_a_thousand_files_in_three_seconds(
    verb: str, data: Path, tmp_path: Path
) -> None:
    answer = tmp_path / "answer"
    taken: list[float] = []
    while len(taken) < TRIES and (not taken or taken[-1] >= LIMIT_S):
        taken.append(processor_seconds(answer, LOCKSTEP, verb, data, *VERBS[verb]))

    assert min(taken) < LIMIT_S
    assert answer.read_bytes().count(b"\n") == LINES[verb]


# What the plan of a million row groups may take, of memory and of processor time.
HEAP = "-Xmx300m"
PLAN_LIMIT_S = 5.0


def test_a_sealed_million_of_row_groups_is_planned_in_five_seconds(tmp_path: Path) -> None:
    many_row_groups.write(tmp_path / "run", files=1_000, row_groups=1_000)
    answer = tmp_path / "answer"
    taken: list[float] = []
    while len(taken) < TRIES and (not taken or taken[-1] >= PLAN_LIMIT_S):
        command = ("env", f"LOCKSTEP_JAVA_OPTS={HEAP}", LOCKSTEP, "plan", tmp_path / "run")
        taken.append(processor_seconds(answer, *command, "--json"))

    assert json.loads(answer.read_text())["rowGroups"] == 1_000_000
    assert min(taken) < PLAN_LIMIT_S


def processor_seconds(output: Path, *command: str | Path) -> float:
    """Processor time of a command and its awaited children, including the start of its JVM."""
    with output.open("wb") as out:
        process = subprocess.Popen(command, stdout=out, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    return usage.ru_utime + usage.ru_stime
