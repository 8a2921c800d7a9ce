"""Four readers in one task manager under a memory limit of the kernel."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.cluster import eventually
from tests.limited import SLOTS, can_limit, limited_cluster

pytestmark = [
    pytest.mark.cluster,
    pytest.mark.skipif(not can_limit(), reason="needs the right to create a control group"),
]

FILES = 12
ROWS = 1 << 18
COLUMNS = 32
BATCH = 1 << 17
STEPS = FILES * ROWS // BATCH
STATES = {True: "FINISHED", False: "FAILED"}

TRAINER = """
from lockstep import Loader
with Loader("train") as train:
    print(sum(1 for _ in train))
"""


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Row groups of 32 MiB."""
    folder = tmp_path_factory.mktemp("large")
    draw = np.random.default_rng(1)
    for number in range(FILES):
        columns = {f"c{i}": draw.standard_normal(ROWS, dtype=np.float32) for i in range(COLUMNS)}
        pq.write_table(
            pa.table(columns),
            folder / f"part-{number}.parquet",
            row_group_size=ROWS,
            compression="none",
            use_dictionary=False,
        )
    return folder


# The readers need 650 MiB: 64 for steps, 82 to decode a row group and 16 for batches each. The JVM
# and Flink need 640 MiB.
@pytest.mark.parametrize(
    ("limit_mib", "off_heap_mib", "fits"),
    [
        (1400, 1200, True),
        (1000, 1200, False),
        pytest.param(4096, 1200, True, marks=pytest.mark.full),
        pytest.param(450, 1200, False, marks=pytest.mark.full),
        pytest.param(1400, 0, True, marks=pytest.mark.full),
        pytest.param(1000, 0, False, marks=pytest.mark.full),
    ],
)
def test_readers_fit_or_are_rejected_but_the_kernel_kills_none(
    tmp_path: Path, data: Path, limit_mib: int, off_heap_mib: int, fits: bool
) -> None:
    file = tmp_path / "run.yaml"
    file.write_text(
        f"streams: {{train: {{data: {data}, order: {{batch: {BATCH}, lanes: {2 * SLOTS}, "
        "window: 1, epochs: 1}}}\n"
        f"run: {{directory: {tmp_path / 'run'}}}\n"
        f"cache: {{directory: {tmp_path / 'cache'}}}\n"
        "reader: {step-memory: 64MiB}\n"
    )
    with limited_cluster(tmp_path, limit_mib, off_heap_mib) as (cluster, group):
        job = cluster.submit(file)
        trainer = subprocess.run(
            [sys.executable, "-c", TRAINER],
            env={**os.environ, "LOCKSTEP_RUN": str(tmp_path / "run")},
            capture_output=True,
            text=True,
        )
        assert group.kills() == 0, trainer.stderr
        if fits:
            assert trainer.stdout == f"{STEPS}\n", trainer.stderr
        else:
            assert f"each of {SLOTS} readers in one process needs" in trainer.stderr
        eventually("end of the job", lambda: cluster.state(job) == STATES[fits])
