"""The end of trainer processes: normal, by Ctrl-C, by an error, or as a fork."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.peer import Peer

PACKAGE = Path(__file__).parent.parent


@contextmanager
def trainer(run: Path, code: str, **variables: str) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": str(PACKAGE), "LOCKSTEP_RUN": str(run), **variables},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def ended(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    out, err = process.communicate(timeout=60)
    return process.returncode, out, err


def test_a_process_that_ends_without_close_is_not_finished(peer: Peer, run: Path) -> None:
    code = "import lockstep; print(next(iter(lockstep.Loader('train'))).step)"
    with trainer(run, code) as process:
        assert ended(process) == (0, "0\n", "")
    assert peer.seen("close") == []


def test_a_process_that_ends_without_close_has_told_what_it_received(peer: Peer, run: Path) -> None:
    code = "import lockstep; train = lockstep.Loader('train'); print(len(list(train)))"
    with trainer(run, code) as process:
        assert ended(process) == (0, "5\n", "")
    assert {receipt["step"] for receipt in peer.receipts} == set(range(5))


def test_the_end_of_a_process_waits_for_the_thread_of_a_dropped_loader(
    peer: Peer, run: Path
) -> None:
    peer.faults.pending["get"] = "not today"
    code = """
import atexit, threading
def at_last():  # registered first, called last
    print([t.name for t in threading.enumerate() if t.name.startswith("lockstep")])
atexit.register(at_last)
import lockstep
steps = iter(lockstep.Loader("train"))
input()
del steps
"""
    with trainer(run, code) as process:
        peer.await_request("get")
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()
        assert ended(process) == (0, "[]\n", "")


def test_a_process_that_closes_is_finished(peer: Peer, run: Path) -> None:
    code = """
import lockstep
train, evaluation = lockstep.Loader("train"), lockstep.Loader("eval")
print(sum(batch.rows for _ in train.epochs() for batch in train))
train.close(), evaluation.close()
"""
    with trainer(run, code) as process:
        assert ended(process) == (0, "120\n", "")
    assert len(peer.seen("close")) == 1


def test_a_process_may_open_loaders_one_after_the_other(peer: Peer, run: Path) -> None:
    code = """
import lockstep
with lockstep.Loader("train") as train:
    print(len(list(train)))
with lockstep.Loader("eval") as evaluation:
    print(len(list(evaluation)))
"""
    with trainer(run, code) as process:
        assert ended(process) == (0, "5\n2\n", "")
    assert len(peer.seen("close")) == 1


@pytest.mark.parametrize(
    ("end", "status", "closes"),
    [
        ("raise ValueError", 1, 0),
        ("os._exit(0)", 0, 0),
        ("os.kill(os.getpid(), signal.SIGTERM)", -signal.SIGTERM, 0),
        ("sys.exit(0)", 0, 1),
        ("lockstep.done(); os._exit(0)", 0, 1),
    ],
)
def test_how_a_process_ends_decides_whether_its_rank_is_done(
    peer: Peer, run: Path, end: str, status: int, closes: int
) -> None:
    code = f"""
import os, signal, sys, lockstep
with lockstep.Loader("train") as train:
    next(iter(train))
{end}
"""
    with trainer(run, code) as process:
        assert ended(process)[0] == status
    assert len(peer.seen("close")) == closes
    # 'lockstep run' judges by the exit code, which an exit hook does not know.
    with trainer(run, code, LOCKSTEP_LAUNCHER="run", LOCKSTEP_LAUNCH="second") as process:
        ended(process)
    assert len(peer.seen("close")) == closes + ("done()" in end)


@pytest.mark.parametrize("method", ["fork", "spawn"])
@pytest.mark.parametrize(("end", "closes"), [("pass", 2), ("raise ValueError", 0)])
def test_a_process_of_multiprocessing_is_done_at_its_end(
    peer: Peer, run: Path, tmp_path: Path, method: str, end: str, closes: int
) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        f"""
import multiprocessing
def train(rank):
    import lockstep
    with lockstep.Loader("train", rank=rank, world_size=2, launch="a") as train:
        list(train)
    {end}
if __name__ == "__main__":
    context = multiprocessing.get_context({method!r})
    ranks = [context.Process(target=train, args=(rank,)) for rank in range(2)]
    [rank.start() for rank in ranks]
    [rank.join() for rank in ranks]
"""
    )
    with trainer(run, f"import runpy; runpy.run_path({str(program)!r}, run_name='__main__')") as p:
        ended(p)
    assert len(peer.seen("close")) == closes


def test_the_end_of_a_process_waits_for_a_job_that_is_away(peer: Peer, run: Path) -> None:
    peer.faults.pending["close"] = "the job restarts"
    code = "import lockstep; lockstep.Loader('train').close()"
    with trainer(run, code) as process:
        peer.await_request("close")
        del peer.faults.pending["close"]
        assert ended(process) == (0, "", "")
    assert len(peer.seen("close")) > 1


def test_an_error_is_no_clean_close(peer: Peer, run: Path) -> None:
    code = """
import lockstep
train = lockstep.Loader("train")
for batch in train:
    raise SystemExit(3)
"""
    with trainer(run, code) as process:
        assert ended(process) == (3, "", "")
    assert peer.seen("close") == []


@pytest.mark.parametrize("verb", ["routing", "register", "get"])
def test_ctrl_c_ends_any_wait(peer: Peer, run: Path, verb: str) -> None:
    peer.faults.pending[verb] = "not today"
    code = "import lockstep; next(iter(lockstep.Loader('train')))"
    with trainer(run, code) as process:
        peer.await_request(verb)
        process.send_signal(signal.SIGINT)
        status, _, err = ended(process)
    assert status == -signal.SIGINT
    assert err.rstrip().endswith("KeyboardInterrupt")


def test_ctrl_c_ends_the_wait_for_a_server_that_hangs(peer: Peer, run: Path) -> None:
    """The call cannot be ended, but neither the trainer's thread nor the exit waits long for it."""
    code = """
import lockstep
train = lockstep.Loader("train")
print("opened", flush=True)
input()
next(iter(train))
"""
    with trainer(run, code) as process:
        assert process.stdout is not None
        assert process.stdin is not None
        assert process.stdout.readline() == "opened\n"
        peer.answering.clear()
        peer.requests.clear()
        process.stdin.write("\n")
        process.stdin.flush()
        peer.await_request("hello")
        process.send_signal(signal.SIGINT)
        status, _, err = ended(process)
    peer.answering.set()
    assert status == -signal.SIGINT
    assert err.rstrip().endswith("KeyboardInterrupt")


@pytest.mark.parametrize("verb", ["routing", "register", "start"])
def test_ctrl_c_releases_a_call_that_is_held(peer: Peer, run: Path, verb: str) -> None:
    """Releases the call's thread; else this would last until the limit, here a long one."""
    peer.faults.held.add(verb)
    code = """
import atexit, threading
def at_last():  # registered first, called last
    print([t.name for t in threading.enumerate() if t.name.startswith("lockstep")])
atexit.register(at_last)
import lockstep, lockstep.finish
lockstep.finish._EXIT_S = 600
with lockstep.Loader("train") as train:
    for epoch in train.epochs():
        next(iter(train))
"""
    with trainer(run, code) as process:
        peer.await_request(verb)
        process.send_signal(signal.SIGINT)
        status, out, err = ended(process)
    assert (status, out) == (-signal.SIGINT, "[]\n")
    assert err.rstrip().endswith("KeyboardInterrupt")


def test_a_fork_is_refused_with_what_to_do(peer: Peer, run: Path) -> None:
    code = """
import os, lockstep
train = lockstep.Loader("train")
steps = iter(train)
next(steps)
if os.fork() == 0:
    epochs = train.epochs()
    for use in (lambda: next(steps), lambda: iter(train), lambda: next(epochs), train.close):
        try:
            use()
        except lockstep.ForkedError as e:
            print(e, flush=True)
    os._exit(0)
os.wait()
print([batch.step for batch in steps])
"""
    with trainer(run, code) as process:
        status, out, err = ended(process)
    assert (status, err) == (0, "")
    *refusals, rest = out.splitlines()
    assert len(refusals) == 4
    assert all("open it in the process that iterates over it" in line for line in refusals)
    assert rest == "[1, 2, 3, 4]"


def test_a_fork_that_ends_like_a_program_says_nothing_to_the_job(peer: Peer, run: Path) -> None:
    code = """
import os, sys, lockstep
train = lockstep.Loader("train")
next(iter(train))
if os.fork() == 0:
    sys.exit(0)
print(os.waitstatus_to_exitcode(os.wait()[1]))
train.close()
"""
    with trainer(run, code) as process:
        assert ended(process) == (0, "0\n", "")
    assert len(peer.seen("close")) == 1


def test_progress_of_rank_0(peer: Peer, run: Path) -> None:
    code = """
import lockstep
with lockstep.Loader("train") as train, lockstep.Loader("eval") as evaluation:
    for epoch in train.epochs():
        for batch in train:
            pass
        for batch in evaluation:
            pass
"""
    with trainer(run, code, LOCKSTEP_PROGRESS="1") as process:
        status, _, err = ended(process)
    assert status == 0
    lines = err.splitlines()
    assert len(lines) == 6
    assert lines[2].startswith("train  epoch 2/3  step 5/5  ")
    assert lines[3].startswith("eval  step 2/2  ")
    assert lines[2].endswith(" s for data")
    assert " samples/s  waited " in lines[2]
    with trainer(run, code, LOCKSTEP_PROGRESS="live") as process:
        status, _, err = ended(process)
    assert status == 0
    assert "\x1b[2Ktrain  epoch 1/3  step 5/5  " in err
    environment = {"RANK": "1", "WORLD_SIZE": "2", "LOCKSTEP_LAUNCH": "a", "LOCKSTEP_PROGRESS": "1"}
    with trainer(run, code, **environment) as process:
        assert ended(process) == (0, "", "")
