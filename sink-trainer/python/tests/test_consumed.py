"""Reports of consumed steps, and checks of their digests."""

from __future__ import annotations

import itertools
import json
import re
import threading
from pathlib import Path

import pytest

from lockstep import DigestMismatchError, Loader, ProtocolError, UsageError, record, waiting
from lockstep import consumed as consumption
from lockstep.consumed import Consumed, Receipts
from lockstep.digest import lane_digests
from lockstep.lane_digests import LaneDigests
from tests.conftest import numbers
from tests.peer import Peer, Stream, serving

_ZERO = "0" * 32
_A, _B, _C = b"a" * 16, b"b" * 16, b"c" * 16


class TestReceipts:
    def test_each_step_is_told_once_and_kept_until_it_is_recorded(self) -> None:
        consumed = Consumed()
        receipts = Receipts(consumed, [0, 1], itertools.count().__next__)
        assert receipts.field() == {}
        consumed.received(0, 5, LaneDigests(([0, 1], _A + _B)))
        told = receipts.field()["consumed"]
        assert told["steps"] == [{"number": 0, "epoch": 0, "step": 5, "digests": (_A + _B).hex()}]
        receipts.answered({"recorded": -1})
        assert receipts.field()["consumed"] == {**told, "steps": []}
        assert len(consumed) == 1
        receipts.answered({"recorded": 0})
        assert len(consumed) == 0
        assert receipts.field() == {}

    def test_what_does_not_fit_into_a_request_is_told_with_the_next(self) -> None:
        consumed = Consumed()
        lanes = list(range(64))
        receipts = Receipts(consumed, lanes, lambda: 7.0)
        for step in range(600):
            consumed.received(0, step, LaneDigests((lanes, _A * 64)))
        told: list[int] = []
        while field := receipts.field():
            assert len(json.dumps(field)) < 1 << 20
            told += [step["step"] for step in field["consumed"]["steps"]]
            receipts.answered({"recorded": told[-1]})
        assert told == list(range(600))
        assert len(consumed) == 0

    def test_what_an_answer_does_not_confirm_is_told_again(self) -> None:
        consumed = Consumed()
        receipts = Receipts(consumed, [0])
        consumed.received(0, 0, LaneDigests(([0], _A)))
        first = receipts.field()
        receipts.answered({"pending": "not yet"})
        assert receipts.field() == first

    def test_another_server_is_told_all_that_is_not_recorded(self) -> None:
        consumed = Consumed()
        clock = itertools.count().__next__
        lost, kept = Receipts(consumed, [0, 1], clock), Receipts(consumed, [2], clock)
        for step in range(3):
            consumed.received(0, step, LaneDigests(([0, 1], _A + _B), ([2], _C)))
            for receipts in (lost, kept):
                receipts.field()
                receipts.answered({"recorded": 0 if receipts is lost else step})
        found = Receipts(consumed, [2, 1]).field()["consumed"]["steps"]
        assert [(s["step"], s["digests"]) for s in found] == [
            (1, (_C + _B).hex()),
            (2, (_C + _B).hex()),
        ]
        assert Receipts(consumed, [2]).field() == {}

    def test_steps_that_follow_soon_are_told_together(self) -> None:
        now = 7.0
        consumed = Consumed()
        receipts = Receipts(consumed, [0], lambda: now)
        for step in range(3):
            consumed.received(0, step, LaneDigests(([0], _A)))
            told = receipts.field()
            assert bool(told) == (step == 0)
            receipts.answered({"recorded": -1} if told else {})
        now += 0.1
        assert [s["step"] for s in receipts.field()["consumed"]["steps"]] == [1, 2]

    def test_the_oldest_steps_go_where_nothing_is_recorded_for_long(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(consumption, "MAX_STEPS", 2)
        consumed = Consumed()
        for step in range(5):
            consumed.received(0, step, LaneDigests(([0], _A)))
        assert [s["step"] for s in consumed.after(-1, [0])] == [3, 4]

    def test_a_job_without_digests_is_told_nothing(self) -> None:
        consumed = Consumed()
        consumed.received(0, 0, LaneDigests())
        assert Receipts(consumed, [0]).field() == {}


@pytest.mark.parametrize("transport", ["shm", "flight"])
def test_every_received_step_is_recorded_when_the_loader_has_closed(
    peer: Peer, run: Path, transport: str
) -> None:
    with Loader("train", run=run, transport=transport) as train:
        for epoch in train.epochs():
            for batch in train:
                if (epoch, batch.step) == (1, 2):
                    break
            if epoch == 1:
                break
    told = [(r["epoch"], r["step"]) for r in peer.receipts]
    assert sorted(set(told)) == [(0, s) for s in range(5)] + [(1, s) for s in range(3)]
    rows = peer.streams["train"].rows([0, 1], 3)
    receipt = next(r for r in peer.receipts if r["step"] == 3)
    assert receipt["lanes"] == [0, 1]
    assert receipt["digests"] == "".join(lane_digests(rows, 4))


def test_a_server_that_comes_later_is_told_what_the_former_had_not_recorded(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    streams = {"train": Stream(numbers(80))}
    with serving(run, streams) as first:
        first.faults.records = False
        train = Loader("train", run=run, prefetch=1)
        batches = iter(train)
        for _ in range(3):
            next(batches)
    with serving(run, streams, attempt=1) as second:
        rest = list(batches)
        train.close()
        assert len(rest) == 7
        assert {r["step"] for r in second.receipts} == set(range(10))
    assert "not recorded" not in capsys.readouterr().err


def test_a_commit_waits_for_the_next_server_to_record_what_it_rests_on(
    run: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(record, "_END_LIMIT_S", 0.0)
    streams = {"train": Stream(numbers(80))}
    first = Peer(run, streams)
    first.faults.records = False
    train = Loader("train", run=run, prefetch=1)
    state = next(iter(train)).state_dict()
    first.stop()
    committing = threading.Thread(target=train.commit, args=[state])
    committing.start()
    with serving(run, streams, attempt=1) as second:
        committing.join()
        assert {r["step"] for r in second.receipts} == {0}
        assert len(second.seen("commit")) == 1
        train.close()
    assert "not recorded" not in capsys.readouterr().err


def test_a_commit_waits_while_nothing_can_be_written_and_says_why(
    peer: Peer, run: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(waiting, "SAY_EVERY_S", 0.2)
    peer.faults.records = False
    with Loader("train", run=run, prefetch=1) as train:
        state = next(iter(train)).state_dict()
        peer.faults.pending["consumed"] = "the disk is full"
        committing = threading.Thread(target=train.commit, args=[state])
        committing.start()
        while not re.search(r"\(\d+ s\): the disk is full", capsys.readouterr().err):
            assert committing.is_alive()
        peer.faults.records = True
        del peer.faults.pending["consumed"]
        committing.join()
        assert len(peer.seen("commit")) == 1
    waiting_calls = [r for r in peer.seen("consumed") if "waitMs" not in r]
    assert len({r["consumed"]["session"] for r in waiting_calls}) == 1


@pytest.mark.parametrize("transport", ["shm", "flight"])
def test_a_run_directory_that_takes_nothing_is_told_of_once_and_holds_no_trainer_up(
    peer: Peer, run: Path, transport: str, capsys: pytest.CaptureFixture[str]
) -> None:
    peer.faults.records = False
    peer.faults.warning = "the digests cannot be written to /full/digests"
    with Loader("train", run=run, prefetch=1, transport=transport) as train:
        for batch in train:
            train.commit(batch.state_dict())
    assert len(peer.seen("commit")) == 5
    assert capsys.readouterr().err.count("cannot be written to /full/digests") == 1


def test_a_commit_does_not_wait_for_a_record_that_is_written_for_too_long(
    peer: Peer, run: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(record, "_COMMIT_LIMIT_S", 0.1)
    peer.faults.records = False
    peer.faults.pending["consumed"] = "the digests are being written"
    with Loader("train", run=run, prefetch=1) as train:
        train.commit(next(iter(train)).state_dict())
        assert len(peer.seen("commit")) == 1
        assert "no record of the last 1 step " in capsys.readouterr().err
        del peer.faults.pending["consumed"]  # else the end would wait for the record as well
    assert {receipt["step"] for receipt in peer.receipts} == {0}


def test_nothing_is_told_of_what_was_recorded_meanwhile(peer: Peer, run: Path) -> None:
    with Loader("train", run=run, prefetch=1) as train:
        assert train._record._tell_any({}) is None
    assert peer.seen("consumed") == []


def test_a_trainer_that_asks_for_nothing_has_told_what_it_received(peer: Peer, run: Path) -> None:
    with Loader("train", run=run, prefetch=1) as train:
        batches = iter(train)
        for _ in range(4):
            next(batches)
        while {r["step"] for r in peer.receipts} != {0, 1, 2, 3}:
            peer.await_request("consumed")
        assert {r["waitMs"] for r in peer.seen("consumed")} == {0}
        calls = len(peer.seen("consumed"))
        next(batches)
        while {r["step"] for r in peer.receipts} != {0, 1, 2, 3, 4}:
            peer.await_request("consumed")
        assert len(peer.seen("consumed")) == calls + 1


def test_a_server_that_cannot_be_told_is_no_fault_of_the_steps(peer: Peer, run: Path) -> None:
    peer.faults.errors["consumed"] = {"code": "failed", "message": "the disk is full"}
    with Loader("train", run=run, prefetch=1) as train:
        batches = iter(train)
        for _ in range(4):
            next(batches)
        peer.await_request("consumed")
        assert len(list(batches)) == 1
        del peer.faults.errors["consumed"]


def test_it_says_what_could_not_be_recorded(
    run: Path, peer: Peer, capsys: pytest.CaptureFixture[str]
) -> None:
    peer.faults.errors["consumed"] = {"code": "failed", "message": "the disk is full"}
    with Loader("eval", run=run) as loader:
        list(loader)
    message = capsys.readouterr().err
    assert re.search(r"no record of the last \d+ steps? consumed of stream 'eval': ", message)
    assert "the disk is full" in message


class TestVerification:
    def test_a_batch_that_was_changed_on_its_way_is_an_error(self, peer: Peer, run: Path) -> None:
        rows = peer.streams["train"].rows([0, 1], 0)
        peer.faults.digests = [_ZERO, lane_digests(rows, 4)[1]]
        with (
            Loader("train", run=run) as train,
            pytest.raises(DigestMismatchError, match=r"lane 0 of step 0 of epoch 0 .* 'train'"),
        ):
            next(iter(train))

    def test_it_can_be_switched_off(self, peer: Peer, run: Path) -> None:
        peer.faults.digests = [_ZERO, _ZERO]
        with Loader("eval", run=run, verify="off") as loader:
            assert len(list(loader)) == 2

    def test_all_steps_are_checked_when_asked_for(self, peer: Peer, run: Path) -> None:
        rows = peer.streams["eval"].rows([0, 1], 0)
        peer.faults.digests = lane_digests(rows, 4)
        with Loader("eval", run=run, verify="all") as loader:
            batches = iter(loader)
            next(batches)
            with pytest.raises(DigestMismatchError, match="step 1 of epoch 0"):
                next(batches)

    def test_all_cannot_be_had_without_digests(self, peer: Peer, run: Path) -> None:
        peer.faults.digests = []
        with (
            Loader("eval", run=run, verify="all") as loader,
            pytest.raises(UsageError, match="makes no digests"),
        ):
            next(iter(loader))

    def test_digests_that_are_not_one_for_each_lane_are_an_error(
        self, peer: Peer, run: Path
    ) -> None:
        peer.faults.digests = [_ZERO]
        with (
            Loader("eval", run=run) as loader,
            pytest.raises(ProtocolError, match="16 bytes of digests for 2 lanes"),
        ):
            next(iter(loader))

    def test_other_choices_are_refused(self, run: Path) -> None:
        with pytest.raises(UsageError, match="'sample', 'all', 'off'"):
            Loader("train", run=run, verify="some")
