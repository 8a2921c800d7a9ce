"""Training runs by the command: successful ones, and each way in which one can fail."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.command import LOCKSTEP, QUICKSTART, run

DATA = QUICKSTART / "data" / "eval"
COUNT = """
from lockstep import Loader
with Loader("train") as train:
    print("rows", sum(len(batch.sample_ids) for batch in train), flush=True)
"""


def start(tmp_path: Path, *words: str | Path) -> subprocess.CompletedProcess[str]:
    return run(LOCKSTEP, "run", *words, cwd=tmp_path, check=False)


def refusal(done: subprocess.CompletedProcess[str], status: int = 1) -> str:
    """The message of a rejected run: the last line, without a stack trace."""
    assert done.returncode == status, done.stderr
    assert "\tat " not in done.stderr
    assert "Exception" not in done.stderr
    return done.stderr.strip().splitlines()[-1]


def test_a_dataset_and_a_command_are_all_it_needs(tmp_path: Path) -> None:
    done = start(
        tmp_path, "--data", DATA, "--batch", "32", "--ranks", "2", "--", sys.executable, "-c", COUNT
    )

    assert done.returncode == 0, done.stderr
    assert done.stdout == "rows 176\n"
    assert "WARNING" not in done.stderr  # later JVMs print many
    (logs,) = (tmp_path / "runs").glob("train-*/logs/*")
    for rank in (0, 1):
        assert "rows 176" in (logs / f"rank-{rank}.log").read_text().splitlines()


TRAIN_THEN_EVALUATE = """
from lockstep import Loader
for _ in range(2):  # a Loader an epoch
    with Loader("train") as train:
        for batch in train: pass
with Loader("train") as evaluation:
    print("rows", sum(len(batch.sample_ids) for batch in evaluation), flush=True)
"""

SPAWN = """
import multiprocessing
def work(rank):
    from lockstep import Loader
    train = Loader("train", rank=rank, world_size=2)
    rows = sum(len(batch.sample_ids) for batch in train)
    if rank == 0:
        print("rows", rows, flush=True)
if __name__ == "__main__":
    context = multiprocessing.get_context("spawn")
    ranks = [context.Process(target=work, args=(rank,)) for rank in range(2)]
    for rank in ranks: rank.start()
    for rank in ranks: rank.join()
"""


@pytest.mark.parametrize(("program", "ranks"), [(TRAIN_THEN_EVALUATE, 2), (SPAWN, 1)])
def test_exit_codes_tell_which_ranks_are_done(tmp_path: Path, program: str, ranks: int) -> None:
    (tmp_path / "train.py").write_text(program)
    words = ("--data", DATA, "--batch", "32", "--ranks", str(ranks))
    done = start(tmp_path, *words, "--", sys.executable, "train.py")

    assert done.returncode == 0, done.stderr
    assert done.stdout == "rows 176\n"
    assert "never attached" not in done.stderr


def test_a_trainer_that_fails_fails_the_run_with_its_last_lines(tmp_path: Path) -> None:
    program = "import sys; print('the loss is nan', file=sys.stderr); sys.exit(3)"

    done = start(tmp_path, "--data", DATA, "--batch", "32", "--", sys.executable, "-c", program)

    assert "rank 0 ended with exit code 3" in refusal(done)
    assert done.stderr.count("the loss is nan") == 1


def test_a_stream_that_the_run_does_not_have_is_refused_by_name(tmp_path: Path) -> None:
    program = 'from lockstep import Loader\nLoader("trian")\n'

    done = start(tmp_path, "--data", DATA, "--batch", "32", "--", sys.executable, "-c", program)

    assert "rank 0 ended with exit code 1" in refusal(done)
    assert "trian" in done.stderr
    assert "train" in done.stderr


def test_trainers_that_never_attach_end_the_run_with_a_hint(tmp_path: Path) -> None:
    done = start(tmp_path, "--data", DATA, "--batch", "32", "--", sys.executable, "-c", "pass")

    assert done.returncode == 0
    assert "never attached" in done.stderr
    assert "lockstep Loader" in done.stderr


@pytest.mark.parametrize(
    ("words", "status", "parts"),
    [
        (["--data", "nowhere", "--batch", "32"], 1, ["nowhere"]),
        (["--data", DATA, "--batch", "32", "--lanes", "5"], 2, ["32", "5 lanes", "choose"]),
        (["--data", DATA, "--batch", "4096"], 1, ["359 rows", "choose a batch"]),
        (["--data", DATA, "--batch", "32", "--ranks", "3"], 2, ["3 ranks", "1, 2, 4"]),
        (["--data", DATA, "--batch", "32", "--columns", "lable"], 2, ["lable", "label"]),
        (["--data", DATA], 2, ["--batch"]),
    ],
)
def test_wrong_words_are_one_message(
    tmp_path: Path, words: list[str | Path], status: int, parts: list[str]
) -> None:
    done = start(tmp_path, *words, "--", sys.executable, "-c", COUNT)

    assert done.returncode == status, done.stderr
    assert "Exception" not in done.stderr
    for part in parts:
        assert part in done.stderr


def test_an_empty_directory_and_files_without_rows_are_refused(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "bare").mkdir()
    pq.write_table(pa.table({"x": pa.array([], pa.int64())}), tmp_path / "bare" / "a.parquet")

    for name in ("empty", "bare"):
        done = start(tmp_path, "--data", name, "--batch", "1", "--", sys.executable, "-c", COUNT)
        assert name in refusal(done)


def test_a_mistyped_key_is_named_with_its_line_and_the_nearest_right_one(tmp_path: Path) -> None:
    (tmp_path / "my-run.yaml").write_text(
        f"streams:\n  train:\n    data: {DATA}\n    order: {{bacth: 32}}\n"
    )

    message = refusal(start(tmp_path, "my-run.yaml"), status=2)

    assert "my-run.yaml:4" in message
    assert "bacth" in message
    assert "'batch'" in message


def test_the_directory_of_another_run_is_refused_and_one_in_use_too(tmp_path: Path) -> None:
    words: list[str | Path] = ["--data", DATA, "--batch", "32", "--run", tmp_path / "mine"]
    assert start(tmp_path, *words, "--", sys.executable, "-c", COUNT).returncode == 0

    other = start(tmp_path, *words, "--seed", "9", "--", sys.executable, "-c", COUNT)
    assert "order.seed is 0, and now it is 9" in refusal(other)

    program = "import time; print('up', flush=True); time.sleep(600)"
    command = [LOCKSTEP, "run", *words, "--", sys.executable, "-c", program]
    with subprocess.Popen(
        [str(word) for word in command], cwd=tmp_path, stdout=subprocess.PIPE, text=True
    ) as busy:
        assert busy.stdout is not None
        assert busy.stdout.readline() == "up\n"
        second = start(tmp_path, *words, "--", sys.executable, "-c", COUNT)
        assert f"in use by 'lockstep run' (process {busy.pid})" in refusal(second)
        # An interruption ends the job and its trainers.
        busy.send_signal(signal.SIGINT)
        assert busy.wait(timeout=60) != 0


def test_ports_in_use_are_refused_with_the_host_and_what_to_do(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        (tmp_path / "my-run.yaml").write_text(
            f"streams: {{train: {{data: {DATA}, order: {{batch: 32}}}}}}\n"
            f"trainers: {{command: ['{sys.executable}', '-c', 'import time; time.sleep(600)']}}\n"
            f"hand-off: {{ports: {port}}}\n"
        )

        message = refusal(start(tmp_path, "my-run.yaml"))

    assert f"the hand-off server of 127.0.0.1 cannot listen on port {port}" in message
    assert "set hand-off.ports" in message


def test_a_directory_with_other_files_is_not_taken(tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "thesis.tex").write_text("mine")

    words = ("--data", DATA, "--batch", "32", "--run", "full")
    done = start(tmp_path, *words, "--", sys.executable, "-c", COUNT)

    assert "holds files and no run" in refusal(done)
    assert [path.name for path in (tmp_path / "full").iterdir()] == ["thesis.tex"]
