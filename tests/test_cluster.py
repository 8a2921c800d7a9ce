"""The jar in the TaskManagers of a real Flink cluster, with trainers next to it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cluster import Cluster, eventually
from tests.command import LOCKSTEP, QUICKSTART, ROOT, run
from tests.conftest import accuracies

pytestmark = pytest.mark.cluster

JAR = ROOT / "cli" / "target" / "lockstep.jar"
EPOCHS = 3
LANES = 8
STEPS = 22


def run_file(folder: Path) -> Path:
    """The quick start's run with fewer epochs, for a cluster."""
    text = (QUICKSTART / "run.yaml").read_text()
    text = text.replace("epochs: 15", f"epochs: {EPOCHS}").replace("data/", f"{QUICKSTART}/data/")
    text = text.replace("train.py", str(QUICKSTART / "train.py"))
    file = folder / "run.yaml"
    file.write_text(text + f"run: {{directory: {folder / 'run'}}}\n")
    return file


# Takes a step, then holds its position in the run until it is killed.
TRAINER = """
import sys
from lockstep import Loader
train = Loader("train")
next(iter(train))
sys.stdin.read()
"""


def lanes_of_sinks(folder: Path) -> list[dict[str, list[int]]] | None:
    """The lanes of each sink of the run, by stream, once all lanes are assigned."""
    files = sorted((folder / "run" / "sinks").glob("*.json"))
    sinks = [json.loads(file.read_text())["lanes"] for file in files]
    dealt = [lane for lanes in sinks for lane in lanes.get("eval", [])]
    return sinks if len(dealt) == LANES else None


def test_run_on_a_cluster_gives_every_epoch_of_the_embedded_one(
    cluster: Cluster, quickstart: subprocess.CompletedProcess[str], tmp_path: Path
) -> None:
    done = run(LOCKSTEP, "run", run_file(tmp_path), "--cluster", cluster.address, cwd=tmp_path)

    expected = accuracies(quickstart.stdout + quickstart.stderr)[:EPOCHS]
    assert accuracies(done.stdout + done.stderr) == expected


def test_two_task_managers_serve_trainers_that_torchrun_started(
    cluster: Cluster, quickstart: subprocess.CompletedProcess[str], tmp_path: Path
) -> None:
    options = ("-d", "-p", "2", "-Dpipeline.name=digits")
    submitted = cluster.script("flink", "run", *options, JAR, run_file(tmp_path)).stdout
    job = re.findall(r"JobID (\w+)", submitted)[0]
    lanes = eventually("lanes of the sinks", lambda: lanes_of_sinks(tmp_path))
    assert len(cluster.task_managers_of(job)) == 2
    assert cluster.rest(f"jobs/{job}")["name"] == "digits"
    status = json.loads(run(LOCKSTEP, "status", tmp_path / "run", "--json", cwd=tmp_path).stdout)
    assert [server["answers"] for server in status["servers"]] == [True, True]
    for stream in ("train", "eval"):
        assert sorted(len(sink[stream]) for sink in lanes) == [LANES // 2, LANES // 2]

    trainers = subprocess.Popen(
        [sys.executable, "-m", "torch.distributed.run", "--nproc-per-node=2", "train.py"],
        cwd=QUICKSTART,
        env={**os.environ, "LOCKSTEP_RUN": str(tmp_path / "run")},
        stdout=subprocess.PIPE,
        text=True,
    )
    with trainers:
        eventually("shared memory in use", cluster.shared_memory)
        output, _ = trainers.communicate()

    assert trainers.returncode == 0
    expected = accuracies(quickstart.stdout + quickstart.stderr)[:EPOCHS]
    assert accuracies(output) == expected
    eventually("end", lambda: cluster.rest(f"jobs/{job}")["state"] == "FINISHED")
    assert cluster.shared_memory() == []


# Takes a step, and the others after a line of input. Prints its samples.
FOLLOWER = """
import sys
from lockstep import Loader
with Loader("train") as train:
    for batch in train:
        print(*batch.sample_ids, flush=True)
        if batch.step == 0:
            sys.stdin.readline()
"""


def lanes_by_reader(folder: Path, *options: str) -> list[list[int]]:
    found = run(LOCKSTEP, "lanes", folder / "run", "--json", *options, cwd=folder)
    return [reader["lanes"].get("train", []) for reader in json.loads(found.stdout)["readers"]]


def test_trainers_follow_lanes_that_move_to_other_task_managers(
    cluster: Cluster, tmp_path: Path
) -> None:
    file = run_file(tmp_path)
    file.write_text(file.read_text().replace(f"epochs: {EPOCHS}", "epochs: 1"))
    cluster.script("flink", "run", "-d", "-p", "2", JAR, file)
    eventually("lanes of the sinks", lambda: lanes_of_sinks(tmp_path))
    trainer = subprocess.Popen(
        [sys.executable, "-c", FOLLOWER],
        env={**os.environ, "LOCKSTEP_RUN": str(tmp_path / "run")},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with trainer:
        assert trainer.stdout is not None
        first = trainer.stdout.readline()
        assert lanes_by_reader(tmp_path, "--drain", "0") == [[], list(range(LANES))]
        assert lanes_by_reader(tmp_path, "--move", "1,5-6", "--to", "0") == [
            [1, 5, 6],
            [0, 2, 3, 4, 7],
        ]
        rest, _ = trainer.communicate("go on\n")

    ordered = run(LOCKSTEP, "order", file, "--steps", str(STEPS), cwd=tmp_path)
    expected = [json.loads(line)["lanes"] for line in ordered.stdout.splitlines()]
    got = [[int(sample) for sample in line.split()] for line in (first + rest).splitlines()]
    assert got == [[sample for lane in lanes for sample in lane] for lanes in expected]


def batches(cluster: Cluster) -> list[Path]:
    return [file for file in cluster.shared_memory() if file.suffix == ".shm"]


def test_a_cluster_that_is_stopped_in_mid_job_leaves_no_shared_memory(tmp_path: Path) -> None:
    cluster = Cluster(tmp_path)
    try:
        cluster.start()
        cluster.script("flink", "run", "-d", JAR, run_file(tmp_path))
        trainer = subprocess.Popen(
            [sys.executable, "-c", TRAINER],
            env={**os.environ, "LOCKSTEP_RUN": str(tmp_path / "run")},
            stdin=subprocess.PIPE,
        )
        with trainer:
            eventually("a step in shared memory", lambda: batches(cluster))
            cluster.stop()
            trainer.kill()
    finally:
        cluster.stop()
    assert cluster.shared_memory() == []
