"""A client whose servers are slow, gone, of another version, or return errors."""

from __future__ import annotations

import json
import threading
import time
from pathlib import Path

import pytest

import lockstep
from lockstep import Loader, heartbeat, session, waiting
from lockstep.connection import _shares_memory
from tests.conftest import numbers
from tests.peer import Peer, Stream, serving

STREAMS = {"train": Stream(numbers(400), batch=8)}


@pytest.mark.parametrize("transport", ["shm", "flight"])
def test_a_server_that_comes_back_elsewhere_is_found(run: Path, transport: str) -> None:
    first = Peer(run, STREAMS)
    train = Loader("train", run=run, transport=transport)
    steps = []
    for batch in train:
        if batch.step == 10:
            first.stop()
            first = Peer(run, STREAMS, attempt=1)
        steps.append(batch.step)
        assert batch["label"].tolist() == batch.sample_ids.tolist()
    assert steps == list(range(50))
    lockstep.done()
    assert len(first.seen("close")) == 1
    first.stop()


def test_lanes_that_move_are_followed(run: Path) -> None:
    with (
        serving(run, STREAMS, lanes={"train": [0, 1]}, subtask=0) as old,
        Loader("train", run=run) as train,
    ):
        steps = iter(train)
        next(steps)
        old.lanes["train"].remove(1)
        with serving(run, STREAMS, lanes={"train": [1]}, subtask=1, attempt=1) as new:
            rest = list(steps)
            assert [batch.step for batch in rest] == list(range(1, 50))
            assert all(b["label"].tolist() == b.sample_ids.tolist() for b in rest)
            assert {tuple(r["lanes"]) for r in new.seen("get")} == {(1,)}


def test_the_cause_of_a_failed_job_is_reported_at_once(run: Path) -> None:
    peer = Peer(run, STREAMS)
    steps = iter(Loader("train", run=run))
    next(steps)
    job = {"version": 1, "job": "j", "state": "failed", "error": "column x is gone"}
    (run / "job.json").write_text(json.dumps(job))
    peer.stop()
    started = time.monotonic()
    with pytest.raises(lockstep.RunFailedError, match="has failed: column x is gone"):
        list(steps)
    assert time.monotonic() - started < 10


def test_servers_tell_the_cause_of_a_failed_job_to_a_trainer_that_computes(
    run: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    peer = Peer(run, STREAMS)
    monkeypatch.setenv("LOCKSTEP_ENDPOINTS", f"127.0.0.1:{peer.port}")
    monkeypatch.setenv("LOCKSTEP_TOKEN", peer.token)
    train = Loader("train", prefetch=1)
    steps = iter(train)
    next(steps)
    cause = "the job of the run has failed: column x is gone. Fix it"
    greeted = len(peer.seen("hello"))
    peer.faults.errors["hello"] = {"code": "failed", "message": cause}
    peer.await_request("hello", more_than=greeted)
    peer.stop()
    with pytest.raises(lockstep.RunFailedError, match="column x is gone"):
        list(steps)
    assert f"rank 0: {cause}" in capsys.readouterr().err
    with pytest.raises(lockstep.RunFailedError, match="column x is gone"):
        train.commit(train.state_dict())


def test_a_commit_that_is_not_durable_says_why(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with serving(run, STREAMS) as peer, Loader("train", run=run) as train:
        batch = next(iter(train))
        assert train.commit(batch.state_dict())
        peer.not_durable = "No space left on device"
        assert not train.commit(batch.state_dict())
        assert "is not durable: No space left on device" in capsys.readouterr().err


def test_a_lost_server_ends_in_an_error_after_the_limit(run: Path) -> None:
    peer = Peer(run, STREAMS)
    train = Loader("train", run=run, retry_limit_s=0.5)
    steps = iter(train)
    next(steps)
    peer.stop()
    started = time.monotonic()
    with pytest.raises(
        lockstep.ConnectionLostError, match=r"of epoch 0 of stream 'train': no serv"
    ):
        list(steps)
    assert 0.2 < time.monotonic() - started < 10


def test_servers_of_another_run_are_refused(run: Path) -> None:
    first = Peer(run, STREAMS)
    steps = iter(Loader("train", run=run))
    next(steps)
    first.stop()
    with (
        serving(run, {"train": Stream(numbers(400), fingerprint="other")}, attempt=1),
        pytest.raises(lockstep.RefusedError, match="another order"),
    ):
        list(steps)


def test_one_lost_server_of_several_ends_in_an_error_after_the_limit(run: Path) -> None:
    with serving(run, STREAMS, lanes={"train": [0]}, subtask=0):
        lost = Peer(run, STREAMS, lanes={"train": [1]}, subtask=1)
        steps = iter(Loader("train", run=run, retry_limit_s=0.5))
        next(steps)
        lost.stop()
        with pytest.raises(lockstep.ConnectionLostError, match=f":{lost.port}: "):
            list(steps)


def test_no_server_at_all_ends_in_an_error_after_the_limit(
    run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOCKSTEP_RETRY_LIMIT_S", "0.3")
    run.mkdir()
    with pytest.raises(lockstep.ConnectionLostError, match=r"has answered for 0 s \(no server has"):
        Loader("train", run=run)


CODES = [
    ("version", lockstep.VersionError),
    ("fenced", lockstep.FencedError),
    ("unknown-stream", lockstep.UnknownStreamError),
    ("refused", lockstep.RefusedError),
    ("done", lockstep.RunDoneError),
    ("failed", lockstep.RunFailedError),
    ("bad-request", lockstep.ProtocolError),
    ("something-new", lockstep.ProtocolError),
]


@pytest.mark.parametrize("verb", ["hello", "routing", "register", "attach", "get"])
@pytest.mark.parametrize(("code", "kind"), CODES)
def test_refusals_are_raised_in_the_server_s_words(
    peer: Peer, run: Path, verb: str, code: str, kind: type[Exception]
) -> None:
    peer.faults.errors[verb] = {"code": code, "message": "because of this"}
    with pytest.raises(kind) as caught:
        next(iter(Loader("train", run=run)))
    assert str(caught.value) == "because of this"
    assert isinstance(caught.value, lockstep.LockstepError)


def test_an_error_over_flight(peer: Peer, run: Path) -> None:
    peer.faults.errors["get"] = {"code": "fenced", "message": "generation 2 has taken over"}
    with (
        pytest.raises(lockstep.FencedError, match="generation 2"),
        Loader("train", run=run, transport="flight") as train,
    ):
        list(train)


def test_an_iteration_after_an_error_tries_again(peer: Peer, run: Path) -> None:
    with Loader("eval", run=run) as evaluation:
        peer.faults.errors["get"] = {"code": "failed", "message": "broken"}
        with pytest.raises(lockstep.RunFailedError):
            list(evaluation)
        peer.faults.errors.clear()
        assert len(list(evaluation)) == 2


@pytest.mark.parametrize("transport", ["shm", "flight"])
def test_a_client_that_waits_says_what_for(
    peer: Peer,
    run: Path,
    transport: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(waiting, "SAY_EVERY_S", 0.2)
    peer.faults.pending["get"] = "decoding day-17.parquet"
    threading.Timer(1.5, peer.faults.pending.clear).start()
    with Loader("eval", run=run, transport=transport) as evaluation:
        list(evaluation)
    line = capsys.readouterr().err.splitlines()[-1]
    assert line.startswith("lockstep rank 0: waiting for step 0 of epoch 0 of stream 'eval' since ")
    assert line.endswith("s): decoding day-17.parquet")


def test_a_registration_that_waits_says_what_for(
    peer: Peer, run: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(waiting, "SAY_EVERY_S", 0.2)
    peer.faults.pending["register"] = "waiting for rank 0 of launch 'a'"
    threading.Timer(1, peer.faults.pending.clear).start()
    Loader("eval", run=run, rank=1, world_size=2, launch="a").close()
    assert "waiting for rank 0 of launch 'a'" in capsys.readouterr().err


def test_without_common_memory_batches_come_by_flight(
    peer: Peer, run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    peer.faults.no_shared_memory = True
    with Loader("train", run=run) as train:
        assert len(list(train)) == 5
    assert peer.seen("attach") == []
    assert capsys.readouterr().err == ""
    with Loader("train", run=run, transport="shm") as train:
        with pytest.raises(lockstep.UsageError, match="shares no memory with this process"):
            list(train)
        peer.faults.no_shared_memory = False


def test_too_little_shared_memory_is_said_once(
    peer: Peer, run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    peer.faults.refuse_shared_memory = "/dev/shm has 64 MB: set --shm-size=1g"
    with Loader("train", run=run) as train, Loader("eval", run=run) as evaluation:
        assert len([batch for _ in train.epochs() for batch in train]) == 15
        assert list(evaluation)
    assert capsys.readouterr().err == (
        "lockstep rank 0: batches come by Arrow Flight, not by shared memory: /dev/shm has 64 MB: "
        "set --shm-size=1g\n"
    )


def test_another_file_under_the_probe_s_name_is_no_common_memory(tmp_path: Path) -> None:
    probe = tmp_path / "probe"
    probe.write_text("a nonce")
    assert _shares_memory({"probe": str(probe), "nonce": "a nonce"})
    assert not _shares_memory({"probe": str(probe), "nonce": "another"})
    assert not _shares_memory({"probe": str(tmp_path / "none"), "nonce": "a nonce"})
    assert not _shares_memory(None)


def test_a_server_that_hears_of_the_generation_late_is_asked_again(peer: Peer, run: Path) -> None:
    peer.faults.pending["attach"] = "generation 1 of the trainers is not known here yet"
    with Loader("train", run=run, transport="shm") as train:
        batches: list[lockstep.Batch] = []
        fetching = threading.Thread(target=lambda: batches.append(next(iter(train))))
        fetching.start()
        peer.await_request("attach")
        del peer.faults.pending["attach"]
        fetching.join()
    assert [batch.step for batch in batches] == [0]


@pytest.mark.parametrize("transport", ["shm", "flight"])
def test_a_server_of_another_run_at_the_address_of_a_dead_one_serves_nothing(
    peer: Peer, run: Path, transport: str
) -> None:
    with Loader("train", run=run, transport=transport, prefetch=1, retry_limit_s=0) as train:
        batches = iter(train)
        next(batches)
        peer.become_another()
        with pytest.raises(lockstep.ConnectionLostError, match="of another run is here"):
            list(batches)
    with pytest.raises(lockstep.ConnectionLostError, match="of another run is here"):
        Loader("train", run=run, launch="later", retry_limit_s=0)


def note_of_closed(run: Path, *ranks: int) -> None:
    """The job's file of closed ranks of the first generation."""
    (run / "trainers").mkdir(parents=True, exist_ok=True)
    entry = {"generation": 1, "world": 1, "closed": list(ranks)}
    (run / "trainers" / "generation.json").write_text(json.dumps(entry))


def test_a_rank_that_ends_while_the_job_is_away_waits_until_that_is_noted(
    run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session, "_CLOSE_LIMIT_S", 0.0)
    note_of_closed(run)
    first = Peer(run, STREAMS)
    Loader("train", run=run).close()
    first.stop()
    ended = threading.Thread(target=lockstep.done)
    ended.start()
    with serving(run, STREAMS, attempt=1) as second:
        ended.join()
        assert len(second.seen("close")) == 1


def test_a_rank_whose_end_was_noted_waits_for_no_answer(run: Path) -> None:
    note_of_closed(run)
    peer = Peer(run, STREAMS)
    Loader("train", run=run).close()
    note_of_closed(run, 0)
    peer.stop()

    started = time.monotonic()
    lockstep.done()

    assert time.monotonic() - started < session._CLOSE_LIMIT_S / 2


def test_a_rank_that_ends_after_its_job_is_lost_does_not_wait_for_it(
    run: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(heartbeat, "_LOST_AFTER_S", 0.1)
    note_of_closed(run)
    (run / "heartbeat.json").write_text(json.dumps({"job": "j", "at": "noon"}))
    peer = Peer(run, STREAMS)
    Loader("train", run=run, retry_limit_s=3600).close()
    peer.stop()
    lockstep.done()
    assert "rank is finished: " in capsys.readouterr().err


def test_an_end_that_is_not_noted_yet_is_told_again(peer: Peer, run: Path) -> None:
    Loader("train", run=run).close()
    peer.faults.pending["close"] = "the job restarts"
    ended = threading.Thread(target=lockstep.done)
    ended.start()
    peer.await_request("close")
    del peer.faults.pending["close"]
    ended.join()

    assert len(peer.seen("close")) > 1
