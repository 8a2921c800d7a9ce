"""Wrong input that needs real processes. docs/wrong-input.md names the tests of all kinds."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.command import LOCKSTEP, QUICKSTART, ROOT, run

PAGE = ROOT / "docs" / "wrong-input.md"
READ = """
from lockstep import Loader
with Loader("train") as train:
    for batch in train:
        print("rows", len(batch.sample_ids), *(len(batch[name]) for name in batch), flush=True)
"""
# Changes files while the job has not read most of them yet.
CHANGE = """
import subprocess, sys
from lockstep import Loader
with Loader("train") as train:
    for batch in train:
        if batch.step == 2:
            subprocess.run(sys.argv[1], shell=True, check=True)
"""
S3_PLUGIN = ROOT / "connector" / "target" / "plugins"
# A silent endpoint is given up soon after the first report of a long call.
S3_FEW_ATTEMPTS = {"attempts.maximum": 1, "retry.limit": 1, "connection.timeout": 3000}
NOBODY = ("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups")


def test_every_row_of_the_page_names_tests_that_exist() -> None:
    rows = re.findall(r"^\| (?!---|input)(.*) \|$", PAGE.read_text(), re.MULTILINE)
    assert len(rows) > 20
    listed = subprocess.run(
        (
            "git",
            "grep",
            "--untracked",
            "-hoE",
            r"(void|def) \w+\(",
            "--",
            "*Test.java",
            "*/test_*.py",
        ),
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    tests = {line.split()[-1].rstrip("(") for line in listed.stdout.splitlines()}
    for row in rows:
        named = re.findall(r"`(\w+)`", row.split(" | ")[-1])
        assert named, row
        assert tests.issuperset(named), row


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("rm data/*.parquet", "was there when the data was planned, and is gone; put it back"),
        ("for f in data/*; do echo more >> $f; done", "was rewritten after planning"),
    ],
)
def test_a_shard_that_changes_while_the_run_reads_it_ends_the_run(
    tmp_path: Path, change: str, message: str
) -> None:
    (tmp_path / "data").mkdir()
    for number in range(20):
        rows = pa.table({"id": np.arange(5000), "x": np.arange(5000.0)})
        pq.write_table(rows, tmp_path / "data" / f"{number}.parquet", row_group_size=500)

    words = ("--data", "data", "--batch", "100", "--window", "1")
    program = (sys.executable, "-c", CHANGE, change)
    done = run(LOCKSTEP, "run", *words, "--", *program, cwd=tmp_path, check=False)

    last = done.stderr.splitlines()[-1]
    assert done.returncode == 1, done.stderr
    assert last.startswith("lockstep: file:")
    assert message in last
    assert "or start a new run" in last
    assert "WARN" not in done.stderr
    assert "\tat " not in done.stderr


NEVER_READS = """
from lockstep import Loader
with Loader("train") as train:
    if train.rank == 0:
        print("rows", sum(2 * len(batch.sample_ids) for batch in train), flush=True)
        open("read", "w").close()
    else:
        open("read").close()
"""


def test_a_trainer_that_never_reads_holds_no_other_up(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "read")  # the second rank waits in it until the first has read all
    words = ("--data", QUICKSTART / "data" / "eval", "--batch", "32", "--ranks", "2")
    program = (sys.executable, "-c", NEVER_READS)

    assert run(LOCKSTEP, "run", *words, "--", *program, cwd=tmp_path).stdout == "rows 352\n"


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that other users can read: tmp_path is its owner's alone."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    try:
        yield folder
    finally:
        shutil.rmtree(folder)


def _nobody_runs_the_command() -> bool:
    if os.getuid() != 0 or shutil.which("setpriv") is None:
        return False
    return subprocess.run((*NOBODY, "test", "-r", LOCKSTEP), check=False).returncode == 0


@pytest.mark.skipif(not _nobody_runs_the_command(), reason="needs root, and a checkout for all")
def test_files_that_the_user_may_not_read_are_named(open_folder: Path) -> None:
    data = open_folder / "data"
    shutil.copytree(QUICKSTART / "data" / "eval", data)
    for path in (data, *data.iterdir()):
        path.chmod(0o755)
    denied = min(data.iterdir())

    def plan() -> str:
        words = (*NOBODY, LOCKSTEP, "plan", data, "--batch", "32")
        done = run(*words, cwd=open_folder, check=False)
        assert done.returncode == 1, done.stderr
        return done.stderr.splitlines()[-1]

    denied.chmod(0)
    assert f"{denied} cannot be read: permission denied for the user" in plan()
    data.chmod(0)
    assert f"The directory file:{data} cannot be listed by the user" in plan()


@pytest.mark.full
@pytest.mark.parametrize("size", [0, 1], ids=["without-bytes", "without-rows"])
def test_a_hundred_thousand_empty_files_are_refused_within_seconds(
    tmp_path: Path, size: int
) -> None:
    bare = tmp_path / "bare.parquet"
    pq.write_table(pa.table({"x": pa.array([], pa.int64())}), bare)
    content = bare.read_bytes() if size else b""
    for folder in range(100):
        (tmp_path / "data" / str(folder)).mkdir(parents=True)
        for number in range(1000):
            (tmp_path / "data" / str(folder) / f"{number}.parquet").write_bytes(content)

    words = ("plan", "data", "--batch", "4")
    done = run(LOCKSTEP, *words, cwd=tmp_path, check=False, limit_s=60)

    assert done.returncode == 1
    assert (
        "has a row" if size else "and 99,999 other files of the dataset are empty (0 bytes)"
    ) in done.stderr.splitlines()[-1]


@pytest.mark.parametrize(
    ("rows", "memory", "batch"),
    [
        pytest.param({"s": ["a" * 100_000_000] * 2}, "1GiB", "rows 2 2", id="strings"),
        pytest.param(
            {"l": [np.arange(10_000_000, dtype=np.float32), np.ones(1, np.float32)]},
            "256MiB",
            "rows 2 2",
            id="list",
        ),
        pytest.param(
            {f"c{i}": np.ones(2, np.float32) for i in range(5000)},
            "256MiB",
            "rows 2" + " 2" * 5000,
            id="columns",
        ),
    ],
)
def test_rows_of_extreme_sizes_are_trained(
    tmp_path: Path, rows: dict[str, object], memory: str, batch: str
) -> None:
    pq.write_table(pa.table(rows), tmp_path / "data.parquet")
    (tmp_path / "train.py").write_text(READ)
    (tmp_path / "my-run.yaml").write_text(
        "streams: {train: {data: data.parquet, order: {batch: 2}}}\n"
        f"reader: {{step-memory: {memory}}}\n"
        f"trainers: {{command: ['{sys.executable}', train.py]}}\n"
    )

    done = run(LOCKSTEP, "run", "my-run.yaml", cwd=tmp_path)

    assert done.stdout == batch + "\n"


SHARED_MEMORY_FULL = """
import os
from lockstep import Loader
with Loader("train") as train:
    for batch in train:
        if batch.step == 2:
            with open("/dev/shm/full", "wb", buffering=0) as file:
                try:
                    while True:
                        file.write(bytes(1 << 16))
                except OSError:
                    pass
            with Loader("eval") as evaluation:
                print("eval", sum(len(b.sample_ids) for b in evaluation), flush=True)
        rows = batch.step + 1
print("train", rows, flush=True)
"""


@pytest.mark.skipif(
    subprocess.run(("unshare", "-m", "true"), check=False, capture_output=True).returncode != 0,
    reason="needs a mount namespace",
)
def test_shared_memory_that_fills_during_the_run_is_told_and_replaced_by_flight(
    tmp_path: Path,
) -> None:
    data = QUICKSTART / "data" / "train"
    (tmp_path / "train.py").write_text(SHARED_MEMORY_FULL)
    (tmp_path / "my-run.yaml").write_text(
        f"streams: {{train: {{data: {data}, order: {{batch: 32}}}},"
        f" eval: {{data: {data}, order: {{batch: 64}}}}}}\n"
        f"trainers: {{command: ['{sys.executable}', train.py]}}\n"
    )
    inside = f"mount -t tmpfs -o size=64m tmpfs /dev/shm && exec '{LOCKSTEP}' run my-run.yaml"

    done = run("unshare", "-m", "sh", "-c", inside, cwd=tmp_path)

    assert re.search(r"^eval \d+\ntrain \d+$", done.stdout, re.MULTILINE), done.stdout
    assert "batches come by Arrow Flight, not by shared memory: /dev/shm has 0 MiB" in done.stderr
    assert "--shm-size" in done.stderr


@pytest.fixture
def silent_port() -> Iterator[int]:
    """Accepts connections and never answers."""
    with socket.create_server(("127.0.0.1", 0), backlog=64) as server:
        yield server.getsockname()[1]


@pytest.fixture
def closed_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


def plan_on_s3(folder: Path, port: int, limits: dict[str, int]) -> subprocess.CompletedProcess[str]:
    """Plans a dataset of an object store by the address of that port."""
    settings = {
        "endpoint": f"http://127.0.0.1:{port}",
        "path.style.access": "true",
        "access-key": "key",
        "secret-key": "secret",
        "endpoint.region": "us-east-1",
        **limits,
    }
    lines = [f"s3.{key}: {json.dumps(value)}\n" for key, value in settings.items()]
    (folder / "config.yaml").write_text("".join(lines))
    return run(
        *(LOCKSTEP, "plan", "s3://bucket/train", "--batch", "4"),
        cwd=folder,
        env={"FLINK_PLUGINS_DIR": str(S3_PLUGIN), "FLINK_CONF_DIR": str(folder)},
        check=False,
        limit_s=120,
    )


def test_an_endpoint_that_refuses_is_told_with_the_path(tmp_path: Path, closed_port: int) -> None:
    planned = plan_on_s3(tmp_path, closed_port, S3_FEW_ATTEMPTS)

    assert planned.returncode == 1, planned.stderr
    assert "s3://bucket/train cannot be accessed: Connection refused" in planned.stderr
    assert "AWS SDK" not in planned.stderr
    assert "\tat " not in planned.stderr


def test_an_endpoint_that_never_answers_is_told_while_waiting(
    tmp_path: Path, silent_port: int
) -> None:
    planned = plan_on_s3(tmp_path, silent_port, S3_FEW_ATTEMPTS)

    assert planned.returncode == 1, planned.stderr
    assert "waiting for s3://bucket/train since 8 s" in planned.stderr
    last = planned.stderr.splitlines()[-1]
    assert last == "lockstep: s3://bucket/train cannot be accessed: Read timed out"
